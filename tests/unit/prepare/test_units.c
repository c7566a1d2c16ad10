#include "prepare/units.h"

#include "unit/support/test.h"

/* Applies a kind, or none if it is NULL, to a series of `event` with weights of 3. */
static bool apply(struct profile *p, const char *event, const char *unit, const char *kind,
                  const char *count_name, uint64_t weight)
{
    struct recipe r;
    struct diag diag;
    bool ok;

    recipe_init(&r);
    diag_init(&diag, SLICE("x"));
    r.kind = kind ? kind_find(slice_str(kind)) : NULL;
    r.count_name = slice_str(count_name);
    profile_init(p);
    p->format = "perf-script";
    profile_add(
        p, profile_series(p, slice_str(event), unit_named(slice_str(unit))),
        stacks_push(&p->stacks, STACK_ROOT, symbols_add(&p->symbols, SLICE("main"), SYMBOL_USER)),
        weight);
    ok = units_apply(&r, p, &diag);
    cr_expect_eq(diag.counts[DIAG_ERROR], !ok);
    diag_release(&diag);
    recipe_release(&r);
    return ok;
}

Test(prepare_units, units)
{
    static const struct {
        const char *event, *unit, *kind, *count_name, *word;
        uint64_t total;
    } rows[] = {
        {"page-faults", "page-faults", NULL, NULL, "bytes", 3 * 4096},
        {"page-faults", "page-faults", NULL, "faults", "page-faults", 3},
        {"page-faults", "page-faults", "stacks", NULL, "page-faults", 3},
        {"", "samples", "off-cpu", NULL, "seconds", 3},
        {"", "samples", "malloc", NULL, "bytes", 3},
        {"", "samples", "io", NULL, "I/Os", 3},
        {"sched:sched_wakeup", "samples", NULL, NULL, "wakeups", 3},
        {"sched:sched_switch", "sched:sched_switch", NULL, NULL, "switches", 3},
        {"kmem:kmalloc", "samples", NULL, NULL, "allocations", 3},
        {"probe:grow", "samples", "mmap", NULL, "bytes", 3},
        {"x", "calls", "off-cpu", NULL, "calls", 3},
        {"off-cpu", "ns", NULL, NULL, "seconds", 3},
        {"", "samples", NULL, NULL, "samples", 3},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct profile p;
        const struct series *s;

        cr_assert(apply(&p, rows[i].event, rows[i].unit, rows[i].kind, rows[i].count_name, 3));
        s = &p.series.items[0];
        cr_expect(slice_equal(unit_word(&s->unit), slice_str(rows[i].word)), "row %zu", i);
        cr_expect_eq(s->total, rows[i].total, "row %zu", i);
        cr_expect_eq(s->weight[0], rows[i].total, "row %zu", i);
        profile_release(&p);
    }
}

/* Page faults become bytes in the base and in the timed samples of a flame chart, too. */
Test(prepare_units, every_weight_of_a_series_is_multiplied)
{
    static const struct kind *kind;
    struct profile p;
    struct series *s;
    struct recipe r;
    struct diag diag;
    uint32_t stack, id, base;

    profile_init(&p);
    stack = stacks_push(&p.stacks, STACK_ROOT, symbols_add(&p.symbols, SLICE("f"), SYMBOL_USER));
    id = profile_series(&p, SLICE("page-faults"), unit_samples);
    base = profile_series(&p, SLICE("before"), unit_samples);
    profile_add(&p, id, stack, 3);
    profile_add(&p, base, stack, 2);
    s = &p.series.items[id];
    s->base = base;
    timed_samples_add(&s->timed, stack, 3);
    recipe_init(&r);
    diag_init(&diag, SLICE("x"));
    kind = kind_find(SLICE("page-faults"));
    cr_assert(kind && kind->each == 4096);
    cr_assert(units_give(&r, &p, id, kind, &diag));
    cr_expect_eq(s->weight[0], 3 * 4096);
    cr_expect_eq(s->timed.items.items[0].weight, 3 * 4096);
    cr_expect_eq(p.series.items[base].weight[0], 2 * 4096);
    cr_expect_eq(p.series.items[base].total, 2 * 4096);
    recipe_release(&r);
    diag_release(&diag);
    profile_release(&p);
}

Test(prepare_units, bytes_beyond_64_bits_are_refused)
{
    struct profile p;

    cr_expect(!apply(&p, "page-faults", "page-faults", NULL, NULL, UINT64_MAX / 4095));
    profile_release(&p);
}

Test(prepare_units, a_kind_of_the_input_selects)
{
    struct recipe r;
    struct profile p;

    recipe_init(&r);
    cr_expect(apply(&p, "off-cpu", "ns", NULL, NULL, 3));
    cr_expect(!units_select(&r, &p));
    r.kind = kind_find(SLICE("off-cpu"));
    cr_expect(units_select(&r, &p));
    r.kind = kind_find(SLICE("cpu"));
    cr_expect(!units_select(&r, &p));
    cr_expect_str_eq(units_kind(&r, &p, 0)->name, "cpu");
    profile_release(&p);
    recipe_release(&r);
}

Test(prepare_units, the_others_stay_what_they_are)
{
    struct recipe r;
    struct diag diag;
    struct profile p;
    uint32_t counts, bytes;

    recipe_init(&r);
    diag_init(&diag, SLICE("x"));
    r.kind = kind_find(SLICE("brk"));
    cr_expect(apply(&p, "cpu-clock", "ns", NULL, NULL, 3));
    counts = profile_series(&p, SLICE("syscalls:sys_enter_brk"), unit_samples);
    bytes = profile_series(&p, SLICE("brk bytes"), unit_named(SLICE("bytes")));
    profile_add(&p, counts, 1, 2);
    profile_add(&p, bytes, 1, 4096);
    cr_expect(units_apply(&r, &p, &diag));
    cr_expect_eq(p.series.items[counts].unit.kind, UNIT_COUNT);
    cr_expect_eq(p.series.items[bytes].unit.kind, UNIT_BYTES);
    profile_release(&p);
    diag_release(&diag);
    recipe_release(&r);
}

Test(prepare_units, times_get_the_finer_unit)
{
    static const struct {
        const char *one, *other;
        uint64_t weight, want_one, want_other;
        bool ok;
    } rows[] = {
        {"ns", "us", 3, 3, 3000, true},
        {"s", "ms", 3, 3000, 3, true},
        {"us", "us", 3, 3, 3, true},
        {"bytes", "bytes", 3, 3, 3, true},
        {"s", "ns", UINT64_MAX / 999999999, 0, 0, false},
        {"ns", "bytes", 3, 0, 0, false},
        {"samples", "cycles", 3, 0, 0, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct profile a, b;

        cr_assert(apply(&a, "x", rows[i].one, NULL, NULL, rows[i].weight));
        cr_assert(apply(&b, "x", rows[i].other, NULL, NULL, rows[i].weight));
        cr_expect_eq(units_match(&a, 0, &b, 0), rows[i].ok, "row %zu", i);
        cr_expect_eq(unit_is_same(&a.series.items[0].unit, &b.series.items[0].unit), rows[i].ok);
        cr_expect_eq(a.series.items[0].total, rows[i].ok ? rows[i].want_one : rows[i].weight);
        cr_expect_eq(b.series.items[0].total, rows[i].ok ? rows[i].want_other : rows[i].weight);
        profile_release(&a);
        profile_release(&b);
    }
}
