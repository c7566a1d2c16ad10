/*
 * Classifies and converts ASCII characters independently of the locale.
 */
#ifndef BASE_ASCII_H
#define BASE_ASCII_H

#include <stdbool.h>

static inline bool ascii_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool ascii_is_small(char c)
{
    return c >= 'a' && c <= 'z';
}

static inline bool ascii_is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

static inline bool ascii_is_letter(char c)
{
    return ascii_is_small(c) || ascii_is_capital(c);
}

static inline bool ascii_is_hex(char c)
{
    return ascii_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Returns the lower case of an ASCII letter; other bytes unchanged. */
static inline char ascii_lower(char c)
{
    return ascii_is_capital(c) ? (char)(c - 'A' + 'a') : c;
}

#endif
