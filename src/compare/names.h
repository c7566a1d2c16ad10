/*
 * Function names as a comparison sees them.
 *
 * Two builds, or two runs, may give one function different names: with an address, the number of
 * a generated class, or the suffix of a compiler's clone. compare_name_add() removes such parts, so
 * that both runs have one function. Only comparisons use the result: pictures and tables show the
 * names of the profiles. Texts are valid UTF-8.
 */
#ifndef COMPARE_NAMES_H
#define COMPARE_NAMES_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"

/*
 * Appends `name` without the parts that differ between builds:
 *     0x7f3a12 anywhere: "0x"; "/0x7f3a12" and "+0x1a" after a name: nothing
 *     Foo$$Lambda$14/0x0008.run: Foo$$Lambda.run; GeneratedMethodAccessor12: without its number
 *     f.isra.0, f.constprop.1, f.part.2, f.cold, f.lto_priv.0, f.llvm.123, f [clone .cold]: f
 *     (anonymous app.js:12): (anonymous app.js)
 *     A$$EnhancerBySpringCGLIB$$a1b2c3d4.run: A$$EnhancerBySpringCGLIB$$.run
 *     core::f::h0123456789abcdef: core::f; memcpy@GLIBC_2.14: memcpy
 */
void compare_name_add(struct buf *out, struct slice name);

/*
 * Whether a virtual machine generated the function and put a number, a hash or an address into its
 * name, which another run of the same build gives to another function.
 */
bool compare_is_generated(struct slice name);

/* Appends the name without these parts; all that a build decides stays. */
void compare_run_name_add(struct buf *out, struct slice name);

/* Appends the name of a process or thread without numbers after a separator: worker-N. */
void compare_thread_name_add(struct buf *out, struct slice name);

/* Appends the name of a process without its numbers: "orders-w1" and "orders-w2" are orders-wN. */
void compare_process_name_add(struct buf *out, struct slice name);

/*
 * Returns how alike two names are, 0 to 1: 1 - edits / length of the longer one. Only the function
 * itself is compared, without namespaces, classes and arguments, unless that part is the same.
 */
double compare_names_alike(struct slice a, struct slice b);

/* Returns the package, class or namespace of a name: what is before the function itself. */
struct slice compare_name_scope(struct slice name);

#endif
