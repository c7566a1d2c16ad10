#include "base/intern.h"

void intern_release(struct intern *t)
{
    arena_release(&t->bytes);
    map_release(&t->index);
    vec_release(&t->strings);
}

static bool same_string(const void *context, uint32_t id, const void *key)
{
    const struct intern *t = context;

    return slice_equal(t->strings.items[id], *(const struct slice *)key);
}

uint32_t intern_find(const struct intern *t, struct slice s)
{
    return map_find(&t->index, map_hash_bytes(&t->index, s), same_string, t, &s);
}

uint32_t intern_add(struct intern *t, struct slice s)
{
    uint64_t hash = map_hash_bytes(&t->index, s);
    uint32_t id = map_find(&t->index, hash, same_string, t, &s);

    if (id != MAP_NONE)
        return id;
    if (t->strings.count >= MAP_NONE)
        die("more than %u distinct strings", MAP_NONE);
    id = (uint32_t)t->strings.count;
    *vec_add(&t->strings) = arena_copy(&t->bytes, s);
    map_add(&t->index, hash, id);
    return id;
}
