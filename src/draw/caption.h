/*
 * What a picture says of how it was made: how its stacks are merged and where its root is, and
 * which part of the input it is of. A reader who has nothing but the picture is to know.
 */
#ifndef DRAW_CAPTION_H
#define DRAW_CAPTION_H

#include <stdbool.h>

#include "base/buf.h"
#include "draw/look.h"
#include "prepare/recipe.h"
#include "profile/profile.h"

/* Between the things that are said. */
#define CAPTION_BETWEEN ", "

/*
 * "merged from the leaves, root at the top"; nothing for an ordinary flame graph. What the title
 * says is not said again.
 */
void caption_write_view(const struct look *look, const struct recipe *recipe, struct slice title,
                        struct buf *out);

/* "by module, from second 3 to 5, process mysqld, 3 profiles merged"; nothing for all of it. */
void caption_write_part(const struct recipe *recipe, const struct profile *p, struct slice title,
                        struct buf *out);

/* "Icicle graph", "Differential flame graph". */
void caption_write_form(const struct look *look, const struct recipe *recipe, bool differential,
                        struct buf *out);

#endif
