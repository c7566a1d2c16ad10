/*
 * Java thread dumps, as jstack, jcmd Thread.print, kill -3, VisualVM, JMX and
 * jcmd Thread.dump_to_file write them.
 *
 *     Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode):
 *
 *     "main" #1 prio=5 os_prio=0 tid=0x7f nid=0x4a55 waiting on condition [0x7f]
 *        java.lang.Thread.State: TIMED_WAITING (parking)
 *     	at jdk.internal.misc.Unsafe.park(java.base@17.0.15/Native Method)
 *     	- parking to wait for  <0x0690> (a java.lang.Object)
 *
 * The forms of a thread's first line are in java_thread.h. A blank line ends a
 * thread. Several dumps in a file add up: dumps taken one after the other are a
 * profile. Each thread counts once, under its name without the number in its
 * pool; no thread is left out. Each state of java.lang.Thread.State is a
 * series; RUNNABLE is first, so that the first graph shows what is usually
 * called running. "VM" is the series of the virtual machine's own threads,
 * which have neither a Java state nor frames. In dumps without a line for the
 * state (JDK 5) the thread's first line has it. The stacks that are repeated
 * below a deadlock are not counted again. A dump that lists more threads than
 * it shows was truncated; that is reported.
 *
 * --names=reference gives what stackcollapse-jstack.pl prints: of the threads
 * that end in an empty line the RUNNABLE ones, except those that the script
 * knows to be waiting.
 */
#include "input/core/cut_off.h"
#include "input/format.h"
#include "input/formats/java/java_thread.h"

struct jstack {
    struct sample sample;
    enum java_thread_kind kind; /* of the open thread */
    enum java_state state;
    uint64_t dumps, listed, shown; /* threads of the current dump */
    struct jstack_reference {
        VEC(uint32_t) frames; /* entries of the builder, leaf first */
        struct buf name;
        bool named;
        struct buf state; /* "?" until a line states it */
    } reference;
};

/* ---- recognition --------------------------------------------------------------------------- */

#define STATE_LINE SLICE("java.lang.Thread.State: ")

/* Recognises lines that occur only below the first line of a thread. */
static bool is_inside(enum java_thread_kind kind, struct slice line)
{
    struct slice trimmed = slice_trim(line), text;

    if (kind == JAVA_PLAIN && slice_starts(line, SLICE("      ")) &&
        slice_ends(trimmed, SLICE(")")))
        return true;
    return slice_starts(trimmed, STATE_LINE) || (java_at(line, &text) && trimmed.len < line.len) ||
           (slice_starts(trimmed, SLICE("- ")) && slice_has(line, SLICE(" @bci=")));
}

static bool jstack_claims(const struct head *head)
{
    enum java_thread_kind kind = JAVA_NO_THREAD;
    bool headed = false;

    head_each (line, head) {
        struct java_thread t;

        headed = headed || slice_starts(line, SLICE("Full thread dump "));
        if ((kind == JAVA_THREAD || kind == JAVA_PLAIN) && is_inside(kind, line))
            return true;
        kind = java_thread_read(line, &t);
        if (headed && kind == JAVA_THREAD)
            return true;
    }
    return false;
}

/* ---- the reference ------------------------------------------------------------------------- */

/* Returns the state that a frame implies for a thread that is not running, or NULL. */
static const char *reference_state_of_frame(struct slice f)
{
    const struct slice accept = SLICE("accept0");
    size_t socket = slice_search(f, SLICE("Socket"));

    if (slice_has(f, SLICE("epollWait")) || slice_has(f, SLICE("EPoll.wait")))
        return "WAITING";
    if (slice_ends(f, SLICE("socketAccept")) || slice_ends(f, SLICE("socketRead0")) ||
        (slice_ends(f, accept) && socket + strlen("Socket") <= f.len - accept.len))
        return "NETWORK";
    return NULL;
}

static bool is_background(struct slice name)
{
    size_t compiler = slice_search(name, SLICE(" CompilerThread"));

    return (compiler >= 2 && compiler < name.len && name.ptr[compiler - 2] == 'C') ||
           slice_has(name, SLICE("Signal Dispatcher")) ||
           slice_has(name, SLICE("Service Thread")) || slice_has(name, SLICE("Attach Listener"));
}

static void set_state(struct jstack_reference *r, struct slice state)
{
    buf_clear(&r->state);
    buf_add_slice(&r->state, state);
}

/* At an empty line: adds the thread if it is running. */
static bool end_reference(struct jstack *j)
{
    struct jstack_reference *r = &j->reference;
    struct sample *s = &j->sample;
    bool ok = true;

    s->origin.event = java_state_event(JAVA_RUNNABLE);
    if (slice_equal(buf_slice(&r->state), s->origin.event) && (r->named || r->frames.count)) {
        sample_open(s, r->named ? buf_slice(&r->name) : SLICE(""));
        vec_each (uint32_t, frame, &r->frames)
            sample_push(s, *frame);
        ok = sample_close(s);
    }
    vec_clear(&r->frames);
    r->named = false;
    set_state(r, SLICE("?"));
    return ok;
}

static bool read_reference(struct jstack *j, struct slice line)
{
    struct jstack_reference *r = &j->reference;
    size_t state = slice_search(line, STATE_LINE);
    struct slice text, word;

    if (!line.len)
        return end_reference(j);
    if (line.ptr[0] == '"') {
        struct slice name = slice_skip(line, 1);

        name = slice_take(name, slice_find(name, '"'));
        buf_clear(&r->name);
        buf_add_slice(&r->name, j->sample.builder.options->tid ? name : java_thread_base(name));
        r->named = true;
        if (is_background(name))
            set_state(r, SLICE("BACKGROUND"));
    } else if (state < line.len) {
        text = slice_skip(line, state + STATE_LINE.len);
        if (slice_equal(buf_slice(&r->state), SLICE("?")) && slice_word(&text, &word))
            set_state(r, word);
    } else if (java_at(line, &text)) {
        struct frame f = java_frame_reference(text);
        const char *waits = reference_state_of_frame(f.name);

        *vec_add(&r->frames) = builder_entry(&j->sample.builder, &f);
        if (waits)
            set_state(r, slice_str(waits));
    }
    return true;
}

/* ---- threads ------------------------------------------------------------------------------- */

static bool end_thread(struct jstack *j)
{
    j->kind = JAVA_NO_THREAD;
    java_set_state(&j->sample, j->state);
    return sample_close(&j->sample);
}

static bool begin_thread(struct jstack *j, enum java_thread_kind kind, const struct java_thread *t)
{
    if (!end_thread(j))
        return false;
    j->kind = kind;
    if (kind == JAVA_REPEATED)
        return true;
    if (!java_open(&j->sample, t->name))
        return false;
    j->state = t->state;
    j->sample.origin.tid = sample_keep(&j->sample, t->id);
    j->shown += t->numbered && t->state != JAVA_VM;
    return true;
}

/* "Mounted virtual thread #21": its stack follows that of its carrier thread. */
static bool begin_mounted(struct jstack *j, struct slice line)
{
    struct java_thread t = {.name = SLICE("virtual thread"), .state = j->state};
    size_t number = slice_find(line, '#');

    t.id = slice_trim(slice_skip(line, number + 1));
    return begin_thread(j, JAVA_THREAD, &t);
}

static bool push_frame(struct text *t, struct jstack *j, struct slice text)
{
    return java_push(&j->sample, text) || text_skip(t, "truncated frame; line skipped");
}

/* jhsdb jstack --mixed: "0x7f12<TAB>* a.B.c() bci:0 line:5 (...)" or "0x7f12<TAB>poll + 0x4f". */
static bool push_mixed(struct jstack *j, struct slice line)
{
    const struct slice java = SLICE("* ");
    size_t tab = slice_find(line, '\t');
    struct slice text = slice_trim(slice_skip(line, tab + 1));
    struct frame f;

    if (!slice_starts(line, SLICE("0x")) || tab == line.len)
        return false;
    if (slice_starts(text, java)) {
        text = slice_take(text, slice_search(text, SLICE(" bci:")));
        f = java_frame(slice_skip(text, java.len), false, &j->sample.scratch);
    } else {
        f = (struct frame){.name = slice_take(text, slice_search(text, SLICE(" + 0x"))),
                           .kind = FRAME_NATIVE};
    }
    sample_frame(&j->sample, &f);
    return true;
}

/* Recognises lines of a thread that are neither frames nor its state. */
static bool is_detail(struct slice line)
{
    /* JRockit writes "-- end of trace", "-- Waiting for notification on: ...". */
    return slice_starts_any(
        line, "- ", "Locked ownable synchronizers:", "Number of locked synchronizers",
        "Compiling:", "No compile task", "Carrying virtual thread", "// ", "-- ",
        "^-- Holding lock: ", "Locked synchronizers:", "JavaThread state:");
}

/* Reads a line below the first one of a thread. */
static bool read_inside(struct text *t, struct jstack *j, struct slice line)
{
    struct slice trimmed = slice_trim(line), text, word;

    if (j->kind == JAVA_REPEATED)
        return true;
    if (slice_starts(trimmed, STATE_LINE)) {
        text = slice_skip(trimmed, STATE_LINE.len);
        if (slice_word(&text, &word))
            j->state = java_state_named(word);
    } else if (java_at(line, &text)) {
        push_frame(t, j, text);
    } else if (slice_starts(trimmed, SLICE("- ")) && slice_has(trimmed, SLICE(" @bci="))) {
        text = slice_skip(trimmed, 2);
        push_frame(t, j, slice_take(text, slice_search(text, SLICE(" @bci="))));
    } else if (slice_starts(trimmed, SLICE("Mounted virtual thread"))) {
        return begin_mounted(j, trimmed);
    } else if (slice_equal(trimmed, SLICE("..."))) {
        t->profile->ledger.truncated++;
    } else if (j->kind == JAVA_PLAIN && !is_detail(trimmed)) {
        push_frame(t, j, trimmed);
    } else if (!push_mixed(j, trimmed) && !is_detail(trimmed)) {
        text_skip(t, "not a line of a thread dump; line skipped");
    }
    return true;
}

/* ---- dumps --------------------------------------------------------------------------------- */

static void end_dump(struct text *t, struct jstack *j)
{
    if (j->shown < j->listed)
        cut_off(t, DIAG_AT_LINE(t->line),
                "a dump lists %llu thread%s but shows only %llu up to here; it may be truncated",
                (unsigned long long)j->listed, diag_s(j->listed), (unsigned long long)j->shown);
    j->shown = j->listed = 0;
}

/* Reads a line between threads. */
static void read_outside(struct text *t, struct jstack *j, struct slice line)
{
    const struct slice full = SLICE("Full thread dump "), list = SLICE("_java_thread_list=");

    if (slice_starts(line, full)) {
        end_dump(t, j);
        j->dumps++;
        line = slice_trim(slice_skip(line, full.len));
        if (slice_ends(line, SLICE(":")))
            line.len--;
        profile_add_fact(t->profile, SLICE("runtime"), line);
    } else if (slice_starts(line, list)) {
        struct slice length = slice_skip(line, slice_search(line, SLICE("length=")) + 7);

        num_parse_u64(slice_take(length, slice_find(length, ',')), &j->listed);
    }
}

static bool jstack_line(struct text *t, void *state, struct slice line)
{
    struct jstack *j = state;
    struct java_thread thread;
    enum java_thread_kind kind;

    if (t->options->names == NAMES_REFERENCE)
        return slice_starts(line, SLICE("#")) || read_reference(j, line);
    if (j->kind == JAVA_THREAD && slice_starts(line, SLICE("\tat ")) && line.len > 5) {
        return push_frame(t, j, slice_skip(line, 4));
    }
    if (!slice_trim(line).len)
        return end_thread(j);
    kind = java_thread_read(line, &thread);
    if (kind != JAVA_NO_THREAD)
        return begin_thread(j, kind, &thread);
    if ((slice_starts(line, SLICE("Full thread dump ")) || slice_starts(line, SLICE("------"))) &&
        !end_thread(j))
        return false;
    if (j->kind != JAVA_NO_THREAD)
        return read_inside(t, j, line);
    read_outside(t, j, line);
    return true;
}

static bool jstack_begin(struct text *t, void *state)
{
    struct jstack *j = state;

    sample_init(&j->sample, t->profile, t->options, t->diag);
    j->sample.unit = unit_threads;
    set_state(&j->reference, SLICE("?"));
    return true;
}

static bool jstack_end(struct text *t, void *state)
{
    struct jstack *j = state;

    if (j->kind != JAVA_NO_THREAD)
        diag_add(
            t->diag, DIAG_NOTE, DIAG_AT_LINE(t->line),
            "the file ends in the middle of a thread; if it was truncated, frames are missing");
    if (!end_thread(j))
        return false;
    end_dump(t, j);
    if (j->dumps > 1)
        profile_print_fact(t->profile, SLICE("dumps"), "%llu", (unsigned long long)j->dumps);
    java_order_states(t->profile);
    return true;
}

STATE_RELEASE(jstack, (vec, reference.frames), (buf, reference.name, reference.state),
              (sample, sample));

const struct format format_jstack = {
    .name = "jstack",
    .family = FORMAT_JAVA,
    .description = "Java thread dumps, one or many",
    .recognised = "'Full thread dump', or a thread's line ('\"main\" #1 prio=5 ...') with frames",
    .example = "for i in $(seq 100); do jstack PID; sleep 1; done > app.jstack",
    .claims = jstack_claims,
    .text = {TEXT_READER(jstack)},
};
