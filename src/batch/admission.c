#include "batch/admission.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/die.h"
#include "base/file.h"

/* Returns the bytes that reading may take: half of the memory, since drawing also takes some. */
static uint64_t find_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t memory = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
    struct rlimit limit;

    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < memory)
        memory = limit.rlim_cur;
    return memory / 2;
}

/*
 * What an input leaves to the C library's allocator is lost to the next one, which may run in
 * another thread, and so with another arena.
 */
static void return_freed_memory(void)
{
    enum { LARGE = 256 * 1024 };

    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, LARGE);
    mallopt(M_TRIM_THRESHOLD, LARGE);
}

void admission_init(struct admission *g, unsigned threads, uint64_t most)
{
    pthread_rwlockattr_t how;

    /* Else an input that must be alone would wait for all others. */
    pthread_rwlockattr_init(&how);
    pthread_rwlockattr_setkind_np(&how, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&g->lock, &how);
    pthread_rwlockattr_destroy(&how);
    g->share = threads > 1 ? find_memory() / threads : UINT64_MAX;
    if (g->share < most)
        return_freed_memory();
}

void admission_release(struct admission *g)
{
    pthread_rwlock_destroy(&g->lock);
}

/* Waits until an input may be read: beside others, or alone. Afterwards call admission_leave(). */
static void admission_enter(struct admission *g, bool alone)
{
    if (alone)
        pthread_rwlock_wrlock(&g->lock);
    else
        pthread_rwlock_rdlock(&g->lock);
}

void admission_leave(struct admission *g)
{
    pthread_rwlock_unlock(&g->lock);
}

enum input_result admission_read(struct admission *g, const struct admission_input *in,
                                 struct profile *p, struct diag *diag)
{
    struct input_options options = *in->reading;
    uint64_t most = options.limits.max_memory;
    /* A pipe cannot be read again. */
    bool alone = g->share < most && file_kind(in->path) != FILE_REGULAR;

    for (;; alone = true) {
        enum input_result result;

        admission_enter(g, alone);
        options.limits.max_memory = alone || g->share > most ? most : g->share;
        result = input_read(in->path, &options, in->threads, p, diag);
        if (result != INPUT_LARGE || options.limits.max_memory == most)
            return result;
        admission_leave(g);
        profile_release(p);
        profile_init(p);
        diag_release(diag);
        diag_init(diag, slice_str(in->shown));
    }
}
