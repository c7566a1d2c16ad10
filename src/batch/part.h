/*
 * A part of a report: the graphs of one share of its inputs, made on any machine.
 *
 * The groups of inputs (batch/grouping.h) are divided by the sizes of their files, so
 * that all machines which see the same files agree on the shares, and the runs of one
 * service are in one part. The directory of a part has the files of its graphs, and
 * PART_NAME, which describes them: it has a record (batch/reuse.h) of every group of the
 * share. batch/stitch.h makes the report from these records.
 *
 * PART_NAME also has what all parts of a report must agree on: the program, the names
 * and sizes of all inputs, the options and the settings. A digest ends it.
 */
#ifndef BATCH_PART_H
#define BATCH_PART_H

#include <stdbool.h>

#include "base/blake.h"
#include "base/diag.h"
#include "base/vec.h"
#include "batch/batch.h"

#define PART_NAME ".flamepress.part"

enum { PARTS_MOST = 100000 };

/* Parts are numbered from 1. */
struct part_number {
    unsigned number, count;
};

struct part_words VEC_OF(const char *);

/* How the groups of a batch are divided. */
struct part_plan {
    unsigned *part;                   /* by group, below the number of parts */
    unsigned char inputs[BLAKE_SIZE]; /* digest of the names and sizes of all inputs */
};

/* The start of PART_NAME. The texts are borrowed. */
struct part_head {
    struct slice program, build; /* version and build id */
    struct part_number id;
    struct slice inputs, setting; /* digests */
    struct part_words words, paths;
    bool embedded; /* no text needed a font of the system */
    struct fonts_chars missing;
};

struct part {
    struct part_number id;
    const struct part_words *words, *paths; /* options and operands of the command */
    struct part_plan plan;                  /* part_begin() makes it */
};

/* Reads "3/20" with '/', or the name of a part's directory, "3-of-20", with "-of-". */
bool part_number_read(struct slice text, const char *between, struct part_number *out);

void part_plan_init(struct part_plan *plan, const struct batch *b, unsigned parts);
void part_plan_release(struct part_plan *plan);

/* Prepares `p` for the groups of a batch, before its threads start. */
void part_begin(struct part *p, const struct batch *b);

/* True if the group belongs to the part. */
bool part_has(const struct part *p, size_t group);

/* Writes PART_NAME to the stage, after all groups of the part and before reuse_write(). */
void part_write(const struct part *p, struct batch *b);

void part_release(struct part *p);

/*
 * Reads the start of PART_NAME and moves `*in` to its records. Returns false if the bytes are not
 * those that were written. The words are copied to `memory`. Release `head` in both cases.
 */
bool part_head_read(struct slice *in, struct arena *memory, struct part_head *head);
void part_head_release(struct part_head *head);

/* Sets what this program writes into the heads of its parts. */
void part_head_set_program(struct part_head *head, struct arena *memory);

/* A group of a part. */
struct part_record {
    size_t group;
    bool lasting; /* as in struct reuse */
    struct slice record;
};

/* Reads the next record. Returns false at the end. */
bool part_record_read(struct slice *in, struct part_record *out);

#endif
