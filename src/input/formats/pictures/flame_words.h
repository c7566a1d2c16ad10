/*
 * The words in flamepress's own pictures that say what a graph measures
 * (output/graph_words.h).
 */
#ifndef INPUT_FORMATS_PICTURES_FLAME_WORDS_H
#define INPUT_FORMATS_PICTURES_FLAME_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "profile/profile.h"

enum { FLAME_NOW, FLAME_BEFORE, FLAME_SIDES };

/* The facts of the graph, or of its base. Slices are the profile's. */
struct flame_side {
    struct slice name, event, unit, records;
    int exponent;     /* of a unit of time that has no word of its own; else 0 */
    uint64_t samples; /* 0 if unknown */
    unsigned __int128 squares;
    bool rough;
};

struct flame_words {
    struct flame_side sides[FLAME_SIDES];
    unsigned decimals;
    uint64_t each; /* weights in the file are multiplied by this number */
    bool differential;
    uint8_t pair; /* enum pair_kind */
    bool exact, from_leaf, by_time;
    uint64_t marks;   /* bits 1 << class: classes that folded stacks have without any option */
    uint64_t origins; /* the last bytes of the file, which say where functions are from */
    struct slice kind, estimated;
};

/* Reads the words. Returns false after reporting that this program does not understand them. */
bool flame_words_read(struct flame_words *w, struct slice text, struct profile *p,
                      struct diag *diag);

/*
 * Adds the series of the graph, called `title` if that is not empty, and fills `series`
 * (SERIES_NONE for the base of a graph without one). Names that exist get a number.
 */
void flame_words_add_series(const struct flame_words *w, struct slice title, struct profile *p,
                            uint32_t series[FLAME_SIDES]);

/* States the numbers of samples after all weights were added. */
void flame_words_end(const struct flame_words *w, struct profile *p,
                     const uint32_t series[FLAME_SIDES]);

#endif
