/*
 * Numbers in a row, as profiles have by the million: "1,2,3".
 *
 * An array of numbers, nulls among them, is kept as its text and not as
 * values; the parser sees its brackets only.
 */
#ifndef INPUT_JSON_NUMBERS_H
#define INPUT_JSON_NUMBERS_H

#include <stdint.h>

#include "input/json.h"

struct json_numbers {
    size_t len;     /* of whole elements, each with the comma behind it */
    uint32_t count; /* of these */
    bool cut;       /* the bytes end before it is clear what comes next */
};

/* Whether an array may begin so: `bytes` is what follows its bracket, blanks included. */
bool json_numbers_begin(struct slice bytes);

/* The elements that are numbers as JSON writes them, up to the first thing that is not. */
struct json_numbers json_numbers_find(struct slice bytes);

/* Takes the next element off a text of such elements. False at its end. */
bool json_numbers_next(struct slice *rest, struct slice *number);

static inline struct json_value json_numbers_value(struct slice number)
{
    bool null = number.len && number.ptr[0] == 'n';

    return (struct json_value){
        .type = null ? JSON_NULL : JSON_NUMBER, .size = 1, .text = null ? SLICE("") : number};
}

#endif
