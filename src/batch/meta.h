/*
 * Meta files: FILE.meta.yml beside a profile describes its run.
 *
 *     commit: 3f0c1e2
 *     requests: 125000
 *     duration: 29.8          # seconds
 *     note: after the upgrade of the database
 *
 * A meta file adds facts to those in the profile, or replaces them. Keys: commit, build, requests,
 * note, host, kernel, cpu, command, date, period, duration and lost. Anything else is an error with
 * line and column; the whole file is then ignored.
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
