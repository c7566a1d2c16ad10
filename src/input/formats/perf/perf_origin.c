#include "input/formats/perf/perf_origin.h"

#include "base/hash.h"
#include "base/utf8.h"

/* ---- first frames ---------------------------------------------------------------------------- */

void perf_comms_release(struct perf_comms *c)
{
    release_each(c, (arena, texts), (buf, name));
}

/* Writes the name of the process, with its numbers if the options ask for them. */
static void write_name(const struct perf_event *e, const struct input_options *o, struct buf *out)
{
    bool reference = o->names == NAMES_REFERENCE;
    struct slice pid = e->pid, tid = e->tid;

    /* The script takes a thread 0 for one that is missing. */
    if (reference && pid.len && slice_equal(tid, SLICE("0"))) {
        tid = pid;
        pid = slice_make(NULL, 0);
    }
    if (!pid.len)
        pid = SLICE("?");
    buf_clear(out);
    utf8_add_clean(out, e->comm);
    for (size_t i = 0; i < out->len; i++)
        if (out->ptr[i] == ';')
            out->ptr[i] = ':';
        else if (reference && out->ptr[i] == ' ')
            out->ptr[i] = '_';
    if (o->tid)
        buf_printf(out, "-%.*s/%.*s", SLICE_ARG(pid), SLICE_ARG(tid));
    else if (o->pid)
        buf_printf(out, "-%.*s", SLICE_ARG(pid));
}

const struct perf_comm *perf_comms_find(struct perf_comms *c, const struct perf_event *e,
                                        struct profile *profile,
                                        const struct input_options *options)
{
    bool numbered = options->pid || options->tid;
    struct slice text = e->comm;
    struct perf_comm *found;

    if (numbered)
        text.len = (size_t)(e->tid.ptr + e->tid.len - text.ptr);
    found = &c->comms[hash_bytes(text.ptr, text.len) % PERF_COMMS];
    if (!slice_equal(found->text, text)) {
        write_name(e, options, &c->name);
        found->symbol = symbols_add(&profile->symbols, buf_slice(&c->name), SYMBOL_OWNER);
        found->java = options->names == NAMES_REFERENCE && slice_starts(e->comm, SLICE("java"));
        found->text = arena_copy(&c->texts, text);
    }
    return found;
}

/* ---- origins --------------------------------------------------------------------------------- */

void perf_origins_init(struct perf_origins *o, struct profile *profile,
                       const struct input_options *options, struct diag *diag)
{
    *o = (struct perf_origins){.options = *options, .asked = options};
    o->options.process_count = o->options.thread_count = 0;
    builder_init(&o->series, profile, &o->options, diag);
}

void perf_origins_release(struct perf_origins *o)
{
    release_each(o, (builder, series), (arena, names), (intern, pids), (vec, processes, parts));
}

/* The process of a sample; learns its name. */
static uint32_t note_process(struct perf_origins *o, const struct perf_event *e)
{
    struct slice pid = e->pid.len ? e->pid : e->tid;
    bool is_main = slice_equal(pid, e->tid);
    uint32_t id = intern_add(&o->pids, pid);
    struct perf_process *p;

    if (id == o->processes.count)
        *vec_add(&o->processes) = (struct perf_process){0};
    p = &o->processes.items[id];
    if ((!p->name.len || is_main) && !slice_equal(p->name, e->comm))
        p->name = arena_copy(&o->names, e->comm);
    return id;
}

uint32_t perf_origins_series(struct perf_origins *o, const struct perf_event *e, struct unit unit)
{
    struct origin origin = {
        .event = e->name,
        .process = e->comm,
        .thread = e->comm,
        .pid = e->pid,
        .tid = e->tid,
        .cpu = e->cpu,
        .cgroup = e->cgroup,
    };
    size_t known = o->series.profile->series.count;
    uint32_t series, process;

    if (!origin_is_wanted(&origin, o->asked))
        return BUILDER_LEFT_OUT;
    if (!o->asked->split_process)
        return builder_series(&o->series, &origin, unit);
    process = note_process(o, e);
    origin.process = slice_make(NULL, 0);
    if (!origin.pid.len)
        origin.pid = origin.tid;
    if (!o->asked->split_thread)
        origin.thread = origin.tid = slice_make(NULL, 0);
    series = builder_series(&o->series, &origin, unit);
    if (series == known)
        *vec_add(&o->parts) = (struct perf_part){series, process};
    return series;
}

void perf_origins_end(struct perf_origins *o)
{
    struct profile *p = o->series.profile;
    struct buf name = {0};

    vec_each (struct perf_part, part, &o->parts) {
        struct slice event = p->series.items[part->series].event;
        struct origin origin = {.event = event,
                                .process = o->processes.items[part->process].name,
                                .pid = intern_get(&o->pids, part->process)};

        buf_clear(&name);
        origin_add_name(&name, &origin, o->asked);
        profile_rename_series(p, part->series, buf_slice(&name));
    }
    buf_release(&name);
}
