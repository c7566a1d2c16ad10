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
#include "input/format.h"
#include "input/formats/memory/massif_heap.h"

static bool massif_claims(const struct head *h)
{
    static const struct slice starts[] = {{"desc:", 5}, {"cmd:", 4}, {"time_unit:", 10}};
    struct slice rest = h->bytes, line;

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
        if (!head_line(h, &rest, &line) || !slice_starts(line, starts[i]))
            return false;
    return true;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* "  n1: 131072 0x10C3EC: allocate (alloc.h:137)" */
static bool read_node(struct text *t, struct massif_heap *m, struct slice line)
{
    struct slice rest = slice_trim_left(line), word;
    struct massif_node node = {.depth = (uint32_t)(line.len - rest.len), .line = t->line};
    uint64_t children;

    if (!slice_word(&rest, &word) || !slice_ends(word, SLICE(":")) ||
        !num_parse_u64(slice_take(slice_skip(word, 1), word.len - 2), &children) ||
        !slice_word(&rest, &word) || !num_parse_u64(word, &node.bytes))
        return text_skip_line(t, "expected 'nCHILDREN: BYTES FRAME'", line);
    return massif_heap_add(m, node, slice_trim(rest), children) ||
           text_skip_line(t, "node without a parent", line);
}

static void read_tree_kind(struct massif_snapshot *s, struct slice value)
{
    if (slice_equal(value, SLICE("peak")))
        s->tree = MASSIF_PEAK;
    else if (slice_equal(value, SLICE("detailed")))
        s->tree = MASSIF_DETAILED;
}

static bool read_number(struct text *t, struct massif_heap *m, struct slice line, size_t equals)
{
    struct massif_snapshot *s = &m->current;
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
        massif_heap_close(m);
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
    struct massif_heap *m = state;
    struct slice trimmed = slice_trim(line);
    size_t equals = slice_find(trimmed, '=');

    if (!trimmed.len || trimmed.ptr[0] == '#')
        return true;
    if (slice_starts(trimmed, SLICE("cmd:"))) {
        profile_add_fact(t->profile, SLICE("command"), slice_trim(slice_skip(trimmed, 4)));
        return true;
    }
    if (slice_starts(trimmed, SLICE("desc:")) || slice_starts(trimmed, SLICE("time_unit:")))
        return true;
    if (m->current.tree != MASSIF_EMPTY && trimmed.ptr[0] == 'n')
        return read_node(t, m, line);
    if (equals < trimmed.len)
        return read_number(t, m, trimmed, equals);
    return text_skip_line(t, "neither 'key=value' nor a node", trimmed);
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
    .text = {.state_size = sizeof(struct massif_heap),
             .begin = massif_heap_begin,
             .line = massif_line,
             .end = massif_heap_end,
             .release = massif_heap_release},
};
