#include "input/build/pending.h"

void pending_release(struct pending *h)
{
    release_each(h, (intern, keys), (vec, samples, timed));
}

void pending_add(struct pending *h, const struct profile *p, struct slice key, uint64_t ns)
{
    uint32_t id = intern_add(&h->keys, key);
    struct pending_samples *s;

    if (p->keep_timed) {
        *vec_add(&h->timed) = (struct pending_timed){ns, id};
        return;
    }
    if (id == h->samples.count)
        *vec_add(&h->samples) = (struct pending_samples){0, ns, ns};
    s = &h->samples.items[id];
    s->count++;
    if (ns < s->first_ns)
        s->first_ns = ns;
    if (ns > s->last_ns)
        s->last_ns = ns;
}

bool pending_each(const struct pending *h, const struct profile *p,
                  bool (*add)(void *reader, struct slice key, uint64_t ns), void *reader)
{
    if (p->keep_timed) {
        vec_each (const struct pending_timed, m, &h->timed)
            if (!add(reader, intern_get(&h->keys, m->key), m->ns))
                return false;
        return true;
    }
    for (uint32_t id = 0; id < h->samples.count; id++) {
        const struct pending_samples *s = &h->samples.items[id];

        for (uint64_t i = 0; i < s->count; i++)
            if (!add(reader, intern_get(&h->keys, id), i ? s->last_ns : s->first_ns))
                return false;
    }
    return true;
}
