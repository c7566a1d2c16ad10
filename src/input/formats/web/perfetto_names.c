#include "input/formats/web/perfetto_names.h"

#include "base/budget.h"
#include "input/formats/web/perfetto_items.h"
#include "input/parse/proto.h"

void perfetto_names_release(struct perfetto_names *n)
{
    release_each(n, (intern, keys, texts, packages), (vec, names), (buf, key));
}

/* Returns the key of a class, valid until the next call. */
static struct slice key_of(struct perfetto_names *n, struct slice package, struct slice name)
{
    buf_clear(&n->key);
    buf_add_slice(&n->key, package);
    buf_add_char(&n->key, '\0');
    buf_add_slice(&n->key, name);
    return buf_slice(&n->key);
}

void perfetto_names_read(struct perfetto_names *n, struct slice message)
{
    enum { PACKAGE = 1, CLASS = 3, SHORT = 1, NAME = 2 };
    struct slice package = {0}, shortened, name;
    struct proto_field f;

    perfetto_items_bytes(message, PACKAGE, &package);
    intern_add(&n->packages, package);
    while (!budget_is_over() && proto_next(&message, &f)) {
        uint32_t id;

        if (f.number != CLASS || f.wire != PROTO_BYTES ||
            !perfetto_items_bytes(f.bytes, SHORT, &shortened) ||
            !perfetto_items_bytes(f.bytes, NAME, &name) || !name.len)
            continue;
        id = intern_add(&n->keys, key_of(n, package, shortened));
        if (id == n->names.count)
            *vec_add(&n->names) = name;
        n->names.items[id] = intern_get(&n->texts, intern_add(&n->texts, name));
    }
}

/* Returns the name before of a class, or an empty slice. */
static struct slice find_class(struct perfetto_names *n, struct slice package, struct slice name)
{
    uint32_t id = intern_find(&n->keys, key_of(n, package, name));

    return id == MAP_NONE ? SLICE("") : n->names.items[id];
}

bool perfetto_names_add(struct perfetto_names *n, struct slice process, struct slice type,
                        struct buf *out)
{
    static const struct slice object = {"java.lang.Class<", 16};
    struct slice name = type, package = slice_take(process, slice_find(process, ':')), before;

    if (!n->names.count)
        return false;
    if (slice_starts(name, object) && slice_ends(name, SLICE(">")))
        name = slice_skip(slice_take(name, name.len - 1), object.len);
    while (slice_ends(name, SLICE("[]")))
        name.len -= 2;
    if (!package.len && intern_count(&n->packages) == 1)
        package = intern_get(&n->packages, 0);
    before = find_class(n, package, name);
    if (!before.len)
        before = find_class(n, SLICE(""), name);
    if (!before.len)
        return false;
    buf_add(out, type.ptr, (size_t)(name.ptr - type.ptr));
    buf_add_slice(out, before);
    buf_add_slice(out, slice_skip(type, (size_t)(name.ptr - type.ptr) + name.len));
    return true;
}
