/*
 * Reader of Massif's heap snapshots: the one with the most relevant allocation tree.
 *
 *     desc: --massif-out-file=massif.out
 *     cmd: ./app
 *     time_unit: i
 *     #-----------
 *     snapshot=7
 *     #-----------
 *     time=6263584
 *     mem_heap_B=479885
 *     mem_heap_extra_B=62283
 *     mem_stacks_B=0
 *     heap_tree=peak                          or detailed, or empty: no tree
 *     n2: 479885 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 *      n0: 478925 0x10B4FA: work() (thr.cpp:26)
 *      n0: 960 in 7 places, all below massif's threshold (1.00%)
 *
 * "nN: bytes frame" is a node with N children, each indented by one more blank.
 * The root is the allocating function and children are callers. The peak
 * snapshot is read; without a peak, the snapshot with a tree that has the
 * largest heap. Places below massif's threshold share one frame. Overhead of
 * the allocator and size of the stacks are facts, since they have no tree.
 *
 * Source: Valgrind's ms_print, valgrind.org/docs/manual/ms-manual.html.
 */
#include "base/num.h"
#include "input/build/builder.h"
#include "input/build/nested.h"
#include "input/format.h"
#include "input/formats/memory/valgrind_frame.h"

enum tree_kind { TREE_EMPTY, TREE_DETAILED, TREE_PEAK };

struct node {
    uint32_t depth;
    uint64_t line, bytes;
    size_t text, len; /* range of the frame in snapshot.texts */
};

struct snapshot {
    uint64_t number, time, heap, extra, stacks;
    enum tree_kind tree;
    uint64_t expected; /* number of nodes that the nodes state */
    VEC(struct node) nodes;
    struct buf texts;
};

struct massif {
    struct builder b;
    struct snapshot current, best;
    uint64_t snapshots, highest; /* number of snapshots; largest heap of them */
};

static bool massif_claims(const struct head *h)
{
    static const struct slice starts[] = {{"desc:", 5}, {"cmd:", 4}, {"time_unit:", 10}};
    struct slice rest = h->bytes, line;

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
        if (!head_line(h, &rest, &line) || !slice_starts(line, starts[i]))
            return false;
    return true;
}

static bool massif_begin(struct text *t, void *state)
{
    struct massif *m = state;

    builder_init(&m->b, t->profile, t->options, t->diag);
    m->current.expected = 1;
    return true;
}

static void massif_release(void *state)
{
    struct massif *m = state;

    release_all(m, vec, current.nodes, best.nodes);
    release_all(m, buf, current.texts, best.texts);
    builder_release(&m->b);
}

/* Keeps the better of the current and the best snapshot and clears the other. */
static void close_snapshot(struct massif *m)
{
    struct snapshot *a = &m->current, *b = &m->best, swap;

    if (a->heap > m->highest)
        m->highest = a->heap;
    if (a->nodes.count && (a->tree > b->tree || (a->tree == b->tree && a->heap > b->heap))) {
        swap = *b;
        *b = *a;
        *a = swap;
    }
    vec_clear(&a->nodes);
    buf_clear(&a->texts);
    a->expected = 1;
    a->tree = TREE_EMPTY;
    a->time = a->heap = a->extra = a->stacks = 0;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* "  n1: 131072 0x10C3EC: allocate (alloc.h:137)" */
static bool read_node(struct text *t, struct massif *m, struct slice line)
{
    struct snapshot *s = &m->current;
    struct slice rest = slice_trim_left(line), word;
    struct node node = {
        .depth = (uint32_t)(line.len - rest.len), .line = t->line, .text = s->texts.len};
    uint32_t deepest = s->nodes.count ? s->nodes.items[s->nodes.count - 1].depth + 1 : 0;
    uint64_t children;

    if (!slice_word(&rest, &word) || !slice_ends(word, SLICE(":")) ||
        !num_parse_u64(slice_take(slice_skip(word, 1), word.len - 2), &children) ||
        !slice_word(&rest, &word) || !num_parse_u64(word, &node.bytes))
        return text_skip_line(t, "expected 'nCHILDREN: BYTES FRAME'", line);
    if (node.depth > deepest || (node.depth == 0 && s->nodes.count))
        return text_skip_line(t, "node without a parent", line);
    rest = slice_trim(rest);
    buf_add_slice(&s->texts, rest);
    node.len = rest.len;
    *vec_add(&s->nodes) = node;
    s->expected += children;
    return true;
}

static void read_tree_kind(struct snapshot *s, struct slice value)
{
    if (slice_equal(value, SLICE("peak")))
        s->tree = TREE_PEAK;
    else if (slice_equal(value, SLICE("detailed")))
        s->tree = TREE_DETAILED;
}

static bool read_number(struct text *t, struct massif *m, struct slice line, size_t equals)
{
    struct snapshot *s = &m->current;
    const struct {
        struct slice key;
        uint64_t *number;
    } numbers[] = {
        {SLICE("snapshot"), &s->number},     {SLICE("time"), &s->time},
        {SLICE("mem_heap_B"), &s->heap},     {SLICE("mem_heap_extra_B"), &s->extra},
        {SLICE("mem_stacks_B"), &s->stacks},
    };
    struct slice key = slice_take(line, equals), value = slice_skip(line, equals + 1);

    if (slice_equal(key, SLICE("snapshot"))) {
        close_snapshot(m);
        m->snapshots++;
    }
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (slice_equal(key, numbers[i].key))
            return num_parse_u64(value, numbers[i].number) ||
                   text_skip_line(t, "expected a number", line);
    if (!slice_equal(key, SLICE("heap_tree")))
        return text_skip_line(t, "unknown key", line);
    read_tree_kind(s, value);
    return true;
}

static bool massif_line(struct text *t, void *state, struct slice line)
{
    struct massif *m = state;
    struct slice trimmed = slice_trim(line);
    size_t equals = slice_find(trimmed, '=');

    if (!trimmed.len || trimmed.ptr[0] == '#')
        return true;
    t->profile->ledger.lines++;
    if (slice_starts(trimmed, SLICE("cmd:"))) {
        profile_add_fact(t->profile, SLICE("command"), slice_trim(slice_skip(trimmed, 4)));
        return true;
    }
    if (slice_starts(trimmed, SLICE("desc:")) || slice_starts(trimmed, SLICE("time_unit:")))
        return true;
    if (m->current.tree != TREE_EMPTY && trimmed.ptr[0] == 'n')
        return read_node(t, m, line);
    if (equals < trimmed.len)
        return read_number(t, m, trimmed, equals);
    return text_skip_line(t, "neither 'key=value' nor a node", trimmed);
}

/* ---- the tree ------------------------------------------------------------------------------ */

static struct slice node_text(const struct snapshot *s, const struct node *n)
{
    return slice_make(s->texts.ptr + n->text, n->len);
}

static uint32_t entry_of(struct massif *m, const struct node *n)
{
    struct slice text = node_text(&m->best, n);
    struct frame f = valgrind_frame(text, m->b.options);

    if (slice_search(text, SLICE(" below massif's threshold")) < text.len &&
        slice_starts(text, SLICE("in ")))
        f = (struct frame){.name = SLICE("(below massif's threshold)"), .kind = FRAME_PLAIN};
    return builder_entry(&m->b, &f);
}

/* Adds the tree, inverted. Its root names no caller: it is a frame only for what they leave. */
static bool add_tree(struct massif *m, uint32_t series)
{
    const struct snapshot *s = &m->best;
    const struct node *root = &s->nodes.items[0];
    uint64_t left = root->bytes;
    struct nested tree;
    bool ok = true;

    nested_init(&tree, &m->b, true, false);
    for (size_t i = 1; ok && i < s->nodes.count; i++) {
        const struct node *n = &s->nodes.items[i];

        if (n->depth == 1)
            left -= n->bytes < left ? n->bytes : left;
        ok = nested_add_entry(&tree, series, n->depth - 1, n->line, entry_of(m, n),
                              (struct decimal){.value = n->bytes});
    }
    ok = ok && nested_end(&tree);
    nested_release(&tree);
    if (!ok || !left)
        return ok;
    builder_begin(&m->b);
    builder_push(&m->b, entry_of(m, root));
    return builder_add(&m->b, series, left);
}

static void add_facts(struct text *t, const struct massif *m)
{
    const struct snapshot *s = &m->best;
    struct unit_scale bytes = {.unit = unit_named(SLICE("bytes")), .factor = 1};
    const struct {
        struct slice key;
        uint64_t bytes;
    } facts[] = {{SLICE("allocator overhead"), s->extra}, {SLICE("stacks"), s->stacks}};
    struct buf text = {0};

    buf_printf(&text, "%llu of %llu%s", (unsigned long long)s->number,
               (unsigned long long)m->snapshots, s->tree == TREE_PEAK ? ", the peak" : "");
    if (s->heap < m->highest) {
        buf_add_str(&text, "; the largest heap, in a snapshot without a tree, was ");
        unit_write_exact(&text, &bytes, m->highest);
    }
    profile_add_fact(t->profile, SLICE("snapshot"), buf_slice(&text));
    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
        if (!facts[i].bytes)
            continue;
        buf_clear(&text);
        unit_write_exact(&text, &bytes, facts[i].bytes);
        profile_add_fact(t->profile, facts[i].key, buf_slice(&text));
    }
    buf_release(&text);
}

static bool massif_end(struct text *t, void *state)
{
    struct massif *m = state;
    uint32_t series = builder_series(&m->b, &(struct origin){.event = SLICE("mem_heap_B")},
                                     unit_named(SLICE("bytes")));

    close_snapshot(m);
    if (!m->best.nodes.count || !m->best.nodes.items[0].bytes)
        return builder_add_at(&m->b, series, STACK_ROOT, (struct decimal){.value = m->highest});
    if (m->best.nodes.items[0].bytes != m->best.heap)
        diag_add(t->diag, DIAG_WARNING, DIAG_AT_FILE,
                 "snapshot %llu has a tree of %llu bytes, but a heap of %llu; the tree is drawn",
                 (unsigned long long)m->best.number,
                 (unsigned long long)m->best.nodes.items[0].bytes,
                 (unsigned long long)m->best.heap);
    if (m->best.expected != m->best.nodes.count)
        diag_add(t->diag, DIAG_WARNING, DIAG_AT_FILE,
                 "the tree of snapshot %llu has %zu nodes, but states %llu; the weight of missing "
                 "nodes stays with their parents",
                 (unsigned long long)m->best.number, m->best.nodes.count,
                 (unsigned long long)m->best.expected);
    add_facts(t, m);
    return add_tree(m, series);
}

const struct format format_massif = {
    .name = "massif",
    .family = FORMAT_MEMORY,
    .description = "massif: the heap at its peak, by allocating stack",
    .recognised = "'desc:', 'cmd:' and 'time_unit:' in the first three lines",
    .example = "valgrind --tool=massif ./app   # writes massif.out.PID",
    .without_stacks = "no snapshot has an allocation tree; run the program for longer, or run: "
                      "valgrind --tool=massif --detailed-freq=1 ./app",
    .claims = massif_claims,
    .text = {TEXT_READER(massif)},
};
