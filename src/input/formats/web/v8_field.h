/*
 * The fields of V8's log, between commas, in quotes until 2017.
 */
#ifndef INPUT_FORMATS_WEB_V8_FIELD_H
#define INPUT_FORMATS_WEB_V8_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

/* Takes the next field off `*rest`, without its quotes; false where none is left. */
bool v8_field_take(struct slice *rest, struct slice *field);

/* "0x1f", or decimal as numbers of old logs are. */
bool v8_field_number(struct slice text, uint64_t *value);

#endif
