#include "input/build/frame_cache.h"

void frame_cache_release(struct frame_cache *k)
{
    release_each(k, (intern, texts), (vec, entries));
}

bool frame_cache_find(struct frame_cache *k, struct slice text, uint32_t *entry)
{
    uint32_t id = intern_add(&k->texts, text);

    if (id == k->entries.count)
        return false;
    *entry = k->entries.items[id];
    return true;
}

void frame_cache_add(struct frame_cache *k, uint32_t entry)
{
    BUG_ON(k->entries.count + 1 != intern_count(&k->texts));
    *vec_add(&k->entries) = entry;
}

bool frame_cache_has(const struct frame_cache *k, struct slice text)
{
    return intern_find(&k->texts, text) != MAP_NONE;
}
