/*
 * Reader of pprof's profiles in protobuf, compressed or not, as Go,
 * gperftools, Parca, Pyroscope and many others write them.
 *
 * A profile has sample types ("cpu" in "nanoseconds"), samples, and tables of
 * locations, functions, mappings and strings that refer to each other by
 * number. A sample has a value for each type and a stack of locations, leaf
 * first. An entry may come after the entries that refer to it, so locations and
 * samples wait, as they are written, for the end of the content; each distinct
 * sample is held once.
 *
 * Each type is a series. A location has a line for each function inlined
 * there, innermost first; all lines but the last are inlined. Labels that name
 * a thread or process become the sample's origin; the other labels are counted
 * as a fact. Profiles of flamepress convert have names that are not cleaned again. The patterns of
 * frames to drop or keep are applied (pprof_prune.h), and are facts, too. A reference to a missing
 * entry, as in a truncated file, is an error.
 *
 * Source: proto/profile.proto in github.com/google/pprof.
 */
#include <stdlib.h>

#include "base/budget.h"
#include "base/hash.h"
#include "base/multiset.h"
#include "base/version.h"
#include "input/build/builder.h"
#include "input/format.h"
#include "input/formats/go/pprof.h"
#include "input/formats/go/pprof_proto.h"
#include "input/formats/go/pprof_prune.h"

/* ---- tables -------------------------------------------------------------------------------- */

/* The symbols of a location, a range of tables.symbols, outermost function first. */
struct pprof_symbols {
    size_t first, count;
    enum pprof_pruned pruned;
};

struct tables {
    struct builder *builder;
    uint64_t at; /* offset in the content of the message that is read */
    struct arena texts;
    VEC(struct slice) strings; /* in `texts` */
    VEC(struct pprof_mapping) mappings;
    VEC(struct pprof_function) functions;
    VEC(struct pprof_symbols) locations;
    VEC(uint32_t) symbols;
    struct pprof_ids mapping_ids, function_ids, location_ids;
    struct buf name;
    struct pprof_prune prune;
    bool final; /* flamepress wrote the profile: its names need no cleaning */
};

static void tables_init(struct tables *t, struct builder *builder)
{
    *t = (struct tables){.builder = builder};
}

static void tables_release(struct tables *t)
{
    release_each(t, (pprof_ids, mapping_ids, function_ids, location_ids), (arena, texts),
                 (vec, strings, mappings, functions, locations, symbols), (buf, name),
                 (pprof_prune, prune));
}

/* Reports an error at the message that is read. Returns false. */
static bool tables_broken(const struct tables *t, const char *what)
{
    diag_add(t->builder->diag, DIAG_ERROR, DIAG_AT_BYTE(t->at), "%s", what);
    return false;
}

/* Whether the table has string number `string`; number 0 is always the empty string. */
static bool tables_has(const struct tables *t, int64_t string)
{
    return string == 0 || (string > 0 && (uint64_t)string < t->strings.count);
}

/* Returns a string that tables_has() confirmed. */
static struct slice tables_string(const struct tables *t, int64_t string)
{
    return (size_t)string < t->strings.count ? t->strings.items[string] : SLICE("");
}

/* Adds a string, mapping or function; ignores other fields. Returns false after an error. */
static bool tables_add(struct tables *t, struct pprof_proto *proto, const struct proto_field *field)
{
    struct pprof_mapping mapping;
    struct pprof_function function;

    if (field->number == PPROF_STRING) {
        *vec_add(&t->strings) = arena_copy(&t->texts, field->bytes);
    } else if (field->number == PPROF_MAPPING) {
        if (!pprof_proto_mapping(proto, field->bytes, &mapping))
            return tables_broken(t, "malformed mapping");
        pprof_ids_add(&t->mapping_ids, mapping.id);
        *vec_add(&t->mappings) = mapping;
    } else if (field->number == PPROF_FUNCTION) {
        if (!pprof_proto_function(proto, field->bytes, &function))
            return tables_broken(t, "malformed function");
        pprof_ids_add(&t->function_ids, function.id);
        *vec_add(&t->functions) = function;
    }
    return true;
}

/* ---- locations ----------------------------------------------------------------------------- */

/* Finds the function of a line, NULL if the line has none. Returns false after an error. */
static bool find_function(const struct tables *t, const struct pprof_line *line,
                          const struct pprof_function **function)
{
    uint32_t index = pprof_ids_find(&t->function_ids, line->function);
    const struct pprof_function *f;

    *function = NULL;
    if (index == PPROF_IDS_NONE)
        return !line->function ||
               tables_broken(t,
                             "a location refers to a function that the profile does not contain");
    f = &t->functions.items[index];
    if (!tables_has(t, f->name) || !tables_has(t, f->system_name) || !tables_has(t, f->file))
        return tables_broken(t, "a function refers to a string that the profile does not contain");
    *function = f;
    return true;
}

static void add_frame(struct tables *t, const struct frame *frame)
{
    struct stack_path symbols = builder_symbols(t->builder, builder_entry(t->builder, frame));

    for (uint32_t i = 0; i < symbols.count; i++)
        *vec_add(&t->symbols) = symbols.symbols[i];
}

/* Adds the frame of a location's line: its function or, without a name, its address. */
static bool add_line(struct tables *t, const struct pprof_location *location, size_t i,
                     const struct pprof_map *map)
{
    const struct pprof_line *line = &location->lines[i];
    const struct pprof_function *function;
    struct slice name = SLICE("");
    struct frame frame;

    if (!find_function(t, line, &function))
        return false;
    if (function)
        name = tables_string(t, function->name ? function->name : function->system_name);
    if (name.len) {
        frame = pprof_frame_named(t->builder->options, name, tables_string(t, function->file),
                                  line->line > 0 ? (uint64_t)line->line : 0);
        frame.module = map ? map->file : SLICE("");
        if (t->final)
            frame.kind = FRAME_ANNOTATED;
    } else {
        frame = pprof_frame_address(&t->name, map, location->address);
    }
    if (i + 1 < location->line_count)
        frame.class = SYMBOL_INLINED;
    add_frame(t, &frame);
    return true;
}

/* Whether the profile's pattern drops the function of a line. */
static bool is_dropped(struct tables *t, const struct pprof_line *line)
{
    uint32_t index = pprof_ids_find(&t->function_ids, line->function);
    int64_t name = index == PPROF_IDS_NONE ? 0 : t->functions.items[index].name;

    return tables_has(t, name) && pprof_prune_drops(&t->prune, tables_string(t, name));
}

/*
 * Adds a location with its frames; call it after all functions and mappings
 * were added. Returns false after reporting an error.
 */
static bool tables_add_location(struct tables *t, struct pprof_proto *proto, struct slice bytes)
{
    struct pprof_symbols symbols = {.first = t->symbols.count};
    struct pprof_location location;
    struct pprof_map map, *found = NULL;
    uint32_t index;

    if (!pprof_proto_location(proto, bytes, &location))
        return tables_broken(t, "malformed location");
    index = pprof_ids_find(&t->mapping_ids, location.mapping);
    if (index != PPROF_IDS_NONE) {
        const struct pprof_mapping *m = &t->mappings.items[index];

        if (!tables_has(t, m->file))
            return tables_broken(t,
                                 "a mapping refers to a string that the profile does not contain");
        map = (struct pprof_map){m->start, m->limit, m->offset, tables_string(t, m->file)};
        found = &map;
    }
    for (size_t i = location.line_count; i-- > 0;) {
        if (!symbols.pruned && is_dropped(t, &location.lines[i]))
            symbols.pruned = i + 1 == location.line_count ? PPROF_PRUNED_WHOLE : PPROF_PRUNED_BELOW;
        if (symbols.pruned == PPROF_PRUNED_BELOW)
            break;
        if (!add_line(t, &location, i, found))
            return false;
    }
    if (!location.line_count) {
        struct frame frame = pprof_frame_address(&t->name, found, location.address);

        add_frame(t, &frame);
    }
    symbols.count = t->symbols.count - symbols.first;
    pprof_ids_add(&t->location_ids, location.id);
    *vec_add(&t->locations) = symbols;
    return true;
}

/* Returns the index of the location that is the leaf after the profile's pattern was applied. */
static size_t find_leaf(const struct tables *t, const struct pprof_sample *sample)
{
    bool stays = false; /* a location nearer the root stays */

    for (size_t i = sample->location_count; i-- > 0;) {
        uint32_t index = pprof_ids_find(&t->location_ids, sample->locations[i]);
        enum pprof_pruned pruned =
            index == PPROF_IDS_NONE ? PPROF_PRUNED_NOT : t->locations.items[index].pruned;

        if (stays && pruned != PPROF_PRUNED_NOT)
            return pruned == PPROF_PRUNED_WHOLE ? i + 1 : i;
        stays |= pruned == PPROF_PRUNED_NOT;
    }
    return 0;
}

/* Makes a sample's stack the builder's current one. Returns false after reporting an error. */
static bool tables_push(struct tables *t, const struct pprof_sample *sample)
{
    struct builder *b = t->builder;

    builder_begin_leaf(b);
    for (size_t i = t->prune.drop.matcher ? find_leaf(t, sample) : 0; i < sample->location_count;
         i++) {
        uint32_t index = pprof_ids_find(&t->location_ids, sample->locations[i]);
        struct pprof_symbols location;

        if (index == PPROF_IDS_NONE)
            return tables_broken(t,
                                 "a sample refers to a location that the profile does not contain");
        location = t->locations.items[index];
        while (location.count-- > 0 && !builder_is_full(b))
            builder_push_symbol(b, t->symbols.items[location.first + location.count]);
    }
    return true;
}

/* ---- the profile --------------------------------------------------------------------------- */

/* Size of the cache of stacks, which are found by the bytes of their locations. */
enum { KNOWN = 1 << 14 };

struct pending_location {
    uint64_t at; /* its offset in the content */
    struct slice bytes;
};

struct pprof {
    struct content *content;
    struct builder builder;
    struct pprof_proto proto;
    struct pprof_columns columns;
    struct tables tables;
    struct stream stream;
    struct pprof_labels labels;
    VEC(uint32_t) label_keys; /* by string number: the key in `labels`, or MAP_NONE */
    VEC(struct pending_location) locations;
    struct multiset samples;
    VEC(uint64_t) samples_at; /* by sample: the offset of the first one */
    struct pprof_known *known;
    VEC(struct pprof_type) types;
    struct pprof_type period_type;
    int64_t period, time, duration, default_type, drop, keep;
    VEC(int64_t) comments;
    struct buf numbers; /* numeric values of the sample's labels, as text */
};

static void pprof_init(struct pprof *p, struct content *content)
{
    *p = (struct pprof){.content = content};
    builder_init(&p->builder, content->profile, content->options, content->diag);
    p->labels.options = content->options;
    pprof_proto_init(&p->proto);
    tables_init(&p->tables, &p->builder);
    p->samples.in_order = content->profile->keep_timed;
    stream_init(&p->stream, content);
    p->known = xcalloc(KNOWN, sizeof(*p->known));
}

static void pprof_release(struct pprof *p)
{
    release_each(p, (builder, builder), (pprof_proto, proto), (pprof_columns, columns),
                 (tables, tables), (pprof_labels, labels), (stream, stream), (multiset, samples));
    xfree(p->known);
    release_each(p, (vec, label_keys, locations, samples_at, types, comments), (buf, numbers));
}

/* ---- fields -------------------------------------------------------------------------------- */

static void add_comments(struct pprof *p, const struct proto_field *field)
{
    struct slice packed = field->bytes;
    uint64_t value;

    if (field->wire == PROTO_VARINT)
        *vec_add(&p->comments) = (int64_t)field->value;
    else
        while (proto_varint(&packed, &value))
            *vec_add(&p->comments) = (int64_t)value;
}

/* Returns where to store the number of a field, or NULL to ignore it. */
static int64_t *number_of(struct pprof *p, uint64_t field)
{
    switch (field) {
    case PPROF_DROP_FRAMES:
        return &p->drop;
    case PPROF_KEEP_FRAMES:
        return &p->keep;
    case PPROF_TIME:
        return &p->time;
    case PPROF_DURATION:
        return &p->duration;
    case PPROF_PERIOD:
        return &p->period;
    case PPROF_DEFAULT_TYPE:
        return &p->default_type;
    default:
        return NULL;
    }
}

static void hold_sample(struct pprof *p, struct slice bytes)
{
    if (multiset_add(&p->samples, bytes) == p->samples_at.count)
        *vec_add(&p->samples_at) = p->tables.at;
}

static void hold_location(struct pprof *p, struct slice bytes)
{
    *vec_add(&p->locations) =
        (struct pending_location){p->tables.at, arena_copy(&p->tables.texts, bytes)};
}

/* Reads a field of the profile. Samples and locations are held. */
static bool read_field(struct pprof *p, const struct proto_field *field)
{
    int64_t *number;

    if (field->number == PPROF_COMMENT) {
        add_comments(p, field);
    } else if (field->wire == PROTO_VARINT) {
        number = number_of(p, field->number);
        if (number)
            *number = (int64_t)field->value;
    } else if (field->wire == PROTO_BYTES) {
        switch (field->number) {
        case PPROF_SAMPLE_TYPE:
            return pprof_proto_type(&p->proto, field->bytes, vec_add(&p->types)) ||
                   tables_broken(&p->tables, "malformed sample type");
        case PPROF_PERIOD_TYPE:
            return pprof_proto_type(&p->proto, field->bytes, &p->period_type) ||
                   tables_broken(&p->tables, "malformed period type");
        case PPROF_SAMPLE:
            hold_sample(p, field->bytes);
            return true;
        case PPROF_LOCATION:
            hold_location(p, field->bytes);
            return true;
        default:
            return tables_add(&p->tables, &p->proto, field);
        }
    }
    return true;
}

/* Returns whether a message may be decoded: a byte becomes one number at most. */
static bool affords(const struct pprof *p, struct slice message)
{
    budget_affords(message.len * sizeof(uint64_t));
    return budget_allows(p->content->diag, DIAG_AT_FILE);
}

/* Reads the content. Returns false after reporting an error. */
static bool read_fields(struct pprof *p)
{
    struct proto_field field;

    while (proto_stream_next(&p->stream, &field)) {
        p->tables.at = stream_offset(&p->stream) - field.bytes.len;
        if (!affords(p, field.bytes) || !read_field(p, &field))
            return false;
    }
    p->tables.at = stream_offset(&p->stream);
    if (p->content->source->failed)
        return false;
    return !stream_peek(&p->stream, 1).len ||
           tables_broken(&p->tables, "the profile is truncated or damaged: incomplete field");
}

static bool read_locations(struct pprof *p)
{
    struct tables *t = &p->tables;

    if (tables_has(t, p->drop) && tables_has(t, p->keep))
        pprof_prune_init(&t->prune, tables_string(t, p->drop), tables_string(t, p->keep),
                         p->content->diag);
    vec_each (struct pending_location, location, &p->locations) {
        p->tables.at = location->at;
        if (!tables_add_location(&p->tables, &p->proto, location->bytes))
            return false;
    }
    return true;
}

/* ---- labels -------------------------------------------------------------------------------- */

/* Returns the text of a label, or its number as text. */
static struct slice label_value(struct pprof *p, const struct pprof_label *label)
{
    size_t start = p->numbers.len;

    if (label->text)
        return tables_string(&p->tables, label->text);
    buf_add_i64(&p->numbers, label->number);
    return slice_skip(buf_slice(&p->numbers), start);
}

/* Returns the key in `labels` of a label whose key is string number `string`. */
static uint32_t key_of(struct pprof *p, int64_t string)
{
    while (p->label_keys.count <= (size_t)string)
        *vec_add(&p->label_keys) = MAP_NONE;
    if (p->label_keys.items[string] == MAP_NONE)
        p->label_keys.items[string] =
            pprof_labels_key(&p->labels, tables_string(&p->tables, string));
    return p->label_keys.items[string];
}

/*
 * Reads the labels of a sample that the profile has `times` times. Those that name its process or
 * thread go into `origin` and set `*owned`. Returns false after reporting an error.
 */
static bool read_labels(struct pprof *p, const struct pprof_sample *sample, uint64_t times,
                        struct origin *origin, bool *owned)
{
    enum { DIGITS = 24 };

    buf_clear(&p->numbers);
    buf_reserve(&p->numbers, sample->label_count * DIGITS);
    for (size_t i = 0; i < sample->label_count; i++) {
        const struct pprof_label *label = &sample->labels[i];
        uint32_t key;

        if (!tables_has(&p->tables, label->key) || !tables_has(&p->tables, label->text))
            return tables_broken(&p->tables,
                                 "a label refers to a string that the profile does not contain");
        key = key_of(p, label->key);
        if (!pprof_labels_count(&p->labels, key, times))
            continue;
        pprof_labels_put(&p->labels, key, label_value(p, label), origin);
        *owned = true;
    }
    return true;
}

/* ---- samples ------------------------------------------------------------------------------- */

/* Returns the cache entry for the bytes of a list of locations. */
static struct pprof_known *place_of(struct pprof *p, struct slice locations)
{
    return &p->known[hash_bytes(locations.ptr, locations.len) % KNOWN];
}

/* Adds a sample that is not in the cache, and adds its stack to the cache. */
static bool add_new(struct pprof *p, struct pprof_sample *sample, uint64_t times,
                    const struct origin *origin)
{
    const struct read_ledger *ledger = &p->content->profile->ledger;
    uint64_t truncated = ledger->truncated;

    if (!pprof_proto_locations(&p->proto, sample))
        return tables_broken(&p->tables, "malformed sample");
    if (!tables_push(&p->tables, sample))
        return false;
    if (!pprof_columns_sample(&p->columns, &p->builder, origin, sample->values, times))
        return false;
    if (sample->packed.len && ledger->truncated == truncated)
        pprof_columns_note(&p->columns, place_of(p, sample->packed), sample->packed);
    return true;
}

/* Adds a sample that the profile has `times` times. */
static bool add_sample(struct pprof *p, struct slice bytes, uint64_t times)
{
    struct origin origin = {0};
    struct pprof_sample sample;
    const struct pprof_known *known;
    bool owned = origin_needs_tags(p->builder.options);

    if (owned)
        origin.tags = TAGS_OTHER;
    if (!pprof_proto_sample(&p->proto, bytes, &sample))
        return tables_broken(&p->tables, "malformed sample");
    if (sample.value_count != p->columns.items.count)
        return tables_broken(&p->tables,
                             "a sample's number of values differs from the number of sample types");
    p->content->profile->ledger.lines += times;
    if (sample.label_count && !read_labels(p, &sample, times, &origin, &owned))
        return false;
    known = place_of(p, sample.packed);
    if (!sample.packed.len || !slice_equal(known->text, sample.packed))
        return add_new(p, &sample, times, owned ? &origin : NULL);
    return pprof_columns_sample_at(&p->columns, &p->builder, owned ? &origin : NULL, sample.values,
                                   times, known->stack);
}

static bool add_samples(struct pprof *p)
{
    for (size_t i = 0; i < multiset_steps(&p->samples); i++) {
        uint32_t id = multiset_step(&p->samples, i);
        struct slice bytes = intern_get(&p->samples.keys, id);

        p->tables.at = p->samples_at.items[id];
        if (!affords(p, bytes) || !add_sample(p, bytes, multiset_times(&p->samples, id)))
            return false;
    }
    return true;
}

/* ---- facts --------------------------------------------------------------------------------- */

static void add_string_fact(struct pprof *p, const char *key, int64_t index)
{
    if (tables_has(&p->tables, index))
        pprof_facts_add(p->content->profile, key, tables_string(&p->tables, index));
}

static void add_times(struct pprof *p)
{
    struct profile *profile = p->content->profile;

    pprof_facts_captured(profile, p->time > 0 ? (uint64_t)p->time : 0);
    if (p->time < 0 || p->duration <= 0)
        return;
    pprof_facts_times(profile, (uint64_t)p->time, (uint64_t)p->duration);
}

static void add_period(struct pprof *p)
{
    const struct pprof_type *type = &p->period_type;
    struct slice of, unit;

    if (p->period <= 0 || !type->unit || !tables_has(&p->tables, type->name) ||
        !tables_has(&p->tables, type->unit))
        return;
    of = tables_string(&p->tables, type->name);
    unit = tables_string(&p->tables, type->unit);
    pprof_facts_period(p->content->profile, (uint64_t)p->period, unit, of);
}

/* Returns whether a comment says that flamepress wrote the profile. */
static bool is_mark(const struct pprof *p, size_t comment)
{
    int64_t string = p->comments.items[comment];

    return tables_has(&p->tables, string) &&
           slice_equal(tables_string(&p->tables, string), SLICE(FLAMEPRESS_MARK));
}

static void find_mark(struct pprof *p)
{
    for (size_t i = 0; i < p->comments.count && !p->tables.final; i++)
        p->tables.final = is_mark(p, i);
}

static void add_facts(struct pprof *p)
{
    enum { MOST_COMMENTS = 20 };
    struct buf text = {0};

    add_times(p);
    add_period(p);
    add_string_fact(p, "frames dropped", p->drop);
    add_string_fact(p, "frames kept", p->keep);
    for (size_t i = 0; i < p->comments.count && i < MOST_COMMENTS; i++)
        if (tables_has(&p->tables, p->comments.items[i]) && !is_mark(p, i))
            buf_printf(&text, "%s%.*s", text.len ? "; " : "",
                       SLICE_ARG(tables_string(&p->tables, p->comments.items[i])));
    pprof_facts_add(p->content->profile, "comment", buf_slice(&text));
    buf_release(&text);
    pprof_labels_tell(&p->labels, p->content->profile);
}

/* ---- the reader ---------------------------------------------------------------------------- */

static bool open_columns(struct pprof *p)
{
    p->tables.at = stream_offset(&p->stream);
    vec_each (struct pprof_type, type, &p->types) {
        if (!tables_has(&p->tables, type->name) || !tables_has(&p->tables, type->unit))
            return tables_broken(
                &p->tables, "a sample type refers to a string that the profile does not contain");
        pprof_columns_add(&p->columns, tables_string(&p->tables, type->name),
                          tables_string(&p->tables, type->unit), false);
    }
    if (p->default_type > 0 && tables_has(&p->tables, p->default_type))
        pprof_columns_prefer(&p->columns, tables_string(&p->tables, p->default_type));
    pprof_columns_open(&p->columns, &p->builder);
    return true;
}

static bool pprof_read(struct content *content)
{
    struct pprof p;
    bool ok;

    pprof_init(&p, content);
    ok = read_fields(&p);
    find_mark(&p);
    ok = ok && read_locations(&p) && open_columns(&p) && add_samples(&p) &&
         pprof_columns_settle(&p.columns, &p.builder);
    if (ok)
        add_facts(&p);
    pprof_release(&p);
    return ok;
}

static bool pprof_claims(const struct head *head)
{
    return pprof_proto_fits(head->bytes, head->whole);
}

const struct format format_pprof = {
    .name = "pprof",
    .family = FORMAT_GO,
    .description = "pprof's profiles, in protobuf",
    .recognised = "the fields of pprof's protobuf message, compressed or not",
    .example = "curl -o cpu.pb.gz localhost:6060/debug/pprof/profile",
    .without_stacks = "its samples have no locations; configure the profiler to record stacks",
    .claims = pprof_claims,
    .read = pprof_read,
};
