/*
 * A call tree saved by Sysprof 1 (before 2016), as XML.
 *
 *     <profile><size>3</size><call_tree>1</call_tree>
 *     <objects><object id="1"><name>"[app]"</name>...</object>...</objects>
 *     <nodes><node id="4"><object>1</object><parent>0</parent>
 *       <self>0</self>...</node>...</nodes></profile>
 *
 * A node is a call of its object from its parent node; `self` is the number of
 * its own samples, and these add up to `size`. Nodes without a parent are
 * processes, their commands in brackets. "In file LIBRARY" and "??? [PROGRAM]"
 * are code without a symbol; "in kernel" is the whole kernel. Totals, siblings
 * and children repeat this information and are not read.
 *
 * Source: sample files; gprof2dot's parser.
 */
#include "base/num.h"
#include "input/format.h"
#include "input/build/frame_tree.h"
#include "input/parse/xml.h"

struct sysprof {
    struct content *content;
    struct builder b;
    struct frame_tree tree;
    struct intern objects; /* ids of objects */
    VEC(uint32_t) names;   /* indexed by object; MAP_NONE if it was not described */
    struct intern texts;
    VEC(uint32_t) object_of; /* indexed by node */
    VEC(uint32_t) process_of;
    /* The open element. */
    bool in_node;
    uint32_t object, node, parent;
    uint64_t self, size;
    bool has_self;
};

/* ---- elements ------------------------------------------------------------------------------ */

static uint32_t get_object(struct sysprof *s, struct slice id)
{
    uint32_t object = intern_add(&s->objects, id);

    if (object == s->names.count)
        *vec_add(&s->names) = MAP_NONE;
    return object;
}

static uint32_t get_node(struct sysprof *s, struct slice id)
{
    uint32_t node = frame_tree_node(&s->tree, id);

    while (s->object_of.count <= node) {
        *vec_add(&s->object_of) = MAP_NONE;
        *vec_add(&s->process_of) = FRAME_TREE_NONE;
    }
    return node;
}

static bool open_element(void *context, const struct xml_element *e)
{
    struct sysprof *s = context;

    if (slice_equal(e->name, SLICE("object")) && !s->in_node) {
        s->object = get_object(s, xml_attribute(e, "id"));
    } else if (slice_equal(e->name, SLICE("node"))) {
        s->in_node = true;
        s->node = get_node(s, xml_attribute(e, "id"));
        s->object = MAP_NONE;
        s->parent = FRAME_TREE_NONE;
        s->has_self = false;
    }
    return true;
}

/* Strips the quotes around a name. */
static struct slice without_quotes(struct slice text)
{
    text = slice_trim(text);
    if (text.len >= 2 && text.ptr[0] == '"' && text.ptr[text.len - 1] == '"')
        text = slice_take(slice_skip(text, 1), text.len - 2);
    return text;
}

static void close_node(struct sysprof *s)
{
    struct frame_node *node = &s->tree.nodes.items[s->node];

    s->in_node = false;
    s->b.profile->ledger.lines++;
    if (!s->has_self || s->object == MAP_NONE || node->known) {
        s->b.profile->ledger.unreadable++;
        diag_warn(s->content->diag, "a node without an object or samples; skipped");
        return;
    }
    s->object_of.items[s->node] = s->object;
    node->known = true;
    node->parent = s->parent;
    node->samples = s->self;
}

static void read_field(struct sysprof *s, struct slice name, struct slice text)
{
    text = slice_trim(text);
    if (slice_equal(name, SLICE("object")))
        s->object = get_object(s, text);
    else if (slice_equal(name, SLICE("parent")) && !slice_equal(text, SLICE("0")))
        s->parent = get_node(s, text);
    else if (slice_equal(name, SLICE("self")))
        s->has_self = num_parse_u64(text, &s->self);
}

static bool close_element(void *context, struct slice name, struct slice text)
{
    struct sysprof *s = context;

    if (slice_equal(name, SLICE("node")))
        close_node(s);
    else if (s->in_node)
        read_field(s, name, text);
    else if (slice_equal(name, SLICE("name")) && s->object != MAP_NONE)
        s->names.items[s->object] = intern_add(&s->texts, without_quotes(text));
    else if (slice_equal(name, SLICE("size")))
        num_parse_u64(slice_trim(text), &s->size);
    return true;
}

/* ---- frames -------------------------------------------------------------------------------- */

static struct slice name_of(const struct sysprof *s, uint32_t node)
{
    uint32_t object = s->object_of.items[node];
    uint32_t name = object == MAP_NONE ? MAP_NONE : s->names.items[object];

    return name == MAP_NONE ? SLICE("") : intern_get(&s->texts, name);
}

/* "[/usr/bin/app]" is "app". */
static struct slice process_name(struct slice name)
{
    if (!slice_starts(name, SLICE("[")) || !slice_ends(name, SLICE("]")))
        return name;
    name = slice_take(slice_skip(name, 1), name.len - 2);
    if (slice_starts(name, SLICE("/")))
        name = slice_skip(name, slice_find_last(name, '/') + 1);
    return name;
}

static struct frame make_frame(const struct sysprof *s, struct slice name, bool process)
{
    const struct slice file = SLICE("In file "), nothing = SLICE("??? [");
    struct frame f = {.name = name, .kind = FRAME_NATIVE};

    if (process)
        return (struct frame){.name = process_name(name), .kind = FRAME_OWNER};
    if (s->b.options->names == NAMES_REFERENCE)
        return (struct frame){.name = name, .kind = FRAME_PLAIN};
    if (slice_starts(name, file)) {
        f.name = SLICE("");
        f.module = slice_skip(name, file.len);
    } else if (slice_starts(name, nothing) && slice_ends(name, SLICE("]"))) {
        f.name = SLICE("");
        f.module = slice_take(slice_skip(name, nothing.len), name.len - nothing.len - 1);
    } else if (slice_equal(name, SLICE("in kernel"))) {
        f.class = SYMBOL_KERNEL;
    }
    return f;
}

/* Returns the process of a node, and keeps the result for all nodes on the way. */
static uint32_t process_of(struct sysprof *s, uint32_t node)
{
    uint32_t top = node, parent;
    size_t steps = 0;

    while (s->process_of.items[top] == FRAME_TREE_NONE && steps++ < s->tree.nodes.count &&
           (parent = s->tree.nodes.items[top].parent) != FRAME_TREE_NONE)
        top = parent;
    if (s->process_of.items[top] != FRAME_TREE_NONE)
        top = s->process_of.items[top];
    while (node != top && s->process_of.items[node] == FRAME_TREE_NONE) {
        s->process_of.items[node] = top;
        node = s->tree.nodes.items[node].parent;
        if (node == FRAME_TREE_NONE)
            break;
    }
    return top;
}

static bool add_node(struct sysprof *s, uint32_t node, uint32_t *stack)
{
    struct decimal samples = {.value = s->tree.nodes.items[node].samples};
    struct origin origin = {.process = process_name(name_of(s, process_of(s, node)))};
    uint32_t series = builder_series(&s->b, &origin, unit_samples);

    return frame_tree_stack(&s->tree, node, STACK_ROOT, stack) &&
           builder_add_at(&s->b, series, *stack, samples);
}

static bool add_nodes(struct sysprof *s)
{
    uint64_t sum = 0;
    uint32_t stack;

    for (uint32_t i = 0; i < s->tree.nodes.count; i++) {
        struct frame_node *node = &s->tree.nodes.items[i];
        struct frame f = make_frame(s, name_of(s, i), node->parent == FRAME_TREE_NONE);

        if (node->known)
            node->entry = builder_entry(&s->b, &f);
    }
    for (uint32_t i = 0; i < s->tree.nodes.count; i++) {
        sum += s->tree.nodes.items[i].samples;
        if (s->tree.nodes.items[i].samples && !add_node(s, i, &stack))
            return false;
    }
    if (s->size != sum)
        diag_warn(s->content->diag, "the nodes have %llu sample%s, but the file states %llu",
                  (unsigned long long)sum, diag_s(sum), (unsigned long long)s->size);
    return true;
}

static bool sysprof_read(struct content *c)
{
    struct sysprof s = {.content = c, .object = MAP_NONE};
    struct xml_handler handler = {.context = &s, .open = open_element, .close = close_element};
    bool ok;

    builder_init(&s.b, c->profile, c->options, c->diag);
    frame_tree_init(&s.tree, &s.b);
    ok = xml_read(c, &handler) && add_nodes(&s);
    release_each(&s, (vec, names, object_of, process_of), (intern, texts, objects),
                 (frame_tree, tree), (builder, b));
    return ok;
}

/* Claims "<profile>", followed by "<size>" and "<call_tree>" or "<objects>". */
static bool sysprof_claims(const struct head *head)
{
    static const char *const tags[] = {"<profile>", "<size>", "<objects>"};
    struct slice rest = slice_trim_left(head->bytes);

    if (slice_starts(rest, SLICE("<?xml")))
        rest = slice_trim_left(slice_skip(rest, slice_search(rest, SLICE("?>")) + 2));
    if (!slice_starts(rest, slice_str(tags[0])))
        return false;
    for (size_t i = 1; i < sizeof(tags) / sizeof(tags[0]); i++)
        if (!slice_has(rest, slice_str(tags[i])))
            return false;
    return true;
}

const struct format format_sysprof = {
    .name = "sysprof",
    .family = FORMAT_LINUX,
    .description = "call tree saved by Sysprof 1 (XML)",
    .recognised = "XML: <profile> with <size> and <objects>",
    .example = "sysprof, Save As (before version 3)",
    .without_stacks = "the profile is empty; record while the program works",
    .claims = sysprof_claims,
    .read = sysprof_read,
};
