#include "profile/folded_head.h"

#include <string.h>

#include "base/key_value.h"
#include "base/utf8.h"

/* More samples than any recording has, and few enough to be added up. */
#define SAMPLES_MOST ((uint64_t)1 << 53)

/* Samples whose weights differ by less than rounding errors count as equal. */
static const double NEARLY_ALL = 1 - 1e-9;

/* The exponents of units of time that weights can be written in (profile/unit.c). */
enum { LEAST_EXPONENT = -12, MOST_EXPONENT = 6 };

/* A fact that says that a profile is one of the runs of a service, which folded stacks are not. */
static const struct slice of_runs = {"service", 7};

static const struct slice base_prefix = {"base.", 5};

/* ---- writing ------------------------------------------------------------------------------- */

/* The words of one column, each key after `prefix`. */
struct words {
    struct buf *out;
    struct slice prefix;
    struct buf key, value;
};

static void add_text(struct words *w, const char *key, struct slice value)
{
    buf_clear(&w->key);
    buf_add_slice(&w->key, w->prefix);
    buf_add_str(&w->key, key);
    key_value_add(w->out, buf_slice(&w->key), value);
}

static void add_number(struct words *w, const char *key, uint64_t value, unsigned decimals)
{
    buf_clear(&w->value);
    num_write_decimal(&w->value, value, decimals);
    add_text(w, key, buf_slice(&w->value));
}

/* Adds the unit if the reader can make it again from its word, or from its exponent. */
static void add_unit(struct words *w, const struct unit *unit)
{
    struct slice word = unit_short_word(unit);
    struct unit again = unit_named(word);

    if (unit_is_same(&again, unit)) {
        add_text(w, "unit", word);
    } else if (unit->kind == UNIT_SECONDS) {
        buf_clear(&w->value);
        buf_printf(&w->value, "%d", unit->exponent);
        add_text(w, "unit", SLICE("s"));
        add_text(w, "exponent", buf_slice(&w->value));
    }
}

static void add_samples(struct words *w, const struct profile *p, uint32_t series)
{
    uint64_t samples = profile_samples(p, series);
    double effective = profile_effective_samples(p, series);

    if (!samples || samples > SAMPLES_MOST || p->series.items[series].unitless)
        return;
    add_number(w, "samples", samples, 0);
    if (p->series.items[series].records.len)
        add_text(w, "records", p->series.items[series].records);
    if (effective > (double)samples * NEARLY_ALL)
        return;
    buf_clear(&w->value);
    buf_printf(&w->value, "%.17g", effective);
    add_text(w, "effective", buf_slice(&w->value));
}

/* Adds the words of one column. The unit is that of the graph, for both sides of a change. */
static void add_side(struct words *w, const struct profile *p, uint32_t series,
                     const struct unit *unit)
{
    const struct series *s = &p->series.items[series];
    const struct slice texts[] = {s->event, s->input};
    const char *const keys[] = {"event", "input"};

    if (!s->unitless || !unit_is_same(unit, &s->unit))
        add_unit(w, unit);
    add_samples(w, p, series);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (texts[i].len)
            add_text(w, keys[i], texts[i]);
    add_number(w, "total", s->total, p->decimals);
    if (s->unscaled)
        add_number(w, "unscaled", s->unscaled, p->decimals);
    if (s->first_ns <= s->last_ns) {
        add_number(w, "first_ns", s->first_ns, 0);
        add_number(w, "last_ns", s->last_ns, 0);
    }
    if (s->of_samples)
        add_text(w, "of_samples", SLICE("yes"));
}

/* Adds a fact unless the head would become too long. */
static void add_fact(struct words *w, const struct fact *f, size_t start)
{
    size_t before = w->out->len;

    if (slice_equal(f->key, of_runs))
        return;
    w->prefix = SLICE(".");
    buf_clear(&w->key);
    buf_add_slice(&w->key, w->prefix);
    buf_add_slice(&w->key, f->key);
    key_value_add(w->out, buf_slice(&w->key), f->value);
    if (w->out->len - start > FOLDED_HEAD_MOST)
        w->out->len = before;
}

/* Returns true if anything is known about a series besides its stacks and weights. */
static bool is_known(const struct series *s, const struct unit *unit)
{
    return !s->unitless || s->event.len || s->input.len || s->unscaled ||
           !unit_is_same(unit, &s->unit);
}

void folded_head_write(const struct profile *p, uint32_t series, const struct unit *unit,
                       struct buf *out)
{
    const struct series *s = &p->series.items[series];
    bool known = is_known(s, unit) || p->facts.count ||
                 (s->base != SERIES_NONE && is_known(&p->series.items[s->base], unit));
    enum pair_kind pair = pair_kind(p, series);
    struct words w = {.out = out};
    size_t start = out->len;

    if (!known)
        return;
    buf_add_str(out, FOLDED_HEAD_MARK);
    add_side(&w, p, series, unit);
    if (s->base != SERIES_NONE) {
        add_text(&w, "pair", pair_word(pair));
        w.prefix = base_prefix;
        add_side(&w, p, s->base, pair == PAIR_CHANGE ? unit : &p->series.items[s->base].unit);
        w.prefix = SLICE("");
    }
    if (profile_is_exact(p))
        add_text(&w, "exact", SLICE("yes"));
    if (p->ledger.lost)
        add_number(&w, "lost", p->ledger.lost, 0);
    if (out->len - start > FOLDED_HEAD_MOST) {
        out->len = start;
    } else {
        vec_each (const struct fact, f, &p->facts)
            add_fact(&w, f, start);
        buf_add_char(out, '\n');
    }
    release_all(&w, buf, key, value);
}

/* ---- reading ------------------------------------------------------------------------------- */

bool folded_head_is(struct slice line)
{
    return slice_starts(line, SLICE(FOLDED_HEAD_MARK)) && line.len <= FOLDED_HEAD_MOST;
}

/* Copies a text, with ill-formed UTF-8 and control characters replaced. */
static struct slice copy_clean(struct profile *p, struct slice text)
{
    struct buf clean = {0};
    struct slice copy;

    utf8_add_clean(&clean, text);
    for (size_t i = 0; i < clean.len; i++)
        if ((unsigned char)clean.ptr[i] < ' ' || clean.ptr[i] == 0x7f)
            clean.ptr[i] = ' ';
    copy = arena_copy(&p->strings, buf_slice(&clean));
    buf_release(&clean);
    return copy;
}

static void read_exponent(struct slice value, int *exponent)
{
    double number;

    if (num_parse_double(value, &number) && number >= LEAST_EXPONENT && number <= MOST_EXPONENT)
        *exponent = (int)number;
}

static void read_effective(struct slice value, double *effective)
{
    double number;

    if (num_parse_double(value, &number) && number >= 1 && number <= (double)SAMPLES_MOST)
        *effective = number;
}

static void read_samples(struct slice value, uint64_t *samples)
{
    uint64_t number;

    if (num_parse_u64(value, &number) && number <= SAMPLES_MOST)
        *samples = number;
}

static bool is_yes(struct slice value)
{
    return slice_equal(value, SLICE("yes"));
}

static void read_side(struct folded_head_side *s, struct profile *p, struct slice key,
                      struct slice value)
{
    if (slice_equal(key, SLICE("event")))
        s->event = copy_clean(p, value);
    else if (slice_equal(key, SLICE("unit")))
        s->unit = copy_clean(p, value);
    else if (slice_equal(key, SLICE("input")))
        s->input = copy_clean(p, value);
    else if (slice_equal(key, SLICE("records")))
        s->records = copy_clean(p, value);
    else if (slice_equal(key, SLICE("exponent")))
        read_exponent(value, &s->exponent);
    else if (slice_equal(key, SLICE("samples")))
        read_samples(value, &s->samples);
    else if (slice_equal(key, SLICE("effective")))
        read_effective(value, &s->effective);
    else if (slice_equal(key, SLICE("total")))
        s->has_total = num_parse_decimal(value, &s->total);
    else if (slice_equal(key, SLICE("unscaled")))
        num_parse_decimal(value, &s->unscaled);
    else if (slice_equal(key, SLICE("first_ns")))
        num_parse_u64(value, &s->first_ns);
    else if (slice_equal(key, SLICE("last_ns")))
        num_parse_u64(value, &s->last_ns);
    else if (slice_equal(key, SLICE("of_samples")))
        s->of_samples = is_yes(value);
}

/* Reads all words but facts. */
static void read_word(struct folded_head *h, struct profile *p, struct slice key,
                      struct slice value)
{
    if (slice_starts(key, base_prefix))
        read_side(&h->base, p, slice_skip(key, base_prefix.len), value);
    else if (slice_equal(key, SLICE("pair")))
        h->has_base = pair_parse_word(value, &h->pair) || h->has_base;
    else if (slice_equal(key, SLICE("exact")))
        h->exact = is_yes(value);
    else if (slice_equal(key, SLICE("lost")))
        read_samples(value, &h->lost);
    else
        read_side(&h->new, p, key, value);
}

/* Reads a head, and its facts into `facts`. */
static void read_line(struct folded_head *h, struct profile *p, struct slice line,
                      struct profile *facts)
{
    struct slice rest = slice_skip(line, strlen(FOLDED_HEAD_MARK));
    struct buf key = {0}, value = {0};

    *h = (struct folded_head){.base.first_ns = UINT64_MAX, .new.first_ns = UINT64_MAX};
    while (key_value_next(&rest, &key, &value)) {
        struct slice name = buf_slice(&key);

        if (!slice_starts(name, SLICE(".")))
            read_word(h, p, name, buf_slice(&value));
        else if (!slice_equal(slice_skip(name, 1), of_runs) && value.len && name.len > 1)
            profile_add_fact(facts, copy_clean(p, slice_skip(name, 1)),
                             copy_clean(p, buf_slice(&value)));
    }
    buf_release(&key);
    buf_release(&value);
}

void folded_head_read(struct folded_head *h, struct profile *p, struct slice line)
{
    read_line(h, p, line, p);
}

static struct unit unit_of(const struct folded_head_side *s)
{
    struct unit unit = unit_named(s->unit);

    if (unit.kind == UNIT_SECONDS && s->exponent)
        unit.exponent = s->exponent;
    return unit;
}

static void describe(struct profile *p, uint32_t id, const struct folded_head_side *side)
{
    struct series *s = &p->series.items[id];

    s->event = side->event;
    s->input = side->input;
    s->unit = unit_of(side);
    s->records = side->records;
    s->unitless = !side->unit.len;
    s->of_samples = side->of_samples;
    s->uncounted = true;
}

uint32_t folded_head_add_series(const struct folded_head *h, struct profile *p)
{
    uint32_t id;

    if (!h->has_base) {
        id = profile_series(p, h->new.event, unit_of(&h->new));
    } else {
        id = profile_series_pair(p, SLICE("base"), SLICE("new"), unit_of(&h->new));
        p->series.items[id].pair = (uint8_t)h->pair;
        describe(p, p->series.items[id].base, &h->base);
    }
    describe(p, id, &h->new);
    p->exact = h->exact;
    return id;
}

/* Adds two sums. Returns false if the decimals differ or the sum does not fit. */
static bool add_totals(struct decimal *a, struct decimal b)
{
    for (; a->decimals < b.decimals; a->decimals++)
        if (!num_mul(a->value, 10, &a->value))
            return false;
    return num_mul(b.value, num_pow10(a->decimals - b.decimals), &b.value) &&
           num_add(a->value, b.value, &a->value);
}

static double squares_of(const struct folded_head_side *s)
{
    double total = (double)s->total.value / (double)num_pow10(s->total.decimals);
    double samples = s->effective > 0 ? s->effective : (double)s->samples;

    return total * total / samples;
}

static bool can_join(const struct folded_head_side *a, const struct folded_head_side *b)
{
    struct unit one = unit_of(a), other = unit_of(b);

    return unit_is_same(&one, &other) && slice_equal(a->event, b->event) &&
           slice_equal(a->records, b->records) && a->of_samples == b->of_samples;
}

static void join_side(struct folded_head_side *a, const struct folded_head_side *b)
{
    bool known = a->samples && b->samples && a->has_total && b->has_total;
    double squares = known ? squares_of(a) + squares_of(b) : 0, total;

    a->has_total = a->has_total && b->has_total && add_totals(&a->total, b->total);
    a->samples = known && a->has_total ? a->samples + b->samples : 0;
    if (a->samples > SAMPLES_MOST)
        a->samples = 0;
    total = (double)a->total.value / (double)num_pow10(a->total.decimals);
    a->effective = squares > 0 ? total * total / squares : 0;
    a->first_ns = UINT64_MAX; /* clocks of different recordings make no duration */
    if (!slice_equal(a->input, b->input))
        a->input = SLICE("");
    a->unscaled.value =
        a->unscaled.value && b->unscaled.value && add_totals(&a->unscaled, b->unscaled)
            ? a->unscaled.value
            : 0;
}

/* Removes the facts that differ. A sum with an estimate is an estimate. */
static void join_facts(struct profile *p, const struct profile *other)
{
    const struct slice estimated = SLICE("estimated");
    size_t kept = 0;

    vec_each (struct fact, f, &p->facts)
        if (slice_equal(f->key, estimated) || slice_equal(profile_fact(other, f->key), f->value))
            p->facts.items[kept++] = *f;
    p->facts.count = kept;
    if (profile_is_estimated(other))
        profile_add_fact(p, estimated, profile_fact(other, estimated));
}

bool folded_head_join(struct folded_head *h, struct profile *p, struct slice line)
{
    struct profile other;
    struct folded_head more;
    bool ok;

    profile_init(&other);
    read_line(&more, &other, line, &other);
    ok = h->has_base == more.has_base && h->pair == more.pair && can_join(&h->new, &more.new) &&
         (!h->has_base || can_join(&h->base, &more.base));
    if (ok) {
        join_side(&h->new, &more.new);
        join_side(&h->base, &more.base);
        h->exact = h->exact && more.exact;
        h->lost = h->lost + more.lost < SAMPLES_MOST ? h->lost + more.lost : SAMPLES_MOST;
        join_facts(p, &other);
    }
    profile_release(&other);
    return ok;
}

/* Returns a sum in units of 10^-decimals of the profile; 0 if it cannot be. */
static uint64_t in_units(const struct profile *p, struct decimal sum)
{
    uint64_t value;

    return sum.decimals <= p->decimals &&
                   num_mul(sum.value, num_pow10(p->decimals - sum.decimals), &value)
               ? value
               : 0;
}

static void finish_side(const struct folded_head_side *side, struct profile *p, uint32_t series)
{
    struct series *s = &p->series.items[series];
    long double total = (long double)s->total, samples;

    if (side->first_ns <= side->last_ns) {
        s->first_ns = side->first_ns;
        s->last_ns = side->last_ns;
    }
    if (!side->has_total || !s->total || in_units(p, side->total) != s->total)
        return;
    s->unscaled = in_units(p, side->unscaled);
    if (!side->samples)
        return;
    samples = side->effective > 0 && side->effective < (double)side->samples
                  ? (long double)side->effective
                  : (long double)side->samples;
    s->samples = side->samples;
    s->squares = (unsigned __int128)(total / samples * total + 0.5L);
    s->uncounted = false;
}

void folded_head_finish(const struct folded_head *h, struct profile *p, uint32_t series)
{
    p->exact = h->exact;
    p->ledger.lost += h->lost;
    finish_side(&h->new, p, series);
    if (h->has_base)
        finish_side(&h->base, p, p->series.items[series].base);
}
