/*
 * The set of templates. The program embeds one of each name; a file of that
 * name in the user's directory replaces it. A user's file of another name is a
 * partial that the user's templates may include.
 */
#ifndef REPORT_TEMPLATES_H
#define REPORT_TEMPLATES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/vec.h"
#include "report/lookup.h"
#include "report/template.h"

/* The largest template file that is read, in bytes. */
enum { TEMPLATES_MAX_SIZE = 4 << 20 };

struct templates {
    struct arena memory;
    VEC(struct template) items; /* sorted by name */
    bool replaced;              /* some are the user's */
    struct lookup lookup;       /* of the names that they use */
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
 * Reads the templates of pages that are lists (templates/lists), which take values of these
 * records. The user cannot replace them.
 */
bool templates_init_lists(struct templates *t, const struct record *const *whole, size_t count,
                          struct diag *d);

/*
 * Prepares the parsed templates for being filled with the values of these records, which are those
 * of whole templates. templates_init() does so for all pages.
 */
void templates_prepare(struct templates *t, const struct record *const *whole, size_t count);

/*
 * Appends the content security policy of the embedded pages, as `flamepress --csp` prints it. With
 * `files`, scripts and styles may also be files of the site.
 */
void templates_policy(bool files, struct buf *out);
/* Appends the policy, or nothing if some templates are the user's: they may load other things. */
void templates_write_policy(const struct templates *t, bool files, struct buf *out);

/* Returns the template called `name` ("report.mustache"), or NULL. */
const struct template *templates_find(const struct templates *t, struct slice name);

#endif
