/*
 * The named searches of a run, compiled once for all of its graphs.
 */
#ifndef CLI_SEARCHES_H
#define CLI_SEARCHES_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/vec.h"
#include "cli/options.h"
#include "output/picture.h"
#include "report/build.h"
#include "match/search.h"
#include "tree/tree.h"

struct searches {
    VEC(struct search *) compiled;
    VEC(struct report_query) queries; /* with their names and patterns */
};

/* What searches found in a graph, for its picture; those without compiled searches are shown. */
struct searches_found VEC_OF(struct picture_search);

/* False, told, where one is no regular expression; release it then, too. */
bool searches_init(struct searches *s, const struct options *o, struct diag *diag);
void searches_release(struct searches *s);

/* Looks for all of them in a tree; the results are appended, in the order of the searches. */
void searches_run(const struct searches *s, const struct tree *t, struct searches_found *found);

#endif
