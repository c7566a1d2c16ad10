#include "input/formats/hpc/caliper_metric.h"

bool caliper_metric_of(struct slice column, struct caliper_metric *m)
{
    const struct slice sum = SLICE("sum#");
    bool found = slice_starts(column, sum);

    *m = (struct caliper_metric){.event = column};
    while (slice_starts(m->event, sum))
        m->event = slice_skip(m->event, sum.len);
    m->time = slice_starts_any(m->event, "time", "Time");
    return found ||
           slice_is_any(m->event, "count", "time.duration", "time", "time (exc)", "Time (E)");
}

struct unit caliper_metric_unit(const struct caliper_metric *m, struct slice word, bool seconds)
{
    if (slice_equal(word, SLICE("sec")) || (!word.len && m->time && seconds))
        return unit_named(SLICE("s"));
    if (slice_equal(word, SLICE("usec")) || (!word.len && m->time))
        return unit_named(SLICE("us"));
    if (!word.len && slice_equal(m->event, SLICE("count")))
        return unit_named(SLICE("snapshots"));
    return unit_named(word.len ? word : m->event);
}
