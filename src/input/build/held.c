#include "input/build/held.h"

void held_release(struct held *h)
{
    release_each(h, (intern, keys), (vec, samples, moments));
}

void held_add(struct held *h, const struct profile *p, struct slice key, uint64_t ns)
{
    uint32_t id = intern_add(&h->keys, key);
    struct held_samples *s;

    if (p->keep_moments) {
        *vec_add(&h->moments) = (struct held_moment){ns, id};
        return;
    }
    if (id == h->samples.count)
        *vec_add(&h->samples) = (struct held_samples){0, ns, ns};
    s = &h->samples.items[id];
    s->count++;
    if (ns < s->first_ns)
        s->first_ns = ns;
    if (ns > s->last_ns)
        s->last_ns = ns;
}

bool held_each(const struct held *h, const struct profile *p,
               bool (*add)(void *reader, struct slice key, uint64_t ns), void *reader)
{
    if (p->keep_moments) {
        vec_each (const struct held_moment, m, &h->moments)
            if (!add(reader, intern_get(&h->keys, m->key), m->ns))
                return false;
        return true;
    }
    for (uint32_t id = 0; id < h->samples.count; id++) {
        const struct held_samples *s = &h->samples.items[id];

        for (uint64_t i = 0; i < s->count; i++)
            if (!add(reader, intern_get(&h->keys, id), i ? s->last_ns : s->first_ns))
                return false;
    }
    return true;
}
