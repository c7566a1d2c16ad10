/*
 * Build ids: what the linker makes of everything that it linked, so that no two versions of a
 * binary have the same.
 */
#ifndef BASE_BUILD_ID_H
#define BASE_BUILD_ID_H

#include "base/buf.h"
#include "base/slice.h"

/*
 * Appends the id of the program, or of the shared library that this code is in; nothing if the
 * linker made none.
 */
void build_id_write(struct buf *out);

/* Appends the id of the vdso, which the kernel gives to each process; nothing if there is none. */
void build_id_write_vdso(struct buf *out);

/* Returns the id among the notes of a binary for this kind of machine, empty if there is none. */
struct slice build_id_find(struct slice notes);

#endif
