/*
 * Functions by what they belong to: a module or a package.
 */
#ifndef TREE_GROUP_H
#define TREE_GROUP_H

#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"
#include "profile/profile.h"

enum group_by {
    GROUP_NOT,
    GROUP_MODULE,  /* the program, library or kernel that the function is in */
    GROUP_PACKAGE, /* what its name begins with, else its module */
    GROUPS,
};

/* "function", "module" or "package". */
const char *group_word(enum group_by by);

/*
 * Appends the package in a function's name: of "java.util.HashMap.get" it is
 * "java.util", of "net/http.(*conn).serve" "net/http", of "tokio::task::run"
 * "tokio", of "run (/srv/node_modules/express/index.js:7)" "express". Nothing
 * where the name has none.
 */
void group_package(struct slice name, struct buf *out);

/*
 * The group of each symbol as a symbol, new ones added to the profile;
 * SYMBOL_NONE where nothing is known. To be freed.
 */
uint32_t *group_symbols(struct profile *p, enum group_by by);

/* The symbol of what has no group among others that have one. */
uint32_t group_none(struct profile *p, enum group_by by);

#endif
