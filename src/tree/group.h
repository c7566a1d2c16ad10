/*
 * Groups functions by module or package.
 */
#ifndef TREE_GROUP_H
#define TREE_GROUP_H

#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"
#include "profile/profile.h"

enum group_by {
    GROUP_NOT,
    GROUP_MODULE,  /* the program, library or kernel that contains the function */
    GROUP_PACKAGE, /* the package in its name; if there is none, its module */
    GROUPS,
};

/* Returns "function", "module" or "package". */
const char *group_word(enum group_by by);

/*
 * Appends the package in a function's name, or nothing if it has none:
 *
 *     java.util.HashMap.get                         java.util
 *     net/http.(*conn).serve                        net/http
 *     tokio::task::run                              tokio
 *     run (/srv/node_modules/express/index.js:7)    express
 */
void group_package(struct slice name, struct buf *out);

/*
 * Appends the name of a function's group, or nothing if it is unknown. Returns the class of the
 * group's symbol.
 */
enum symbol_class group_name(const struct symbols *symbols, uint32_t id, enum group_by by,
                             struct buf *out);

/*
 * Returns, by symbol, the symbol of its group, or SYMBOL_NONE if the group is
 * unknown. Adds new symbols to the profile. The caller frees the array.
 */
uint32_t *group_symbols(struct profile *p, enum group_by by);

/* Returns the symbol for functions without a group: "[no module]" or "[no package]". */
uint32_t group_none(struct profile *p, enum group_by by);

#endif
