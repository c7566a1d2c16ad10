#include "input/build/known.h"

void known_release(struct known *k)
{
    release_each(k, (intern, texts), (vec, entries));
}

bool known_find(struct known *k, struct slice text, uint32_t *entry)
{
    uint32_t id = intern_add(&k->texts, text);

    if (id == k->entries.count)
        return false;
    *entry = k->entries.items[id];
    return true;
}

void known_add(struct known *k, uint32_t entry)
{
    BUG_ON(k->entries.count + 1 != intern_count(&k->texts));
    *vec_add(&k->entries) = entry;
}

bool known_has(const struct known *k, struct slice text)
{
    return intern_find(&k->texts, text) != MAP_NONE;
}
