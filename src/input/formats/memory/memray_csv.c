/*
 * Tables of memray transform csv.
 *
 *     allocator,num_allocations,size,tid,thread_name,stack_trace
 *     MALLOC,12,11473,1,0x1,grab;app.py;3|main;app.py;12|<module>;app.py;14
 *
 * A row is a stack, leaf first; a frame has function, file and line. Bytes and allocations are a
 * graph each: those at the peak, unless the table was made with --leaks, which it does not say.
 * Kept: the thread; dropped: the allocator.
 *
 * Source: src/memray/reporters/transform.py of github.com/bloomberg/memray.
 */
#include "base/num.h"
#include "input/build/builder.h"
#include "input/format.h"
#include "input/formats/memory/memray_frame.h"
#include "input/parse/csv.h"

#define HEADING "allocator,num_allocations,size,tid,thread_name,stack_trace"

enum { ALLOCATOR, ALLOCATIONS, SIZE, TID, THREAD, STACK };

struct memray_csv {
    struct builder b;
    struct csv_row row;
    struct buf name;
};

static bool memray_csv_claims(const struct head *head)
{
    return slice_equal(slice_trim(head_first(head)), SLICE(HEADING));
}

/* Pushes "grab;app.py;3"; a function may contain a ';'. */
static void push_frame(struct memray_csv *m, struct slice text)
{
    size_t end = slice_find_last(text, ';');
    struct slice rest = slice_take(text, end);
    size_t middle = slice_find_last(rest, ';');
    struct frame f;
    uint64_t line = 0;

    num_parse_u64(slice_skip(text, end + 1), &line);
    f = memray_frame(slice_take(rest, middle), slice_skip(rest, middle + 1), line, &m->name);
    builder_frame(&m->b, &f);
}

static bool add_weight(struct memray_csv *m, struct slice event, struct slice tid,
                       struct slice thread, uint64_t weight)
{
    const struct origin origin = {.event = event, .tid = tid, .thread = thread};

    return !weight || builder_add(&m->b, builder_series(&m->b, &origin, unit_named(event)), weight);
}

/* An empty last cell is none of the row's: memray writes it where a stack is not known. */
static bool is_whole(const struct csv_row *row, struct slice line)
{
    return row->cells.count + slice_ends(line, SLICE(",")) > STACK;
}

static bool memray_csv_line(struct text *t, void *state, struct slice line)
{
    struct memray_csv *m = state;
    struct slice stack, frame, tid, thread;
    uint64_t size, allocations;

    if (!line.len || slice_equal(line, SLICE(HEADING)))
        return true;
    if (!csv_split(&m->row, line, ',') || !is_whole(&m->row, line) ||
        !num_parse_u64(csv_text(&m->row, SIZE), &size) ||
        !num_parse_u64(csv_text(&m->row, ALLOCATIONS), &allocations))
        return text_skip_line(t, "expected a row with number, size and stack", line);
    stack = csv_text(&m->row, STACK);
    tid = csv_text(&m->row, TID);
    thread = csv_text(&m->row, THREAD);
    builder_begin_leaf(&m->b);
    while (slice_cut(&stack, '|', &frame))
        push_frame(m, frame);
    return add_weight(m, SLICE("bytes"), tid, thread, size) &&
           add_weight(m, SLICE("allocations"), tid, thread, allocations);
}

static void memray_csv_release(void *state)
{
    struct memray_csv *m = state;

    release_each(m, (csv, row), (buf, name), (builder, b));
}

const struct format format_memray_csv = {
    .name = "memray-csv",
    .family = FORMAT_MEMORY,
    .description = "tables of memray transform csv: bytes and allocations",
    .recognised = "the heading '" HEADING "'",
    .example = "memray transform csv -o app.csv app.bin",
    .needs = HEADING,
    .claims = memray_csv_claims,
    .text = {BUILDER_LINES(memray_csv, b)},
};
