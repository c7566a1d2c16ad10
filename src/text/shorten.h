/*
 * Shortening the name of a function as a person would.
 *
 * Every step leaves out a part of the name and keeps what is left in order, so
 * a name is shortened in place and stays valid UTF-8. A step that does not
 * apply, or would leave nothing, changes nothing.
 *
 *     std::vector<int>::push_back(int const&)  arguments   std::vector<int>::push_back
 *                                              templates   std::vector::push_back
 *                                              scope       vector::push_back
 *                                              scope       push_back
 */
#ifndef TEXT_SHORTEN_H
#define TEXT_SHORTEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/slice.h"

/*
 * Leaves out the argument list, and with it what stands behind it (const,
 * a Java return type, "[clone .isra.0]") and a C++ return type before the
 * name. A pair of parentheses that the name goes on after, as in Go's
 * `net/http.(*conn).serve`, is no argument list; nor are those of `operator()`.
 * Returns the new length.
 */
size_t shorten_arguments(char *name, size_t len);

/*
 * Leaves out template and type arguments in angle brackets, at every depth.
 * Of Rust's `<Type as Trait>::method` the type stays. Arrows and operators
 * are no brackets; brackets that are a name (`<module>`, `Foo.<init>`) stay.
 * Returns the new length.
 */
size_t shorten_templates(char *name, size_t len);

/*
 * The name without its first namespace, package, directory or module:
 * a::b, a.b, a/b, a!b, a`b. Brackets are not looked into. Where the path of a
 * file stands behind the name, as in Python's `py::loads:/lib/decoder.py`, the
 * path goes first; so does a type in front of it, as in the JVM's
 * `void java.util.List.add`. Returns false where there is none.
 */
bool shorten_scope(struct slice *name);

#endif
