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
    /* The script takes a thread 0 for one that is missing. */
    bool nameless = reference && e->pid != PERF_NO_ID && !e->tid;

    buf_clear(out);
    utf8_add_clean(out, e->comm);
    for (size_t i = 0; i < out->len; i++)
        if (out->ptr[i] == ';')
            out->ptr[i] = ':';
        else if (reference && out->ptr[i] == ' ')
            out->ptr[i] = '_';
    if (!o->tid && !o->pid)
        return;
    buf_add_char(out, '-');
    if (nameless || e->pid == PERF_NO_ID)
        buf_add_char(out, '?');
    else
        buf_add_i64(out, e->pid);
    if (!o->tid)
        return;
    buf_add_char(out, '/');
    buf_add_i64(out, nameless ? e->pid : e->tid);
}

const struct perf_comm *perf_comms_find(struct perf_comms *c, const struct perf_event *e,
                                        struct profile *profile,
                                        const struct input_options *options)
{
    bool numbered = options->pid || options->tid;
    uint64_t hash = hash_bytes(e->comm.ptr, e->comm.len);
    struct perf_comm *found;

    if (numbered)
        hash ^= hash_mix((uint64_t)e->pid, (uint64_t)e->tid);
    found = &c->comms[hash % PERF_COMMS];
    if (!slice_equal(found->comm, e->comm) ||
        (numbered && (found->pid != e->pid || found->tid != e->tid))) {
        write_name(e, options, &c->name);
        *found = (struct perf_comm){
            .comm = arena_copy(&c->texts, e->comm),
            .pid = e->pid,
            .tid = e->tid,
            .symbol = symbols_add(&profile->symbols, buf_slice(&c->name), SYMBOL_OWNER),
            .java = options->names == NAMES_REFERENCE && slice_starts(e->comm, SLICE("java")),
        };
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
    release_each(o, (builder, series), (arena, names), (buf, numbers), (intern, pids),
                 (vec, processes, parts));
}

/* The process of a sample; learns its name. */
static uint32_t note_process(struct perf_origins *o, const struct perf_event *e, struct slice pid)
{
    bool is_main = perf_event_process(e) == e->tid;
    uint32_t id = intern_add(&o->pids, pid);
    struct perf_process *p;

    if (id == o->processes.count)
        *vec_add(&o->processes) = (struct perf_process){0};
    p = &o->processes.items[id];
    if ((!p->name.len || is_main) && !slice_equal(p->name, e->comm))
        p->name = arena_copy(&o->names, e->comm);
    return id;
}

/* Writes the numbers of a sample, which the names of series contain, as text. */
static void write_numbers(struct perf_origins *o, const struct perf_event *e, struct origin *origin)
{
    size_t pid, tid;

    buf_clear(&o->numbers);
    if (e->pid != PERF_NO_ID)
        buf_add_i64(&o->numbers, e->pid);
    pid = o->numbers.len;
    buf_add_i64(&o->numbers, e->tid);
    tid = o->numbers.len;
    if (e->has_cpu)
        buf_add_u64(&o->numbers, e->cpu);
    origin->cpu = slice_skip(buf_slice(&o->numbers), tid);
    origin->tid = slice_skip(slice_take(buf_slice(&o->numbers), tid), pid);
    origin->pid = slice_take(buf_slice(&o->numbers), pid);
}

uint32_t perf_origins_series(struct perf_origins *o, const struct perf_event *e, struct unit unit)
{
    struct origin origin = {
        .event = e->name,
        .process = e->comm,
        .thread = e->comm,
        .cgroup = e->cgroup,
    };
    size_t known = o->series.profile->series.count;
    uint32_t series, process;

    write_numbers(o, e, &origin);
    if (!origin_is_wanted(&origin, o->asked))
        return BUILDER_LEFT_OUT;
    if (!o->asked->split_process)
        return builder_series(&o->series, &origin, unit);
    if (!origin.pid.len)
        origin.pid = origin.tid;
    process = note_process(o, e, origin.pid);
    origin.process = slice_make(NULL, 0);
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
