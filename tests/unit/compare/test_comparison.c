#include "compare/comparison.h"

#include "unit/support/corpus.h"
#include "unit/support/weeks.h"
#include "unit/support/test.h"

/* A service of thirty functions of 3 % each is quiet enough for changes of two points. */
#define QUIET                                                                                      \
    {"web_[o];main;run;a0", 300}, {"web_[o];main;run;a1", 300}, {"web_[o];main;run;a2", 300},      \
        {"web_[o];main;run;a3", 300}, {"web_[o];main;run;a4", 300}, {"web_[o];main;run;a5", 300},  \
        {"web_[o];main;run;a6", 300}, {"web_[o];main;run;a7", 300}, {"web_[o];main;run;a8", 300},  \
        {"web_[o];main;run;a9", 300}, {"web_[o];main;run;b0", 300}, {"web_[o];main;run;b1", 300},  \
        {"web_[o];main;run;b2", 300}, {"web_[o];main;run;b3", 300}, {"web_[o];main;run;b4", 300},  \
        {"web_[o];main;run;b5", 300}, {"web_[o];main;run;b6", 300}, {"web_[o];main;run;b7", 300},  \
        {"web_[o];main;run;b8", 300},                                                              \
    {                                                                                              \
        "web_[o];main;run;b9", 300                                                                 \
    }

enum { MOST = 8 };

/* The services of both sides, and the verdict and findings of the comparison. */
struct comparison_inputs {
    struct service base[MOST], new[MOST];
    size_t count[2];
    struct compare_settings settings;
    struct comparison comparison;
    struct buf text;
};

static void comparison_inputs_init(struct comparison_inputs *w)
{
    *w = (struct comparison_inputs){.settings = compare_settings_default()};
}

static void comparison_inputs_release(struct comparison_inputs *w)
{
    comparison_release(&w->comparison);
    for (size_t i = 0; i < w->count[0]; i++)
        service_release(&w->base[i]);
    for (size_t i = 0; i < w->count[1]; i++)
        service_release(&w->new[i]);
    buf_release(&w->text);
}

/*
 * Writes a line for each service: "web: worse", then "; new total slow+5 (through cause)" for
 * each finding.
 */
static const char *weeks_compare(struct comparison_inputs *w)
{
    const struct compare_label labels[] = {{SLICE("w1"), w->base, w->count[0], STATS_BASE, NULL},
                                           {SLICE("w2"), w->new, w->count[1], STATS_NEW, NULL}};

    comparison_init(&w->comparison, labels, 2, &w->settings);
    vec_each (const struct compared_service, s, &w->comparison.services) {
        buf_printf(&w->text, "%s%.*s: %.*s", w->text.len ? "\n" : "", SLICE_ARG(s->name),
                   SLICE_ARG(compare_verdict_word(s->verdict)));
        vec_each (const struct finding, f, &s->findings) {
            buf_printf(
                &w->text, "; %.*s %.*s %.*s%+.0f", SLICE_ARG(compare_verdict_word(f->verdict)),
                SLICE_ARG(compare_scope_word(f->scope)), SLICE_ARG(f->function), 100 * f->change);
            if (f->through.len)
                buf_printf(&w->text, " (%.*s)", SLICE_ARG(f->through));
            if (f->renamed_from.len)
                buf_printf(&w->text, " from %.*s", SLICE_ARG(f->renamed_from));
            if (f->accepted.len)
                buf_printf(&w->text, " accepted: %.*s", SLICE_ARG(f->accepted));
        }
    }
    return buf_string(&w->text);
}

static void weeks_add(struct comparison_inputs *w, const struct week_stack *base,
                      const struct week_stack *new, size_t runs)
{
    week_init(&w->base[w->count[0]++], "web", base, runs, 1);
    week_init(&w->new[w->count[1]++], "web", new, runs, 2);
}

static const struct week_stack before[] = {QUIET, {"web_[o];main;old", 300}, {NULL, 0}};

Test(compare_comparison, generated_weeks)
{
    static const struct {
        const char *what;
        struct week_stack new[26];
        const char *want;
    } rows[] = {
        {"nothing", {QUIET, {"web_[o];main;old", 300}}, "web: unchanged"},
        {"another process name", {QUIET, {"web_[o];main;old", 300}}, "web: unchanged"},
        {"twice the cost", {QUIET, {"web_[o];main;old", 900}}, "web: worse; worse total old+10"},
        {"half the cost", {QUIET, {"web_[o];main;old", 30}}, "web: better; better total old-4"},
        {"a new function",
         {QUIET, {"web_[o];main;old", 300}, {"web_[o];main;audit;sign", 600}},
         "web: worse; new total sign+10; new total audit+10 (sign)"},
        {"another name",
         {QUIET, {"web_[o];main;older", 300}},
         "web: unchanged; renamed total older+0 from old"},
        {"a clone", {QUIET, {"web_[o];main;old.isra.0", 300}}, "web: unchanged"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct comparison_inputs w;

        comparison_inputs_init(&w);
        weeks_add(&w, before, rows[i].new, 3);
        cr_expect_str_eq(weeks_compare(&w), rows[i].want, "%s: %s", rows[i].what,
                         buf_string(&w.text));
        comparison_inputs_release(&w);
    }
}

/* Three functions cannot show what did not change, so shares of the total are compared. */
Test(compare_comparison, shares_that_change_because_the_total_does)
{
    static const struct {
        const char *what;
        struct week_stack base[6], new[6];
        const char *want;
    } rows[] = {
        {"a new function makes all others shrink",
         {{"main;run;a", 5000}, {"main;run;b", 3000}, {"main;run;c", 2000}},
         {{"main;run;a", 5000}, {"main;run;b", 3000}, {"main;run;c", 2000}, {"main;run;d", 5000}},
         "web: worse; new total d+33; better total a-17 (d); better total b-10 (d); "
         "better total c-7 (d)"},
        {"one that goes makes all others grow",
         {{"main;run;a", 5000}, {"main;run;b", 3000}, {"main;run;c", 2000}, {"main;run;d", 5000}},
         {{"main;run;a", 5000}, {"main;run;b", 3000}, {"main;run;c", 2000}},
         "web: better; gone total d-33; worse total a+17 (d); worse total b+10 (d); "
         "worse total c+7 (d)"},
        {"one goes and another becomes slower, too",
         {{"main;run;a", 5000}, {"main;run;b", 3000}, {"main;run;c", 2000}, {"main;run;d", 5000}},
         {{"main;run;a", 9000}, {"main;run;b", 3000}, {"main;run;c", 2000}},
         "web: worse; gone total d-33; worse total a+31; worse total b+2 (d); worse total c+1 (d)"},
        {"cost moves from one to the other",
         {{"main;a", 50000}, {"main;run;lib`b", 30000}, {"main;run;lib`c", 20000}},
         {{"main;a", 50000}, {"main;run;lib`b", 10000}, {"main;run;lib`c", 40000}},
         "web: unchanged; moved total lib`c+20; moved total lib`b-20"},
        {"one becomes cheaper and another slower",
         {{"main;run;a", 5000}, {"main;run;b", 6000}, {"main;run;c", 2000}, {"main;run;d", 3000}},
         {{"main;run;a", 5000}, {"main;run;b", 1000}, {"main;run;c", 4000}, {"main;run;d", 3000}},
         "web: worse; better total b-29; worse total c+18; worse total a+7 (b); "
         "worse total d+4 (b)"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct comparison_inputs w;

        comparison_inputs_init(&w);
        weeks_add(&w, rows[i].base, rows[i].new, 4);
        cr_expect_str_eq(weeks_compare(&w), rows[i].want, "%s: %s", rows[i].what,
                         buf_string(&w.text));
        comparison_inputs_release(&w);
    }
}

Test(compare_comparison, too_few_runs_have_no_finding)
{
    static const struct week_stack after[] = {QUIET, {"web_[o];main;old", 3000}, {NULL, 0}};
    static const char *const reasons[] = {
        [1] = "one run a side: the noise between runs is not known",
        [2] = "2 and 2 runs: 3 a side are needed to know the noise between runs",
    };

    for (size_t runs = 1; runs <= 2; runs++) {
        struct comparison_inputs w;

        comparison_inputs_init(&w);
        weeks_add(&w, before, after, runs);
        cr_expect_str_eq(weeks_compare(&w), "web: undecided");
        cr_expect(slice_equal(w.comparison.services.items[0].reason, slice_str(reasons[runs])),
                  "%.*s", SLICE_ARG(w.comparison.services.items[0].reason));
        comparison_inputs_release(&w);
    }
}

Test(compare_comparison, an_accepted_change_does_not_count)
{
    static const struct week_stack after[] = {QUIET, {"web_[o];main;old", 900}, {NULL, 0}};
    struct comparison_inputs w;

    comparison_inputs_init(&w);
    *vec_add(&w.settings.accepted) =
        (struct compare_acceptance){SLICE("w*"), SLICE("old"), SLICE("planned")};
    weeks_add(&w, before, after, 3);
    cr_expect_str_eq(weeks_compare(&w), "web: accepted; worse total old+10 accepted: planned", "%s",
                     buf_string(&w.text));
    vec_release(&w.settings.accepted);
    comparison_inputs_release(&w);
}

Test(compare_comparison, services_of_one_side_are_not_compared)
{
    struct comparison_inputs w;

    comparison_inputs_init(&w);
    week_init(&w.base[w.count[0]++], "old", before, 3, 1);
    week_init(&w.new[w.count[1]++], "young", before, 3, 1);
    cr_expect_str_eq(weeks_compare(&w), "old: undecided\nyoung: undecided");
    cr_expect(slice_equal(w.comparison.services.items[0].reason, SLICE("only the base has it")));
    cr_expect(
        slice_equal(w.comparison.services.items[1].reason, SLICE("only the new runs have it")));
    comparison_inputs_release(&w);
}

Test(compare_comparison, another_kernel_is_a_warning_and_says_nothing_of_its_functions)
{
    static const struct week_stack earlier[] = {
        QUIET, {"web_[o];main;old", 300}, {"web_[o];main;sys_[k]", 300}, {NULL, 0}};
    static const struct week_stack after[] = {
        QUIET, {"web_[o];main;old", 300}, {"web_[o];main;sys_[k]", 900}, {NULL, 0}};
    struct comparison_inputs w;

    comparison_inputs_init(&w);
    weeks_add(&w, earlier, after, 3);
    for (size_t run = 0; run < 3; run++) {
        service_set_fact(&w.base[0], run, SLICE(RUN_KERNEL), SLICE("5.10"));
        service_set_fact(&w.new[0], run, SLICE(RUN_KERNEL), SLICE("6.1"));
    }
    cr_expect_str_eq(weeks_compare(&w), "web: unchanged", "%s", buf_string(&w.text));
    cr_assert_eq(w.comparison.services.items[0].warnings.count, 1);
    cr_expect(slice_equal(w.comparison.services.items[0].warnings.items[0],
                          SLICE("the kernel differs: 5.10 in the base, 6.1 in the new runs")));
    comparison_inputs_release(&w);
}

Test(compare_comparison, hosts_are_compared_with_themselves)
{
    static const struct week_stack big[] = {QUIET, {"web_[o];main;old", 3000}, {NULL, 0}};
    struct comparison_inputs w;

    comparison_inputs_init(&w);
    weeks_add(&w, before, before, 3);
    for (int side = 0; side < 2; side++) {
        struct service *s = side ? &w.new[0] : &w.base[0];
        struct service other;

        week_init(&other, "big", big, 3, 7 + (unsigned)side);
        for (size_t run = 0; run < 3; run++) {
            service_set_fact(s, run, SLICE(RUN_HOST), SLICE("small"));
            cr_assert(service_add_run(s, other.runs.items[run].name, &other.profile,
                                      other.runs.items[run].series));
            service_set_fact(s, 3 + run, SLICE(RUN_HOST), SLICE("big"));
        }
        service_release(&other);
    }
    cr_expect_str_eq(weeks_compare(&w), "web: unchanged", "%s", buf_string(&w.text));
    cr_expect(w.comparison.services.items[0].rho < 0.002, "%g: hosts are no noise",
              w.comparison.services.items[0].rho);
    comparison_inputs_release(&w);
}

Test(compare_comparison, budgets)
{
    static const struct week_stack after[] = {QUIET, {"web_[o];main;old", 900}, {NULL, 0}};
    static const struct {
        double max_share, max_growth;
        bool share_broken, growth_broken;
    } rows[] = {{0.1, 1, true, false}, {0.2, 0.05, false, true}, {0.2, 0.2, false, false}};
    struct search *search;
    struct buf why = {0};

    search = search_new(SLICE("^o.d$"), false, &why);
    for (size_t i = 0; i < 2 * sizeof(rows) / sizeof(*rows); i++) {
        struct comparison_inputs w;

        comparison_inputs_init(&w);
        *vec_add(&w.settings.budgets) =
            (struct compare_budget){i % 2 ? BUDGET_SEARCH : BUDGET_FUNCTION,
                                    SLICE("*"),
                                    SLICE("old"),
                                    i % 2 ? search : NULL,
                                    rows[i / 2].max_share,
                                    rows[i / 2].max_growth};
        weeks_add(&w, before, after, 3);
        weeks_compare(&w);
        cr_assert_eq(w.comparison.budgets.count, 1);
        cr_expect_eq(w.comparison.budgets.items[0].share_broken, rows[i / 2].share_broken);
        cr_expect_eq(w.comparison.budgets.items[0].growth_broken, rows[i / 2].growth_broken);
        vec_release(&w.settings.budgets);
        comparison_inputs_release(&w);
    }
    search_free(search);
    buf_release(&why);
}

/* The new runs have a tenth more weight than those of the base, of 10 s and 100 requests. */
Test(compare_comparison, budgets_of_totals)
{
    static const struct week_stack grown[] = {QUIET, {"web_[o];main;old", 900}, {NULL, 0}};
    static const struct {
        enum budget_kind kind;
        uint64_t seconds;
        const char *requests;
        double max_growth, ratio; /* 0: not known */
        bool broken;
    } rows[] = {
        {BUDGET_PER_RUN, 0, "", 0.05, 1.1, true},
        {BUDGET_PER_RUN, 0, "", 0.15, 1.1, false},
        {BUDGET_PER_SECOND, 10, "", 0.05, 1.1, true},
        {BUDGET_PER_SECOND, 20, "", 0.05, 0.55, false},
        {BUDGET_PER_SECOND, 0, "100", 0.05, 0, false},
        {BUDGET_PER_REQUEST, 10, "", 0.05, 0, false},
        {BUDGET_PER_REQUEST, 0, "50", 0.05, 2.2, true},
        {BUDGET_PER_REQUEST, 0, "200", 0.05, 0.55, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct budget_result *result;
        struct comparison_inputs w;

        comparison_inputs_init(&w);
        *vec_add(&w.settings.budgets) = (struct compare_budget){
            rows[i].kind, SLICE("*"), SLICE(""), NULL, 1, rows[i].max_growth};
        weeks_add(&w, before, grown, 3);
        for (size_t run = 0; run < 3; run++) {
            w.base[0].runs.items[run].duration_ns = 10000000000;
            w.new[0].runs.items[run].duration_ns = rows[i].seconds * 1000000000;
            service_set_fact(&w.base[0], run, SLICE(RUN_REQUESTS), SLICE("100"));
            service_set_fact(&w.new[0], run, SLICE(RUN_REQUESTS), slice_str(rows[i].requests));
        }
        weeks_compare(&w);
        cr_assert_eq(w.comparison.budgets.count, 1);
        result = &w.comparison.budgets.items[0];
        cr_expect_eq(budget_is_broken(result), rows[i].broken, "row %zu", i);
        if (rows[i].ratio > 0)
            cr_expect_float_eq(result->new, rows[i].ratio, 0.05, "row %zu: %g", i, result->new);
        cr_expect_eq(result->new > 0, rows[i].ratio > 0, "row %zu", i);
        cr_expect_eq(w.comparison.services.items[0].warnings.count, rows[i].ratio > 0 ? 0 : 1);
        vec_release(&w.settings.budgets);
        comparison_inputs_release(&w);
    }
}

/* Fourteen labels and the new runs; the function grew at the tenth label. */
Test(compare_comparison, since_when_and_confirmed)
{
    static const struct week_stack after[] = {QUIET, {"web_[o];main;old", 900}, {NULL, 0}};
    enum { LABELS = 15, GROWN = 9 };
    struct service services[LABELS];
    struct compare_label labels[LABELS];
    char names[LABELS][4];
    struct compare_settings settings = compare_settings_default();
    struct comparison c;

    for (unsigned i = 0; i < LABELS; i++) {
        week_init(&services[i], "web", i >= GROWN ? after : before, 2, 40 + i);
        names[i][0] = 'w';
        names[i][1] = (char)('0' + i / 10);
        names[i][2] = (char)('0' + i % 10);
        names[i][3] = '\0';
        labels[i] =
            (struct compare_label){slice_str(names[i]), &services[i], 1, STATS_HISTORY, NULL};
    }
    labels[0].side = STATS_BASE;
    labels[LABELS - 1].side = STATS_NEW;
    comparison_init(&c, labels, LABELS, &settings);
    cr_assert_geq(c.services.items[0].findings.count, 1);
    cr_expect(slice_equal(c.services.items[0].findings.items[0].function, SLICE("old")));
    cr_expect(slice_equal(c.services.items[0].findings.items[0].since, SLICE("w09")), "%.*s",
              SLICE_ARG(c.services.items[0].findings.items[0].since));
    cr_expect_not(c.services.items[0].findings.items[0].confirmed);
    comparison_confirm(&c, labels, LABELS, &settings);
    cr_expect(c.services.items[0].findings.items[0].confirmed);
    comparison_release(&c);

    for (unsigned i = GROWN; i + 1 < LABELS; i++)
        labels[i].count = 0;
    comparison_init(&c, labels, LABELS, &settings);
    comparison_confirm(&c, labels, LABELS, &settings);
    cr_assert_geq(c.services.items[0].findings.count, 1);
    cr_expect_not(c.services.items[0].findings.items[0].confirmed, "it is new this week");
    comparison_release(&c);
    for (unsigned i = 0; i < LABELS; i++)
        service_release(&services[i]);
}

/* The newest of fifteen labels differs from all others, or ends a change of four labels. */
Test(compare_comparison, since_the_newest_label)
{
    static const struct week_stack after[] = {QUIET, {"web_[o];main;old", 900}, {NULL, 0}};
    enum { LABELS = 15, CAME = 10 };

    for (int undone = 0; undone < 2; undone++) {
        struct service services[LABELS];
        struct compare_label labels[LABELS];
        char names[LABELS][4];
        struct compare_settings settings = compare_settings_default();
        const struct finding *f;
        struct comparison c;

        for (unsigned i = 0; i < LABELS; i++) {
            bool dear = undone ? i >= CAME && i + 1 < LABELS : i + 1 == LABELS;

            week_init(&services[i], "web", dear ? after : before, 3, 400 + i);
            snprintf(names[i], sizeof(names[i]), "w%02u", i);
            labels[i] =
                (struct compare_label){slice_str(names[i]), &services[i], 1, STATS_HISTORY, NULL};
        }
        labels[LABELS - 2].side = STATS_BASE;
        labels[LABELS - 1].side = STATS_NEW;
        comparison_init(&c, labels, LABELS, &settings);
        cr_assert_geq(c.services.items[0].findings.count, 1);
        f = &c.services.items[0].findings.items[0];
        cr_expect(slice_equal(f->function, SLICE("old")));
        cr_expect(slice_equal(f->since, SLICE("w14")), "%.*s", SLICE_ARG(f->since));
        cr_expect(slice_equal(f->since_earliest, SLICE("w14")));
        cr_expect(slice_equal(f->since_latest, SLICE("w14")));
        cr_expect(slice_equal(f->undoes, undone ? SLICE("w10") : SLICE("")), "%.*s",
                  SLICE_ARG(f->undoes));
        comparison_release(&c);
        for (unsigned i = 0; i < LABELS; i++)
            service_release(&services[i]);
    }
}

/* ---- recorded with other rights -------------------------------------------------------------- */

#define IN_KERNEL "web_[o];main;run;a0;entry_SYSCALL_64_after_hwframe_[k];"
#define KERNEL                                                                                     \
    {IN_KERNEL "vfs_read_[k]", 700}, {IN_KERNEL "vfs_write_[k]", 700},                             \
    {                                                                                              \
        IN_KERNEL "do_futex_[k]", 700                                                              \
    }

static const struct week_stack with_kernel[] = {
    QUIET, KERNEL, {"web_[o];main;slow", 300}, {NULL, 0}};
static const struct week_stack without_kernel[] = {QUIET, {"web_[o];main;slow", 300}, {NULL, 0}};
static const struct week_stack slower_without[] = {QUIET, {"web_[o];main;slow", 900}, {NULL, 0}};
/* The frames of the kernel are removed: 2,100 more samples are those of a0. */
static const struct week_stack frames_removed[] = {
    QUIET, {"web_[o];main;run;a0", 2100}, {"web_[o];main;slow", 300}, {NULL, 0}};

/* Compares five runs a side, and appends the warnings. */
static const char *compare_rights(struct comparison_inputs *w, const struct week_stack *base,
                                  const struct week_stack *new, bool modifiers)
{
    comparison_inputs_init(w);
    weeks_add(w, base, new, 5);
    if (modifiers) {
        w->base[0].event = base == with_kernel ? SLICE("cycles") : SLICE("cycles:u");
        w->new[0].event = new == with_kernel ? SLICE("cycles") : SLICE("cycles:u");
    }
    weeks_compare(w);
    vec_each (const struct slice, warning, &w->comparison.services.items[0].warnings)
        buf_printf(&w->text, "\n%.*s", SLICE_ARG(*warning));
    return buf_string(&w->text);
}

Test(compare_comparison, kernel_on_one_side)
{
    struct comparison_inputs w;

    cr_expect_str_eq(compare_rights(&w, with_kernel, without_kernel, true),
                     "web: unchanged\n"
                     "the event differs: cycles in the base, cycles:u in the new runs\n"
                     "samples in the kernel are left out, because only the base has such samples "
                     "(24.8 % of all)");
    comparison_inputs_release(&w);
    cr_expect_str_eq(compare_rights(&w, without_kernel, with_kernel, false),
                     "web: unchanged\n"
                     "samples in the kernel are left out, because only the new runs have such "
                     "samples (25.1 % of all)");
    comparison_inputs_release(&w);
    cr_expect_str_eq(compare_rights(&w, with_kernel, slower_without, true),
                     "web: worse; worse total slow+10\n"
                     "the event differs: cycles in the base, cycles:u in the new runs\n"
                     "samples in the kernel are left out, because only the base has such samples "
                     "(24.8 % of all)",
                     "%s", buf_string(&w.text));
    comparison_inputs_release(&w);
}

Test(compare_comparison, kernel_frames_removed_on_one_side)
{
    struct comparison_inputs w;

    cr_expect_str_eq(compare_rights(&w, with_kernel, frames_removed, false),
                     "web: unchanged\n"
                     "samples in the kernel are those of the functions that called it, because "
                     "only the base has such samples (24.8 % of all)",
                     "%s", buf_string(&w.text));
    comparison_inputs_release(&w);
}

/* A program has functions that are named almost as the kernel's entries are. */
Test(compare_comparison, functions_named_like_entries_are_compared)
{
    static const struct week_stack quiet[] = {QUIET, {NULL, 0}};
    static const struct week_stack after[] = {
        QUIET, {"web_[o];main;run;asm_decode", 900}, {NULL, 0}};
    struct comparison_inputs w;

    cr_expect(strstr(compare_rights(&w, quiet, after, false), "new total asm_decode+"), "%s",
              buf_string(&w.text));
    comparison_inputs_release(&w);
}

/* Without the modifier of an event, few samples without the kernel are a program that computes. */
Test(compare_comparison, system_calls_are_new)
{
    static const struct week_stack before_calls[] = {{"web_[o];main;run", 90}, {NULL, 0}};
    static const struct week_stack calls[] = {
        {"web_[o];main;run", 90}, {"web_[o];main;run;vfs_write_[k]", 60}, {NULL, 0}};
    struct comparison_inputs w;

    cr_expect_str_eq(compare_rights(&w, before_calls, calls, false),
                     "web: worse; better self run-40; new total vfs_write+40\n"
                     "shares of the total are compared, because too few functions could show "
                     "what did not change",
                     "%s", buf_string(&w.text));
    comparison_inputs_release(&w);
}

/* Interrupts grow from 3 % of the samples to 12 %, and a function of the program, too. */
Test(compare_comparison, interrupts_are_the_machines)
{
#define INTERRUPTED "web_[o];main;run;a1;asm_sysvec_apic_timer_interrupt_[k];irqentry_exit_[k]"
    static const struct week_stack quiet[] = {
        QUIET, {INTERRUPTED, 200}, {"web_[o];main;slow", 300}, {NULL, 0}};
    static const struct week_stack loaded[] = {
        QUIET, {INTERRUPTED, 900}, {"web_[o];main;slow", 300}, {NULL, 0}};
    static const struct week_stack slower[] = {
        QUIET, {INTERRUPTED, 900}, {"web_[o];main;slow", 900}, {NULL, 0}};

    for (int slow = 0; slow < 2; slow++) {
        struct comparison_inputs w;
        bool found = false;

        comparison_inputs_init(&w);
        weeks_add(&w, quiet, slow ? slower : loaded, 5);
        weeks_compare(&w);
        vec_each (const struct finding, f, &w.comparison.services.items[0].findings) {
            cr_expect(!slice_has(f->function, SLICE("irq")) &&
                          !slice_has(f->function, SLICE("interrupt")),
                      "%s", buf_string(&w.text));
            found |= slice_equal(f->function, SLICE("slow")) && finding_counts(f);
        }
        cr_expect_eq(found, slow, "%s", buf_string(&w.text));
        cr_expect_eq(w.comparison.services.items[0].warnings.count, 1);
        comparison_inputs_release(&w);
    }
}

/* ---- inlined functions ----------------------------------------------------------------------- */

/* sum() is called by order(), which ends in the call: the frame of order() is not there. */
static const struct week_stack tail_called[] = {
    QUIET, {"web_[o];main;sum", 600}, {"web_[o];main;order;tax", 900}, {NULL, 0}};
static const struct week_stack called[] = {
    QUIET, {"web_[o];main;order;sum", 600}, {"web_[o];main;order;tax", 900}, {NULL, 0}};
static const struct week_stack sum_inlined[] = {
    QUIET, {"web_[o];main;order", 600}, {"web_[o];main;order;tax", 900}, {NULL, 0}};
static const struct week_stack inlined_and_slower[] = {
    QUIET, {"web_[o];main;order", 1500}, {"web_[o];main;order;tax", 900}, {NULL, 0}};
static const struct week_stack sum_removed[] = {QUIET, {"web_[o];main;order;tax", 900}, {NULL, 0}};

Test(compare_comparison, inlined_functions)
{
    static const struct {
        const struct week_stack *base, *new;
        const char *findings;
    } rows[] = {
        {called, sum_inlined, "web: unchanged; inlined self sum+0 (order)"},
        {tail_called, sum_inlined, "web: unchanged; inlined self sum+0 (order)"},
        {sum_inlined, called, "web: unchanged; outlined self sum+0 (order)"},
        {sum_inlined, tail_called, "web: unchanged; outlined self sum+0 (order)"},
        {called, inlined_and_slower,
         "web: worse; worse total order+13; inlined self sum+12 (order)"},
        {called, sum_removed, "web: better; gone total sum-8; better total order-8 (sum)"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct comparison_inputs w;

        comparison_inputs_init(&w);
        weeks_add(&w, rows[i].base, rows[i].new, 5);
        cr_expect_str_eq(weeks_compare(&w), rows[i].findings, "row %zu: %s", i,
                         buf_string(&w.text));
        comparison_inputs_release(&w);
    }
}

/* ---- the recorded weeks ---------------------------------------------------------------------- */

static const struct {
    const char *name, *ending;
    int runs;
} recorded[] = {
    {"calc", "callgrind", 0}, {"gateway", "cpuprofile.gz", 3}, {"ingest", "perf.gz", 3},
    {"orders", "perf.gz", 3}, {"search", "folded", 3},         {"vault", "perf.gz", 3},
};

enum { RECORDED = sizeof(recorded) / sizeof(*recorded) };

/* Reads the runs `first` to `last` of a week, of services with several runs if `several`. */
static size_t read_week(struct service *services, const char *week, int first, int last,
                        bool several)
{
    struct buf path = {0}, file = {0};
    size_t count = 0;

    for (size_t i = several; i < RECORDED; i++) {
        struct service *s = &services[count++];

        service_init(s, slice_str(recorded[i].name));
        for (int run = first; run <= (recorded[i].runs ? last : first); run++) {
            buf_clear(&file);
            buf_printf(&file, "weeks/%s/%s", week, recorded[i].name);
            if (recorded[i].runs)
                buf_printf(&file, ".%d", run);
            buf_printf(&file, ".%s", recorded[i].ending);
            week_add_file(s, corpus_path(&path, buf_string(&file)), buf_string(&file));
        }
    }
    buf_release(&path);
    buf_release(&file);
    return count;
}

Test(compare_comparison, recorded_weeks)
{
    struct comparison_inputs w;

    corpus_need();
    comparison_inputs_init(&w);
    w.count[0] = read_week(w.base, "w1", 1, 3, false);
    w.count[1] = read_week(w.new, "w2", 1, 3, false);
    cr_expect_str_eq(
        weeks_compare(&w),
        "calc: worse; new total audit+39; worse total [ld-linux-x86-64.so.2]+39 (audit); "
        "worse total main+39 (audit); worse total (below main)+39 (audit); "
        "worse total __libc_start_main+39 (audit)\n"
        "gateway: worse; new total slugger+14; new total squeeze+6; gone total slug-5; "
        "new total transliterate+5\n"
        "ingest: unchanged; renamed total ingest::parse_record+0 from ingest::parse_line\n"
        "orders: unchanged\n"
        "search: undecided\n"
        "vault: undecided",
        "%s", buf_string(&w.text));
    cr_expect_eq(w.comparison.services.items[0].findings.items[0].new_weight, 3400006);
    cr_expect_eq(w.comparison.services.items[0].findings.items[0].base_weight, 0);
    for (size_t i = 2; i < 4; i++)
        cr_expect(w.comparison.services.items[i].smallest < 0.1, "ingest and orders: %g",
                  w.comparison.services.items[i].smallest);
    comparison_inputs_release(&w);
}

Test(compare_comparison, halves_of_a_recorded_week)
{
    static const char *const weeks[] = {"w1", "w2"};

    corpus_need();
    for (size_t week = 0; week < 2; week++)
        for (int first = 1; first <= 2; first++) {
            struct comparison_inputs w;

            comparison_inputs_init(&w);
            w.settings.min_runs = 1;
            w.count[0] = read_week(w.base, weeks[week], 1, first, true);
            w.count[1] = read_week(w.new, weeks[week], first + 1, 3, true);
            weeks_compare(&w);
            vec_each (const struct compared_service, s, &w.comparison.services)
                cr_expect_eq(s->findings.count, 0, "%s\n%s", weeks[week], buf_string(&w.text));
            comparison_inputs_release(&w);
        }
}
