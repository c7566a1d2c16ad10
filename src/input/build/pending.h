/*
 * Pending samples: kept until the end of an input whose names come after its samples.
 *
 * A key is all that a reader needs of a sample, except for its time, in bytes of the reader's own
 * layout. Samples of one key are counted, so that memory grows with distinct keys, not with
 * samples. If the profile keeps timed samples, it keeps each sample, so each one is kept here, too.
 *
 *     pending_add(&pending, profile, key, ns);        // for each sample of the file
 *     pending_each(&pending, profile, add, reader);    // calls add() as often, with these keys
 *
 * A zeroed struct is empty and ready for use.
 */
#ifndef INPUT_BUILD_PENDING_H
#define INPUT_BUILD_PENDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "profile/profile.h"

/* The samples of a key. */
struct pending_samples {
    uint64_t count, first_ns, last_ns;
};

struct pending_timed {
    uint64_t ns;
    uint32_t key;
};

struct pending {
    struct intern keys;
    VEC(struct pending_samples) samples; /* by key */
    VEC(struct pending_timed) timed;     /* in the order of the file, if the profile keeps them */
};

void pending_release(struct pending *h);

void pending_add(struct pending *h, const struct profile *p, struct slice key, uint64_t ns);

/*
 * Calls `add` once for each sample, with its key. With timed samples the samples come in the order
 * of the file, each with its time. Else they are ordered by the first sample of their key, and of
 * the samples of a key the first one has the earliest time and the others the latest one. Returns
 * false as soon as `add` does.
 */
bool pending_each(const struct pending *h, const struct profile *p,
                  bool (*add)(void *reader, struct slice key, uint64_t ns), void *reader);

#endif
