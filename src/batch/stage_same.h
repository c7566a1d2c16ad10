/*
 * Leaves an earlier report in place if the new one would be the same.
 *
 * As long as every file of a stage has the bytes that the earlier report's has, nothing is
 * written or linked. If that is so to the end, the stage is dropped, which spares the file system a
 * link and a removal for each file. With the first file that differs, those before it are linked
 * (batch/stage_link.h), and all goes on as if they had been linked at once.
 */
#ifndef BATCH_STAGE_SAME_H
#define BATCH_STAGE_SAME_H

#include <sys/stat.h>

#include "batch/stage.h"

/* Returns true if no file differs so far. */
bool stage_same_holds(struct stage *s);

/*
 * Notes that the earlier report has the file at `path` with the right bytes, with the state that it
 * had before it was read. Returns false, with nothing done, once a file differs.
 */
bool stage_same_keep(struct stage *s, const char *path, const struct stat *st);

/*
 * Ends this, at the first file that differs: links what was noted, if no other thread does so. Any
 * thread may call it.
 */
void stage_same_end(struct stage *s);

/* As stage_same_end(), and returns when all is linked. */
void stage_same_settle(struct stage *s);

/* Returns true if the report at the place is the one that was made, and nobody has changed it. */
bool stage_same_is_made(struct stage *s);

#endif
