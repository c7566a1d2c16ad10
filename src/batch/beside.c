#include "batch/beside.h"

#include <string.h>

#include "report/graph_codec.h"

void beside_write(const struct consulted *c, struct buf *out)
{
    graph_codec_write_number(out, c->items.count);
    vec_each (const struct consulted_item, item, &c->items) {
        graph_codec_write_number(out, item->kind);
        graph_codec_write_number(out, item->root);
        graph_codec_write_text(out, item->name);
        buf_add(out, item->state, BLAKE_SIZE);
    }
}

static bool read_item(struct slice *in, struct consulted_item *item)
{
    uint64_t kind, root;

    if (!graph_codec_read_number(in, &kind) || !graph_codec_read_number(in, &root) ||
        !graph_codec_read_text(in, &item->name) || in->len < BLAKE_SIZE ||
        kind > CONSULTED_VDSO_ID || root > CONSULTED_BESIDE)
        return false;
    item->kind = (enum consulted_kind)kind;
    item->root = (enum consulted_root)root;
    memcpy(item->state, in->ptr, BLAKE_SIZE);
    *in = slice_skip(*in, BLAKE_SIZE);
    return true;
}

bool beside_read(struct consulted *now, const struct input_options *o, struct slice *in)
{
    struct consulted_item item;
    uint64_t count;

    if (!graph_codec_read_number(in, &count) || count > in->len || (now && count > CONSULTED_MOST))
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (!read_item(in, &item) || (now && !consulted_is_same(now, o, &item)))
            return false;
    return true;
}
