#include "input/core/readahead.h"

#include <pthread.h>

#include "base/budget.h"

struct run {
    const struct readahead *of;
    struct budget *budget; /* the caller's */
    pthread_mutex_t lock;  /* guards the members below */
    pthread_cond_t changed;
    size_t filled; /* slots that wait to be taken */
    bool ended;    /* nothing more will be read */
    bool stopped;  /* nothing more will be taken */
};

/* Waits for a free slot. Returns false if no piece will be taken any more. */
static bool wait_for_slot(struct run *r)
{
    bool go_on;

    pthread_mutex_lock(&r->lock);
    while (r->filled == r->of->slot_count && !r->stopped)
        pthread_cond_wait(&r->changed, &r->lock);
    go_on = !r->stopped;
    pthread_mutex_unlock(&r->lock);
    return go_on;
}

static void *read_pieces(void *argument)
{
    struct run *r = argument;
    struct budget *before = budget_enter(r->budget);
    bool more = true;

    for (size_t i = 0; more; i = (i + 1) % r->of->slot_count) {
        more = wait_for_slot(r) && r->of->read(r->of->context, r->of->slots[i]);
        pthread_mutex_lock(&r->lock);
        r->filled += more;
        r->ended = !more;
        pthread_cond_signal(&r->changed);
        pthread_mutex_unlock(&r->lock);
    }
    budget_leave(before);
    return NULL;
}

/* Waits for a piece. Returns false at the end. */
static bool wait_for_piece(struct run *r)
{
    bool any;

    pthread_mutex_lock(&r->lock);
    while (!r->filled && !r->ended)
        pthread_cond_wait(&r->changed, &r->lock);
    any = r->filled > 0;
    pthread_mutex_unlock(&r->lock);
    return any;
}

static bool take_pieces(struct run *r)
{
    bool ok = true;

    for (size_t i = 0; ok && wait_for_piece(r); i = (i + 1) % r->of->slot_count) {
        ok = r->of->take(r->of->context, r->of->slots[i]);
        pthread_mutex_lock(&r->lock);
        r->filled--;
        r->stopped = !ok;
        pthread_cond_signal(&r->changed);
        pthread_mutex_unlock(&r->lock);
    }
    return ok;
}

static bool run_alone(const struct readahead *a)
{
    bool ok = true;

    while (ok && a->read(a->context, a->slots[0]))
        ok = a->take(a->context, a->slots[0]);
    return ok;
}

bool readahead_run(const struct readahead *a, unsigned threads)
{
    struct run r = {.of = a, .budget = budget_current};
    pthread_t reader;
    bool ok;

    if (threads < 2)
        return run_alone(a);
    pthread_mutex_init(&r.lock, NULL);
    pthread_cond_init(&r.changed, NULL);
    if (pthread_create(&reader, NULL, read_pieces, &r) == 0) {
        ok = take_pieces(&r);
        pthread_join(reader, NULL);
    } else {
        ok = run_alone(a);
    }
    pthread_cond_destroy(&r.changed);
    pthread_mutex_destroy(&r.lock);
    return ok;
}
