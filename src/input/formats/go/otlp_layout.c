#include "input/formats/go/otlp_layout.h"

#define OLD_SAMPLE                                                                                 \
    {                                                                                              \
        .start = 1, .length = 2, .values = 3, .attributes = 4, .timestamps = 6                     \
    }

const struct otlp_layout otlp_layout_newest = {
    .tables = {1, 2, 3, 4, 5, 6, 7},
    .profile = {.type = 1,
                .samples = 2,
                .time = 3,
                .duration = 4,
                .period_type = 5,
                .period = 6,
                .attributes = 11},
    .sample = {.stack = 1, .attributes = 2, .values = 4, .timestamps = 5},
    .location_attributes = 4,
    .modern = true,
};

/* And of 1.9. */
static const struct otlp_layout layout_1_8 = {
    .tables = {1, 2, 3, 4, 5, 6, 7},
    .profile = {.type = 1, .samples = 2, .time = 3, .duration = 4, .period_type = 5, .period = 6},
    .sample = {.stack = 1, .values = 2, .attributes = 3, .timestamps = 5},
    .location_attributes = 4,
    .modern = true,
};

static const struct otlp_layout layout_1_7 = {
    .tables = {1, 2, 3, 4, 5, 6},
    .profile = {1, 2, 4, 5, 6, 7, .locations = 3},
    .sample = OLD_SAMPLE,
    .location_attributes = 5,
};

static const struct otlp_layout layout_1_6 = {
    .place = OTLP_IN_FILE,
    .tables = {2, 3, 4, 5, 6, 7},
    .profile = {1, 2, 4, 5, 6, 7, .locations = 3},
    .sample = OLD_SAMPLE,
    .location_attributes = 5,
};

/* And of 1.5. */
static const struct otlp_layout layout_1_4 = {
    .place = OTLP_IN_PROFILE,
    .tables = {3, 4, 6, 9, 10, 7},
    .profile = {1, 2, 11, 12, 13, 14, .locations = 5},
    .sample = OLD_SAMPLE,
    .location_attributes = 5,
};

/* ---- messages ------------------------------------------------------------------------------ */

enum { PREFIX = 4 };

/* Takes the length before a message. No message begins with a byte of 0. */
static bool take_length(struct slice *bytes, uint64_t *len)
{
    const unsigned char *p = (const unsigned char *)bytes->ptr;

    if (bytes->len < PREFIX || p[0])
        return false;
    *len = (uint64_t)p[1] << 16 | (uint64_t)p[2] << 8 | p[3];
    *bytes = slice_skip(*bytes, PREFIX);
    return true;
}

bool otlp_layout_split(struct slice bytes, struct otlp_messages *messages)
{
    uint64_t len;

    if (!bytes.len || bytes.ptr[0]) {
        *vec_add(messages) = bytes;
        return true;
    }
    while (take_length(&bytes, &len)) {
        if (len > bytes.len && messages->count)
            return false;
        *vec_add(messages) = slice_take(bytes, len);
        if (len > bytes.len)
            return false;
        bytes = slice_skip(bytes, len);
    }
    return !bytes.len;
}

/* ---- recognition --------------------------------------------------------------------------- */

/* The wire types of a message's fields: 'b' bytes, 'n' a number, '*' any. */
struct shape {
    const char *wires; /* of fields 1, 2, ... */
    const struct shape *inner;
    unsigned inner_number; /* of the field that is `inner` */
};

static const struct shape shape_sample = {"n*****", NULL, 0};
static const struct shape shape_profile = {"bb**************", &shape_sample, 2};
static const struct shape shape_scope = {"bbb", &shape_profile, OTLP_PROFILES};
static const struct shape shape_resource = {"bbb", &shape_scope, OTLP_SCOPES};
static const struct shape shape_file = {"bbbbbbbb", &shape_resource, OTLP_RESOURCES};

static bool field_fits(const struct shape *shape, const struct proto_field *field)
{
    char wire;

    if (!field->number || field->number > strlen(shape->wires))
        return false;
    wire = shape->wires[field->number - 1];
    return wire == '*' || (wire == 'b') == (field->wire == PROTO_BYTES);
}

/* Whether `rest` is a message of that shape, or the start of one. Counts samples. */
static bool message_fits(const struct shape *shape, struct slice rest, bool whole, size_t *samples)
{
    struct proto_field field;
    uint64_t len;

    *samples += shape == &shape_sample;
    while (proto_next(&rest, &field)) {
        if (!field_fits(shape, &field))
            return false;
        if (shape->inner && field.number == shape->inner_number &&
            !message_fits(shape->inner, field.bytes, true, samples))
            return false;
    }
    if (!rest.len || whole)
        return !rest.len;
    if (!proto_key(&rest, &field, &len) || !field_fits(shape, &field))
        return false;
    return !shape->inner || field.number != shape->inner_number ||
           message_fits(shape->inner, rest, false, samples);
}

/* Whether `rest` is a dictionary, or the start of one: all tables, of which string 0 is empty. */
static bool dictionary_fits(struct slice rest)
{
    static const struct shape shape = {"bbbbbbb", NULL, 0};
    size_t strings = 0, zeros = 0;
    struct proto_field field;

    while (proto_next(&rest, &field)) {
        if (!field_fits(&shape, &field))
            return false;
        if (field.number == layout_1_8.tables[OTLP_STRINGS] && !strings++ && field.bytes.len)
            return false;
        zeros += !field.bytes.len;
    }
    return strings > 1 || zeros > 1;
}

bool otlp_layout_fits(struct slice bytes, bool whole)
{
    struct slice rest = bytes;
    size_t samples = 0;
    struct proto_field field;
    uint64_t len;

    if (take_length(&rest, &len)) {
        whole = len <= rest.len;
        rest = slice_take(rest, len);
    }
    bytes = rest;
    if (proto_key(&rest, &field, &len) && field.number == OTLP_DICTIONARY &&
        field.wire == PROTO_BYTES && dictionary_fits(slice_take(rest, len)))
        return true;
    return message_fits(&shape_file, bytes, whole, &samples) && samples > 0;
}

/* ---- the layout ---------------------------------------------------------------------------- */

/* What the samples of a file have in fields 2 to 5, whose meaning changed with 1.10. */
struct evidence {
    bool dictionary, file_tables, old_profile;
    uint64_t links;
    uint64_t samples, with_2, with_4;
    uint64_t packed_3, packed_4; /* attributes of 1.8, values of 1.10 */
    bool uneven;                 /* a list in field 2 has not as many numbers as there are times */
    bool linked;                 /* all numbers in field 4 may be numbers of links */
};

static uint64_t count_varints(struct slice packed)
{
    uint64_t count = 0;

    for (size_t i = 0; i < packed.len; i++)
        count += !((unsigned char)packed.ptr[i] & PROTO_MORE);
    return count;
}

static void look_at_sample(struct evidence *e, struct slice bytes)
{
    enum { TIMESTAMPS = 5, FIXED = 8 };
    uint64_t in_2 = 0, times = 0;
    bool has_2 = false, has_4 = false, packed_2 = false;
    struct proto_field f;

    while (proto_next(&bytes, &f)) {
        bool packed = f.wire == PROTO_BYTES;

        if (f.number == 2) {
            has_2 = true;
            packed_2 |= packed;
            in_2 += packed ? count_varints(f.bytes) : 1;
        } else if (f.number == 3) {
            e->packed_3 += packed;
        } else if (f.number == 4) {
            has_4 = true;
            e->packed_4 += packed;
            e->linked &= !packed && f.value < e->links;
        } else if (f.number == TIMESTAMPS) {
            times += packed ? f.bytes.len / FIXED : 1;
        }
    }
    e->samples++;
    e->with_2 += has_2;
    e->with_4 += has_4;
    e->uneven |= packed_2 && times && in_2 != times;
}

static void look_at_profile(struct evidence *e, struct slice bytes)
{
    struct proto_field f;

    while (proto_next(&bytes, &f)) {
        if (f.number == layout_1_8.profile.samples && f.wire == PROTO_BYTES)
            look_at_sample(e, f.bytes);
        e->old_profile |= f.number == layout_1_7.profile.locations && f.wire == PROTO_BYTES;
    }
}

/* Calls look_at_profile() for each profile of a file. */
static void look_at_profiles(struct evidence *e, struct slice file)
{
    struct proto_field resource, scope, profile;

    while (proto_next(&file, &resource)) {
        if (resource.number != OTLP_RESOURCES || resource.wire != PROTO_BYTES)
            continue;
        while (proto_next(&resource.bytes, &scope)) {
            if (scope.number != OTLP_SCOPES || scope.wire != PROTO_BYTES)
                continue;
            while (proto_next(&scope.bytes, &profile))
                if (profile.number == OTLP_PROFILES && profile.wire == PROTO_BYTES)
                    look_at_profile(e, profile.bytes);
        }
    }
}

static void look_at_tables(struct evidence *e, struct slice file)
{
    struct proto_field f, entry;

    while (proto_next(&file, &f)) {
        e->dictionary |= f.number == OTLP_DICTIONARY;
        e->file_tables |= f.number > OTLP_DICTIONARY;
        if (f.number != OTLP_DICTIONARY || f.wire != PROTO_BYTES)
            continue;
        while (proto_next(&f.bytes, &entry))
            e->links += entry.number == layout_1_8.tables[OTLP_LINKS];
    }
}

/* Packed lists are proof; of writers that do not pack them, there are only habits to go by. */
static bool is_newest(const struct evidence *e)
{
    enum { NEARLY = 10 };

    if (e->packed_3 || e->packed_4 || e->uneven)
        return !e->packed_3 || e->packed_4 > e->packed_3;
    if (e->with_2 == e->samples && e->with_4 == e->samples)
        return !(e->linked && e->links > 1);
    if (e->with_4 >= e->samples - e->samples / NEARLY)
        return true;
    return e->with_2 < e->samples || e->with_4;
}

const struct otlp_layout *otlp_layout_of(const struct otlp_messages *messages)
{
    struct evidence e = {.linked = true};

    vec_each (const struct slice, message, messages)
        look_at_tables(&e, *message);
    vec_each (const struct slice, message, messages)
        look_at_profiles(&e, *message);
    if (e.file_tables)
        return &layout_1_6;
    if (!e.dictionary)
        return &layout_1_4;
    if (e.old_profile)
        return &layout_1_7;
    return is_newest(&e) ? &otlp_layout_newest : &layout_1_8;
}
