/*
 * The text dump of a Windows trace: xperf -i x.etl -symbols -a dumper.
 *
 *     BeginHeader
 *       SampledProfile, TimeStamp, Process Name ( PID), ThreadID, PrgrmCtr, CPU, Image!Function
 *       Stack, TimeStamp, ThreadID, No., Address, Image!Function
 *     EndHeader
 *     OS Version: ..., Trace Start: ...
 *       SampledProfile, 2000, app.exe (5120), 7044, 0x00007ff600001234, 1, app.exe!paint
 *       Stack, 2000, 7044, 1, 0x00007ff600001234, app.exe!paint
 *
 * The header states the columns of each type of event. The rows of a stack,
 * leaf first, refer to their event by thread and time and follow some events
 * later; the kernel and the user part are two groups of rows. So the last
 * XPERF_WINDOW events wait for their stacks. An event without a stack keeps its
 * own Image!Function, or counts as without frames.
 *
 * SampledProfile becomes the series "SampledProfile" (Count, or 1 without that
 * column). CSwitch becomes the series "CSwitch": the microseconds that the
 * thread switched in had been off the CPU (TmSinceLast), at its stack. The
 * process is the first frame. Samples of the idle process are skipped and
 * counted in a fact. Other types of events and their stacks have no weight and
 * are skipped. Grammar: google/UIforETW, bin/xperf_to_collapsedstacks.py.
 */
#include "input/build/sample.h"
#include "input/parse/csv.h"
#include "input/format.h"
#include "input/formats/desktop/windows.h"

enum { XPERF_WINDOW = 4096 };

enum xperf_series { XPERF_SAMPLES, XPERF_SWITCHES, XPERF_SERIES };

/* The required columns, by their names in the header. */
enum xperf_column {
    XPERF_TIME,
    XPERF_PROCESS,
    XPERF_THREAD,
    XPERF_FUNCTION,
    XPERF_WEIGHT,
    XPERF_COLUMNS
};

static const struct {
    struct slice type; /* including the comma after it */
    const char *event;
    const char *columns[XPERF_COLUMNS];
    struct unit unit;
} types[XPERF_SERIES] = {
    [XPERF_SAMPLES] = {{"SampledProfile,", 15},
                       "SampledProfile",
                       {"TimeStamp", "Process Name ( PID)", "ThreadID", "Image!Function", "Count"},
                       {.kind = UNIT_COUNT, .noun = {"samples", 7}}},
    [XPERF_SWITCHES] = {{"CSwitch,", 8},
                        "CSwitch",
                        {"TimeStamp", "New Process Name ( PID)", "New TID", "", "TmSinceLast"},
                        {.kind = UNIT_SECONDS, .exponent = -6}},
};

struct xperf_table {
    size_t at[XPERF_COLUMNS];
    size_t count; /* number of columns, 0 if the header does not name the type */
};

/* An event that waits for its stack. */
struct xperf_event {
    enum xperf_series series;
    uint64_t time, tid;
    struct decimal weight;
    struct slice process, thread; /* as written, in xperf.texts */
    struct slice function;        /* of a sample: as written, in xperf.texts */
    VEC(uint32_t) frames;         /* entries of the builder, leaf first */
};

struct xperf {
    struct sample sample;
    struct xperf_table tables[XPERF_SERIES];
    struct xperf_event events[XPERF_WINDOW];
    size_t first, count;      /* of the waiting events, in a ring */
    struct xperf_event *open; /* the event whose stack rows are being read, or NULL */
    uint64_t open_time, open_tid;
    bool in_stack;
    bool in_header;
    VEC(struct slice) cells;
    uint64_t idle;
};

static bool xperf_claims(const struct head *head)
{
    bool begun = false;

    head_each (line, head) {
        line = slice_trim(line);
        if (!begun && line.len && !slice_equal(line, SLICE("BeginHeader")))
            return false;
        begun = begun || line.len;
        if (begun && slice_has(line, SLICE(" TimeStamp")))
            return true;
    }
    return false;
}

/* ---- the header ---------------------------------------------------------------------------- */

static void read_heading(struct xperf *x, struct slice line)
{
    for (size_t i = 0; i < XPERF_SERIES; i++) {
        struct xperf_table *table = &x->tables[i];
        struct slice cell, rest = line;

        if (!slice_starts(line, types[i].type))
            continue;
        *table = (struct xperf_table){0};
        for (size_t k = 0; k < XPERF_COLUMNS; k++)
            table->at[k] = CSV_NONE;
        while (slice_cut(&rest, ',', &cell)) {
            cell = slice_trim(cell);
            for (size_t k = 0; k < XPERF_COLUMNS; k++)
                if (slice_equal(cell, slice_str(types[i].columns[k])))
                    table->at[k] = table->count;
            table->count++;
        }
    }
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* Returns the index of the next ", ", or s.len. */
static size_t next_comma(struct slice s)
{
    size_t at = slice_find(s, ',');

    while (at < s.len && (at + 1 == s.len || s.ptr[at + 1] != ' '))
        at += 1 + slice_find(slice_skip(s, at + 1), ',');
    return at;
}

/*
 * Splits a row at ", ". A comma without a blank belongs to a function's name;
 * so do cells beyond those of the heading.
 */
static void split_row(struct xperf *x, const struct xperf_table *t, struct slice line)
{
    size_t function = t->at[XPERF_FUNCTION], more;

    vec_clear(&x->cells);
    for (;;) {
        size_t comma = next_comma(line);

        *vec_add(&x->cells) = slice_trim(slice_take(line, comma));
        if (comma == line.len)
            break;
        line = slice_skip(line, comma + 2);
    }
    if (x->cells.count <= t->count || function == CSV_NONE)
        return;
    more = x->cells.count - t->count;
    x->cells.items[function].len =
        (size_t)(x->cells.items[function + more].ptr - x->cells.items[function].ptr) +
        x->cells.items[function + more].len;
    for (size_t i = function + 1; i < t->count; i++)
        x->cells.items[i] = x->cells.items[i + more];
    x->cells.count = t->count;
}

static struct slice cell_of(const struct xperf *x, const struct xperf_table *t,
                            enum xperf_column column)
{
    return t->at[column] < x->cells.count ? x->cells.items[t->at[column]] : SLICE("");
}

static struct slice keep(struct xperf *x, struct slice text)
{
    return intern_get(&x->sample.texts, intern_add(&x->sample.texts, text));
}

static void push_process(struct xperf *x, const struct xperf_event *e, const struct origin *origin)
{
    if (x->sample.builder.options->names != NAMES_REFERENCE) {
        windows_push_process(&x->sample.builder, origin, &x->sample.scratch);
        return;
    }
    buf_clear(&x->sample.scratch);
    windows_add_reference_process(&x->sample.scratch, e->process, e->thread);
    builder_name(&x->sample.builder, buf_slice(&x->sample.scratch), FRAME_OWNER);
}

/* Returns the entry of a frame, named as the options ask for. */
static uint32_t frame_entry(struct xperf *x, struct slice text)
{
    struct frame f;
    uint32_t entry;

    if (frame_cache_find(&x->sample.known, text, &entry))
        return entry;
    f = windows_frame(text);
    if (x->sample.builder.options->names == NAMES_REFERENCE) {
        buf_clear(&x->sample.scratch);
        windows_add_reference(&x->sample.scratch, text);
        f = (struct frame){.name = buf_slice(&x->sample.scratch), .kind = FRAME_PLAIN};
    }
    entry = builder_entry(&x->sample.builder, &f);
    frame_cache_add(&x->sample.known, entry);
    return entry;
}

/* Adds the event that has waited longest. */
static bool add_event(struct xperf *x)
{
    struct xperf_event *e = &x->events[x->first];
    struct builder *b = &x->sample.builder;
    struct origin origin = {.event = slice_str(types[e->series].event)};
    uint32_t series;

    windows_process(e->process, &origin);
    origin.tid = e->thread;
    series = builder_series(b, &origin, types[e->series].unit);
    if (!e->frames.count && e->function.len)
        *vec_add(&e->frames) = frame_entry(x, e->function);
    if (!e->frames.count)
        builder_note_bare(b, series, 1);
    builder_begin(b);
    push_process(x, e, &origin);
    builder_leaf_first(b);
    vec_each (uint32_t, frame, &e->frames)
        builder_push(b, *frame);
    vec_clear(&e->frames);
    x->first = (x->first + 1) % XPERF_WINDOW;
    x->count--;
    builder_time(b, series, e->time > UINT64_MAX / 1000 ? UINT64_MAX : e->time * 1000);
    return builder_add_decimal(b, series, e->weight);
}

static bool bad_row(struct text *t, struct slice row)
{
    return text_skip_line(t, "the row does not have the columns of its heading", row);
}

static bool read_event(struct text *t, struct xperf *x, enum xperf_series series, struct slice line)
{
    const struct xperf_table *table = &x->tables[series];
    struct xperf_event e = {.series = series, .weight = {.value = 1}};
    struct origin origin = {0};
    struct xperf_event *waiting;

    split_row(x, table, line);
    windows_process(cell_of(x, table, XPERF_PROCESS), &origin);
    if (!num_parse_u64(cell_of(x, table, XPERF_TIME), &e.time) ||
        !num_parse_u64(cell_of(x, table, XPERF_THREAD), &e.tid) ||
        (table->at[XPERF_WEIGHT] != CSV_NONE &&
         (!cell_of(x, table, XPERF_WEIGHT).len ||
          !csv_decimal(cell_of(x, table, XPERF_WEIGHT), &e.weight))))
        return bad_row(t, line);
    if (windows_idle(&origin)) {
        x->idle++;
        return true;
    }
    if (x->count == XPERF_WINDOW && !add_event(x))
        return false;
    e.process = keep(x, cell_of(x, table, XPERF_PROCESS));
    e.thread = keep(x, cell_of(x, table, XPERF_THREAD));
    e.function = keep(x, cell_of(x, table, XPERF_FUNCTION));
    waiting = &x->events[(x->first + x->count++) % XPERF_WINDOW];
    e.frames = waiting->frames;
    *waiting = e;
    return true;
}

/* Returns the latest waiting event of a thread and time. */
static struct xperf_event *find_event(struct xperf *x, uint64_t time, uint64_t tid)
{
    for (size_t i = x->count; i > 0; i--) {
        struct xperf_event *e = &x->events[(x->first + i - 1) % XPERF_WINDOW];

        if (e->time == time && e->tid == tid)
            return e;
    }
    return NULL;
}

/* Takes the next column off a row of a stack. */
static bool next_number(struct slice *rest, uint64_t *number)
{
    enum { WORD = 8 };
    struct slice cell, at = slice_trim_left(*rest);
    unsigned digits = at.len ? num_take_digits(at.ptr, number) : 0;

    if (digits && digits < WORD && at.ptr[digits] == ',') {
        *rest = slice_skip(at, digits + 1);
        return true;
    }
    return slice_cut(rest, ',', &cell) && num_parse_u64(slice_trim(cell), number);
}

static bool read_stack_row(struct text *t, struct xperf *x, struct slice row)
{
    uint64_t time, tid, number;
    struct slice address, rest = row;

    if (!next_number(&rest, &time) || !next_number(&rest, &tid) || !next_number(&rest, &number) ||
        !slice_cut(&rest, ',', &address))
        return bad_row(t, row);
    if (!x->in_stack || time != x->open_time || tid != x->open_tid) {
        x->open = find_event(x, time, tid);
        x->open_time = time;
        x->open_tid = tid;
        x->in_stack = true;
    }
    if (x->open)
        *vec_add(&x->open->frames) = frame_entry(x, slice_trim(rest));
    return true;
}

static bool xperf_line(struct text *t, void *state, struct slice line)
{
    const struct slice stack = SLICE("Stack,");
    struct xperf *x = state;

    line = slice_trim(line);
    if (!x->in_header && slice_starts(line, stack))
        return read_stack_row(t, x, slice_skip(line, stack.len));
    if (slice_equal(line, SLICE("BeginHeader")) || slice_equal(line, SLICE("EndHeader"))) {
        x->in_header = line.ptr[0] == 'B';
        return true;
    }
    if (x->in_header) {
        read_heading(x, line);
        return true;
    }
    x->in_stack = false;
    for (size_t i = 0; i < XPERF_SERIES; i++)
        if (slice_starts(line, types[i].type))
            return x->tables[i].count
                       ? read_event(t, x, (enum xperf_series)i, line)
                       : text_skip_line(t, "an event of a type that the header does not name",
                                        line);
    return true;
}

/* Orders samples before context switches. */
static unsigned sample_first(const struct series *s)
{
    return slice_equal(s->event, slice_str(types[XPERF_SWITCHES].event));
}

static bool xperf_end(struct text *t, void *state)
{
    struct xperf *x = state;

    if (x->in_header)
        return diag_error(t->diag, "the file ends before 'EndHeader'");
    while (x->count)
        if (!add_event(x))
            return false;
    profile_order_series(t->profile, sample_first);
    windows_strip_process(&x->sample.builder);
    windows_add_idle(t->profile, x->idle);
    return true;
}

static void xperf_release(void *state)
{
    struct xperf *x = state;

    for (size_t i = 0; i < XPERF_WINDOW; i++)
        vec_release(&x->events[i].frames);
    release_each(x, (vec, cells), (sample, sample));
}

const struct format format_xperf = {
    .name = "xperf",
    .family = FORMAT_SYSTEMS,
    .description = "events of a Windows trace as text, CPU samples and context switches",
    .recognised = "'BeginHeader', then a line per type of event with its columns",
    .example = "xperf -i trace.etl -symbols -o trace.txt -a dumper",
    .without_stacks = "record with stacks: xperf -on Latency -stackwalk profile+cswitch",
    .claims = xperf_claims,
    .text = {SAMPLE_STATE_READER(xperf)},
};
