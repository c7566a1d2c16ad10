/*
 * Makes from the options what drawing needs: the look, the fonts, and the files of
 * colours and attributes.
 */
#ifndef CLI_LOOK_MAKE_H
#define CLI_LOOK_MAKE_H

#include <stdbool.h>

#include "cli/console.h"
#include "cli/options.h"
#include "draw/look.h"
#include "draw/resources.h"
#include "text/fonts.h"

/* Returns the look that the options, which have been checked, ask for. It borrows their texts. */
struct look look_make(const struct options *o);

/* Opens the fonts that the options ask for. Returns NULL after reporting why it cannot. */
struct fonts *look_make_fonts(const struct options *o, struct diag *diag);

/* Reads the files of --cp and --nameattr. Returns false after reporting; release `r` either way. */
bool look_make_resources(struct resources *r, const struct options *o, struct console *console);

/* Adds new colours to the file of --cp. Returns false after reporting. */
bool look_make_save_colors(struct resources *r, const struct color_map *added,
                           struct console *console);

#endif
