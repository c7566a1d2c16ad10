#include "input/formats/perf/perf_header.h"

#include "base/buf.h"
#include "base/num.h"
#include "base/utf8.h"

void perf_header_release(struct perf_header *h)
{
    release_each(h, (arena, texts), (map, ids), (perf_recorded, recorded),
                 (vec, events, id_keys, id_events, build_ids));
}

const char *perf_header_read(struct perf_header *h, struct slice start)
{
    struct bytes b;
    uint64_t size;

    h->swapped =
        slice_starts(start, SLICE("2ELIFREP")) == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    h->big = slice_starts(start, SLICE("2ELIFREP"));
    b = bytes_make(slice_skip(start, 8), h->swapped);
    size = bytes_u64(&b);
    h->piped = size == PERF_PIPE_HEADER;
    h->data = PERF_PIPE_HEADER;
    h->data_size = UINT64_MAX;
    if (h->piped)
        return b.failed ? "the header is cut" : NULL;
    h->attr_size = bytes_u64(&b);
    h->attrs = bytes_u64(&b);
    h->attrs_size = bytes_u64(&b);
    h->data = bytes_u64(&b);
    h->data_size = bytes_u64(&b);
    bytes_take(&b, 2 * sizeof(uint64_t));
    for (size_t i = 0; i < sizeof(h->features) / sizeof(h->features[0]); i++)
        h->features[i] = bytes_u64(&b);
    if (b.failed)
        return "the header is cut";
    return size == PERF_FILE_HEADER ? NULL : "the size of the header is none that perf writes";
}

/* ---- events ---------------------------------------------------------------------------------- */

/* A flag of struct perf_event_attr, a bit field, whose bits big machines count from the top. */
static bool flag(const struct perf_header *h, uint64_t flags, unsigned bit)
{
    return flags >> (h->big ? 63 - bit : bit) & 1;
}

uint32_t perf_header_add_event(struct perf_header *h, struct slice attr)
{
    enum { INHERIT = 1, NO_USER = 4, NO_KERNEL = 5, NO_HYPERVISOR = 6, PRECISE = 15, ID_ALL = 18 };
    struct bytes b = bytes_make(attr, h->swapped);
    struct perf_attr a = {0};
    uint64_t flags;

    a.type = bytes_u32(&b);
    bytes_u32(&b);
    a.config = bytes_u64(&b);
    a.period = bytes_u64(&b);
    a.sample_type = bytes_u64(&b);
    a.read_format = bytes_u64(&b);
    flags = bytes_u64(&b);
    bytes_take(&b, 3 * sizeof(uint64_t)); /* wakeup, breakpoint, configuration */
    a.branch_type = bytes_u64(&b);
    a.regs_user = bytes_u64(&b);
    bytes_take(&b, sizeof(uint64_t)); /* size of the stack, clock */
    a.regs_intr = bytes_u64(&b);
    a.inherited = flag(h, flags, INHERIT);
    a.has_sample_id = flag(h, flags, ID_ALL);
    a.no_user = flag(h, flags, NO_USER);
    a.no_kernel = flag(h, flags, NO_KERNEL);
    a.no_hypervisor = flag(h, flags, NO_HYPERVISOR);
    a.precise = flag(h, flags, PRECISE) + 2u * flag(h, flags, PRECISE + 1);
    *vec_add(&h->events) = a;
    return (uint32_t)h->events.count - 1;
}

static bool same_id(const void *context, uint32_t at, const void *key)
{
    return ((const struct perf_header *)context)->id_keys.items[at] == *(const uint64_t *)key;
}

static uint32_t find_id(const struct perf_header *h, uint64_t id)
{
    return map_find(&h->ids, map_hash_pair(&h->ids, id, 0), same_id, h, &id);
}

void perf_header_add_id(struct perf_header *h, uint32_t event, uint64_t id)
{
    if (find_id(h, id) != MAP_NONE)
        return;
    map_add(&h->ids, map_hash_pair(&h->ids, id, 0), (uint32_t)h->id_keys.count);
    *vec_add(&h->id_keys) = id;
    *vec_add(&h->id_events) = event;
}

uint32_t perf_header_find(const struct perf_header *h, uint64_t id)
{
    uint32_t at = find_id(h, id);

    return at == MAP_NONE ? UINT32_MAX : h->id_events.items[at];
}

void perf_header_name(struct perf_header *h, uint32_t event, struct slice name)
{
    if (event < h->events.count && name.len)
        h->events.items[event].name = arena_copy(&h->texts, name);
}

enum { TYPE_HARDWARE, TYPE_SOFTWARE, TYPE_RAW = 4 };

static const char *const hardware[] = {"cycles",
                                       "instructions",
                                       "cache-references",
                                       "cache-misses",
                                       "branches",
                                       "branch-misses",
                                       "bus-cycles",
                                       "stalled-cycles-frontend",
                                       "stalled-cycles-backend",
                                       "ref-cycles"};
static const char *const software[] = {
    "cpu-clock",        "task-clock",   "page-faults",  "context-switches",
    "cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
    "emulation-faults", "dummy",        "bpf-output",   "cgroup-switches"};

/* Writes the name of an event by its attribute, as perf names events. */
static void write_name(const struct perf_attr *a, struct buf *out)
{
    if (a->type == TYPE_HARDWARE && a->config < sizeof(hardware) / sizeof(hardware[0]))
        buf_add_str(out, hardware[a->config]);
    else if (a->type == TYPE_SOFTWARE && a->config < sizeof(software) / sizeof(software[0]))
        buf_add_str(out, software[a->config]);
    else if (a->type == TYPE_RAW)
        buf_printf(out, "raw 0x%llx", (unsigned long long)a->config);
    else
        buf_printf(out, "event %u:0x%llx", a->type, (unsigned long long)a->config);
    if (!(a->no_user || a->no_kernel || a->no_hypervisor || a->precise))
        return;
    buf_add_char(out, ':');
    if (a->no_user || a->no_kernel || a->no_hypervisor)
        buf_printf(out, "%s%s%s", a->no_kernel ? "" : "k", a->no_user ? "" : "u",
                   a->no_hypervisor ? "" : "h");
    for (unsigned i = 0; i < a->precise; i++)
        buf_add_char(out, 'p');
}

void perf_header_complete(struct perf_header *h)
{
    struct buf name = {0};

    vec_each (struct perf_attr, a, &h->events) {
        if (a->name.len)
            continue;
        buf_clear(&name);
        write_name(a, &name);
        a->name = arena_copy(&h->texts, buf_slice(&name));
    }
    buf_release(&name);
}

/* ---- features -------------------------------------------------------------------------------- */

enum {
    FEATURE_TRACING_DATA = 1,
    FEATURE_BUILD_ID = 2,
    FEATURE_OS_RELEASE = 4,
    FEATURE_ARCH = 6,
    FEATURE_NRCPUS = 7,
    FEATURE_TOTAL_MEMORY = 10,
    FEATURE_CMDLINE = 11,
    FEATURE_EVENT_DESC = 12,
    FEATURE_DIR_FORMAT = 24,
    FEATURE_FILES = 128, /* of simpleperf, from here on */
    FEATURE_META_INFO = 129,
    FEATURE_FILE_MESSAGES = 132,
};

/* Features that are one text, by the name that perf script --header prints. */
static const struct {
    unsigned feature;
    const char *key;
} texts[] = {
    {3, "hostname"},     {FEATURE_OS_RELEASE, "os release"},
    {5, "perf version"}, {FEATURE_ARCH, "arch"},
    {8, "cpudesc"},
};

static void add_fact(struct profile *profile, const char *key, struct slice value)
{
    struct buf clean = {0};

    utf8_add_clean(&clean, value);
    if (clean.len)
        profile_add_fact(profile, slice_str(key), buf_slice(&clean));
    buf_release(&clean);
}

/* Events with their names and ids. */
static void read_events(struct perf_header *h, struct bytes b, struct profile *profile)
{
    uint32_t count = bytes_u32(&b), size = bytes_u32(&b);

    for (uint32_t i = 0; i < count && !b.failed; i++) {
        struct slice attr = bytes_take(&b, size), name;
        uint32_t ids = bytes_u32(&b), event = i;

        name = bytes_string(&b);
        if (b.failed)
            return;
        if (i == h->events.count)
            perf_header_add_event(h, attr);
        for (uint32_t j = 0; j < ids && !b.failed; j++) {
            uint64_t id = bytes_u64(&b);
            uint32_t known = perf_header_find(h, id);

            if (known != UINT32_MAX)
                event = known;
            else if (!b.failed)
                perf_header_add_id(h, event, id);
        }
        perf_header_name(h, event, name);
        add_fact(profile, "event", name);
    }
}

static void read_command(struct bytes b, struct profile *profile)
{
    uint32_t count = bytes_u32(&b);
    struct buf line = {0};

    for (uint32_t i = 0; i < count && !b.failed; i++) {
        if (i)
            buf_add_char(&line, ' ');
        buf_add_slice(&line, bytes_string(&b));
    }
    add_fact(profile, "cmdline", buf_slice(&line));
    buf_release(&line);
}

static void read_number(struct profile *profile, const char *key, uint64_t number, const char *unit)
{
    struct buf text = {0};

    buf_add_u64(&text, number);
    buf_add_str(&text, unit);
    add_fact(profile, key, buf_slice(&text));
    buf_release(&text);
}

void perf_header_build_id(struct perf_header *h, unsigned misc, struct slice bytes)
{
    enum { FIELD = 24, LONGEST = 20, HAS_SIZE = 1 << 15 };
    struct bytes b = bytes_make(bytes, h->swapped);
    struct slice id, path;
    size_t size = LONGEST;

    bytes_u32(&b); /* of a process; -1 for the machine */
    id = bytes_take(&b, FIELD);
    path = bytes_text(&b);
    if (b.failed || !path.len)
        return;
    if (misc & HAS_SIZE)
        size = (unsigned char)id.ptr[LONGEST];
    if (size == 0 || size > LONGEST)
        return;
    *vec_add(&h->build_ids) = (struct perf_build_id){arena_copy(&h->texts, path),
                                                     arena_copy(&h->texts, slice_take(id, size))};
}

/* A list of records, each with its own size. */
static void read_build_ids(struct perf_header *h, struct bytes b)
{
    enum { HEADER = 8 };

    while (b.rest.len >= HEADER && !b.failed) {
        unsigned misc, size;

        bytes_u32(&b);
        misc = bytes_u16(&b);
        size = bytes_u16(&b);
        if (size <= HEADER)
            return;
        perf_header_build_id(h, misc, bytes_take(&b, size - HEADER));
    }
}

/* "cpu-cycles,0,0": names an event by its type and configuration. */
static void read_event_type(struct perf_header *h, struct slice line)
{
    struct slice name, type;
    uint64_t type_number, config;

    if (!slice_cut(&line, ',', &name) || !slice_cut(&line, ',', &type) ||
        !num_parse_u64(type, &type_number) || !num_parse_u64(slice_trim(line), &config))
        return;
    for (uint32_t i = 0; i < h->events.count; i++) {
        const struct perf_attr *e = &h->events.items[i];

        if (e->type == type_number && e->config == config && !e->name.len)
            perf_header_name(h, i, name);
    }
}

/* Keys and values of simpleperf; one has the names of events, a line each. */
static void read_meta_info(struct perf_header *h, struct slice rest)
{
    while (rest.len) {
        struct slice key = slice_take(rest, slice_find(rest, '\0')), value, line;

        rest = slice_skip(rest, key.len + (key.len < rest.len));
        value = slice_take(rest, slice_find(rest, '\0'));
        rest = slice_skip(rest, value.len + (value.len < rest.len));
        if (!slice_equal(key, SLICE("event_type_info")))
            continue;
        while (slice_line(&value, &line))
            read_event_type(h, line);
    }
}

void perf_header_feature(struct perf_header *h, unsigned feature, struct slice bytes,
                         struct profile *profile)
{
    struct bytes b = bytes_make(bytes, h->swapped);

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct bytes text = b;
        struct slice value;

        if (texts[i].feature != feature)
            continue;
        value = bytes_string(&text);
        add_fact(profile, texts[i].key, value);
        if (feature == FEATURE_OS_RELEASE)
            h->release = arena_copy(&h->texts, value);
        if (feature == FEATURE_ARCH)
            h->arch = arena_copy(&h->texts, value);
    }
    switch (feature) {
    case FEATURE_TRACING_DATA:
        h->tracing_data = arena_copy(&h->texts, bytes);
        break;
    case FEATURE_BUILD_ID:
        read_build_ids(h, b);
        break;
    case FEATURE_NRCPUS:
        bytes_u32(&b);
        read_number(profile, "nrcpus online", bytes_u32(&b), "");
        break;
    case FEATURE_TOTAL_MEMORY:
        read_number(profile, "total memory", bytes_u64(&b), " kB");
        break;
    case FEATURE_CMDLINE:
        read_command(b, profile);
        break;
    case FEATURE_EVENT_DESC:
        read_events(h, b, profile);
        break;
    case FEATURE_DIR_FORMAT:
        h->in_directory = true;
        break;
    case FEATURE_META_INFO:
        read_meta_info(h, bytes);
        break;
    case FEATURE_FILES:
    case FEATURE_FILE_MESSAGES:
        perf_recorded_read(&h->recorded, bytes_make(arena_copy(&h->texts, bytes), h->swapped),
                           feature == FEATURE_FILE_MESSAGES);
        break;
    default:
        break;
    }
}
