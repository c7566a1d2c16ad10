#include "input/build/frame_index.h"

#include "base/hash.h"

void frame_index_release(struct frame_index *x)
{
    release_each(x, (arena, texts), (map, map), (vec, frames));
}

/* Returns the frame without the members that do not change its name. */
static struct frame essence(const struct frame *f, const struct input_options *options)
{
    struct frame e = *f;

    if (!options->srcline) {
        e.file = SLICE("");
        e.line = 0;
    }
    e.has_address = f->has_address && (options->addrs || frame_is_nameless(f));
    if (!e.has_address)
        e.address = 0;
    return e;
}

static uint64_t hash_frame(const struct map *m, const struct frame *f)
{
    uint64_t hash = map_hash_bytes(m, f->name);

    if (f->module.len)
        hash = map_hash_pair(m, hash, map_hash_bytes(m, f->module));
    if (f->file.len)
        hash = map_hash_pair(m, hash, map_hash_bytes(m, f->file));
    return map_hash_pair(m, hash, f->address + f->line + (uint64_t)f->kind);
}

static bool same_frame(const void *context, uint32_t id, const void *key)
{
    const struct frame_index *x = context;
    const struct frame *a = &x->frames.items[id], *b = key;

    return slice_equal(a->name, b->name) && slice_equal(a->module, b->module) &&
           slice_equal(a->file, b->file) && a->line == b->line && a->address == b->address &&
           a->has_address == b->has_address && a->kind == b->kind && a->class == b->class &&
           a->has_class == b->has_class;
}

uint32_t frame_index_add(struct frame_index *x, const struct frame *f,
                         const struct input_options *options)
{
    struct frame e = essence(f, options);
    uint64_t hash = hash_frame(&x->map, &e);
    uint32_t id = map_find(&x->map, hash, same_frame, x, &e);

    if (id != MAP_NONE)
        return id;
    if (x->frames.count >= MAP_NONE)
        die("more than %u distinct frames", MAP_NONE);
    id = (uint32_t)x->frames.count;
    e.name = arena_copy(&x->texts, e.name);
    e.module = arena_copy(&x->texts, e.module);
    e.file = arena_copy(&x->texts, e.file);
    *vec_add(&x->frames) = e;
    map_add(&x->map, hash, id);
    return id;
}
