#include "base/tally.h"

void tally_release(struct tally *t)
{
    release_each(t, (intern, keys), (vec, counts, order));
}

uint32_t tally_add(struct tally *t, struct slice key)
{
    uint32_t id = intern_add(&t->keys, key);

    if (id == t->counts.count)
        *vec_add(&t->counts) = 0;
    t->counts.items[id]++;
    if (t->in_order)
        *vec_add(&t->order) = id;
    return id;
}
