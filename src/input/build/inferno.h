/*
 * Names as the converters of inferno (github.com/jonhoo/inferno) print them,
 * for --names=reference of the formats whose reference it is.
 */
#ifndef INPUT_BUILD_INFERNO_H
#define INPUT_BUILD_INFERNO_H

#include "base/buf.h"
#include "base/slice.h"

/*
 * Appends a name. One that ends in the hash of Rust's legacy mangling loses
 * it and its escapes; any other stays as it is.
 */
void inferno_add_name(struct buf *out, struct slice name);

#endif
