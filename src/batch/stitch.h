/*
 * Makes the report of all parts (batch/part.h): byte for byte that of one machine.
 *
 * Nothing is read or drawn again: the graphs of each group are taken from the part that the group
 * belongs to, if the digests of its files are as recorded. A part that is missing or damaged leaves
 * an error at each of its inputs; the report has the graphs of the others. Parts that do not belong
 * together are refused: those of another version, of other inputs or of other options.
 */
#ifndef BATCH_STITCH_H
#define BATCH_STITCH_H

#include <stdbool.h>

#include "base/diag.h"
#include "batch/part.h"

struct stitch_part {
    const char *directory; /* NULL if the part is missing */
    const char *trouble;   /* "missing", "damaged", or NULL */
    struct buf bytes;      /* of PART_NAME */
    struct part_head head;
    struct slice records; /* in `bytes` */
};

struct stitch {
    struct arena memory;
    unsigned count;                  /* of parts, missing ones included */
    struct stitch_part *parts;       /* by number, from 0 */
    const struct stitch_part *first; /* the first that can be used */
    struct part_plan plan;
    struct part_record *records; /* by group */
    bool refused;                /* the parts are of other inputs or settings */
};

/*
 * Reads the parts in `directory`. Returns false after reporting that there are none, or that they
 * do not belong together or to this program; call stitch_close() then, too.
 */
bool stitch_open(struct stitch *s, const char *directory, struct diag *diag);
void stitch_close(struct stitch *s);

/* Finds the records of a batch's groups, before its threads start; or sets s->refused. */
void stitch_begin(struct stitch *s, const struct batch *b);

/* Takes a group from its part, or leaves an error at its inputs. */
void stitch_take(const struct stitch *s, struct batch *b, size_t group);

/* Reports the parts that are missing or damaged. Returns their number. */
unsigned stitch_report_troubles(const struct stitch *s, struct diag *diag);

#endif
