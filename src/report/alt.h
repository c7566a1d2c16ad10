/*
 * What the picture of a graph shows, in words, for readers who do not see it.
 */
#ifndef REPORT_ALT_H
#define REPORT_ALT_H

#include "base/buf.h"
#include "report/build.h"
#include "tree/tree.h"

/*
 * Appends "Flame graph of mysqld: 12.4 s of cpu-clock. Widest path: main, run,
 * read. Most by itself: memcpy, 12.50 %.", from a graph that has all but this.
 */
void report_alt_write(struct report_graph *g, const struct report_source *source,
                      const struct tree *t, struct buf *out);

#endif
