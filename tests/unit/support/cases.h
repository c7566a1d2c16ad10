/*
 * Tables of small inputs: the series and stacks that each contains, and the
 * messages.
 */
#ifndef SUPPORT_CASES_H
#define SUPPORT_CASES_H

#include "input/core/options.h"
#include "unit/support/reading.h"

struct reading_case {
    const char *name;
    const char *content;
    enum input_names names;
    enum input_result result;
    const char *folded;   /* all series, each after a line "== NAME"; NULL if any */
    const char *messages; /* a part of them; NULL for none at all */
};

void reading_expect(const struct reading_case *c);

#define reading_expect_all(cases)                                                                  \
    for (size_t i_ = 0; i_ < sizeof(cases) / sizeof((cases)[0]); i_++)                             \
    reading_expect(&(cases)[i_])

/*
 * Expects a series of a file of the collection to equal the result of a reference converter
 * except for `differences` lines.
 */
void reading_expect_reference(const char *file, const char *event, const char *expected,
                              unsigned differences);

#endif
