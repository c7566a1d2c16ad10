/*
 * The classic palette: red to yellow, by name alone.
 */
#ifndef LAYOUT_PALETTE_HOT_H
#define LAYOUT_PALETTE_HOT_H

#include "layout/palette.h"

extern const struct palette palette_hot;

#endif
