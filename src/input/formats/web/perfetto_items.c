#include "input/formats/web/perfetto_items.h"

#include "base/budget.h"
#include "input/parse/proto.h"

void perfetto_items_release(struct perfetto_items *t)
{
    release_each(t, (intern, keys, texts), (vec, items, sequences), (buf, path));
}

bool perfetto_items_number(struct slice message, uint64_t field, uint64_t *value)
{
    struct proto_field f;

    while (proto_next(&message, &f))
        if (f.number == field && f.wire == PROTO_VARINT) {
            *value = f.value;
            return true;
        }
    return false;
}

bool perfetto_items_bytes(struct slice message, uint64_t field, struct slice *bytes)
{
    struct proto_field f;

    while (proto_next(&message, &f))
        if (f.number == field && f.wire == PROTO_BYTES) {
            *bytes = f.bytes;
            return true;
        }
    return false;
}

void perfetto_items_only(struct slice message, uint64_t field, struct buf *out)
{
    struct proto_field f;
    const char *start = message.ptr;

    for (; proto_next(&message, &f); start = message.ptr)
        if (f.number == field)
            buf_add(out, start, (size_t)(message.ptr - start));
}

bool perfetto_items_next(struct perfetto_numbers *n, uint64_t *value)
{
    struct proto_field f;

    while (!proto_varint(&n->packed, value)) {
        if (!proto_next(&n->message, &f))
            return false;
        if (f.number != n->field)
            continue;
        if (f.wire == PROTO_VARINT) {
            *value = f.value;
            return true;
        }
        n->packed = f.wire == PROTO_BYTES ? f.bytes : SLICE("");
    }
    return true;
}

struct perfetto_item *perfetto_items_get(struct perfetto_items *t,
                                         const struct perfetto_sequence *s,
                                         enum perfetto_item_kind kind, uint64_t number)
{
    uint64_t key[] = {s ? s->id : 0, kind, number}, generation = s ? s->generation : 0;
    uint32_t id = intern_add(&t->keys, slice_make((const char *)key, sizeof(key)));

    while (t->items.count <= id)
        *vec_add(&t->items) = (struct perfetto_item){.generation = generation};
    if (t->items.items[id].generation != generation)
        t->items.items[id] = (struct perfetto_item){.generation = generation};
    return &t->items.items[id];
}

struct perfetto_sequence *perfetto_items_sequence(struct perfetto_items *t, uint64_t id)
{
    struct perfetto_item *item = perfetto_items_get(t, NULL, ITEM_SEQUENCE, id);

    if (!item->known) {
        item->known = true;
        item->number = t->sequences.count;
        *vec_add(&t->sequences) = (struct perfetto_sequence){.id = id + 1};
    }
    return &t->sequences.items[item->number];
}

/* ---- tables -------------------------------------------------------------------------------- */

struct table {
    uint64_t field;
    enum perfetto_item_kind kind;
    bool text; /* the item is the text in field 2 */
};

static void set_item(struct perfetto_item *item, struct slice bytes)
{
    *item = (struct perfetto_item){.known = true, .generation = item->generation, .bytes = bytes};
}

static void read_tables(struct perfetto_items *t, const struct perfetto_sequence *s,
                        struct slice message, const struct table *tables, size_t count)
{
    struct proto_field f;
    uint64_t id;

    while (proto_next(&message, &f)) {
        if (f.wire != PROTO_BYTES || !perfetto_items_number(f.bytes, 1, &id))
            continue;
        for (size_t i = 0; i < count; i++) {
            struct slice bytes = f.bytes;

            if (tables[i].field != f.number)
                continue;
            if (tables[i].text && !perfetto_items_bytes(f.bytes, 2, &bytes))
                bytes = SLICE("");
            set_item(perfetto_items_get(t, s, tables[i].kind, id),
                     intern_get(&t->texts, intern_add(&t->texts, bytes)));
        }
    }
}

void perfetto_items_read(struct perfetto_items *t, const struct perfetto_sequence *s,
                         struct slice message)
{
    static const struct table tables[] = {{2, ITEM_NAME, true},     {5, ITEM_FUNCTION, true},
                                          {6, ITEM_FRAME, false},   {7, ITEM_STACK, false},
                                          {17, ITEM_PATH, true},    {18, ITEM_SOURCE, true},
                                          {19, ITEM_MAPPING, false}};

    read_tables(t, s, message, tables, sizeof(tables) / sizeof(tables[0]));
}

void perfetto_items_read_heap(struct perfetto_items *t, const struct perfetto_sequence *s,
                              struct slice message)
{
    static const struct table tables[] = {{1, ITEM_FUNCTION, true},
                                          {1, ITEM_PATH, true},
                                          {2, ITEM_FRAME, false},
                                          {3, ITEM_STACK, false},
                                          {4, ITEM_MAPPING, false}};

    read_tables(t, s, message, tables, sizeof(tables) / sizeof(tables[0]));
}

/* ---- stacks -------------------------------------------------------------------------------- */

enum { PATH_MOST = 4096 };

/* "/system/lib64/libc.so"; Chrome writes a path that has its slashes as one part. */
static struct slice path_of(struct perfetto_items *t, const struct perfetto_sequence *s,
                            struct slice mapping)
{
    enum { PATH_PARTS = 7 };
    struct perfetto_numbers n = {.message = mapping, .field = PATH_PARTS};
    struct slice path;
    uint64_t part;

    buf_clear(&t->path);
    while (t->path.len < PATH_MOST && perfetto_items_next(&n, &part)) {
        buf_add_char(&t->path, '/');
        buf_add_slice(&t->path,
                      slice_take(perfetto_items_get(t, s, ITEM_PATH, part)->bytes, PATH_MOST));
    }
    path = buf_slice(&t->path);
    return slice_skip(path, slice_starts(path, SLICE("//")) || slice_starts(path, SLICE("/[")));
}

/*
 * Fills `frame`, whose texts are valid until the next call. Returns whether all of it is known. A
 * long name is cut here because each of many frames may have it.
 */
static bool find_frame(struct perfetto_items *t, const struct perfetto_sequence *s,
                       struct slice bytes, struct frame *frame, size_t longest)
{
    enum { FUNCTION = 2, MAPPING = 3, ADDRESS = 4, SOURCE = 5, LINE = 6, KIND = 7 };
    enum { KIND_KERNEL = 2 };
    const struct perfetto_item *item;
    uint64_t number;
    bool known = bytes.len > 0;

    if (perfetto_items_number(bytes, FUNCTION, &number) && number) {
        item = perfetto_items_get(t, s, ITEM_FUNCTION, number);
        frame->name = slice_take(item->bytes, longest);
        known = known && item->known;
    }
    if (perfetto_items_number(bytes, SOURCE, &number) && number)
        frame->file = slice_take(perfetto_items_get(t, s, ITEM_SOURCE, number)->bytes, PATH_MOST);
    perfetto_items_number(bytes, LINE, &frame->line);
    if (perfetto_items_number(bytes, MAPPING, &number) && number) {
        frame->has_address = perfetto_items_number(bytes, ADDRESS, &frame->address);
        item = perfetto_items_get(t, s, ITEM_MAPPING, number);
        known = known && item->known;
        frame->module = path_of(t, s, item->bytes);
    }
    if (slice_equal(frame->module, SLICE("/kernel")) ||
        (perfetto_items_number(bytes, KIND, &number) && number == KIND_KERNEL)) {
        frame->has_class = true;
        frame->class = SYMBOL_KERNEL;
    }
    return known;
}

/* Pushes a frame. Returns whether it is known, so that it is the same whenever it is asked for. */
static bool push_frame(struct perfetto_items *t, struct builder *b,
                       const struct perfetto_sequence *s, uint64_t number)
{
    struct perfetto_item item = *perfetto_items_get(t, s, ITEM_FRAME, number);
    struct frame frame = {.kind = FRAME_NATIVE};
    bool known = item.number > 0;

    if (!known) {
        known = find_frame(t, s, item.bytes, &frame, b->options->limits.max_name + 1ull);
        item.number = builder_entry(b, &frame) + 1;
        if (known)
            perfetto_items_get(t, s, ITEM_FRAME, number)->number = item.number;
    }
    builder_push(b, (uint32_t)item.number - 1);
    return known;
}

bool perfetto_items_push(struct perfetto_items *t, struct builder *b,
                         const struct perfetto_sequence *s, uint64_t number)
{
    struct perfetto_item item = *perfetto_items_get(t, s, ITEM_STACK, number);
    struct perfetto_numbers n = {.message = item.bytes, .field = 2};
    bool known = item.known;
    uint64_t frame;

    builder_begin(b);
    while (!budget_is_over() && perfetto_items_next(&n, &frame))
        known &= push_frame(t, b, s, frame);
    return known;
}

bool perfetto_items_stack(struct perfetto_items *t, struct builder *b,
                          const struct perfetto_sequence *s, uint64_t number, uint32_t *stack)
{
    uint64_t before = perfetto_items_get(t, s, ITEM_STACK, number)->number;
    bool known;

    if (before) {
        *stack = (uint32_t)before - 1;
        return true;
    }
    known = perfetto_items_push(t, b, s, number);
    if (!builder_stack(b, stack))
        return false;
    if (known)
        perfetto_items_get(t, s, ITEM_STACK, number)->number = *stack + 1ull;
    return true;
}
