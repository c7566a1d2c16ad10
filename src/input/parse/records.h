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

#endif
