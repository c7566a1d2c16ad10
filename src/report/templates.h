/*
 * The set of templates. The program embeds one of each name; a file of that
 * name in the user's directory replaces it. A user's file of another name is a
 * partial that the user's templates may include.
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
    bool replaced;              /* some are the user's */
};

/*
 * Reads and checks all templates. `directory` may be NULL. Returns false after
 * reporting the error in `d` if a template cannot be read, is not well formed
 * or uses an unknown name. `d` has no path on entry and gets the template's.
 * Call templates_release() in either case.
 */
bool templates_init(struct templates *t, const char *directory, struct diag *d);
void templates_release(struct templates *t);

/*
 * Returns the content security policy of a page that is made of these templates: that which
 * `flamepress --csp` prints. Empty if some are the user's: they may load what it forbids.
 */
struct slice templates_policy(const struct templates *t);

/* Returns the template called `name` ("report.mustache"), or NULL. */
const struct template *templates_find(const struct templates *t, struct slice name);
/* Returns the template whose name is `name` followed by `ending`, or NULL. */
const struct template *templates_find_form(const struct templates *t, struct slice name,
                                           struct slice ending);

#endif
