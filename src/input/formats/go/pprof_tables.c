#include "input/formats/go/pprof_tables.h"

void pprof_tables_init(struct pprof_tables *t, struct builder *builder)
{
    *t = (struct pprof_tables){.builder = builder};
    pprof_ids_init(&t->mapping_ids);
    pprof_ids_init(&t->function_ids);
    pprof_ids_init(&t->location_ids);
    buf_init(&t->name);
}

void pprof_tables_release(struct pprof_tables *t)
{
    pprof_ids_release(&t->mapping_ids);
    pprof_ids_release(&t->function_ids);
    pprof_ids_release(&t->location_ids);
    vec_release(&t->strings);
    vec_release(&t->mappings);
    vec_release(&t->functions);
    vec_release(&t->locations);
    vec_release(&t->symbols);
    buf_release(&t->name);
}

bool pprof_tables_broken(const struct pprof_tables *t, struct slice bytes, const char *what)
{
    size_t at = bytes.ptr ? (size_t)(bytes.ptr - t->content.ptr) : t->content.len;

    diag_add(t->builder->diag, DIAG_ERROR, DIAG_AT_BYTE(at), "%s", what);
    return false;
}

bool pprof_tables_has(const struct pprof_tables *t, int64_t string)
{
    return string == 0 || (string > 0 && (uint64_t)string < t->strings.count);
}

struct slice pprof_tables_string(const struct pprof_tables *t, int64_t string)
{
    return (size_t)string < t->strings.count ? t->strings.items[string] : SLICE("");
}

bool pprof_tables_add(struct pprof_tables *t, struct pprof_proto *proto,
                      const struct pprof_field *field)
{
    struct pprof_mapping mapping;
    struct pprof_function function;

    if (field->number == PPROF_STRING) {
        *vec_add(&t->strings) = field->bytes;
    } else if (field->number == PPROF_MAPPING) {
        if (!pprof_proto_mapping(proto, field->bytes, &mapping))
            return pprof_tables_broken(t, field->bytes, "this is no mapping");
        pprof_ids_add(&t->mapping_ids, mapping.id);
        *vec_add(&t->mappings) = mapping;
    } else if (field->number == PPROF_FUNCTION) {
        if (!pprof_proto_function(proto, field->bytes, &function))
            return pprof_tables_broken(t, field->bytes, "this is no function");
        pprof_ids_add(&t->function_ids, function.id);
        *vec_add(&t->functions) = function;
    }
    return true;
}

/* ---- locations ----------------------------------------------------------------------------- */

/* Finds the function of a line; NULL where the line names none. False where told. */
static bool find_function(const struct pprof_tables *t, const struct pprof_line *line,
                          struct slice bytes, const struct pprof_function **function)
{
    uint32_t index = pprof_ids_find(&t->function_ids, line->function);
    const struct pprof_function *f;

    *function = NULL;
    if (index == PPROF_IDS_NONE)
        return !line->function ||
               pprof_tables_broken(t, bytes,
                                   "a location names a function that is not in the profile");
    f = &t->functions.items[index];
    if (!pprof_tables_has(t, f->name) || !pprof_tables_has(t, f->system_name) ||
        !pprof_tables_has(t, f->file))
        return pprof_tables_broken(t, bytes,
                                   "a function's name or file is not in the table of strings");
    *function = f;
    return true;
}

static void add_frame(struct pprof_tables *t, const struct frame *frame)
{
    struct stack_path symbols = builder_symbols(t->builder, builder_entry(t->builder, frame));

    for (uint32_t i = 0; i < symbols.count; i++)
        *vec_add(&t->symbols) = symbols.symbols[i];
}

/* The frame of a line of a location: its function, or the address where that has no name. */
static bool add_line(struct pprof_tables *t, const struct pprof_location *location, size_t i,
                     const struct pprof_map *map, struct slice bytes)
{
    const struct pprof_line *line = &location->lines[i];
    const struct pprof_function *function;
    struct slice name = SLICE("");
    struct frame frame;

    if (!find_function(t, line, bytes, &function))
        return false;
    if (function)
        name = pprof_tables_string(t, function->name ? function->name : function->system_name);
    if (name.len) {
        frame = pprof_frame_named(t->builder->options, name, pprof_tables_string(t, function->file),
                                  line->line > 0 ? (uint64_t)line->line : 0);
        frame.module = map ? map->file : SLICE("");
    } else {
        frame = pprof_frame_address(&t->name, map, location->address);
    }
    if (i + 1 < location->line_count)
        frame.class = SYMBOL_INLINED;
    add_frame(t, &frame);
    return true;
}

bool pprof_tables_add_location(struct pprof_tables *t, struct pprof_proto *proto,
                               struct slice bytes)
{
    struct pprof_symbols symbols = {.first = t->symbols.count};
    struct pprof_location location;
    struct pprof_map map, *found = NULL;
    uint32_t index;

    if (!pprof_proto_location(proto, bytes, &location))
        return pprof_tables_broken(t, bytes, "this is no location");
    index = pprof_ids_find(&t->mapping_ids, location.mapping);
    if (index != PPROF_IDS_NONE) {
        const struct pprof_mapping *m = &t->mappings.items[index];

        if (!pprof_tables_has(t, m->file))
            return pprof_tables_broken(t, bytes, "a mapping's file is not in the table of strings");
        map = (struct pprof_map){m->start, m->limit, m->offset, pprof_tables_string(t, m->file)};
        found = &map;
    }
    for (size_t i = location.line_count; i-- > 0;)
        if (!add_line(t, &location, i, found, bytes))
            return false;
    if (!location.line_count) {
        struct frame frame = pprof_frame_address(&t->name, found, location.address);

        add_frame(t, &frame);
    }
    symbols.count = t->symbols.count - symbols.first;
    pprof_ids_add(&t->location_ids, location.id);
    *vec_add(&t->locations) = symbols;
    return true;
}

bool pprof_tables_push(struct pprof_tables *t, const struct pprof_sample *sample,
                       struct slice bytes)
{
    struct builder *b = t->builder;

    builder_begin(b);
    builder_leaf_first(b);
    for (size_t i = 0; i < sample->location_count; i++) {
        uint32_t index = pprof_ids_find(&t->location_ids, sample->locations[i]);
        struct pprof_symbols location;

        if (index == PPROF_IDS_NONE)
            return pprof_tables_broken(t, bytes,
                                       "a sample names a location that is not in the profile");
        location = t->locations.items[index];
        while (location.count-- > 0 && !builder_is_full(b))
            builder_push_symbol(b, t->symbols.items[location.first + location.count]);
    }
    return true;
}
