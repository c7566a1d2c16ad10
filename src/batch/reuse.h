/*
 * Takes over from the earlier report what has not changed.
 *
 * The file REUSE_NAME of a report has a record for each group of inputs
 * (batch/grouping.h): what the report says of its graphs, the messages about its
 * inputs, and the digests of its files. The record's key is a digest of everything
 * that these depend on: the bytes of the inputs and of the files beside them, their
 * names in the report, the options, the settings and the program. A group whose key
 * is in the earlier report is neither read nor drawn; its files are taken over after
 * their digests have been compared. The report is the same, byte for byte, as one
 * made from nothing.
 *
 * A record also has the states of the files that readers looked for beside the inputs, such as the
 * binaries of a recording (batch/reuse_dependencies.h); it holds only as long as they are the same.
 *
 * Damaged records and files are not taken over. A group has no record if it has
 * errors, if its inputs are not regular files or changed during the run, or if a debuginfod server
 * was asked for files. No group has a record if a text needed a font of the system.
 */
#ifndef BATCH_REUSE_H
#define BATCH_REUSE_H

#include <stdbool.h>

#include "base/blake.h"
#include "batch/batch.h"
#include "batch/spill.h"
#include "input/core/dependencies.h"
#include "output/pack.h"

#define REUSE_NAME ".flamepress.reuse"

/* Digests of everything that a group's results depend on, and of the state of its files. */
struct reuse_key {
    unsigned char digest[BLAKE_SIZE], state[BLAKE_SIZE];
    bool known;
};

/* The record of a group; empty if there is none. */
struct reuse_made {
    struct slice taken;     /* borrowed from the earlier report or a part */
    struct spilled spilled; /* of a group that was drawn */
};

struct reuse {
    const char *place;                 /* of the earlier report; NULL to take nothing */
    unsigned char setting[BLAKE_SIZE]; /* digest of the options and of the program */
    struct buf earlier;                /* the file of the earlier report */
    VEC(struct slice) records;         /* in it, by key: each with its key, without its length */
    struct dependencies_memo memo;     /* of what is beside the inputs */
    struct slice *stems;               /* the names of all groups, sorted */
    struct reuse_made *made;           /* by group */
    struct spill spill;                /* of `made` */
    struct pack_opener opener;         /* of records */
    bool *lasting;                     /* by group: a later report may take the record over */
    size_t count;
    bool all;   /* make a record of every group, whatever it depends on (batch/part.h) */
    bool keeps; /* write REUSE_NAME */
};

/* Reads the earlier report at `place`. Different options must have different texts `options`. */
void reuse_open(struct reuse *r, const char *place, struct slice options);
void reuse_release(struct reuse *r);

/* Prepares for the groups of a batch, before its threads start. */
void reuse_begin(struct reuse *r, const struct batch *b);

void reuse_find_key(const struct reuse *r, const struct batch *b, size_t group,
                    struct reuse_key *key);

/* Takes a group over. Returns false, with nothing done, if it must be read and drawn. */
bool reuse_take(struct reuse *r, struct batch *b, size_t group, const struct reuse_key *key);

/*
 * Takes a group over from a record whose files are in the directory `from`. Returns false, with
 * nothing done, if the record or a file is not what was written.
 */
bool reuse_restore(struct reuse *r, struct batch *b, size_t group, struct slice record,
                   const char *from);

/* Makes the record of a group that has been drawn. */
void reuse_keep(struct reuse *r, const struct batch *b, size_t group, const struct reuse_key *key);

/* Appends the record of a group, which may be empty. Returns false if it cannot be read. */
bool reuse_read_record(const struct reuse *r, size_t group, struct buf *out);

/* Writes the records to the stage, and releases them. */
void reuse_write(struct reuse *r, struct batch *b);

#endif
