/*
 * Presets: the values that several options have for one purpose.
 *
 * An option of the command line takes precedence over the preset, and the preset over the settings.
 */
#ifndef OPTIONS_PRESET_H
#define OPTIONS_PRESET_H

#include "options/options.h"

/* Sets the options of o->preset that the command line has not set, and marks them as given. */
void options_apply_preset(struct options *o);

#endif
