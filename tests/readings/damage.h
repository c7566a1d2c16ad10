/*
 * Damages a file in one place, as transfers, editors and other versions of a profiler do.
 *
 * The damage depends on its kind, its number and the bytes only.
 */
#ifndef READINGS_DAMAGE_H
#define READINGS_DAMAGE_H

#include "base/buf.h"

enum damage {
    DAMAGE_CUT,     /* the end is missing */
    DAMAGE_MISSING, /* a line is missing */
    DAMAGE_TWICE,   /* a line is there twice */
    DAMAGE_SWAPPED, /* a line and the next one are swapped */
    DAMAGE_NUMBER,  /* a number is another one, or none */
    DAMAGE_WORD,    /* a word is another one, or missing */
    DAMAGE_SIGN,    /* a punctuation character or blank is missing, or there twice */
    DAMAGE_BYTE,    /* a byte has another value */
    DAMAGES
};

/* Returns the name of a kind. */
const char *damage_name(enum damage kind);

/* Appends the bytes with damage `number` of a kind; as they are if they have no such place. */
void damage_write(struct slice bytes, enum damage kind, unsigned number, struct buf *out);

#endif
