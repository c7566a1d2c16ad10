/*
 * The table of options that a graph cannot have because of its data.
 *
 * Most options that exclude each other are known before any data is read (options/conflicts.h). The
 * rest depend on the graph: whether it shows a change or two counters, and whether its samples have
 * an order or times. Drawing checks the table, so all commands and the library refuse alike.
 */
#ifndef DRAW_FIT_H
#define DRAW_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "draw/look.h"
#include "prepare/recipe.h"

/*
 * Returns false after reporting an option that the series cannot have. `has_color_map` says whether
 * --cp is given. A graph of counters that a report adds by itself fits: options that it cannot have
 * are meant for other graphs, and it ignores them.
 */
bool fit_check(const struct look *look, const struct recipe *recipe, bool has_color_map,
               const struct profile *p, uint32_t series, struct diag *diag);

#endif
