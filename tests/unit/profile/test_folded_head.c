
#include "profile/folded_head.h"

#include "unit/support/test.h"

static const struct unit nanoseconds = {UNIT_SECONDS, -9, {0}};

static uint32_t push(struct profile *p, const char *name)
{
    return stacks_push(&p->stacks, STACK_ROOT,
                       symbols_add(&p->symbols, slice_str(name), SYMBOL_USER));
}

/* Makes a profile of three samples in two stacks. */
static uint32_t make(struct profile *p, struct slice event, struct unit unit)
{
    uint32_t series;

    profile_init(p);
    p->format = "perf-script";
    p->in_order = true;
    series = profile_series(p, event, unit);
    profile_add_time(p, series, 1000);
    profile_add_time(p, series, 5000);
    cr_assert(profile_add(p, series, push(p, "a"), 10) && profile_add(p, series, push(p, "b"), 10));
    cr_assert(profile_add(p, series, push(p, "b"), 20));
    return series;
}

/* Reads a head as the reader of folded stacks does: weights are added as sums. */
static uint32_t read_back(struct folded_head *h, struct profile *p, struct slice line,
                          const uint64_t *weights, size_t count)
{
    uint32_t series, base;

    profile_init(p);
    p->format = "folded";
    p->in_order = true;
    line = slice_take(line, slice_find(line, '\n'));
    cr_assert(folded_head_is(line));
    folded_head_read(h, p, line);
    series = folded_head_add_series(h, p);
    base = p->series.items[series].base;
    for (size_t i = 0; i < count; i++) {
        cr_assert(profile_add(p, series, push(p, "a"), weights[i]));
        cr_assert(base == SERIES_NONE || profile_add(p, base, push(p, "a"), weights[i]));
    }
    folded_head_finish(h, p, series);
    return series;
}

Test(profile_folded_head, what_is_written_is_read)
{
    static const uint64_t sums[] = {10, 30};
    struct profile p, again;
    struct folded_head h;
    struct buf line = {0}, second = {0};
    uint32_t id = make(&p, SLICE("cpu clock;50%"), nanoseconds);

    p.ledger.lost = 7;
    profile_add_fact(&p, SLICE("os release"), SLICE("6.1"));
    profile_add_fact(&p, SLICE("service"), SLICE("orders"));
    folded_head_write(&p, id, &p.series.items[id].unit, &line);
    cr_expect_str_eq(buf_string(&line),
                     "# flamepress: unit=ns samples=3 effective=2.6666666666666665 "
                     "event=cpu%20clock%3b50%25 total=40 first_ns=1000 last_ns=5000 lost=7 "
                     ".os%20release=6.1\n");
    id = read_back(&h, &again, buf_slice(&line), sums, 2);
    cr_expect_eq(profile_samples(&again, id), 3);
    cr_expect_float_eq(profile_effective_samples(&again, id), 1600.0 / 600, 1e-9);
    cr_expect_eq(again.ledger.lost, 7);
    cr_expect(slice_equal(again.series.items[id].name, SLICE("cpu clock;50%")));
    folded_head_write(&again, id, &again.series.items[id].unit, &second);
    cr_expect_str_eq(buf_string(&second), buf_string(&line));
    profile_release(&p);
    profile_release(&again);
    buf_release(&line);
    buf_release(&second);
}

Test(profile_folded_head, nothing_known_gives_no_head)
{
    struct profile p;
    struct buf line = {0};
    uint32_t id = make(&p, SLICE(""), unit_samples);
    static char endless[FOLDED_HEAD_MOST];

    p.series.items[id].unitless = true;
    folded_head_write(&p, id, &unit_samples, &line);
    cr_expect_eq(line.len, 0);
    folded_head_write(&p, id, &nanoseconds, &line);
    cr_expect_str_eq(buf_string(&line),
                     "# flamepress: unit=ns total=40 first_ns=1000 last_ns=5000\n",
                     "a unit that an option gives");
    buf_clear(&line);

    memset(endless, 'x', sizeof(endless));
    p.series.items[id].unitless = false;
    profile_add_fact(&p, SLICE("long"), slice_make(endless, sizeof(endless)));
    profile_add_fact(&p, SLICE("short"), SLICE("y"));
    folded_head_write(&p, id, &unit_samples, &line);
    cr_expect_str_eq(buf_string(&line), "# flamepress: unit=samples samples=40 total=40 "
                                        "first_ns=1000 last_ns=5000 .short=y\n");
    buf_clear(&line);
    p.series.items[id].event = slice_make(endless, sizeof(endless));
    folded_head_write(&p, id, &unit_samples, &line);
    cr_expect_eq(line.len, 0, "an event longer than a head");
    profile_release(&p);
    buf_release(&line);
}

Test(profile_folded_head, units_without_a_word_come_back)
{
    static const int exponents[] = {-12, -9, -8, -6, -3, 0, 1};
    static const uint64_t sum = 40;

    for (size_t i = 0; i < sizeof(exponents) / sizeof(exponents[0]); i++) {
        const struct unit unit = {UNIT_SECONDS, exponents[i], {0}};
        struct profile p, again;
        struct folded_head h;
        struct buf line = {0};
        uint32_t id = make(&p, SLICE("e"), unit);

        folded_head_write(&p, id, &unit, &line);
        id = read_back(&h, &again, buf_slice(&line), &sum, 1);
        cr_expect(unit_is_same(&again.series.items[id].unit, &unit), "10^%d", exponents[i]);
        profile_release(&p);
        profile_release(&again);
        buf_release(&line);
    }
}

Test(profile_folded_head, two_weights)
{
    static const uint64_t sum = 40;
    struct profile p, again;
    struct folded_head h;
    struct series *s;
    struct buf line = {0};

    profile_init(&p);
    p.format = "folded";
    read_back(&h, &again,
              SLICE("# flamepress: unit=ns samples=5 event=cpu input=n.perf total=40 pair=change "
                    "base.unit=ns base.samples=4 base.event=cpu base.input=b.perf base.total=40 "
                    "base.unscaled=22 exact=yes"),
              &sum, 1);
    s = again.series.items;
    cr_assert(again.series.count == 2 && s[0].before && s[1].base == 0);
    cr_expect(again.exact);
    cr_expect_eq(s[0].unscaled, 22);
    cr_expect_eq(profile_samples(&again, 0), 4);
    cr_expect_eq(profile_samples(&again, 1), 5);
    cr_expect(slice_equal(s[0].input, SLICE("b.perf")) && slice_equal(s[1].input, SLICE("n.perf")));
    folded_head_write(&again, 1, &s[1].unit, &line);
    cr_expect_str_eq(buf_string(&line),
                     "# flamepress: unit=ns samples=5 event=cpu input=n.perf total=40 pair=change "
                     "base.unit=ns base.samples=4 base.event=cpu base.input=b.perf base.total=40 "
                     "base.unscaled=22 exact=yes\n");
    profile_release(&p);
    profile_release(&again);

    read_back(&h, &again,
              SLICE("# flamepress: unit=cycles event=cycles pair=instructions "
                    "base.unit=instructions base.event=instructions base.of_samples=yes"),
              &sum, 1);
    cr_expect_eq(pair_kind(&again, 1), PAIR_INSTRUCTIONS);
    cr_expect(again.series.items[0].of_samples && !again.series.items[1].of_samples);
    cr_expect(slice_equal(again.series.items[0].unit.noun, SLICE("instructions")));
    profile_release(&again);
    buf_release(&line);
}

/*
 * First lines that flamepress does not write, above one stack of weight 40: what is read from
 * them.
 */
static const struct {
    const char *line;
    uint64_t samples, lost;
    const char *unit, *event;
} strange[] = {
    {"# flamepress:", 0, 0, "samples", ""},
    {"# flamepress: nonsense = == samples", 0, 0, "samples", ""},
    {"# flamepress: unit=ns samples=2 total=40 unknown=1 pair=7", 2, 0, "seconds", ""},
    {"# flamepress: unit=ns samples=2 samples=3 total=40 event=x event=y", 3, 0, "seconds", "y"},
    {"# flamepress: unit=ns samples=2", 0, 0, "seconds", ""},
    {"# flamepress: unit=ns samples=2 total=41", 0, 0, "seconds", ""},
    {"# flamepress: unit=ns samples=2 total=40.5", 0, 0, "seconds", ""},
    {"# flamepress: unit=ns samples=2 total=99999999999999999999", 0, 0, "seconds", ""},
    {"# flamepress: unit=ns samples=18446744073709551615 total=40", 0, 0, "seconds", ""},
    {"# flamepress: unit=ns samples=-1 total=40 lost=1e9", 0, 0, "seconds", ""},
    {"# flamepress: unit=ns samples=2 total=40 effective=0 lost=3", 2, 3, "seconds", ""},
    {"# flamepress: unit=ns samples=2 total=40 effective=nan", 2, 0, "seconds", ""},
    {"# flamepress: unit=s exponent=99 event=%00%ff%1b[2J", 0, 0, "seconds", " \357\277\275 [2J"},
    {"# flamepress: unit=s exponent=-1e300", 0, 0, "seconds", ""},
    {"# flamepress: unit=%0a event=%0a", 0, 0, " ", " "},
    {"# flamepress: unit=ns pair=change base.samples=9", 0, 0, "seconds", ""},
};

Test(profile_folded_head, strange_heads)
{
    static const uint64_t sum = 40;

    for (size_t i = 0; i < sizeof(strange) / sizeof(strange[0]); i++) {
        struct profile p;
        struct folded_head h;
        uint32_t id = read_back(&h, &p, slice_str(strange[i].line), &sum, 1);
        const struct series *s = &p.series.items[id];

        if (!slice_equal(unit_word(&s->unit), SLICE("samples")))
            cr_expect_eq(profile_samples(&p, id), strange[i].samples, "%s", strange[i].line);
        cr_expect_eq(p.ledger.lost, strange[i].lost, "%s", strange[i].line);
        cr_expect(slice_equal(unit_word(&s->unit), slice_str(strange[i].unit)), "%s",
                  strange[i].line);
        cr_expect(slice_equal(s->event, slice_str(strange[i].event)), "%s: %.*s", strange[i].line,
                  SLICE_ARG(s->event));
        cr_expect(profile_effective_samples(&p, id) <= (double)profile_samples(&p, id), "%s",
                  strange[i].line);
        profile_release(&p);
    }
    cr_expect_not(folded_head_is(SLICE("# flamepress-runs: version=1")));
    cr_expect_not(folded_head_is(SLICE(" # flamepress: unit=ns")));
}

Test(profile_folded_head, joined_files)
{
    static const struct {
        const char *more;
        bool ok;
        uint64_t samples;
        double effective;
    } rows[] = {
        {"# flamepress: unit=ns samples=4 event=e total=40 .host=x", true, 8, 8},
        {"# flamepress: unit=ns samples=4 effective=1 event=e total=40", true, 8, 80 * 80 / 2000.},
        {"# flamepress: unit=ns event=e total=40", true, 0, 0},
        {"# flamepress: unit=ns samples=4 event=e", true, 0, 0},
        {"# flamepress: unit=ns samples=4 event=e total=18446744073709551615", true, 0, 0},
        {"# flamepress: unit=us samples=4 event=e total=40", false, 0, 0},
        {"# flamepress: unit=ns samples=4 event=f total=40", false, 0, 0},
        {"# flamepress: unit=ns samples=4 event=e total=40 pair=change", false, 0, 0},
    };
    static const uint64_t sums[] = {40, 40};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct profile p;
        struct folded_head h;
        uint32_t id = read_back(&h, &p,
                                SLICE("# flamepress: unit=ns samples=4 event=e total=40 "
                                      "first_ns=1 last_ns=2 .host=x .os=y"),
                                sums, 2);

        cr_expect_eq(profile_samples(&p, id), 0, "the stacks of both files, the head of one");
        cr_assert_eq(folded_head_join(&h, &p, slice_str(rows[i].more)), rows[i].ok, "%s",
                     rows[i].more);
        p.series.items[id].first_ns = UINT64_MAX;
        folded_head_finish(&h, &p, id);
        if (rows[i].ok) {
            cr_expect_eq(profile_samples(&p, id), rows[i].samples, "%s", rows[i].more);
            cr_expect_float_eq(profile_effective_samples(&p, id), rows[i].effective, 1e-9, "%s",
                               rows[i].more);
            cr_expect_eq(p.series.items[id].first_ns, UINT64_MAX, "%s", rows[i].more);
            cr_expect_eq(profile_fact(&p, SLICE("host")).len, i == 0);
            cr_expect_eq(profile_fact(&p, SLICE("os")).len, 0);
        }
        profile_release(&p);
    }
}
