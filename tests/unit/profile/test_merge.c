
#include "base/hash.h"
#include "profile/profile.h"
#include "unit/support/test.h"

/* Adds the samples `from` .. `to` of a pseudo-random sequence, which is the same in every call. */
static void fill(struct profile *p, unsigned from, unsigned to)
{
    static const char *const names[] = {"main", "read", "write", "-", "f_[k]", "f", "parse", "gc"};

    for (unsigned i = from; i < to; i++) {
        uint64_t random = hash_mix(i, 7);
        uint32_t series =
            profile_series(p, random & 1 ? SLICE("cycles") : SLICE("page-faults"), unit_samples);
        uint32_t stack = STACK_ROOT;

        for (unsigned depth = (unsigned)(random >> 8) % 6; depth > 0; depth--) {
            random = hash_mix(random, depth);
            stack = stacks_push(&p->stacks, stack,
                                symbols_add_annotated(&p->symbols, slice_str(names[random % 8])));
        }
        cr_assert(profile_add_decimal(p, series, stack,
                                      (struct decimal){random % 1000, i / 64 % 4, false}));
        profile_add_time(p, series, 1000 + i);
        p->ledger.lines++;
        profile_note(p, random & 2 ? series : SERIES_NONE, (enum ledger_note)(i % LEDGER_NOTES), 1);
    }
}

/* Appends all data of a profile, including ids. */
static void dump(const struct profile *p, struct buf *out)
{
    buf_printf(out, "decimals %u, lines %llu\n", p->decimals, (unsigned long long)p->ledger.lines);
    for (uint32_t i = 0; i < symbols_count(&p->symbols); i++)
        buf_printf(out, "symbol %.*s %d\n", SLICE_ARG(symbol_name(&p->symbols, i)),
                   (int)symbol_class(&p->symbols, i));
    for (uint32_t i = 1; i < p->stacks.count; i++)
        buf_printf(out, "stack %u %u\n", p->stacks.parent[i], p->stacks.symbol[i]);
    for (int i = 0; i < LEDGER_NOTES; i++)
        buf_printf(out, "note %d %llu\n", i, (unsigned long long)p->ledger.notes[i]);
    for (size_t k = 0; k < p->series.count; k++) {
        const struct series *s = &p->series.items[k];

        for (int i = 0; i < LEDGER_NOTES; i++)
            buf_printf(out, "note %d %llu\n", i, (unsigned long long)s->notes[i]);
        buf_printf(out, "series %.*s %llu %llu %llu %llu\n", SLICE_ARG(s->name),
                   (unsigned long long)s->total, (unsigned long long)s->samples,
                   (unsigned long long)s->first_ns, (unsigned long long)s->last_ns);
        for (uint32_t i = 0; i < s->count; i++)
            buf_printf(out, "%u %llu\n", s->stack[i], (unsigned long long)s->weight[i]);
    }
}

Test(profile_merge, parts_in_order_give_the_whole)
{
    enum { SAMPLES = 2000 };
    static const unsigned cuts[][4] = {
        {0, 700, 1400, SAMPLES},
        {0, 0, 1, SAMPLES},
        {0, 3, SAMPLES, SAMPLES},
    };
    struct profile whole;
    struct buf want = {0}, got = {0};

    profile_init(&whole);
    fill(&whole, 0, SAMPLES);
    dump(&whole, &want);
    for (size_t c = 0; c < sizeof(cuts) / sizeof(cuts[0]); c++) {
        struct profile sum, part;

        profile_init(&sum);
        for (int i = 0; i < 3; i++) {
            profile_init(&part);
            fill(&part, cuts[c][i], cuts[c][i + 1]);
            cr_assert(profile_merge(&sum, &part));
            profile_release(&part);
        }
        buf_clear(&got);
        dump(&sum, &got);
        cr_expect(slice_equal(buf_slice(&got), buf_slice(&want)), "cut %zu", c);
        profile_release(&sum);
        buf_release(&got);
    }
    buf_release(&want);
    profile_release(&whole);
}

static void fill_one(struct profile *p, const char *series, uint64_t value, unsigned decimals)
{
    uint32_t id = profile_series(p, slice_str(series), unit_samples);
    uint32_t symbol = symbols_add(&p->symbols, SLICE("main"), SYMBOL_USER);

    cr_assert(profile_add_decimal(p, id, stacks_push(&p->stacks, STACK_ROOT, symbol),
                                  (struct decimal){value, decimals, false}));
}

Test(profile_merge, decimals_meet_at_the_finer)
{
    struct profile p, from;

    profile_init(&p);
    profile_init(&from);
    fill_one(&p, "", 7, 0);
    fill_one(&from, "", 125, 2);
    cr_assert(profile_merge(&p, &from));
    cr_expect_eq(p.decimals, 2);
    cr_expect_eq(p.series.items[0].total, 825);
    cr_expect_eq(p.series.items[0].weight[0], 825);
    cr_assert(profile_merge(&from, &p), "merging in the other direction");
    cr_expect_eq(from.series.items[0].total, 950);
    profile_release(&from);
    profile_release(&p);
}

Test(profile_merge, a_total_beyond_64_bits_leaves_the_profile_alone)
{
    struct profile p, from;
    struct buf before = {0}, after = {0};

    profile_init(&p);
    profile_init(&from);
    fill_one(&p, "a", UINT64_MAX - 5, 0);
    fill_one(&from, "b", 1, 0);
    fill_one(&from, "a", 6, 0);
    dump(&p, &before);
    cr_expect_not(profile_merge(&p, &from));
    fill_one(&from, "b", 1, 1);
    cr_expect_not(profile_merge(&p, &from), "the decimals do not fit either");
    dump(&p, &after);
    cr_expect_str_eq(buf_string(&after), buf_string(&before));
    buf_release(&before);
    buf_release(&after);
    profile_release(&from);
    profile_release(&p);
}

Test(profile_merge, keeps_facts_modules_and_kind)
{
    struct profile p, from;
    uint32_t id;

    profile_init(&p);
    profile_init(&from);
    profile_add_fact(&p, SLICE("host"), SLICE("one"));
    profile_add_fact(&from, SLICE("host"), SLICE("two"));
    profile_add_fact(&from, SLICE("arch"), SLICE("x86_64"));
    id = symbols_add(&from.symbols, SLICE("read"), SYMBOL_USER);
    symbols_set_module(&from.symbols, id, SLICE("libc.so.6"));
    profile_series_pair(&from, SLICE("base"), SLICE("new"), unit_samples);
    from.format = "folded";
    cr_assert(profile_merge(&p, &from));
    cr_expect(slice_equal(profile_fact(&p, SLICE("host")), SLICE("one")));
    cr_expect(slice_equal(profile_fact(&p, SLICE("arch")), SLICE("x86_64")));
    cr_expect(slice_equal(intern_get(&p.symbols.names, p.symbols.items.items[0].module),
                          SLICE("libc.so.6")));
    id = profile_find_series(&p, SLICE("new"));
    cr_assert(id != SERIES_NONE);
    cr_expect_eq(p.series.items[id].base, profile_find_series(&p, SLICE("base")));
    cr_expect(p.series.items[p.series.items[id].base].before);
    cr_expect_str_eq(p.format, "folded");
    profile_release(&from);
    profile_release(&p);
}
