#include "input/formats/go/otlp_json.h"

#include "base/ascii.h"
#include "base/varint.h"
#include "input/parse/proto.h"

enum kind {
    NUMBER, /* varints; a list of them is packed */
    FIXED,  /* 64 bits; a list of them is packed */
    TEXT,
    MESSAGE,
};

struct member {
    struct slice key; /* as in protobuf's JSON, without capitals */
    uint8_t field;
    enum kind kind;
    const struct member *inner; /* of a message */
};

#define MEMBER(key, ...)                                                                           \
    {                                                                                              \
        SLICE_INIT(key), __VA_ARGS__                                                               \
    }
#define SLICE_INIT(text)                                                                           \
    {                                                                                              \
        (text), sizeof(text) - 1                                                                   \
    }
#define END                                                                                        \
    {                                                                                              \
        {NULL, 0}, 0, NUMBER, NULL                                                                 \
    }

/* Arrays and lists of attributes name nothing and are left out. */
static const struct member any_value[] = {
    MEMBER("stringvalue", 1, TEXT, NULL),
    MEMBER("boolvalue", 2, NUMBER, NULL),
    MEMBER("intvalue", 3, NUMBER, NULL),
    MEMBER("doublevalue", 1, TEXT, NULL),
    MEMBER("stringvaluestrindex", 8, NUMBER, NULL),
    END,
};
static const struct member key_value[] = {
    MEMBER("key", 1, TEXT, NULL),
    MEMBER("value", 2, MESSAGE, any_value),
    MEMBER("keystrindex", 3, NUMBER, NULL),
    END,
};
static const struct member attribute[] = {
    MEMBER("keystrindex", 1, NUMBER, NULL),
    MEMBER("value", 2, MESSAGE, any_value),
    MEMBER("unitstrindex", 3, NUMBER, NULL),
    END,
};
static const struct member mapping[] = {
    MEMBER("memorystart", 1, NUMBER, NULL),      MEMBER("memorylimit", 2, NUMBER, NULL),
    MEMBER("fileoffset", 3, NUMBER, NULL),       MEMBER("filenamestrindex", 4, NUMBER, NULL),
    MEMBER("attributeindices", 5, NUMBER, NULL), END,
};
static const struct member line[] = {
    MEMBER("functionindex", 1, NUMBER, NULL),
    MEMBER("line", 2, NUMBER, NULL),
    MEMBER("column", 3, NUMBER, NULL),
    END,
};
static const struct member location[] = {
    MEMBER("mappingindex", 1, NUMBER, NULL),     MEMBER("address", 2, NUMBER, NULL),
    MEMBER("lines", 3, MESSAGE, line),           MEMBER("line", 3, MESSAGE, line),
    MEMBER("attributeindices", 4, NUMBER, NULL), END,
};
static const struct member function[] = {
    MEMBER("namestrindex", 1, NUMBER, NULL),
    MEMBER("systemnamestrindex", 2, NUMBER, NULL),
    MEMBER("filenamestrindex", 3, NUMBER, NULL),
    MEMBER("startline", 4, NUMBER, NULL),
    END,
};
static const struct member nothing[] = {END};
static const struct member stack[] = {MEMBER("locationindices", 1, NUMBER, NULL), END};
static const struct member dictionary[] = {
    MEMBER("mappingtable", 1, MESSAGE, mapping),   MEMBER("locationtable", 2, MESSAGE, location),
    MEMBER("functiontable", 3, MESSAGE, function), MEMBER("linktable", 4, MESSAGE, nothing),
    MEMBER("stringtable", 5, TEXT, NULL),          MEMBER("attributetable", 6, MESSAGE, attribute),
    MEMBER("stacktable", 7, MESSAGE, stack),       END,
};
static const struct member value_type[] = {
    MEMBER("typestrindex", 1, NUMBER, NULL),
    MEMBER("unitstrindex", 2, NUMBER, NULL),
    END,
};
static const struct member sample[] = {
    MEMBER("stackindex", 1, NUMBER, NULL),        MEMBER("attributeindices", 2, NUMBER, NULL),
    MEMBER("linkindex", 3, NUMBER, NULL),         MEMBER("values", 4, NUMBER, NULL),
    MEMBER("timestampsunixnano", 5, FIXED, NULL), END,
};
static const struct member profile[] = {
    MEMBER("sampletype", 1, MESSAGE, value_type),
    MEMBER("samples", 2, MESSAGE, sample),
    MEMBER("sample", 2, MESSAGE, sample),
    MEMBER("timeunixnano", 3, FIXED, NULL),
    MEMBER("durationnano", 4, NUMBER, NULL),
    MEMBER("periodtype", 5, MESSAGE, value_type),
    MEMBER("period", 6, NUMBER, NULL),
    MEMBER("attributeindices", 11, NUMBER, NULL),
    END,
};
static const struct member scope_info[] = {
    MEMBER("name", 1, TEXT, NULL),
    MEMBER("attributes", 3, MESSAGE, key_value),
    END,
};
static const struct member scope[] = {
    MEMBER("scope", 1, MESSAGE, scope_info),
    MEMBER("profiles", 2, MESSAGE, profile),
    END,
};
static const struct member resource[] = {MEMBER("attributes", 1, MESSAGE, key_value), END};
static const struct member resource_profiles[] = {
    MEMBER("resource", 1, MESSAGE, resource),
    MEMBER("scopeprofiles", 2, MESSAGE, scope),
    END,
};
static const struct member file[] = {
    MEMBER("resourceprofiles", 1, MESSAGE, resource_profiles),
    MEMBER("dictionary", 2, MESSAGE, dictionary),
    END,
};

/* Whether `key` is that of the member, which is in small letters and without "_". */
static bool is_key(struct slice key, struct slice member)
{
    size_t at = 0;

    for (size_t i = 0; i < key.len; i++) {
        if (key.ptr[i] == '_')
            continue;
        if (at == member.len || ascii_lower(key.ptr[i]) != member.ptr[at])
            return false;
        at++;
    }
    return at == member.len;
}

static const struct member *find_member(const struct member *members, struct slice key)
{
    while (members->key.ptr && !is_key(key, members->key))
        members++;
    return members->key.ptr ? members : NULL;
}

/* ---- bytes --------------------------------------------------------------------------------- */

static void add_key(struct buf *out, const struct member *m, enum proto_wire wire)
{
    varint_add(out, (uint64_t)m->field << 3 | wire);
}

/* The length of bytes that follow is not known yet: room for five bytes, all of which are used. */
enum { LENGTH = 5 };

static size_t begin_bytes(struct buf *out, const struct member *m)
{
    add_key(out, m, PROTO_BYTES);
    for (size_t i = 0; i < LENGTH; i++)
        buf_add_char(out, 0);
    return out->len;
}

static void end_bytes(struct buf *out, size_t begin)
{
    size_t len = out->len - begin;

    for (size_t i = 0; i < LENGTH; i++, len >>= 7)
        out->ptr[begin - LENGTH + i] = (char)((len & 127) | (i + 1 < LENGTH ? PROTO_MORE : 0));
}

/* Adds a number without its key. Returns false if the value is none. */
static bool add_number(struct buf *out, const struct json_value *v, enum kind kind)
{
    uint64_t number = v->type == JSON_TRUE;
    int64_t negative;

    if (v->type != JSON_TRUE && v->type != JSON_FALSE && !json_u64(v, &number)) {
        if (!json_i64(v, &negative))
            return false;
        number = (uint64_t)negative;
    }
    if (kind == NUMBER) {
        varint_add(out, number);
        return true;
    }
    for (size_t i = 0; i < sizeof(number); i++, number >>= 8)
        buf_add_char(out, (char)number);
    return true;
}

static uint64_t add_numbers(struct buf *out, const struct member *m, const struct json_value *v)
{
    size_t before = out->len, begin;
    uint64_t bad = 0;

    if (v->type != JSON_ARRAY) {
        add_key(out, m, m->kind == FIXED ? PROTO_FIXED64 : PROTO_VARINT);
        if (add_number(out, v, m->kind))
            return 0;
        out->len = before;
        return 1;
    }
    begin = begin_bytes(out, m);
    json_each(number, v) bad += !add_number(out, number, m->kind);
    end_bytes(out, begin);
    return bad;
}

static void add_text(struct buf *out, const struct member *m, struct slice text)
{
    size_t begin = begin_bytes(out, m);

    buf_add_slice(out, text);
    end_bytes(out, begin);
}

/* Nests as deeply as the tables above do. */
static uint64_t add_members(struct buf *out, const struct member *members,
                            const struct json_value *object);

static uint64_t add_one(struct buf *out, const struct member *m, const struct json_value *v)
{
    size_t begin;
    uint64_t bad;

    if (m->kind == TEXT) {
        if (v->type != JSON_STRING && v->type != JSON_NUMBER)
            return 1;
        add_text(out, m, v->text);
        return 0;
    }
    if (v->type != JSON_OBJECT)
        return 1;
    begin = begin_bytes(out, m);
    bad = add_members(out, m->inner, v);
    end_bytes(out, begin);
    return bad;
}

static uint64_t add_members(struct buf *out, const struct member *members,
                            const struct json_value *object)
{
    uint64_t bad = 0;

    json_each(v, object)
    {
        const struct member *m = find_member(members, v->key);

        if (!m || v->type == JSON_NULL)
            continue;
        if (m->kind == NUMBER || m->kind == FIXED)
            bad += add_numbers(out, m, v);
        else if (v->type != JSON_ARRAY)
            bad += add_one(out, m, v);
        else
            json_each(element, v) bad += add_one(out, m, element);
    }
    return bad;
}

uint64_t otlp_json_encode(const struct json_value *document, struct buf *out)
{
    return document->type == JSON_OBJECT ? add_members(out, file, document) : 1;
}
