#include "input/formats/memory/massif_heap.h"

#include "input/build/nested.h"
#include "input/formats/memory/valgrind_frame.h"

bool massif_heap_begin(struct text *t, void *state)
{
    struct massif_heap *m = state;

    builder_init(&m->b, t->profile, t->options, t->diag);
    m->current.expected = 1;
    return true;
}

void massif_heap_release(void *state)
{
    struct massif_heap *m = state;

    release_each(m, (vec, current.nodes, best.nodes), (buf, current.texts, best.texts),
                 (builder, b));
}

void massif_heap_close(struct massif_heap *m)
{
    struct massif_snapshot *a = &m->current, *b = &m->best, swap;

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
    a->tree = MASSIF_EMPTY;
    a->time = a->heap = a->extra = a->stacks = 0;
}

bool massif_heap_add(struct massif_heap *m, struct massif_node node, struct slice frame,
                     uint64_t children)
{
    struct massif_snapshot *s = &m->current;
    uint32_t deepest = s->nodes.count ? s->nodes.items[s->nodes.count - 1].depth + 1 : 0;

    if (node.depth > deepest || (node.depth == 0 && s->nodes.count))
        return false;
    node.text = s->texts.len;
    node.len = frame.len;
    buf_add_slice(&s->texts, frame);
    *vec_add(&s->nodes) = node;
    s->expected += children;
    return true;
}

/* ---- the tree ------------------------------------------------------------------------------ */

static struct slice node_text(const struct massif_snapshot *s, const struct massif_node *n)
{
    return slice_make(s->texts.ptr + n->text, n->len);
}

static uint32_t entry_of(struct massif_heap *m, const struct massif_node *n)
{
    struct slice text = node_text(&m->best, n);
    struct frame f = valgrind_frame(text, m->b.options);

    if ((slice_search(text, SLICE(" below massif's threshold")) < text.len ||
         slice_search(text, SLICE(" below ms_print's threshold")) < text.len) &&
        slice_starts(text, SLICE("in ")))
        f = (struct frame){.name = SLICE("(below massif's threshold)"), .kind = FRAME_PLAIN};
    return builder_entry(&m->b, &f);
}

/* Adds the tree, inverted. Its root names no caller: it is a frame only for what they leave. */
static bool add_tree(struct massif_heap *m, uint32_t series)
{
    const struct massif_snapshot *s = &m->best;
    const struct massif_node *root = &s->nodes.items[0];
    uint64_t left = root->bytes;
    struct nested tree;
    bool ok = true;

    nested_init(&tree, &m->b, true, false);
    for (size_t i = 1; ok && i < s->nodes.count; i++) {
        const struct massif_node *n = &s->nodes.items[i];

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

static void add_facts(struct text *t, const struct massif_heap *m)
{
    const struct massif_snapshot *s = &m->best;
    struct unit_scale bytes = {.unit = unit_named(SLICE("bytes")), .factor = 1};
    const struct {
        struct slice key;
        uint64_t bytes;
    } facts[] = {{SLICE("allocator overhead"), s->extra}, {SLICE("stacks"), s->stacks}};
    struct buf text = {0};

    buf_printf(&text, "%llu of %llu%s", (unsigned long long)s->number,
               (unsigned long long)m->snapshots, s->tree == MASSIF_PEAK ? ", the peak" : "");
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

bool massif_heap_end(struct text *t, void *state)
{
    struct massif_heap *m = state;
    uint32_t series = builder_series(&m->b, &(struct origin){.event = SLICE("mem_heap_B")},
                                     unit_named(SLICE("bytes")));

    massif_heap_close(m);
    if (!m->best.nodes.count || !m->best.nodes.items[0].bytes)
        return builder_add_at(&m->b, series, STACK_ROOT, (struct decimal){.value = m->highest});
    if (m->best.nodes.items[0].bytes != m->best.heap)
        diag_warn(t->diag,
                  "snapshot %llu has a tree of %llu byte%s, but a heap of %llu; the tree is drawn",
                  (unsigned long long)m->best.number,
                  (unsigned long long)m->best.nodes.items[0].bytes,
                  diag_s(m->best.nodes.items[0].bytes), (unsigned long long)m->best.heap);
    if (m->best.expected != m->best.nodes.count)
        diag_warn(
            t->diag,
            "the tree of snapshot %llu has %zu node%s, but states %llu; the weight of missing "
            "nodes stays with their parents",
            (unsigned long long)m->best.number, m->best.nodes.count, diag_s(m->best.nodes.count),
            (unsigned long long)m->best.expected);
    add_facts(t, m);
    return add_tree(m, series);
}
