#include "compare/align_runs.h"

#include "output/folded.h"
#include "profile/merge.h"
#include "unit/support/graph.h"
#include "unit/support/test.h"

static bool collect(void *out, struct slice bytes)
{
    buf_add_slice(out, bytes);
    return true;
}

enum { RUNS = 3 };

/* Folded stacks of runs, and those of their sum. */
static const struct row {
    const char *name, *runs[RUNS], *want;
} rows[] = {
    {"another number in each run",
     {"A$$Lambda$14.run;f 1\n", "A$$Lambda$15.run;f 2\n", "A$$Lambda$16.run 4\n"},
     "A$$Lambda.run 4\nA$$Lambda.run;f 3\n"},
    {"the same names in each run",
     {"A$$Lambda$1.f 1\nA$$Lambda$2.f 1\n", "A$$Lambda$1.f 1\nA$$Lambda$2.f 1\n",
      "A$$Lambda$1.f 1\nA$$Lambda$2.f 2\n"},
     "A$$Lambda$1.f 3\nA$$Lambda$2.f 4\n"},
    {"a name that a run lacks",
     {"A$$Lambda$1.f 1\nA$$Lambda$2.f 1\n", "A$$Lambda$1.f 1\nA$$Lambda$2.f 1\n",
      "A$$Lambda$1.f 1\n"},
     "A$$Lambda.f 5\n"},
    {"only one name", {"A$$Lambda$1.f 1\n", "x 1\n", "x 2\n"}, "A$$Lambda$1.f 1\nx 3\n"},
    {"other classes and functions",
     {"A$$Lambda$1.f 1\n", "B$$Lambda$2.f 1\n", "A$$Lambda$3.g 1\n"},
     "A$$Lambda$1.f 1\nA$$Lambda$3.g 1\nB$$Lambda$2.f 1\n"},
    {"a name without a number",
     {"A$$Lambda.f 1\n", "A$$Lambda$2.f 1\n", "A$$Lambda.f 1\n"},
     "A$$Lambda.f 3\n"},
    {"what is interpreted and what is compiled",
     {"A$$Lambda$1.f_[j] 1\nA$$Lambda$1.f 1\n", "A$$Lambda$2.f_[j] 1\n", "A$$Lambda$3.f 1\n"},
     "A$$Lambda.f 2\nA$$Lambda.f_[j] 2\n"},
    {"copies of a compiler",
     {"f.isra.0 1\n", "f.isra.1 1\n", "f 1\n"},
     "f 1\nf.isra.0 1\nf.isra.1 1\n"},
    {"processes, whose numbers stay",
     {"a/0x1234567.b_[o];x 1\n", "a/0x7654321.b_[o];x 1\n", "x 1\n"},
     "a/0x1234567.b;x 1\na/0x7654321.b;x 1\nx 1\n"},
};
enum { ROWS = sizeof(rows) / sizeof(*rows) };

static void expect(const struct profile *p, uint32_t series, const struct row *row, const char *how)
{
    struct buf text = {0};

    folded_write(p, series, NULL, collect, &text);
    cr_expect_str_eq(buf_string(&text), row->want, "%s, %s: '%s'", row->name, how,
                     buf_string(&text));
    buf_release(&text);
}

Test(compare_align_runs, runs_of_a_service)
{
    for (size_t i = 0; i < ROWS; i++) {
        struct service s;

        service_init(&s, SLICE("java"));
        for (size_t k = 0; k < RUNS; k++) {
            const char name[] = {(char)('1' + k), 0};
            struct graph run;

            graph_init(&run, slice_str(rows[i].runs[k]));
            cr_assert(service_add_run(&s, slice_str(name), &run.profile, 0));
            graph_release(&run);
        }
        align_runs_of_service(&s);
        expect(&s.profile, service_sum(&s, SLICE("sum"), 0, RUNS), &rows[i], "service");
        service_release(&s);
    }
}

Test(compare_align_runs, profiles_that_are_merged)
{
    for (size_t i = 0; i < ROWS; i++) {
        struct align_runs a = {0};
        struct graph runs[RUNS];

        for (size_t k = 0; k < RUNS; k++) {
            graph_init(&runs[k], slice_str(rows[i].runs[k]));
            align_runs_learn(&a, &runs[k].profile);
            if (k)
                cr_assert(profile_merge(&runs[0].profile, &runs[k].profile));
        }
        align_runs_rename(&a, &runs[0].profile);
        align_runs_release(&a);
        expect(&runs[0].profile, 0, &rows[i], "profiles");
        for (size_t k = 0; k < RUNS; k++)
            graph_release(&runs[k]);
    }
}
