#include "input/core/text_ahead.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/die.h"
#include "base/pool.h"
#include "input/core/text.h"

enum {
    LEAST_LANE = 1024 * 1024, /* bytes of a file that are worth a thread */
    SLOTS_PER_LANE = 2,       /* so that a thread goes on while another is late */
};

/* A block on its way. */
struct slot {
    struct text_block block;
    struct slice lines;
    bool unended;
    bool scanned; /* and waits for its turn */
    void *found;
};

struct ahead {
    const struct text_ahead *of;
    struct text *t;
    void *state;
    struct text_blocks *blocks;
    struct slot *slots; /* the block numbered n is in slots[n % slot_count] */
    size_t slot_count;
    void **lanes;
    pthread_mutex_t reading; /* held while a block is read, and for: */
    uint64_t read;           /* blocks so far */
    enum text_blocks_state ending;
    pthread_mutex_t turns; /* for: */
    pthread_cond_t freed;  /* a slot is free, or reading has failed */
    uint64_t taken;        /* blocks so far */
    bool taking;           /* somebody is at it */
    bool ok;
};

/* Waits for a free slot. Returns false if reading is over. */
static bool wait_for_slot(struct ahead *a)
{
    bool ok;

    pthread_mutex_lock(&a->turns);
    while (a->ok && a->read - a->taken == a->slot_count)
        pthread_cond_wait(&a->freed, &a->turns);
    ok = a->ok;
    pthread_mutex_unlock(&a->turns);
    return ok;
}

/* The next block of the file, or NULL. */
static struct slot *read_slot(struct ahead *a)
{
    struct slot *slot = NULL;

    pthread_mutex_lock(&a->reading);
    if (a->ending == TEXT_BLOCKS_LINES && wait_for_slot(a)) {
        slot = &a->slots[a->read % a->slot_count];
        a->ending = text_blocks_next(a->blocks, &slot->block, &slot->lines);
        slot->unended = a->ending == TEXT_BLOCKS_UNENDED;
        if (a->ending == TEXT_BLOCKS_LINES || slot->unended)
            a->read++;
        else
            slot = NULL;
    }
    pthread_mutex_unlock(&a->reading);
    return slot;
}

/* Hands on the blocks whose turn has come, unless somebody is doing so and will see this one. */
static void take_turns(struct ahead *a, struct slot *scanned)
{
    struct slot *slot;

    pthread_mutex_lock(&a->turns);
    scanned->scanned = true;
    if (a->taking) {
        pthread_mutex_unlock(&a->turns);
        return;
    }
    a->taking = true;
    while (a->ok && (slot = &a->slots[a->taken % a->slot_count])->scanned) {
        bool ok;

        pthread_mutex_unlock(&a->turns);
        if (slot->unended)
            text_tell_unended(a->t);
        ok = a->of->take(a->t, a->state, slot->found) && text_within_limits(a->t);
        pthread_mutex_lock(&a->turns);
        slot->scanned = false;
        a->taken++;
        a->ok = ok;
        pthread_cond_broadcast(&a->freed);
    }
    a->taking = false;
    pthread_mutex_unlock(&a->turns);
}

static void run_lane(void *context, size_t index, unsigned worker)
{
    struct ahead *a = context;
    struct slot *slot;

    (void)worker;
    while ((slot = read_slot(a))) {
        a->of->scan(a->lanes[index], slot->lines, slot->found);
        take_turns(a, slot);
    }
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
static void run_lanes(struct ahead *a, size_t lanes)
{
    struct source *source = a->blocks->source;
    struct diag *told = source->diag;
    struct diag diag;

    diag_init(&diag, told->path);
    source->diag = a->blocks->diag = &diag;
    pool_run((unsigned)lanes, lanes, run_lane, a);
    source->diag = a->blocks->diag = told;
    if (a->ok)
        diag_append(told, &diag, 0);
    diag_release(&diag);
}

bool text_ahead_read(const struct text_reader *reader, struct text *t, void *state,
                     struct text_blocks *blocks, unsigned threads)
{
    size_t lanes = count_lanes(blocks, threads);
    struct ahead a = {.of = reader->ahead,
                      .t = t,
                      .state = state,
                      .blocks = blocks,
                      .slot_count = lanes > 1 ? SLOTS_PER_LANE * lanes : 1,
                      .ok = true};

    pthread_mutex_init(&a.reading, NULL);
    pthread_mutex_init(&a.turns, NULL);
    pthread_cond_init(&a.freed, NULL);
    a.slots = xcalloc(a.slot_count, sizeof(*a.slots));
    a.lanes = xcalloc(lanes, sizeof(*a.lanes));
    for (size_t i = 0; i < a.slot_count; i++)
        a.slots[i].found = xcalloc(1, a.of->found_size);
    for (size_t i = 0; i < lanes; i++) {
        a.lanes[i] = xcalloc(1, a.of->lane_size);
        a.of->begin(t, state, a.lanes[i]);
    }

    run_lanes(&a, lanes);

    for (size_t i = 0; i < a.slot_count; i++) {
        a.of->release_found(a.slots[i].found);
        xfree(a.slots[i].found);
        text_blocks_release(&a.slots[i].block);
    }
    for (size_t i = 0; i < lanes; i++) {
        a.of->release(a.lanes[i]);
        xfree(a.lanes[i]);
    }
    xfree(a.lanes);
    xfree(a.slots);
    pthread_cond_destroy(&a.freed);
    pthread_mutex_destroy(&a.turns);
    pthread_mutex_destroy(&a.reading);
    return a.ok && text_is_read(t, a.ending);
}
