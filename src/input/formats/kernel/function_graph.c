/*
 * Calls and their durations: Linux' tracer function_graph, trace-cmd report of it, uftrace replay.
 *
 *      0)  app-12   |               |  do_sys_open() {        CPU, task (if asked for), duration
 *      0)  app-12   |   1.382 us    |    getname();
 *      0)  app-12   | + 14.478 us   |  }
 *
 *      app-12 [000] 5.000123: funcgraph_entry:        1.382 us   |    getname();     trace-cmd
 *
 *        1.332 us [ 18834] | getname();                                               uftrace
 *
 * The weight of a call is its duration less that of the calls inside it. Calls nest by thread: the
 * task or thread if the line has it, else the task that the last switch on the CPU (" 0)  app-12
 * => sh-9") names. The indentation tells which call an end belongs to, so that lost lines do no
 * harm. A call that does not end keeps what its calls leave of the time up to the last line if
 * lines have times, else nothing; an end without a begin is counted and dropped. Durations of
 * 1 ms or more are rounded: if the calls inside outweigh a call, it keeps nothing.
 *
 * Dropped: arguments, results, comments, marks of interrupts.
 *
 * Sources: Documentation/trace/ftrace.rst of Linux; doc/uftrace-replay.md of
 * github.com/namhyung/uftrace.
 */
#include "input/build/sample.h"
#include "input/format.h"
#include "input/parse/native.h"

/* A call that has begun. */
struct call {
    size_t indent;
    uint32_t stack;
    uint64_t inside; /* ns of the calls that ended in it */
    int64_t began;   /* ns, -1 if lines have no times */
};

struct task {
    VEC(struct call) calls;
    uint32_t root;          /* stack of the task's own frame */
    uint32_t series;        /* SERIES_NONE until a call weighs something */
    struct slice comm, tid; /* empty if not known */
};

struct function_graph {
    struct sample sample;
    struct intern keys;     /* of the tasks */
    VEC(struct task) tasks; /* by key */
    struct intern cpus;
    VEC(uint32_t) running; /* by CPU: the task */
    int64_t last;          /* the latest time, -1 if there is none */
    bool kernel;           /* the functions are the kernel's */
    uint64_t endless, beginless;
};

/* A line, its slices in the line. What is not known is empty, or -1. */
struct row {
    struct slice cpu, comm, tid, body;
    size_t indent;
    uint64_t duration; /* ns */
    int64_t ns;
    bool has_duration, is_event; /* of trace-cmd */
};

/* ---- columns ------------------------------------------------------------------------------- */

static bool is_number(struct slice s)
{
    uint64_t number;

    return num_parse_u64(s, &number);
}

/* "app-12", "kworker/0:1-9": the name may contain blanks and hyphens. */
static bool parse_task(struct slice text, struct row *r)
{
    struct slice task = slice_trim(text);
    size_t hyphen = slice_find_last(task, '-');

    if (!hyphen || hyphen == task.len || !is_number(slice_skip(task, hyphen + 1)))
        return false;
    r->comm = slice_take(task, hyphen);
    r->tid = slice_skip(task, hyphen + 1);
    return true;
}

/* A number of seconds with decimals. */
static bool parse_seconds(struct slice word, int64_t *ns)
{
    const uint64_t most = INT64_MAX / 1000000000;
    struct decimal time;

    if (slice_find(word, '.') == word.len || !num_parse_decimal(word, &time) ||
        time.value / num_pow10(time.decimals) >= most)
        return false;
    *ns = (int64_t)(time.value * num_pow10(NUM_MAX_DECIMALS - time.decimals));
    return true;
}

/* Takes a unit off; returns its nanoseconds, or 0 if the next word is none. */
static uint64_t take_unit(struct slice *text)
{
    static const struct {
        const char word[3];
        uint64_t ns;
    } units[] = {{"us", 1000},      {"ms", 1000000},           {"ns", 1},
                 {"s", 1000000000}, {"m", 60 * 1000000000ull}, {"h", 3600 * 1000000000ull}};
    struct slice rest = slice_trim_left(*text);

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        size_t len = units[i].word[1] ? 2 : 1;

        if (rest.len < len || rest.ptr[0] != units[i].word[0] ||
            (len == 2 && rest.ptr[1] != units[i].word[1]) ||
            (rest.len > len && !slice_is_blank(rest.ptr[len])))
            continue;
        *text = slice_skip(rest, len);
        return units[i].ns;
    }
    return 0;
}

/* "1.382 us". What lies beyond 64 bits is no duration. */
static bool parse_duration(struct slice number, uint64_t unit, uint64_t *ns)
{
    struct decimal d;

    if (!num_parse_decimal(number, &d) || !num_mul(d.value, unit, ns))
        return false;
    *ns /= num_pow10(d.decimals);
    return true;
}

/* Marks of durations and interrupts, and the kernel's state: "+", "==========>", "d..1". */
static bool is_mark(struct slice word)
{
    static const char marks[] = "+!#*@$=<>";
    static const char states[] = "dDNnpBbHhsSzZXx.0123456789";
    bool mark = true, state = word.len >= 4 && word.len <= 8;

    for (size_t i = 0; i < word.len; i++) {
        mark = mark && memchr(marks, word.ptr[i], strlen(marks));
        state = state && memchr(states, word.ptr[i], strlen(states));
    }
    return mark || state;
}

/* The text before a bar. Returns false if it is none of the columns before the call. */
static bool parse_words(struct slice text, struct row *r)
{
    struct slice word;
    uint64_t unit;

    while (slice_word(&text, &word)) {
        bool digit = word.ptr[0] >= '0' && word.ptr[0] <= '9';

        if (digit && slice_ends(word, SLICE(")")) && is_number(slice_take(word, word.len - 1))) {
            r->cpu = slice_take(word, word.len - 1);
            if (parse_task(text, r))
                return true;
        } else if (digit && (unit = take_unit(&text))) {
            if (!parse_duration(word, unit, &r->duration))
                return false;
            r->has_duration = true;
        } else if (!(digit && parse_seconds(word, &r->ns)) && !is_mark(word)) {
            return false;
        }
    }
    return true;
}

/* uftrace: "1.332 us [ 18834]" */
static bool parse_thread(struct slice text, struct row *r)
{
    size_t open = slice_find(text, '[');
    struct slice tid = slice_skip(text, open);

    if (!tid.len)
        return false;
    r->tid = slice_trim(slice_make(tid.ptr + 1, tid.len - 2));
    return is_number(r->tid) && parse_words(slice_take(text, open), r);
}

/* trace-cmd: "app-12 [000] d..1 5.000123: funcgraph_entry:   1.382 us" */
static bool parse_event(struct slice text, struct row *r)
{
    size_t event = slice_search(text, SLICE(": funcgraph_"));
    struct slice head = slice_take(text, event), rest = slice_skip(text, event + 2), digits;
    size_t open = slice_search(head, SLICE(" ["));

    if (event == text.len || open == head.len || !parse_task(slice_take(head, open), r))
        return false;
    head = slice_skip(head, open + 2);
    if (!native_take_number(&head, &digits) || !slice_starts(head, SLICE("]")) ||
        !parse_words(slice_skip(head, 1), r) || r->ns < 0)
        return false;
    r->cpu = digits;
    r->is_event = true;
    return parse_words(slice_skip(rest, slice_find(rest, ':') + 1), r);
}

static bool parse_column(struct slice text, struct row *r)
{
    text = slice_trim_right(text);
    if (slice_ends(text, SLICE("]")))
        return parse_thread(text, r);
    return parse_words(text, r) || parse_task(text, r) || parse_event(text, r);
}

/* Takes the columns off a line, each ended by a bar. Returns false if there are none. */
static bool parse_row(struct slice line, struct row *r)
{
    struct slice rest = line, column;
    size_t columns = 0, bar;

    *r = (struct row){.ns = -1};
    for (;; columns++) {
        bar = slice_find(rest, '|');
        column = slice_take(rest, bar);
        if (bar == rest.len || !parse_column(column, r))
            break;
        rest = slice_skip(rest, bar + 1);
    }
    r->body = slice_trim(rest);
    r->indent = rest.len - slice_trim_left(rest).len;
    return columns > 0 && (r->cpu.len || r->tid.len || r->has_duration);
}

/* " 0)  app-12  =>  sh-9" */
static bool parse_switch(struct slice line, struct slice *cpu, struct slice *from, struct slice *to)
{
    size_t arrow;
    struct row r;

    line = slice_trim(line);
    if (!native_take_number(&line, cpu) || !slice_starts(line, SLICE(")")) ||
        !slice_has(line, SLICE(" => ")))
        return false;
    arrow = slice_search(line, SLICE(" => "));
    *from = slice_trim(slice_make(line.ptr + 1, arrow - 1));
    *to = slice_trim(slice_skip(line, arrow + strlen(" => ")));
    return parse_task(*from, &r) && parse_task(*to, &r);
}

/* ---- the text of a call -------------------------------------------------------------------- */

enum shape { SHAPE_NONE, SHAPE_BEGIN, SHAPE_END, SHAPE_WHOLE };

/* The name before the arguments: "f" of "f(1, (x))", "operator()" of "operator()()". */
static struct slice cut_arguments(struct slice text)
{
    if (slice_ends(text, SLICE("()")))
        return slice_take(text, text.len - 2);
    for (size_t at = 1; at < text.len; at++)
        if (text.ptr[at] == '(' && text.ptr[at - 1] != ':' &&
            !slice_ends(slice_take(text, at), SLICE("operator")))
            return slice_take(text, at);
    return text;
}

/* "ext4_read [ext4]" */
static void parse_name(struct slice text, struct frame *f)
{
    size_t open = slice_search(text, SLICE(" ["));

    f->name = text;
    if (open < text.len && slice_ends(text, SLICE("]"))) {
        f->name = slice_take(text, open);
        f->module = slice_make(text.ptr + open + 2, text.len - open - 3);
    }
}

/*
 * "f() {", "}", "f();", "f(1) = 2;", each perhaps with a comment. A comment with a duration is an
 * event, such as uftrace's linux:schedule.
 */
static enum shape parse_body(const struct row *r, struct frame *f)
{
    struct slice text = r->body;
    size_t comment = slice_search(text, SLICE("/* ")), result;

    *f = (struct frame){.kind = FRAME_NATIVE};
    if (slice_starts(text, SLICE("}")))
        return SHAPE_END;
    if (!comment && slice_ends(text, SLICE(" */")) && r->has_duration) {
        f->name = slice_make(text.ptr + 3, text.len - 6);
        f->kind = FRAME_PLAIN;
        return SHAPE_WHOLE;
    }
    text = slice_trim(slice_take(text, comment));
    if (slice_ends(text, SLICE(" {"))) {
        parse_name(cut_arguments(slice_take(text, text.len - 2)), f);
        return f->name.len ? SHAPE_BEGIN : SHAPE_NONE;
    }
    if (!slice_ends(text, SLICE(";")))
        return SHAPE_NONE;
    text.len--;
    result = slice_search(text, SLICE(") = "));
    if (result < text.len)
        text = slice_take(text, result + 1);
    parse_name(cut_arguments(text), f);
    return f->name.len && slice_find(text, '(') < text.len ? SHAPE_WHOLE : SHAPE_NONE;
}

static bool is_heading(struct slice line)
{
    return slice_starts(line, SLICE("# tracer: function_graph")) ||
           (slice_starts(line, SLICE("#")) && slice_has(line, SLICE(" DURATION ")) &&
            slice_has(line, SLICE(" FUNCTION")));
}

/* What may stand above the first call besides the heading. */
static bool is_preamble(struct slice line)
{
    return !slice_trim(line).len || slice_starts(line, SLICE("#")) ||
           slice_starts(line, SLICE("-----")) || slice_starts(line, SLICE("cpus=")) ||
           slice_starts(line, SLICE("version ="));
}

/* Two calls, or the heading and one, and nothing before them: a text may quote calls. */
static bool function_graph_claims(const struct head *h)
{
    struct slice rest = h->bytes, line, cpu, from, to;
    unsigned score = 0;
    struct frame f;
    struct row r;

    while (score < 2 && head_line(h, &rest, &line)) {
        if (is_heading(line))
            score++;
        else if (parse_row(line, &r))
            score += parse_body(&r, &f) != SHAPE_NONE;
        else if (!is_preamble(line) && !parse_switch(line, &cpu, &from, &to))
            return false;
    }
    return score == 2;
}

/* ---- tasks --------------------------------------------------------------------------------- */

static bool function_graph_begin(struct text *t, void *state)
{
    struct function_graph *g = state;

    sample_init(&g->sample, t->profile, t->options, t->diag);
    g->last = -1;
    g->kernel = !slice_has(slice_take(t->start, slice_find(t->start, '|')), SLICE(" TID "));
    return true;
}

/* Returns the task of a key such as "12", "app-12" or "CPU 0", which is new or has been met. */
static uint32_t task_of(struct function_graph *g, struct slice key)
{
    uint32_t id = intern_add(&g->keys, key);

    while (g->tasks.count <= id)
        *vec_add(&g->tasks) = (struct task){.root = STACK_ROOT, .series = SERIES_NONE};
    return id;
}

/* Returns where the task that runs on a CPU is noted. */
static uint32_t *running_on(struct function_graph *g, struct slice cpu)
{
    uint32_t id = intern_add(&g->cpus, cpu);
    struct buf *key = &g->sample.scratch;

    while (g->running.count <= id) {
        buf_clear(key);
        buf_printf(key, "CPU %.*s", SLICE_ARG(cpu));
        *vec_add(&g->running) = task_of(g, buf_slice(key));
    }
    return &g->running.items[id];
}

/* Each CPU has an idle task of its own, all with the number 0. */
static uint32_t task_of_name(struct function_graph *g, struct slice cpu, const struct row *r)
{
    struct buf *key = &g->sample.scratch;
    uint32_t id;

    buf_clear(key);
    buf_printf(key, "%.*s-%.*s", SLICE_ARG(r->comm), SLICE_ARG(r->tid));
    if (slice_equal(r->tid, SLICE("0")))
        buf_printf(key, " CPU %.*s", SLICE_ARG(cpu));
    id = task_of(g, buf_slice(key));
    if (!g->tasks.items[id].tid.len) {
        g->tasks.items[id].comm = sample_keep(&g->sample, r->comm);
        g->tasks.items[id].tid = sample_keep(&g->sample, r->tid);
    }
    return id;
}

/* The first switch on a CPU says whose calls the ones before it were. */
static void switch_task(struct function_graph *g, struct slice cpu, struct slice from,
                        struct slice to)
{
    uint32_t *running = running_on(g, cpu), before = *running, task;
    struct row r = {.ns = -1};

    parse_task(from, &r);
    task = task_of_name(g, cpu, &r);
    if (!g->tasks.items[before].tid.len && !g->tasks.items[task].calls.count) {
        struct task moved = g->tasks.items[task];

        memcpy(&g->tasks.items[task].calls, &g->tasks.items[before].calls, sizeof(moved.calls));
        memcpy(&g->tasks.items[before].calls, &moved.calls, sizeof(moved.calls));
    }
    parse_task(to, &r);
    *running_on(g, cpu) = task_of_name(g, cpu, &r);
}

/* Returns the task of a line. A task that the line names is the first frame of its stacks. */
static bool task_of_row(struct function_graph *g, const struct row *r, uint32_t *id)
{
    struct task *task;

    if (!r->tid.len) {
        *id = *running_on(g, r->cpu);
        return true;
    }
    if (!r->comm.len) {
        *id = task_of(g, r->tid);
        if (!g->tasks.items[*id].tid.len)
            g->tasks.items[*id].tid = sample_keep(&g->sample, r->tid);
        return true;
    }
    *id = task_of_name(g, r->cpu, r);
    task = &g->tasks.items[*id];
    if (task->root != STACK_ROOT || slice_equal(r->comm, SLICE("<...>")))
        return true;
    return builder_child(&g->sample.builder, STACK_ROOT,
                         &(struct frame){.name = r->comm, .kind = FRAME_OWNER}, &task->root);
}

/* ---- calls --------------------------------------------------------------------------------- */

/* Adds what a call of `ns` leaves of it for itself, and counts it in the call around it. */
static bool add_call(struct function_graph *g, struct task *task, const struct call *c, uint64_t ns)
{
    struct builder *b = &g->sample.builder;
    struct origin origin = {.thread = task->comm, .tid = task->tid};
    uint64_t total = ns > c->inside ? ns : c->inside;

    if (task->calls.count) {
        struct call *around = &task->calls.items[task->calls.count - 1];

        if (!num_add(around->inside, total, &around->inside))
            return diag_error(b->diag, "the sum of the weights does not fit in 64 bits");
    }
    if (total == c->inside)
        return true;
    if (task->series == SERIES_NONE)
        task->series = builder_series(b, &origin, unit_named(SLICE("ns")));
    return builder_add_at(b, task->series, c->stack, (struct decimal){.value = total - c->inside});
}

/* Ends the innermost call without knowing how long it was: up to now, if lines have times. */
static bool end_unknown(struct function_graph *g, struct task *task)
{
    struct call c = task->calls.items[--task->calls.count];
    bool timed = c.began >= 0 && g->last >= c.began;

    g->endless++;
    return add_call(g, task, &c, timed ? (uint64_t)(g->last - c.began) : c.inside);
}

/* Ends the calls whose own ends are missing: those indented at least as far as a new one. */
static bool end_deeper(struct function_graph *g, struct task *task, size_t indent)
{
    while (task->calls.count && task->calls.items[task->calls.count - 1].indent >= indent)
        if (!end_unknown(g, task))
            return false;
    return true;
}

static bool begin_call(struct function_graph *g, struct task *task, const struct row *r,
                       const struct frame *f, bool whole)
{
    struct call c = {.indent = r->indent, .began = r->ns};
    struct builder *b = &g->sample.builder;
    uint32_t entry, parent;

    if (!end_deeper(g, task, r->indent))
        return false;
    parent = task->calls.count ? task->calls.items[task->calls.count - 1].stack : task->root;
    if (!known_find(&g->sample.known, f->name, &entry)) {
        struct frame frame = *f;

        frame.class = g->kernel ? SYMBOL_KERNEL : SYMBOL_USER;
        frame.has_class = g->kernel;
        known_add(&g->sample.known, entry = builder_entry(b, &frame));
    }
    if (task->calls.count >= b->options->limits.max_depth)
        c.stack = parent;
    else if (!builder_child_entry(b, parent, entry, &c.stack))
        return false;
    if (whole)
        return add_call(g, task, &c, r->duration);
    *vec_add(&task->calls) = c;
    return true;
}

static bool end_call(struct function_graph *g, struct task *task, const struct row *r)
{
    struct call c;

    if (!end_deeper(g, task, r->indent + 1))
        return false;
    if (!task->calls.count || task->calls.items[task->calls.count - 1].indent != r->indent) {
        g->beginless++;
        return true;
    }
    c = task->calls.items[--task->calls.count];
    if (r->has_duration)
        return add_call(g, task, &c, r->duration);
    return add_call(g, task, &c,
                    c.began >= 0 && r->ns >= c.began ? (uint64_t)(r->ns - c.began) : c.inside);
}

static bool function_graph_line(struct text *t, void *state, struct slice line)
{
    struct function_graph *g = state;
    struct slice cpu, from, to;
    enum shape shape;
    struct frame f;
    struct row r;
    uint32_t task;

    if (slice_starts(line, SLICE("#")) && slice_has(line, SLICE(" DURATION ")) &&
        (slice_has(line, SLICE(" ELAPSED ")) || slice_has(line, SLICE(" DELTA "))))
        return text_fail(t, "the columns ELAPSED and DELTA cannot be told from DURATION; "
                            "write the file with 'uftrace replay -f duration,tid'");
    if (parse_switch(line, &cpu, &from, &to)) {
        switch_task(g, cpu, from, to);
        return true;
    }
    if (!parse_row(line, &r))
        return true;
    t->profile->ledger.lines++;
    if (r.ns > g->last)
        g->last = r.ns;
    shape = parse_body(&r, &f);
    if (shape == SHAPE_NONE)
        return true;
    if (!task_of_row(g, &r, &task))
        return false;
    if (shape == SHAPE_END)
        return end_call(g, &g->tasks.items[task], &r);
    return begin_call(g, &g->tasks.items[task], &r, &f, shape == SHAPE_WHOLE);
}

static bool function_graph_end(struct text *t, void *state)
{
    struct function_graph *g = state;

    vec_each (struct task, task, &g->tasks)
        if (!end_deeper(g, task, 0))
            return false;
    if (g->endless)
        diag_add(t->diag, DIAG_WARNING, DIAG_AT_FILE, "%lu calls have no end in the file; %s",
                 (unsigned long)g->endless,
                 g->last >= 0 ? "they are taken to last until its last line"
                              : "only what they called is counted, because lines have no times");
    if (g->beginless)
        diag_add(t->diag, DIAG_WARNING, DIAG_AT_FILE,
                 "skipped %lu ends of calls that have no begin in the file",
                 (unsigned long)g->beginless);
    t->profile->ledger.unreadable += g->beginless;
    return true;
}

static void function_graph_release(void *state)
{
    struct function_graph *g = state;

    vec_each (struct task, task, &g->tasks)
        vec_release(&task->calls);
    release_all(g, vec, tasks, running);
    release_all(g, intern, keys, cpus);
    sample_release(&g->sample);
}

const struct format format_function_graph = {
    .name = "function-graph",
    .family = FORMAT_LINUX,
    .description = "calls with their durations: ftrace's function_graph and uftrace replay",
    .recognised = "' 0)   1.382 us    |  NAME();' or '   1.332 us [ TID] | NAME() {'",
    .example = "uftrace record ./app && uftrace replay > app.uftrace",
    .needs = "|",
    .claims = function_graph_claims,
    .text = {TEXT_READER(function_graph)},
};
