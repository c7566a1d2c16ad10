/*
 * Where the source of a finding is, and whose: a link to the line, and the owner of the file.
 */
#ifndef COMPARE_SOURCES_H
#define COMPARE_SOURCES_H

#include "compare/comparison.h"

/*
 * Sets link and owner of the findings of `s` that know their file. `link` is an address with
 * {commit}, {file} and {line}, which are replaced; a finding has no link if one of them is unknown
 * or if the address does not begin with http:// or https://. `owners` may be NULL.
 */
void sources_add(struct compared_service *s, struct slice link, struct slice commit,
                 const struct codeowners *owners, struct arena *memory);

#endif
