/*
 * Writes the caption of a picture: how its stacks are merged, where its root is, and which part of
 * the input it shows. A reader may have nothing but the picture.
 */
#ifndef DRAW_CAPTION_H
#define DRAW_CAPTION_H

#include <stdbool.h>

#include "base/buf.h"
#include "draw/look.h"
#include "prepare/recipe.h"
#include "profile/profile.h"

/* Separates the parts of a caption. */
#define CAPTION_BETWEEN ", "

/*
 * Appends how stacks are merged: "merged from the leaves, root at the top"; nothing for an ordinary
 * flame graph. Omits what `title` already says.
 */
void caption_write_view(const struct look *look, const struct recipe *recipe, struct slice title,
                        struct buf *out);

/*
 * Appends which part of the input a series shows: "by module, from 3 s to 5 s, process mysqld, 3
 * profiles merged", and how much of time off the CPU was preempted; nothing for the whole of one
 * input. Omits what `title` already says.
 */
void caption_write_part(const struct recipe *recipe, const struct profile *p, uint32_t series,
                        struct slice title, struct buf *out);

/*
 * Appends what was recorded, where and when: the input's name, its host, its date and the command,
 * as far as the input has them.
 */
void caption_write_origin(const struct profile *p, struct slice source, struct buf *out);

/* Appends the form of the picture: "Icicle graph", "Differential flame graph". */
void caption_write_form(const struct look *look, const struct recipe *recipe, bool differential,
                        struct buf *out);

#endif
