#include "input/formats/go/pprof_addresses.h"

#include "base/num.h"

void pprof_addresses_init(struct pprof_addresses *a, struct builder *builder)
{
    *a = (struct pprof_addresses){.builder = builder};
    pprof_maps_init(&a->maps);
    arena_init(&a->texts);
    pprof_ids_init(&a->named);
    pprof_ids_init(&a->known);
    buf_init(&a->name);
}

void pprof_addresses_release(struct pprof_addresses *a)
{
    pprof_maps_release(&a->maps);
    arena_release(&a->texts);
    pprof_ids_release(&a->named);
    pprof_ids_release(&a->known);
    vec_release(&a->names);
    vec_release(&a->entries);
    buf_release(&a->name);
}

/* The value of a digit, 16 or more for what is none. */
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

/* "name (File.java:29)", "name (lib.so)" or "name" alone. */
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

static uint32_t entry_of(struct pprof_addresses *a, uint64_t address)
{
    uint32_t place = pprof_ids_find(&a->named, address);
    const struct pprof_map *map = pprof_maps_find(&a->maps, address);
    struct frame frame;

    if (place == PPROF_IDS_NONE) {
        frame = pprof_frame_address(&a->name, map, address);
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

void pprof_addresses_push(struct pprof_addresses *a, uint64_t address)
{
    pprof_addresses_push_place(a, pprof_addresses_place(a, address));
}
