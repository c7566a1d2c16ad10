#include "batch/reuse_dependencies.h"

#include <string.h>

#include "report/graph_codec.h"

void reuse_dependencies_write(const struct dependencies *c, struct buf *out)
{
    graph_codec_write_number(out, c->items.count);
    vec_each (const struct dependency, item, &c->items) {
        graph_codec_write_number(out, item->kind);
        graph_codec_write_number(out, item->root);
        graph_codec_write_text(out, item->name);
        buf_add(out, item->state, BLAKE_SIZE);
    }
}

static bool read_item(struct slice *in, struct dependency *item)
{
    uint64_t kind, root;

    if (!graph_codec_read_number(in, &kind) || !graph_codec_read_number(in, &root) ||
        !graph_codec_read_text(in, &item->name) || in->len < BLAKE_SIZE ||
        kind > DEPENDENCY_VDSO_ID || root > DEPENDENCY_BESIDE)
        return false;
    item->kind = (enum dependency_kind)kind;
    item->root = (enum dependency_root)root;
    memcpy(item->state, in->ptr, BLAKE_SIZE);
    *in = slice_skip(*in, BLAKE_SIZE);
    return true;
}

bool reuse_dependencies_read(struct dependencies *now, const struct input_options *o,
                             struct slice *in)
{
    struct dependency item;
    uint64_t count;

    if (!graph_codec_read_number(in, &count) || count > in->len ||
        (now && count > DEPENDENCIES_MOST))
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (!read_item(in, &item) || (now && !dependencies_is_same(now, o, &item)))
            return false;
    return true;
}
