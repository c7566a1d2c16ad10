/*
 * Intel's iaprof: samples of the threads of a GPU, by stall reason (AI flame graphs).
 *
 *     string<TAB>1<TAB>_start;main;at::addmm
 *     interval<TAB>0<TAB>100.000000
 *     kernel<TAB>0x1000<TAB>0<TAB>4711<TAB>1<TAB>2<TAB>3
 *     eustall<TAB>0x10<TAB>4<TAB>0<TAB>0<TAB>1<TAB>7<TAB>0<TAB>0<TAB>12<TAB>3<TAB>0<TAB>0
 *     metric<TAB>busy-percent<TAB>40
 *
 * A kernel has its address, the process' name and number, the stack of the CPU that launched it
 * (root first), source file and symbol; names and stacks are numbers of strings, which come before
 * their first use. The lines "eustall" below it have the offset of an instruction, its name, and
 * the samples in which it was active, then those in which it waited, by reason. The stack of a
 * sample is
 *
 *     process;CPU stack;-;file;symbol;instruction;reason;offset
 *
 * An empty file leaves its frame out. Events are the samples that waited, those that were active,
 * and all. An interval gives its end; samples have that time. The metrics "eu-stall-REASON" also
 * count samples whose kernel is not known: the difference is below "[unknown kernel]". Frequency
 * and busy share become facts.
 *
 * Source: src/profile.cpp of github.com/intel/iaprof.
 */
#include "input/build/builder.h"
#include "input/build/owners.h"
#include "input/format.h"

enum line_kind { LINE_NONE, LINE_STRING, LINE_INTERVAL, LINE_KERNEL, LINE_STALL, LINE_METRIC };

enum { ACTIVE, REASONS = 10, FIELDS = 3 + REASONS };

enum event { STALLS, BUSY, ALL, EVENTS };

static const struct slice events[EVENTS] = {{"stalls", 6}, {"active", 6}, {"all samples", 11}};

/* In the order of the columns; metrics have the names with hyphens. */
static const struct slice reasons[REASONS] = {
    {"active", 6}, {"control", 7}, {"pipestall", 9},   {"send", 4},  {"dist_acc", 8},
    {"sbid", 4},   {"sync", 4},    {"inst_fetch", 10}, {"other", 5}, {"tdr", 3},
};

/* Of a metric that is given in each interval, in thousandths. */
struct reading {
    uint64_t sum, least, most, count;
};

struct iaprof {
    struct builder builder;
    struct intern ids;       /* of strings, as written */
    VEC(struct slice) texts; /* by id; in `kept` */
    struct intern kept;
    struct origin origin; /* of the kernel */
    bool in_kernel;       /* the last kernel's line was well-formed */
    uint32_t stack;       /* of the kernel */
    uint64_t ns;          /* of the interval */
    bool has_time;
    uint64_t counted[REASONS], stated[REASONS]; /* samples of kernels; of the metrics */
    uint64_t undefined;                         /* strings */
    uint64_t unknown;                           /* samples without a kernel */
    struct reading frequency, busy;
    struct buf scratch;
};

static void iaprof_release(void *state)
{
    struct iaprof *r = state;

    release_each(r, (intern, ids, kept), (vec, texts), (buf, scratch), (builder, builder));
}

/* ---- lines --------------------------------------------------------------------------------- */

/* Splits a line at its tabs; the text of a string may contain tabs. */
static enum line_kind split(struct slice line, struct slice *fields)
{
    static const struct {
        struct slice word;
        enum line_kind kind;
        size_t fields;
    } rows[] = {
        {{"string", 6}, LINE_STRING, 3}, {{"interval", 8}, LINE_INTERVAL, 3},
        {{"kernel", 6}, LINE_KERNEL, 7}, {{"eustall", 7}, LINE_STALL, FIELDS},
        {{"metric", 6}, LINE_METRIC, 3},
    };
    struct slice rest = line;

    if (!slice_cut(&rest, '\t', &fields[0]))
        return LINE_NONE;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        size_t n = 1;

        if (!slice_equal(fields[0], rows[i].word))
            continue;
        while (n + 1 < rows[i].fields && slice_cut(&rest, '\t', &fields[n]))
            n++;
        fields[n] = rest;
        if (n + 1 < rows[i].fields ||
            (rows[i].kind != LINE_STRING && slice_find(rest, '\t') < rest.len))
            return LINE_NONE;
        return rows[i].kind;
    }
    return LINE_NONE;
}

static void define(struct iaprof *r, struct slice id, struct slice text)
{
    uint32_t index = intern_add(&r->ids, id);

    text = intern_get(&r->kept, intern_add(&r->kept, text));
    if (index == r->texts.count)
        *vec_add(&r->texts) = text;
    else
        r->texts.items[index] = text;
}

static struct slice text_of(struct iaprof *r, struct slice id)
{
    uint32_t index = intern_find(&r->ids, id);

    if (index != MAP_NONE)
        return r->texts.items[index];
    r->undefined++;
    return SLICE("[unknown]");
}

/* ---- stacks -------------------------------------------------------------------------------- */

static void push_process(struct iaprof *r)
{
    const struct input_options *o = r->builder.options;

    buf_clear(&r->scratch);
    buf_add_slice(&r->scratch, r->origin.process);
    if (o->pid || o->tid)
        buf_printf(&r->scratch, "-%.*s", SLICE_ARG(r->origin.pid));
    builder_name(&r->builder, buf_slice(&r->scratch), FRAME_OWNER);
}

static void push_cpu_stack(struct iaprof *r, struct slice stack)
{
    while (stack.len) {
        struct frame f = {.kind = FRAME_NATIVE};

        if (!slice_cut(&stack, ';', &f.name)) {
            f.name = stack;
            stack.len = 0;
        }
        if (slice_starts(f.name, SLICE("0x")) && num_parse_hex(slice_skip(f.name, 2), &f.address)) {
            f.has_address = true;
            f.name = SLICE("");
        }
        builder_frame(&r->builder, &f);
    }
}

static uint32_t device_entry(struct iaprof *r, struct slice name, enum frame_kind kind,
                             enum symbol_class class)
{
    struct frame f = {.name = name, .kind = kind, .class = class, .has_class = true};

    return builder_entry(&r->builder, &f);
}

/* kernel ADDRESS COMM PID STACK FILE SYMBOL */
static bool read_kernel(struct iaprof *r, const struct slice *fields)
{
    struct builder *b = &r->builder;
    struct slice file = text_of(r, fields[5]), pid = fields[3];

    r->origin = (struct origin){
        .process = text_of(r, fields[2]),
        .pid = intern_get(&r->kept, intern_add(&r->kept, pid)),
    };
    builder_begin(b);
    push_process(r);
    push_cpu_stack(r, text_of(r, fields[4]));
    builder_frame(
        b, &(struct frame){.name = SLICE("-"), .kind = FRAME_PLAIN, .class = SYMBOL_SEPARATOR});
    if (file.len)
        builder_push(b, device_entry(r, file, FRAME_PLAIN, SYMBOL_DEVICE));
    builder_push(b, device_entry(r, text_of(r, fields[6]), FRAME_NATIVE, SYMBOL_DEVICE));
    r->in_kernel = true;
    return builder_stack(b, &r->stack);
}

static bool add_event(struct iaprof *r, enum event event, uint32_t stack, uint64_t samples)
{
    struct builder *b = &r->builder;
    uint32_t series;

    r->origin.event = events[event];
    series = builder_series(b, &r->origin, unit_samples);
    if (series == BUILDER_LEFT_OUT) { /* then so are the other events: count the sample once */
        if (event == ALL)
            builder_count(b, series, samples);
        return true;
    }
    if (r->has_time)
        builder_time(b, series, r->ns);
    if (!builder_add_at(b, series, stack, (struct decimal){.value = samples}))
        return false;
    builder_count(b, series, samples - 1);
    return true;
}

/* Adds samples of a reason; `entry` is of the offset, or MAP_NONE. */
static bool add_samples(struct iaprof *r, uint32_t stack, int reason, uint32_t entry,
                        uint64_t samples)
{
    struct builder *b = &r->builder;
    uint32_t why = device_entry(r, reasons[reason], FRAME_PLAIN, SYMBOL_DEVICE_INSTRUCTION);

    return builder_child_entry(b, stack, why, &stack) &&
           (entry == MAP_NONE || builder_child_entry(b, stack, entry, &stack)) &&
           add_event(r, reason == ACTIVE ? BUSY : STALLS, stack, samples) &&
           add_event(r, ALL, stack, samples);
}

/* eustall OFFSET INSTRUCTION SAMPLES... */
static bool read_stall(struct text *t, struct iaprof *r, const struct slice *fields,
                       struct slice line)
{
    uint64_t samples[REASONS];
    uint32_t stack, offset;

    for (int i = 0; i < REASONS; i++)
        if (!num_parse_u64(fields[3 + i], &samples[i]))
            return text_skip_line(t, "expected numbers of samples", line);
    if (!r->in_kernel)
        return text_skip_line(t, "expected a kernel before its samples", line);
    if (!builder_child_entry(
            &r->builder, r->stack,
            device_entry(r, text_of(r, fields[2]), FRAME_PLAIN, SYMBOL_DEVICE_INSTRUCTION), &stack))
        return false;
    offset = device_entry(r, fields[1], FRAME_PLAIN, SYMBOL_DEVICE_INSTRUCTION);
    for (int i = 0; i < REASONS; i++) {
        if (!samples[i])
            continue;
        if (__builtin_add_overflow(r->counted[i], samples[i], &r->counted[i]))
            return text_fail(t, PROFILE_TOO_HEAVY);
        if (!add_samples(r, stack, i, offset, samples[i]))
            return false;
    }
    return true;
}

/* ---- metrics ------------------------------------------------------------------------------- */

static void take_reading(struct reading *m, struct decimal number)
{
    enum { THOUSANDTHS = 3, MOST = 1000000 };
    uint64_t value = number.value;

    if (number.decimals > THOUSANDTHS)
        value /= num_pow10(number.decimals - THOUSANDTHS);
    else if (value <= MOST)
        value *= num_pow10(THOUSANDTHS - number.decimals);
    if (value > (uint64_t)MOST * MOST || m->count >= MOST * (uint64_t)THOUSANDTHS)
        return;
    m->least = !m->count || value < m->least ? value : m->least;
    m->most = value > m->most ? value : m->most;
    m->sum += value;
    m->count++;
}

/* Whether "eu-stall-dist-acc" is the metric of "dist_acc". */
static bool is_metric_of(struct slice name, struct slice reason)
{
    if (!slice_starts(name, SLICE("eu-stall-")))
        return false;
    name = slice_skip(name, strlen("eu-stall-"));
    for (size_t i = 0; i < reason.len; i++)
        if (i >= name.len || (reason.ptr[i] == '_' ? '-' : reason.ptr[i]) != name.ptr[i])
            return false;
    return name.len == reason.len;
}

static bool read_metric(struct text *t, struct iaprof *r, const struct slice *fields,
                        struct slice line)
{
    struct decimal number;
    uint64_t samples;
    bool negative;

    if (!num_parse_number(fields[2], &number, &negative) || negative)
        return text_skip_line(t, "expected a number for the metric", line);
    if (slice_equal(fields[1], SLICE("frequency-MHz")))
        take_reading(&r->frequency, number);
    if (slice_equal(fields[1], SLICE("busy-percent")))
        take_reading(&r->busy, number);
    for (int i = 0; i < REASONS; i++)
        if (is_metric_of(fields[1], reasons[i]) && num_parse_u64(fields[2], &samples) &&
            __builtin_add_overflow(r->stated[i], samples, &r->stated[i]))
            return text_fail(t, PROFILE_TOO_HEAVY);
    return true;
}

static bool iaprof_line(struct text *t, void *state, struct slice line)
{
    struct slice fields[FIELDS];
    struct iaprof *r = state;

    switch (split(line, fields)) {
    case LINE_STRING:
        define(r, fields[1], fields[2]);
        return true;
    case LINE_INTERVAL:
        r->in_kernel = false;
        r->has_time = num_parse_fixed(fields[2], 9, &r->ns);
        return r->has_time || text_skip_line(t, "an interval has no time", line);
    case LINE_KERNEL:
        return read_kernel(r, fields);
    case LINE_STALL:
        return read_stall(t, r, fields, line);
    case LINE_METRIC:
        return read_metric(t, r, fields, line);
    default:
        break;
    }
    return !slice_trim(line).len || text_skip_line(t, "expected a line of iaprof", line);
}

/* ---- the end ------------------------------------------------------------------------------- */

/* Adds the fact "GPU busy": "50% (40% to 60%)". */
static void add_fact(struct iaprof *r, struct slice key, const struct reading *m, const char *unit)
{
    struct buf text = {0};

    if (!m->count)
        return;
    num_write_grouped(&text, (m->sum + m->count / 2) / m->count, 3);
    buf_printf(&text, "%s (", unit);
    num_write_grouped(&text, m->least, 3);
    buf_printf(&text, "%s to ", unit);
    num_write_grouped(&text, m->most, 3);
    buf_printf(&text, "%s)", unit);
    profile_add_fact(r->builder.profile, key, buf_slice(&text));
    buf_release(&text);
}

/* Adds the samples whose kernel iaprof did not know. */
static bool add_unknown(struct iaprof *r)
{
    struct builder *b = &r->builder;
    uint32_t entry = device_entry(r, SLICE("[unknown kernel]"), FRAME_PLAIN, SYMBOL_DEVICE);

    r->origin = (struct origin){0};
    for (int i = 0; i < REASONS; i++) {
        uint64_t samples = r->stated[i] > r->counted[i] ? r->stated[i] - r->counted[i] : 0;
        uint32_t stack;

        r->unknown += samples;
        if (samples && (!builder_child_entry(b, STACK_ROOT, entry, &stack) ||
                        !add_samples(r, stack, i, MAP_NONE, samples)))
            return false;
    }
    diag_warn_count(b->diag, r->unknown,
                    "the kernel of # sample{|s} is not in the recording; shown below "
                    "[unknown kernel]");
    return true;
}

static unsigned rank(const struct series *s)
{
    unsigned i = 0;

    while (i < EVENTS && !slice_equal(s->event, events[i]))
        i++;
    return i;
}

static bool iaprof_end(struct text *t, void *state)
{
    struct iaprof *r = state;
    const struct input_options *o = t->options;

    if (!add_unknown(r))
        return false;
    diag_warn_count(t->diag, r->undefined, "# name{ is|s are} not defined; shown as [unknown]");
    add_fact(r, SLICE("GPU frequency"), &r->frequency, " MHz");
    add_fact(r, SLICE("GPU busy"), &r->busy, "%");
    vec_each (struct series, series, &t->profile->series)
        series->kind = SLICE("gpu"); /* "stalls" are those of a GPU, not of a CPU */
    profile_order_series(t->profile, rank);
    if (!o->pid && !o->tid && !r->unknown)
        owners_strip(t->profile, 1);
    return true;
}

/* ---- the format ---------------------------------------------------------------------------- */

/* All lines must fit. The strings of a long file may fill its first bytes. */
static bool iaprof_claims(const struct head *head)
{
    enum { LINES = 1000, FEW = 3 };
    struct slice fields[FIELDS];
    size_t strings = 0;
    uint64_t number;

    head_each_of (line, head, LINES) {
        enum line_kind kind = split(line, fields);

        if (kind == LINE_INTERVAL)
            return num_parse_u64(fields[1], &number) && num_parse_fixed(fields[2], 9, &number);
        if (kind == LINE_STRING)
            strings += num_parse_u64(fields[1], &number) && number == strings;
        else if (kind != LINE_KERNEL && kind != LINE_STALL && kind != LINE_METRIC)
            return false;
    }
    return strings >= FEW;
}

const struct format format_iaprof = {
    .name = "iaprof",
    .family = FORMAT_DEVICES,
    .description = "Intel's iaprof: GPU instructions and why they wait, below the code that "
                   "launched them",
    .recognised = "lines of 'string', 'interval', 'kernel', 'eustall' and 'metric' with tabs",
    .example = "sudo iaprof > app.iaprof   # Ctrl-C ends it",
    .claims = iaprof_claims,
    .text = {BUILDER_READER(iaprof, builder)},
};
