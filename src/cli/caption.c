#include "cli/caption.h"

#include <string.h>

#include "cli/kind.h"

static void begin(struct buf *out)
{
    if (out->len)
        buf_add_str(out, CAPTION_BETWEEN);
}

void caption_write_view(const struct options *o, struct slice title, struct buf *out)
{
    if (kind_is_heatmap(o))
        return;
    if (o->flamechart)
        buf_add_str(out, "in the order of time");
    if (o->reverse)
        buf_add_str(out, "merged from the leaves");
    if (o->around && slice_search(title, slice_str(o->around)) == title.len)
        buf_printf(out, "callers and callees of %s", o->around);
    if (!o->inverted)
        return;
    begin(out);
    buf_add_str(out, "root at the top");
}

static bool are_in(struct slice title, const struct strings *names)
{
    vec_each (const char *const, name, names)
        if (slice_search(title, slice_str(*name)) == title.len)
            return false;
    return true;
}

/* "processes nginx and mysqld" */
static void write_names(const struct strings *names, struct slice title, const char *one,
                        const char *several, struct buf *out)
{
    if (are_in(title, names))
        return;
    begin(out);
    buf_add_str(out, names->count == 1 ? one : several);
    for (size_t i = 0; i < names->count; i++)
        buf_printf(out, "%s%s", !i ? " " : i + 1 < names->count ? ", " : " and ", names->items[i]);
}

static void write_period(const struct options *o, struct buf *out)
{
    if (!o->from && !o->to)
        return;
    begin(out);
    if (o->from && o->to)
        buf_printf(out, "from %s s to %s s", o->from, o->to);
    else
        buf_printf(out, "%s %s s", o->from ? "from" : "up to", o->from ? o->from : o->to);
}

void caption_write_part(const struct options *o, const struct profile *p, struct slice title,
                        struct buf *out)
{
    if (strcmp(o->group, "function") != 0) {
        begin(out);
        buf_printf(out, "by %s", o->group);
    }
    if (o->collapse_recursion) {
        begin(out);
        buf_add_str(out, "recursion collapsed");
    }
    write_period(o, out);
    if (p->has_processes)
        write_names(&o->processes, title, "process", "processes", out);
    if (p->has_threads)
        write_names(&o->thread_names, title, "thread", "threads", out);
    if (p->has_states)
        write_names(&o->states, title, "state", "states", out);
    if (p->inputs < 2)
        return;
    begin(out);
    buf_printf(out, "%lu profiles merged", (unsigned long)p->inputs);
}

void caption_write_form(const struct options *o, bool differential, struct buf *out)
{
    size_t start = out->len;

    if (differential)
        buf_add_str(out, "differential ");
    buf_add_str(out, kind_is_heatmap(o) ? "heat map"
                     : o->flamechart    ? "flame chart"
                     : o->inverted      ? "icicle graph"
                                        : "flame graph");
    out->ptr[start] -= 'a' - 'A';
}
