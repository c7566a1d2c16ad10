/*
 * Finds the valid word most similar to a misspelt one: "did you mean ...?".
 */
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

#include <stddef.h>

#include "base/buf.h"

struct suggest {
    const char *word; /* what the user wrote */
    char best[64];    /* the most similar word so far, or "" */
    size_t distance;  /* of `best`, in edits */
};

void suggest_init(struct suggest *s, const char *word);

/* Compares one valid word. */
void suggest_offer(struct suggest *s, const char *candidate);
/* Compares each word of a list separated by blanks. */
void suggest_offer_list(struct suggest *s, const char *candidates);

/*
 * Appends "; did you mean PREFIXword?" if a word is similar: within a third of
 * its length in edits (restricted Damerau-Levenshtein), or begins with `word`.
 */
void suggest_write(const struct suggest *s, const char *prefix, struct buf *out);

#endif
