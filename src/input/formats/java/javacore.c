/*
 * Javacore: the thread dump of IBM's and Eclipse's OpenJ9. Every line begins
 * with a tag.
 *
 *     3XMTHREADINFO      "main" J9VMThread:0x15, ..., state:CW, prio=5
 *     3XMTHREADINFO1            (native thread ID:0x8D14A, native priority:0x5, ...)
 *     4XESTACKTRACE                at java/lang/Object.wait(Object.java:255(Compiled Code))
 *     3XMTHREADINFO3           Native callstack:
 *     4XENATIVESTACK               poll+0x2b (0x00007F32 [libc.so.6+0x1a])
 *
 * Each thread of "Thread Details" counts once, under its name without the
 * number in its pool; the "Current thread" above that section is listed there
 * again and not counted twice. Frames are leaf first. A thread without Java
 * frames keeps its native frames, if it has any. Each state is a series,
 * RUNNABLE (R) first: CW is WAITING, P PARKED, B and MW BLOCKED, S SUSPENDED, Z
 * TERMINATED; a native thread without a state is VM. A file that lists fewer
 * threads than it states to be alive, or that lacks its last line, was
 * truncated and is reported. Frames of no thread, and lines of a thread that may be frames and are
 * none of these, are counted as unreadable.
 *
 * --names=reference gives what stackcollapse-ibmjava.pl prints: one stack for
 * each native call stack, with all Java frames since the previous one.
 */
#include "input/core/cut_off.h"
#include "input/format.h"
#include "input/build/java.h"

struct javacore {
    struct sample sample;
    bool in_thread;
    bool repeated; /* in the section about the current thread, which is listed again later */
    struct buf name, tid;
    enum java_state state;
    bool named;                   /* for reference names: seen since the last stack */
    VEC(uint32_t) frames, native; /* entries of the builder, leaf first */
    uint64_t alive, shown;        /* threads stated to be alive, and listed */
    bool ended;
};

static bool javacore_claims(const struct head *head)
{
    head_each (line, head) {
        if (slice_starts(line, SLICE("0SECTION ")) &&
            slice_has(line, SLICE(" subcomponent dump routine")))
            return true;
        if (slice_starts(line, SLICE("3XMTHREADINFO ")) ||
            slice_starts(line, SLICE("4XESTACKTRACE ")))
            return true;
        if (line.len && !slice_starts(line, SLICE("NULL")))
            return false;
    }
    return false;
}

/* ---- fields -------------------------------------------------------------------------------- */

static enum java_state state_of(struct slice line)
{
    static const struct {
        const char *letter;
        enum java_state state;
    } letters[] = {
        {"R", JAVA_RUNNABLE}, {"CW", JAVA_WAITING},  {"P", JAVA_PARKED}, {"B", JAVA_BLOCKED},
        {"MW", JAVA_BLOCKED}, {"S", JAVA_SUSPENDED}, {"N", JAVA_NEW},    {"Z", JAVA_TERMINATED},
        {"NS", JAVA_NEW},     {NULL, JAVA_UNKNOWN},
    };
    const struct slice key = SLICE(" state:");
    size_t at = slice_search(line, key);
    struct slice value = slice_skip(line, at + key.len);

    if (at == line.len)
        return JAVA_VM;
    value = slice_take(value, slice_find(value, ','));
    return slice_row(value, slice_equal, letters)->state;
}

/* Returns the quoted name, or the whole text if nothing is quoted. */
static struct slice name_of(struct slice text)
{
    size_t end = slice_search(text, SLICE("\" J9VMThread:"));

    if (!slice_starts(text, SLICE("\"")))
        return slice_trim(slice_take(text, slice_find(text, ',')));
    if (end == text.len)
        end = slice_find_last(text, '"');
    return end > 1 ? slice_take(slice_skip(text, 1), end - 1) : SLICE("");
}

/* "poll+0x2b (0x00007F32 [libc.so.6+0x1a])" */
static struct frame native_frame(struct slice text)
{
    size_t open = slice_find_last(text, '('), bracket = slice_find_last(text, '[');
    struct frame f = {.name = slice_trim(slice_take(text, open)), .kind = FRAME_NATIVE};
    struct slice module = slice_skip(text, bracket + 1);

    f.module = slice_take(module, slice_find(module, ']'));
    f.module = slice_take(f.module, slice_find_last(f.module, '+'));
    return f;
}

static void set(struct buf *b, struct slice text)
{
    buf_clear(b);
    buf_add_slice(b, text);
}

/* ---- threads ------------------------------------------------------------------------------- */

/* Adds the open thread to the profile. */
static bool end_thread(struct javacore *j)
{
    if (!j->in_thread)
        return true;
    j->in_thread = false;
    j->shown++;
    if (!java_open(&j->sample, buf_slice(&j->name)))
        return false;
    java_set_state(&j->sample, j->state);
    j->sample.origin.tid = buf_slice(&j->tid);
    vec_each (uint32_t, frame, &j->frames)
        sample_push(&j->sample, *frame);
    if (!j->frames.count)
        vec_each (uint32_t, frame, &j->native)
            sample_push(&j->sample, *frame);
    return sample_close(&j->sample);
}

static bool begin_thread(struct javacore *j, struct slice text)
{
    if (!end_thread(j))
        return false;
    j->in_thread = !j->repeated;
    set(&j->name, name_of(text));
    buf_clear(&j->tid);
    j->state = state_of(text);
    vec_clear(&j->frames);
    vec_clear(&j->native);
    return true;
}

static void push_java(struct text *t, struct javacore *j, struct slice rest)
{
    struct slice text;
    uint32_t entry;

    if (!java_at(rest, &text))
        text_skip_line(t, "expected 'at CLASS.METHOD(FILE:LINE)'", rest);
    else if (java_entry(&j->sample.builder, &j->sample.known, text, true, &entry))
        *vec_add(&j->frames) = entry;
    else
        text_skip_line(t, "truncated frame", rest);
}

/* Reads a line of a stack, whose tag is that of a frame or has the shape of one. */
static bool read_frame(struct text *t, struct javacore *j, struct slice tag, struct slice rest)
{
    struct frame f;

    if (j->repeated)
        return true;
    if (!j->in_thread)
        return text_skip_line(t, "a frame below no thread", rest);
    if (slice_equal(tag, SLICE("4XESTACKTRACE"))) {
        push_java(t, j, rest);
    } else if (slice_equal(tag, SLICE("4XENATIVESTACK"))) {
        f = native_frame(rest);
        *vec_add(&j->native) = builder_entry(&j->sample.builder, &f);
    } else {
        text_skip_line(t, "a frame with an unknown tag", rest);
    }
    return true;
}

/* "4XESTACKTRACE", but not "5XESTACKTRACE", which has the lock that a frame entered. */
static bool is_frame_tag(struct slice tag, struct slice rest)
{
    return slice_starts(rest, SLICE("at ")) ||
           (slice_has(tag, SLICE("STACK")) && !slice_starts(tag, SLICE("5X")));
}

static void read_id(struct javacore *j, struct slice rest)
{
    const struct slice key = SLICE("(native thread ID:");
    size_t at = slice_search(rest, key);
    struct slice id = slice_skip(rest, at + key.len);

    set(&j->tid, slice_take(id, slice_find(id, ',')));
}

/* ---- the reference ------------------------------------------------------------------------- */

static bool end_reference(struct javacore *j)
{
    struct slice root = j->named ? buf_slice(&j->name) : SLICE("");

    if (!j->named && !j->frames.count)
        return true;
    j->sample.origin.event = java_state_event(JAVA_UNKNOWN);
    if (!sample_open(&j->sample, root))
        return false;
    vec_each (uint32_t, frame, &j->frames)
        sample_push(&j->sample, *frame);
    vec_clear(&j->frames);
    j->named = false;
    return sample_close(&j->sample);
}

static bool read_reference(struct javacore *j, struct slice line)
{
    const struct slice thread = SLICE("3XMTHREADINFO      "), frame = SLICE("4XESTACKTRACE     ");
    struct slice rest = slice_skip(line, thread.len), text;

    if (slice_starts(line, SLICE("3XMTHREADINFO3           Native callstack:")))
        return end_reference(j);
    if (slice_starts(line, thread) && slice_starts(rest, SLICE("\""))) {
        text = slice_skip(rest, 1);
        if (!slice_has(rest, SLICE(" state:")))
            return true;
        set(&j->name, slice_take(text, slice_find(text, '"')));
        j->named = true;
    } else if (slice_starts(line, thread) && slice_starts(rest, SLICE("Anonymous native thread"))) {
        set(&j->name, SLICE("Anonymous native thread"));
        j->named = true;
    } else if (slice_starts(line, SLICE("3XMTHREADINFO1 ")) && j->sample.builder.options->tid) {
        read_id(j, line);
        buf_printf(&j->name, "-%.*s", SLICE_ARG(buf_slice(&j->tid)));
    } else if (slice_starts(line, frame) && java_at(slice_skip(line, frame.len), &text)) {
        struct frame f = java_frame_reference(text);

        *vec_add(&j->frames) = builder_entry(&j->sample.builder, &f);
    }
    return true;
}

/* ---- lines --------------------------------------------------------------------------------- */

static void read_fact(struct text *t, const char *key, struct slice rest)
{
    rest = slice_trim(rest);
    if (slice_starts(rest, SLICE("Date:")))
        rest = slice_trim(slice_skip(rest, 5));
    profile_add_fact(t->profile, slice_str(key), rest);
}

static bool javacore_line(struct text *t, void *state, struct slice line)
{
    struct javacore *j = state;
    struct slice rest = slice_trim_right(line), tag;

    if (t->options->names == NAMES_REFERENCE)
        return read_reference(j, line);
    if (slice_has(line, SLICE(" END OF DUMP ")))
        j->ended = true;
    if (!slice_cut(&rest, ' ', &tag))
        return true;
    rest = slice_trim(rest);
    if (slice_equal(tag, SLICE("3XMTHREADINFO")))
        return begin_thread(j, rest);
    if (slice_equal(tag, SLICE("1XMCURTHDINFO")) || slice_equal(tag, SLICE("1XMTHDINFO")) ||
        slice_equal(tag, SLICE("0SECTION"))) {
        j->repeated = slice_equal(tag, SLICE("1XMCURTHDINFO"));
        return end_thread(j);
    }
    if (slice_equal(tag, SLICE("2XMPOOLLIVE")))
        num_parse_u64(slice_trim(slice_skip(rest, slice_find_last(rest, ':') + 1)), &j->alive);
    else if (slice_equal(tag, SLICE("1TIDATETIME")))
        read_fact(t, "captured on", rest);
    else if (slice_equal(tag, SLICE("1CIJAVAVERSION")))
        read_fact(t, "runtime", rest);
    if (is_frame_tag(tag, rest))
        return read_frame(t, j, tag, rest);
    if (j->in_thread && slice_equal(tag, SLICE("3XMTHREADINFO1")))
        read_id(j, rest);
    return true;
}

static bool javacore_end(struct text *t, void *state)
{
    struct javacore *j = state;

    if (!end_thread(j))
        return false;
    if (t->options->names != NAMES_REFERENCE) {
        if (j->shown < j->alive)
            cut_off(t, DIAG_AT_FILE,
                    "the file states %llu live thread%s but lists %llu; it may be truncated",
                    (unsigned long long)j->alive, diag_s(j->alive), (unsigned long long)j->shown);
        else if (!j->ended)
            cut_off(t, DIAG_AT_LINE(t->line),
                    "the file ends without 'END OF DUMP'; it may be truncated");
    }
    java_order_states(t->profile);
    return true;
}

STATE_RELEASE(javacore, (vec, frames, native), (buf, name, tid), (sample, sample));

const struct format format_javacore = {
    .name = "javacore",
    .family = FORMAT_JAVA,
    .description = "thread dumps of IBM and Eclipse OpenJ9 (javacore)",
    .recognised = "lines with tags such as 0SECTION and 3XMTHREADINFO",
    .example = "kill -QUIT PID   (writes javacore.*.txt)",
    .claims = javacore_claims,
    .text = {SAMPLE_STATE_THREADS_READER(javacore)},
};
