/*
 * A stream whose pieces one thread reads ahead while the caller takes them.
 *
 * Unlike the lanes of base/pipeline.h, each thread keeps to one side, so that the memory that a
 * side works on stays in the cache of its processor. Pieces are taken in the order in which they
 * were read; the result does not depend on whether there is a second thread.
 */
#ifndef INPUT_CORE_READAHEAD_H
#define INPUT_CORE_READAHEAD_H

#include <stdbool.h>
#include <stddef.h>

/* Each piece is held in a slot. Slots are memory of the caller and are used in turn. */
struct readahead {
    void *context;
    void **slots;
    size_t slot_count; /* at least 1 */
    /* Fills the next slot. Returns false if there is nothing more; it is not called again then. */
    bool (*read)(void *context, void *slot);
    /* Returns false after reporting an error; no piece is taken then, and reading ends soon. */
    bool (*take)(void *context, void *slot);
};

/*
 * Returns false if take() did. With `threads` below 2, and if the system gives no thread, the
 * caller's thread does both. The reading thread works on the budget of the caller.
 */
bool readahead_run(const struct readahead *a, unsigned threads);

#endif
