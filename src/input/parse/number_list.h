/*
 * Numbers that must wait, few bytes for each: they are added one after the
 * other and looked at in the same order.
 *
 *     uint64_t number;
 *     for (size_t at = 0; number_list_next(&list, &at, &number);) ...
 */
#ifndef INPUT_PARSE_NUMBER_LIST_H
#define INPUT_PARSE_NUMBER_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct number_list {
    struct buf
        bytes; /* seven bits in each, the lowest first; the highest bit says that more come */
    size_t count;
};

void number_list_release(struct number_list *l);
void number_list_clear(struct number_list *l);

/* One byte for a number below 128, two below 16384, ten at most. */
void number_list_add(struct number_list *l, uint64_t number);
/*
 * Reads the number at `*at` and advances `*at` to the next one. Returns false after the
 * last one.
 */
bool number_list_next(const struct number_list *l, size_t *at, uint64_t *number);

/* Numbers of either sign, near to 0, as small ones without a sign, and back. */
static inline uint64_t number_list_fold(int64_t number)
{
    return number < 0 ? ~((uint64_t)number << 1) : (uint64_t)number << 1;
}
static inline int64_t number_list_unfold(uint64_t number)
{
    return (int64_t)(number & 1 ? ~(number >> 1) : number >> 1);
}

#endif
