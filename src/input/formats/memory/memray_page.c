/*
 * Flame graphs of memray, as pages.
 *
 *     const packed_data = {"nodes": {"children": [[1], []], "function": [1, 3], "filename": [2, 4],
 *         "lineno": [0, 7], "value": [100, 100], "n_allocations": [2, 2], "thread_id": [0, 5],
 *         ...}, "strings": ["0x0", "&lt;tracker&gt;", ...], "unique_threads": [5]};
 *     const merge_threads = true;
 *     const inverted = false;
 *
 * Each member of "nodes" is a column, with a row for each node of the tree; the children of a node
 * come after it. Names, files and threads are indices of "strings", which are escaped for HTML.
 * Node 0 is no frame. A value includes that of the children. A page shows what was allocated at the
 * peak, or what was never freed (--leaks), which only its help says.
 *
 * A page made with --temporal has no values but
 *
 *     "intervals": [[3, null, 16, 2, 11473], ...], "high_water_mark_by_snapshot": [0, 11473, ...]
 *
 * An interval is allocated before a snapshot, freed before another one or never, at a node: the
 * number of allocations, and their bytes. So it has both: what was allocated at the snapshot of the
 * highest mark, and what was never freed. With --leaks there are no marks.
 *
 * Kept: function, file, line, and the thread if the page tells threads apart. Dropped: source
 * lines, and the times of snapshots.
 *
 * Source: src/memray/reporters of github.com/bloomberg/memray.
 */
#include "input/build/builder.h"
#include "input/format.h"
#include "input/formats/memory/memray_frame.h"
#include "input/parse/entities.h"
#include "input/parse/page.h"

#define NO_PARENT UINT32_MAX

enum column { FUNCTION, FILENAME, LINENO, THREAD, VALUE, ALLOCATIONS, COLUMNS };

struct node {
    uint64_t numbers[COLUMNS];
    uint32_t parent, stack;
};

/* What was allocated before a snapshot, and freed before another one or NEVER. */
enum { ALLOCATED, FREED, NODE, COUNT, BYTES, INTERVAL };

#define NEVER UINT64_MAX

struct memray_page {
    struct builder b;
    const struct json_value *top;
    VEC(struct slice) strings;
    VEC(struct node) nodes;
    struct buf function, file, name, thread;
    bool by_thread;
    uint64_t lighter; /* nodes whose children outweigh them */
};

static bool memray_page_claims(const struct head *head)
{
    return page_has(head, "<title>memray - flamegraph report</title>") ||
           page_has(head, "<title>memray - temporal flamegraph report</title>");
}

/* ---- nodes --------------------------------------------------------------------------------- */

static void read_column(struct memray_page *m, const struct json_value *list, enum column column)
{
    size_t i = 0;

    json_each(v, list)
    {
        if (i == m->nodes.count)
            *vec_add(&m->nodes) = (struct node){.parent = NO_PARENT};
        if (!json_u64(v, &m->nodes.items[i].numbers[column]))
            builder_skip(&m->b, DIAG_AT_FILE, "malformed number of a node: %s; it counts as 0",
                         json_quoted(v).text);
        i++;
    }
}

/* Takes the children of a node. One that has a parent, or is before its parent, is left out. */
static void read_children(struct memray_page *m, uint32_t parent, const struct json_value *list)
{
    uint64_t child;

    json_each(v, list)
    {
        if (!json_u64(v, &child) || child <= parent || child >= m->nodes.count ||
            m->nodes.items[child].parent != NO_PARENT)
            builder_skip(&m->b, DIAG_AT_FILE, "malformed child of a node: %s; skipped",
                         json_quoted(v).text);
        else
            m->nodes.items[child].parent = parent;
    }
}

static void read_nodes(struct memray_page *m, const struct json_value *nodes)
{
    static const char *const keys[COLUMNS] = {"function",  "filename", "lineno",
                                              "thread_id", "value",    "n_allocations"};
    uint32_t parent = 0;

    for (int i = 0; i < COLUMNS; i++)
        read_column(m, json_get(nodes, keys[i]), (enum column)i);
    json_each(list, json_get(nodes, "children")) read_children(m, parent++, list);
    json_each(v, json_get(m->top, "strings")) * vec_add(&m->strings) = json_text(v);
}

static struct slice text_of(struct memray_page *m, uint64_t number, struct buf *out)
{
    buf_clear(out);
    if (number < m->strings.count)
        entities_add(out, m->strings.items[number]);
    else
        builder_skip(&m->b, DIAG_AT_FILE, "text %llu is not in the table; shown as unknown",
                     (unsigned long long)number);
    return buf_slice(out);
}

static bool make_stacks(struct memray_page *m)
{
    for (size_t i = 0; i < m->nodes.count; i++) {
        struct node *n = &m->nodes.items[i];
        struct frame f;

        m->b.profile->ledger.lines++;
        n->stack = STACK_ROOT;
        if (!i || n->parent == NO_PARENT)
            continue;
        f = memray_frame(text_of(m, n->numbers[FUNCTION], &m->function),
                         text_of(m, n->numbers[FILENAME], &m->file), n->numbers[LINENO], &m->name);
        if (!builder_child(&m->b, m->nodes.items[n->parent].stack, &f, &n->stack))
            return false;
    }
    return true;
}

/* ---- weights ------------------------------------------------------------------------------- */

/* Adds to "peak bytes" or "leaked allocations", of the thread of a node. */
static bool add_weight(struct memray_page *m, const char *event, bool bytes, const struct node *n,
                       uint64_t weight)
{
    struct origin origin = {.event = SLICE("")};
    struct buf name = {0};
    uint32_t series;

    if (!weight)
        return true;
    buf_printf(&name, "%s %s", event, bytes ? "bytes" : "allocations");
    origin.event = buf_slice(&name);
    if (m->by_thread)
        origin.thread = text_of(m, n->numbers[THREAD], &m->thread);
    series =
        builder_series(&m->b, &origin, unit_named(bytes ? SLICE("bytes") : SLICE("allocations")));
    buf_release(&name);
    return builder_add_at(&m->b, series, n->stack, (struct decimal){.value = weight});
}

/* Takes the values of the children out of those of their parents, which come first. */
static void keep_own(struct memray_page *m, enum column column)
{
    for (size_t i = 1; i < m->nodes.count; i++) {
        const struct node *n = &m->nodes.items[i];
        uint64_t *above;

        if (n->parent == NO_PARENT)
            continue;
        above = &m->nodes.items[n->parent].numbers[column];
        m->lighter += *above < n->numbers[column];
        *above -= *above < n->numbers[column] ? *above : n->numbers[column];
    }
}

static bool add_values(struct memray_page *m, const char *event)
{
    keep_own(m, VALUE);
    keep_own(m, ALLOCATIONS);
    vec_each (const struct node, n, &m->nodes)
        if (!add_weight(m, event, true, n, n->numbers[VALUE]) ||
            !add_weight(m, event, false, n, n->numbers[ALLOCATIONS]))
            return false;
    diag_warn_count(m->b.diag, m->lighter,
                    "# node{ weighs|s weigh} less than {its|their} children; "
                    "the children count in full");
    return true;
}

/* ---- intervals ----------------------------------------------------------------------------- */

/* Reads an interval. Returns false if it is malformed. */
static bool read_interval(const struct memray_page *m, const struct json_value *v,
                          uint64_t interval[INTERVAL])
{
    size_t i = 0;

    json_each(number, v)
    {
        if (i == INTERVAL)
            return false;
        if (i == FREED && number->type == JSON_NULL)
            interval[i] = NEVER;
        else if (!json_u64(number, &interval[i]))
            return false;
        i++;
    }
    return i == INTERVAL && interval[NODE] < m->nodes.count;
}

/* Returns the first snapshot with the highest mark, or NEVER if the page has no marks. */
static uint64_t find_peak(const struct memray_page *m)
{
    uint64_t peak = NEVER, most = 0, snapshot = 0, mark;

    json_each(v, json_get(m->top, "high_water_mark_by_snapshot"))
    {
        if (json_u64(v, &mark) && (peak == NEVER || mark > most)) {
            peak = snapshot;
            most = mark;
        }
        snapshot++;
    }
    return peak;
}

/* Adds what was allocated at the peak. Returns false after reporting an error. */
static bool add_peak(struct memray_page *m, const struct json_value *intervals)
{
    uint64_t peak = find_peak(m), at[INTERVAL];

    json_each(v, intervals)
    {
        if (!read_interval(m, v, at)) {
            builder_skip(&m->b, DIAG_AT_FILE, "malformed interval: %s; skipped",
                         json_quoted(v).text);
        } else if (peak != NEVER && at[ALLOCATED] <= peak && at[FREED] > peak) {
            const struct node *n = &m->nodes.items[at[NODE]];

            if (!add_weight(m, "peak", true, n, at[BYTES]) ||
                !add_weight(m, "peak", false, n, at[COUNT]))
                return false;
        }
    }
    return true;
}

/* Adds what was never freed. */
static bool add_leaked(struct memray_page *m, const struct json_value *intervals)
{
    uint64_t at[INTERVAL];

    json_each(v, intervals)
    {
        if (read_interval(m, v, at) && at[FREED] == NEVER) {
            const struct node *n = &m->nodes.items[at[NODE]];

            if (!add_weight(m, "leaked", true, n, at[BYTES]) ||
                !add_weight(m, "leaked", false, n, at[COUNT]))
                return false;
        }
    }
    return true;
}

/* ---- the page ------------------------------------------------------------------------------ */

static bool read_top(void *context, const struct json_value *top, struct slice page)
{
    struct memray_page *m = context;
    const struct json_value *intervals = json_get(top, "intervals");
    bool leaked = slice_has(page, SLICE("for memory that was leaked"));

    if (slice_has(page, SLICE("const inverted = true")))
        return diag_error(m->b.diag, "this page is merged from the leaves; run memray flamegraph "
                                     "without --inverted");
    m->top = top;
    m->by_thread = slice_has(page, SLICE("const merge_threads = false"));
    read_nodes(m, json_get(top, "nodes"));
    if (!make_stacks(m))
        return false;
    if (!intervals)
        return add_values(m, leaked ? "leaked" : "peak");
    return add_peak(m, intervals) && add_leaked(m, intervals);
}

static bool memray_page_read(struct content *c)
{
    struct memray_page m = {.top = NULL};
    bool ok;

    builder_init(&m.b, c->profile, c->options, c->diag);
    ok = page_read(c, "const packed_data =", read_top, &m);
    release_each(&m, (vec, strings, nodes), (buf, function, file, name, thread), (builder, b));
    return ok;
}

const struct format format_memray_page = {
    .name = "memray-page",
    .family = FORMAT_PICTURES,
    .description = "flame graphs of memray: bytes and allocations at the peak, and leaked ones",
    .recognised = "a page with the title 'memray - flamegraph report' or '... temporal ...'",
    .example = "memray run -o app.bin app.py && memray flamegraph app.bin",
    .claims = memray_page_claims,
    .read = memray_page_read,
    .picture = true,
};
