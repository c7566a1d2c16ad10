#include "input/formats/dotnet/nettrace_file.h"

#include "input/parse/proto.h"

#define MAGIC SLICE("Nettrace\24\0\0\0!FastSerialization.1")

enum { TAG_END = 1, TAG_BEGIN = 5, TAG_CLOSE = 6, TRACE_SIZE = 48, ALIGNMENT = 4 };

/* What an event with a compressed header gives. */
enum {
    HAS_METADATA = 1,
    HAS_SEQUENCE = 2,
    HAS_THREAD = 4,
    HAS_STACK = 8,
    HAS_ACTIVITY = 16,
    HAS_RELATED = 32,
    HAS_SIZE = 128,
    ACTIVITY_SIZE = 16,
};

bool dotnet_begins(struct slice content)
{
    return slice_starts(content, MAGIC);
}

struct bytes dotnet_open(struct slice content)
{
    return bytes_make(slice_skip(content, MAGIC.len), false);
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

bool dotnet_block(struct slice content, struct bytes *file, enum dotnet_block *kind,
                  struct slice *block)
{
    uint32_t size = TRACE_SIZE;
    size_t at;

    if (bytes_u8(file) == TAG_END && !file->failed)
        return false;
    bytes_take(file, 2 + 2 * sizeof(uint32_t)); /* the type, and two versions */
    *kind = kind_of(bytes_take(file, bytes_u32(file)));
    if (bytes_u8(file) != TAG_CLOSE)
        file->failed = true;
    if (*kind != DOTNET_TRACE) {
        size = bytes_u32(file);
        at = content.len - file->rest.len;
        bytes_take(file, (ALIGNMENT - at % ALIGNMENT) % ALIGNMENT);
    }
    *block = bytes_take(file, size);
    if (bytes_u8(file) != TAG_CLOSE)
        file->failed = true;
    return !file->failed;
}

void dotnet_events_init(struct dotnet_events *e, struct slice block)
{
    struct bytes header = bytes_make(block, false);
    unsigned size = bytes_u16(&header), flags = bytes_u16(&header);

    *e = (struct dotnet_events){.bytes = bytes_make(block, false), .compressed = flags & 1};
    bytes_take(&e->bytes, size);
}

static uint64_t varint(struct bytes *b)
{
    uint64_t value = 0;

    if (!proto_varint(&b->rest, &value))
        b->failed = true;
    return value;
}

static void read_compressed(struct dotnet_events *e)
{
    struct bytes *b = &e->bytes;
    unsigned flags = bytes_u8(b);

    if (flags & HAS_METADATA)
        e->event.metadata = (uint32_t)varint(b);
    if (flags & HAS_SEQUENCE) {
        varint(b); /* sequence number, thread that wrote, processor */
        varint(b);
        varint(b);
    }
    if (flags & HAS_THREAD)
        e->event.thread = varint(b);
    if (flags & HAS_STACK)
        e->event.stack = (uint32_t)varint(b);
    e->event.time += varint(b);
    if (flags & HAS_ACTIVITY)
        bytes_take(b, ACTIVITY_SIZE);
    if (flags & HAS_RELATED)
        bytes_take(b, ACTIVITY_SIZE);
    if (flags & HAS_SIZE)
        e->payload = varint(b);
    e->event.payload = bytes_take(b, e->payload);
}

static void read_plain(struct dotnet_events *e)
{
    struct bytes *b = &e->bytes, event;
    uint32_t size = bytes_u32(b), payload;
    size_t padding;

    event = bytes_make(bytes_take(b, size), false);
    e->event.metadata = bytes_u32(&event) & INT32_MAX;
    bytes_take(&event, sizeof(uint32_t));
    e->event.thread = bytes_u64(&event);
    bytes_take(&event, sizeof(uint64_t) + sizeof(uint32_t));
    e->event.stack = bytes_u32(&event);
    e->event.time = bytes_u64(&event);
    bytes_take(&event, 2 * ACTIVITY_SIZE);
    payload = bytes_u32(&event);
    e->event.payload = bytes_take(&event, payload);
    b->failed = b->failed || event.failed;
    padding = (ALIGNMENT - size % ALIGNMENT) % ALIGNMENT;
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
