/*
 * OpenTelemetry's profiles (OTLP), of the layout that version 1.10 brought: a message ProfilesData
 * in protobuf, or the same in JSON on one line, as the collector's receivers of files read it.
 *
 * Each process is a resource, with a profile for each series that has samples of it. The first
 * profile is of the first series, since viewers show that one. A sample is a stack, with its
 * weight, or with the weights and times of its timed samples if the profile has them. Times without
 * a date count from the start of a machine and are written so. Series that one event was split into
 * are one type of samples, which have the attributes of their thread, CPU, control group or label.
 * The weights of a base are negative, with the label by which pprof knows the base of a difference.
 * Facts of the recording are attributes of the profiles.
 *
 * The instrumentation scope is flamepress: names are final, as FLAMEPRESS_MARK says. Its attribute
 * OTLP_ROOT is the key of the attribute that is the root of the stacks.
 *
 * Source: opentelemetry/proto/profiles/v1development/profiles.proto, tag v1.11.0;
 * opentelemetry.io/docs/specs/semconv, "process", "thread" and "cpu".
 */
#include "base/num.h"
#include "base/vec.h"
#include "base/version.h"
#include "convert/labels.h"
#include "convert/otlp_out.h"
#include "convert/otlp_tables.h"
#include "convert/sides.h"
#include "convert/timeline.h"
#include "convert/values.h"
#include "profile/otlp.h"

#define PROCESS_NAME SLICE("process.executable.name")
#define PROCESS_NUMBER SLICE("process.pid")
#define THREAD_NAME SLICE("thread.name")
#define THREAD_NUMBER SLICE("thread.id")

enum { LABELS_MOST = 3, NO_LABEL = UINT32_MAX };

/* A series, or the base of one. */
struct side {
    const struct series *series;
    bool before;
    struct timeline rows;
    struct values_whole values; /* of the current pass */
    uint32_t profile;           /* number of the series in the conversion */
    uint32_t type, unit;        /* strings */
    uint32_t labels[LABELS_MOST];
    size_t label_count;
};

/* What one resource is: a process. */
struct resource {
    uint32_t root;  /* 1 + its place, or 0 */
    uint32_t label; /* the side whose label names the process, or NO_LABEL */
};

/* Rows of a side that are of one resource: a range of `order`. */
struct stretch {
    uint32_t resource, side;
    size_t first, end;
};

struct otlp_writer {
    const struct conversion *c;
    struct otlp_out out;
    struct otlp_tables tables;
    struct sides sides;
    VEC(struct side) items; /* by series of `sides` */
    struct intern resources;
    VEC(uint32_t) order; /* rows of each side, by resource and stack */
    VEC(struct stretch) stretches;
    VEC(uint32_t) facts;    /* attributes */
    VEC(uint32_t) of_roots; /* by root: its attribute, if roots are threads */
    bool by_process;        /* events are split by process */
    bool by_thread;         /* roots are threads */
    uint32_t period_of, period_unit;
};

/* ---- attributes ---- */

static void add_label(struct side *side, uint32_t attribute)
{
    side->labels[side->label_count++] = attribute;
}

/* "app (101)", or "101" alone. */
static void add_thread(struct otlp_writer *w, struct side *side, struct slice label)
{
    struct labels_parts parts = labels_split(label);

    if (!parts.numbered && num_parse_u64(label, &parts.number))
        parts = (struct labels_parts){.numbered = true, .number = parts.number};
    if (parts.name.len)
        add_label(side, otlp_tables_text(&w->tables, THREAD_NAME, parts.name));
    if (parts.numbered)
        add_label(side, otlp_tables_integer(&w->tables, THREAD_NUMBER, parts.number));
}

static void add_labels(struct otlp_writer *w, struct side *side)
{
    struct slice by = w->c->split_by ? slice_str(w->c->split_by) : SLICE("");
    struct slice label = by.len ? labels_of(side->series) : SLICE(""), cpu;
    uint64_t number;

    if (side->before)
        add_label(side, otlp_tables_text(&w->tables, SLICE("pprof::base"), SLICE("true")));
    if (!label.len || w->by_process)
        return;
    cpu = slice_skip(label, slice_starts(label, SLICE("CPU ")) ? 4 : 0);
    if (slice_equal(by, SLICE("thread")))
        add_thread(w, side, label);
    else if (slice_equal(by, SLICE("cpu")) && num_parse_u64(cpu, &number))
        add_label(side, otlp_tables_integer(&w->tables, SLICE("cpu.logical_number"), number));
    else if (slice_equal(by, SLICE("cgroup")))
        add_label(side, otlp_tables_text(&w->tables, SLICE(OTLP_CGROUP), label));
    else
        add_label(side, otlp_tables_text(&w->tables, by, label));
}

/* ---- sides ---- */

static void name_type(struct otlp_writer *w, struct side *side, const struct series *named)
{
    struct buf name = {0};

    if (w->c->split_by && named->event.len)
        buf_add_slice(&name, named->event);
    else if (w->c->split_by)
        buf_add_slice(&name,
                      named->unit.kind == UNIT_SECONDS ? SLICE("time") : unit_word(&named->unit));
    else
        values_add_series(&name, named);
    side->type = otlp_tables_string(&w->tables, buf_slice(&name));
    side->unit = otlp_tables_string(&w->tables, values_pprof_unit(side->series, &side->values));
    buf_release(&name);
}

/* A base has the type of the series after it. */
static void add_sides(struct otlp_writer *w)
{
    const struct profile *p = w->c->profile;
    const struct conversion *c = &w->sides.conversion;
    uint32_t profile = 0;

    for (size_t i = 0; i < c->count; i++) {
        struct side *side = vec_add(&w->items);
        const struct series *s = &p->series.items[c->series[i]];
        bool before = s->before && i + 1 < c->count;

        *side = (struct side){.series = s,
                              .before = s->before,
                              .rows = timeline_of(s),
                              .values = values_whole(p, s),
                              .profile = profile};
        name_type(w, side, before ? &p->series.items[c->series[i + 1]] : s);
        add_labels(w, side);
        profile += !before;
    }
}

/* ---- the order of samples ---- */

static uint32_t resource_of(struct otlp_writer *w, uint32_t side, uint32_t node)
{
    struct resource r = {w->by_thread ? 0 : w->tables.root[node], NO_LABEL};

    if (w->by_process && labels_of(w->items.items[side].series).len)
        r.label = side;
    return intern_add(&w->resources, slice_make((const char *)&r, sizeof(r)));
}

/* Returns the key of a row: a stack and its root in two numbers. */
typedef uint32_t key_fn(const struct otlp_writer *w, uint32_t node);

static uint32_t stack_key(const struct otlp_writer *w, uint32_t node)
{
    return otlp_tables_stack(&w->tables, node);
}

static uint32_t root_key(const struct otlp_writer *w, uint32_t node)
{
    return w->tables.root[node];
}

/* Sorts rows of a side by a key below `keys`; those of one key keep their order. */
static void sort_rows(const struct otlp_writer *w, const struct timeline *rows, uint32_t *order,
                      key_fn *key, size_t keys)
{
    size_t *from = xcalloc(keys + 1, sizeof(*from));
    uint32_t *sorted = xcalloc(rows->count + 1, sizeof(*sorted));

    for (size_t i = 0; i < rows->count; i++)
        from[key(w, timeline_row(rows, order[i]).stack) + 1]++;
    for (size_t i = 0; i < keys; i++)
        from[i + 1] += from[i];
    for (size_t i = 0; i < rows->count; i++)
        sorted[from[key(w, timeline_row(rows, order[i]).stack)]++] = order[i];
    memcpy(order, sorted, rows->count * sizeof(*order));
    xfree(sorted);
    xfree(from);
}

/* Appends the rows of a side to `order`, and a stretch for each of its resources. */
static void arrange_side(struct otlp_writer *w, uint32_t side)
{
    const struct timeline *rows = &w->items.items[side].rows;
    const size_t begin = w->order.count;
    uint32_t *order;

    vec_reserve(&w->order, begin + rows->count);
    w->order.count += rows->count;
    order = w->order.items + begin;
    for (size_t i = 0; i < rows->count; i++)
        order[i] = (uint32_t)i;
    sort_rows(w, rows, order, stack_key, w->tables.trie.count);
    if (w->tables.roots.count)
        sort_rows(w, rows, order, root_key, w->tables.roots.count + 1);
    for (size_t i = 0, root = 0; i < rows->count; i++) {
        uint32_t node = timeline_row(rows, order[i]).stack;

        if (!i || root != w->tables.root[node])
            *vec_add(&w->stretches) =
                (struct stretch){resource_of(w, side, node), side, begin + i, begin + i};
        root = w->tables.root[node];
        w->stretches.items[w->stretches.count - 1].end++;
    }
}

static int compare_stretches(const void *left, const void *right)
{
    const struct stretch *a = left, *b = right;

    if (a->resource != b->resource)
        return a->resource < b->resource ? -1 : 1;
    if (a->side != b->side)
        return a->side < b->side ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

static void arrange(struct otlp_writer *w)
{
    for (size_t i = 0; i < w->items.count; i++) {
        const struct timeline *rows = &w->items.items[i].rows;

        for (size_t k = 0; k < rows->count; k++)
            otlp_tables_use(&w->tables, timeline_row(rows, k).stack);
    }
    otlp_tables_number(&w->tables);
    for (uint32_t i = 0; i < w->items.count; i++)
        arrange_side(w, i);
    if (w->stretches.count)
        qsort(w->stretches.items, w->stretches.count, sizeof(*w->stretches.items),
              compare_stretches);
}

/* ---- messages ---- */

static void write_type(struct otlp_writer *w, unsigned field, const char *name, uint32_t type,
                       uint32_t unit)
{
    otlp_out_open(&w->out, field, name);
    otlp_out_number(&w->out, 1, "typeStrindex", type);
    otlp_out_number(&w->out, 2, "unitStrindex", unit);
    otlp_out_close(&w->out);
}

static void write_indices(struct otlp_writer *w, unsigned field, const uint32_t *items,
                          size_t count)
{
    if (!count)
        return;
    otlp_out_packed(&w->out, field, "attributeIndices");
    for (size_t i = 0; i < count; i++)
        otlp_out_add(&w->out, items[i]);
    otlp_out_end_packed(&w->out);
}

static struct timed_sample row_of(const struct otlp_writer *w, const struct side *side, size_t at)
{
    return timeline_row(&side->rows, w->order.items[at]);
}

/* Writes the rows of one stack and root. */
static void write_sample(struct otlp_writer *w, struct side *side, size_t first, size_t end)
{
    uint32_t node = row_of(w, side, first).stack, root = w->tables.root[node];
    uint32_t labels[LABELS_MOST];
    size_t count = side->label_count;

    memcpy(labels, side->labels, sizeof(labels));
    if (w->by_thread && root)
        labels[count++] = w->of_roots.items[root - 1];
    otlp_out_open(&w->out, 2, NULL);
    otlp_out_number(&w->out, 1, "stackIndex", otlp_tables_stack(&w->tables, node));
    write_indices(w, 2, labels, count);
    otlp_out_packed(&w->out, 4, "values");
    for (size_t i = first; i < end; i++) {
        int64_t value = (int64_t)values_take_whole(&side->values, row_of(w, side, i).weight);

        otlp_out_add_wide(&w->out, side->before ? -value : value);
    }
    otlp_out_end_packed(&w->out);
    if (side->rows.timed) {
        otlp_out_packed(&w->out, 5, "timestampsUnixNano");
        for (size_t i = first; i < end; i++)
            otlp_out_add_fixed(&w->out, row_of(w, side, i).ns);
        otlp_out_end_packed(&w->out);
    }
    otlp_out_close(&w->out);
}

static void write_stretch(struct otlp_writer *w, const struct stretch *stretch)
{
    struct side *side = &w->items.items[stretch->side];
    size_t i = stretch->first;

    while (i < stretch->end && !w->out.stream->stopped) {
        size_t first = i++;
        uint32_t node = row_of(w, side, first).stack;

        while (i < stretch->end && stack_key(w, row_of(w, side, i).stack) == stack_key(w, node) &&
               root_key(w, row_of(w, side, i).stack) == root_key(w, node))
            i++;
        write_sample(w, side, first, i);
    }
}

static void write_recording(struct otlp_writer *w, const struct series *s)
{
    const struct profile *p = w->c->profile;
    uint64_t time = p->captured_ns ? p->captured_ns : s->first_ns;

    if (values_is_date(time))
        otlp_out_fixed(&w->out, 3, "timeUnixNano", time);
    if (s->last_ns > s->first_ns)
        otlp_out_wide(&w->out, 4, "durationNano", s->last_ns - s->first_ns);
    if (p->period.count) {
        write_type(w, 5, "periodType", w->period_of, w->period_unit);
        otlp_out_wide(&w->out, 6, "period", p->period.count);
    }
    write_indices(w, 11, w->facts.items, w->facts.count);
}

/* Writes a profile of the stretches that are of the same series and resource. Returns their end. */
static size_t write_profile(struct otlp_writer *w, size_t at)
{
    const struct stretch *first = &w->stretches.items[at];
    const struct side *side = &w->items.items[first->side];
    uint32_t profile = side->profile;

    otlp_out_open(&w->out, 2, NULL);
    write_type(w, 1, "sampleType", side->type, side->unit);
    otlp_out_list(&w->out, "samples");
    for (; at < w->stretches.count; at++) {
        const struct stretch *stretch = &w->stretches.items[at];

        if (stretch->resource != first->resource ||
            w->items.items[stretch->side].profile != profile)
            break;
        write_stretch(w, stretch);
        side = &w->items.items[stretch->side];
    }
    otlp_out_end_list(&w->out);
    write_recording(w, side->series);
    otlp_out_close(&w->out);
    return at;
}

/* An attribute with its key as a text. */
static void write_attribute(struct otlp_writer *w, unsigned field, struct slice key,
                            const struct slice *text, uint64_t number)
{
    otlp_out_open(&w->out, field, NULL);
    otlp_out_text(&w->out, 1, "key", key);
    otlp_tables_write_value(&w->out, text, number);
    otlp_out_close(&w->out);
}

static void write_resource(struct otlp_writer *w, const struct resource *r)
{
    const struct symbols *symbols = &w->c->profile->symbols;
    struct labels_parts parts = {0};

    if (r->label != NO_LABEL)
        parts = labels_split(labels_of(w->items.items[r->label].series));
    if (r->root)
        parts.name = symbol_name(symbols, w->tables.roots.items[r->root - 1]);
    otlp_out_open(&w->out, 1, "resource");
    otlp_out_list(&w->out, "attributes");
    if (parts.name.len)
        write_attribute(w, 1, PROCESS_NAME, &parts.name, 0);
    if (parts.numbered)
        write_attribute(w, 1, PROCESS_NUMBER, NULL, parts.number);
    otlp_out_end_list(&w->out);
    otlp_out_close(&w->out);
}

static void write_scope(struct otlp_writer *w, const struct resource *r)
{
    const struct slice root = w->by_thread ? THREAD_NAME : PROCESS_NAME;

    otlp_out_open(&w->out, 1, "scope");
    otlp_out_text(&w->out, 1, "name", SLICE(OTLP_SCOPE));
    otlp_out_text(&w->out, 2, "version", SLICE(FLAMEPRESS_VERSION));
    if (r->root || (w->by_thread && w->tables.roots.count)) {
        otlp_out_list(&w->out, "attributes");
        write_attribute(w, 3, SLICE(OTLP_ROOT), &root, 0);
        otlp_out_end_list(&w->out);
    }
    otlp_out_close(&w->out);
}

/* Writes all profiles of a resource. Returns the end of their stretches. */
static size_t write_resource_profiles(struct otlp_writer *w, size_t at)
{
    const uint32_t id = w->stretches.items[at].resource;
    struct resource r;

    memcpy(&r, intern_get(&w->resources, id).ptr, sizeof(r));
    otlp_out_open(&w->out, 1, NULL);
    write_resource(w, &r);
    otlp_out_list(&w->out, "scopeProfiles");
    otlp_out_open(&w->out, 2, NULL);
    write_scope(w, &r);
    otlp_out_list(&w->out, "profiles");
    while (at < w->stretches.count && w->stretches.items[at].resource == id &&
           !w->out.stream->stopped)
        at = write_profile(w, at);
    otlp_out_end_list(&w->out);
    otlp_out_close(&w->out);
    otlp_out_end_list(&w->out);
    otlp_out_close(&w->out);
    return at;
}

static void write_file(struct otlp_writer *w)
{
    vec_each (struct side, side, &w->items)
        side->values = values_whole(w->c->profile, side->series);
    otlp_out_list(&w->out, "resourceProfiles");
    for (size_t at = 0; at < w->stretches.count && !w->out.stream->stopped;)
        at = write_resource_profiles(w, at);
    otlp_out_end_list(&w->out);
    otlp_tables_write(&w->tables, &w->out);
}

/* ---- the writer ---- */

static void add_facts(struct otlp_writer *w)
{
    const struct profile *p = w->c->profile;

    vec_each (const struct fact, fact, &p->facts)
        *vec_add(&w->facts) = otlp_tables_text(&w->tables, fact->key, fact->value);
    if (p->period.count) {
        w->period_of = otlp_tables_string(&w->tables, p->period.of);
        w->period_unit = otlp_tables_string(&w->tables, p->period.unit);
    }
    for (size_t i = 0; w->by_thread && i < w->tables.roots.count; i++)
        *vec_add(&w->of_roots) = otlp_tables_text(
            &w->tables, THREAD_NAME, symbol_name(&p->symbols, w->tables.roots.items[i]));
}

static void tell(struct otlp_writer *w, struct diag *diag)
{
    vec_each (const struct side, side, &w->items)
        values_tell_rounded(&side->values, side->series, side->rows.count, diag);
    if (w->out.measured > INT32_MAX)
        diag_add(diag, DIAG_WARNING, DIAG_AT_FILE,
                 "the message has %llu bytes; many readers of protobuf take at most %d",
                 (unsigned long long)w->out.measured, INT32_MAX);
}

static void write(const struct conversion *c, struct convert_stream *out, struct diag *diag,
                  bool json)
{
    struct otlp_writer w = {.c = c};
    const struct profile *p = c->profile;
    bool by_thread = c->split_by && strcmp(c->split_by, "thread") == 0;

    w.by_process = c->split_by && strcmp(c->split_by, "process") == 0;
    w.by_thread = p->has_threads && !p->has_processes && !by_thread;
    otlp_tables_init(&w.tables, p);
    sides_init(&w.sides, c);
    add_sides(&w);
    add_facts(&w);
    arrange(&w);
    otlp_out_begin(&w.out, out, json);
    do
        write_file(&w);
    while (otlp_out_again(&w.out));
    tell(&w, diag);

    release_each(&w, (vec, items, order, stretches, facts, of_roots, sides.ids),
                 (intern, resources), (otlp_tables, tables), (otlp_out, out));
}

static void write_protobuf(const struct conversion *c, struct convert_stream *out,
                           struct diag *diag)
{
    write(c, out, diag, false);
}

static void write_json(const struct conversion *c, struct convert_stream *out, struct diag *diag)
{
    write(c, out, diag, true);
}

const struct convert_writer convert_otlp = {
    .name = "otlp",
    .title = "OpenTelemetry",
    .endings = ".otlp",
    .about = "OpenTelemetry's profiles in protobuf, of version 1.10 and later",
    .many = true,
    .holds = CONVERT_MODULES | CONVERT_LINES | CONVERT_FACTS | CONVERT_TIMES,
    .write = write_protobuf,
};

const struct convert_writer convert_otlp_json = {
    .name = "otlp-json",
    .title = "OpenTelemetry, JSON",
    .endings = ".otlp.json",
    .about = "the same in JSON, on one line",
    .many = true,
    .holds = CONVERT_MODULES | CONVERT_LINES | CONVERT_FACTS | CONVERT_TIMES,
    .write = write_json,
};
