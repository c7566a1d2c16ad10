/*
 * Shortens the name of a function step by step.
 *
 * Each step removes a part of the name in place; the name stays valid UTF-8. A
 * step that does not apply, or would remove everything, changes nothing.
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
 * Removes the argument list, everything after it (const, a Java return type,
 * "[clone .isra.0]") and a C++ return type before the name. Parentheses inside
 * the name, as in Go's `net/http.(*conn).serve`, and those of `operator()` are
 * no argument list. Returns the new length.
 */
size_t shorten_arguments(char *name, size_t len);

/*
 * Removes template and type arguments in angle brackets, at every depth. Rust's
 * `<Type as Trait>::method` keeps the type. Arrows, operators and brackets that
 * are a name (`<module>`, `Foo.<init>`) stay. Returns the new length.
 */
size_t shorten_templates(char *name, size_t len);

/*
 * Removes the first namespace, package, directory or module of a name: a::b,
 * a.b, a/b, a!b, a`b. Separators inside brackets do not count. A file's path
 * after the name, as in Python's `py::loads:/lib/decoder.py`, or a type before
 * it, as in the JVM's `void java.util.List.add`, is removed first. Returns false
 * if there is nothing to remove.
 */
bool shorten_scope(struct slice *name);

#endif
