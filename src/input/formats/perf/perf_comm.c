#include "input/formats/perf/perf_comm.h"

#include "base/hash.h"
#include "base/utf8.h"

void perf_comms_init(struct perf_comms *c)
{
    *c = (struct perf_comms){0};
    arena_init(&c->texts);
    buf_init(&c->name);
}

void perf_comms_release(struct perf_comms *c)
{
    arena_release(&c->texts);
    buf_release(&c->name);
}

/* The process, with its numbers where they are asked for. */
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
        found->symbol = symbols_add(&profile->symbols, buf_slice(&c->name), SYMBOL_USER);
        found->java = options->names == NAMES_REFERENCE && slice_starts(e->comm, SLICE("java"));
        found->text = arena_copy(&c->texts, text);
    }
    return found;
}
