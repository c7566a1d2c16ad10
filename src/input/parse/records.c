#include "input/parse/records.h"

enum { MOST_BYTES = 64 << 20, FIRST_PATIENCE = 1 << 12, MOST_PATIENCE = 1 << 16 };

void records_init(struct records *r)
{
    *r = (struct records){.patience = FIRST_PATIENCE};
    intern_init(&r->texts);
}

void records_release(struct records *r)
{
    intern_release(&r->texts);
    vec_release(&r->items);
}

void records_clear(struct records *r)
{
    records_release(r);
    records_init(r);
}

const struct record *records_find(struct records *r, struct slice text)
{
    uint32_t id;

    if (r->patience <= 0)
        return NULL;
    id = intern_find(&r->texts, text);
    if (id == MAP_NONE) {
        r->patience--;
        return NULL;
    }
    r->patience += r->patience < MOST_PATIENCE;
    return &r->items.items[id];
}

void records_add(struct records *r, struct slice text, struct record record)
{
    if (r->patience <= 0 || text.len > MOST_BYTES - r->bytes)
        return;
    if (intern_add(&r->texts, text) == r->items.count) {
        *vec_add(&r->items) = record;
        r->bytes += text.len;
    }
}
