/*
 * The build id of the program, or of the shared library that this code is in: what the
 * linker makes of everything that it linked, so that no two versions have the same.
 */
#ifndef BASE_BUILD_ID_H
#define BASE_BUILD_ID_H

#include "base/buf.h"

/* Appends the bytes of the id; nothing if the linker made none. */
void build_id_write(struct buf *out);

#endif
