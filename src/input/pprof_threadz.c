/*
 * The threads of a program, as pprof's older servers show them:
 *
 *     --- threadz 1 ---
 *     --- Thread 7f794ab90940 (name: main/14748) stack: ---
 *       PC:  0x00bc8f1c: Wait(int)
 *       0x7f7949a9811d: __libc_start_main
 *           creator: 0xa45b96 0xa460b4
 *     --- Thread 7f7948978700 (name: worker/14759) stack: ---
 *       [same as previous thread]
 *     --- Memory map: ---
 *       00400000-00fcb000: /usr/bin/server
 *
 * Each thread is one. The leaf comes first; who created a thread are the
 * callers of its first function, as pprof has it. The program counter is where
 * a thread is, the other addresses are where calls return to, and one less is
 * the call.
 *
 * Source: the text itself and pprof's reader of it (github.com/google/pprof).
 */
#include "base/num.h"
#include "input/format.h"
#include "input/pprof_rows.h"

struct threadz {
    struct pprof_rows rows;
    struct arena texts;
    bool map; /* what follows is the memory map */
};

/*
 * Lines met before. `context` of a thread is the row it began, that of a
 * creator where its addresses are among those of all stacks, `depth` how many;
 * `weight` of a frame is its address.
 */
enum { THREADZ_THREAD = 1, THREADZ_FRAME, THREADZ_CREATOR, THREADZ_SAME };

static const struct slice thread_start = {"--- Thread ", 11};

static bool threadz_claims(const struct head *head)
{
    struct slice rest = head->bytes, line;

    while (head_line(head, &rest, &line))
        if (slice_trim(line).len)
            return slice_starts(line, SLICE("--- threadz ")) ||
                   (slice_starts(line, thread_start) &&
                    slice_ends(slice_trim(line), SLICE("stack: ---")));
    return false;
}

static bool threadz_begin(struct text *t, void *state)
{
    struct threadz *z = state;

    pprof_rows_init(&z->rows, t->profile, t->options, t->diag);
    arena_init(&z->texts);
    return true;
}

static struct pprof_row *add_row(struct threadz *z)
{
    struct pprof_row *row = pprof_rows_add(&z->rows);

    row->values[0] = 1;
    return row;
}

/* "--- Thread 7f794ab90940 (name: main/14748) stack: ---" */
static void open_thread(struct text *t, struct threadz *z, struct slice line)
{
    const struct slice mark = SLICE("(name: ");
    struct pprof_row *row = add_row(z);
    struct slice name = slice_skip(line, slice_search(line, mark));
    size_t slash;

    t->meaning.kind = THREADZ_THREAD;
    t->meaning.context = (uint32_t)z->rows.items.count - 1;
    name = slice_skip(name, mark.len);
    name = slice_take(name, slice_find(name, ')'));
    slash = slice_find_last(name, '/');
    row->thread = arena_copy(&z->texts, slice_take(name, slash));
    row->tid = arena_copy(&z->texts, slice_skip(name, slash + 1));
}

/* The stack of the thread before the last one becomes that of the last one, too. */
static bool repeat_stack(struct text *t, struct threadz *z)
{
    size_t count = z->rows.items.count;
    struct pprof_row *row;

    if (count < 2) {
        text_skip(t, "there is no previous thread");
        return true;
    }
    row = &z->rows.items.items[count - 1];
    row->first = row[-1].first;
    row->count = row[-1].count;
    return true;
}

/* "PC:  0x00bc8f1c: Wait(int)", "0x7f7949a9811d: __libc_start_main", "creator: 0xa45b96 0xa4" */
static bool read_frames(struct text *t, struct threadz *z, struct slice line)
{
    const struct slice counter = SLICE("PC:"), creator = SLICE("creator:");
    uint64_t offset = (uint64_t)-1, address;
    struct slice first;

    if (slice_starts(line, creator)) {
        size_t before = z->rows.stacks.count;

        if (pprof_rows_push_all(&z->rows, slice_skip(line, creator.len), offset)) {
            t->meaning.kind = THREADZ_CREATOR;
            t->meaning.context = (uint32_t)before;
            t->meaning.depth = (uint32_t)(z->rows.stacks.count - before);
            return true;
        }
    }
    if (slice_starts(line, counter)) {
        line = slice_trim_left(slice_skip(line, counter.len));
        offset = 0;
    }
    if (slice_cut(&line, ':', &first) && pprof_addresses_next(&first, &address) && !first.len) {
        struct pprof_name name = {.name = slice_trim(line), .kind = FRAME_NATIVE};

        pprof_rows_push(&z->rows, address + offset);
        if (name.name.len)
            pprof_addresses_name(&z->rows.addresses, address + offset, name);
        t->meaning.kind = THREADZ_FRAME;
        t->meaning.weight.value = address + offset;
        return true;
    }
    text_skip(t, "this is no frame of a thread; line skipped");
    return true;
}

static bool threadz_line(struct text *t, void *state, struct slice line)
{
    struct threadz *z = state;
    struct slice trimmed = slice_trim(line);

    if (!trimmed.len || slice_starts(trimmed, SLICE("--- threadz ")))
        return true;
    if (pprof_maps_begins(line)) {
        z->map = true;
    } else if (z->map) {
        pprof_maps_add(&z->rows.addresses.maps, line);
    } else if (slice_starts(trimmed, thread_start)) {
        open_thread(t, z, trimmed);
    } else if (!z->rows.items.count) {
        return true;
    } else if (slice_equal(trimmed, SLICE("[same as previous thread]"))) {
        t->meaning.kind = THREADZ_SAME;
        return repeat_stack(t, z);
    } else {
        return read_frames(t, z, trimmed);
    }
    return true;
}

static enum text_again threadz_again(struct text *t, void *state, const struct line_meaning *m)
{
    struct threadz *z = state;
    struct pprof_rows *r = &z->rows;
    struct pprof_row *row;

    if (z->map || (!r->items.count && m->kind != THREADZ_THREAD))
        return TEXT_UNFIT;
    if (m->kind == THREADZ_SAME) {
        repeat_stack(t, z);
    } else if (m->kind == THREADZ_FRAME) {
        pprof_rows_push(r, m->weight.value);
    } else if (m->kind == THREADZ_CREATOR) {
        for (uint32_t i = 0; i < m->depth; i++)
            pprof_rows_push(r, r->stacks.items[m->context + i]);
    } else {
        row = add_row(z);
        row->thread = r->items.items[m->context].thread;
        row->tid = r->items.items[m->context].tid;
    }
    return TEXT_DONE;
}

static bool threadz_end(struct text *t, void *state)
{
    struct threadz *z = state;

    if (!z->map)
        diag_add(t->diag, DIAG_WARNING, DIAG_AT_FILE,
                 "the list ends without a memory map: threads may be missing");
    pprof_columns_add(&z->rows.columns, SLICE("thread"), SLICE("count"), false);
    return pprof_rows_end(&z->rows);
}

static void threadz_release(void *state)
{
    struct threadz *z = state;

    pprof_rows_release(&z->rows);
    arena_release(&z->texts);
}

static const struct text_reader threadz_reader = {
    .state_size = sizeof(struct threadz),
    .begin = threadz_begin,
    .line = threadz_line,
    .again = threadz_again,
    .end = threadz_end,
    .release = threadz_release,
};

const struct format format_pprof_threadz = {
    .name = "pprof-threadz",
    .family = FORMAT_GO,
    .description = "the threads of a program, as /threadz shows them",
    .recognised = "a first line '--- threadz 1 ---' or '--- Thread ... stack: ---'",
    .example = "curl -o threads.txt localhost:8080/threadz",
    .without_stacks = "its threads have no frames; ask while they run",
    .claims = threadz_claims,
    .reader = &threadz_reader,
};
