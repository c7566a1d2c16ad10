/*
 * Finds the owners of source files in a CODEOWNERS file, with the rules of GitHub and GitLab.
 *
 *     # comment
 *     *            @everybody
 *     /src/tax/    @tax-team tax@example.com
 *     *.js         @web
 *
 * A line is a pattern and its owners; the last line whose pattern matches a file counts, and may
 * have no owners. A pattern with no slash, except at its end, matches at any depth; other patterns
 * match from the top of the repository. '*' and '?' match no slash, "**" any directories; a
 * directory matches all files below it. Sections and negations of GitLab are skipped. Profiles
 * often have the path on the build machine, or an address. So any suffix of an absolute path, or of
 * a path that begins with "../", may be the path in the repository.
 */
#ifndef COMPARE_CODEOWNERS_H
#define COMPARE_CODEOWNERS_H

#include "base/arena.h"
#include "base/slice.h"
#include "base/vec.h"

struct codeowners_rule {
    struct slice pattern; /* without slashes at its ends */
    struct slice owners;  /* separated by single blanks */
    bool anchored, directory;
};

struct codeowners {
    struct arena memory;
    VEC(struct codeowners_rule) rules;
};

/* Reads the lines of `text`. Patterns longer than 255 bytes are skipped. */
void codeowners_init(struct codeowners *c, struct slice text);
void codeowners_release(struct codeowners *c);

/* Returns the owners of a file by its path, or an empty slice. */
struct slice codeowners_find(const struct codeowners *c, struct slice path);

#endif
