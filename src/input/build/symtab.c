#include "input/build/symtab.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "input/build/names.h"

void symtab_release(struct symtab *t)
{
    vec_release(&t->symbols);
}

void symtab_add(struct symtab *t, uint64_t start, uint64_t size, struct slice name,
                enum symtab_binding binding)
{
    uint64_t end;

    if (t->symbols.count >= SYMTAB_MOST || !num_add(start, size, &end))
        return;
    *vec_add(&t->symbols) = (struct binary_symbol){.start = start,
                                                   .end = end,
                                                   .name = name,
                                                   .number = (uint32_t)t->symbols.count,
                                                   .binding = (uint8_t)binding};
}

void symtab_add_kallsyms(struct symtab *t, struct slice text)
{
    struct slice line;

    while (slice_line(&text, &line)) {
        struct slice address, type, name;
        uint64_t start;
        char kind;

        if (!slice_word(&line, &address) || !slice_word(&line, &type) ||
            !slice_word(&line, &name) || type.len != 1 || !num_parse_hex(address, &start))
            continue;
        kind = type.ptr[0];
        if (strchr("tTwWdDbB", kind) && start && name.ptr[0] != '$')
            symtab_add(t, start, 0, name,
                       kind == 'w' || kind == 'W' ? SYMTAB_WEAK
                       : kind < 'a'               ? SYMTAB_GLOBAL
                                                  : SYMTAB_LOCAL);
    }
}

static int compare(const void *left, const void *right)
{
    const struct binary_symbol *a = left, *b = right;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static void sort(struct symtab *t)
{
    if (t->symbols.count)
        qsort(t->symbols.items, t->symbols.count, sizeof(struct binary_symbol), compare);
}

/* ---- of several symbols at one address ------------------------------------------------------- */

/* Aliases of system calls, which perf does not prefer. */
static bool is_alias(struct slice name)
{
    return slice_starts(name, SLICE("SyS")) || slice_starts(name, SLICE("compat_SyS"));
}

/* Whether perf prefers the name `a` to `b`; it compares them demangled. */
static bool is_better_name(struct slice a, struct slice b)
{
    struct buf first = {0}, second = {0};
    size_t a_lines, b_lines;
    bool better;

    names_add_native(&first, a, true);
    names_add_native(&second, b, true);
    a_lines = slice_lead(buf_slice(&first), '_');
    b_lines = slice_lead(buf_slice(&second), '_');
    if (a_lines != b_lines)
        better = a_lines < b_lines;
    else if (first.len != second.len)
        better = first.len > second.len;
    else
        better = !is_alias(a);
    buf_release(&first);
    buf_release(&second);
    return better;
}

/*
 * Which of two symbols at one address perf prefers whatever their names are: less than 0 for the
 * first, more than 0 for the second, and 0 if the names decide.
 */
static int compare_ranks(const struct binary_symbol *a, const struct binary_symbol *b)
{
    int sized = (b->end > b->start) - (a->end > a->start);
    int weak = (a->binding == SYMTAB_WEAK) - (b->binding == SYMTAB_WEAK);
    int global = (b->binding == SYMTAB_GLOBAL) - (a->binding == SYMTAB_GLOBAL);

    return sized ? sized : weak ? weak : global;
}

/* Ends symbols without a size at the next one; the last one at the end of the next page. */
static void set_ends(struct symtab *t)
{
    enum { PAGE = 4096 };

    for (size_t i = 0; i < t->symbols.count; i++) {
        struct binary_symbol *s = &t->symbols.items[i];

        if (s->end == s->start && i + 1 < t->symbols.count)
            s->end = s[1].start;
        else if (s->end == s->start && s->start < UINT64_MAX - 2 * PAGE)
            s->end = (s->start + PAGE - 1) / PAGE * PAGE + PAGE;
    }
}

/* Removes labels inside of functions, whose sizes are known. */
static void drop_labels(struct symtab *t)
{
    size_t kept = 0;
    uint64_t end = 0;

    vec_each (struct binary_symbol, s, &t->symbols) {
        bool label =
            s->end == s->start && s->start < end && s->start > t->symbols.items[kept - 1].start;

        if (s->end > end)
            end = s->end;
        if (!label)
            t->symbols.items[kept++] = *s;
    }
    t->symbols.count = kept;
}

/*
 * Keeps the best symbols of each address. Several are kept if their names decide: names are
 * compared only if the symbol is looked up, for they must be demangled.
 */
static void keep_best(struct symtab *t)
{
    size_t kept = 0;

    vec_each (struct binary_symbol, s, &t->symbols) {
        int rank = 0;

        while (kept && t->symbols.items[kept - 1].start == s->start) {
            rank = compare_ranks(&t->symbols.items[kept - 1], s);
            if (rank <= 0)
                break;
            kept--;
        }
        if (rank >= 0)
            t->symbols.items[kept++] = *s;
    }
    t->symbols.count = kept;
}

/* Links each symbol to the nearest one before it that ends later. */
static void find_around(struct symtab *t)
{
    for (size_t i = 0; i < t->symbols.count; i++) {
        struct binary_symbol *s = &t->symbols.items[i];
        uint32_t around = i ? (uint32_t)(i - 1) : UINT32_MAX;

        while (around != UINT32_MAX && t->symbols.items[around].end <= s->end)
            around = t->symbols.items[around].around;
        s->around = around;
    }
}

void symtab_sort(struct symtab *t)
{
    sort(t);
    drop_labels(t);
    set_ends(t);
    keep_best(t);
    find_around(t);
}

/* ---- symbols that hide earlier ones ---------------------------------------------------------- */

static int compare_numbers(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return a < b ? -1 : a > b;
}

static uint32_t find_bound(const uint64_t *bounds, uint32_t count, uint64_t value)
{
    uint32_t low = 0, high = count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (bounds[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first piece from `at` on that is free; shortens the way for the next search. */
static uint32_t find_free(uint32_t *next, uint32_t at)
{
    while (next[at] != at) {
        next[at] = next[next[at]];
        at = next[at];
    }
    return at;
}

/*
 * Cuts the symbols at all of their bounds. The pieces go to the symbol added last: symbols take
 * those that are still free, the last one first.
 */
void symtab_sort_latest(struct symtab *t)
{
    uint32_t count = 0, most = 2 * (uint32_t)t->symbols.count;
    uint64_t *bounds = xcalloc((size_t)most + 1, sizeof(*bounds));
    uint32_t *next = xcalloc((size_t)most + 1, sizeof(*next));
    struct symtab pieces = {0};

    vec_each (struct binary_symbol, s, &t->symbols) {
        bounds[count++] = s->start;
        bounds[count++] = s->end;
    }
    qsort(bounds, count, sizeof(*bounds), compare_numbers);
    for (uint32_t i = 0; i <= count; i++)
        next[i] = i;
    for (size_t i = t->symbols.count; i-- > 0;) {
        const struct binary_symbol *s = &t->symbols.items[i];
        uint32_t at = find_free(next, find_bound(bounds, count, s->start));

        for (; at < count && bounds[at] < s->end; at = find_free(next, at)) {
            if (at + 1 < count && bounds[at + 1] > bounds[at])
                symtab_add(&pieces, bounds[at], bounds[at + 1] - bounds[at], s->name,
                           SYMTAB_GLOBAL);
            next[at] = at + 1;
        }
    }
    xfree(bounds);
    xfree(next);
    symtab_release(t);
    *t = pieces;
    sort(t);
    find_around(t);
}

/* ---- finding --------------------------------------------------------------------------------- */

/* Of the symbols at the address of the one at `at`, the one with the best name. */
static const struct binary_symbol *choose(const struct symtab *t, size_t at)
{
    const struct binary_symbol *items = t->symbols.items, *best;
    size_t first = at;

    while (first && items[first - 1].start == items[at].start)
        first--;
    best = &items[first];
    for (size_t i = first + 1; i < t->symbols.count && items[i].start == best->start; i++)
        if (!is_better_name(best->name, items[i].name))
            best = &items[i];
    return best;
}

const struct binary_symbol *symtab_find(const struct symtab *t, uint64_t address)
{
    size_t low = 0, high = t->symbols.count;
    uint32_t at;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (t->symbols.items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    at = low ? (uint32_t)(low - 1) : UINT32_MAX;
    while (at != UINT32_MAX && t->symbols.items[at].end <= address)
        at = t->symbols.items[at].around;
    return at == UINT32_MAX ? NULL : choose(t, at);
}
