#include "input/formats/go/pprof_maps.h"

#include <stdlib.h>

#include "base/num.h"

void pprof_maps_init(struct pprof_maps *m)
{
    *m = (struct pprof_maps){0};
    arena_init(&m->texts);
}

void pprof_maps_release(struct pprof_maps *m)
{
    vec_release(&m->items);
    arena_release(&m->texts);
}

bool pprof_maps_begins(struct slice line)
{
    line = slice_trim(line);
    return slice_equal(line, SLICE("MAPPED_LIBRARIES:")) ||
           slice_equal(line, SLICE("--- Memory map: ---"));
}

/* "7f5e53883000-7f5e53a31000", and the ':' that may follow. */
static bool parse_range(struct slice word, struct pprof_map *map)
{
    struct slice start;

    if (slice_ends(word, SLICE(":")))
        word.len--;
    return slice_cut(&word, '-', &start) && num_parse_hex(start, &map->start) &&
           num_parse_hex(word, &map->limit) && map->start < map->limit;
}

/* "r-xp" */
static bool is_permissions(struct slice word)
{
    if (word.len != 4)
        return false;
    for (size_t i = 0; i < word.len; i++)
        if (!memchr("rwxps-", word.ptr[i], 6))
            return false;
    return true;
}

static struct slice own_path(struct pprof_maps *m, struct slice path)
{
    const struct slice build = SLICE("$build");

    if (m->build.len && slice_starts(path, build)) {
        path = slice_skip(path, build.len);
        return slice_str(arena_printf(&m->texts, "%.*s%.*s", SLICE_ARG(m->build), SLICE_ARG(path)));
    }
    return arena_copy(&m->texts, path);
}

void pprof_maps_add(struct pprof_maps *m, struct slice line)
{
    const struct slice build = SLICE("build=");
    struct slice rest = slice_trim(line), word, behind;
    struct pprof_map map = {0};

    if (slice_starts(rest, build)) {
        m->build = arena_copy(&m->texts, slice_skip(rest, build.len));
        return;
    }
    if (!slice_word(&rest, &word) || !parse_range(word, &map))
        return;
    behind = rest;
    if (slice_word(&behind, &word) && is_permissions(word)) {
        if (slice_find(word, 'x') == word.len)
            return;
        rest = behind;
        if (!slice_word(&rest, &word) || !num_parse_hex(word, &map.offset) ||
            !slice_word(&rest, &word) || !slice_word(&rest, &word))
            return;
    }
    map.file = own_path(m, slice_trim(rest));
    *vec_add(&m->items) = map;
}

static int compare_starts(const void *a, const void *b)
{
    const struct pprof_map *x = a, *y = b;

    return (x->start > y->start) - (x->start < y->start);
}

void pprof_maps_sort(struct pprof_maps *m)
{
    if (m->items.count)
        qsort(m->items.items, m->items.count, sizeof(*m->items.items), compare_starts);
}

const struct pprof_map *pprof_maps_find(const struct pprof_maps *m, uint64_t address)
{
    size_t low = 0, high = m->items.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (m->items.items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < m->items.items[low - 1].limit ? &m->items.items[low - 1] : NULL;
}
