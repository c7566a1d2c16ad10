/*
 * "Did you mean": the nearest of a list of words.
 */
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

#include <stddef.h>

#include "base/buf.h"

struct suggest {
    const char *word; /* what the user wrote */
    char best[64];    /* nearest so far, "" for none */
    size_t distance;
};

void suggest_init(struct suggest *s, const char *word);

/* Offers one valid word. */
void suggest_offer(struct suggest *s, const char *candidate);
/* Offers each of a list separated by blanks. */
void suggest_offer_list(struct suggest *s, const char *candidates);

/*
 * Appends "; did you mean PREFIXword?" where one is near: within a third of
 * its length in edits (Damerau-Levenshtein, restricted), or beginning alike.
 */
void suggest_write(const struct suggest *s, const char *prefix, struct buf *out);

#endif
