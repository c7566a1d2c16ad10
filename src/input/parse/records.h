/*
 * Records known by their text: tools that print again and again write the
 * same stacks, and what was understood once need not be parsed.
 *
 * Where records do not come again, none are kept any more.
 *
 * A text is that of all lines of a record but its weight. What a record does
 * besides adding to a stack (messages, the ledger) must not be needed again.
 */
#ifndef INPUT_PARSE_RECORDS_H
#define INPUT_PARSE_RECORDS_H

#include "base/intern.h"

/* Where the weight of such a record goes. */
struct record {
    uint32_t series, stack;
};

struct records {
    struct intern texts;
    VEC(struct record) items; /* by text */
    size_t bytes;             /* of the texts, which are few enough to be kept */
    int32_t patience;         /* less with a text that is new, more with one that is not */
};

void records_init(struct records *r);
void records_release(struct records *r);
/* Forgets them all: what lines mean has changed. */
void records_clear(struct records *r);

/* The record with this text, or NULL; valid until the next call of records_add(). */
const struct record *records_find(struct records *r, struct slice text);
void records_add(struct records *r, struct slice text, struct record record);

#endif
