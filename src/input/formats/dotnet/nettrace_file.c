#include "input/formats/dotnet/nettrace_file.h"

#include "input/parse/proto.h"

#define MAGIC SLICE("Nettrace\24\0\0\0!FastSerialization.1")
#define NEWER_MAGIC SLICE("Nettrace\0\0\0\0\6\0\0\0")

enum { TAG_END = 1, TAG_BEGIN = 5, TAG_CLOSE = 6, TRACE_SIZE = 48, ALIGNMENT = 4 };

/* What an event with a compressed header gives. */
enum {
    HAS_METADATA = 1,
    HAS_SEQUENCE = 2,
    HAS_THREAD = 4,
    HAS_STACK = 8,
    HAS_ACTIVITY = 16,
    HAS_LABELS = 16, /* instead, since version 6 */
    HAS_RELATED = 32,
    HAS_SIZE = 128,
    ACTIVITY_SIZE = 16,
};

bool dotnet_begins(struct slice content)
{
    return slice_starts(content, MAGIC) || slice_starts(content, NEWER_MAGIC);
}

/* Takes `n` bytes, and returns them if there are as many. */
static struct slice take(struct dotnet_file *f, size_t n)
{
    struct slice bytes = stream_peek(&f->in, n);

    if (f->failed || bytes.len < n) {
        f->failed = true;
        return SLICE("");
    }
    stream_skip(&f->in, n);
    return slice_take(bytes, n);
}

static unsigned take_u8(struct dotnet_file *f)
{
    struct bytes b = bytes_make_little(take(f, 1));

    return bytes_u8(&b);
}

static uint32_t take_u32(struct dotnet_file *f)
{
    struct bytes b = bytes_make_little(take(f, sizeof(uint32_t)));

    return bytes_u32(&b);
}

void dotnet_open(struct dotnet_file *f, struct content *content)
{
    *f = (struct dotnet_file){0};
    stream_init(&f->in, content);
    f->newer = slice_starts(stream_peek(&f->in, NEWER_MAGIC.len), NEWER_MAGIC);
    take(f, f->newer ? NEWER_MAGIC.len + sizeof(uint32_t) : MAGIC.len);
    f->at = stream_offset(&f->in);
}

bool dotnet_close(struct dotnet_file *f)
{
    bool ok = stream_end(&f->in);

    stream_release(&f->in);
    return ok;
}

static enum dotnet_block kind_of(struct slice name)
{
    static const struct {
        struct slice name;
        enum dotnet_block kind;
    } kinds[] = {
        {{"Trace", 5}, DOTNET_TRACE},        {{"MetadataBlock", 13}, DOTNET_METADATA},
        {{"EventBlock", 10}, DOTNET_EVENTS}, {{"StackBlock", 10}, DOTNET_STACKS},
        {{"SPBlock", 7}, DOTNET_SEQUENCE},
    };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (slice_equal(name, kinds[i].name))
            return kinds[i].kind;
    return DOTNET_OTHER;
}

/* Takes a block of version 6. */
static bool next_block(struct dotnet_file *f, enum dotnet_block *kind, struct slice *block)
{
    enum { SIZE_BITS = 24, SIZE_MASK = (1 << SIZE_BITS) - 1 };
    static const enum dotnet_block kinds[] = {DOTNET_OTHER,    DOTNET_TRACE,    DOTNET_EVENTS,
                                              DOTNET_METADATA, DOTNET_SEQUENCE, DOTNET_STACKS,
                                              DOTNET_THREADS};
    uint32_t header = take_u32(f), number = header >> SIZE_BITS;

    if (f->failed || !number)
        return false;
    *kind = number < sizeof(kinds) / sizeof(kinds[0]) ? kinds[number] : DOTNET_PASSED;
    *block = take(f, header & SIZE_MASK);
    return !f->failed;
}

bool dotnet_block(struct dotnet_file *f, enum dotnet_block *kind, struct slice *block)
{
    uint32_t size = TRACE_SIZE;

    f->at = stream_offset(&f->in);
    if (f->newer)
        return next_block(f, kind, block);
    if (take_u8(f) == TAG_END && !f->failed)
        return false;
    take(f, 2 + 2 * sizeof(uint32_t)); /* the type, and two versions */
    *kind = kind_of(take(f, take_u32(f)));
    if (take_u8(f) != TAG_CLOSE)
        f->failed = true;
    if (*kind != DOTNET_TRACE) {
        size = take_u32(f);
        take(f, (ALIGNMENT - stream_offset(&f->in) % ALIGNMENT) % ALIGNMENT);
    }
    /* The byte after the block is looked at before it is taken, which may move the block. */
    *block = stream_peek(&f->in, (size_t)size + 1);
    if (f->failed || block->len <= size || block->ptr[size] != TAG_CLOSE) {
        f->failed = true;
        return false;
    }
    stream_skip(&f->in, (size_t)size + 1);
    *block = slice_take(*block, size);
    return true;
}

void dotnet_events_init(struct dotnet_events *e, struct slice block, bool newer)
{
    struct bytes header = bytes_make_little(block);
    unsigned size = bytes_u16(&header), flags = bytes_u16(&header);

    *e = (struct dotnet_events){
        .bytes = bytes_make_little(block), .compressed = flags & 1, .newer = newer};
    bytes_take(&e->bytes, size);
}

uint64_t dotnet_varint(struct bytes *b)
{
    uint64_t value = 0;

    if (!proto_varint(&b->rest, &value))
        b->failed = true;
    return value;
}

struct slice dotnet_string(struct bytes *b)
{
    return bytes_take(b, dotnet_varint(b));
}

static void read_compressed(struct dotnet_events *e)
{
    struct bytes *b = &e->bytes;
    unsigned flags = bytes_u8(b);

    if (flags & HAS_METADATA)
        e->event.metadata = (uint32_t)dotnet_varint(b);
    if (flags & HAS_SEQUENCE) {
        dotnet_varint(b); /* sequence number, thread that wrote, processor */
        dotnet_varint(b);
        dotnet_varint(b);
    }
    if (flags & HAS_THREAD)
        e->event.thread = dotnet_varint(b);
    if (flags & HAS_STACK)
        e->event.stack = (uint32_t)dotnet_varint(b);
    e->event.time += dotnet_varint(b);
    if (e->newer && (flags & HAS_LABELS))
        dotnet_varint(b);
    if (!e->newer && (flags & HAS_ACTIVITY))
        bytes_take(b, ACTIVITY_SIZE);
    if (!e->newer && (flags & HAS_RELATED))
        bytes_take(b, ACTIVITY_SIZE);
    if (flags & HAS_SIZE)
        e->payload = dotnet_varint(b);
    e->event.payload = bytes_take(b, e->payload);
}

static void read_plain(struct dotnet_events *e)
{
    struct bytes *b = &e->bytes, event;
    uint32_t size = bytes_u32(b), payload;
    size_t padding;

    event = bytes_make_little(bytes_take(b, size));
    e->event.metadata = bytes_u32(&event) & INT32_MAX;
    bytes_take(&event, sizeof(uint32_t));
    e->event.thread = bytes_u64(&event);
    bytes_take(&event, sizeof(uint64_t) + sizeof(uint32_t));
    e->event.stack = bytes_u32(&event);
    e->event.time = bytes_u64(&event);
    bytes_take(&event, e->newer ? sizeof(uint32_t) : 2 * ACTIVITY_SIZE);
    payload = bytes_u32(&event);
    e->event.payload = bytes_take(&event, payload);
    b->failed = b->failed || event.failed;
    padding = e->newer ? 0 : (ALIGNMENT - size % ALIGNMENT) % ALIGNMENT;
    bytes_take(b, padding < b->rest.len ? padding : b->rest.len);
}

bool dotnet_next(struct dotnet_events *e)
{
    if (!e->bytes.rest.len || e->bytes.failed)
        return false;
    if (e->compressed)
        read_compressed(e);
    else
        read_plain(e);
    return !e->bytes.failed;
}

struct slice dotnet_text(struct bytes *b)
{
    size_t len = 0;

    while (len + 1 < b->rest.len && (b->rest.ptr[len] || b->rest.ptr[len + 1]))
        len += 2;
    if (len + 1 >= b->rest.len)
        b->failed = true;
    return slice_take(bytes_take(b, len + 2), len);
}
