#include "layout/rank.h"

#include <stdlib.h>

#include "base/die.h"

enum {
    WORD = 8, /* bytes of names that are compared together */
    FEW = 8,  /* keys that are sorted by comparing whole names */
    RUN = 8,  /* keys that are sorted before sorted runs are merged */
};

/* A symbol, and the bytes of its name that are compared next. */
struct key {
    uint64_t word; /* the first byte highest; padded with zeros */
    uint32_t symbol;
};

/* Keys whose names have the same first `depth` bytes. */
struct range {
    struct key *keys;
    uint32_t count;
    size_t depth;
};

struct sorting {
    const struct symbols *symbols;
    struct key *spare; /* as many as all keys */
    VEC(struct range) left;
};

static uint64_t word_at(struct slice name, size_t at)
{
    size_t rest = name.len > at ? name.len - at : 0;
    uint64_t word = 0;

    memcpy(&word, rest ? name.ptr + at : "", rest < WORD ? rest : WORD);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static bool is_before(const struct symbols *symbols, uint32_t a, uint32_t b, size_t depth)
{
    int order = slice_compare(slice_skip(symbol_name(symbols, a), depth),
                              slice_skip(symbol_name(symbols, b), depth));

    return order ? order < 0 : symbol_class(symbols, a) < symbol_class(symbols, b);
}

/* Sorts a few keys by the rest of their names and by class. */
static void sort_few(const struct sorting *s, struct range r)
{
    for (uint32_t i = 1; i < r.count; i++) {
        struct key key = r.keys[i];
        uint32_t to = i;

        for (; to && is_before(s->symbols, key.symbol, r.keys[to - 1].symbol, r.depth); to--)
            r.keys[to] = r.keys[to - 1];
        r.keys[to] = key;
    }
}

/* Sorts runs of RUN keys by their words. */
static void sort_runs(struct key *keys, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        struct key key = keys[i];
        uint32_t to = i;

        for (; to % RUN && key.word < keys[to - 1].word; to--)
            keys[to] = keys[to - 1];
        keys[to] = key;
    }
}

/* Merges two sorted runs that follow each other. */
static void merge(struct key *to, const struct key *a, const struct key *b, const struct key *end)
{
    const struct key *middle = b;

    while (a < middle && b < end)
        *to++ = b->word < a->word ? *b++ : *a++;
    memcpy(to, a, (size_t)(middle - a) * sizeof(*a));
    memcpy(to + (middle - a), b, (size_t)(end - b) * sizeof(*b));
}

/* Sorts keys by their words. */
static void sort_words(struct key *keys, struct key *spare, uint32_t count)
{
    struct key *from = keys, *to = spare;

    sort_runs(keys, count);
    for (size_t run = RUN; run < count; run *= 2) {
        struct key *other = from;

        for (size_t i = 0; i < count; i += 2 * run) {
            size_t middle = count - i > run ? i + run : count;
            size_t end = count - middle > run ? middle + run : count;

            merge(to + i, from + i, from + middle, from + end);
        }
        from = to;
        to = other;
    }
    if (from != keys)
        memcpy(keys, from, count * sizeof(*keys));
}

/*
 * Sorts keys with equal words: names that end in the word come first, and all have the same bytes
 * but for their number. The others are left for their next word.
 */
static void sort_equal(struct sorting *s, struct range r)
{
    struct range ended = {r.keys, 0, r.depth};

    for (uint32_t i = 0; i < r.count; i++) {
        struct key key = r.keys[i];

        if (symbol_name(s->symbols, key.symbol).len > r.depth + WORD)
            continue;
        r.keys[i] = r.keys[ended.count];
        r.keys[ended.count++] = key;
    }
    sort_few(s, ended);
    if (r.count - ended.count > 1)
        *vec_add(&s->left) =
            (struct range){r.keys + ended.count, r.count - ended.count, r.depth + WORD};
}

static void sort_range(struct sorting *s, struct range r)
{
    uint32_t from = 0;

    if (r.count <= FEW) {
        sort_few(s, r);
        return;
    }
    for (uint32_t i = 0; i < r.count; i++)
        r.keys[i].word = word_at(symbol_name(s->symbols, r.keys[i].symbol), r.depth);
    sort_words(r.keys, s->spare, r.count);
    for (uint32_t i = 1; i <= r.count; i++) {
        if (i < r.count && r.keys[i].word == r.keys[from].word)
            continue;
        if (i - from > 1)
            sort_equal(s, (struct range){r.keys + from, i - from, r.depth});
        from = i;
    }
}

/* Sorts symbols by their names, word by word: most names begin alike. */
static void sort_names(const struct symbols *symbols, struct key *keys, struct key *spare,
                       uint32_t count)
{
    struct sorting s = {.symbols = symbols, .spare = spare};

    *vec_add(&s.left) = (struct range){keys, count, 0};
    while (s.left.count)
        sort_range(&s, s.left.items[--s.left.count]);
    vec_release(&s.left);
}

void rank_init(struct rank *r, const struct symbols *symbols)
{
    *r = (struct rank){.symbols = symbols, .symbol_count = symbols_count(symbols)};
    r->number = xcalloc((size_t)r->symbol_count + 1, sizeof(*r->number));
}

void rank_release(struct rank *r)
{
    xfree(r->number);
    r->number = NULL;
}

/* Numbers the symbols in use in the order of other ranks. Returns false if these lack one. */
static bool take_over(struct rank *r, const struct rank *sorted)
{
    uint32_t *place = xcalloc((size_t)sorted->count + 1, sizeof(*place));
    bool all;

    for (uint32_t id = 0; id < r->symbol_count; id++)
        if (r->number[id])
            place[sorted->number[id]] = 1;
    all = !place[0];
    for (uint32_t i = 1; i <= sorted->count && all; i++)
        if (place[i])
            place[i] = ++r->count;
    for (uint32_t id = 0; id < r->symbol_count && all; id++)
        if (r->number[id])
            r->number[id] = place[sorted->number[id]];
    xfree(place);
    return all;
}

static void sort_all(struct rank *r)
{
    uint32_t count = 0, warm = 0, cold;
    struct key *keys;

    for (uint32_t id = 0; id < r->symbol_count; id++)
        count += r->number[id];
    keys = xmalloc((2 * (size_t)count + 1) * sizeof(*keys));
    cold = count;
    for (uint32_t id = 0; id < r->symbol_count; id++)
        if (r->number[id])
            keys[symbol_class(r->symbols, id) == SYMBOL_OFF_CPU ? --cold : warm++].symbol = id;
    sort_names(r->symbols, keys, keys + count, warm);
    sort_names(r->symbols, keys + warm, keys + count, count - warm);
    for (uint32_t i = 0; i < count; i++)
        r->number[keys[i].symbol] = i + 1;
    r->count = count;
    xfree(keys);
}

uint32_t rank_sort(struct rank *r, const struct rank *sorted)
{
    if (!sorted || sorted->symbols != r->symbols || sorted->symbol_count != r->symbol_count ||
        !take_over(r, sorted))
        sort_all(r);
    return r->count;
}
