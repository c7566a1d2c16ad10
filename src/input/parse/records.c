#include "input/parse/records.h"

/* Texts are looked up until MOST_NEW more of them were new than known. */
enum { MOST_BYTES = 64 << 20, MOST_NEW = 1 << 12, LEAST_NEW = MOST_NEW - (1 << 16) };

void records_release(struct records *r)
{
    release_each(r, (intern, texts), (vec, items));
}

void records_clear(struct records *r)
{
    records_release(r);
    *r = (struct records){0};
}

const struct record *records_find(struct records *r, struct slice text)
{
    uint32_t id;

    if (r->new >= MOST_NEW)
        return NULL;
    id = intern_find(&r->texts, text);
    if (id == MAP_NONE) {
        r->new ++;
        return NULL;
    }
    r->new -= r->new > LEAST_NEW;
    return &r->items.items[id];
}

void records_add(struct records *r, struct slice text, struct record record)
{
    if (r->new >= MOST_NEW || text.len > MOST_BYTES - r->bytes)
        return;
    if (intern_add(&r->texts, text) == r->items.count) {
        *vec_add(&r->items) = record;
        r->bytes += text.len;
    }
}

bool records_read(const struct records_reader *reader, struct text *t, void *state,
                  struct slice block)
{
    const char *end = block.ptr + block.len;
    struct slice line;
    bool ok = true;

    while (ok && block.len) {
        const char *p = block.ptr;

        if (reader->known(t, state, &p, end, &ok)) {
            block = slice_make(p, (size_t)(end - p));
            continue;
        }
        slice_line(&block, &line);
        t->line++;
        ok = reader->line(t, state, line);
    }
    return ok;
}
