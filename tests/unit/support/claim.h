/*
 * Recognises formats by bytes in memory.
 */
#ifndef UNIT_SUPPORT_CLAIM_H
#define UNIT_SUPPORT_CLAIM_H

#include "support/formats.h"

/* Returns whether the format claims the bytes. `whole`: the bytes are the whole content. */
bool claim_by(const struct format *format, struct slice bytes, bool whole);

/* Returns the format that the registry recognises, or NULL. */
const struct format *claim_find(struct slice bytes, bool whole);

/* Returns the hint with which the registry refuses the bytes, or NULL. */
const char *claim_refused(struct slice bytes, bool whole);

#endif
