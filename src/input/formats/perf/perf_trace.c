#include "input/formats/perf/perf_trace.h"

#include "base/buf.h"
#include "base/num.h"

/* Descriptions of the kernel's own events are of some 10 KB at most. */
enum { MOST_DESCRIPTION = 256 * 1024, MOST_POINTS = 64 * 1024 };

static void add_point(struct perf_trace *t, struct slice system, struct slice description)
{
    const struct slice name = SLICE("name: "), id = SLICE("ID: ");
    struct perf_point point = {.system = system, .description = description};
    struct slice rest = description, line;
    bool has_id = false;

    while (!has_id && slice_line(&rest, &line)) {
        if (slice_starts(line, name))
            point.name = slice_trim(slice_skip(line, name.len));
        else if (slice_starts(line, id))
            has_id = num_parse_u64(slice_trim(slice_skip(line, id.len)), &point.id);
    }
    if (has_id && t->points.count < MOST_POINTS && description.len <= MOST_DESCRIPTION)
        *vec_add(&t->points) = point;
}

static struct slice take_name(struct bytes *b)
{
    size_t len = slice_find(b->rest, '\0');

    return slice_take(bytes_take(b, (uint64_t)len + 1), len);
}

static void read_events(struct perf_trace *t, struct bytes *b, struct slice system)
{
    uint32_t count = bytes_u32(b);

    for (uint32_t i = 0; i < count && !b->failed; i++) {
        struct slice description = bytes_take(b, bytes_u64(b));

        if (!b->failed)
            add_point(t, system, description);
    }
}

void perf_trace_init(struct perf_trace *t, struct slice section)
{
    const struct slice magic = SLICE("\x17\x08\x44tracing");
    enum { PAGE_SIZE = 4, HEADERS = 2 };
    struct bytes b = bytes_make(slice_skip(section, magic.len), false);
    struct slice order;
    uint32_t systems;
    bool big;

    *t = (struct perf_trace){0};
    if (!slice_starts(section, magic))
        return;
    take_name(&b); /* the version */
    order = bytes_take(&b, 1);
    big = order.len && order.ptr[0];
    b.swapped = big == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    bytes_take(&b, 1); /* the size of a long */
    bytes_take(&b, PAGE_SIZE);
    for (int i = 0; i < HEADERS; i++) {
        take_name(&b);
        bytes_take(&b, bytes_u64(&b));
    }
    read_events(t, &b, SLICE("ftrace"));
    systems = bytes_u32(&b);
    for (uint32_t i = 0; i < systems && !b.failed; i++)
        read_events(t, &b, take_name(&b));
}

void perf_trace_release(struct perf_trace *t)
{
    vec_each (struct perf_point, point, &t->points)
        if (point->known)
            perf_layout_release(&point->layout);
    release_each(t, (vec, points), (perf_fields, fields));
}

static struct perf_point *find_point(struct perf_trace *t, const struct perf_attr *event)
{
    vec_each (struct perf_point, point, &t->points)
        if (event->type == PERF_TYPE_TRACEPOINT && point->id == event->config)
            return point;
    return NULL;
}

void perf_trace_name(struct perf_trace *t, struct perf_header *h)
{
    struct buf name = {0};

    for (uint32_t i = 0; i < h->events.count; i++) {
        const struct perf_attr *event = &h->events.items[i];
        const struct perf_point *point = event->name.len ? NULL : find_point(t, event);

        if (!point)
            continue;
        buf_clear(&name);
        buf_printf(&name, "%.*s:%.*s", SLICE_ARG(point->system), SLICE_ARG(point->name));
        perf_header_name(h, i, buf_slice(&name));
    }
    buf_release(&name);
}

const struct perf_fields *perf_trace_fields(struct perf_trace *t, const struct perf_attr *event,
                                            struct slice sample, bool swapped)
{
    struct perf_point *point = find_point(t, event);

    if (!point)
        return NULL;
    if (!point->known)
        perf_layout_init(&point->layout, point->description);
    point->known = true;
    perf_layout_read(&point->layout, sample, swapped, &t->fields);
    return &t->fields;
}
