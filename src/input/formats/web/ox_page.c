/*
 * Pages of 0x.
 *
 *     visualizer({"merged": TREE, "unmerged": {"name": "all stacks", "value": 71, "children": [
 *         {"name": "*spin /app/w.js:3:13", "value": 71, "top": 70, "children": [
 *             {"name": "/usr/lib/libm.so.6 [SHARED_LIB]", "value": 1, "top": 1}]}]}}, ...)
 *
 * Both trees have the same ticks; "unmerged" tells apart how a function was compiled, and is read.
 * The value of a node includes its children. A name is that of V8's log with its mark, and a kind
 * in brackets: [CPP] is a C++ function, [SHARED_LIB] a library without symbols, others are dropped.
 * The top is no frame.
 *
 * Source: github.com/davidmarkclements/0x, by its output.
 */
#include "input/build/builder.h"
#include "input/format.h"
#include "input/formats/web/v8_profile.h"
#include "input/parse/page.h"

/* A node that is not read yet. */
struct todo {
    const struct json_value *node;
    uint32_t caller;
};

struct ox_page {
    struct builder b;
    VEC(struct todo) todo;
    uint64_t lighter; /* nodes whose children outweigh them */
};

/* The top of the page has nothing of its own but its layout; all else is behind a long script. */
static bool ox_page_claims(const struct head *head)
{
    return slice_starts(slice_trim_left(head->bytes),
                        SLICE("<html>\n    <head>\n      <meta charset=\"utf-8\">\n"
                              "      <style> /*! TACHYONS "));
}

/* Takes " [CPP]" off the end of a name. Returns the kind, or an empty slice. */
static struct slice take_kind(struct slice *name)
{
    size_t open = slice_find_last(*name, '[');
    struct slice kind = slice_skip(*name, open + 1);

    if (!slice_ends(*name, SLICE("]")) || open < 2 || name->ptr[open - 1] != ' ')
        return SLICE("");
    *name = slice_take(*name, open - 1);
    return slice_take(kind, kind.len - 1);
}

static uint32_t entry_of(struct ox_page *o, struct slice name)
{
    const struct slice anonymous = SLICE("(anonymous)");
    struct slice kind = take_kind(&name);
    char mark = 0;

    if (slice_equal(kind, SLICE("CPP")))
        return builder_entry(&o->b, &(struct frame){.name = name, .kind = FRAME_NATIVE});
    if (slice_equal(kind, SLICE("SHARED_LIB")))
        return builder_entry(&o->b, &(struct frame){.module = name, .kind = FRAME_NATIVE});
    if (name.len && memchr("~*^+", name.ptr[0], 4)) {
        mark = name.ptr[0];
        name = slice_skip(name, 1);
    }
    if (slice_starts(name, anonymous))
        name = slice_skip(name, anonymous.len);
    return v8_profile_logged(&o->b, name, mark, false);
}

/* Returns what the children leave of a node's value. */
static bool own_of(struct ox_page *o, const struct json_value *node, uint64_t *own)
{
    const struct json_value *value = json_get(node, "value");
    uint64_t below = 0, child;

    if (!json_u64(value, own)) {
        builder_skip(&o->b, DIAG_AT_FILE, "the value of a node is not a number: %s; it counts as 0",
                     json_quoted(value).text);
        *own = 0;
        return true;
    }
    json_each(
        v, json_get(node, "children")) if (json_u64(json_get(v, "value"), &child) &&
                                           !num_add(below, child,
                                                    &below)) return diag_error(o->b.diag,
                                                                               PROFILE_TOO_HEAVY);
    o->lighter += below > *own;
    *own -= below > *own ? *own : below;
    return true;
}

static bool read_node(struct ox_page *o, uint32_t series, struct todo todo, bool top)
{
    uint32_t stack = todo.caller;
    uint64_t own;

    o->b.profile->ledger.lines++;
    if (todo.node->type != JSON_OBJECT) {
        builder_skip_child(&o->b, todo.node);
        return true;
    }
    if (!top && !builder_child_entry(&o->b, todo.caller,
                                     entry_of(o, json_text(json_get(todo.node, "name"))), &stack))
        return false;
    json_each(child, json_get(todo.node, "children")) * vec_add(&o->todo) =
        (struct todo){child, stack};
    return own_of(o, todo.node, &own) &&
           (!own || builder_add_at(&o->b, series, stack, (struct decimal){.value = own}));
}

static bool read_top(void *context, const struct json_value *top, struct slice page)
{
    struct ox_page *o = context;
    const struct json_value *tree = json_get(top, "unmerged");
    uint32_t series = builder_series(&o->b, &(struct origin){0}, unit_named(SLICE("ticks")));
    bool ok = true;

    (void)page;
    tree = tree ? tree : json_get(top, "merged");
    if (!tree)
        return diag_error(o->b.diag, "the page contains no tree of stacks");
    *vec_add(&o->todo) = (struct todo){tree, STACK_ROOT};
    while (ok && o->todo.count) {
        struct todo next = o->todo.items[--o->todo.count];

        ok = read_node(o, series, next, next.node == tree);
    }
    diag_warn_count(o->b.diag, o->lighter,
                    "# node{ weighs|s weigh} less than {its|their} children; "
                    "the children count in full");
    return ok;
}

static bool ox_page_read(struct content *c)
{
    struct ox_page o = {.lighter = 0};
    bool ok;

    builder_init(&o.b, c->profile, c->options, c->diag);
    ok = page_read(c, "visualizer(", read_top, &o);
    vec_release(&o.todo);
    builder_release(&o.b);
    return ok;
}

const struct format format_ox_page = {
    .name = "0x-page",
    .family = FORMAT_PICTURES,
    .description = "flame graphs of 0x, which are pages",
    .recognised = "a page with the styles of 0x, whose data is the argument of visualizer()",
    .example = "0x app.js   # writes PID.0x/flamegraph.html",
    .claims = ox_page_claims,
    .read = ox_page_read,
    .picture = true,
};
