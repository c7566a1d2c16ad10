/*
 * Numbers in a row, as profiles have by the million: "1,2,3".
 *
 * An array of numbers, nulls among them, is kept as its text and not as
 * values; the parser sees its brackets only.
 */
#ifndef INPUT_PARSE_JSON_NUMBERS_H
#define INPUT_PARSE_JSON_NUMBERS_H

#include <stdint.h>

#include "input/parse/json.h"

/* Whether an array may begin so: `bytes` is what follows its bracket, blanks included. */
bool json_numbers_begin(struct slice bytes);

/*
 * Takes the next element off the text of an array, and the comma behind it. False where it is no
 * number as JSON writes them, or no null, or where it is not seen to end.
 */
bool json_numbers_take(struct slice *rest, struct slice *number);
/* Whether such a text ends where a number could still go on. */
bool json_numbers_cut(struct slice rest);

/* The same for elements that were all taken before. False at their end. */
static inline bool json_numbers_next(struct slice *rest, struct slice *number)
{
    const char *p = rest->ptr, *end = rest->ptr + rest->len, *start;

    while (p < end && (*p <= ' ' || *p == ','))
        p++;
    for (start = p; p<end && * p> ' ' && *p != ',';)
        p++;
    *number = slice_make(start, (size_t)(p - start));
    *rest = slice_make(p, (size_t)(end - p));
    return number->len > 0;
}

/* What an element is. */
static inline enum json_type json_numbers_type(struct slice number)
{
    return number.len && number.ptr[0] == 'n' ? JSON_NULL : JSON_NUMBER;
}

#endif
