/*
 * The two sides of pairs, for formats in which a base and its new series are separate.
 */
#ifndef CONVERT_SIDES_H
#define CONVERT_SIDES_H

#include <stdint.h>

#include "base/vec.h"
#include "convert/writer.h"

/* A conversion whose pairs are two series each, the base first. */
struct sides {
    struct conversion conversion;
    VEC(uint32_t) ids; /* its series */
};

/* Takes the pairs of `c` apart. Release `ids` with vec_release(). */
void sides_init(struct sides *s, const struct conversion *c);

#endif
