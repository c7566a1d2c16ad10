/*
 * Trace events: the JSON that Chrome's tracing made common, and that clang
 * -ftime-trace, Node, V8, Hermes, uftrace, Perfetto, PyTorch, VizTracer and many
 * build tools write.
 *
 *     [EVENT, ...                       its end may be missing, which is told
 *     {"traceEvents": [EVENT, ...], "stackFrames": {...}, "samples": [...], ...}
 *
 *     EVENT = {"ph": "B" | "E" | "X" | ..., "ts": us, "dur": us, "pid", "tid",
 *              "name", "cat", "args": {...}}
 *
 * Times are microseconds, with decimals or in a string. Read are slices (B, E, X;
 * input/formats/web/trace_slices.h), the names of processes and threads (M), the samples of
 * Hermes (input/formats/web/trace_samples.h) and the CPU profiles of Chrome's developer tools
 * (input/formats/web/trace_profiles.h). Each kind that a file has makes graphs of its own,
 * the profiles first. Slices are told apart by their names alone, not by their
 * arguments. What begins and ends anywhere, flows, counters, instants and objects
 * are no stacks; how many there are of events that last is told. clang's sums,
 * "Total ..." with an average, would count everything twice and are left out.
 *
 * Source: "Trace Event Format", the document of the Chromium project.
 */
#include "input/format.h"
#include "input/formats/web/trace_profiles.h"
#include "input/formats/web/trace_samples.h"
#include "input/formats/web/trace_slices.h"
#include "input/parse/trace_time.h"

struct trace {
    struct content *content;
    struct builder builder;
    struct trace_threads threads;
    struct trace_slices slices;
    struct trace_samples samples;
    struct trace_profiles profiles;
    uint64_t async; /* events that last and are no slices */
    uint64_t bad;   /* that lack what they need */
    uint64_t first_bad;
};

/* The members of an event that are looked at. */
struct event {
    struct slice phase, name, pid, tid, id;
    const struct json_value *ts, *dur, *tdur, *args;
};

static void read_members(const struct json_value *v, struct event *e)
{
    *e = (struct event){0};
    json_each(m, v)
    {
        const char *key = m->key.ptr;

        switch (m->key.len) {
        case 2:
            if (memcmp(key, "ph", 2) == 0)
                e->phase = m->text;
            else if (memcmp(key, "ts", 2) == 0)
                e->ts = m;
            else if (memcmp(key, "id", 2) == 0)
                e->id = m->text;
            break;
        case 3:
            if (memcmp(key, "dur", 3) == 0)
                e->dur = m;
            else if (memcmp(key, "pid", 3) == 0)
                e->pid = m->text;
            else if (memcmp(key, "tid", 3) == 0)
                e->tid = m->text;
            break;
        case 4:
            if (memcmp(key, "name", 4) == 0)
                e->name = m->text;
            else if (memcmp(key, "args", 4) == 0)
                e->args = m;
            else if (memcmp(key, "tdur", 4) == 0)
                e->tdur = m;
            break;
        default:
            break;
        }
    }
}

/* ---- events -------------------------------------------------------------------------------- */

static bool bad(struct trace *t, uint64_t at)
{
    if (!t->bad++)
        t->first_bad = at;
    return true;
}

static void read_name(struct trace *t, uint32_t thread, const struct event *e)
{
    struct slice name = json_text(json_get(e->args, "name"));

    if (slice_equal(e->name, SLICE("thread_name")))
        trace_threads_name(&t->threads, thread, name);
    else if (slice_equal(e->name, SLICE("process_name")))
        trace_threads_name_process(&t->threads, thread, name);
}

/* clang's sum over all slices of a name, which it writes as a slice. */
static bool is_sum(const struct event *e)
{
    return slice_starts(e->name, SLICE("Total ")) && json_get(e->args, "count") &&
           json_get(e->args, "avg ms");
}

static struct frame frame_of(const struct trace *t, const struct event *e)
{
    struct frame f = {.name = e->name, .kind = FRAME_PLAIN};

    if (!f.name.len)
        f.name = SLICE("(unnamed)");
    if (t->content->options->srcline) {
        const struct json_value *line = json_get(e->args, "funcLine");

        f.file = json_text(json_get(e->args, "url"));
        json_u64(line ? line : json_get(e->args, "line"), &f.line);
    }
    return f;
}

static bool read_slice(struct trace *t, uint32_t thread, const struct event *e, uint64_t at)
{
    struct frame f;
    int64_t ns, length = 0;

    if (!trace_time_get(e->ts, &ns))
        return bad(t, at);
    if (e->phase.ptr[0] == 'E')
        return trace_slices_end(&t->slices, thread, ns, e->name);
    f = frame_of(t, e);
    if (e->phase.ptr[0] == 'B')
        return trace_slices_begin(&t->slices, thread, ns, &f);
    if (is_sum(e))
        return true;
    if (!trace_time_get(e->dur, &length) && !trace_time_get(e->tdur, &length) &&
        (e->dur || e->tdur))
        return bad(t, at);
    if (length < 0)
        return bad(t, at);
    return trace_slices_whole(&t->slices, thread, ns, length, &f);
}

static bool read_event(struct trace *t, const struct json_value *v, uint64_t at)
{
    struct event e;
    uint32_t thread;

    read_members(v, &e);
    if (v->type != JSON_OBJECT || e.phase.len != 1)
        return bad(t, at);
    thread = trace_threads_get(&t->threads, e.pid, e.tid);
    switch (e.phase.ptr[0]) {
    case 'B':
    case 'E':
    case 'X':
        return read_slice(t, thread, &e, at);
    case 'M':
        read_name(t, thread, &e);
        return true;
    case 'P':
    case 'I':
    case 'i':
        if (trace_profiles_is(e.name))
            trace_profiles_add(&t->profiles, thread, e.name, e.id, e.args);
        return true;
    case 'b':
    case 'S':
        t->async++;
        return true;
    default:
        return true;
    }
}

static bool read_sample(struct trace *t, const struct json_value *v, uint64_t at)
{
    struct slice frame;
    struct event e;
    int64_t ns;

    read_members(v, &e);
    if (!trace_samples_read(v, &ns, &frame))
        return bad(t, at);
    return trace_samples_add(&t->samples, trace_threads_get(&t->threads, e.pid, e.tid), ns, frame);
}

/* ---- the file ------------------------------------------------------------------------------ */

static bool wanted_one_by_one(void *context, struct slice key)
{
    (void)context;
    return slice_equal(key, SLICE("traceEvents")) || slice_equal(key, SLICE("stackFrames")) ||
           slice_equal(key, SLICE("samples"));
}

/* What the trace says about itself. */
static void read_metadata(struct trace *t, const struct json_value *v)
{
    static const struct {
        const char *member, *fact;
    } known[] = {
        {"command_line", "command"},
        {"command-line", "command"},
        {"trace-capture-datetime", "captured on"},
        {"startTime", "captured on"},
        {"product-version", "program"},
        {"os-name", "os release"},
        {"cpu-brand", "cpudesc"},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        struct slice text = json_text(json_get(v, known[i].member));

        if (text.len)
            profile_add_fact(t->content->profile, slice_str(known[i].fact), text);
    }
}

static bool read_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct trace *t = context;

    if (slice_equal(parent, SLICE("stackFrames")))
        return trace_samples_frame(&t->samples, v) || bad(t, at);
    if (slice_equal(parent, SLICE("samples")))
        return read_sample(t, v, at);
    if (parent.len || !v->key.len)
        return read_event(t, v, at);
    if (slice_equal(v->key, SLICE("metadata")) || slice_equal(v->key, SLICE("otherData")))
        read_metadata(t, v);
    return true;
}

static void tell(struct trace *t)
{
    struct diag *diag = t->content->diag;

    t->content->profile->ledger.unreadable += t->bad + t->slices.unmatched;
    if (t->bad)
        diag_add(diag, DIAG_WARNING, DIAG_AT_BYTE(t->first_bad),
                 "an event or sample without a phase, a time or a length that is one ends here, "
                 "the first of %lu; skipped",
                 (unsigned long)t->bad);
    if (t->slices.unmatched)
        diag_add(diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%lu events end a slice that is not the innermost open one; skipped",
                 (unsigned long)t->slices.unmatched);
    if (t->slices.unclosed)
        diag_add(diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%lu slices are never ended; they last as long as their threads do",
                 (unsigned long)t->slices.unclosed);
    if (t->slices.overlapping)
        diag_add(diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%lu slices go on behind the end of the one they began in; the rest of each "
                 "stands beside it",
                 (unsigned long)t->slices.overlapping);
    if (t->async)
        diag_add(diag, DIAG_NOTE, DIAG_AT_FILE,
                 "%lu asynchronous slices are not drawn: they are on no thread's stack",
                 (unsigned long)t->async);
}

static bool finish(struct trace *t)
{
    size_t before;
    bool sampled = t->samples.count > 0;

    if (!trace_slices_pair(&t->slices) || !trace_profiles_finish(&t->profiles))
        return false;
    before = t->content->profile->series.count;
    if (sampled &&
        !trace_samples_finish(&t->samples, before || trace_slices_any(&t->slices) ? SLICE("samples")
                                                                                  : SLICE("")))
        return false;
    if (!trace_slices_nest(&t->slices, before || sampled ? SLICE("slices") : SLICE("")))
        return false;
    tell(t);
    return true;
}

static bool read_trace(struct content *content)
{
    struct trace t = {.content = content};
    struct json_handler handler = {.context = &t, .each = wanted_one_by_one, .value = read_value};
    bool good;

    builder_init(&t.builder, content->profile, content->options, content->diag);
    trace_threads_init(&t.threads);
    trace_slices_init(&t.slices, &t.builder, &t.threads);
    trace_samples_init(&t.samples, &t.builder, &t.threads);
    trace_profiles_init(&t.profiles, &t.builder, &t.threads);
    good = json_read(content, &handler) && finish(&t);
    trace_profiles_release(&t.profiles);
    trace_samples_release(&t.samples);
    trace_slices_release(&t.slices);
    trace_threads_release(&t.threads);
    builder_release(&t.builder);
    return good;
}

static bool claims(const struct head *head)
{
    return head_has(head, "traceEvents") ||
           slice_equal(head_text(head, "metadata.dataOrigin"), SLICE("TraceEvents")) ||
           (head_has(head, "[].ph") && (head_has(head, "[].ts") || head_has(head, "[].pid")));
}

const struct format format_trace_event = {
    .name = "trace-event",
    .family = FORMAT_BROWSERS,
    .description =
        "trace events as JSON: Chrome and its developer tools, clang -ftime-trace, Node, "
        "Hermes, uftrace, Perfetto, PyTorch",
    .recognised = "JSON with 'traceEvents', or an array of objects with 'ph' and 'ts'",
    .example = "clang -ftime-trace -c app.c; uftrace dump --chrome; Performance tab of Chrome",
    .without_stacks = "it has no slices (B and E, or X) that take time, and no samples",
    .claims = claims,
    .read = read_trace,
};
