/*
 * What Valgrind's ms_print prints of massif's snapshots (massif.c).
 *
 *     Command:            ./app
 *      Detailed snapshots: [7 (peak), 19]
 *       n        time(i)         total(B)   useful-heap(B) extra-heap(B)    stacks(B)
 *       7      6,263,584          542,168          479,885        62,283            0
 *     88.51% (479,885B) (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 *     ->50.75% (275,149B) 0x10B4FA: work() (thr.cpp:26)
 *     | ->50.75% (275,149B) 0x10BDE7: main (thr.cpp:33)
 *     |
 *     ->00.18% (960B) in 1+ places, all below ms_print's threshold (01.00%)
 *
 * A row of the table is a snapshot; the tree of a detailed one follows it, each level indented by
 * two more columns. Percentages and the graph of the heap are dropped.
 *
 * Source: Valgrind's ms_print, valgrind.org/docs/manual/ms-manual.html.
 */
#include "base/num.h"
#include "base/ascii.h"
#include "input/format.h"
#include "input/formats/memory/massif_heap.h"

struct ms_print {
    struct massif_heap heap;
    bool has_peak;
    uint64_t peak; /* number of the snapshot */
};

/* Parses "479,885". */
static bool parse_grouped(struct slice word, uint64_t *value)
{
    enum { DIGITS_MOST = 20 };
    char digits[DIGITS_MOST];
    size_t n = 0;

    for (size_t i = 0; i < word.len; i++) {
        if (word.ptr[i] == ',')
            continue;
        if (n == DIGITS_MOST)
            return false;
        digits[n++] = word.ptr[i];
    }
    return num_parse_u64(slice_make(digits, n), value);
}

/* Parses a row of the table. */
static bool parse_row(struct slice line, struct massif_snapshot *s)
{
    uint64_t total, *const numbers[] = {&s->number, &s->time,  &total,
                                        &s->heap,   &s->extra, &s->stacks};
    struct slice word;

    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (!slice_word(&line, &word) || !parse_grouped(word, numbers[i]))
            return false;
    return !slice_word(&line, &word);
}

/* Parses "| ->50.75% (275,149B) FRAME". Returns false if the line is no node of a tree. */
static bool parse_node(struct slice line, struct massif_node *node, struct slice *frame)
{
    struct slice rest = line, word;
    size_t column = 0;

    while (column < line.len && memchr("| ", line.ptr[column], 2))
        column++;
    rest = slice_skip(line, column);
    if (slice_starts(rest, SLICE("->")))
        rest = slice_skip(rest, 2);
    else if (column > 0)
        return false;
    node->depth = rest.ptr == line.ptr ? 0 : (uint32_t)column / 2 + 1;
    if (!slice_word(&rest, &word) || !slice_ends(word, SLICE("%")) || !slice_word(&rest, &word) ||
        !slice_starts(word, SLICE("(")) || !slice_ends(word, SLICE("B)")) ||
        !parse_grouped(slice_take(slice_skip(word, 1), word.len - 3), &node->bytes))
        return false;
    *frame = slice_trim(rest);
    return frame->len > 0;
}

/* Whether a line has the mark of a node, "| ->". */
static bool is_node(struct slice line)
{
    while (line.len && (line.ptr[0] == '|' || line.ptr[0] == ' '))
        line = slice_skip(line, 1);
    return slice_starts(line, SLICE("->"));
}

/* "[7 (peak), 19, 25]" */
static void read_peak(struct ms_print *m, struct slice list)
{
    struct slice before = slice_take(list, slice_search(list, SLICE(" (peak)")));
    size_t start = before.len;

    while (start > 0 && ascii_is_digit(before.ptr[start - 1]))
        start--;
    m->has_peak = before.len < list.len && num_parse_u64(slice_skip(before, start), &m->peak);
}

static bool ms_print_line(struct text *t, void *state, struct slice line)
{
    static const struct slice command = {"Command:", 8}, detailed = {" Detailed snapshots: ", 21};
    struct ms_print *m = state;
    struct massif_snapshot row = {0};
    struct massif_node node = {.line = t->line};
    struct slice frame;

    if (slice_starts(line, command)) {
        profile_add_fact(t->profile, SLICE("command"), slice_trim(slice_skip(line, command.len)));
    } else if (slice_starts(line, detailed)) {
        read_peak(m, slice_skip(line, detailed.len));
    } else if (parse_row(line, &row)) {
        struct massif_snapshot *s = &m->heap.current;

        massif_heap_close(&m->heap);
        m->heap.snapshots++;
        s->number = row.number;
        s->time = row.time;
        s->heap = row.heap;
        s->extra = row.extra;
        s->stacks = row.stacks;
    } else if (parse_node(line, &node, &frame)) {
        m->heap.current.tree =
            m->has_peak && m->heap.current.number == m->peak ? MASSIF_PEAK : MASSIF_DETAILED;
        /* Only massif.out says how many children a node has. */
        return massif_heap_add(&m->heap, node, frame, node.depth > 0) ||
               text_skip_line(t, "node without a parent", line);
    } else if (is_node(line)) {
        return text_skip_line(t, "expected '->PERCENT% (BYTES) FRAME'", line);
    }
    return true;
}

static bool ms_print_claims(const struct head *head)
{
    head_each_of (line, head, 4)
        if (slice_starts(line, SLICE("ms_print arguments: ")))
            return true;
    return false;
}

const struct format format_ms_print = {
    .name = "ms-print",
    .family = FORMAT_MEMORY,
    .description = "ms_print: the heap at its peak, by allocating stack",
    .recognised = "'ms_print arguments:' in the first lines",
    .example = "ms_print massif.out.PID > app.ms_print",
    .without_stacks = "no snapshot has an allocation tree; run the program for longer, or run: "
                      "valgrind --tool=massif --detailed-freq=1 ./app",
    .claims = ms_print_claims,
    .text = {.state_size = STATE_SIZE(struct ms_print, heap),
             .begin = massif_heap_begin,
             .line = ms_print_line,
             .end = massif_heap_end,
             .release = massif_heap_release},
};
