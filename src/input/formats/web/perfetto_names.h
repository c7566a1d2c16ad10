/*
 * The names of classes before R8 made them short, from the packets that `traceconv deobfuscate`
 * adds to a trace of Perfetto.
 *
 *     DeobfuscationMapping  1 package, 3 classes
 *     ObfuscatedClass       1 the short name, 2 the name before
 *
 * A short name is that of a package: two apps may have a class `a.a`. A package is the name of a
 * process, or its part before a colon. A process without a name is of the only package in the
 * trace. Dropped: the names of members.
 *
 * Source: protos/perfetto/trace/profiling/deobfuscation.proto in github.com/google/perfetto.
 */
#ifndef INPUT_FORMATS_WEB_PERFETTO_NAMES_H
#define INPUT_FORMATS_WEB_PERFETTO_NAMES_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/intern.h"

struct perfetto_names {
    struct intern keys;      /* package, NUL, short name */
    VEC(struct slice) names; /* by key; in `texts` */
    struct intern texts, packages;
    struct buf key;
};

void perfetto_names_release(struct perfetto_names *n);

/* Takes a DeobfuscationMapping. Of two names of a class the last one counts. */
void perfetto_names_read(struct perfetto_names *n, struct slice message);

/*
 * Appends the name before of a type, which may be an array, "a.b[]", or the class object of one,
 * "java.lang.Class<a.b>". Returns false, and appends nothing, if no mapping has it.
 */
bool perfetto_names_add(struct perfetto_names *n, struct slice process, struct slice type,
                        struct buf *out);

#endif
