#include "input/records.h"

enum { MOST_BYTES = 64 << 20 };

void records_init(struct records *r)
{
    *r = (struct records){0};
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

const struct record *records_find(const struct records *r, struct slice text)
{
    uint32_t id = intern_find(&r->texts, text);

    return id == MAP_NONE ? NULL : &r->items.items[id];
}

void records_add(struct records *r, struct slice text, struct record record)
{
    if (text.len > MOST_BYTES - r->bytes)
        return;
    if (intern_add(&r->texts, text) == r->items.count) {
        *vec_add(&r->items) = record;
        r->bytes += text.len;
    }
}
