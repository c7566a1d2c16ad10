/*
 * The XML that Xcode's xctrace exports from a trace of Instruments.
 *
 *     <trace-query-result><node><schema name="time-profile">...</schema>
 *     <row><sample-time id="1">57246708</sample-time>
 *     <thread id="2" fmt="main  0x84 (app, pid: 7)"><tid id="3" fmt="0x84">132</tid>
 *     <process id="4" fmt="app (7)"><pid id="5" fmt="7">7</pid></process></thread>
 *     <weight id="9" fmt="1.00 ms">1000000</weight>
 *     <backtrace id="10"><frame id="11" name="f" addr="0x1">
 *     <binary id="12" name="app" path="/bin/app"/>
 *     <source line="7"><path id="13">f.c</path></source></frame><frame ref="8"/></backtrace></row>
 *
 * "ref" refers to an earlier element by its id. Frames are leaf first; newer
 * versions wrap the backtrace in a tagged-backtrace. A row is a sample. Its
 * weight and its time are nanoseconds; a cycle-weight is cycles; in a table
 * without weights each row counts 1. A "sentinel" in place of the backtrace is
 * a sample without frames. Each table is a series named after its schema.
 * Process and thread are the first frames if a file has several.
 *
 * With --names=reference a row counts 1 and belongs to no process, as in
 * inferno. Source of the grammar: exports of Xcode 14, inferno's
 * collapse/xctrace.
 */
#include <stdint.h>

#include "base/map.h"
#include "base/num.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "input/build/builder.h"
#include "input/build/inferno.h"
#include "input/build/owners.h"
#include "input/format.h"
#include "input/parse/xml.h"

/* ---- elements ------------------------------------------------------------------------------ */

/*
 * The elements that are read, and what their ids refer to: an id belongs to one
 * kind of element and has a value whose meaning depends on that kind.
 */

enum xctrace_tag {
    TAG_OTHER,
    TAG_SCHEMA,
    TAG_ROW,
    TAG_TIME,
    TAG_THREAD,
    TAG_TID,
    TAG_PROCESS,
    TAG_PID,
    TAG_WEIGHT,
    TAG_CYCLES,
    TAG_BACKTRACE,
    TAG_TAGGED,
    TAG_FRAME,
    TAG_BINARY,
    TAG_SOURCE,
    TAG_PATH,
};

struct xctrace_element {
    uint64_t id;
    enum xctrace_tag tag;
    uint32_t value;
};

struct xctrace_elements {
    VEC(uint32_t) known; /* by id, for those that are not far beyond the number of elements: */
    struct map index;    /* for all others: */
    VEC(struct xctrace_element) items; /* the place + 1 in `known`, the place in `index` */
};

static enum xctrace_tag xctrace_element_tag(struct slice name)
{
    static const struct {
        struct slice name;
        enum xctrace_tag tag;
    } tags[] = {
        {{"frame", 5}, TAG_FRAME},
        {{"backtrace", 9}, TAG_BACKTRACE},
        {{"weight", 6}, TAG_WEIGHT},
        {{"thread", 6}, TAG_THREAD},
        {{"process", 7}, TAG_PROCESS},
        {{"row", 3}, TAG_ROW},
        {{"sample-time", 11}, TAG_TIME},
        {{"binary", 6}, TAG_BINARY},
        {{"source", 6}, TAG_SOURCE},
        {{"path", 4}, TAG_PATH},
        {{"tagged-backtrace", 16}, TAG_TAGGED},
        {{"cycle-weight", 12}, TAG_CYCLES},
        {{"tid", 3}, TAG_TID},
        {{"pid", 3}, TAG_PID},
        {{"schema", 6}, TAG_SCHEMA},
    };

    for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
        if (name.len == tags[i].name.len && name.ptr[0] == tags[i].name.ptr[0] &&
            memcmp(name.ptr, tags[i].name.ptr, name.len) == 0)
            return tags[i].tag;
    return TAG_OTHER;
}

/* Returns the process in the attribute "fmt": app in "app (7)". */
static struct slice xctrace_element_process(struct slice fmt)
{
    size_t open = slice_find_last(fmt, '(');

    return slice_trim(slice_ends(fmt, SLICE(")")) ? slice_take(fmt, open) : fmt);
}

/*
 * Returns the thread in the attribute "fmt": main in "main  0x8480c1 (app, pid: 7)", or "0x8480c1"
 * if it has no name.
 */
static struct slice xctrace_element_thread(struct slice fmt)
{
    struct slice name = xctrace_element_process(fmt);
    size_t blank = slice_find_last(name, ' ');

    return slice_starts(slice_skip(name, blank + 1), SLICE("0x"))
               ? slice_trim(slice_take(name, blank))
               : name;
}

static void xctrace_elements_release(struct xctrace_elements *ids)
{
    release_each(ids, (vec, known), (map, index), (vec, items));
}

static bool same_id(const void *context, uint32_t index, const void *key)
{
    return ((const struct xctrace_elements *)context)->items.items[index].id ==
           *(const uint64_t *)key;
}

static uint32_t find(const struct xctrace_elements *ids, uint64_t id)
{
    if (id < ids->known.count && ids->known.items[id])
        return ids->known.items[id] - 1;
    return map_find(&ids->index, map_hash_pair(&ids->index, id, 1), same_id, ids, &id);
}

/* Notes the value of an id; an id that is already known keeps its value. */
static void xctrace_elements_add(struct xctrace_elements *ids, uint64_t id, enum xctrace_tag tag,
                                 uint32_t value)
{
    enum { AHEAD = 1 << 16 }; /* so that a large id takes little memory */

    if (find(ids, id) != MAP_NONE)
        return;
    *vec_add(&ids->items) = (struct xctrace_element){id, tag, value};
    if (id > 2 * ids->items.count + AHEAD) {
        map_add(&ids->index, map_hash_pair(&ids->index, id, 1), (uint32_t)ids->items.count - 1);
        return;
    }
    while (ids->known.count <= id)
        *vec_add(&ids->known) = 0;
    ids->known.items[id] = (uint32_t)ids->items.count;
}

/* Returns the value of an id of such an element, or UINT32_MAX. */
static uint32_t xctrace_elements_find(const struct xctrace_elements *ids, uint64_t id,
                                      enum xctrace_tag tag)
{
    uint32_t index = find(ids, id);

    if (index == MAP_NONE || ids->items.items[index].tag != tag)
        return UINT32_MAX;
    return ids->items.items[index].value;
}

/* A name and a number, as ids of texts. */
struct owner {
    uint32_t name, number;
};

struct thread {
    struct owner own, process;
};

/* The first frames of a thread's stacks. */
struct pushed {
    struct thread of;
    uint32_t process, thread; /* entries of the builder */
    bool known;
};

/* Entries of the builder, leaf first. */
struct backtrace {
    size_t first, count;
};

struct open_element {
    enum xctrace_tag tag;
    bool refers; /* the element refers to an earlier one */
    uint64_t id; /* 0 if there is none */
};

struct xctrace {
    struct content *content;
    struct builder builder;
    bool reference;
    struct xctrace_elements ids;
    struct intern texts; /* id 0 is the empty text */
    VEC(struct open_element) open;
    /* What ids refer to, by kind of element. */
    VEC(struct thread) threads;
    VEC(struct owner) processes;
    VEC(uint64_t) weights;
    VEC(struct backtrace) backtraces;
    VEC(uint32_t) entries;
    /* The open frame: ids of texts, numbers. */
    uint32_t name, binary, path;
    uint64_t line, address;
    bool has_address;
    /* The open table. */
    uint32_t schema;
    enum xctrace_tag
        measure; /* of its rows; TAG_ROW before the first row, TAG_OTHER if there is no weight */
    /* The open row. */
    struct thread thread;
    struct pushed pushed; /* those of the row before */
    struct backtrace backtrace;
    bool keep; /* an id refers to the backtrace */
    enum xctrace_tag weighs;
    uint64_t weight, time;
    bool has_time;
    uint64_t row;
    struct buf text;
};

static uint32_t keep_text(struct xctrace *x, struct slice text)
{
    if (utf8_valid(text))
        return intern_add(&x->texts, text);
    buf_clear(&x->text);
    utf8_add_clean(&x->text, text);
    return intern_add(&x->texts, buf_slice(&x->text));
}

static struct slice text_of(const struct xctrace *x, uint32_t text)
{
    return intern_get(&x->texts, text);
}

static uint32_t frame_entry(struct xctrace *x)
{
    struct frame f = {.name = text_of(x, x->name), .address = x->address};

    if (x->reference) {
        buf_clear(&x->text);
        inferno_add_name(&x->text, f.name);
        f.name = buf_slice(&x->text);
        f.kind = FRAME_PLAIN;
        return builder_entry(&x->builder, &f);
    }
    f.has_address = x->has_address;
    f.module = text_of(x, x->binary);
    f.file = text_of(x, x->path);
    f.line = x->line;
    return builder_entry(&x->builder, &f);
}

/* ---- elements that refer to earlier elements ---------------------------------------------- */

static void push_entry(struct xctrace *x, uint32_t entry)
{
    if (x->backtrace.first + x->backtrace.count != x->entries.count)
        x->backtrace = (struct backtrace){.first = x->entries.count};
    *vec_add(&x->entries) = entry;
    x->backtrace.count++;
}

static void use_weight(struct xctrace *x, enum xctrace_tag tag, uint64_t weight)
{
    x->weighs = tag;
    x->weight = weight;
}

/* Sets the value of an element, read or referred to, in the row or frame it belongs to. */
static void use(struct xctrace *x, enum xctrace_tag tag, uint32_t value)
{
    switch (tag) {
    case TAG_THREAD:
        x->thread = x->threads.items[value];
        break;
    case TAG_PROCESS:
        x->thread.process = x->processes.items[value];
        break;
    case TAG_TID:
        x->thread.own.number = value;
        break;
    case TAG_PID:
        x->thread.process.number = value;
        break;
    case TAG_WEIGHT:
    case TAG_CYCLES:
        use_weight(x, tag, x->weights.items[value]);
        break;
    case TAG_BACKTRACE:
    case TAG_TAGGED:
        x->backtrace = x->backtraces.items[value];
        x->keep = true;
        break;
    case TAG_FRAME:
        push_entry(x, value);
        break;
    case TAG_BINARY:
        x->binary = value;
        break;
    case TAG_PATH:
        x->path = value;
        break;
    case TAG_OTHER:
    case TAG_SCHEMA:
    case TAG_ROW:
    case TAG_TIME:
    case TAG_SOURCE:
        break;
    }
}

static void refer(struct xctrace *x, enum xctrace_tag tag, struct slice ref,
                  const struct xml_element *e)
{
    enum { SHOWN = 60 };
    uint32_t value = UINT32_MAX;
    uint64_t id;

    if (tag == TAG_OTHER || tag == TAG_TIME)
        return;
    if (num_parse_u64(ref, &id))
        value = xctrace_elements_find(&x->ids, id, tag);
    if (value != UINT32_MAX) {
        use(x, tag, value);
        return;
    }
    builder_skip(&x->builder, DIAG_AT_LINE(xml_line(e)),
                 "reference of '%.*s' to an undefined id: '%.*s'", SLICE_ARG(e->name),
                 SLICE_ARG(slice_take(ref, SHOWN)));
    if (tag == TAG_FRAME)
        push_entry(x, builder_entry(&x->builder, &(struct frame){.kind = FRAME_NATIVE}));
}

/* ---- rows ---------------------------------------------------------------------------------- */

static void begin_row(struct xctrace *x, uint64_t line)
{
    x->thread = (struct thread){0};
    x->backtrace = (struct backtrace){0};
    x->keep = x->has_time = false;
    x->weighs = TAG_OTHER;
    x->weight = 1;
    x->row = line;
}

static uint32_t owner_entry(struct xctrace *x, const struct owner *o, const char *unknown)
{
    struct frame frame = {.name = text_of(x, o->name), .kind = FRAME_OWNER};

    if (!frame.name.len)
        frame.name = text_of(x, o->number);
    if (!frame.name.len)
        frame.name = slice_str(unknown);
    return builder_entry(&x->builder, &frame);
}

static bool same_owner(const struct owner *a, const struct owner *b)
{
    return a->name == b->name && a->number == b->number;
}

/* Pushes process and thread, which mostly are those of the row before. */
static void push_owners(struct xctrace *x)
{
    struct pushed *p = &x->pushed;

    if (!p->known || !same_owner(&p->of.own, &x->thread.own) ||
        !same_owner(&p->of.process, &x->thread.process)) {
        p->of = x->thread;
        p->process = owner_entry(x, &x->thread.process, "[unknown process]");
        p->thread = owner_entry(x, &x->thread.own, "[unknown thread]");
        p->known = true;
    }
    builder_push(&x->builder, p->process);
    builder_push(&x->builder, p->thread);
}

static void push_stack(struct xctrace *x)
{
    struct builder *b = &x->builder;

    builder_begin(b);
    if (!x->reference)
        push_owners(x);
    builder_leaf_first(b);
    for (size_t i = 0; i < x->backtrace.count; i++)
        builder_push(b, x->entries.items[x->backtrace.first + i]);
}

static struct unit unit_of(enum xctrace_tag measure)
{
    if (measure == TAG_WEIGHT)
        return unit_named(SLICE("ns"));
    return measure == TAG_CYCLES ? unit_named(SLICE("cycles")) : unit_samples;
}

static bool end_row(struct xctrace *x)
{
    struct origin origin = {
        .event = text_of(x, x->schema),
        .process = text_of(x, x->thread.process.name),
        .pid = text_of(x, x->thread.process.number),
        .thread = text_of(x, x->thread.own.name),
        .tid = text_of(x, x->thread.own.number),
    };
    uint32_t series;

    x->content->profile->ledger.lines++;
    if (x->reference)
        use_weight(x, TAG_OTHER, 1);
    if (x->measure == TAG_ROW)
        x->measure = x->weighs;
    if (x->measure != x->weighs) {
        builder_skip(&x->builder, DIAG_AT_LINE(x->row),
                     "the weight of this row, %llu, has another unit than the rows before; skipped",
                     (unsigned long long)x->weight);
        return true;
    }
    series = builder_series(&x->builder, &origin, unit_of(x->measure));
    if (x->has_time)
        builder_time(&x->builder, series, x->time);
    if (!x->backtrace.count && !x->reference)
        builder_note_bare(&x->builder, series, 1);
    push_stack(x);
    if (!x->keep && x->backtrace.count)
        x->entries.count = x->backtrace.first;
    x->backtrace = (struct backtrace){0};
    return builder_add(&x->builder, series, x->weight);
}

/* ---- elements ------------------------------------------------------------------------------ */

static void begin_frame(struct xctrace *x, const struct xml_element *e)
{
    struct slice address = xml_attribute(e, "addr");

    x->name = keep_text(x, xml_attribute(e, "name"));
    x->binary = x->path = 0;
    x->line = 0;
    x->has_address =
        slice_starts(address, SLICE("0x")) && num_parse_hex(slice_skip(address, 2), &x->address);
}

static void begin_element(struct xctrace *x, enum xctrace_tag tag, const struct xml_element *e)
{
    struct slice path;

    switch (tag) {
    case TAG_SCHEMA:
        x->schema = keep_text(x, xml_attribute(e, "name"));
        x->measure = TAG_ROW;
        break;
    case TAG_ROW:
        begin_row(x, xml_line(e));
        break;
    case TAG_THREAD:
        x->thread = (struct thread){
            .own.name = keep_text(x, xctrace_element_thread(xml_attribute(e, "fmt")))};
        break;
    case TAG_PROCESS:
        x->thread.process =
            (struct owner){.name = keep_text(x, xctrace_element_process(xml_attribute(e, "fmt")))};
        break;
    case TAG_BACKTRACE:
        x->backtrace = (struct backtrace){.first = x->entries.count};
        x->keep = false;
        break;
    case TAG_FRAME:
        begin_frame(x, e);
        break;
    case TAG_BINARY:
        path = xml_attribute(e, "path");
        x->binary = keep_text(x, path.len ? path : xml_attribute(e, "name"));
        break;
    case TAG_SOURCE:
        if (!num_parse_u64(xml_attribute(e, "line"), &x->line))
            x->line = 0;
        break;
    case TAG_OTHER:
    case TAG_TIME:
    case TAG_TID:
    case TAG_PID:
    case TAG_WEIGHT:
    case TAG_CYCLES:
    case TAG_TAGGED:
    case TAG_PATH:
        break;
    }
}

static bool on_open(void *context, const struct xml_element *e)
{
    struct xctrace *x = context;
    struct open_element open = {.tag = xctrace_element_tag(e->name)};
    struct slice ref = xml_attribute(e, "ref");

    open.refers = ref.len > 0;
    if (!open.refers && !num_parse_u64(xml_attribute(e, "id"), &open.id))
        open.id = 0;
    *vec_add(&x->open) = open;
    if (open.refers)
        refer(x, open.tag, ref, e);
    else
        begin_element(x, open.tag, e);
    return true;
}

static void end_weight(struct xctrace *x, enum xctrace_tag tag, struct slice text)
{
    enum { SHOWN = 60 };
    uint64_t weight;

    text = slice_trim(text);
    if (!num_parse_u64(text, &weight)) {
        builder_skip(&x->builder, DIAG_AT_LINE(x->row),
                     "the weight of this row is not a whole number: '%.*s'; it counts 0",
                     SLICE_ARG(slice_take(text, SHOWN)));
        weight = 0;
    }
    use_weight(x, tag, weight);
}

static void end_element(struct xctrace *x, enum xctrace_tag tag, struct slice text)
{
    switch (tag) {
    case TAG_TIME:
        x->has_time = num_parse_u64(slice_trim(text), &x->time);
        break;
    case TAG_TID:
        x->thread.own.number = keep_text(x, slice_trim(text));
        break;
    case TAG_PID:
        x->thread.process.number = keep_text(x, slice_trim(text));
        break;
    case TAG_WEIGHT:
    case TAG_CYCLES:
        end_weight(x, tag, text);
        break;
    case TAG_FRAME:
        push_entry(x, frame_entry(x));
        break;
    case TAG_PATH:
        x->path = keep_text(x, slice_trim(text));
        break;
    case TAG_OTHER:
    case TAG_SCHEMA:
    case TAG_ROW:
    case TAG_THREAD:
    case TAG_PROCESS:
    case TAG_BACKTRACE:
    case TAG_TAGGED:
    case TAG_BINARY:
    case TAG_SOURCE:
        break;
    }
}

/* Returns the value that the id of the element just closed refers to, or UINT32_MAX. */
static uint32_t keep_element(struct xctrace *x, enum xctrace_tag tag)
{
    switch (tag) {
    case TAG_THREAD:
        *vec_add(&x->threads) = x->thread;
        return (uint32_t)x->threads.count - 1;
    case TAG_PROCESS:
        *vec_add(&x->processes) = x->thread.process;
        return (uint32_t)x->processes.count - 1;
    case TAG_TID:
        return x->thread.own.number;
    case TAG_PID:
        return x->thread.process.number;
    case TAG_WEIGHT:
    case TAG_CYCLES:
        *vec_add(&x->weights) = x->weight;
        return (uint32_t)x->weights.count - 1;
    case TAG_BACKTRACE:
    case TAG_TAGGED:
        x->keep = true;
        *vec_add(&x->backtraces) = x->backtrace;
        return (uint32_t)x->backtraces.count - 1;
    case TAG_FRAME:
        return x->entries.items[x->entries.count - 1];
    case TAG_BINARY:
        return x->binary;
    case TAG_PATH:
        return x->path;
    case TAG_OTHER:
    case TAG_SCHEMA:
    case TAG_ROW:
    case TAG_TIME:
    case TAG_SOURCE:
        return UINT32_MAX;
    }
    BUG("no such element");
}

static bool on_close(void *context, struct slice name, struct slice text)
{
    struct xctrace *x = context;
    struct open_element closed = x->open.items[--x->open.count];
    uint32_t value;

    (void)name;
    if (closed.refers)
        return true;
    if (closed.tag == TAG_ROW)
        return end_row(x);
    end_element(x, closed.tag, text);
    value = closed.id ? keep_element(x, closed.tag) : UINT32_MAX;
    if (value != UINT32_MAX)
        xctrace_elements_add(&x->ids, closed.id, closed.tag, value);
    return true;
}

static bool xctrace_read(struct content *content)
{
    struct xctrace x = {.content = content, .measure = TAG_ROW};
    const struct xml_handler handler = {.context = &x, .open = on_open, .close = on_close};
    bool good;

    builder_init(&x.builder, content->profile, content->options, content->diag);
    intern_add(&x.texts, SLICE(""));
    x.reference = content->options->names == NAMES_REFERENCE;
    good = xml_read(content, &handler);
    if (good && !x.reference)
        owners_strip(content->profile, 2);
    builder_release(&x.builder);
    xctrace_elements_release(&x.ids);
    intern_release(&x.texts);
    buf_release(&x.text);
    vec_release(&x.open);
    vec_release(&x.threads);
    vec_release(&x.processes);
    vec_release(&x.weights);
    vec_release(&x.backtraces);
    vec_release(&x.entries);
    return good;
}

static bool xctrace_claims(const struct head *head)
{
    struct slice bytes = slice_trim_left(head->bytes);

    return slice_starts(bytes, SLICE("<")) && slice_has(bytes, SLICE("<trace-query-result"));
}

const struct format format_xctrace = {
    .name = "xctrace",
    .family = FORMAT_SYSTEMS,
    .description = "tables exported by Xcode's xctrace as XML",
    .recognised = "the XML root element trace-query-result",
    .example = "xcrun xctrace export --input app.trace --output app.xml --xpath "
               "'/trace-toc/run[1]/data/table[@schema=\"time-profile\"]'",
    .without_stacks = "export a table with backtraces: time-profile or cpu-profile",
    .claims = xctrace_claims,
    .read = xctrace_read,
};
