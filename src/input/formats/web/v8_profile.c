#include "input/formats/web/v8_profile.h"

#include "input/parse/trace_time.h"

void v8_profile_init(struct v8_profile *p, struct builder *builder)
{
    *p = (struct v8_profile){.node = FRAME_TREE_NONE};
    frame_tree_init(&p->tree, builder);
}

void v8_profile_release(struct v8_profile *p)
{
    frame_tree_release(&p->tree);
    vec_release(&p->moments);
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
    index = frame_tree_node(&p->tree, id->text);
    frame_tree_define(&p->tree, index, v8_profile_frame(p->tree.builder, call_frame, false));
    if (is_id(parent))
        frame_tree_hang(&p->tree, index, frame_tree_node(&p->tree, parent->text));
    json_each(child, json_get(node, "children")) if (is_id(child))
        frame_tree_hang(&p->tree, frame_tree_node(&p->tree, child->text), index);
    return index;
}

/* ---- time ---------------------------------------------------------------------------------- */

static void keep_moment(struct v8_profile *p, uint32_t node)
{
    if (p->tree.builder->profile->keep_moments)
        *vec_add(&p->moments) = (struct v8_moment){.node = node, .begin = p->far};
}

void v8_profile_pass(struct v8_profile *p, int64_t ns)
{
    uint64_t passed;

    if (__builtin_add_overflow(p->now, ns, &p->now) || p->now <= p->far)
        return;
    passed = (uint64_t)p->now - (uint64_t)p->far;
    if (!p->moments.count)
        keep_moment(p, FRAME_TREE_NONE);
    p->far = p->now;
    if (p->moments.count)
        p->moments.items[p->moments.count - 1].ns += passed;
    if (p->node == FRAME_TREE_NONE)
        p->before += passed;
    else
        p->tree.nodes.items[p->node].ns += passed;
}

void v8_profile_sample(struct v8_profile *p, uint32_t node)
{
    p->node = node;
    p->tree.nodes.items[node].samples++;
    keep_moment(p, node);
}

static bool add_times(struct v8_profile *p, uint32_t root, uint32_t series)
{
    struct builder *b = p->tree.builder;

    if (p->before && !builder_add_at(b, series, root, trace_time_weight(p->before)))
        return false;
    return frame_tree_add_times(&p->tree, root, series);
}

static bool add_moments(struct v8_profile *p, uint32_t root, uint32_t series, int64_t start)
{
    struct builder *b = p->tree.builder;

    vec_each (struct v8_moment, m, &p->moments) {
        uint32_t stack = root;
        int64_t at;

        if (m->node != FRAME_TREE_NONE && !frame_tree_stack(&p->tree, m->node, root, &stack))
            return false;
        builder_moment(b, series, __builtin_add_overflow(start, m->begin, &at) ? INT64_MAX : at);
        if (!builder_add_at(b, series, stack, trace_time_weight(m->ns)))
            return false;
    }
    return true;
}

bool v8_profile_finish(struct v8_profile *p, uint32_t root, uint32_t series, int64_t start)
{
    struct builder *b = p->tree.builder;

    if (!(b->profile->keep_moments ? add_moments(p, root, series, start > 0 ? start : 0)
                                   : add_times(p, root, series)))
        return false;
    diag_warn_count(b->diag, p->tree.lost,
                    "# node{ is|s are} undefined or cyclic; {its|their} time is charged to the "
                    "nearest known caller");
    return true;
}
