#include "compare/warnings.h"

#include <math.h>

#include "base/num.h"
#include "base/percent.h"

/* Differences that a warning is given for. */
static const double least_unknown = 0.05, least_lost = 0.01;

static const struct {
    const char *key, *what;
} facts[] = {
    {RUN_KERNEL, "kernel"},
    {RUN_CPU, "CPU"},
    {RUN_PERIOD, "sampling period"},
};

enum { KERNEL = 0, FACTS = sizeof(facts) / sizeof(*facts) };

static bool has_value(const struct sided_run *runs, size_t count, enum stats_side side,
                      const char *key, struct slice value)
{
    for (size_t i = 0; i < count; i++)
        if (runs[i].side == side && slice_equal(service_fact(runs[i].run, slice_str(key)), value))
            return true;
    return false;
}

/* Appends the values of a side that the other side does not have. Returns how many there are. */
static size_t add_others(struct buf *out, const struct sided_run *runs, size_t count,
                         enum stats_side side, const char *key)
{
    enum stats_side other = side == STATS_BASE ? STATS_NEW : STATS_BASE;
    size_t others = 0;

    for (size_t i = 0; i < count; i++) {
        struct slice value = service_fact(runs[i].run, slice_str(key));

        if (runs[i].side != side || !value.len || has_value(runs, count, other, key, value) ||
            has_value(runs, i, side, key, value))
            continue;
        buf_printf(out, "%s%.*s", others++ ? ", " : "", SLICE_ARG(value));
    }
    return others;
}

static void add(struct compared_service *s, struct arena *memory, const struct buf *text)
{
    *vec_add(&s->warnings) = arena_copy(memory, buf_slice(text));
}

static bool compare_fact(struct compared_service *s, const struct sided_run *runs, size_t count,
                         size_t fact, struct arena *memory)
{
    struct buf base = {0}, new = {0}, text = {0};
    bool differs;

    differs = add_others(&base, runs, count, STATS_BASE, facts[fact].key) &&
              add_others(&new, runs, count, STATS_NEW, facts[fact].key);
    if (differs) {
        buf_printf(&text, "the %s differs: %s in the base, %s in the new runs", facts[fact].what,
                   buf_string(&base), buf_string(&new));
        add(s, memory, &text);
    }
    buf_release(&text);
    buf_release(&base);
    buf_release(&new);
    return differs;
}

static void add_lost(struct compared_service *s, const struct sided_run *runs, size_t count,
                     struct arena *memory)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t lost = runs[i].run->lost, all = lost + runs[i].run->samples;
        struct buf text = {0};

        if (runs[i].side == STATS_HISTORY || !runs[i].run->samples ||
            (double)lost <= least_lost * (double)all)
            continue;
        buf_printf(&text, "%.*s has lost ", SLICE_ARG(runs[i].run->name));
        num_write_percent(&text, lost, all, PERCENT_CAPTION);
        buf_add_str(&text, " % of its samples");
        add(s, memory, &text);
        buf_release(&text);
    }
}

bool warnings_add(struct compared_service *s, const struct sided_run *runs, size_t count,
                  const double unknown[2], struct arena *memory)
{
    bool kernels_differ = false;

    for (size_t i = 0; i < FACTS; i++)
        if (compare_fact(s, runs, count, i, memory) && i == KERNEL)
            kernels_differ = true;
    if (fabs(unknown[STATS_NEW] - unknown[STATS_BASE]) > least_unknown) {
        struct buf text = {0};

        buf_add_str(&text, "functions without a name have ");
        percent_write(&text, unknown[STATS_BASE], PERCENT_CAPTION);
        buf_add_str(&text, " % of the base and ");
        percent_write(&text, unknown[STATS_NEW], PERCENT_CAPTION);
        buf_add_str(&text, " % of the new runs");
        add(s, memory, &text);
        buf_release(&text);
    }
    add_lost(s, runs, count, memory);
    return kernels_differ;
}
