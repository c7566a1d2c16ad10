#include "draw/caption.h"

#include "base/num.h"
#include "prepare/frames.h"
#include "profile/service.h"

static void begin(struct buf *out)
{
    if (out->len)
        buf_add_str(out, CAPTION_BETWEEN);
}

void caption_write_view(const struct look *look, const struct recipe *recipe, struct slice title,
                        struct buf *out)
{
    if (recipe_is_of(recipe, KIND_HEATMAP))
        return;
    if (look->flamechart)
        buf_add_str(out, "in the order of time");
    if (recipe->reverse)
        buf_add_str(out, "merged from the leaves");
    if (recipe->around.len && slice_search(title, recipe->around) == title.len)
        buf_printf(out, "callers and callees of %.*s", SLICE_ARG(recipe->around));
    if (recipe->zoom.len)
        buf_printf(out, "zoomed to %.*s", SLICE_ARG(recipe->zoom));
    if (recipe->crop.len)
        buf_printf(out, "cropped to %.*s", SLICE_ARG(recipe->crop));
    if (!look->picture.inverted)
        return;
    begin(out);
    buf_add_str(out, "root at the top");
}

static bool are_in(struct slice title, const struct names_wanted *names)
{
    vec_each (const struct slice, name, names)
        if (slice_search(title, *name) == title.len)
            return false;
    return true;
}

/* "processes nginx and mysqld" */
static void write_names(const struct names_wanted *names, struct slice title, const char *one,
                        const char *several, struct buf *out)
{
    if (are_in(title, names))
        return;
    begin(out);
    buf_add_str(out, names->count == 1 ? one : several);
    for (size_t i = 0; i < names->count; i++)
        buf_printf(out, "%s%.*s",
                   !i                     ? " "
                   : i + 1 < names->count ? ", "
                                          : " and ",
                   SLICE_ARG(names->items[i]));
}

static void write_seconds(struct buf *out, const char *before, uint64_t ns)
{
    enum { NS_DECIMALS = 9 };

    buf_add_str(out, before);
    num_write_decimal(out, ns, NS_DECIMALS);
    buf_add_str(out, " s");
}

/* "from 3 s to 5 s" */
static void write_period(const struct recipe *recipe, const struct series *s, struct buf *out)
{
    if (!recipe->from.given && !recipe->to.given)
        return;
    begin(out);
    if (recipe->from.given)
        write_seconds(out, "from ", recipe->from.ns);
    if (recipe->to.given)
        write_seconds(out, recipe->from.given ? " to " : "up to ", recipe->to.ns);
    if (timed_samples_have_spans(&s->timed))
        buf_add_str(out, ", longer intervals clipped");
}

/*
 * A thread that was preempted is off the CPU, too, but waits for nothing except a CPU. The share
 * is that of the whole input, since no series keeps the states of its samples.
 */
static void write_preempted(const struct recipe *recipe, const struct profile *p,
                            const struct series *s, struct buf *out)
{
    const struct read_ledger *l = &p->ledger;
    bool off = slice_starts(s->event, SLICE("off-cpu")) || slice_equal(s->event, SLICE("hot/cold"));

    if (!off || recipe->states.count || !l->preempted_ns || l->preempted_ns < l->off_ns / 2000)
        return;
    begin(out);
    if (s->base != SERIES_NONE)
        buf_add_str(out, "preempted in base and new: ");
    num_write_percent(out, l->preempted_ns, l->off_ns, PERCENT_CAPTION);
    buf_add_str(out, s->base == SERIES_NONE ? "% of all off-CPU time preempted"
                                            : "% of all off-CPU time");
}

void caption_write_part(const struct recipe *recipe, const struct profile *p, uint32_t series,
                        struct slice title, struct buf *out)
{
    const struct series *s = &p->series.items[series];

    if (recipe->filter.group != GROUP_NOT) {
        begin(out);
        buf_printf(out, "by %s", group_word(recipe->filter.group));
    }
    if (recipe->filter.collapse_recursion) {
        begin(out);
        buf_add_str(out, "recursion collapsed");
    }
    if (profile_fact(p, SLICE(FACT_RENAMED)).len) {
        begin(out);
        buf_printf(out, "%.*s renamed", SLICE_ARG(profile_fact(p, SLICE(FACT_RENAMED))));
    }
    write_period(recipe, s, out);
    write_preempted(recipe, p, s, out);
    if (p->has_processes)
        write_names(&recipe->processes, title, "process", "processes", out);
    if (p->has_threads)
        write_names(&recipe->threads, title, "thread", "threads", out);
    if (p->has_states)
        write_names(&recipe->states, title, "state", "states", out);
    if (p->has_tags)
        write_names(&recipe->tags, title, "label", "labels", out);
    if (p->inputs < 2)
        return;
    begin(out);
    buf_printf(out, "%lu profiles merged", (unsigned long)p->inputs);
}

void caption_write_origin(const struct profile *p, struct slice source, struct buf *out)
{
    const struct slice command = profile_fact(p, SLICE(RUN_COMMAND));
    const struct slice parts[] = {
        source,
        profile_fact(p, SLICE(RUN_HOST)),
        profile_fact(p, SLICE(RUN_TIME)),
        command.len ? command : profile_fact(p, SLICE("cmdline")),
    };

    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        if (!parts[i].len)
            continue;
        begin(out);
        buf_add_slice(out, parts[i]);
    }
}

void caption_write_form(const struct look *look, const struct recipe *recipe, bool differential,
                        struct buf *out)
{
    size_t start = out->len;

    if (differential)
        buf_add_str(out, "differential ");
    buf_add_str(out, recipe_is_of(recipe, KIND_HEATMAP) ? "heat map"
                     : look->flamechart                 ? "flame chart"
                     : look->picture.inverted           ? "icicle graph"
                                                        : "flame graph");
    out->ptr[start] -= 'a' - 'A';
}
