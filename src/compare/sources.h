/*
 * Links findings to their source lines, and finds the owners of the source files.
 */
#ifndef COMPARE_SOURCES_H
#define COMPARE_SOURCES_H

#include "compare/comparison.h"

/*
 * Sets link and owner of the findings of `s` whose file is known. `link` is an address with
 * {commit}, {file} and {line}, which are replaced; a finding has no link if one of them is unknown
 * or if the address does not begin with http:// or https://. `owners` may be NULL.
 */
void sources_add(struct compared_service *s, struct slice link, struct slice commit,
                 const struct codeowners *owners, struct arena *memory);

#endif
