/*
 * Entities of XML and HTML in text that was escaped: "&lt;", "&#39;", "&#x3c;".
 */
#ifndef INPUT_PARSE_ENTITIES_H
#define INPUT_PARSE_ENTITIES_H

#include "base/buf.h"
#include "base/slice.h"

/* Appends `text` with the five entities of XML and numbers of characters replaced. */
void entities_add(struct buf *out, struct slice text);

#endif
