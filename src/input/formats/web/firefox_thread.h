/*
 * One thread of a Firefox profile: its samples and allocations, with the
 * stacks of its tables.
 *
 * Every stack gets two first frames, process and thread (input/build/owners.h).
 */
#ifndef INPUT_FORMATS_WEB_FIREFOX_THREAD_H
#define INPUT_FORMATS_WEB_FIREFOX_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "input/build/builder.h"
#include "input/parse/json.h"

/* What a thread has from the profile that it is in. */
struct firefox_process {
    const struct json_value *shared; /* tables of all threads; or NULL */
    const struct json_value *libs;   /* or NULL */
    uint64_t start;                  /* nanoseconds; times of samples count from it */
};

/* False where told. */
bool firefox_thread_read(struct builder *b, const struct firefox_process *process,
                         const struct json_value *thread);

#endif
