/*
 * Pages (HTML) whose scripts contain a profile as JSON.
 */
#ifndef INPUT_PARSE_PAGE_H
#define INPUT_PARSE_PAGE_H

#include <stdbool.h>

#include "base/slice.h"
#include "input/parse/content.h"
#include "input/parse/json.h"

/* Whether the bytes begin as pages do. */
bool page_begins(struct slice bytes);

/* Whether the head is that of a page which contains this text. */
bool page_has(const struct head *head, const char *text);

/* The length of the object or array that `text` begins with; all of `text` if it does not end. */
size_t page_value_length(struct slice text);

/* Finds the object or array that follows the first `before`. Returns false if there is none. */
bool page_find(struct slice page, const char *before, struct slice *value);

/*
 * Loads the page and calls read() with the object or array that follows the first `before` and the
 * page. Returns false after reporting an error.
 */
bool page_read(struct content *c, const char *before,
               bool (*read)(void *context, const struct json_value *top, struct slice page),
               void *context);

/* Reads JSON in a page as if it were a file. */
bool page_read_text(struct content *c, struct slice text, bool (*read)(struct content *c));

#endif
