/*
 * Rust's names as profilers leave them: C++'s mangling undone, and Rust's own
 * escapes and hashes still in it.
 *
 *     _$LT$alloc..vec..Vec$LT$T$GT$$GT$::drop::h0123456789abcdef    the older mangling
 *     core[317d481089b8c8fe]::ptr::drop_in_place                    the newer one, with its crates
 */
#ifndef INPUT_BUILD_RUST_H
#define INPUT_BUILD_RUST_H

#include "base/buf.h"
#include "base/slice.h"

/* Returns the name without "::h" and sixteen hex digits at its end. */
struct slice rust_strip_hash(struct slice name);

/* Appends a name of the older mangling, whose hash has been stripped. */
void rust_add_legacy(struct buf *out, struct slice name);

/*
 * Removes the hashes of crates from everything appended since `from`: that many hex digits
 * in brackets after a word are nothing else.
 */
void rust_drop_crate_hashes(struct buf *out, size_t from);

#endif
