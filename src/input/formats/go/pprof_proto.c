#include "input/formats/go/pprof_proto.h"

#include <protobuf-c/protobuf-c.h>
#include <stddef.h>
#include <stdlib.h>

/* ---- recognition --------------------------------------------------------------------------- */

/* The wire types of a message's fields: 'v' varint, 'b' bytes, '*' either. */
struct shape {
    const char *wires;         /* of fields 1, 2, ... */
    const struct shape *inner; /* of the bytes of field `inner_number` */
    unsigned inner_number;
};

static const struct shape shape_type = {"vv", NULL, 0};
static const struct shape shape_label = {"vvvv", NULL, 0};
static const struct shape shape_sample = {"**b", &shape_label, 3};
static const struct shape shape_mapping = {"vvvvvvvvvv", NULL, 0};
static const struct shape shape_line = {"vvv", NULL, 0};
static const struct shape shape_location = {"vvvbv", &shape_line, 4};
static const struct shape shape_function = {"vvvvv", NULL, 0};
static const struct shape shape_profile = {"bbbbbbvvvvbv*vv", NULL, 0};

static const struct shape *const shapes_of_profile[] = {
    [PPROF_SAMPLE_TYPE] = &shape_type,
    [PPROF_SAMPLE] = &shape_sample,
    [PPROF_MAPPING] = &shape_mapping,
    [PPROF_LOCATION] = &shape_location,
    [PPROF_FUNCTION] = &shape_function,
    [PPROF_PERIOD_TYPE] = &shape_type,
    [PPROF_DOC_URL] = NULL,
};

static bool field_fits(const struct shape *shape, const struct proto_field *field)
{
    char wire;

    if (field->number > strlen(shape->wires))
        return false;
    wire = shape->wires[field->number - 1];
    return (field->wire == PROTO_VARINT && wire != 'b') ||
           (field->wire == PROTO_BYTES && wire != 'v');
}

/* Whether `bytes` are a complete message of that shape, including its inner messages. */
static bool message_fits(const struct shape *shape, struct slice bytes)
{
    struct proto_field field, part;

    while (proto_next(&bytes, &field)) {
        if (!field_fits(shape, &field))
            return false;
        if (shape->inner && field.number == shape->inner_number) {
            while (proto_next(&field.bytes, &part))
                if (!field_fits(shape->inner, &part))
                    return false;
            if (field.bytes.len)
                return false;
        }
    }
    return bytes.len == 0;
}

/* Whether `rest` is the start of a truncated field of that shape. */
static bool cut_fits(const struct shape *shape, struct slice rest)
{
    enum { LONGEST_KEY = 12 };
    struct proto_field field;
    uint64_t len;

    return (proto_key(&rest, &field, &len) && field_fits(shape, &field)) || rest.len < LONGEST_KEY;
}

/* Whether `rest` is the start of a truncated message field of the profile. */
static bool cut_message_fits(struct slice rest)
{
    const struct shape *shape;
    struct proto_field field;
    uint64_t len;

    if (!proto_key(&rest, &field, &len) || !field_fits(&shape_profile, &field))
        return false;
    shape = shapes_of_profile[field.number];
    while (shape && proto_next(&rest, &field))
        if (!field_fits(shape, &field))
            return false;
    return shape && cut_fits(shape, rest);
}

bool pprof_proto_fits(struct slice bytes, bool whole)
{
    enum { EVIDENCE = 4 };
    size_t messages = 0, strings = 0;
    struct proto_field field;
    const struct shape *shape;

    while (proto_next(&bytes, &field)) {
        if (!field_fits(&shape_profile, &field))
            return false;
        shape = shapes_of_profile[field.number];
        if (shape && !message_fits(shape, field.bytes))
            return false;
        messages += shape && field.bytes.len > 0;
        if (field.number == PPROF_STRING && strings++ == 0 && field.bytes.len)
            return false;
    }
    if (bytes.len == 0 && whole)
        return messages > 0 && (strings > 0 || messages >= EVIDENCE);
    return (messages > 0 && cut_message_fits(bytes)) ||
           (messages > 1 && cut_fits(&shape_profile, bytes));
}

/* ---- messages as protobuf-c decodes them --------------------------------------------------- */

struct type_message {
    ProtobufCMessage base;
    int64_t name, unit;
};

struct mapping_message {
    ProtobufCMessage base;
    uint64_t id, start, limit, offset;
    int64_t file;
};

struct line_message {
    ProtobufCMessage base;
    uint64_t function;
    int64_t line;
};

struct location_message {
    ProtobufCMessage base;
    uint64_t id, mapping, address;
    size_t line_count;
    struct line_message **lines;
};

struct function_message {
    ProtobufCMessage base;
    uint64_t id;
    int64_t name, system_name, file;
};

/* Rows of the tables below: ONE is a number, 0 if missing; MANY is a list. */
#define ONE(number, kind, message, member)                                                         \
    {                                                                                              \
        .name = #member, .id = (number), .label = PROTOBUF_C_LABEL_NONE,                           \
        .type = PROTOBUF_C_TYPE_##kind, .offset = offsetof(struct message, member)                 \
    }
#define MANY(number, kind, message, member, count, inner)                                          \
    {                                                                                              \
        .name = #member, .id = (number), .label = PROTOBUF_C_LABEL_REPEATED,                       \
        .type = PROTOBUF_C_TYPE_##kind, .quantifier_offset = offsetof(struct message, count),      \
        .offset = offsetof(struct message, member), .descriptor = (inner)                          \
    }
/* Describes a message whose fields are numbered from 1 without gaps. */
#define MESSAGE(message)                                                                           \
    static const ProtobufCIntRange message##_ranges[] = {                                          \
        {1, 0}, {0, sizeof(message##_fields) / sizeof(message##_fields[0])}};                      \
    static const ProtobufCMessageDescriptor message##_descriptor = {                               \
        .magic = PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC,                                             \
        .name = #message,                                                                          \
        .short_name = #message,                                                                    \
        .c_name = #message,                                                                        \
        .package_name = "",                                                                        \
        .sizeof_message = sizeof(struct message),                                                  \
        .n_fields = sizeof(message##_fields) / sizeof(message##_fields[0]),                        \
        .fields = message##_fields,                                                                \
        .n_field_ranges = 1,                                                                       \
        .field_ranges = message##_ranges,                                                          \
    }

static const ProtobufCFieldDescriptor type_message_fields[] = {
    ONE(1, INT64, type_message, name),
    ONE(2, INT64, type_message, unit),
};
MESSAGE(type_message);

static const ProtobufCFieldDescriptor mapping_message_fields[] = {
    ONE(1, UINT64, mapping_message, id),    ONE(2, UINT64, mapping_message, start),
    ONE(3, UINT64, mapping_message, limit), ONE(4, UINT64, mapping_message, offset),
    ONE(5, INT64, mapping_message, file),
};
MESSAGE(mapping_message);

static const ProtobufCFieldDescriptor line_message_fields[] = {
    ONE(1, UINT64, line_message, function),
    ONE(2, INT64, line_message, line),
};
MESSAGE(line_message);

static const ProtobufCFieldDescriptor location_message_fields[] = {
    ONE(1, UINT64, location_message, id),
    ONE(2, UINT64, location_message, mapping),
    ONE(3, UINT64, location_message, address),
    MANY(4, MESSAGE, location_message, lines, line_count, &line_message_descriptor),
};
MESSAGE(location_message);

static const ProtobufCFieldDescriptor function_message_fields[] = {
    ONE(1, UINT64, function_message, id),
    ONE(2, INT64, function_message, name),
    ONE(3, INT64, function_message, system_name),
    ONE(4, INT64, function_message, file),
};
MESSAGE(function_message);

/* ---- decoding ------------------------------------------------------------------------------ */

enum { PPROF_PROTO_ROOM = 256 * 1024, ALIGN = _Alignof(max_align_t) };

void pprof_proto_init(struct pprof_proto *p)
{
    *p = (struct pprof_proto){.room = xmalloc(PPROF_PROTO_ROOM)};
}

void pprof_proto_release(struct pprof_proto *p)
{
    xfree(p->room);
    release_each(p, (arena, more), (vec, locations, values, labels));
}

/* Allocates for protobuf-c, which stops decoding if this returns NULL. */
static void *take(void *data, size_t size)
{
    struct pprof_proto *p = data;
    void *piece;

    if (size > PPROF_PROTO_MOST)
        return NULL;
    size = (size + ALIGN - 1) / ALIGN * ALIGN;
    if (size > PPROF_PROTO_ROOM - p->used) {
        if (size > PPROF_PROTO_MOST - p->spent)
            return NULL;
        p->spent += size;
        return arena_alloc(&p->more, size);
    }
    piece = p->room + p->used;
    p->used += size;
    return piece;
}

/* Frees nothing: decode() reuses all memory for the next message. */
static void keep(void *data, void *piece)
{
    (void)data;
    (void)piece;
}

static void *decode(struct pprof_proto *p, const ProtobufCMessageDescriptor *descriptor,
                    struct slice bytes)
{
    ProtobufCAllocator allocator = {take, keep, p};

    p->used = 0;
    if (p->spent) {
        arena_release(&p->more);
        p->spent = 0;
    }
    return protobuf_c_message_unpack(descriptor, &allocator, bytes.len,
                                     (const uint8_t *)(bytes.len ? bytes.ptr : ""));
}

bool pprof_proto_type(struct pprof_proto *p, struct slice bytes, struct pprof_type *out)
{
    const struct type_message *m = decode(p, &type_message_descriptor, bytes);

    if (m)
        *out = (struct pprof_type){m->name, m->unit};
    return m != NULL;
}

bool pprof_proto_mapping(struct pprof_proto *p, struct slice bytes, struct pprof_mapping *out)
{
    const struct mapping_message *m = decode(p, &mapping_message_descriptor, bytes);

    if (m)
        *out = (struct pprof_mapping){m->id, m->start, m->limit, m->offset, m->file};
    return m != NULL;
}

bool pprof_proto_location(struct pprof_proto *p, struct slice bytes, struct pprof_location *out)
{
    const struct location_message *m = decode(p, &location_message_descriptor, bytes);
    struct pprof_line *lines = NULL;

    if (!m)
        return false;
    if (m->line_count) {
        lines = take(p, m->line_count * sizeof(*lines));
        if (!lines)
            return false;
    }
    for (size_t i = 0; i < m->line_count; i++)
        lines[i] = (struct pprof_line){m->lines[i]->function, m->lines[i]->line};
    *out = (struct pprof_location){m->id, m->mapping, m->address, lines, m->line_count};
    return true;
}

bool pprof_proto_function(struct pprof_proto *p, struct slice bytes, struct pprof_function *out)
{
    const struct function_message *m = decode(p, &function_message_descriptor, bytes);

    if (m)
        *out = (struct pprof_function){m->id, m->name, m->system_name, m->file};
    return m != NULL;
}

/* ---- samples ------------------------------------------------------------------------------- */

enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2, SAMPLE_LABELS = 3 };
/* Memory, in bytes, of a number or label, including growth and the label's number as text. */
enum { NUMBER_COST = 2 * sizeof(uint64_t), LABEL_COST = 3 * sizeof(struct pprof_label) };
enum { LABEL_KEY = 1, LABEL_TEXT = 2, LABEL_NUMBER = 3, LABEL_UNIT = 4 };

static bool read_label(struct slice bytes, struct pprof_label *label)
{
    int64_t unit, *const members[] = {
                      [LABEL_KEY] = &label->key,
                      [LABEL_TEXT] = &label->text,
                      [LABEL_NUMBER] = &label->number,
                      [LABEL_UNIT] = &unit,
                  };
    struct proto_field field;

    *label = (struct pprof_label){0};
    while (proto_number(&bytes, &field) || proto_next(&bytes, &field)) {
        if (field.number > LABEL_UNIT)
            continue;
        if (field.wire != PROTO_VARINT)
            return false;
        *members[field.number] = (int64_t)field.value;
    }
    return !bytes.len;
}

/* Reads the number of a field, or a packed list of numbers. */
static bool read_numbers(const struct proto_field *field, struct pprof_numbers *numbers)
{
    struct slice rest = field->bytes;
    uint64_t *next;

    if (field->wire == PROTO_VARINT) {
        *vec_add(numbers) = field->value;
        return true;
    }
    if (!rest.len)
        return field->wire == PROTO_BYTES;
    vec_reserve(numbers, numbers->count + rest.len);
    for (next = numbers->items + numbers->count; proto_varint(&rest, next);)
        next++;
    numbers->count = (size_t)(next - numbers->items);
    return field->wire == PROTO_BYTES && !rest.len;
}

/* Decodes the locations that were not decoded yet. */
static bool unpack(struct pprof_proto *p)
{
    struct proto_field field = {.wire = PROTO_BYTES, .bytes = p->packed};

    p->packed = SLICE("");
    return read_numbers(&field, &p->locations);
}

/* Keeps a sample's only list of locations encoded; decodes them if there are several. */
static bool read_locations(struct pprof_proto *p, const struct proto_field *field)
{
    if (!p->locations.count && !p->packed.len && field->wire == PROTO_BYTES) {
        p->packed = field->bytes;
        return true;
    }
    return unpack(p) && read_numbers(field, &p->locations);
}

static bool read_sample_field(struct pprof_proto *p, const struct proto_field *field)
{
    switch (field->number) {
    case SAMPLE_LOCATIONS:
        return read_locations(p, field);
    case SAMPLE_VALUES:
        return read_numbers(field, &p->values);
    case SAMPLE_LABELS:
        return field->wire == PROTO_BYTES && read_label(field->bytes, vec_add(&p->labels));
    default:
        return true;
    }
}

bool pprof_proto_sample(struct pprof_proto *p, struct slice bytes, struct pprof_sample *out)
{
    struct proto_field field;

    if (bytes.len > PPROF_PROTO_MOST / NUMBER_COST)
        return false;
    vec_clear(&p->locations);
    vec_clear(&p->values);
    vec_clear(&p->labels);
    p->packed = SLICE("");
    while (proto_next(&bytes, &field))
        if (!read_sample_field(p, &field) || p->labels.count > PPROF_PROTO_MOST / LABEL_COST)
            return false;
    *out = (struct pprof_sample){.packed = p->packed,
                                 .values = (const int64_t *)p->values.items,
                                 .value_count = p->values.count,
                                 .labels = p->labels.items,
                                 .label_count = p->labels.count};
    return !bytes.len;
}

bool pprof_proto_locations(struct pprof_proto *p, struct pprof_sample *sample)
{
    bool ok = unpack(p);

    sample->locations = p->locations.items;
    sample->location_count = p->locations.count;
    return ok;
}
