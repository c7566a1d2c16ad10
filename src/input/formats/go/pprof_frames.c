#include <stdlib.h>

#include "base/num.h"
#include "input/build/names.h"
#include "input/formats/go/pprof.h"

/* Ids below index an array, which may have as many unused places. */
enum { SMALL = 1 << 22 };

void pprof_ids_release(struct pprof_ids *ids)
{
    release_each(ids, (vec, small, all), (map, large));
}

static bool same_id(const void *context, uint32_t place, const void *key)
{
    const struct pprof_ids *ids = context;

    return ids->all.items[place] == *(const uint64_t *)key;
}

uint32_t pprof_ids_find_large(const struct pprof_ids *ids, uint64_t id)
{
    return id < SMALL ? PPROF_IDS_NONE
                      : map_find(&ids->large, map_hash_pair(&ids->large, id, 0), same_id, ids, &id);
}

void pprof_ids_add(struct pprof_ids *ids, uint64_t id)
{
    uint32_t place = (uint32_t)ids->all.count;

    BUG_ON(ids->all.count >= PPROF_IDS_NONE - 1);
    *vec_add(&ids->all) = id;
    if (id >= SMALL) {
        if (pprof_ids_find_large(ids, id) == PPROF_IDS_NONE)
            map_add(&ids->large, map_hash_pair(&ids->large, id, 0), place);
        return;
    }
    while (ids->small.count <= id)
        *vec_add(&ids->small) = 0;
    if (!ids->small.items[id])
        ids->small.items[id] = place + 1;
}

struct frame pprof_frame_named(const struct input_options *options, struct slice name,
                               struct slice file, uint64_t line)
{
    bool reference = options->names == NAMES_REFERENCE;

    return (struct frame){
        .name = name,
        .file = file,
        .line = line,
        .kind = reference ? FRAME_PLAIN : frame_kind_of(file),
    };
}

struct frame pprof_frame_address(struct buf *text, const struct pprof_map *map, uint64_t address)
{
    struct frame frame = {.module = map ? map->file : SLICE(""), .kind = FRAME_PLAIN};
    struct slice base = names_module_base(frame.module);

    if (!address)
        return frame;
    if (base.len && address >= map->start)
        address = address - map->start + map->offset;
    buf_clear(text);
    if (base.len)
        buf_printf(text, "%.*s+", SLICE_ARG(base));
    buf_printf(text, "0x%llx", (unsigned long long)address);
    frame.name = buf_slice(text);
    return frame;
}

void pprof_maps_release(struct pprof_maps *m)
{
    release_each(m, (vec, items), (arena, texts));
}

bool pprof_maps_begins(struct slice line)
{
    line = slice_trim(line);
    return slice_equal(line, SLICE("MAPPED_LIBRARIES:")) ||
           slice_equal(line, SLICE("--- Memory map: ---"));
}

/* "7f5e53883000-7f5e53a31000", with or without a ':' at its end. */
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

void pprof_addresses_init(struct pprof_addresses *a, struct builder *builder)
{
    *a = (struct pprof_addresses){.builder = builder};
    addresses_init(&a->binaries, builder->options, builder->diag);
}

void pprof_addresses_release(struct pprof_addresses *a)
{
    release_each(a, (pprof_maps, maps), (arena, texts), (pprof_ids, named, known),
                 (vec, names, entries), (addresses, binaries), (buf, name));
}

/* Returns the value of a hexadecimal digit, 16 or more for any other character. */
static unsigned hex_digit(char c)
{
    unsigned digit = (unsigned char)c - (unsigned)'0';
    unsigned letter = ((unsigned char)c | 0x20u) - 'a';

    if (digit < 10)
        return digit;
    return letter < 6 ? letter + 10 : 16;
}

bool pprof_addresses_next(struct slice *rest, uint64_t *address)
{
    struct slice at = slice_trim_left(*rest);
    uint64_t value = 0;
    size_t n = 0, digits;

    if (slice_starts(at, SLICE("0x")))
        n = 2;
    digits = n;
    for (; n < at.len && hex_digit(at.ptr[n]) < 16; n++) {
        value = value << 4 | hex_digit(at.ptr[n]);
        if (value >> 60 && n + 1 < at.len && hex_digit(at.ptr[n + 1]) < 16)
            return false;
    }
    if (n == digits || (n < at.len && at.ptr[n] != ' ' && at.ptr[n] != '\t'))
        return false;
    *address = value;
    *rest = slice_skip(at, n);
    return true;
}

void pprof_addresses_name(struct pprof_addresses *a, uint64_t address, struct pprof_name name)
{
    if (pprof_ids_find(&a->named, address) != PPROF_IDS_NONE)
        return;
    name.name = arena_copy(&a->texts, name.name);
    name.file = arena_copy(&a->texts, name.file);
    pprof_ids_add(&a->named, address);
    *vec_add(&a->names) = name;
}

/* "name (File.java:29)", "name (lib.so)" or only "name". */
static struct pprof_name parse_java(struct slice text)
{
    struct pprof_name name = {.name = text, .kind = FRAME_JAVA};
    size_t open = slice_find_last(text, '('), colon;
    struct slice place;

    if (!slice_ends(text, SLICE(")")) || open == 0 || text.ptr[open - 1] != ' ')
        return name;
    name.name = slice_trim(slice_take(text, open));
    place = slice_skip(text, open + 1);
    place.len--;
    colon = slice_find_last(place, ':');
    if (num_parse_u64(slice_skip(place, colon + 1), &name.line))
        place = slice_take(place, colon);
    name.file = place;
    return name;
}

bool pprof_addresses_java(struct pprof_addresses *a, struct slice line)
{
    uint64_t address;

    line = slice_trim(line);
    if (!slice_starts(line, SLICE("0x")) || !pprof_addresses_next(&line, &address))
        return false;
    line = slice_trim(line);
    if (line.len)
        pprof_addresses_name(a, address, parse_java(line));
    return line.len > 0;
}

/* The frame of an address in a binary. */
static struct frame frame_in(struct pprof_addresses *a, const struct pprof_map *map,
                             uint64_t address)
{
    struct slice name = {0};

    if (map && map->file.len && a->builder->options->names != NAMES_REFERENCE)
        name = addresses_find(
            &a->binaries,
            &(struct addresses_binary){.path = map->file, .code = pprof_map_part(map)},
            ADDRESSES_OFFSET, address - map->start + map->offset);
    if (name.len)
        return (struct frame){.name = name, .module = map->file, .kind = FRAME_NATIVE};
    return pprof_frame_address(&a->name, map, address);
}

static uint32_t entry_of(struct pprof_addresses *a, uint64_t address)
{
    uint32_t place = pprof_ids_find(&a->named, address);
    const struct pprof_map *map = pprof_maps_find(&a->maps, address);
    struct frame frame;

    if (place == PPROF_IDS_NONE) {
        frame = frame_in(a, map, address);
    } else {
        const struct pprof_name *name = &a->names.items[place];

        frame = pprof_frame_named(a->builder->options, name->name, name->file, name->line);
        if (frame.kind == FRAME_NATIVE)
            frame.kind = name->kind;
        frame.module = map ? map->file : SLICE("");
    }
    return builder_entry(a->builder, &frame);
}

uint32_t pprof_addresses_place(struct pprof_addresses *a, uint64_t address)
{
    uint32_t place = pprof_ids_find(&a->known, address);

    if (place == PPROF_IDS_NONE) {
        place = (uint32_t)a->entries.count;
        pprof_ids_add(&a->known, address);
        *vec_add(&a->entries) = PPROF_IDS_NONE;
    }
    return place;
}

void pprof_addresses_push_place(struct pprof_addresses *a, uint32_t place)
{
    if (a->entries.items[place] == PPROF_IDS_NONE)
        a->entries.items[place] = entry_of(a, a->known.all.items[place]);
    builder_push(a->builder, a->entries.items[place]);
}

/* Pushes the frame of an address, after all names and maps were read. */
static void push_address(struct pprof_addresses *a, uint64_t address)
{
    pprof_addresses_push_place(a, pprof_addresses_place(a, address));
}

void pprof_rows_init(struct pprof_rows *r, struct profile *profile,
                     const struct input_options *options, struct diag *diag)
{
    *r = (struct pprof_rows){0};
    builder_init(&r->builder, profile, options, diag);
    pprof_addresses_init(&r->addresses, &r->builder);
}

void pprof_rows_release(struct pprof_rows *r)
{
    release_each(r, (builder, builder), (pprof_columns, columns), (pprof_addresses, addresses),
                 (vec, items, stacks, entries));
}

struct pprof_row *pprof_rows_add(struct pprof_rows *r)
{
    struct pprof_row *row = vec_add(&r->items);

    *row =
        (struct pprof_row){.first = r->stacks.count, .first_entry = r->entries.count, .times = 1};
    return row;
}

void pprof_rows_push(struct pprof_rows *r, uint64_t address)
{
    *vec_add(&r->stacks) = address;
    r->items.items[r->items.count - 1].count++;
}

void pprof_rows_push_entry(struct pprof_rows *r, uint32_t entry)
{
    *vec_add(&r->entries) = entry;
    r->items.items[r->items.count - 1].entry_count++;
}

bool pprof_rows_push_all(struct pprof_rows *r, struct slice rest, uint64_t offset)
{
    uint64_t address;

    while (pprof_addresses_next(&rest, &address))
        pprof_rows_push(r, address + offset);
    return !slice_trim(rest).len;
}

static bool add_sample(struct pprof_rows *r, const struct pprof_row *row)
{
    struct origin origin = {
        .thread = row->thread, .tid = row->tid, .tag = row->tag, .tags = row->tags};
    bool has_owner = row->thread.len || row->tid.len || row->tags != TAGS_UNKNOWN;

    builder_begin_leaf(&r->builder);
    for (size_t i = 0; i < row->entry_count; i++)
        builder_push(&r->builder, r->entries.items[row->first_entry + i]);
    for (size_t i = 0; i < row->count && !row->entry_count; i++)
        push_address(&r->addresses, r->stacks.items[row->first + i]);
    return pprof_columns_sample(&r->columns, &r->builder, has_owner ? &origin : NULL, row->values,
                                row->times);
}

bool pprof_rows_end(struct pprof_rows *r)
{
    BUG_ON(r->columns.items.count > PPROF_ROWS_VALUES);
    pprof_maps_sort(&r->addresses.maps);
    pprof_columns_open(&r->columns, &r->builder);
    vec_each (struct pprof_row, row, &r->items)
        if (!add_sample(r, row))
            return false;
    addresses_report(&r->addresses.binaries, r->builder.profile);
    return pprof_columns_settle(&r->columns, &r->builder);
}
