/*
 * The text of Java's old profiling agent, -agentlib:hprof=cpu=samples|times.
 *
 *     JAVA PROFILE 1.0.1, created Fri Dec 18 16:33:00 2009
 *     THREAD START (obj=50000127, id = 200001, name="main", group="main")
 *     TRACE 300160: (thread=200001)
 *     	java.net.PlainSocketImpl.socketAccept(PlainSocketImpl.java:Unknown line)
 *     CPU SAMPLES BEGIN (total = 266) Mon Mar 27 23:52:28 2017
 *     rank   self  accum   count trace method
 *        1 45,49% 45,49%     121 300160 java.net.PlainSocketImpl.socketAccept
 *     CPU SAMPLES END
 *
 * The frames of a trace are leaf first; the tables that follow give weights to
 * traces by number. CPU SAMPLES becomes the series "samples". CPU TIME counts
 * calls (series "calls") and gives each time only as a percentage with two
 * decimals: the series "time" is that share of the total in milliseconds, and
 * is marked as estimated. SITES becomes series of allocated and of live memory,
 * with the class as leaf. The tables of several dumps in one file are added up,
 * because the agent resets its counters after each dump. The thread is the
 * first frame if the traces name it (thread=y). A row whose trace is missing
 * keeps its method.
 *
 * --names=reference gives what stackcollapse-hprof of github.com/cykl/
 * hprof2flamegraph prints: names include lines, and "Thread N" is the first frame.
 */
#include "input/core/cut_off.h"
#include "input/parse/csv.h"
#include "input/format.h"
#include "input/build/java.h"

enum {
    HPROF_SHARE = 1,    /* index of the word with the share, "45.49%" */
    HPROF_MEASURES = 4, /* most measures of one table */
};

struct hprof_measure {
    const char *event;
    struct unit unit;
    size_t word; /* index in a row; HPROF_SHARE: that share of the table's total */
};

/* A table, found by the line that begins it. */
static const struct hprof_table {
    struct slice begin, end;
    size_t trace; /* index of the word with the trace's number */
    bool leaf;    /* the class after the trace's number is the leaf */
    struct hprof_measure measures[HPROF_MEASURES];
} tables[] = {
    {{"CPU SAMPLES BEGIN", 17},
     {"CPU SAMPLES END", 15},
     4,
     false,
     {{"samples", {.noun = {"samples", 7}}, 3}}},
    {{"CPU TIME (ms) BEGIN", 19},
     {"CPU TIME (ms) END", 17},
     4,
     false,
     {{"time", {.kind = UNIT_SECONDS, .exponent = -3}, HPROF_SHARE},
      {"calls", {.noun = {"calls", 5}}, 3}}},
    {{"SITES BEGIN", 11},
     {"SITES END", 9},
     7,
     true,
     {{"allocated", {.kind = UNIT_BYTES}, 5},
      {"allocated objects", {.noun = {"objects", 7}}, 6},
      {"live", {.kind = UNIT_BYTES}, 3},
      {"live objects", {.noun = {"objects", 7}}, 4}}},
};

enum { TABLES = sizeof(tables) / sizeof(tables[0]) };

/* A trace: a range of `frames`, leaf first. */
struct hprof_trace {
    size_t from, to;
    uint32_t thread; /* MAP_NONE if the trace does not name one */
};

struct hprof {
    struct sample sample;
    struct intern trace_ids; /* numbers as written; the intern id is the trace's index */
    VEC(struct hprof_trace) traces;
    VEC(uint32_t) frames;     /* entries of the builder */
    struct intern thread_ids; /* numbers as written; the intern id is the thread's index */
    struct intern thread_names;
    VEC(uint32_t) name_of;           /* by thread: its name in thread_names, or MAP_NONE */
    uint32_t open;                   /* the trace being read, or MAP_NONE */
    const struct hprof_table *table; /* the table being read, or NULL */
    uint64_t total, sum;             /* of its first measure, as stated and as summed up */
    uint64_t tables;
};

/* Line meaning: a frame. */
enum { HPROF_FRAME = 1 };

static bool hprof_claims(const struct head *head)
{
    enum { LINE = 64 };
    struct slice line = slice_take(head->bytes, LINE);

    return slice_starts(line, SLICE("JAVA PROFILE 1.0.")) && slice_has(line, SLICE(", created "));
}

/* ---- threads and traces -------------------------------------------------------------------- */

static uint32_t thread_of(struct hprof *h, struct slice id)
{
    uint32_t thread = intern_add(&h->thread_ids, id);

    if (thread == h->name_of.count)
        *vec_add(&h->name_of) = MAP_NONE;
    return thread;
}

/* "(obj=50000127, id = 200001, name="main", group="main")" */
static void read_thread(struct hprof *h, struct slice line)
{
    const struct slice id_key = SLICE(" id = "), name_key = SLICE(" name=\"");
    struct slice id = slice_skip(line, slice_search(line, id_key) + id_key.len);
    struct slice name = slice_skip(line, slice_search(line, name_key) + name_key.len);
    size_t end = slice_search(name, SLICE("\", group="));
    uint32_t thread;

    id = slice_trim(slice_take(id, slice_find(id, ',')));
    if (!id.len)
        return;
    thread = thread_of(h, id);
    if (end == name.len)
        end = slice_find(name, '"');
    h->name_of.items[thread] = intern_add(&h->thread_names, slice_take(name, end));
}

/* "300160: (thread=200001)" */
static void begin_trace(struct hprof *h, struct slice line)
{
    const struct slice key = SLICE("(thread=");
    struct slice thread = slice_skip(line, slice_search(line, key) + key.len);
    struct hprof_trace *trace;

    h->open = intern_add(&h->trace_ids, slice_trim(slice_take(line, slice_find(line, ':'))));
    if (h->open == h->traces.count)
        vec_add(&h->traces);
    trace = &h->traces.items[h->open];
    *trace = (struct hprof_trace){h->frames.count, h->frames.count, MAP_NONE};
    thread = slice_take(thread, slice_find(thread, ')'));
    if (thread.len)
        trace->thread = thread_of(h, thread);
}

static void push_entry(struct hprof *h, uint32_t entry)
{
    *vec_add(&h->frames) = entry;
    h->traces.items[h->open].to = h->frames.count;
}

static void push_frame(struct text *t, struct hprof *h, struct slice text)
{
    struct buf *scratch = &h->sample.scratch;
    struct frame f = java_frame(text, false, scratch);

    if (slice_equal(text, SLICE("<empty>")))
        return;
    if (sample_is_reference(&h->sample)) {
        struct slice place = slice_skip(text, slice_find_last(text, ':') + 1);

        f = java_frame_reference(text);
        place = slice_take(place, slice_find(place, ')'));
        if (place.len && !slice_equal(place, SLICE("Unknown line"))) {
            buf_clear(scratch);
            buf_printf(scratch, "%.*s:%.*s", SLICE_ARG(f.name), SLICE_ARG(place));
            f.name = buf_slice(scratch);
        }
    }
    t->meaning =
        (struct line_meaning){.kind = HPROF_FRAME, .entry = builder_entry(&h->sample.builder, &f)};
    push_entry(h, t->meaning.entry);
}

/* ---- tables -------------------------------------------------------------------------------- */

/* "CPU SAMPLES BEGIN (total = 266) Mon Mar 27 ..." */
static void begin_table(struct hprof *h, const struct hprof_table *table, struct slice line)
{
    const struct slice key = SLICE("(total = ");
    struct slice total = slice_skip(line, slice_search(line, key) + key.len);

    h->table = table;
    h->tables++;
    h->sum = 0;
    if (!num_parse_u64(slice_take(total, slice_find(total, ')')), &h->total))
        h->total = 0;
    if (table->measures[0].word == HPROF_SHARE)
        profile_add_fact(
            h->sample.builder.profile, SLICE("estimated"),
            SLICE("times are computed from percentages of the total with two decimals"));
}

static void end_table(struct text *t, struct hprof *h)
{
    if (h->table->measures[0].word == 3 && h->total != h->sum)
        diag_warn_line(t->diag, t->line,
                       "the table states a total of %llu, but its rows add up to %llu",
                       (unsigned long long)h->total, (unsigned long long)h->sum);
    h->table = NULL;
}

/* Reads the weight of a measure from the words of a row. Returns false if it is not a number. */
static bool read_weight(const struct hprof *h, const struct hprof_measure *m,
                        const struct slice *words, struct decimal *weight)
{
    struct slice text = words[m->word];

    if (m->word != HPROF_SHARE) {
        *weight = (struct decimal){0};
        return num_parse_u64(text, &weight->value);
    }
    if (!slice_ends(text, SLICE("%")) || !csv_decimal(slice_take(text, text.len - 1), weight) ||
        weight->decimals + 2 > NUM_MAX_DECIMALS ||
        !num_mul(weight->value, h->total, &weight->value))
        return false;
    weight->decimals += 2;
    return true;
}

/* Opens the sample of a row; the thread is its first frame if the trace names one. */
static bool open_row(struct hprof *h, uint32_t thread)
{
    struct sample *s = &h->sample;
    uint32_t name = thread == MAP_NONE ? MAP_NONE : h->name_of.items[thread];

    s->origin = (struct origin){0};
    if (thread == MAP_NONE)
        return sample_open(s, SLICE(""));
    s->origin.tid = intern_get(&h->thread_ids, thread);
    if (name != MAP_NONE)
        s->origin.thread = intern_get(&h->thread_names, name);
    if (!sample_is_reference(s) && s->origin.thread.len)
        return java_open(s, s->origin.thread);
    buf_clear(&s->scratch);
    buf_printf(&s->scratch, "Thread %.*s", SLICE_ARG(s->origin.tid));
    return sample_open(s, buf_slice(&s->scratch));
}

/* Builds the stack of a row: its trace, or only its own method if the trace is missing. */
static bool push_row(struct text *t, struct hprof *h, struct slice id, struct slice name)
{
    uint32_t index = intern_find(&h->trace_ids, id);
    const struct hprof_trace *trace = index == MAP_NONE ? NULL : &h->traces.items[index];

    if (!trace)
        diag_warn_line(t->diag, t->line, "trace %.*s is not in the file", SLICE_ARG(id));
    if (!open_row(h, trace ? trace->thread : MAP_NONE))
        return false;
    if (name.len && (h->table->leaf || !trace)) {
        struct frame leaf = java_method(SLICE(""), name, &h->sample.scratch);

        sample_frame(&h->sample, &leaf);
    }
    for (size_t i = trace ? trace->from : 0; trace && i < trace->to; i++)
        sample_push(&h->sample, h->frames.items[i]);
    return true;
}

static bool read_row(struct text *t, struct hprof *h, struct slice line)
{
    struct slice words[8], rest = line;
    struct decimal weights[HPROF_MEASURES];

    for (size_t i = 0; i <= h->table->trace; i++)
        if (!slice_word(&rest, &words[i]))
            return text_skip(t, "malformed table row; row skipped");
    for (size_t i = 0; i < HPROF_MEASURES && h->table->measures[i].event; i++)
        if (!read_weight(h, &h->table->measures[i], words, &weights[i]))
            return text_skip(t, "malformed table row; row skipped");
    if (!push_row(t, h, words[h->table->trace], slice_trim(rest)))
        return false;
    if (!num_add(h->sum, weights[0].value, &h->sum))
        h->sum = UINT64_MAX;
    for (size_t i = 0; i < HPROF_MEASURES && h->table->measures[i].event; i++) {
        const struct hprof_measure *m = &h->table->measures[i];

        h->sample.origin.event = slice_str(m->event);
        h->sample.open = weights[i].value;
        h->sample.unit = m->unit;
        h->sample.weight = weights[i];
        if (!sample_close(&h->sample))
            return false;
    }
    return true;
}

/* ---- lines --------------------------------------------------------------------------------- */

static bool read_in_table(struct text *t, struct hprof *h, struct slice line)
{
    struct slice start = slice_trim_left(line);

    if (slice_starts(line, h->table->end)) {
        end_table(t, h);
        return true;
    }
    return !start.len || start.ptr[0] < '0' || start.ptr[0] > '9' || read_row(t, h, line);
}

static bool hprof_line(struct text *t, void *state, struct slice line)
{
    const struct slice thread = SLICE("THREAD START "), trace = SLICE("TRACE ");
    const struct slice created = SLICE(", created ");
    struct hprof *h = state;

    if (t->line == 1)
        profile_add_fact(t->profile, SLICE("captured on"),
                         slice_trim(slice_skip(line, slice_search(line, created) + created.len)));
    if (h->table)
        return read_in_table(t, h, line);
    if (h->open != MAP_NONE && line.len && line.ptr[0] == '\t') {
        push_frame(t, h, slice_trim(line));
        return true;
    }
    h->open = MAP_NONE;
    if (slice_starts(line, thread))
        read_thread(h, line);
    else if (slice_starts(line, trace) && slice_find(line, ':') < line.len)
        begin_trace(h, slice_skip(line, trace.len));
    for (size_t i = 0; i < TABLES; i++)
        if (slice_starts(line, tables[i].begin))
            begin_table(h, &tables[i], line);
    return true;
}

static enum text_again hprof_again(struct text *t, void *state, const struct line_meaning *m)
{
    struct hprof *h = state;

    (void)t;
    if (h->table || h->open == MAP_NONE)
        return TEXT_UNFIT;
    push_entry(h, m->entry);
    return TEXT_DONE;
}

static bool hprof_begin(struct text *t, void *state)
{
    struct hprof *h = state;

    sample_init(&h->sample, t->profile, t->options, t->diag);
    h->open = MAP_NONE;
    return true;
}

static bool hprof_end(struct text *t, void *state)
{
    struct hprof *h = state;

    if (h->table)
        cut_off(t, DIAG_AT_LINE(t->line),
                "the file ends in the middle of a table; it may be truncated");
    return h->tables > 0 || diag_error(t->diag, "no table of CPU SAMPLES, CPU TIME or SITES; "
                                                "record with -agentlib:hprof=cpu=samples");
}

STATE_RELEASE(hprof, (vec, traces, frames, name_of), (intern, trace_ids, thread_ids, thread_names),
              (sample, sample));

const struct format format_hprof_text = {
    .name = "hprof-text",
    .family = FORMAT_JAVA,
    .description = "text of Java's hprof agent: CPU samples, CPU times, allocation sites",
    .recognised = "'JAVA PROFILE 1.0.1, created ...' as the first line",
    .example = "java -agentlib:hprof=cpu=samples,depth=100,file=app.hprof.txt Main",
    .without_stacks = "record with more frames: -agentlib:hprof=cpu=samples,depth=100",
    .claims = hprof_claims,
    .text = {TEXT_READER(hprof), .again = hprof_again},
};
