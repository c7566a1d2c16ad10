/*
 * Protobuf's messages written as text: "1:5 2:'name' 3:{1:-1} 4:[1 2 300]" has a number, a text, a
 * message and packed numbers. '$' stands for the next part of binary content.
 */
#ifndef SUPPORT_PROTO_TEXT_H
#define SUPPORT_PROTO_TEXT_H

#include "base/buf.h"

/* Appends the message. `content` is for '$'; it may be NULL if there is none. */
void proto_text_add(struct buf *out, const char *text, const struct slice *content);

#endif
