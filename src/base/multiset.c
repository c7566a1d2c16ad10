#include "base/multiset.h"

void multiset_release(struct multiset *t)
{
    release_each(t, (intern, keys), (vec, counts, order));
}

uint32_t multiset_add(struct multiset *t, struct slice key)
{
    uint32_t id = intern_add(&t->keys, key);

    if (id == t->counts.count)
        *vec_add(&t->counts) = 0;
    t->counts.items[id]++;
    if (t->in_order)
        *vec_add(&t->order) = id;
    return id;
}
