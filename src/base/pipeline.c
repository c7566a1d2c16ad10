#include "base/pipeline.h"

#include <pthread.h>
#include <stdint.h>

#include "base/die.h"
#include "base/pool.h"

struct run {
    const struct pipeline *of;
    bool *worked_on;         /* by slot: its piece waits for its turn */
    pthread_mutex_t reading; /* also guards `read` and `ended` */
    uint64_t read;           /* pieces so far; piece n is in slot n % slot_count */
    bool ended;
    pthread_mutex_t turn; /* guards the rest of the members */
    pthread_cond_t freed; /* a slot is free, or take() has failed */
    uint64_t taken;       /* pieces so far */
    bool taking;          /* a thread is in take() */
    bool ok;
};

/* Waits for a free slot. Returns false if taking has failed. */
static bool wait_for_slot(struct run *r)
{
    bool ok;

    pthread_mutex_lock(&r->turn);
    while (r->ok && r->read - r->taken == r->of->slot_count)
        pthread_cond_wait(&r->freed, &r->turn);
    ok = r->ok;
    pthread_mutex_unlock(&r->turn);
    return ok;
}

/* Reads the next piece. Returns false at the end, else its slot. */
static bool read_piece(struct run *r, size_t *slot)
{
    const struct pipeline *of = r->of;
    bool good = false;

    pthread_mutex_lock(&r->reading);
    if (!r->ended && wait_for_slot(r)) {
        *slot = r->read % of->slot_count;
        good = of->read(of->context, of->slots[*slot]);
        r->read += good;
        r->ended = !good;
    }
    pthread_mutex_unlock(&r->reading);
    return good;
}

/* Takes the pieces whose turn has come, unless somebody is doing so and will see this one. */
static void take_pieces(struct run *r, size_t slot)
{
    const struct pipeline *of = r->of;

    pthread_mutex_lock(&r->turn);
    r->worked_on[slot] = true;
    if (r->taking) {
        pthread_mutex_unlock(&r->turn);
        return;
    }
    r->taking = true;
    while (r->ok && r->worked_on[slot = r->taken % of->slot_count]) {
        bool ok;

        pthread_mutex_unlock(&r->turn);
        ok = of->take(of->context, of->slots[slot]);
        pthread_mutex_lock(&r->turn);
        r->worked_on[slot] = false;
        r->taken++;
        r->ok = ok;
        pthread_cond_broadcast(&r->freed);
    }
    r->taking = false;
    pthread_mutex_unlock(&r->turn);
}

static void run_lane(void *context, size_t lane, unsigned worker)
{
    struct run *r = context;
    size_t slot;

    (void)worker;
    while (read_piece(r, &slot)) {
        r->of->work(r->of->context, r->of->slots[slot], lane);
        take_pieces(r, slot);
    }
}

bool pipeline_run(const struct pipeline *t, size_t lanes)
{
    struct run r = {.of = t, .ok = true};

    r.worked_on = xcalloc(t->slot_count, sizeof(*r.worked_on));
    pthread_mutex_init(&r.reading, NULL);
    pthread_mutex_init(&r.turn, NULL);
    pthread_cond_init(&r.freed, NULL);
    pool_run((unsigned)lanes, lanes, run_lane, &r);
    pthread_cond_destroy(&r.freed);
    pthread_mutex_destroy(&r.turn);
    pthread_mutex_destroy(&r.reading);
    xfree(r.worked_on);
    return r.ok;
}
