#include "input/formats/pictures/flame_words.h"

#include "base/num.h"
#include "base/key_value.h"
#include "base/utf8.h"
#include "profile/pair.h"

#define VERSION "1"

/* The exponents of units of time that weights can be written in (profile/unit.c). */
enum { LEAST_EXPONENT = -12, MOST_EXPONENT = 6 };

/* Reads a number of up to 128 bits; more is 0, unknown. */
static unsigned __int128 read_wide(struct slice text)
{
    enum { DIGITS = 38 };
    unsigned __int128 value = 0;

    for (size_t i = 0; i < text.len; i++) {
        if (text.len > DIGITS || text.ptr[i] < '0' || text.ptr[i] > '9')
            return 0;
        value = value * 10 + (unsigned)(text.ptr[i] - '0');
    }
    return value;
}

static void read_exponent(struct slice value, int *exponent)
{
    double number;

    if (num_parse_double(value, &number) && number >= LEAST_EXPONENT && number <= MOST_EXPONENT)
        *exponent = (int)number;
}

static void read_side(struct flame_side *side, struct slice key, struct slice value)
{
    struct {
        const char *key;
        struct slice *to;
    } texts[] = {{"name", &side->name},
                 {"event", &side->event},
                 {"unit", &side->unit},
                 {"records", &side->records}};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (slice_equal(key, slice_str(texts[i].key)))
            *texts[i].to = value;
    if (slice_equal(key, SLICE("samples")) && !num_parse_u64(value, &side->samples))
        side->samples = 0;
    else if (slice_equal(key, SLICE("squares")))
        side->squares = read_wide(value);
    else if (slice_equal(key, SLICE("rough")))
        side->rough = true;
    else if (slice_equal(key, SLICE("exponent")))
        read_exponent(value, &side->exponent);
}

static bool read_pair(struct flame_words *w, struct slice value)
{
    enum pair_kind kind;

    if (pair_parse_word(value, &kind)) {
        w->differential = true;
        w->pair = (uint8_t)kind;
    }
    return w->differential;
}

/* Returns false if the value is not known. */
static bool read_word(struct flame_words *w, struct slice key, struct slice value)
{
    struct slice base = SLICE("base.");
    uint64_t number;

    if (slice_equal(key, SLICE("decimals"))) {
        if (!num_parse_u64(value, &number) || number > NUM_MAX_DECIMALS)
            return false;
        w->decimals = (unsigned)number;
    } else if (slice_equal(key, SLICE("each"))) {
        return num_parse_u64(value, &w->each) && w->each > 0;
    } else if (slice_equal(key, SLICE("origins"))) {
        return num_parse_u64(value, &w->origins);
    } else if (slice_equal(key, SLICE("marks"))) {
        return num_parse_u64(value, &w->marks);
    } else if (slice_equal(key, SLICE("version"))) {
        return slice_equal(value, SLICE(VERSION));
    } else if (slice_equal(key, SLICE("pair"))) {
        return read_pair(w, value);
    } else if (slice_equal(key, SLICE("from"))) {
        w->from_leaf = slice_equal(value, SLICE("leaf"));
    } else if (slice_equal(key, SLICE("order"))) {
        w->by_time = slice_equal(value, SLICE("time"));
    } else if (slice_equal(key, SLICE("exact"))) {
        w->exact = true;
    } else if (slice_equal(key, SLICE("kind"))) {
        w->kind = value;
    } else if (slice_equal(key, SLICE("estimated"))) {
        w->estimated = value;
    } else if (slice_starts(key, base)) {
        read_side(&w->sides[FLAME_BEFORE], slice_skip(key, base.len), value);
    } else {
        read_side(&w->sides[FLAME_NOW], key, value);
    }
    return true;
}

bool flame_words_read(struct flame_words *w, struct slice text, struct profile *p,
                      struct diag *diag)
{
    struct buf key = {0}, value = {0}, clean = {0};
    bool ok = true, version = false;

    *w = (struct flame_words){.each = 1};
    while (ok && key_value_next(&text, &key, &value)) {
        buf_clear(&clean);
        utf8_add_clean(&clean, buf_slice(&value));
        version |= slice_equal(buf_slice(&key), SLICE("version"));
        ok = read_word(w, buf_slice(&key), arena_copy(&p->strings, buf_slice(&clean)));
    }
    if (ok && !version)
        ok = diag_error(diag, "the picture does not say what its profile measures");
    else if (!ok)
        diag_error(diag,
                   "the picture says '%s=%s', which is not known; a newer flamepress wrote it",
                   buf_string(&key), buf_string(&value));
    buf_release(&key);
    buf_release(&value);
    buf_release(&clean);
    return ok;
}

/* Returns `name`, with a number appended if a series has that name already. */
static struct slice free_name(struct profile *p, struct slice name)
{
    struct slice unique = name;

    for (unsigned n = 2; profile_find_series(p, unique) != SERIES_NONE; n++)
        unique = slice_str(arena_printf(&p->strings, "%.*s %u", SLICE_ARG(name), n));
    return unique;
}

static uint32_t add_side(const struct flame_side *side, struct slice name, struct slice kind,
                         struct profile *p)
{
    struct unit unit = unit_named(side->unit);
    uint32_t id;

    if (unit.kind == UNIT_SECONDS && side->exponent)
        unit.exponent = side->exponent;
    id = profile_series_of(p, free_name(p, name), side->event, unit);
    p->series.items[id].of_samples = side->rough;
    p->series.items[id].kind = kind;
    p->series.items[id].records = side->records;
    return id;
}

void flame_words_add_series(const struct flame_words *w, struct slice title, struct profile *p,
                            uint32_t series[FLAME_SIDES])
{
    const struct flame_side *now = &w->sides[FLAME_NOW], *before = &w->sides[FLAME_BEFORE];

    series[FLAME_NOW] = add_side(now, title.len ? title : now->name, w->kind, p);
    series[FLAME_BEFORE] = SERIES_NONE;
    if (!w->differential)
        return;
    series[FLAME_BEFORE] = add_side(before, before->name, SLICE(""), p);
    p->series.items[series[FLAME_BEFORE]].before = true;
    p->series.items[series[FLAME_NOW]].base = series[FLAME_BEFORE];
    p->series.items[series[FLAME_NOW]].pair = w->pair;
}

void flame_words_end(const struct flame_words *w, struct profile *p,
                     const uint32_t series[FLAME_SIDES])
{
    p->exact |= w->exact;
    p->in_order |= w->by_time;
    if (w->estimated.len)
        profile_add_fact(p, SLICE("estimated"), w->estimated);
    for (int i = 0; i < FLAME_SIDES; i++) {
        struct series *s = series[i] == SERIES_NONE ? NULL : &p->series.items[series[i]];

        if (!s || !w->sides[i].samples)
            continue;
        s->samples = w->sides[i].samples;
        s->squares = w->sides[i].squares / w->each / w->each;
        p->counted = true;
    }
}
