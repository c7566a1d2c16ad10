#include "input/formats/web/v8_profile.h"

#include <stdlib.h>
#include <string.h>

#include "input/parse/trace_time.h"

void v8_profile_init(struct v8_profile *p, struct builder *builder)
{
    *p = (struct v8_profile){.node = FRAME_TREE_NONE};
    frame_tree_init(&p->tree, builder);
}

void v8_profile_release(struct v8_profile *p)
{
    frame_tree_release(&p->tree);
    release_all(p, vec, waiting, timed);
}

/* ---- frames -------------------------------------------------------------------------------- */

/* Returns the file's name: "app.js" of "https://example.com/a/app.js?v=1". */
static struct slice base_name(struct slice url)
{
    struct slice path = slice_take(url, slice_find(url, '?'));
    size_t slash = slice_find_last(path, '/');

    if (slash < path.len)
        path = slice_skip(path, slash + 1);
    return path.len ? path : url;
}

uint32_t v8_profile_entry(struct builder *b, const struct frame *function)
{
    struct frame f = *function;
    struct buf text = {0};
    uint32_t entry;

    if (f.name.len)
        return builder_entry(b, &f);
    buf_add_str(&text, "(anonymous");
    if (f.file.len)
        buf_printf(&text, " %.*s", SLICE_ARG(base_name(f.file)));
    if (f.file.len && f.line)
        buf_printf(&text, ":%lu", (unsigned long)f.line);
    buf_add_char(&text, ')');
    f.name = buf_slice(&text);
    entry = builder_entry(b, &f);
    buf_release(&text);
    return entry;
}

uint32_t v8_profile_named(struct builder *b, struct slice name, struct slice url, uint64_t line)
{
    return v8_profile_entry(
        b, &(struct frame){.name = name, .file = url, .line = line, .kind = FRAME_PLAIN});
}

/* Takes ":12" off the end. Returns false if the text does not end so. */
static bool cut_number(struct slice *text, uint64_t *number)
{
    size_t colon = slice_find_last(*text, ':');

    if (colon == text->len || !num_parse_u64(slice_skip(*text, colon + 1), number))
        return false;
    *text = slice_take(*text, colon);
    return true;
}

/*
 * Returns where the file begins in "get size /a b/x.js": after the first blank
 * that a path follows, else after the last blank.
 */
static size_t file_start(struct slice text)
{
    static const char *const starts[] = {
        " /", " file:", " node:", " http:", " https:", " webpack:", " internal/", " native "};
    size_t first = text.len;

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
        size_t at = slice_search(text, slice_str(starts[i]));

        if (at < first)
            first = at;
    }
    if (first == text.len)
        first = slice_find_last(text, ' ');
    return first < text.len ? first + 1 : 0;
}

static enum symbol_class class_of(char mark)
{
    switch (mark) {
    case '~':
        return SYMBOL_INTERPRETED;
    case '^':
    case '+':
    case '*':
        return SYMBOL_JIT;
    default:
        return SYMBOL_USER;
    }
}

uint32_t v8_profile_logged(struct builder *b, struct slice text, char mark, bool script)
{
    struct frame f = {.kind = FRAME_PLAIN, .class = class_of(mark), .has_class = true};
    uint64_t number = 0;
    size_t start;

    if (cut_number(&text, &number)) {
        f.line = number;
        if (cut_number(&text, &number))
            f.line = number;
    }
    start = script ? 0 : file_start(text);
    f.file = slice_skip(text, start);
    f.name = slice_trim(slice_take(text, start));
    if (!script && !f.line) {
        f.name = text; /* there is no position: the whole text is the name */
        f.file = SLICE("");
    }
    if (script && !f.line)
        f.line = 1;
    return v8_profile_entry(b, &f);
}

uint32_t v8_profile_frame(struct builder *b, const struct json_value *call_frame, bool from_1)
{
    struct slice name = SLICE(""), url = SLICE("");
    int64_t line = -1;

    json_each(v, call_frame)
    {
        if (slice_equal(v->key, SLICE("functionName")))
            name = json_text(v);
        else if (slice_equal(v->key, SLICE("url")))
            url = json_text(v);
        else if (slice_equal(v->key, SLICE("lineNumber")))
            json_i64(v, &line);
    }
    if (slice_equal(name, SLICE("(root)")))
        return FRAME_TREE_NONE;
    return v8_profile_named(b, name, url, line < 0 ? 0 : (uint64_t)line + !from_1);
}

/* Whether a call frame is that of V8's nodes for time without JavaScript. */
static bool is_state(const struct json_value *call_frame)
{
    struct slice name = json_text(json_get(call_frame, "functionName"));

    return !json_text(json_get(call_frame, "url")).len &&
           (slice_equal(name, SLICE("(idle)")) || slice_equal(name, SLICE("(program)")) ||
            slice_equal(name, SLICE("(garbage collector)")));
}

static bool is_id(const struct json_value *v)
{
    return v && (v->type == JSON_NUMBER || v->type == JSON_STRING) && v->text.len;
}

uint32_t v8_profile_node(struct v8_profile *p, const struct json_value *node)
{
    const struct json_value *id = json_get(node, "id"), *parent = json_get(node, "parent");
    const struct json_value *call_frame = json_get(node, "callFrame");
    uint32_t index;

    if (!is_id(id) || !call_frame || call_frame->type != JSON_OBJECT)
        return FRAME_TREE_NONE;
    p->has_states |= is_state(call_frame);
    index = frame_tree_node(&p->tree, id->text);
    frame_tree_define(&p->tree, index, v8_profile_frame(p->tree.builder, call_frame, false));
    if (is_id(parent))
        frame_tree_hang(&p->tree, index, frame_tree_node(&p->tree, parent->text));
    json_each(child, json_get(node, "children")) if (is_id(child))
        frame_tree_hang(&p->tree, frame_tree_node(&p->tree, child->text), index);
    return index;
}

/* ---- time ---------------------------------------------------------------------------------- */

/* Samples that wait to be put in order; half of them leave when there are so many. */
enum { MOST_WAITING = 8192 };

static void keep_timed(struct v8_profile *p, uint32_t node, int64_t begin, uint64_t ns)
{
    if (p->tree.builder->profile->keep_timed)
        *vec_add(&p->timed) = (struct v8_timed){node, begin, ns};
}

/* Adds the time from the last sample that was settled to `until`. */
static void spend(struct v8_profile *p, int64_t until)
{
    uint64_t ns = (uint64_t)until - (uint64_t)p->since, worked = ns;

    if (p->node == FRAME_TREE_NONE) {
        p->before = until > 0 ? (uint64_t)until : 0;
        return;
    }
    if (p->longest && ns > p->longest) {
        worked = p->interval;
        p->waits++;
        p->waited += ns - worked;
        p->tree.nodes.items[p->idle].ns += ns - worked;
    }
    p->tree.nodes.items[p->node].ns += worked;
    keep_timed(p, p->node, p->since, worked);
    if (worked < ns)
        keep_timed(p, p->idle, p->since + (int64_t)worked, ns - worked);
}

static int compare_times(const void *a, const void *b)
{
    const struct v8_sample *x = a, *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Puts the waiting samples in order and adds the times before the first `count` of them. */
static void settle(struct v8_profile *p, size_t count)
{
    struct v8_sample *samples = p->waiting.items;

    if (p->backwards)
        qsort(samples, p->waiting.count, sizeof(*samples), compare_times);
    p->backwards = false;
    for (size_t i = 0; i < count; i++) {
        int64_t at = samples[i].at;

        if (p->node != FRAME_TREE_NONE && at < p->since) {
            p->late++;
            at = p->since;
        }
        spend(p, at);
        p->since = at;
        p->node = samples[i].node;
    }
    p->waiting.count -= count;
    if (p->waiting.count)
        memmove(samples, samples + count, p->waiting.count * sizeof(*samples));
}

void v8_profile_pass(struct v8_profile *p, int64_t ns)
{
    int64_t now;

    if (__builtin_add_overflow(p->now, ns, &now)) {
        p->beyond++;
        return;
    }
    p->now = now;
    if (now > p->end)
        p->end = now;
}

void v8_profile_sample(struct v8_profile *p, uint32_t node)
{
    struct v8_sample sample = {p->now, p->order++, node};

    if (p->waiting.count == MOST_WAITING)
        settle(p, MOST_WAITING / 2);
    p->backwards |= p->waiting.count && p->waiting.items[p->waiting.count - 1].at > sample.at;
    p->tree.nodes.items[node].samples++;
    *vec_add(&p->waiting) = sample;
}

void v8_profile_expect(struct v8_profile *p, uint64_t interval, uint64_t longest)
{
    struct frame idle = {.name = SLICE("(idle)"), .kind = FRAME_PLAIN};

    p->interval = interval;
    p->longest = longest;
    p->idle = frame_tree_node(&p->tree, slice_make("\0idle", 5)); /* no id of a file */
    frame_tree_define(&p->tree, p->idle, builder_entry(p->tree.builder, &idle));
}

void v8_profile_end(struct v8_profile *p)
{
    settle(p, p->waiting.count);
    spend(p, p->end);
}

uint64_t v8_profile_busy(const struct v8_profile *p)
{
    const struct frame_tree *t = &p->tree;
    uint64_t busy = 0;

    vec_each (const struct frame_node, n, &t->nodes)
        if (n->entry == FRAME_TREE_NONE ||
            !slice_equal(builder_frame_of(t->builder, n->entry).name, SLICE("(idle)")))
            busy += n->ns;
    return busy;
}

/* ---- weights ------------------------------------------------------------------------------- */

static bool add_timed(struct v8_profile *p, uint32_t root, uint32_t series, int64_t start)
{
    struct builder *b = p->tree.builder;

    vec_each (struct v8_timed, m, &p->timed) {
        uint32_t stack;
        int64_t at;

        if (!frame_tree_stack(&p->tree, m->node, root, &stack))
            return false;
        builder_set_time(b, series, __builtin_add_overflow(start, m->begin, &at) ? INT64_MAX : at);
        if (!builder_add_at(b, series, stack, trace_time_weight(m->ns)))
            return false;
        if (p->longest && m->node == p->idle)
            builder_discount(b, series);
    }
    return true;
}

/* Appends a time: "16.436 ms". */
static void add_ms(struct buf *out, uint64_t ns)
{
    num_write_grouped(out, ns / 1000, 3);
    buf_add_str(out, " ms");
}

static void tell(const struct v8_profile *p, struct diag *diag)
{
    enum { MUCH = 100 }; /* a hundredth of the recording is worth a warning */
    bool much = p->end > 0 && p->before > (uint64_t)p->end / MUCH;
    struct buf time = {0};

    diag_warn_count(diag, p->beyond,
                    "# sample{ is|s are} more than 292 years after the first, and {its time "
                    "is|their times are} not counted");
    diag_warn_count(diag, p->late,
                    "# sample{ is|s are} too far out of order in time; {it counts|they count} as "
                    "taken at the time of the sample before");
    if (p->before) {
        add_ms(&time, p->before);
        diag_add(diag, much ? DIAG_WARNING : DIAG_NOTE, DIAG_AT_FILE,
                 "%s before the first sample have no stack and are not counted", buf_string(&time));
        buf_clear(&time);
    }
    if (p->waits) {
        add_ms(&time, p->waited);
        diag_add(diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%s in %llu gap%s between samples, each longer than %d sampling intervals, are "
                 "shown as (idle): the profile does not say when the program waits",
                 buf_string(&time), (unsigned long long)p->waits, diag_s(p->waits),
                 (int)V8_PROFILE_LONGEST);
    }
    buf_release(&time);
}

bool v8_profile_add(struct v8_profile *p, uint32_t root, uint32_t series, int64_t start)
{
    struct builder *b = p->tree.builder;

    if (b->profile->keep_timed ? !add_timed(p, root, series, start > 0 ? start : 0)
                               : !frame_tree_add_times(&p->tree, root, series))
        return false;
    tell(p, b->diag);
    return true;
}
