#include <stdatomic.h>

#include "base/pool.h"
#include "unit/support/test.h"

enum { JOBS = 5000 };

struct work {
    unsigned char done[JOBS];
    atomic_uint highest_worker;
};

static void job(void *context, size_t index, unsigned worker)
{
    struct work *w = context;

    w->done[index]++;
    if (worker > atomic_load(&w->highest_worker))
        atomic_store(&w->highest_worker, worker);
}

Test(base_pool, each_job_runs_once)
{
    const unsigned threads[] = {0, 1, 2, 7};

    for (size_t t = 0; t < sizeof(threads) / sizeof(*threads); t++) {
        static struct work w;

        memset(&w, 0, sizeof(w));
        pool_run(threads[t], JOBS, job, &w);
        for (size_t i = 0; i < JOBS; i++)
            cr_assert_eq(w.done[i], 1, "%u threads, job %zu", threads[t], i);
        cr_expect_lt(atomic_load(&w.highest_worker), threads[t] ? threads[t] : 1);
    }
    pool_run(4, 0, job, NULL);
    cr_expect_geq(pool_default_threads(), 1);
}
