#include "draw/caption.h"

static void begin(struct buf *out)
{
    if (out->len)
        buf_add_str(out, CAPTION_BETWEEN);
}

void caption_write_view(const struct look *look, const struct subject *subject, struct slice title,
                        struct buf *out)
{
    if (subject->heatmap)
        return;
    if (look->flamechart)
        buf_add_str(out, "in the order of time");
    if (subject->reverse)
        buf_add_str(out, "merged from the leaves");
    if (subject->around && slice_search(title, slice_str(subject->around)) == title.len)
        buf_printf(out, "callers and callees of %s", subject->around);
    if (!look->inverted)
        return;
    begin(out);
    buf_add_str(out, "root at the top");
}

static bool are_in(struct slice title, const struct subject_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        if (slice_search(title, slice_str(names->items[i])) == title.len)
            return false;
    return true;
}

/* "processes nginx and mysqld" */
static void write_names(const struct subject_names *names, struct slice title, const char *one,
                        const char *several, struct buf *out)
{
    if (are_in(title, names))
        return;
    begin(out);
    buf_add_str(out, names->count == 1 ? one : several);
    for (size_t i = 0; i < names->count; i++)
        buf_printf(out, "%s%s", !i ? " " : i + 1 < names->count ? ", " : " and ", names->items[i]);
}

static void write_period(const struct subject *subject, struct buf *out)
{
    if (!subject->from_s && !subject->to_s)
        return;
    begin(out);
    if (subject->from_s && subject->to_s)
        buf_printf(out, "from %s s to %s s", subject->from_s, subject->to_s);
    else
        buf_printf(out, "%s %s s", subject->from_s ? "from" : "up to",
                   subject->from_s ? subject->from_s : subject->to_s);
}

void caption_write_part(const struct subject *subject, const struct profile *p, struct slice title,
                        struct buf *out)
{
    if (subject->group) {
        begin(out);
        buf_printf(out, "by %s", subject->group);
    }
    if (subject->collapse_recursion) {
        begin(out);
        buf_add_str(out, "recursion collapsed");
    }
    write_period(subject, out);
    if (p->has_processes)
        write_names(&subject->processes, title, "process", "processes", out);
    if (p->has_threads)
        write_names(&subject->threads, title, "thread", "threads", out);
    if (p->has_states)
        write_names(&subject->states, title, "state", "states", out);
    if (p->inputs < 2)
        return;
    begin(out);
    buf_printf(out, "%lu profiles merged", (unsigned long)p->inputs);
}

void caption_write_form(const struct look *look, const struct subject *subject, bool differential,
                        struct buf *out)
{
    size_t start = out->len;

    if (differential)
        buf_add_str(out, "differential ");
    buf_add_str(out, subject->heatmap   ? "heat map"
                     : look->flamechart ? "flame chart"
                     : look->inverted   ? "icicle graph"
                                        : "flame graph");
    out->ptr[start] -= 'a' - 'A';
}
