/*
 * The small texts that debuggers and tracers write native frames with.
 */
#ifndef INPUT_PARSE_NATIVE_H
#define INPUT_PARSE_NATIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

/* Takes "0x7f12", and blanks before it, off the text. */
bool native_take_address(struct slice *text, uint64_t *address);

/* Takes "FILE:LINE" or "FILE:LINE:COLUMN" apart; without a line all of it is the file. */
void native_parse_source(struct slice text, struct slice *file, uint64_t *line);

/* Takes the digits, at least one, off the front of the text. */
bool native_take_number(struct slice *text, struct slice *digits);

#endif
