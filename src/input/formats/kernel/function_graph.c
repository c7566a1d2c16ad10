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
#include "base/ascii.h"
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
    uint32_t latest;        /* task of the last line that names a thread but no process */
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
    bool has_duration, too_long; /* beyond 64 bits */
};

/* ---- columns ------------------------------------------------------------------------------- */

static bool is_number(struct slice s)
{
    enum { DIGITS_MOST = 19 };
    size_t n = 0;

    while (n < s.len && ascii_is_digit(s.ptr[n]))
        n++;
    return n && n == s.len && n <= DIGITS_MOST;
}

/* Indentation is most of many lines. */
static struct slice skip_blanks(struct slice s)
{
    enum { STEP = 8 };

    while (s.len >= STEP && memcmp(s.ptr, "        ", STEP) == 0)
        s = slice_skip(s, STEP);
    return slice_trim_left(s);
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

/* "1.382 us" */
static bool parse_duration(struct slice number, uint64_t unit, struct row *r)
{
    struct decimal d;

    r->has_duration = true;
    if (num_parse_decimal(number, &d) && num_mul(d.value, unit, &r->duration)) {
        r->duration /= num_pow10(d.decimals);
        return true;
    }
    r->too_long = true;
    for (size_t i = 0; i < number.len; i++)
        if (!memchr("0123456789.", number.ptr[i], 11))
            return false;
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
        bool digit = ascii_is_digit(word.ptr[0]);

        if (digit && slice_ends(word, SLICE(")")) && is_number(slice_take(word, word.len - 1))) {
            r->cpu = slice_take(word, word.len - 1);
            if (parse_task(text, r))
                return true;
        } else if (digit && (unit = take_unit(&text))) {
            if (!parse_duration(word, unit, r))
                return false;
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
    return parse_words(slice_skip(rest, slice_find(rest, ':') + 1), r);
}

static bool parse_column(struct slice text, struct row *r)
{
    text = skip_blanks(slice_trim_right(text));
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
    r->body = skip_blanks(rest);
    r->indent = rest.len - r->body.len;
    r->body = slice_trim_right(r->body);
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

enum shape { SHAPE_NONE, SHAPE_BEGIN, SHAPE_END, SHAPE_WHOLE }; /* two bits of a meaning */

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
    size_t open = slice_ends(text, SLICE("]")) ? slice_search(text, SLICE(" [")) : text.len;

    f->name = text;
    if (open < text.len) {
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
    size_t comment = text.len, result;

    if (slice_starts(text, SLICE("}")))
        return SHAPE_END;
    *f = (struct frame){.kind = FRAME_NATIVE};
    if (!slice_ends(text, SLICE("{")) && !slice_ends(text, SLICE(";")))
        comment = slice_search(text, SLICE("/* "));
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
    result = slice_ends(text, SLICE("()")) ? text.len : slice_search(text, SLICE(") = "));
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

/* Returns true for a line that may precede the first call, besides the heading. */
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
    g->latest = UINT32_MAX;
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
        *id = g->latest;
        if (*id < g->tasks.count && slice_equal(g->tasks.items[*id].tid, r->tid))
            return true;
        *id = g->latest = task_of(g, r->tid);
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
            return diag_error(b->diag, PROFILE_TOO_HEAVY);
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

/* What a line says of its task. */
struct step {
    enum shape shape;
    uint32_t entry; /* of a call that begins, or is whole */
    size_t indent;
    uint64_t duration;
    bool has_duration;
    int64_t ns;
};

/* Returns the builder's entry of a function. */
static uint32_t entry_of(struct function_graph *g, struct frame *f)
{
    uint32_t entry;

    if (!frame_cache_find(&g->sample.known, f->name, &entry)) {
        f->class = g->kernel ? SYMBOL_KERNEL : SYMBOL_USER;
        f->has_class = g->kernel;
        frame_cache_add(&g->sample.known, entry = builder_entry(&g->sample.builder, f));
    }
    return entry;
}

static bool begin_call(struct function_graph *g, struct task *task, const struct step *s)
{
    struct call c = {.indent = s->indent, .began = s->ns};
    struct builder *b = &g->sample.builder;
    uint32_t parent;

    if (!end_deeper(g, task, s->indent))
        return false;
    parent = task->calls.count ? task->calls.items[task->calls.count - 1].stack : task->root;
    if (task->calls.count >= b->options->limits.max_depth)
        c.stack = parent;
    else if (!builder_child_entry(b, parent, s->entry, &c.stack))
        return false;
    if (s->shape == SHAPE_WHOLE)
        return add_call(g, task, &c, s->duration);
    *vec_add(&task->calls) = c;
    return true;
}

static bool end_call(struct function_graph *g, struct task *task, const struct step *s)
{
    struct call c;

    if (!end_deeper(g, task, s->indent + 1))
        return false;
    if (!task->calls.count || task->calls.items[task->calls.count - 1].indent != s->indent) {
        g->beginless++;
        return true;
    }
    c = task->calls.items[--task->calls.count];
    if (s->has_duration)
        return add_call(g, task, &c, s->duration);
    return add_call(g, task, &c,
                    c.began >= 0 && s->ns >= c.began ? (uint64_t)(s->ns - c.began) : c.inside);
}

static bool take_step(struct function_graph *g, uint32_t task, const struct step *s)
{
    return (s->shape == SHAPE_END ? end_call : begin_call)(g, &g->tasks.items[task], s);
}

/* ---- lines --------------------------------------------------------------------------------- */

/* The bits of a line's meaning: its shape, whether it has a duration, whether it names no task. */
enum { MEANING_SHAPE = 3, MEANING_DURATION = 4, MEANING_CPU = 8 };

/* A line without a time means the same wherever it comes. */
static void set_meaning(struct text *t, struct function_graph *g, const struct row *r,
                        const struct step *s, uint32_t task)
{
    if (r->ns >= 0)
        return;
    t->meaning = (struct line_meaning){
        .kind =
            s->shape | (s->has_duration ? MEANING_DURATION : 0) | (r->tid.len ? 0 : MEANING_CPU),
        .entry = s->entry,
        .depth = (uint32_t)s->indent,
        .context = r->tid.len ? task : intern_add(&g->cpus, r->cpu),
        .weight = {.value = s->duration},
    };
}

static enum text_again function_graph_again(struct text *t, void *state,
                                            const struct line_meaning *m)
{
    struct function_graph *g = state;
    struct step step = {.shape = m->kind & MEANING_SHAPE,
                        .entry = m->entry,
                        .indent = m->depth,
                        .duration = m->weight.value,
                        .has_duration = m->kind & MEANING_DURATION,
                        .ns = -1};

    (void)t;
    return take_step(g, m->kind & MEANING_CPU ? g->running.items[m->context] : m->context, &step)
               ? TEXT_DONE
               : TEXT_FAILED;
}

static bool function_graph_line(struct text *t, void *state, struct slice line)
{
    struct function_graph *g = state;
    struct slice cpu, from, to;
    enum shape shape;
    struct frame f;
    struct row r;
    struct step step;
    uint32_t task;

    if (slice_starts(line, SLICE("#")) && slice_has(line, SLICE(" DURATION ")) &&
        (slice_has(line, SLICE(" ELAPSED ")) || slice_has(line, SLICE(" DELTA "))))
        return text_fail(t, "the columns ELAPSED and DELTA cannot be told from DURATION; "
                            "write the file with 'uftrace replay -f duration,tid'");
    if (!parse_row(line, &r)) {
        if (parse_switch(line, &cpu, &from, &to))
            switch_task(g, cpu, from, to);
        return true;
    }
    if (r.ns > g->last)
        g->last = r.ns;
    shape = parse_body(&r, &f);
    if (shape == SHAPE_NONE)
        return true;
    if (r.too_long)
        return text_skip(t, "the duration does not fit in 64 bits; line skipped");
    if (!task_of_row(g, &r, &task))
        return false;
    step = (struct step){.shape = shape,
                         .indent = r.indent,
                         .duration = r.duration,
                         .has_duration = r.has_duration,
                         .ns = r.ns};
    if (shape != SHAPE_END)
        step.entry = entry_of(g, &f);
    set_meaning(t, g, &r, &step, task);
    return take_step(g, task, &step);
}

static bool function_graph_end(struct text *t, void *state)
{
    struct function_graph *g = state;

    vec_each (struct task, task, &g->tasks)
        if (!end_deeper(g, task, 0))
            return false;
    diag_warn_count(t->diag, g->endless,
                    g->last >= 0
                        ? "# call{ has no end in the file; it is|s have no end in the file; they "
                          "are} taken to last until its last line"
                        : "# call{ has|s have} no end in the file; only what {it|they} called is "
                          "counted, because lines have no times");
    builder_unreadable(
        &g->sample.builder, g->beginless,
        "skipped # end{ of a call that has|s of calls that have} no begin in the file");
    return true;
}

static void function_graph_release(void *state)
{
    struct function_graph *g = state;

    vec_each (struct task, task, &g->tasks)
        vec_release(&task->calls);
    release_each(g, (vec, tasks, running), (intern, keys, cpus), (sample, sample));
}

const struct format format_function_graph = {
    .name = "function-graph",
    .family = FORMAT_LINUX,
    .description = "calls with their durations: ftrace's function_graph and uftrace replay",
    .recognised = "' 0)   1.382 us    |  NAME();' or '   1.332 us [ TID] | NAME() {'",
    .example = "uftrace record ./app && uftrace replay > app.uftrace",
    .needs = "|",
    .claims = function_graph_claims,
    .text = {TEXT_READER(function_graph), .again = function_graph_again},
};
