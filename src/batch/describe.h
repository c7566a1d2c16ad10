/*
 * Describes a graph for a report: form, view, kind and scale, in the words of the picture's
 * captions.
 */
#ifndef BATCH_DESCRIBE_H
#define BATCH_DESCRIBE_H

#include "batch/plan.h"
#include "report/build.h"

/*
 * Fills `out` from a prepared graph; name, path and commentary stay empty. `look` is the plan's,
 * with the title of this graph. New texts live in `memory`.
 */
void describe_graph(struct report_source *out, const struct plan *plan, const struct look *look,
                    const struct profile *p, uint32_t series, struct arena *memory);

#endif
