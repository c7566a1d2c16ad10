/*
 * The weights at the end of a line of folded stacks.
 */
#ifndef INPUT_FORMATS_FOLDED_FOLDED_WEIGHT_H
#define INPUT_FORMATS_FOLDED_FOLDED_WEIGHT_H

#include <stdbool.h>

#include "base/num.h"
#include "base/slice.h"

enum folded_weight {
    FOLDED_WEIGHT_OK,
    FOLDED_WEIGHT_MISSING, /* the last word is no number, or the only one */
    FOLDED_WEIGHT_TOO_LARGE,
};

/* Without blanks at its end, as the others want a line. */
struct slice folded_weight_trim(struct slice line);

/* The last blank-separated word. */
struct slice folded_weight_word(struct slice line);

/* Cuts the weight, and the one blank before it, off the end of a line. */
enum folded_weight folded_weight_cut(struct slice *line, struct decimal *weight);

/* The same for the first of two weights; false, taking nothing, where there is only one. */
bool folded_weight_cut_base(struct slice *line, struct decimal *weight);

/* Whether a line, which is not empty, is a comment. */
bool folded_weight_is_comment(struct slice line);

#endif
