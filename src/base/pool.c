#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/budget.h"
#include "base/die.h"

struct loop {
    atomic_size_t next;
    size_t count;
    pool_job_fn *job;
    void *context;
    struct budget *budget; /* the caller's */
};

struct worker {
    struct loop *loop;
    unsigned number;
    pthread_t thread;
};

unsigned pool_default_threads(void)
{
    cpu_set_t set;
    int count;

    if (sched_getaffinity(0, sizeof(set), &set) != 0)
        return 1;
    count = CPU_COUNT(&set);
    return count > 0 ? (unsigned)count : 1;
}

static void *work(void *argument)
{
    struct worker *w = argument;
    struct budget *before = budget_enter(w->loop->budget);

    for (;;) {
        size_t index = atomic_fetch_add(&w->loop->next, 1);

        if (index >= w->loop->count)
            break;
        w->loop->job(w->loop->context, index, w->number);
    }
    budget_leave(before);
    return NULL;
}

void pool_run(unsigned threads, size_t count, pool_job_fn *job, void *context)
{
    struct loop loop = {0, count, job, context, budget_current};
    struct worker *workers;
    unsigned started = 1;

    if (threads > count)
        threads = (unsigned)count;
    if (threads < 1)
        threads = 1;
    workers = xcalloc(threads, sizeof(*workers));
    workers[0].loop = &loop;
    for (; started < threads; started++) {
        workers[started].loop = &loop;
        workers[started].number = started;
        /* If the system gives fewer threads, these do all the work. */
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started]) != 0)
            break;
    }
    work(&workers[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    xfree(workers);
}
