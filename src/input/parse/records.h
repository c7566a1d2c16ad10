/*
 * Records known by their text: tools that print repeatedly write the same stacks, and a
 * record that was parsed once need not be parsed again.
 *
 * If records do not repeat, no more are kept.
 *
 * The text of a record is all of its lines without the weight. A record may only add to a
 * stack: its other effects (messages, the ledger) are not repeated.
 */
#ifndef INPUT_PARSE_RECORDS_H
#define INPUT_PARSE_RECORDS_H

#include "base/intern.h"
#include "input/core/text.h"

/* The target of a record's weight. */
struct record {
    uint32_t series, stack;
};

struct records {
    struct intern texts;
    VEC(struct record) items; /* by text */
    size_t bytes;             /* of the texts, which are few enough to be kept */
    int32_t new;              /* texts that were new, less those that were not */
};

void records_release(struct records *r);
/* Forgets them all: what lines mean has changed. */
void records_clear(struct records *r);

/* The record with this text, or NULL; valid until the next call of records_add(). */
const struct record *records_find(struct records *r, struct slice text);
void records_add(struct records *r, struct slice text, struct record record);

/* How a reader of lines reads records that it may know. Both callbacks get its state. */
struct records_reader {
    /*
     * If a record whose text is known begins at `*p`, adds its weight, moves `*p` to its end,
     * and returns true; after reporting an error, also sets `*ok` to false. Else returns false.
     */
    bool (*known)(struct text *t, void *state, const char **p, const char *end, bool *ok);
    bool (*line)(struct text *t, void *state, struct slice line); /* any other line */
};

/* Reads a block of whole lines. Returns false after reporting an error. */
bool records_read(const struct records_reader *reader, struct text *t, void *state,
                  struct slice block);

#endif
