/*
 * Reader of OpenTelemetry's profiles (OTLP): in protobuf, one message or several behind their
 * lengths, and in JSON, one document or one a line. The OpenTelemetry Collector, its eBPF profiler,
 * async-profiler, Pyroscope and others write them.
 *
 * A message has tables of strings, functions, mappings, locations and stacks, which refer to each
 * other by number, and profiles: of resources (processes, services), within instrumentation
 * scopes. A profile has samples of one type; each type is a series, and so is one of another
 * sampling period. The weight of a sample is the sum of its values; without values each of its
 * times counts 1.
 *
 * The process or service is the root of its stacks; if neither has a name, the thread is, as in
 * perf's text. Attributes of resources and samples that name
 * a process, thread or CPU are the sample's origin, and all of them are labels. A location has a
 * line for each function inlined there, innermost first. Links to spans are dropped.
 *
 * Tables may come after what refers to them, so a message is held whole.
 *
 * Source: as for otlp_layout.h; opentelemetry.io/docs/specs/semconv, "process" and "profile".
 */
#include "base/arena.h"
#include "base/budget.h"
#include "input/build/addresses.h"
#include "input/build/builder.h"
#include "input/build/event_order.h"
#include "input/build/names.h"
#include "input/core/cut_off.h"
#include "input/format.h"
#include "input/formats/go/otlp_json.h"
#include "input/formats/go/otlp_layout.h"
#include "input/formats/go/pprof.h"
#include "input/parse/bytes.h"
#include "input/parse/json.h"
#include "profile/otlp.h"

/* What the value of an attribute names. */
enum role { NO_ROLE, PROCESS, PROGRAM_PATH, PID, THREAD, TID, CPU, SERVICE, CGROUP };

struct attribute {
    struct slice key, value;
    enum role role;
};

/* The builder's entries of a location, leaf first: a range of otlp.entries. */
struct place {
    bool known;
    size_t first, count;
};

/* The stack of the profile that a stack of the table is below a root. */
struct known_stack {
    bool known;
    uint32_t root, stack;
};

/* A type of samples, by its name and unit. */
struct sample_type {
    uint64_t period;
    struct slice period_of, name, event; /* in `kept` */
};

struct numbers VEC_OF(uint64_t);

/* A type as the file states it, in numbers of strings. */
struct otlp_type {
    uint64_t name, unit;
};

/* A type of a profile's samples. */
struct column {
    struct slice event;
    struct unit unit;
};

/* The profile that is read. */
struct otlp_profile {
    VEC(struct otlp_type) types; /* one, or those of an older layout */
    VEC(struct column) columns;  /* by type */
    struct otlp_type period_of;
    uint64_t period, time, duration;
    struct numbers locations, attributes;
};

struct otlp {
    struct content *content;
    struct builder b;
    const struct otlp_layout *layout;
    VEC(struct slice) tables[OTLP_TABLES];
    VEC(struct attribute) attributes; /* of the table */
    VEC(struct place) places;         /* by location */
    VEC(uint32_t) entries;
    VEC(struct known_stack) stacks; /* by stack */
    struct arena texts;             /* of the message */
    VEC(struct attribute) resource; /* its attributes */
    struct otlp_profile profile;
    struct numbers values, indices, times; /* of the sample */
    bool final;                            /* flamepress wrote the profiles of the scope */
    enum role root; /* of the scope's attributes, if `final`; NO_ROLE if stacks have no root */
    struct intern types;
    VEC(struct sample_type) sample_types; /* by type */
    struct addresses addresses;
    struct arena kept;
    struct buf name;
    bool dated;
};

static void release_profile(struct otlp_profile *r)
{
    release_each(r, (vec, types, columns, locations, attributes));
}

static void otlp_release(struct otlp *o)
{
    for (size_t i = 0; i < OTLP_TABLES; i++)
        vec_release(&o->tables[i]);
    release_profile(&o->profile);
    release_each(o, (builder, b), (vec, attributes, places, entries, stacks, resource),
                 (vec, values, indices, times, sample_types), (arena, texts, kept), (buf, name),
                 (intern, types), (addresses, addresses));
}

/* ---- fields -------------------------------------------------------------------------------- */

static uint64_t number_of(const struct proto_field *f)
{
    struct bytes b = bytes_make_little(f->bytes);

    if (f->wire == PROTO_VARINT)
        return f->value;
    return f->wire == PROTO_FIXED64 ? bytes_u64(&b) : 0;
}

/* Adds the number of a field, or those of a packed list of varints or of 64 bits. */
static void add_numbers(struct numbers *n, const struct proto_field *f, bool fixed)
{
    struct bytes b = bytes_make_little(f->bytes);
    uint64_t value;

    if (f->wire != PROTO_BYTES)
        *vec_add(n) = number_of(f);
    else if (fixed)
        while (b.rest.len >= sizeof(value))
            *vec_add(n) = bytes_u64(&b);
    else
        while (proto_varint(&b.rest, &value))
            *vec_add(n) = value;
}

/* Reports a reference to an entry that a table does not have. */
static void tell_missing(struct otlp *o, const char *what, uint64_t number)
{
    o->content->profile->ledger.unreadable++;
    diag_warn(o->content->diag, "%s %llu is not in its table", what, (unsigned long long)number);
}

/* Entry `number` of a table. The entry 0 of a newer layout, and one that is missing, are empty. */
static struct slice entry_of(struct otlp *o, enum otlp_table table, uint64_t number)
{
    static const char *const names[OTLP_TABLES] = {"mapping", "location",  "function", "link",
                                                   "string",  "attribute", "stack"};

    if (number < o->tables[table].count)
        return o->tables[table].items[number];
    if (number || !o->layout->modern)
        tell_missing(o, names[table], number);
    return SLICE("");
}

static struct slice string_of(struct otlp *o, uint64_t number)
{
    return number < o->tables[OTLP_STRINGS].count || number ? entry_of(o, OTLP_STRINGS, number)
                                                            : SLICE("");
}

/* ---- attributes ---------------------------------------------------------------------------- */

static enum role role_of(struct slice key)
{
    static const struct {
        struct slice key;
        enum role role;
    } roles[] = {
        {{"process.executable.name", 23}, PROCESS},
        {{"process.executable.path", 23}, PROGRAM_PATH},
        {{"process.pid", 11}, PID},
        {{"thread.name", 11}, THREAD},
        {{"thread.id", 9}, TID},
        {{"cpu.logical_number", 18}, CPU},
        {{"service.name", 12}, SERVICE},
        {{OTLP_CGROUP, sizeof(OTLP_CGROUP) - 1}, CGROUP},
    };

    for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
        if (slice_equal(roles[i].key, key))
            return roles[i].role;
    return NO_ROLE;
}

/* The text of an AnyValue; arrays and lists have none. */
static struct slice text_of_value(struct otlp *o, struct slice bytes)
{
    enum { STRING = 1, BOOL, INT, STRING_INDEX = 8 };
    struct proto_field f;

    while (proto_next(&bytes, &f)) {
        if (f.number == STRING && f.wire == PROTO_BYTES)
            return f.bytes;
        if (f.number == STRING_INDEX)
            return string_of(o, number_of(&f));
        if (f.number == BOOL)
            return number_of(&f) ? SLICE("true") : SLICE("false");
        if (f.number == INT)
            return slice_str(arena_printf(&o->texts, "%lld", (long long)number_of(&f)));
    }
    return SLICE("");
}

/* Reads an attribute, whose key is a text or the number of a string, here or in field 3. */
static struct attribute read_attribute(struct otlp *o, struct slice bytes)
{
    enum { KEY = 1, VALUE, KEY_OR_UNIT };
    struct attribute a = {0};
    bool named = false;
    struct proto_field f;

    while (proto_next(&bytes, &f)) {
        if (f.number == KEY) {
            a.key = f.wire == PROTO_BYTES ? f.bytes : string_of(o, number_of(&f));
            named = true;
        } else if (f.number == VALUE && f.wire == PROTO_BYTES) {
            a.value = text_of_value(o, f.bytes);
        } else if (f.number == KEY_OR_UNIT && !named) {
            a.key = string_of(o, number_of(&f));
        }
    }
    a.role = role_of(a.key);
    return a;
}

static void take_attribute(const struct otlp *o, const struct attribute *a, struct origin *origin,
                           struct slice *owner)
{
    struct slice *const places[] = {
        [PID] = &origin->pid, [THREAD] = &origin->thread, [TID] = &origin->tid,
        [CPU] = &origin->cpu, [SERVICE] = owner,          [CGROUP] = &origin->cgroup,
    };

    if (a->role == PROCESS || (a->role == PROGRAM_PATH && !origin->process.len))
        origin->process = a->role == PROCESS ? a->value : names_module_base(a->value);
    else if (a->role > PROGRAM_PATH)
        *places[a->role] = a->value;
    if (origin_needs_tags(o->b.options))
        origin_take_tag(origin, o->b.options, a->key, a->value);
}

/* ---- locations ----------------------------------------------------------------------------- */

/* Fields of a location. */
enum { LOCATION_MAPPING = 1, LOCATION_ADDRESS, LOCATION_LINES };

struct location {
    uint64_t mapping, address;
    struct slice build_id; /* of the mapping's file, in hexadecimal */
    bool mapped;
    struct slice type; /* of its frames: "kernel", "jvm" */
    size_t lines;
};

/* How names of a type of frames are read; the others are as written. */
static enum frame_kind kind_of(struct slice type, struct slice file)
{
    static const struct {
        struct slice type;
        enum frame_kind kind;
    } kinds[] = {
        {{"native", 6}, FRAME_NATIVE}, {{"kernel", 6}, FRAME_NATIVE}, {{"go", 2}, FRAME_NATIVE},
        {{"rust", 4}, FRAME_NATIVE},   {{"jvm", 3}, FRAME_JAVA},
    };

    if (!type.len)
        return frame_kind_of(file);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (slice_equal(kinds[i].type, type))
            return kinds[i].kind;
    return FRAME_PLAIN;
}

static struct pprof_map read_mapping(struct otlp *o, uint64_t number, struct slice *build_id)
{
    enum { START = 1, LIMIT, OFFSET, FILE_NAME, ATTRIBUTES };
    struct slice bytes = entry_of(o, OTLP_MAPPINGS, number);
    struct numbers attributes = {0};
    struct pprof_map map = {0};
    struct proto_field f;

    while (proto_next(&bytes, &f)) {
        if (f.number == START)
            map.start = number_of(&f);
        else if (f.number == LIMIT)
            map.limit = number_of(&f);
        else if (f.number == OFFSET)
            map.offset = number_of(&f);
        else if (f.number == FILE_NAME)
            map.file = string_of(o, number_of(&f));
        else if (f.number == ATTRIBUTES)
            add_numbers(&attributes, &f, false);
    }
    vec_each (const uint64_t, index, &attributes)
        if (*index < o->attributes.count &&
            slice_equal(o->attributes.items[*index].key, SLICE("process.executable.build_id.gnu")))
            *build_id = o->attributes.items[*index].value;
    vec_release(&attributes);
    return map;
}

/* Reads a location but for its lines, which are counted. */
static struct location read_location(struct otlp *o, struct slice bytes)
{
    struct numbers attributes = {0};
    struct location l = {0};
    struct proto_field f;

    while (proto_next(&bytes, &f)) {
        if (f.number == LOCATION_MAPPING) {
            l.mapping = number_of(&f);
            l.mapped = l.mapping || !o->layout->modern;
        } else if (f.number == LOCATION_ADDRESS) {
            l.address = number_of(&f);
        } else if (f.number == LOCATION_LINES && f.wire == PROTO_BYTES) {
            l.lines++;
        } else if (f.number == o->layout->location_attributes) {
            add_numbers(&attributes, &f, false);
        }
    }
    vec_each (const uint64_t, index, &attributes)
        if (*index < o->attributes.count &&
            slice_equal(o->attributes.items[*index].key, SLICE("profile.frame.type")))
            l.type = o->attributes.items[*index].value;
    vec_release(&attributes);
    return l;
}

/* Sets name, file and line. A line without a function has none. */
static void read_line(struct otlp *o, struct slice bytes, struct frame *frame)
{
    enum { FUNCTION = 1, LINE, NAME = 1, SYSTEM_NAME, FILE_NAME };
    struct slice function, system_name = {0};
    uint64_t number = 0, line = 0;
    struct proto_field f;

    while (proto_next(&bytes, &f)) {
        if (f.number == FUNCTION)
            number = number_of(&f);
        else if (f.number == LINE)
            line = number_of(&f);
    }
    function = entry_of(o, OTLP_FUNCTIONS, number);
    frame->line = line <= INT64_MAX ? line : 0;
    while (proto_next(&function, &f)) {
        if (f.number == NAME)
            frame->name = string_of(o, number_of(&f));
        else if (f.number == SYSTEM_NAME)
            system_name = string_of(o, number_of(&f));
        else if (f.number == FILE_NAME)
            frame->file = string_of(o, number_of(&f));
    }
    if (!frame->name.len)
        frame->name = system_name;
}

/*
 * The name of an address in the binary of its mapping: one in the range of the mapping is in
 * memory, and any other counts as the binary does.
 */
static struct slice name_of_address(struct otlp *o, const struct location *l,
                                    const struct pprof_map *map)
{
    bool in_memory = map->limit && l->address >= map->start && l->address < map->limit;
    struct addresses_binary binary = {.path = map->file, .code = pprof_map_part(map)};

    if (!map->file.len || o->b.options->names == NAMES_REFERENCE ||
        slice_equal(l->type, SLICE("kernel")))
        return SLICE("");
    buf_clear(&o->name);
    addresses_add_id(&o->name, l->build_id);
    binary.build_id = buf_slice(&o->name);
    return addresses_find(
        &o->addresses, &binary, in_memory && map->start ? ADDRESSES_OFFSET : ADDRESSES_VIRTUAL,
        in_memory && map->start ? l->address - map->start + map->offset : l->address);
}

static void add_entry(struct otlp *o, const struct location *l, const struct pprof_map *map,
                      struct frame frame, bool inlined)
{
    bool kernel = slice_equal(l->type, SLICE("kernel"));

    if (!frame.name.len && map && l->address)
        frame.name = name_of_address(o, l, map);
    if (frame.name.len) {
        frame.kind =
            o->b.options->names == NAMES_REFERENCE ? FRAME_PLAIN : kind_of(l->type, frame.file);
        if (o->final)
            frame.kind = FRAME_ANNOTATED;
        frame.module = map ? map->file : SLICE("");
    } else {
        frame = pprof_frame_address(&o->name, map, l->address);
    }
    if (kernel || inlined)
        frame.class = kernel ? SYMBOL_KERNEL : SYMBOL_INLINED;
    frame.has_class = kernel;
    *vec_add(&o->entries) = builder_entry(&o->b, &frame);
}

/* Returns the entries of a location, which are made when it is first met. */
static const struct place *place_of(struct otlp *o, uint64_t number)
{
    struct place *place = &o->places.items[number];
    struct slice bytes = o->tables[OTLP_LOCATIONS].items[number];
    struct pprof_map map;
    struct location l;
    struct proto_field f;
    size_t line = 0;

    if (place->known)
        return place;
    *place = (struct place){.known = true, .first = o->entries.count};
    l = read_location(o, bytes);
    if (l.mapped)
        map = read_mapping(o, l.mapping, &l.build_id);
    while (l.lines && proto_next(&bytes, &f)) {
        struct frame frame = {0};

        if (f.number != LOCATION_LINES || f.wire != PROTO_BYTES)
            continue;
        read_line(o, f.bytes, &frame);
        add_entry(o, &l, l.mapped ? &map : NULL, frame, ++line < l.lines);
    }
    if (!l.lines)
        add_entry(o, &l, l.mapped ? &map : NULL, (struct frame){0}, false);
    place->count = o->entries.count - place->first;
    return place;
}

/* ---- stacks -------------------------------------------------------------------------------- */

static void push_location(struct otlp *o, uint64_t number)
{
    const struct place *place;

    if (number >= o->places.count) {
        entry_of(o, OTLP_LOCATIONS, number);
        builder_name(&o->b, SLICE(""), FRAME_PLAIN);
        return;
    }
    place = place_of(o, number);
    for (size_t i = 0; i < place->count && !builder_is_full(&o->b); i++)
        builder_push(&o->b, o->entries.items[place->first + i]);
}

/* Pushes the locations of stack `number` of the table. */
static void push_stack(struct otlp *o, uint64_t number)
{
    struct slice bytes = entry_of(o, OTLP_STACKS, number);
    struct proto_field f;

    vec_clear(&o->indices);
    while (proto_next(&bytes, &f))
        if (f.number == 1)
            add_numbers(&o->indices, &f, false);
    vec_each (const uint64_t, location, &o->indices)
        push_location(o, *location);
}

/* The fields of a sample that say where it was. */
struct where {
    uint64_t stack, start, length;
};

static bool find_stack(struct otlp *o, const struct where *where, uint32_t root, uint32_t *stack)
{
    struct known_stack *known = NULL;

    if (o->layout->modern && where->stack < o->stacks.count)
        known = &o->stacks.items[where->stack];
    if (known && known->known && known->root == root) {
        *stack = known->stack;
        return true;
    }
    builder_begin(&o->b);
    if (root != MAP_NONE)
        builder_push(&o->b, root);
    builder_leaf_first(&o->b);
    if (o->layout->modern)
        push_stack(o, where->stack);
    for (uint64_t i = 0; i < where->length && !o->layout->modern; i++) {
        if (where->start >= o->profile.locations.count ||
            i >= o->profile.locations.count - where->start) {
            tell_missing(o, "location of a profile's list", where->start + i);
            break;
        }
        push_location(o, o->profile.locations.items[where->start + i]);
    }
    if (!builder_stack(&o->b, stack))
        return false;
    if (known)
        *known = (struct known_stack){true, root, *stack};
    return true;
}

/* ---- types --------------------------------------------------------------------------------- */

/* The name of a type, with the unit if a type before it has the same name and another unit. */
static struct slice name_type(struct otlp *o, struct slice name, struct slice unit)
{
    bool taken = false;

    vec_each (const struct sample_type, type, &o->sample_types)
        taken |= slice_equal(type->name, name);
    if (!taken)
        return arena_copy(&o->kept, name);
    return slice_str(arena_printf(&o->kept, "%.*s (%.*s)", SLICE_ARG(name), SLICE_ARG(unit)));
}

/* The event of a type; that of a second sampling period has the period in its name. */
static struct slice event_of(struct otlp *o, struct slice name, struct slice unit)
{
    struct slice of = string_of(o, o->profile.period_of.name);
    struct sample_type *known;
    uint32_t id;

    buf_clear(&o->name);
    buf_printf(&o->name, "%.*s/%.*s", SLICE_ARG(name), SLICE_ARG(unit));
    id = intern_add(&o->types, buf_slice(&o->name));
    if (id == o->sample_types.count) {
        struct sample_type type = {o->profile.period, arena_copy(&o->kept, of),
                                   arena_copy(&o->kept, name), name_type(o, name, unit)};

        *vec_add(&o->sample_types) = type;
    }
    known = &o->sample_types.items[id];
    if (known->period == o->profile.period && slice_equal(known->period_of, of))
        return known->event;
    buf_clear(&o->name);
    buf_printf(&o->name, "%.*s (", SLICE_ARG(known->event));
    pprof_facts_write_period(&o->name, o->profile.period, string_of(o, o->profile.period_of.unit),
                             of);
    buf_add_char(&o->name, ')');
    return arena_copy(&o->texts, buf_slice(&o->name));
}

/* Resolves the types of a profile; without one, its samples have no name and no unit. */
static void make_columns(struct otlp *o)
{
    vec_clear(&o->profile.columns);
    if (!o->profile.types.count)
        *vec_add(&o->profile.types) = (struct otlp_type){0};
    vec_each (const struct otlp_type, type, &o->profile.types) {
        struct slice name = string_of(o, type->name), unit = string_of(o, type->unit);

        *vec_add(&o->profile.columns) =
            (struct column){event_of(o, name, unit), pprof_value_unit(name, unit)};
    }
}

/* ---- samples ------------------------------------------------------------------------------- */

static void note_times(struct otlp *o, uint32_t series)
{
    struct profile *p = o->content->profile;

    if (series == BUILDER_LEFT_OUT)
        return;
    if ((o->profile.time || !o->times.count) && o->profile.duration <= INT64_MAX &&
        (o->profile.time || o->profile.duration)) {
        profile_add_time(p, series, o->profile.time);
        profile_add_time(p, series, o->profile.time + o->profile.duration);
    }
    vec_each (const uint64_t, time, &o->times)
        profile_add_time(p, series, *time);
}

/* Adds each observation of a sample with its time. */
static bool add_timed(struct otlp *o, uint32_t series, uint32_t stack)
{
    for (size_t i = 0; i < o->times.count; i++) {
        const struct pprof_value v = {
            .series = series,
            .value = o->values.count ? (int64_t)o->values.items[i] : 1,
            .samples = 1,
        };

        builder_set_time(&o->b, series, (int64_t)o->times.items[i]);
        if (!pprof_value_add(&o->b, stack, &v))
            return false;
    }
    return true;
}

/* The samples that a sum of values stands for; 0 if that is not known. */
static uint64_t samples_in(const struct otlp *o, const struct unit *unit, int64_t value)
{
    if (o->times.count)
        return o->times.count;
    return unit_is_samples(unit) && value > 0 ? (uint64_t)value : 0;
}

/* Adds the values from `first` to before `end` as one weight of a type. */
static bool add_values(struct otlp *o, size_t type, struct origin *origin, uint32_t stack,
                       size_t first, size_t end)
{
    const struct column *column = &o->profile.columns.items[type];
    int64_t sum = first == end ? (int64_t)o->times.count : 0;
    uint32_t series;

    origin->event = column->event;
    series = builder_series(&o->b, origin, column->unit);
    note_times(o, series);
    if (o->content->profile->keep_timed && o->times.count &&
        (first == end || (o->layout->modern && end - first == o->times.count)))
        return add_timed(o, series, stack);
    for (size_t i = first; i < end; i++)
        if (__builtin_add_overflow(sum, (int64_t)o->values.items[i], &sum))
            return diag_error(o->content->diag, PROFILE_TOO_HEAVY);
    return !sum || pprof_value_add(&o->b, stack,
                                   &(struct pprof_value){
                                       .series = series,
                                       .value = sum,
                                       .samples = samples_in(o, &column->unit, sum),
                                   });
}

/* The root of a sample's stack: its process, service, thread or number of a process. */
static uint32_t root_of(struct otlp *o, const struct origin *origin, struct slice service)
{
    struct frame f = {.name = origin->process.len ? origin->process : service, .kind = FRAME_OWNER};

    if (o->final)
        f.name = o->root == PROCESS ? origin->process : SLICE("");
    if (o->final ? o->root == THREAD : !f.name.len)
        f.name = origin->thread;
    if (!o->final && !f.name.len && origin->pid.len)
        f.name = slice_str(arena_printf(&o->texts, "pid %.*s", SLICE_ARG(origin->pid)));
    return f.name.len ? builder_entry(&o->b, &f) : MAP_NONE;
}

static void read_sample_field(struct otlp *o, const struct proto_field *f, struct where *where,
                              struct numbers *attributes)
{
    const struct otlp_layout *l = o->layout;

    if (f->number == l->sample.values)
        add_numbers(&o->values, f, false);
    else if (f->number == l->sample.attributes)
        add_numbers(attributes, f, false);
    else if (f->number == l->sample.timestamps)
        add_numbers(&o->times, f, l->modern);
    else if (l->modern && f->number == l->sample.stack)
        where->stack = number_of(f);
    else if (!l->modern && f->number == l->sample.start)
        where->start = number_of(f);
    else if (!l->modern && f->number == l->sample.length)
        where->length = number_of(f);
}

/* Sets the origin of a sample from the attributes of its resource and its own, in o->indices. */
static uint32_t read_origin(struct otlp *o, struct origin *origin)
{
    struct slice service = {0};

    origin->tags = origin_needs_tags(o->b.options) ? TAGS_OTHER : TAGS_UNKNOWN;
    vec_each (const struct attribute, a, &o->resource)
        take_attribute(o, a, origin, &service);
    vec_each (const uint64_t, index, &o->indices) {
        if (*index < o->attributes.count)
            take_attribute(o, &o->attributes.items[*index], origin, &service);
        else
            tell_missing(o, "attribute", *index);
    }
    return root_of(o, origin, service);
}

static bool read_sample(struct otlp *o, struct slice bytes)
{
    struct origin origin = {0};
    struct where where = {0};
    struct proto_field f;
    uint32_t root, stack;

    vec_clear(&o->values);
    vec_clear(&o->indices);
    vec_clear(&o->times);
    while (proto_next(&bytes, &f))
        read_sample_field(o, &f, &where, &o->indices);
    o->content->profile->ledger.lines++;
    root = read_origin(o, &origin);
    if (!find_stack(o, &where, root, &stack))
        return false;
    if (o->layout->modern || !o->values.count)
        return add_values(o, 0, &origin, stack, 0, o->values.count);
    for (size_t i = 0; i < o->values.count; i++) {
        if (i >= o->profile.types.count) {
            tell_missing(o, "type of a value", i);
            break;
        }
        if (!add_values(o, i, &origin, stack, i, i + 1))
            return false;
    }
    return true;
}

/* ---- profiles ------------------------------------------------------------------------------ */

static struct otlp_type read_type(struct slice bytes)
{
    struct otlp_type type = {0};
    struct proto_field f;

    while (proto_next(&bytes, &f)) {
        if (f.number == 1)
            type.name = number_of(&f);
        else if (f.number == 2)
            type.unit = number_of(&f);
    }
    return type;
}

static void clear_tables(struct otlp *o)
{
    for (size_t i = 0; i < OTLP_TABLES; i++)
        vec_clear(&o->tables[i]);
    vec_clear(&o->attributes);
    vec_clear(&o->places);
    vec_clear(&o->entries);
    vec_clear(&o->stacks);
}

static void add_to_table(struct otlp *o, const struct proto_field *f)
{
    for (size_t i = 0; i < OTLP_TABLES && f->wire == PROTO_BYTES; i++)
        if (f->number == o->layout->tables[i])
            *vec_add(&o->tables[i]) = f->bytes;
}

/* All entries of the tables are there. */
static void finish_tables(struct otlp *o)
{
    vec_each (const struct slice, bytes, &o->tables[OTLP_ATTRIBUTES])
        *vec_add(&o->attributes) = read_attribute(o, *bytes);
    for (size_t i = 0; i < o->tables[OTLP_LOCATIONS].count; i++)
        *vec_add(&o->places) = (struct place){0};
    for (size_t i = 0; i < o->tables[OTLP_STACKS].count; i++)
        *vec_add(&o->stacks) = (struct known_stack){0};
}

static void read_profile_field(struct otlp *o, const struct proto_field *f)
{
    const struct otlp_layout *l = o->layout;
    struct otlp_profile *r = &o->profile;

    if (f->number == l->profile.type && f->wire == PROTO_BYTES)
        *vec_add(&r->types) = read_type(f->bytes);
    else if (f->number == l->profile.period_type && f->wire == PROTO_BYTES)
        r->period_of = read_type(f->bytes);
    else if (f->number == l->profile.time)
        r->time = number_of(f);
    else if (f->number == l->profile.duration)
        r->duration = number_of(f);
    else if (f->number == l->profile.period)
        r->period = number_of(f);
    else if (l->profile.locations && f->number == l->profile.locations)
        add_numbers(&r->locations, f, false);
    else if (l->profile.attributes && f->number == l->profile.attributes)
        add_numbers(&r->attributes, f, false);
}

static void add_profile_facts(struct otlp *o)
{
    struct profile *p = o->content->profile;

    if (o->dated)
        return;
    o->dated = true;
    vec_each (const uint64_t, index, &o->profile.attributes)
        if (o->final && *index < o->attributes.count)
            profile_add_fact(p, o->attributes.items[*index].key, o->attributes.items[*index].value);
    pprof_facts_captured(p, o->profile.time);
    if (o->profile.period && o->profile.period <= INT64_MAX && o->profile.period_of.unit)
        pprof_facts_period(p, o->profile.period, string_of(o, o->profile.period_of.unit),
                           string_of(o, o->profile.period_of.name));
}

static bool read_profile(struct otlp *o, struct slice bytes)
{
    struct slice rest = bytes;
    struct proto_field f;

    vec_clear(&o->profile.types);
    vec_clear(&o->profile.locations);
    vec_clear(&o->profile.attributes);
    o->profile.period_of = (struct otlp_type){0};
    o->profile.period = o->profile.time = o->profile.duration = 0;
    budget_affords(bytes.len * sizeof(uint64_t));
    if (!budget_allows(o->content->diag, DIAG_AT_FILE))
        return false;
    if (o->layout->place == OTLP_IN_PROFILE)
        clear_tables(o);
    while (proto_next(&rest, &f)) {
        read_profile_field(o, &f);
        if (o->layout->place == OTLP_IN_PROFILE)
            add_to_table(o, &f);
    }
    if (o->layout->place == OTLP_IN_PROFILE)
        finish_tables(o);
    make_columns(o);
    add_profile_facts(o);
    while (proto_next(&bytes, &f))
        if (f.number == o->layout->profile.samples && f.wire == PROTO_BYTES &&
            !read_sample(o, f.bytes))
            return false;
    return true;
}

/* ---- messages ------------------------------------------------------------------------------ */

static void read_resource(struct otlp *o, struct slice bytes)
{
    struct proto_field f, attribute;

    vec_clear(&o->resource);
    while (proto_next(&bytes, &f)) {
        if (f.number != OTLP_RESOURCE || f.wire != PROTO_BYTES)
            continue;
        while (proto_next(&f.bytes, &attribute))
            if (attribute.number == 1 && attribute.wire == PROTO_BYTES)
                *vec_add(&o->resource) = read_attribute(o, attribute.bytes);
    }
}

/* Entries of tables depend on who wrote them. */
static void set_final(struct otlp *o, bool final)
{
    if (o->final == final)
        return;
    o->final = final;
    vec_each (struct place, place, &o->places)
        place->known = false;
    vec_each (struct known_stack, stack, &o->stacks)
        stack->known = false;
}

/* Finds out whether flamepress wrote the profiles of a scope, and what roots their stacks have. */
static void read_scope(struct otlp *o, struct slice bytes)
{
    enum { NAME = 1, ATTRIBUTES = 3 };
    struct proto_field info, f;
    bool final = false;

    o->root = NO_ROLE;
    while (proto_next(&bytes, &info)) {
        if (info.number != OTLP_SCOPE_INFO || info.wire != PROTO_BYTES)
            continue;
        while (proto_next(&info.bytes, &f)) {
            if (f.number == NAME && f.wire == PROTO_BYTES &&
                slice_equal(f.bytes, SLICE(OTLP_SCOPE)))
                final = true;
            else if (f.number == ATTRIBUTES && f.wire == PROTO_BYTES) {
                struct attribute a = read_attribute(o, f.bytes);

                if (slice_equal(a.key, SLICE(OTLP_ROOT)))
                    o->root = role_of(a.value);
            }
        }
    }
    set_final(o, final);
}

static bool read_resource_profiles(struct otlp *o, struct slice bytes)
{
    struct proto_field scope, profile;

    read_resource(o, bytes);
    while (proto_next(&bytes, &scope)) {
        if (scope.number != OTLP_SCOPES || scope.wire != PROTO_BYTES)
            continue;
        read_scope(o, scope.bytes);
        while (proto_next(&scope.bytes, &profile))
            if (profile.number == OTLP_PROFILES && profile.wire == PROTO_BYTES &&
                !read_profile(o, profile.bytes))
                return false;
    }
    return true;
}

static void read_tables(struct otlp *o, struct slice message)
{
    struct proto_field f, entry;

    clear_tables(o);
    while (proto_next(&message, &f)) {
        if (o->layout->place == OTLP_IN_FILE)
            add_to_table(o, &f);
        if (o->layout->place != OTLP_IN_DICTIONARY || f.number != OTLP_DICTIONARY ||
            f.wire != PROTO_BYTES)
            continue;
        while (proto_next(&f.bytes, &entry))
            add_to_table(o, &entry);
    }
    finish_tables(o);
}

static bool read_message(struct otlp *o, struct slice message)
{
    struct proto_field f;

    arena_release(&o->texts);
    read_tables(o, message);
    while (proto_next(&message, &f))
        if (f.number == OTLP_RESOURCES && f.wire == PROTO_BYTES &&
            !read_resource_profiles(o, f.bytes))
            return false;
    if (message.len)
        cut_off(o->content, DIAG_AT_FILE,
                "the message is truncated or damaged; what is before is drawn");
    return true;
}

/* ---- the reader ---------------------------------------------------------------------------- */

static bool read_protobuf(struct otlp *o)
{
    struct otlp_messages messages = {0};
    struct buf bytes = {0};
    bool ok = content_load(o->content, &bytes);

    if (ok && !otlp_layout_split(buf_slice(&bytes), &messages))
        cut_off(o->content, DIAG_AT_FILE,
                "the last message is not as long as its length says; the file may be truncated");
    if (ok)
        o->layout = otlp_layout_of(&messages);
    vec_each (const struct slice, message, &messages)
        ok = ok && read_message(o, *message);
    vec_release(&messages);
    buf_release(&bytes);
    return ok;
}

static bool take_document(void *context, struct slice parent, const struct json_value *v,
                          uint64_t at)
{
    struct otlp *o = context;
    struct buf bytes = {0};
    uint64_t bad = otlp_json_encode(v, &bytes);
    bool ok = read_message(o, buf_slice(&bytes));

    (void)parent;
    (void)at;
    builder_unreadable(&o->b, bad, "value of another type than its key's");
    buf_release(&bytes);
    return ok;
}

static bool otlp_read(struct content *content)
{
    struct otlp o = {.content = content, .layout = &otlp_layout_newest};
    struct json_handler handler = {.context = &o, .whole_documents = true, .value = take_document};
    bool ok;

    builder_init(&o.b, content->profile, content->options, content->diag);
    addresses_init(&o.addresses, content->options, content->diag);
    ok = content->head->is_json ? json_read(content, &handler) : read_protobuf(&o);
    addresses_report(&o.addresses, content->profile);
    if (!o.final)
        event_order_by_name(content->profile);
    otlp_release(&o);
    return ok;
}

static bool otlp_claims(const struct head *head)
{
    if (head->is_json)
        return head_has_any(head, "resourceProfiles", "resource_profiles", "dictionary.stringTable",
                            "dictionary.string_table", "dictionary.mappingTable",
                            "dictionary.mapping_table");
    return otlp_layout_fits(head->bytes, head->whole);
}

const struct format format_otlp = {
    .name = "otlp",
    .family = FORMAT_GO,
    .description = "OpenTelemetry's profiles (OTLP), in protobuf or JSON",
    .recognised = "the messages of ProfilesData, also behind their lengths; 'resourceProfiles'",
    .example = "asprof -d 30 -o otlp -f app.otlp PID",
    .without_stacks = "its samples have no stacks; configure the profiler to record them",
    .claims = otlp_claims,
    .read = otlp_read,
};
