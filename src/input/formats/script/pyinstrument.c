/*
 * Pyinstrument's samples of Python programs, in its three shapes of JSON, and in its pages.
 *
 *     {"root_frame": {"function": "main", "file_path": "app.py", "line_no": 3, "time": 0.5,
 *                     "children": [...]}, "duration": 0.5, "sample_count": 50, ...}
 *     {"session": {...}, "frame_tree": {"identifier": "main\0app.py\0003\001l8", "time": 0.5,
 *                                       "children": [...]}}
 *     {"frame_records": [[["MainThread\0<thread>\0001", "main\0app.py\0003"], 0.01], ...], ...}
 *
 * The first is what `-r json` writes, the second is the data of pages (`-r html`), the third is a
 * session that pyinstrument saved. The time of a node is in seconds and includes its children, of
 * which the node keeps what they leave. A node "[self]" is such a rest and no frame. A record of a
 * session is a stack, root first, and its time. Kept: function, file, line; dropped: classes,
 * groups, times of CPU and of awaiting.
 *
 * Source: pyinstrument/session.py, renderers/jsonrenderer.py and frame.py of
 * github.com/joerick/pyinstrument.
 */
#include "input/build/frame_cache.h"
#include "input/build/nested.h"
#include "input/build/python.h"
#include "input/format.h"
#include "input/parse/json_tree.h"
#include "input/parse/page.h"

/* What the file states about a node. */
struct node {
    uint32_t entry;      /* of the builder, if it has an identifier; else of name and file */
    uint32_t name, file; /* in pyinstrument.texts, or MAP_NONE */
    uint64_t line;
    struct decimal time;
    bool has_time;
};

struct pyinstrument {
    struct content *content;
    struct builder builder;
    struct json_tree tree;
    struct intern texts;
    struct frame_cache known; /* entries by identifier */
    VEC(struct node) nodes;
    VEC(uint32_t) depths; /* by node */
    struct buf scratch;
    uint32_t series;
};

static uint32_t series_of(struct pyinstrument *p)
{
    if (p->series == SERIES_NONE)
        p->series = builder_series(&p->builder, &(struct origin){0}, unit_named(SLICE("s")));
    return p->series;
}

/* ---- frames -------------------------------------------------------------------------------- */

static uint32_t entry_of(struct pyinstrument *p, struct slice name, struct slice file,
                         uint64_t line)
{
    struct frame f = {.file = file, .line = line, .kind = FRAME_PLAIN};

    f.name = python_name(name, file, &p->scratch);
    return builder_entry(&p->builder, &f);
}

/* The entry of "NAME\0FILE\0LINE\1ATTRIBUTE\1ATTRIBUTE"; a thread has "<thread>" for its file. */
static uint32_t entry_of_identifier(struct pyinstrument *p, struct slice text)
{
    struct slice rest = slice_take(text, slice_find(text, '\1')), name, file = {0};
    uint64_t line = 0;
    uint32_t entry;

    if (frame_cache_find(&p->known, text, &entry))
        return entry;
    if (!slice_cut(&rest, '\0', &name))
        name = SLICE("");
    if (slice_cut(&rest, '\0', &file))
        num_parse_u64(rest, &line);
    if (slice_equal(file, SLICE("<thread>")))
        entry = builder_entry(&p->builder, &(struct frame){.name = name, .kind = FRAME_OWNER});
    else if (slice_equal(name, SLICE("[self]")) && !file.len)
        entry = NESTED_NO_FRAME;
    else
        entry = entry_of(p, name, file, line);
    frame_cache_add(&p->known, entry);
    return entry;
}

/* ---- trees --------------------------------------------------------------------------------- */

static void read_member(void *context, uint32_t node, const struct json_value *v)
{
    struct pyinstrument *p = context;
    struct node *n;

    if (node == JSON_TREE_NONE) {
        builder_skip_child(&p->builder, v);
        return;
    }
    json_tree_follow(&p->tree, &p->nodes,
                     (struct node){.entry = MAP_NONE, .name = MAP_NONE, .file = MAP_NONE});
    n = &p->nodes.items[node];
    if (json_key_is(v, SLICE("function")))
        n->name = intern_add(&p->texts, json_text(v));
    else if (json_key_is(v, SLICE("file_path")))
        n->file = intern_add(&p->texts, json_text(v));
    else if (json_key_is(v, SLICE("line_no")))
        json_u64(v, &n->line);
    else if (json_key_is(v, SLICE("identifier")))
        n->entry = entry_of_identifier(p, json_text(v));
    else if (json_key_is(v, SLICE("time")))
        n->has_time = json_decimal(v, &n->time, NULL);
}

static struct slice text_of(const struct pyinstrument *p, uint32_t text)
{
    return text == MAP_NONE ? SLICE("") : intern_get(&p->texts, text);
}

/* Counts and quotes a node without a time. */
static void skip_time(const struct pyinstrument *p, uint32_t entry)
{
    struct slice name = SLICE("[self]");

    if (entry != NESTED_NO_FRAME)
        name = builder_frame_of(&p->builder, entry).name;
    builder_skip(&p->builder, DIAG_AT_FILE,
                 "the time of '%.*s' is missing or no number; it counts as 0", SLICE_ARG(name));
}

static bool add_node(struct pyinstrument *p, struct nested *nested, uint32_t node)
{
    struct node n = p->nodes.items[node];
    uint32_t parent = p->tree.parents.items[node], depth = 0, entry = n.entry;

    if (parent != JSON_TREE_NONE)
        depth = p->depths.items[parent] + 1;
    *vec_add(&p->depths) = depth;
    if (entry == MAP_NONE && n.name != MAP_NONE) {
        entry = slice_equal(text_of(p, n.name), SLICE("[self]"))
                    ? NESTED_NO_FRAME
                    : entry_of(p, text_of(p, n.name), text_of(p, n.file), n.line);
    }
    if (!n.has_time)
        skip_time(p, entry);
    return nested_add_entry(nested, series_of(p), depth, 0, entry, n.time);
}

static bool add_nodes(struct pyinstrument *p)
{
    struct nested nested;
    bool ok = true;

    json_tree_end(&p->tree);
    if (!p->tree.parents.count)
        return true;
    json_tree_follow(&p->tree, &p->nodes,
                     (struct node){.entry = MAP_NONE, .name = MAP_NONE, .file = MAP_NONE});
    nested_init(&nested, &p->builder, false, true);
    for (uint32_t i = 0; ok && i < p->nodes.count; i++)
        ok = add_node(p, &nested, i);
    ok = ok && nested_end(&nested);
    nested_release(&nested);
    return ok;
}

/* ---- records ------------------------------------------------------------------------------- */

/* [[IDENTIFIER, ...], SECONDS] */
static bool add_record(struct pyinstrument *p, const struct json_value *record)
{
    const struct json_value *stack = json_first(record), *time = NULL;
    struct decimal seconds;

    if (record->type == JSON_ARRAY && stack && stack->type == JSON_ARRAY)
        time = json_next(record, stack);
    if (!json_decimal(time, &seconds, NULL)) {
        builder_skip(&p->builder, DIAG_AT_FILE, "malformed record: %s; skipped",
                     json_quoted(record).text);
        return true;
    }
    builder_begin(&p->builder);
    json_each(v, stack)
    {
        uint32_t entry = entry_of_identifier(p, json_text(v));

        if (entry != NESTED_NO_FRAME)
            builder_push(&p->builder, entry);
    }
    return builder_add_decimal(&p->builder, series_of(p), seconds);
}

static bool open_container(void *context, struct slice key)
{
    struct pyinstrument *p = context;

    if (!slice_equal(key, SLICE("root_frame")) && !slice_equal(key, SLICE("frame_tree")))
        return slice_equal(key, SLICE("frame_records"));
    json_tree_begin(&p->tree);
    return true;
}

static void add_program(struct pyinstrument *p, const struct json_value *v)
{
    struct slice text = json_text(v);

    if (text.len)
        profile_add_fact(p->content->profile, SLICE("command"), text);
}

static bool read_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct pyinstrument *p = context;

    (void)at;
    if (slice_equal(parent, SLICE("frame_records")))
        return add_record(p, v);
    if (slice_equal(v->key, SLICE("program")) || slice_equal(v->key, SLICE("target_description")))
        add_program(p, v);
    return true;
}

static bool pyinstrument_read(struct content *content)
{
    struct pyinstrument p = {.content = content, .tree.member = read_member, .series = SERIES_NONE};
    struct json_handler handler = {.context = &p,
                                   .one_document = true,
                                   .open = open_container,
                                   .tree = &p.tree,
                                   .value = read_value};
    bool ok;

    builder_init(&p.builder, content->profile, content->options, content->diag);
    ok = json_read(content, &handler) && add_nodes(&p);
    release_each(&p, (json_tree, tree), (vec, nodes, depths), (intern, texts), (frame_cache, known),
                 (buf, scratch), (builder, builder));
    return ok;
}

static bool pyinstrument_claims(const struct head *h)
{
    return head_has_any(h, "root_frame.function", "frame_records", "frame_tree.identifier") ||
           (head_has(h, "session.start_call_stack") && !h->whole);
}

const struct format format_pyinstrument = {
    .name = "pyinstrument",
    .family = FORMAT_LANGUAGES,
    .description = "pyinstrument's JSON and sessions",
    .recognised = "JSON with 'root_frame', 'frame_tree' or 'frame_records'",
    .example = "pyinstrument -r json -o app.json app.py",
    .without_stacks = "the program ended before the first sample; sample more often: "
                      "pyinstrument -i 0.0001 -r json -o app.json app.py",
    .claims = pyinstrument_claims,
    .read = pyinstrument_read,
};

/* ---- pages --------------------------------------------------------------------------------- */

static bool page_claims(const struct head *head)
{
    return page_has(head, "var pyinstrumentHTMLRenderer");
}

static bool read_page(struct content *c)
{
    struct buf page = {0};
    struct slice data;
    bool ok = content_load(c, &page);

    if (ok && !page_find(buf_slice(&page), "const sessionData =", &data) &&
        !page_find(buf_slice(&page), "document.getElementById('app'),", &data))
        ok = diag_error(c->diag, "the page contains no data");
    ok = ok && page_read_text(c, data, pyinstrument_read);
    buf_release(&page);
    return ok;
}

const struct format format_pyinstrument_page = {
    .name = "pyinstrument-page",
    .family = FORMAT_PICTURES,
    .description = "pages of pyinstrument",
    .recognised = "a page with 'pyinstrumentHTMLRenderer'",
    .example = "pyinstrument -r html -o app.html app.py",
    .claims = page_claims,
    .read = read_page,
    .picture = true,
};
