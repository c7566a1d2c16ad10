#include "input/formats/java/jfr_constant.h"

#include "base/hash.h"

void jfr_constant_init(struct jfr_chunk *c, const char *bytes, size_t size, bool fixed)
{
    *c = (struct jfr_chunk){.bytes = bytes, .size = size, .fixed = fixed};
    jfr_type_init(&c->types);
    map_init(&c->index);
}

void jfr_constant_release(struct jfr_chunk *c)
{
    jfr_type_release(&c->types);
    vec_release(&c->constants);
    map_release(&c->index);
}

struct jfr_bytes jfr_constant_at(const struct jfr_chunk *c, size_t at)
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

    return map_find(&c->index, hash_mix(id, type), same_key, c, &key);
}

struct jfr_constant *jfr_constant_find(struct jfr_chunk *c, uint32_t type, uint64_t id)
{
    uint32_t index = find(c, type, id);

    return index == MAP_NONE ? NULL : &c->constants.items[index];
}

static void add(struct jfr_chunk *c, uint32_t type, uint64_t id, size_t at)
{
    if (find(c, type, id) != MAP_NONE)
        return;
    map_add(&c->index, hash_mix(id, type), (uint32_t)c->constants.count);
    *vec_add(&c->constants) = (struct jfr_constant){id, type, JFR_NOT_MADE, at};
}

static bool read_pool(struct jfr_chunk *c, struct jfr_bytes *b)
{
    uint32_t type = jfr_type_find(&c->types, jfr_bytes_number(b, 8));
    uint64_t count = jfr_bytes_number(b, 4);

    if (b->bad || type == JFR_NO_TYPE || count > jfr_bytes_left(b))
        return false;
    for (uint64_t i = 0; i < count && !b->bad; i++) {
        uint64_t id = jfr_bytes_number(b, 8);

        add(c, type, id, b->at);
        jfr_type_skip(&c->types, b, type);
    }
    return !b->bad;
}

bool jfr_constant_add(struct jfr_chunk *c, struct jfr_bytes *b)
{
    uint64_t pools;

    for (int i = 0; i < 3; i++)
        jfr_bytes_number(b, 8); /* start, duration, where the checkpoint before it is */
    jfr_bytes_skip(b, 1);       /* why it was written */
    pools = jfr_bytes_number(b, 4);
    if (pools > jfr_bytes_left(b))
        return false;
    for (uint64_t i = 0; i < pools; i++)
        if (!read_pool(c, b))
            return false;
    return !b->bad;
}

/* ---- texts --------------------------------------------------------------------------------- */

void jfr_constant_text(struct jfr_chunk *c, size_t at, struct buf *out)
{
    struct jfr_bytes b = jfr_constant_at(c, at);
    struct jfr_text text = jfr_bytes_text(&b);
    const struct jfr_constant *constant;

    if (text.encoding == JFR_POOL) {
        constant =
            jfr_constant_find(c, jfr_type_named(&c->types, "java.lang.String"), text.constant);
        if (!constant)
            return;
        b = jfr_constant_at(c, constant->at);
        text = jfr_bytes_text(&b);
    }
    if (!b.bad)
        jfr_bytes_add_text(out, &text, c->fixed);
}

void jfr_constant_symbol(struct jfr_chunk *c, uint32_t type, uint64_t id, struct buf *out)
{
    const struct jfr_constant *constant = jfr_constant_find(c, type, id);
    const struct jfr_type *t = type == JFR_NO_TYPE ? NULL : &c->types.types.items[type];
    bool text = t && (t->kind == JFR_STRING || (t->kind == JFR_STRUCT && t->first < t->end));

    if (constant && text)
        jfr_constant_text(c, constant->at, out);
}
