/*
 * Functions that the user points out: an outline around each of their frames, and a note.
 *
 * Notes are above the frames, in rows of their own. A line leads from a note to the widest of its
 * frames, where it crosses the fewest others. Notes do not cover each other, nor a frame. If a line
 * would meet a note, the note has another row; among very many notes it passes behind one. The
 * browser places notes by the same rules (templates/flame_note.js).
 */
#ifndef OUTPUT_NOTES_H
#define OUTPUT_NOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

struct picture;
struct box;

struct picture_note {
    const bool *hit;   /* by symbol id */
    struct slice text; /* empty for outlines alone */
};

/*
 * Places the notes, once the picture's geometry says where boxes are. Returns the height that they
 * need above the frames, in CSS pixels; 0 without notes.
 */
uint32_t notes_place(struct picture *p);

/* Adds outlines and lines, once the picture has its boxes. */
void notes_add(struct picture *p);

/* Whether a note has a frame in the picture. */
bool notes_are_seen(const struct picture *p, const struct picture_note *note);

#endif
