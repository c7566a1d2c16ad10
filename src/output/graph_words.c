#include "output/graph_words.h"

#include "base/key_value.h"
#include "profile/pair.h"

/* Appends a word; `prefix` tells the words of the base from those of the graph. */
static void add(struct buf *out, const char *prefix, const char *name, struct slice value)
{
    struct buf key = {0};

    buf_printf(&key, "%s%s", prefix, name);
    key_value_add(out, buf_slice(&key), value);
    buf_release(&key);
}

/* Appends a number that may exceed 64 bits. */
static void add_wide(struct buf *out, const char *prefix, const char *name, unsigned __int128 value)
{
    char digits[40];
    size_t at = sizeof(digits);

    do {
        digits[--at] = (char)('0' + (int)(value % 10));
        value /= 10;
    } while (value);
    add(out, prefix, name, slice_make(digits + at, sizeof(digits) - at));
}

/* Writes a unit; one of time that has no word of its own as a power of ten of seconds. */
static void write_unit(const struct unit *unit, const char *prefix, struct buf *out)
{
    struct slice word = unit_short_word(unit);
    struct unit again = unit_named(word);
    struct buf exponent = {0};

    if (unit->kind != UNIT_SECONDS || unit_is_same(&again, unit)) {
        add(out, prefix, "unit", word);
        return;
    }
    buf_printf(&exponent, "%d", unit->exponent);
    add(out, prefix, "unit", SLICE("s"));
    add(out, prefix, "exponent", buf_slice(&exponent));
    buf_release(&exponent);
}

static void write_series(const struct profile *p, uint32_t id, const char *prefix, struct buf *out)
{
    const struct series *s = &p->series.items[id];
    uint64_t samples = profile_samples(p, id);

    add(out, prefix, "name", s->name);
    add(out, prefix, "event", s->event);
    write_unit(s->each ? &s->things : &s->unit, prefix, out);
    if (samples) {
        add_wide(out, prefix, "samples", samples);
        add_wide(out, prefix, "squares", s->squares);
        if (s->records.len)
            add(out, prefix, "records", s->records);
    }
    if (s->of_samples)
        add(out, prefix, "rough", SLICE("1"));
}

void graph_words_write(const struct picture *p, const struct tree *t, size_t origins,
                       struct buf *out)
{
    const struct profile *profile = t->profile;
    uint32_t series = t->series;

    key_value_add_u64(out, SLICE("version"), 1);
    key_value_add_u64(out, SLICE("decimals"), profile->decimals);
    write_series(profile, series, "", out);
    if (profile->series.items[series].each)
        key_value_add_u64(out, SLICE("each"), profile->series.items[series].each);
    if (t->base) {
        add(out, "", "pair", pair_word(pair_kind(profile, series)));
        write_series(profile, profile->series.items[series].base, "base.", out);
    }
    if (profile->exact)
        add(out, "", "exact", SLICE("1"));
    if (profile_is_estimated(profile))
        add(out, "", "estimated", profile_fact(profile, SLICE("estimated")));
    if (p->options.kind.len)
        add(out, "", "kind", p->options.kind);
    if (t->reversed)
        add(out, "", "from", SLICE("leaf"));
    if (t->lead)
        add(out, "", "order", SLICE("time"));
    if (profile->symbols.written)
        key_value_add_u64(out, SLICE("marks"), profile->symbols.written);
    if (origins)
        key_value_add_u64(out, SLICE("origins"), origins);
}
