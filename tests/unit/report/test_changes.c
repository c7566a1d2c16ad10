#include "report/changes.h"

#include "report/digest.h"
#include "report/html.h"
#include "report/json.h"
#include "report/markdown.h"
#include "unit/support/strict_json.h"
#include "unit/support/test.h"

static const struct finding slow = {.function = {"slow<T>", 7},
                                    .verdict = VERDICT_WORSE,
                                    .scope = COMPARE_TOTAL,
                                    .base = 0.05,
                                    .new = 0.0775,
                                    .change = 0.0275,
                                    .low = 0.01,
                                    .high = 0.045};

/* Writes what a page says about a comparison. */
struct page {
    struct comparison comparison;
    struct report report;
    struct templates templates;
    struct diag diag;
    struct buf html, markdown, json;
};

static struct compared_service *add_service(struct page *p, struct slice name, enum verdict verdict)
{
    struct compared_service *s = vec_add(&p->comparison.services);

    *s = (struct compared_service){.name = name,
                                   .event = SLICE("cpu-clock"),
                                   .owner = SLICE("team & co"),
                                   .tested = true,
                                   .smallest = 0.021,
                                   .verdict = verdict,
                                   .unit = {UNIT_SECONDS, -9, SLICE("ns")},
                                   .sides = {{3, 3000, 9}, {3, 2400, 9}}};
    return s;
}

static void add_finding(struct compared_service *s, struct slice function, enum verdict verdict,
                        struct slice through, struct slice accepted)
{
    struct finding *f = vec_add(&s->findings);

    *f = slow;
    f->function = function;
    f->verdict = verdict;
    f->through = through;
    f->accepted = accepted;
}

static void init(struct page *p)
{
    *p = (struct page){.comparison = {.base = SLICE("w1"),
                                      .new = SLICE("w2"),
                                      .settings = compare_settings_default()}};
    diag_init(&p->diag, SLICE(""));
    cr_assert(templates_init(&p->templates, NULL, &p->diag));
    report_init(&p->report, SLICE("Week 2"), SLICE("9.9"), SLICE(""));
}

static void write(struct page *p)
{
    report_set_comparison(&p->report, &p->comparison);
    cr_assert(report_write_html(&p->report, &p->templates, &p->html, NULL, &p->diag));
    cr_assert(report_write_markdown(&p->report, &p->templates, &p->markdown, &p->diag));
    report_write_json(&p->report, &p->json, NULL);
}

static void release(struct page *p)
{
    buf_release(&p->json);
    buf_release(&p->markdown);
    buf_release(&p->html);
    report_release(&p->report);
    templates_release(&p->templates);
    diag_release(&p->diag);
    comparison_release(&p->comparison);
}

static bool has(const struct buf *text, const char *part)
{
    return slice_search(buf_slice(text), slice_str(part)) < text->len;
}

static void fill(struct page *p)
{
    struct compared_service *s = add_service(p, SLICE("calm"), VERDICT_UNDECIDED);

    s->reason = SLICE("one run a side");
    s = add_service(p, SLICE("web"), VERDICT_WORSE);
    add_finding(s, SLICE("planned"), VERDICT_WORSE, SLICE(""), SLICE("agreed"));
    add_finding(s, SLICE("quick"), VERDICT_BETTER, SLICE(""), SLICE(""));
    add_finding(s, SLICE("slow<T>"), VERDICT_WORSE, SLICE(""), SLICE(""));
    add_finding(s, SLICE("caller"), VERDICT_WORSE, SLICE("slow<T>"), SLICE(""));
    add_finding(s, SLICE("shifted"), VERDICT_MOVED, SLICE(""), SLICE(""));
    *vec_add(&s->warnings) = SLICE("the kernel differs");
}

Test(report_changes, cards_are_in_the_order_of_what_needs_attention)
{
    static const char *const want[] = {"slow<T>", "quick", "planned"};
    struct page p;

    init(&p);
    fill(&p);
    report_set_comparison(&p.report, &p.comparison);
    cr_assert_eq(p.report.comparison.cards.count, 3);
    for (size_t i = 0; i < 3; i++)
        cr_expect(slice_equal(p.report.comparison.cards.items[i].function, slice_str(want[i])));
    cr_expect(slice_equal(p.report.comparison.cards.items[0].through, SLICE("caller")));
    cr_expect(slice_equal(p.report.comparison.services.items[0].service, SLICE("web")));
    cr_expect(slice_equal(p.report.comparison.services.items[0].function, SLICE("slow<T>")));
    cr_expect_eq(p.report.comparison.not_compared.count, 1);
    cr_expect_eq(p.report.comparison.notes.count, 2);
    release(&p);
}

Test(report_changes, a_page_has_the_headline_and_escapes_names)
{
    static const char *const parts[] = {
        "1 of 2 services worse, 1 undecided",
        "w2 against w1",
        "team &amp; co",
        "+1.00 to +4.50",
        "slow&lt;T&gt;",
        "5.00",
        "the kernel differs",
        "one run a side",
        "agreed",
    };
    struct page p;
    size_t at;

    init(&p);
    fill(&p);
    write(&p);
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        cr_expect(has(&p.html, parts[i]), "%s", parts[i]);
    cr_expect_not(has(&p.html, "<T>"));
    cr_expect(has(&p.markdown, "| worse | `slow<T>` | "));
    cr_expect(has(&p.json, "\"points\": 2.7500"));
    cr_expect(strict_json(buf_slice(&p.json), &at));
    release(&p);
}

Test(report_changes, a_week_without_a_change_says_the_same_everywhere)
{
    static const char want[] = "No change found; of 2.1 points or more, four in five would have "
                               "shown in a typical function";
    struct buf digest = {0};
    struct page p;

    init(&p);
    add_service(&p, SLICE("calm"), VERDICT_UNCHANGED);
    write(&p);
    cr_expect(p.report.comparison.quiet);
    cr_expect(has(&p.html, want));
    cr_expect(has(&p.html, "class=\"verdict unchanged\""));
    cr_expect_not(has(&p.html, "class=\"verdict worse\""));
    cr_expect(has(&p.markdown, want));
    cr_expect(has(&p.json, want));
    digest_write_text(&p.comparison, SLICE(""), &digest);
    cr_expect(has(&digest, want));
    buf_clear(&digest);
    digest_write_html(&p.comparison, SLICE(""), &digest);
    cr_expect(has(&digest, want));
    buf_release(&digest);
    release(&p);
}

Test(report_changes, every_budget_holds_only_if_there_are_budgets)
{
    for (int budgets = 0; budgets < 2; budgets++) {
        struct page p;

        init(&p);
        add_service(&p, SLICE("calm"), VERDICT_UNCHANGED);
        if (budgets)
            *vec_add(&p.comparison.budgets) =
                (struct budget_result){.kind = BUDGET_FUNCTION, .max_share = 1, .max_growth = 1};
        write(&p);
        cr_expect_eq(has(&p.html, "Every budget holds."), budgets);
        cr_expect_eq(has(&p.markdown, "Every budget holds."), budgets);
        release(&p);
    }
}

Test(report_changes, says_from_which_change_on_one_is_visible)
{
    static const char *const want[] = {"2.1 points", "above 25 points", "exact", ""};
    struct page p;

    init(&p);
    for (size_t i = 0; i < 4; i++)
        add_service(&p, SLICE("web"), VERDICT_UNDECIDED);
    p.comparison.services.items[1].smallest = 1;
    p.comparison.services.items[2].smallest = 1;
    p.comparison.services.items[2].exact = true;
    p.comparison.services.items[3].smallest = 1;
    p.comparison.services.items[3].tested = false;
    report_set_comparison(&p.report, &p.comparison);
    for (size_t i = 0; i < 4; i++)
        cr_expect(slice_equal(p.report.comparison.services.items[i].smallest, slice_str(want[i])),
                  "%zu", i);
    release(&p);
}

Test(report_changes, findings_beyond_the_most_cards_are_counted)
{
    struct compared_service *s;
    struct page p;

    init(&p);
    s = add_service(&p, SLICE("web"), VERDICT_WORSE);
    for (int i = 0; i < CHANGES_CARDS + 3; i++)
        add_finding(s, SLICE("f"), VERDICT_WORSE, SLICE(""), SLICE(""));
    write(&p);
    cr_expect_eq(p.report.comparison.cards.count, CHANGES_CARDS);
    cr_expect(has(&p.html, "3 more findings are in report.json"));
    release(&p);
}
