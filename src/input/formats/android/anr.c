/*
 * Reader of Android's thread dumps: /data/anr/traces.txt, and what `kill -3` writes.
 *
 *     ----- pid 7421 at 2021-10-21 14:03:29 -----
 *     Cmd line: com.example.app
 *     DALVIK THREADS (51):
 *     "main" prio=5 tid=1 Native
 *       | group="main" sCount=1 dsCount=0 obj=0x12dbf8b0 self=0x76cd70cc00
 *       | sysTid=7421 nice=0 cgrp=default sched=0/0 handle=0x76cc6e9450
 *       kernel: SyS_epoll_wait+0x2cc/0x358
 *       native: #00 pc 000000000006ab80  /system/lib64/libc.so (__epoll_pwait+8)
 *       at android.os.MessageQueue.nativePollOnce(Native method)
 *       - waiting on <0x0a1b> (a java.lang.Object)
 *     ----- end 7421 -----
 *
 * Leaf first: frames of the kernel, native ones, then Java's. Dalvik writes native frames without
 * "native:". A thread weighs 1; its name is the first frame, and its state is for --state. Kept:
 * functions, modules, process. Dropped: what it waits for, priorities, the histograms before the
 * threads.
 *
 * Source: art/runtime/thread.cc (Thread::DumpState, DumpStack) and signal_catcher.cc of the AOSP.
 */
#include "base/num.h"
#include "input/build/java.h"
#include "input/format.h"

struct anr {
    struct sample sample;
    struct slice process, pid; /* kept by the sample */
};

/* Parses `"main" prio=5 tid=1 Native`; the state is empty for threads that are not Java's. */
static bool parse_thread(struct slice line, struct slice *name, struct slice *tid,
                         struct slice *state)
{
    static const char *const keys[] = {" tid=", " sysTid="};
    size_t close = slice_find_last(line, '"'), at;
    struct slice rest = slice_skip(line, close + 1), word;

    if (!slice_starts(line, SLICE("\"")) || !close || close == line.len)
        return false;
    *name = slice_take(slice_skip(line, 1), close - 1);
    *tid = *state = slice_make(NULL, 0);
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && !tid->len; i++) {
        at = slice_search(rest, slice_str(keys[i]));
        word = slice_skip(rest, at < rest.len ? at + strlen(keys[i]) : rest.len);
        slice_word(&word, tid);
        if (tid->len && i == 0)
            slice_word(&word, state);
    }
    return tid->len > 0;
}

static bool anr_claims(const struct head *head)
{
    struct slice name, tid, state;
    bool thread = false;

    if (!slice_has_any(head->bytes, "DALVIK THREADS", "| group=", "| sysTid="))
        return false;
    head_each (line, head) {
        struct slice text = slice_trim(line);

        if (slice_starts(text, SLICE("DALVIK THREADS")) ||
            (thread &&
             (slice_starts(text, SLICE("| group=")) || slice_starts(text, SLICE("| sysTid=")))))
            return true;
        thread = parse_thread(text, &name, &tid, &state);
    }
    return false;
}

/* "__epoll_pwait+8", or an empty name. */
static struct slice without_offset(struct slice name)
{
    size_t plus = slice_find_last(name, '+');

    return slice_take(name, plus);
}

/* "#00 pc 000000000006ab80  /system/lib64/libc.so (__epoll_pwait+8) (BuildId: 1f)" */
static bool parse_native(struct slice text, struct frame *f)
{
    struct slice word;
    size_t open;

    *f = (struct frame){.kind = FRAME_NATIVE};
    if (!slice_starts(text, SLICE("#")) || !slice_word(&text, &word) || !slice_word(&text, &word) ||
        !slice_equal(word, SLICE("pc")) || !slice_word(&text, &word))
        return false;
    f->has_address = num_parse_hex(word, &f->address);
    text = slice_trim(slice_take(text, slice_search(text, SLICE(" (BuildId:"))));
    open = slice_search(text, SLICE(" ("));
    f->module = slice_trim(slice_take(text, open));
    text = slice_skip(text, open + 2 < text.len ? open + 2 : text.len);
    if (slice_ends(text, SLICE(")")))
        f->name = without_offset(slice_take(text, text.len - 1));
    if (slice_equal(f->name, SLICE("???")))
        f->name.len = 0;
    return f->module.len > 0;
}

/* "SyS_epoll_wait+0x2cc/0x358" or "(couldn't read ...)" */
static bool parse_kernel(struct slice text, struct frame *f)
{
    *f = (struct frame){.name = without_offset(text),
                        .kind = FRAME_NATIVE,
                        .class = SYMBOL_KERNEL,
                        .has_class = true};
    return text.len && text.ptr[0] != '(';
}

/* Adds a frame of Java. ART writes "wait!" for a wait that is built into it. */
static bool push_java(struct anr *a, struct slice text)
{
    size_t mark = slice_search(text, SLICE("!("));
    struct buf plain = {0};
    bool ok;

    buf_add_slice(&plain, slice_take(text, mark));
    if (mark < text.len)
        buf_add_slice(&plain, slice_skip(text, mark + 1));
    ok = java_push(&a->sample, buf_slice(&plain));
    buf_release(&plain);
    return ok;
}

static bool open_thread(struct anr *a, struct slice name, struct slice tid, struct slice state)
{
    struct sample *s = &a->sample;

    if (!java_open(s, name))
        return false;
    s->origin.process = a->process;
    s->origin.pid = a->pid;
    s->origin.tid = sample_keep(s, tid);
    s->origin.state = sample_keep(s, state);
    return true;
}

/* Reads a line between threads. */
static void read_outside(struct text *t, struct anr *a, struct slice text)
{
    const struct slice begin = SLICE("----- pid "), command = SLICE("Cmd line: ");

    if (slice_starts(text, begin)) {
        struct slice rest = slice_skip(text, begin.len), word;
        size_t at = slice_search(rest, SLICE(" at ")), end = slice_search(rest, SLICE(" -----"));

        if (slice_word(&rest, &word))
            a->pid = sample_keep(&a->sample, word);
        rest = slice_skip(text, begin.len);
        if (at < end)
            profile_add_fact(t->profile, SLICE("captured on"),
                             slice_skip(slice_take(rest, end), at + 4));
    } else if (slice_starts(text, command)) {
        a->process = sample_keep(&a->sample, slice_trim(slice_skip(text, command.len)));
    }
}

static bool anr_line(struct text *t, void *state, struct slice line)
{
    const struct slice native = SLICE("native: "), kernel = SLICE("kernel: ");
    struct anr *a = state;
    struct slice text = slice_trim(line), name, tid, thread_state;
    struct frame f;
    bool read;

    if (parse_thread(text, &name, &tid, &thread_state))
        return open_thread(a, name, tid, thread_state);
    if (!text.len || slice_starts(text, SLICE("-----")))
        if (!sample_close(&a->sample))
            return false;
    if (!a->sample.open) {
        read_outside(t, a, text);
        return true;
    }
    if (slice_starts(text, SLICE("| ")) || slice_starts(text, SLICE("- ")) ||
        slice_starts(text, SLICE("(")))
        return true;
    if (slice_starts(text, SLICE("at ")))
        return push_java(a, slice_skip(text, 3)) ||
               text_skip_line(t, "expected 'at CLASS.METHOD(FILE:LINE)'", text);
    if (slice_starts(text, kernel))
        read = parse_kernel(slice_skip(text, kernel.len), &f);
    else
        read = parse_native(slice_starts(text, native) ? slice_skip(text, native.len) : text, &f);
    if (!read)
        return slice_has(text, SLICE("(")) || text_skip_line(t, "not a line of a thread", text);
    sample_frame(&a->sample, &f);
    return true;
}

const struct format format_anr = {
    .name = "anr",
    .family = FORMAT_JAVA,
    .description = "Android's thread dumps, /data/anr/traces.txt",
    .recognised = "'DALVIK THREADS', or a thread's line above '| group='",
    .example = "adb shell su -c 'cat /data/anr/traces.txt' > app.anr",
    .claims = anr_claims,
    .text = {SAMPLE_THREADS_READER(anr, SAMPLE_STATE(struct anr))},
};
