/*
 * bpftrace's maps as JSON (-f json), a document to the line.
 *
 *     {"type": "attached_probes", "data": {"probes": 2}}
 *     {"type": "map", "data": {"@": {"\n\tschedule+35\n,\n\tpoll+79\n,thr": 4}}}
 *
 * A key holds what the text output has between its brackets: a frame to the
 * line, the other keys between commas. Documents of type "map" are read; what
 * a script prints is dropped; histograms and statistics are left out and told.
 *
 * The grammar is that of bpftrace's src/output.cpp as its output shows it.
 */
#include "input/formats/kernel/bpftrace_map.h"
#include "input/format.h"
#include "input/parse/json.h"

struct bpftrace_json {
    struct bpftrace_maps maps;
    struct buf type; /* of the document */
};

/* What a document of this type holds that does not add up, or NULL. */
static const char *odd_type(struct slice type)
{
    static const struct {
        const char *type, *what;
    } types[] = {
        {"hist", "histograms"},
        {"lhist", "histograms"},
        {"tseries", "histograms"},
        {"stats", "statistics"},
    };

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (slice_equal(type, slice_str(types[i].type)))
            return types[i].what;
    return NULL;
}

static void read_key(struct bpftrace_maps *m, struct slice key)
{
    struct slice line;
    bool first = true;

    bpftrace_map_begin(m);
    while (first || key.len) {
        size_t at = slice_find(key, '\n');
        bool last = at == key.len;

        line = slice_take(key, at);
        key = slice_skip(key, at + 1);
        if (line.len && (line.ptr[0] == '\t' || line.ptr[0] == ' '))
            bpftrace_map_frame(m, line);
        else
            bpftrace_map_keys(m, line, SLICE(","), !last);
        first = false;
    }
}

static bool read_map(struct bpftrace_json *b, const struct json_value *map)
{
    struct record record;

    if (map->type == JSON_NUMBER) {
        bpftrace_map_begin(&b->maps);
        return bpftrace_map_finish(&b->maps, map->key, map->text, &record);
    }
    if (map->type != JSON_OBJECT) {
        bpftrace_map_leave_out(&b->maps, map->key, "values that are no counts");
        return true;
    }
    json_each(entry, map)
    {
        read_key(&b->maps, entry->key);
        if (!bpftrace_map_finish(&b->maps, map->key,
                                 entry->type == JSON_NUMBER ? entry->text : SLICE(""), &record))
            return false;
    }
    return true;
}

static bool wants_each(void *context, struct slice key)
{
    (void)context;
    return slice_equal(key, SLICE("data"));
}

static bool read_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct bpftrace_json *b = context;
    struct slice type = buf_slice(&b->type);

    (void)at;
    if (!parent.len) {
        if (slice_equal(v->key, SLICE("type"))) {
            buf_clear(&b->type);
            buf_add_slice(&b->type, json_text(v));
        }
        return true;
    }
    if (!slice_starts(v->key, SLICE("@")))
        return true;
    if (odd_type(type))
        bpftrace_map_leave_out(&b->maps, v->key, odd_type(type));
    return !slice_equal(type, SLICE("map")) || read_map(b, v);
}

static bool bpftrace_json_claims(const struct head *head)
{
    static const char *const types[] = {
        "attached_probes", "map", "hist", "lhist", "tseries", "stats", "printf", "time", "value",
    };
    struct slice type = head_text(head, "type");

    if (!head->is_json || !head_has(head, "data") ||
        slice_search(head->bytes, SLICE("\"@")) == head->bytes.len)
        return false;
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (slice_equal(type, slice_str(types[i])))
            return true;
    return false;
}

static bool bpftrace_json_read(struct content *c)
{
    struct bpftrace_json b;
    struct json_handler handler = {.context = &b, .each = wants_each, .value = read_value};
    bool ok;

    bpftrace_map_init(&b.maps, c->profile, c->options, c->diag);
    buf_init(&b.type);
    ok = json_read(c, &handler) && bpftrace_map_end(&b.maps);
    bpftrace_map_release(&b.maps);
    buf_release(&b.type);
    return ok;
}

const struct format format_bpftrace_json = {
    .name = "bpftrace-json",
    .family = FORMAT_LINUX,
    .description = "bpftrace's maps as JSON",
    .recognised = "documents with 'type' and 'data', and maps whose names begin with '@'",
    .example = "bpftrace -f json -e 'profile:hz:99 { @[kstack, comm] = count(); }' > app.json",
    .without_stacks = "use kstack or ustack as a key of the map",
    .claims = bpftrace_json_claims,
    .read = bpftrace_json_read,
};
