#include "input/formats/java/jfr_chunk.h"

#include "base/budget.h"
#include "base/num.h"

/* ---- types --------------------------------------------------------------------------------- */

/* Most nesting of elements in metadata, and of structs in a value. */
enum { MOST_ELEMENTS = 64, MOST_DEPTH = 16 };

static void jfr_chunk_type_release(struct jfr_types *t)
{
    release_each(t, (arena, memory), (map, by_id), (vec, types, fields));
}

/* ---- looking up ---------------------------------------------------------------------------- */

static bool same_id(const void *context, uint32_t index, const void *key)
{
    const struct jfr_types *t = context;
    const uint64_t *id = key;

    return t->types.items[index].id == *id;
}

uint32_t jfr_chunk_type_find(const struct jfr_types *t, uint64_t id)
{
    return map_find(&t->by_id, map_hash_pair(&t->by_id, id, 0), same_id, t, &id);
}

uint32_t jfr_chunk_type_named(const struct jfr_types *t, const char *name)
{
    for (size_t i = 0; i < t->types.count; i++)
        if (slice_equal(t->types.items[i].name, slice_str(name)))
            return (uint32_t)i;
    return JFR_NO_TYPE;
}

const struct jfr_field *jfr_chunk_type_field(const struct jfr_types *t, uint32_t type,
                                             const char *name)
{
    if (type == JFR_NO_TYPE)
        return NULL;
    for (size_t i = t->types.items[type].first; i < t->types.items[type].end; i++)
        if (slice_equal(t->fields.items[i].name, slice_str(name)))
            return &t->fields.items[i];
    return NULL;
}

/* ---- metadata ------------------------------------------------------------------------------ */

struct jfr_strings VEC_OF(struct slice);

static bool read_strings(struct jfr_types *t, struct jfr_bytes *b, struct jfr_strings *strings)
{
    uint64_t count = jfr_bytes_number(b, 4);
    struct buf text = {0};

    if (count > jfr_bytes_left(b))
        return false;
    for (uint64_t i = 0; i < count && !b->bad; i++) {
        struct jfr_text one = jfr_bytes_text(b);

        buf_clear(&text);
        jfr_bytes_add_text(&text, &one, b->fixed);
        *vec_add(strings) = arena_copy(&t->memory, buf_slice(&text));
    }
    buf_release(&text);
    return !b->bad;
}

static struct slice get_string(const struct jfr_strings *strings, struct jfr_bytes *b)
{
    uint64_t index = jfr_bytes_number(b, 4);

    if (index < strings->count)
        return strings->items[index];
    b->bad = true;
    return SLICE("");
}

static enum jfr_kind kind_named(struct slice name)
{
    static const struct {
        const char *name;
        enum jfr_kind kind;
    } kinds[] = {
        {"boolean", JFR_BYTE}, {"byte", JFR_BYTE},     {"char", JFR_SHORT},
        {"short", JFR_SHORT},  {"int", JFR_INT},       {"long", JFR_LONG},
        {"float", JFR_FLOAT},  {"double", JFR_DOUBLE}, {"java.lang.String", JFR_STRING},
        {NULL, JFR_STRUCT},
    };

    return slice_row(name, slice_equal, kinds)->kind;
}

/* The attributes of a class or a field. */
struct attributes {
    struct slice name, super;
    uint64_t id, class;
    bool constant, many;
};

static uint64_t number_of(struct slice text)
{
    uint64_t value;

    return num_parse_u64(text, &value) ? value : 0;
}

static struct attributes read_attributes(const struct jfr_strings *strings, struct jfr_bytes *b)
{
    uint64_t count = jfr_bytes_number(b, 4);
    struct attributes a = {0};

    for (uint64_t i = 0; i < count && !b->bad; i++) {
        struct slice key = get_string(strings, b), value = get_string(strings, b);

        if (slice_equal(key, SLICE("name")))
            a.name = value;
        else if (slice_equal(key, SLICE("superType")))
            a.super = value;
        else if (slice_equal(key, SLICE("id")))
            a.id = number_of(value);
        else if (slice_equal(key, SLICE("class")))
            a.class = number_of(value);
        else if (slice_equal(key, SLICE("constantPool")))
            a.constant = slice_equal(value, SLICE("true"));
        else if (slice_equal(key, SLICE("dimension")))
            a.many = number_of(value) > 0;
    }
    return a;
}

/* The name that a type has since JDK 11; JDK 9 and 10 name types after Oracle. */
static struct slice modern_name(struct jfr_types *t, struct slice name)
{
    static const struct {
        struct slice old, modern;
    } prefixes[] = {
        {SLICE("com.oracle.jfr.types."), SLICE("jdk.types.")},
        {SLICE("com.oracle.jfr."), SLICE("jdk.jfr.")},
        {SLICE("com.oracle.jdk."), SLICE("jdk.")},
    };
    struct buf modern = {0};

    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
        if (slice_starts(name, prefixes[i].old)) {
            buf_add_slice(&modern, prefixes[i].modern);
            buf_add_slice(&modern, slice_skip(name, prefixes[i].old.len));
            name = arena_copy(&t->memory, buf_slice(&modern));
            break;
        }
    buf_release(&modern);
    return name;
}

static void add_type(struct jfr_types *t, const struct attributes *a)
{
    uint32_t index = (uint32_t)t->types.count;
    struct slice super = modern_name(t, a->super);

    *vec_add(&t->types) = (struct jfr_type){.name = modern_name(t, a->name),
                                            .id = a->id,
                                            .kind = kind_named(a->name),
                                            .event = slice_equal(super, SLICE("jdk.jfr.Event")),
                                            .first = t->fields.count,
                                            .end = t->fields.count};
    if (jfr_chunk_type_find(t, a->id) == MAP_NONE)
        map_add(&t->by_id, map_hash_pair(&t->by_id, a->id, 0), index);
}

static void add_field(struct jfr_types *t, const struct attributes *a)
{
    *vec_add(&t->fields) = (struct jfr_field){
        .name = a->name, .type_id = a->class, .constant = a->constant, .many = a->many};
    t->types.items[t->types.count - 1].end = t->fields.count;
}

/* Reads the tree of elements, parents before children. */
static bool read_elements(struct jfr_types *t, struct jfr_bytes *b,
                          const struct jfr_strings *strings)
{
    uint64_t left[MOST_ELEMENTS]; /* elements not yet read, by depth */
    bool is_class[MOST_ELEMENTS] = {false};
    unsigned depth = 0;

    left[0] = 1;
    for (;;) {
        struct slice element;
        struct attributes a;

        while (left[depth] == 0)
            if (depth-- == 0)
                return true;
        left[depth]--;
        element = get_string(strings, b);
        a = read_attributes(strings, b);
        if (b->bad || depth + 1 == MOST_ELEMENTS)
            return false;
        is_class[depth + 1] = slice_equal(element, SLICE("class"));
        if (is_class[depth + 1])
            add_type(t, &a);
        else if (is_class[depth] && slice_equal(element, SLICE("field")))
            add_field(t, &a);
        left[++depth] = jfr_bytes_number(b, 4);
        if (left[depth] > jfr_bytes_left(b))
            return false;
    }
}

/* Returns the size of a field that is a single number, as nearly all are, else 0. */
static unsigned number_size(const struct jfr_types *t, const struct jfr_field *field)
{
    static const unsigned sizes[] = {[JFR_SHORT] = 2, [JFR_INT] = 4, [JFR_LONG] = 8};
    enum jfr_kind kind = field->type == JFR_NO_TYPE ? JFR_STRUCT : t->types.items[field->type].kind;

    if (field->many)
        return 0;
    if (field->constant)
        return 8;
    return kind < sizeof(sizes) / sizeof(sizes[0]) ? sizes[kind] : 0;
}

bool jfr_chunk_type_read(struct jfr_types *t, struct jfr_bytes *b)
{
    struct jfr_strings strings = {0};
    bool ok;

    for (int i = 0; i < 3; i++)
        jfr_bytes_number(b, 8); /* start, duration, id */
    ok = read_strings(t, b, &strings) && read_elements(t, b, &strings);
    vec_release(&strings);
    vec_each (struct jfr_field, field, &t->fields) {
        field->type = jfr_chunk_type_find(t, field->type_id);
        field->number_size = number_size(t, field);
    }
    t->steps = UINT64_C(1) << 20;
    return ok;
}

/* ---- values -------------------------------------------------------------------------------- */

static void skip_value(struct jfr_types *t, struct jfr_bytes *b, uint32_t type, unsigned depth);

/* Structs without fields take no bytes, so their count is bounded by t->steps instead. */
static bool may_step(struct jfr_types *t, struct jfr_bytes *b, size_t before)
{
    if (b->at == before && (t->steps == 0 || t->steps-- == 0))
        b->bad = true;
    return !b->bad;
}

static void skip_field(struct jfr_types *t, struct jfr_bytes *b, const struct jfr_field *field,
                       unsigned depth)
{
    uint64_t count = 1;
    uint32_t type = field->type;

    if (field->number_size) {
        jfr_bytes_number(b, field->number_size);
        return;
    }
    if (field->many)
        count = jfr_bytes_number(b, 4);
    for (uint64_t i = 0; i < count && !b->bad; i++) {
        size_t before = b->at;

        if (field->constant)
            jfr_bytes_number(b, 8);
        else
            skip_value(t, b, type, depth);
        if (!may_step(t, b, before))
            return;
    }
}

static void skip_struct(struct jfr_types *t, struct jfr_bytes *b, const struct jfr_type *type,
                        unsigned depth)
{
    const struct jfr_field *field = t->fields.items + type->first;

    for (size_t left = type->end - type->first; left > 0 && !b->bad; left--, field++) {
        if (field->number_size)
            jfr_bytes_number(b, field->number_size);
        else
            skip_field(t, b, field, depth);
    }
}

static void skip_value(struct jfr_types *t, struct jfr_bytes *b, uint32_t type, unsigned depth)
{
    if (type == JFR_NO_TYPE || depth == MOST_DEPTH) {
        b->bad = true;
        return;
    }
    switch (t->types.items[type].kind) {
    case JFR_STRUCT:
        skip_struct(t, b, &t->types.items[type], depth + 1);
        break;
    case JFR_BYTE:
        jfr_bytes_skip(b, 1);
        break;
    case JFR_SHORT:
        jfr_bytes_number(b, 2);
        break;
    case JFR_INT:
        jfr_bytes_number(b, 4);
        break;
    case JFR_LONG:
        jfr_bytes_number(b, 8);
        break;
    case JFR_FLOAT:
        jfr_bytes_skip(b, 4);
        break;
    case JFR_DOUBLE:
        jfr_bytes_skip(b, 8);
        break;
    case JFR_STRING:
        jfr_bytes_text(b);
        break;
    }
}

/* Skips a value of a type. */
static void jfr_chunk_type_skip(struct jfr_types *t, struct jfr_bytes *b, uint32_t type)
{
    skip_value(t, b, type, 0);
}

void jfr_chunk_want_init(struct jfr_want *w, const struct jfr_types *t, uint32_t type,
                         const char *const *names, size_t count)
{
    *w = (struct jfr_want){.type = type, .count = count};
    BUG_ON(count > JFR_WANTED_MOST);
    if (type == JFR_NO_TYPE)
        return;
    for (size_t i = t->types.items[type].first; i < t->types.items[type].end; i++) {
        signed char slot = -1;

        for (size_t k = 0; k < count; k++)
            if (slice_equal(t->fields.items[i].name, slice_str(names[k])))
                slot = (signed char)k;
        *vec_add(&w->slots) = slot;
    }
}

void jfr_chunk_want_release(struct jfr_want *w)
{
    vec_release(&w->slots);
}

/* Returns the number that a field begins with, or 0 if it does not begin with one. */
static uint64_t peek_number(const struct jfr_types *t, const struct jfr_bytes *b,
                            const struct jfr_field *field)
{
    struct jfr_bytes ahead = *b;

    if (field->constant)
        return jfr_bytes_number(&ahead, 8);
    switch (field->type == JFR_NO_TYPE ? JFR_STRUCT : t->types.items[field->type].kind) {
    case JFR_BYTE:
        return jfr_bytes_fixed(&ahead, 1);
    case JFR_SHORT:
        return jfr_bytes_number(&ahead, 2);
    case JFR_INT:
        return jfr_bytes_number(&ahead, 4);
    case JFR_LONG:
        return jfr_bytes_number(&ahead, 8);
    default:
        return 0;
    }
}

void jfr_chunk_want_read(const struct jfr_want *w, struct jfr_types *t, struct jfr_bytes *b,
                         struct jfr_value *values)
{
    const struct jfr_type *type;

    for (size_t i = 0; i < w->count; i++)
        values[i] = (struct jfr_value){0};
    if (w->type == JFR_NO_TYPE) {
        b->bad = true;
        return;
    }
    type = &t->types.items[w->type];
    for (size_t i = type->first; i < type->end && !b->bad; i++) {
        const struct jfr_field *field = &t->fields.items[i];
        signed char slot = w->slots.items[i - type->first];

        size_t at = b->at;
        uint64_t number;

        if (field->number_size) {
            number = jfr_bytes_number(b, field->number_size);
        } else {
            number = slot < 0 ? 0 : peek_number(t, b, field);
            skip_field(t, b, field, 0);
        }
        if (slot >= 0)
            values[slot] = (struct jfr_value){true, number, at};
    }
}

/* ---- constants ----------------------------------------------------------------------------- */

void jfr_chunk_init(struct jfr_chunk *c, const char *bytes, size_t size, bool fixed)
{
    *c = (struct jfr_chunk){.bytes = bytes, .size = size, .fixed = fixed};
}

void jfr_chunk_release(struct jfr_chunk *c)
{
    release_each(c, (jfr_chunk_type, types), (vec, constants), (map, index));
}

struct jfr_bytes jfr_chunk_at(const struct jfr_chunk *c, size_t at)
{
    return (struct jfr_bytes){.bytes = c->bytes, .at = at, .end = c->size, .fixed = c->fixed};
}

/* ---- pools --------------------------------------------------------------------------------- */

struct key {
    uint64_t id;
    uint32_t type;
};

static bool same_key(const void *context, uint32_t index, const void *key)
{
    const struct jfr_chunk *c = context;
    const struct key *k = key;

    return c->constants.items[index].id == k->id && c->constants.items[index].type == k->type;
}

static uint32_t find(const struct jfr_chunk *c, uint32_t type, uint64_t id)
{
    struct key key = {id, type};

    return map_find(&c->index, map_hash_pair(&c->index, id, type), same_key, c, &key);
}

struct jfr_constant *jfr_chunk_find(struct jfr_chunk *c, uint32_t type, uint64_t id)
{
    uint32_t index = find(c, type, id);

    return index == MAP_NONE ? NULL : &c->constants.items[index];
}

static void add(struct jfr_chunk *c, uint32_t type, uint64_t id, size_t at)
{
    if (find(c, type, id) != MAP_NONE)
        return;
    map_add(&c->index, map_hash_pair(&c->index, id, type), (uint32_t)c->constants.count);
    *vec_add(&c->constants) = (struct jfr_constant){id, type, JFR_NOT_MADE, at};
}

static bool read_pool(struct jfr_chunk *c, struct jfr_bytes *b)
{
    uint32_t type = jfr_chunk_type_find(&c->types, jfr_bytes_number(b, 8));
    uint64_t count = jfr_bytes_number(b, 4);

    if (b->bad || type == JFR_NO_TYPE || count > jfr_bytes_left(b))
        return false;
    for (uint64_t i = 0; i < count && !b->bad && !budget_is_over(); i++) {
        uint64_t id = jfr_bytes_number(b, 8);

        add(c, type, id, b->at);
        jfr_chunk_type_skip(&c->types, b, type);
    }
    return !b->bad && !budget_is_over();
}

bool jfr_chunk_add(struct jfr_chunk *c, struct jfr_bytes *b)
{
    uint64_t pools;

    for (int i = 0; i < 3; i++)
        jfr_bytes_number(b, 8); /* start, duration, offset to the previous checkpoint */
    jfr_bytes_skip(b, 1);       /* the kind of checkpoint */
    pools = jfr_bytes_number(b, 4);
    if (pools > jfr_bytes_left(b))
        return false;
    for (uint64_t i = 0; i < pools; i++)
        if (!read_pool(c, b))
            return false;
    return !b->bad;
}

/* ---- texts --------------------------------------------------------------------------------- */

void jfr_chunk_text(struct jfr_chunk *c, size_t at, struct buf *out)
{
    struct jfr_bytes b = jfr_chunk_at(c, at);
    struct jfr_text text = jfr_bytes_text(&b);
    const struct jfr_constant *constant;

    if (text.encoding == JFR_POOL) {
        constant =
            jfr_chunk_find(c, jfr_chunk_type_named(&c->types, "java.lang.String"), text.constant);
        if (!constant)
            return;
        b = jfr_chunk_at(c, constant->at);
        text = jfr_bytes_text(&b);
    }
    if (!b.bad)
        jfr_bytes_add_text(out, &text, c->fixed);
}

void jfr_chunk_symbol(struct jfr_chunk *c, uint32_t type, uint64_t id, struct buf *out)
{
    const struct jfr_constant *constant = jfr_chunk_find(c, type, id);
    const struct jfr_type *t = type == JFR_NO_TYPE ? NULL : &c->types.types.items[type];
    bool text = t && (t->kind == JFR_STRING || (t->kind == JFR_STRUCT && t->first < t->end));

    if (constant && text)
        jfr_chunk_text(c, constant->at, out);
}
