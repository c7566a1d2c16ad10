/* Recognition of bytes in memory. */
#ifndef UNIT_SUPPORT_CLAIM_H
#define UNIT_SUPPORT_CLAIM_H

#include "support/formats.h"

/* Whether the format claims the bytes; `whole` where they are all of the content. */
bool claim_by(const struct format *format, struct slice bytes, bool whole);

/* The format that the registry finds for them, or NULL. */
const struct format *claim_find(struct slice bytes, bool whole);

/* The hint with which the registry refuses them, or NULL. */
const char *claim_refused(struct slice bytes, bool whole);

#endif
