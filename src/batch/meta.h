/*
 * What a file beside a profile says about the run: FILE.meta.yml.
 *
 *     commit: 3f0c1e2
 *     requests: 125000
 *     duration: 29.8          # seconds
 *     note: after the upgrade of the database
 *
 * It adds to what the profile says of itself, and corrects that. Keys: commit, build, requests,
 * note, host, kernel, cpu, command, date, period, duration and lost. Anything else is an error with
 * line and column, and then nothing of the file is used: the profile is read without it.
 */
#ifndef BATCH_META_H
#define BATCH_META_H

#include <stdbool.h>

#include "base/diag.h"
#include "profile/profile.h"

/* The ending of such a file. */
#define META_ENDING ".meta.yml"

/*
 * Reads `path`, which may be NULL, and changes the facts of the profile; of each of its runs if it
 * consists of runs. Returns false after reporting to `diag`, which is about `path`, that the file
 * cannot be read or is wrong; the profile is then unchanged.
 */
bool meta_apply(const char *path, struct profile *p, struct diag *diag);

#endif
