#include "profile/pair.h"

#include <stdlib.h>

#include "base/num.h"
#include "profile/merge.h"

static const struct slice words[] = {
    [PAIR_CHANGE] = {"change", 6},
    [PAIR_INSTRUCTIONS] = {"instructions", 12},
    [PAIR_STALLS] = {"stalls", 6},
};

struct slice pair_word(enum pair_kind kind)
{
    return words[kind];
}

bool pair_parse_word(struct slice word, enum pair_kind *kind)
{
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (slice_equal(word, words[i])) {
            *kind = (enum pair_kind)i;
            return true;
        }
    return false;
}

/* Returns a name that no series of the profile has: "base", "base 2", ... */
static struct slice free_name(struct profile *p)
{
    struct slice name = SLICE("base");

    for (unsigned n = 2; profile_find_series(p, name) != SERIES_NONE; n++)
        name = slice_str(arena_printf(&p->strings, "base %u", n));
    return name;
}

bool pair_add_base(struct profile *p, uint32_t series, const struct profile *from, uint32_t base)
{
    uint32_t id = merge_one_series(p, from, base, free_name(p));

    if (id == SERIES_NONE)
        return false;
    p->series.items[id].before = true;
    p->series.items[series].base = id;
    return true;
}

bool pair_fits(const struct profile *p, uint32_t series)
{
    const struct series *after = &p->series.items[series];
    uint64_t sum;

    return after->base == SERIES_NONE ||
           (num_add(after->total, p->series.items[after->base].total, &sum) && sum <= INT64_MAX);
}

/* The remainder of a weight after rounding down. */
struct remainder {
    uint64_t size;
    uint32_t entry;
};

static int compare_remainders(const void *left, const void *right)
{
    const struct remainder *a = left, *b = right;

    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    return (a->entry > b->entry) - (a->entry < b->entry);
}

/* Takes away `more` units in all, one each from entries that have more than one. */
static void take_back(struct series *s, uint64_t more)
{
    for (uint32_t i = 0; more; i = (i + 1) % s->count)
        if (s->weight[i] > 1) {
            s->weight[i]--;
            more--;
        }
}

/*
 * Scales the weights of a series so that their sum is `total`, which is 0 or has a unit for each
 * stack. A stack that has weight keeps at least one unit, so that it does not seem absent.
 */
static void scale(struct series *s, uint64_t total)
{
    uint64_t sum = 0;
    double ratio = (double)total / (double)s->total;
    VEC(struct remainder) remainders = {0};

    for (uint32_t i = 0; i < s->count; i++) {
        unsigned __int128 scaled = (unsigned __int128)s->weight[i] * total;
        uint64_t rest = (uint64_t)(scaled % s->total), whole = (uint64_t)(scaled / s->total);
        bool raised = !whole && rest;

        s->weight[i] = whole + raised;
        sum += s->weight[i];
        if (rest && !raised)
            *vec_add(&remainders) = (struct remainder){rest, i};
    }
    if (remainders.count)
        qsort(remainders.items, remainders.count, sizeof(struct remainder), compare_remainders);
    for (size_t i = 0; sum < total; i++, sum++)
        s->weight[remainders.items[i].entry]++;
    take_back(s, sum - total);
    vec_release(&remainders);
    s->squares = (unsigned __int128)((double)s->squares * ratio * ratio);
    s->total = total;
}

/* Whether all weights of a series, times total * 10^decimals / s->total, are whole numbers. */
static bool scales_exactly(const struct series *s, uint64_t total, unsigned decimals)
{
    unsigned __int128 factor = (unsigned __int128)(total % s->total) * num_pow10(decimals);

    for (uint32_t i = 0; i < s->count; i++)
        if ((unsigned __int128)s->weight[i] * (uint64_t)(factor % s->total) % s->total)
            return false;
    return true;
}

/*
 * The sum of scaled weights up to which decimals are added: what the picture's script adds up
 * exactly (2^53), and so large that the rounding of single stacks changes no digit of a share.
 */
#define FINE_ENOUGH 1000000000000000u

/* Adds decimals to the profile until the base scales exactly, or until they are fine enough. */
static void add_decimals(struct profile *p, const struct series *base, uint64_t total)
{
    uint64_t heavier = base->total > total ? base->total : total;
    unsigned most = 0;

    while (p->decimals + most < NUM_MAX_DECIMALS && heavier * num_pow10(most) < FINE_ENOUGH / 10)
        most++;
    for (unsigned more = 0; more < most; more++)
        if (scales_exactly(base, total, more)) {
            most = more;
            break;
        }
    while (most && !profile_rescale(p, p->decimals + most)) /* another series may be too heavy */
        most--;
}

bool pair_normalize(struct profile *p, uint32_t series)
{
    struct series *s = &p->series.items[p->series.items[series].base];

    uint64_t total;

    if (!s->total)
        return false;
    add_decimals(p, s, p->series.items[series].total);
    total = p->series.items[series].total;
    if (total && total < s->count)
        return false;
    s->unscaled = s->total;
    scale(s, total);
    return true;
}

uint64_t pair_readable(const struct profile *p, uint32_t series, uint64_t weight)
{
    const struct series *s = &p->series.items[series];
    bool scaled = s->unscaled || (s->base != SERIES_NONE && p->series.items[s->base].unscaled);
    uint64_t step = p->decimals > 2 ? num_pow10(p->decimals - 2) : 1;

    return scaled ? (weight + step / 2) / step * step : weight;
}

static struct unit ten_of(struct profile *p, const struct unit *unit)
{
    struct slice word = unit_word(unit);

    if (unit->kind == UNIT_SECONDS)
        return (struct unit){.kind = UNIT_SECONDS, .exponent = unit->exponent + 1};
    return (struct unit){
        .kind = UNIT_COUNT,
        .noun = slice_str(arena_printf(&p->strings, "tens of %.*s", SLICE_ARG(word))),
    };
}

void pair_coarsen(struct profile *p, uint32_t series)
{
    const uint32_t sides[] = {series, p->series.items[series].base};

    for (int i = 0; i < 2; i++) {
        struct series *s = &p->series.items[sides[i]];

        if (s->total)
            scale(s, s->total / 10 + (s->total % 10 >= 5));
        vec_each (struct removal, r, &s->removals)
            r->weight = r->weight / 10 + (r->weight % 10 >= 5);
        s->unit = ten_of(p, &s->unit);
    }
}

void pair_swap(struct profile *p, uint32_t series)
{
    struct series *after = &p->series.items[series];
    struct series *before = &p->series.items[after->base];
    struct series was = *after;

    *after = *before;
    after->name = was.name;
    after->event = was.event;
    after->base = was.base;
    after->pair = was.pair;
    after->before = was.before;
    was.name = before->name;
    was.event = before->event;
    was.base = before->base;
    was.before = before->before;
    *before = was;
}

static void write_hundredths(struct buf *out, uint64_t hundredths)
{
    num_write_grouped(out, hundredths / 100, 0);
    buf_printf(out, ".%02u", (unsigned)(hundredths % 100));
}

void pair_write_relative(struct buf *out, uint64_t part, uint64_t cycles, uint64_t all_part,
                         uint64_t all_cycles)
{
    unsigned __int128 above = (unsigned __int128)part * all_cycles;
    unsigned __int128 below = (unsigned __int128)cycles * all_part;

    while (above >> 119 || below >> 119) { /* room for two hundred times as much */
        above >>= 1;
        below >>= 1;
    }
    if (!below) {
        buf_add_char(out, '-');
        return;
    }
    write_hundredths(out, (uint64_t)((above * 200 + below) / (2 * below)));
    buf_add_str(out, " \xc3\x97 average");
}

void pair_write_ratio(struct buf *out, enum pair_kind kind, uint64_t part, uint64_t cycles)
{
    unsigned __int128 hundredths =
        ((unsigned __int128)part * 200 + cycles) / (2 * (unsigned __int128)cycles);

    if (kind == PAIR_STALLS) {
        num_write_percent(out, part, cycles, PERCENT_TABLE);
        buf_add_char(out, '%');
        return;
    }
    write_hundredths(out, (uint64_t)hundredths);
}
