/*
 * What looks like folded stacks by its semicolons and numbers and is none:
 * source code, markup and JSON on long lines, tables of names, numberings.
 */
#ifndef INPUT_FORMATS_FOLDED_FOLDED_DOUBT_H
#define INPUT_FORMATS_FOLDED_FOLDED_DOUBT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/slice.h"

/*
 * Whether the start of an endless line is rather a program or JSON than a deep
 * stack: a first frame, or a quarter of all, with halves of quotes and
 * brackets, an entity of HTML at its end, or a blank in front.
 */
bool folded_doubt_start(struct slice stack);

/* Whether the number behind this stands in a comment: "x; // A 12", "x; -- 12", "x # 12". */
bool folded_doubt_comment(struct slice stack);

/* Lines of one name and a number each. */
struct folded_doubt {
    struct intern names;
    size_t lines, repeated; /* names that were there before: stacks are added up */
    size_t rising;          /* numbers one above that of the line before */
    uint64_t last;
};

void folded_doubt_init(struct folded_doubt *d);
void folded_doubt_release(struct folded_doubt *d);
void folded_doubt_add(struct folded_doubt *d, struct slice name, uint64_t number);
/* Whether they are rather a table or a log than a profile. */
bool folded_doubt_lines(const struct folded_doubt *d);

#endif
