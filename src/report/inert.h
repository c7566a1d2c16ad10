/*
 * Finds the words of a text to which forges and generators of sites give an effect, however their
 * characters are escaped: they look at the text that is shown, and leave only code alone.
 *
 * Such words mention a person or a team (@name), name an issue, a merge request or a ticket (#1,
 * GH-1, ABC-1, !1), which is then told of it or closed ("fixes #1"), or are an address, which
 * becomes a link. Words are between blanks and bars, which end the cells of tables; a comma or
 * full stop is not part of the word before it. Numbers of commits are left alone: nobody is
 * notified.
 * https://github.github.com/gfm/#autolinks-extension-
 * https://docs.gitlab.com/user/markdown/#gitlab-specific-references
 */
#ifndef REPORT_INERT_H
#define REPORT_INERT_H

#include <stdbool.h>

#include "base/slice.h"

/* Finds the first such word at or after `from`. Returns false, and sets nothing, without one. */
bool inert_find(struct slice text, size_t from, size_t *first, size_t *end);

/* True for a word that is nothing but an address of the web, without the number of an issue. */
bool inert_is_address(struct slice word);

#endif
