/*
 * Lists the files and directories in which fontconfig looks for fonts, without
 * starting it, which takes longer than drawing most pictures.
 *
 * The list has the usual places, those of the environment, and the directories that
 * the main settings files name. Other settings of fontconfig can name more;
 * fonts there need --font-dir or --no-sandbox.
 */
#ifndef CLI_FONT_PLACES_H
#define CLI_FONT_PLACES_H

#include "base/arena.h"
#include "options/options.h"

/* Appends the places, which need not exist; `memory` owns new paths. */
void font_places_add(struct strings *places, struct arena *memory);

#endif
