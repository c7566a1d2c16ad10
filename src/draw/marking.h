/*
 * Finds the functions that pictures point out (--mark), and warns of marks without an effect.
 */
#ifndef DRAW_MARKING_H
#define DRAW_MARKING_H

#include "base/arena.h"
#include "base/diag.h"
#include "output/picture.h"
#include "prepare/recipe.h"

/*
 * Returns a note for each mark of the recipe, in `memory`; NULL if there is none. Warns of a
 * pattern that takes too much work; it then matches nothing.
 */
const struct picture_note *marking_make(const struct recipe *r, const struct profile *p,
                                        struct arena *memory, struct diag *diag);

/* Warns of marks that point at nothing in the picture. */
void marking_warn(const struct recipe *r, const struct picture *p, struct diag *diag);

#endif
