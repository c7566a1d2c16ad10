/*
 * The set of templates: those embedded in the program, each replaced by the
 * file of the same name in the user's directory where there is one. A user's
 * file of another name is a partial that the user's templates may include.
 */
#ifndef REPORT_TEMPLATES_H
#define REPORT_TEMPLATES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "report/template.h"

/* The largest template file that is read, in bytes. */
enum { TEMPLATES_MAX_SIZE = 4 << 20 };

struct templates {
    struct arena memory;
    VEC(struct template) items; /* sorted by name */
};

/*
 * Reads and checks all templates. `directory` may be NULL. Returns false where
 * one cannot be read, is not well formed or uses a name that no report has;
 * `d`, given without a path, then has the template's path and the line. The
 * set is to be released in either case.
 */
bool templates_init(struct templates *t, const char *directory, struct diag *d);
void templates_release(struct templates *t);

/* The template called `name` ("report.mustache"), or NULL; the one of a name and an ending. */
const struct template *templates_find(const struct templates *t, struct slice name);
const struct template *templates_find_form(const struct templates *t, struct slice name,
                                           struct slice ending);

#endif
