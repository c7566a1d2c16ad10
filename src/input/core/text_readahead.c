#include "input/core/text_readahead.h"

#include <stdlib.h>

#include "base/die.h"
#include "base/pipeline.h"
#include "input/core/text.h"

enum {
    LEAST_LANE = 1024 * 1024, /* bytes of a file that are worth a thread */
    SLOTS_PER_LANE = 2,
};

/* A block on its way. */
struct slot {
    struct text_block block;
    struct slice lines;
    bool unended;
    void *found;
};

struct readahead {
    const struct text_readahead *of;
    struct text *t;
    void *state;
    struct text_blocks *blocks;
    void **lanes;
    enum text_blocks_state ending;
};

static bool read_slot(void *context, void *slot_in)
{
    struct readahead *a = context;
    struct slot *slot = slot_in;

    if (a->ending != TEXT_BLOCKS_LINES)
        return false;
    a->ending = text_blocks_next(a->blocks, &slot->block, &slot->lines);
    slot->unended = a->ending == TEXT_BLOCKS_UNENDED;
    return a->ending == TEXT_BLOCKS_LINES || slot->unended;
}

static void scan_slot(void *context, void *slot_in, size_t lane)
{
    struct readahead *a = context;
    struct slot *slot = slot_in;

    a->of->scan(a->lanes[lane], slot->lines, slot->found);
}

static bool take_slot(void *context, void *slot_in)
{
    struct readahead *a = context;
    struct slot *slot = slot_in;

    if (slot->unended)
        text_tell_unended(a->t);
    return a->of->take(a->t, a->state, slot->found) && text_within_limits(a->t);
}

/* A small file is not worth several threads. */
static size_t count_lanes(const struct text_blocks *blocks, unsigned threads)
{
    const struct source *source = blocks->source;
    uint64_t most = (source->file_size - source->file_start) / LEAST_LANE;

    if (source_is_plain(source) && most < threads)
        return most ? (size_t)most : 1;
    return threads;
}

/* Messages about reading come after those about the blocks that were read. */
static bool run_lanes(struct readahead *a, const struct pipeline *turns, size_t lanes)
{
    struct source *source = a->blocks->source;
    struct diag *told = source->diag;
    struct diag diag;
    bool ok;

    diag_init(&diag, told->path);
    source->diag = a->blocks->diag = &diag;
    ok = pipeline_run(turns, lanes);
    source->diag = a->blocks->diag = told;
    if (ok)
        diag_append(told, &diag, 0);
    diag_release(&diag);
    return ok;
}

static void *new_slot(const struct text_readahead *of)
{
    struct slot *slot = xcalloc(1, sizeof(*slot));

    slot->found = xcalloc(1, of->found_size);
    return slot;
}

static void release_slot(const struct text_readahead *of, struct slot *slot)
{
    of->release_found(slot->found);
    xfree(slot->found);
    text_blocks_release(&slot->block);
    xfree(slot);
}

bool text_readahead_read(const struct text_reader *reader, struct text *t, void *state,
                         struct text_blocks *blocks, unsigned threads)
{
    size_t lanes = count_lanes(blocks, threads);
    struct readahead a = {.of = reader->ahead, .t = t, .state = state, .blocks = blocks};
    struct pipeline turns = {.context = &a,
                             .slot_count = lanes > 1 ? SLOTS_PER_LANE * lanes : 1,
                             .read = read_slot,
                             .work = scan_slot,
                             .take = take_slot};
    bool ok;

    turns.slots = xcalloc(turns.slot_count, sizeof(*turns.slots));
    a.lanes = xcalloc(lanes, sizeof(*a.lanes));
    for (size_t i = 0; i < turns.slot_count; i++)
        turns.slots[i] = new_slot(a.of);
    for (size_t i = 0; i < lanes; i++) {
        a.lanes[i] = xcalloc(1, a.of->lane_size);
        a.of->begin(t, state, a.lanes[i]);
    }

    ok = run_lanes(&a, &turns, lanes);

    for (size_t i = 0; i < turns.slot_count; i++)
        release_slot(a.of, turns.slots[i]);
    for (size_t i = 0; i < lanes; i++) {
        a.of->release(a.lanes[i]);
        xfree(a.lanes[i]);
    }
    xfree(a.lanes);
    xfree(turns.slots);
    return ok && text_is_read(t, a.ending);
}
