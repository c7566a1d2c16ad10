/*
 * The frames of folded stacks by their raw bytes: a small number for each.
 *
 * Numbers count up from 0 in the order in which texts are met. A text is
 * looked up for each of the tens of millions of frames of a large file. Most
 * are short and no two in a row have the same length, so the end, the hash and
 * the comparison of a short one take the same steps whatever its length.
 */
#ifndef INPUT_FORMATS_FOLDED_FOLDED_NAMES_H
#define INPUT_FORMATS_FOLDED_FOLDED_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

enum {
    FOLDED_START = 32,           /* bytes of a frame that are handled at once */
    FOLDED_SLACK = FOLDED_START, /* readable bytes that must follow a text */
};

struct folded_name {
    uint64_t start[FOLDED_START / 8]; /* the first bytes as words, zeroes behind the end */
    const char *rest;                 /* what is behind those */
    size_t len;                       /* of all */
};

struct folded_names {
    struct arena rests;
    VEC(struct folded_name) items;
    uint64_t *slots; /* upper half of the hash, number + 1; 0 where free */
    size_t mask;
    uint64_t key; /* of the hashes in `slots` */
};

void folded_names_init(struct folded_names *n);
void folded_names_release(struct folded_names *n);

/* The number of the frame at `*at`, which then is its end: the next ';', or `end`. */
uint32_t folded_names_next(struct folded_names *n, const char **at, const char *end);

#endif
