#include "input/formats/perf/perf_recorded.h"

#include "input/parse/proto.h"

void perf_recorded_release(struct perf_recorded *r)
{
    release_each(r, (map, index), (vec, files));
}

/* ---- the old form ---------------------------------------------------------------------------- */

/* A text that a zero ends. */
static struct slice take_text(struct bytes *b)
{
    struct slice text = bytes_take(b, slice_find(b->rest, '\0'));

    bytes_u8(b);
    return text;
}

static bool take_symbol(struct bytes *b, struct binary_symbol *s)
{
    s->start = bytes_u64(b);
    s->end = bytes_u32(b);
    s->name = take_text(b);
    return !b->failed;
}

/* Path, kind, address, symbols, and what follows them for some kinds. */
static void read_file(struct bytes b, struct perf_recorded_file *f)
{
    struct binary_symbol s;

    f->path = take_text(&b);
    f->kind = bytes_u32(&b);
    f->address = bytes_u64(&b);
    f->count = bytes_u32(&b);
    f->symbols = b;
    for (uint32_t i = 0; i < f->count && take_symbol(&b, &s); i++)
        ;
    if (f->kind == PERF_RECORDED_ELF && b.rest.len >= sizeof(f->place))
        f->place = bytes_u64(&b);
}

/* ---- messages -------------------------------------------------------------------------------- */

enum { FILE_PATH = 1, FILE_KIND, FILE_ADDRESS, FILE_SYMBOL, FILE_ELF = 6 };
enum { SYMBOL_ADDRESS = 1, SYMBOL_SIZE, SYMBOL_NAME };
enum { ELF_PLACE = 1 };

static uint64_t read_place(struct slice message)
{
    struct proto_field field;

    while (proto_next(&message, &field))
        if (field.number == ELF_PLACE && field.wire == PROTO_VARINT)
            return field.value;
    return 0;
}

static void read_message(struct slice message, struct perf_recorded_file *f)
{
    struct proto_field field;

    f->is_message = true;
    f->symbols = bytes_make(message, false);
    while (proto_next(&message, &field)) {
        if (field.wire == PROTO_BYTES && field.number == FILE_PATH)
            f->path = field.bytes;
        else if (field.wire == PROTO_VARINT && field.number == FILE_KIND)
            f->kind = (uint32_t)field.value;
        else if (field.wire == PROTO_VARINT && field.number == FILE_ADDRESS)
            f->address = field.value;
        else if (field.wire == PROTO_BYTES && field.number == FILE_ELF)
            f->place = read_place(field.bytes);
    }
}

static struct binary_symbol read_symbol(struct slice message)
{
    struct binary_symbol s = {0};
    struct proto_field field;

    while (proto_next(&message, &field)) {
        if (field.wire == PROTO_VARINT && field.number == SYMBOL_ADDRESS)
            s.start = field.value;
        else if (field.wire == PROTO_VARINT && field.number == SYMBOL_SIZE)
            s.end = field.value;
        else if (field.wire == PROTO_BYTES && field.number == SYMBOL_NAME)
            s.name = field.bytes;
    }
    return s;
}

/* ---- files ----------------------------------------------------------------------------------- */

void perf_recorded_read(struct perf_recorded *r, struct bytes section, bool of_messages)
{
    while (section.rest.len && !section.failed) {
        struct slice content = bytes_take(&section, bytes_u32(&section));
        struct perf_recorded_file f = {0};

        if (section.failed)
            return;
        if (of_messages)
            read_message(content, &f);
        else
            read_file(bytes_make(content, section.swapped), &f);
        if (!f.path.len || perf_recorded_find(r, f.path))
            continue;
        map_add(&r->index, map_hash_bytes(&r->index, f.path), (uint32_t)r->files.count);
        *vec_add(&r->files) = f;
    }
}

static bool same_path(const void *context, uint32_t at, const void *key)
{
    return slice_equal(((const struct perf_recorded *)context)->files.items[at].path,
                       *(const struct slice *)key);
}

const struct perf_recorded_file *perf_recorded_find(const struct perf_recorded *r,
                                                    struct slice path)
{
    uint32_t at = map_find(&r->index, map_hash_bytes(&r->index, path), same_path, r, &path);

    return at == MAP_NONE ? NULL : &r->files.items[at];
}

/* Until symtab_add(), `end` of a symbol is its size. */
static void add(struct symtab *t, const struct binary_symbol *s)
{
    if (s->name.len)
        symtab_add(t, s->start, s->end, s->name, SYMTAB_GLOBAL);
}

void perf_recorded_add_symbols(const struct perf_recorded_file *f, struct symtab *t)
{
    struct bytes b = f->symbols;
    struct proto_field field;
    struct binary_symbol s;

    if (f->is_message) {
        while (proto_next(&b.rest, &field)) {
            if (field.wire != PROTO_BYTES || field.number != FILE_SYMBOL)
                continue;
            s = read_symbol(field.bytes);
            add(t, &s);
        }
        return;
    }
    for (uint32_t i = 0; i < f->count && take_symbol(&b, &s); i++)
        add(t, &s);
}

uint64_t perf_recorded_address(const struct perf_recorded_file *f, uint64_t offset,
                               uint64_t in_memory)
{
    if (f->kind == PERF_RECORDED_ELF)
        return offset - f->place + f->address;
    return f->kind == PERF_RECORDED_DEX ? offset : in_memory;
}
