/*
 * Names in a sentence: the first of them, and how many more there are.
 *
 *     struct name_list list = {.out = &text, .most = 20};
 *     name_list_add(&list, name);          for each name
 *     name_list_end(&list);                "a, b, c and 4 more"
 *
 * The list owns nothing; the names are copied into the buffer.
 */
#ifndef BASE_NAME_LIST_H
#define BASE_NAME_LIST_H

#include <stddef.h>

#include "base/buf.h"
#include "base/slice.h"

struct name_list {
    struct buf *out;
    size_t most;  /* the names that are written */
    size_t count; /* the names that were added */
};

/* Adds a name: appends it, after a comma if it is not the first, unless there are enough. */
void name_list_add(struct name_list *list, struct slice name);

/* Appends how many names were left out, if any. */
void name_list_end(const struct name_list *list);

#endif
