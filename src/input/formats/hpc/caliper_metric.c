#include "input/formats/hpc/caliper_metric.h"

/* What was done to a value, and is at the start of its name. */
static const struct {
    struct slice name;
    bool inclusive;
} operations[] = {
    {{"sum#", 4}, false},
    {{"scale#", 6}, false},
    {{"inclusive#", 10}, true},
    {{"iscale#", 7}, true},
};

/* Takes an operation off the start of a name. */
static bool cut_operation(struct caliper_metric *m)
{
    for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
        if (!slice_starts(m->event, operations[i].name))
            continue;
        m->event = slice_skip(m->event, operations[i].name.len);
        m->inclusive |= operations[i].inclusive;
        return true;
    }
    return false;
}

bool caliper_metric_of(struct slice column, struct caliper_metric *m)
{
    bool found = false;

    *m = (struct caliper_metric){.event = column};
    while (cut_operation(m))
        found = true;
    m->time = slice_starts_any(m->event, "time", "Time");
    m->inclusive |= slice_has(m->event, SLICE(".inclusive.")) ||
                    slice_is_any(m->event, "time (inc)", "Time (I)");
    return (found && slice_find(m->event, '#') == m->event.len) ||
           slice_is_any(m->event, "count", "time.duration", "time.duration.ns",
                        "time.inclusive.duration", "time.inclusive.duration.ns", "time",
                        "time (exc)", "Time (E)", "time (inc)", "Time (I)");
}

bool caliper_metric_replaces(const struct caliper_metric *exclusive,
                             const struct caliper_metric *inclusive)
{
    return !exclusive->inclusive && exclusive->time == inclusive->time &&
           (exclusive->time || slice_equal(exclusive->event, inclusive->event));
}

bool caliper_metric_unit_of_word(struct slice word, struct unit *unit)
{
    static const struct {
        const char *word, *unit;
    } words[] = {
        {"sec", "s"},   {"s", "s"},     {"msec", "ms"},     {"ms", "ms"},
        {"usec", "us"}, {"us", "us"},   {"nsec", "ns"},     {"ns", "ns"},
        {"B", "bytes"}, {"b", "bytes"}, {"bytes", "bytes"}, {NULL, NULL},
    };
    const char *name = slice_row(word, slice_equal, words)->unit;

    if (name)
        *unit = unit_named(slice_str(name));
    return name != NULL;
}

struct unit caliper_metric_unit(const struct caliper_metric *m, struct slice word, bool seconds)
{
    struct slice last = slice_skip(m->event, slice_find_last(m->event, '.') + 1);
    struct unit unit;

    if (word.len)
        return caliper_metric_unit_of_word(word, &unit) ? unit : unit_named(word);
    if (m->time && caliper_metric_unit_of_word(last, &unit))
        return unit;
    if (m->time)
        return unit_named(seconds ? SLICE("s") : SLICE("us"));
    return unit_named(slice_equal(m->event, SLICE("count")) ? SLICE("snapshots") : m->event);
}
