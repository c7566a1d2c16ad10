/*
 * Stacks in the kernel: /proc/PID/stack of one or many threads, and the kernel's log after
 * "echo t > /proc/sysrq-trigger" (also w, l), or of a hung task.
 *
 *     [<0>] futex_wait_queue+0x60/0x90           leaf first; a blank line ends a stack,
 *     [<0>] do_syscall_64+0x55/0xb0              as does the entry into the kernel
 *
 *     [ 8.1] task:kworker/0:1  state:I stack:0  pid:9  tgid:9  ppid:2  flags:0x00004000
 *     [ 8.1] Call Trace:
 *     [ 8.1]  <TASK>
 *     [ 8.1]  __schedule+0x3d1/0xa50
 *     [ 8.1]  ? psi_task_switch+0x9f/0x230
 *     [ 8.1]  schedule+0x5e/0xd0
 *
 * Each stack weighs 1. In a log the task is the first frame, and its state can be asked for
 * (--state). Entries with "?" are what happened to be on the stack and not part of it; they are
 * dropped, as are times, offsets and registers. In files that "==> /proc/9/stack <==" parts, as
 * tail and head write them, the number is the process. Modules ("[ext4]") are kept.
 *
 * Grammar: fs/proc/base.c, kernel/sched/core.c and arch/x86/kernel/dumpstack.c of Linux.
 */
#include "base/ascii.h"
#include "input/build/sample.h"
#include "input/format.h"
#include "input/parse/native.h"

struct kernel_stack {
    struct sample sample;
    bool in_trace; /* frames follow "Call Trace:" */
    bool entered;  /* the last frame listed is where the task entered the kernel */
};

/* Removes "[  123.456789] " or "<4>[  123.456789] ", and what journalctl has before "kernel: ". */
static struct slice without_time(struct slice line)
{
    const struct slice kernel = SLICE(" kernel: ");
    size_t at = slice_search(line, kernel), end;
    struct slice rest = line;

    if (at < line.len)
        rest = line = slice_skip(line, at + kernel.len);
    if (slice_starts(rest, SLICE("<")) && rest.len > 3 && rest.ptr[2] == '>')
        rest = slice_skip(rest, 3);
    end = slice_find(rest, ']');
    if (!slice_starts(rest, SLICE("[")) || end == rest.len)
        return line;
    for (size_t i = 1; i < end; i++)
        if (!ascii_is_digit(rest.ptr[i]) && !strchr(" .T", rest.ptr[i]))
            return line;
    rest = slice_skip(rest, end + 1);
    return slice_skip(rest, slice_starts(rest, SLICE(" ")));
}

/* "schedule+0x5e/0xd0" or "f+0x1/0x2 [ext4]"; blanks before it. */
static bool parse_function(struct slice text, struct frame *f)
{
    struct slice word, rest = text;
    size_t plus, slash;

    if (!slice_word(&rest, &word))
        return false;
    plus = slice_search(word, SLICE("+0x"));
    slash = slice_search(word, SLICE("/0x"));
    if (!plus || plus >= slash || slash == word.len)
        return false;
    *f = (struct frame){.name = slice_take(word, plus),
                        .kind = FRAME_NATIVE,
                        .class = SYMBOL_KERNEL,
                        .has_class = true};
    rest = slice_trim(rest);
    if (slice_starts(rest, SLICE("[")))
        f->module = slice_take(rest, slice_find(rest, ']') + 1);
    return true;
}

/* "[<0>] futex_wait+0x189/0x270", "[<ffffffff810f3b00>] do_futex+0x106/0x1b0" */
static bool parse_listed(struct slice line, struct frame *f)
{
    size_t end = slice_search(line, SLICE(">] "));

    line = slice_trim_left(line);
    end = slice_search(line, SLICE(">] "));
    return slice_starts(line, SLICE("[<")) && end < line.len &&
           parse_function(slice_skip(line, end + 3), f);
}

/* The last line of each stack of older kernels: "[<ffffffffffffffff>] 0xffffffffffffffff". */
static bool is_last(struct slice line)
{
    return slice_starts(slice_trim_left(line), SLICE("[<ffffffff")) &&
           slice_ends(slice_trim_right(line), SLICE("] 0xffffffffffffffff"));
}

/* The word after "key:", as in "state:D" and "pid:9"; blanks may follow the colon. */
static struct slice value_of(struct slice line, const char *key)
{
    struct slice word, rest = slice_skip(line, slice_search(line, slice_str(key)) + strlen(key));

    return slice_word(&rest, &word) ? word : SLICE("");
}

static bool is_task(struct slice line)
{
    return slice_starts(line, SLICE("task:")) && slice_has(line, SLICE(" state:")) &&
           slice_has(line, SLICE(" pid:"));
}

static bool is_trace(struct slice line)
{
    return slice_equal(slice_trim(line), SLICE("Call Trace:"));
}

static bool kernel_stack_claims(const struct head *head)
{
    struct frame f;
    bool trace = false, task = false, listed = false;

    head_each (whole, head) {
        struct slice line = without_time(whole);

        /* An error report in a log may have one such line; a stack has more, or its task. */
        if (parse_listed(line, &f)) {
            if (line.ptr == whole.ptr || task || listed)
                return true;
            listed = true;
        } else {
            listed = false;
        }
        task = task || is_task(line);
        trace = trace || (task && is_trace(line));
        if (trace && parse_function(line, &f))
            return true;
        if (!task && whole.len && !slice_starts(whole, SLICE("==> ")) && whole.ptr[0] != '[' &&
            !slice_has(whole, SLICE(" kernel: ")) && whole.ptr[0] != '<')
            return false;
    }
    return false;
}

/* Whether a function is where a task enters the kernel: the outermost frame of its stack. */
static bool is_entry(struct slice name)
{
    return slice_starts_any(name, "entry_SYSCALL", "entry_INT80", "entry_SYSENTER", "ret_from_fork",
                            "ret_from_kernel_", "ret_from_syscall", "system_call_fastpath") ||
           slice_is_any(name, "system_call", "system_call_common", "system_call_vectored_common",
                        "el0t_64_sync", "el0t_32_sync", "el0_sync", "el0_sync_compat",
                        "el0_svc_naked", "ret_fast_syscall", "ret_to_user");
}

/*
 * A line of /proc/PID/stack. Where no blank line stands between two stacks, the entry ends the
 * first; ret_from_fork_asm, below ret_from_fork, belongs to the same stack.
 */
static bool add_listed(struct kernel_stack *k, const struct frame *f)
{
    struct sample *s = &k->sample;

    if (k->entered && !slice_ends(f->name, SLICE("_asm")) && !sample_close(s))
        return false;
    if (!s->open && !sample_open(s, SLICE("")))
        return false;
    sample_frame(s, f);
    k->entered = !k->in_trace && is_entry(f->name);
    return true;
}

/* A task's line: its name, its number and its state. */
static bool begin_task(struct kernel_stack *k, struct slice line)
{
    struct slice name = slice_skip(line, 5);

    k->in_trace = k->entered = false;
    if (!sample_close(&k->sample))
        return false;
    name = slice_trim(slice_take(name, slice_search(name, SLICE(" state:"))));
    k->sample.origin = (struct origin){
        .thread = sample_keep(&k->sample, name),
        .tid = sample_keep(&k->sample, value_of(line, " pid:")),
        .pid = sample_keep(&k->sample, value_of(line, " tgid:")),
        .state = sample_keep(&k->sample, value_of(line, " state:")),
    };
    if (!k->sample.origin.pid.len)
        k->sample.origin.pid = k->sample.origin.tid;
    return sample_open(&k->sample, k->sample.origin.thread);
}

/* "==> /proc/9/task/12/stack <==" */
static bool begin_file(struct kernel_stack *k, struct slice line)
{
    struct slice word, tid = SLICE(""), pid = SLICE("");

    line = slice_skip(line, 4);
    while (slice_cut(&line, '/', &word))
        if (word.len && ascii_is_digit(word.ptr[0])) {
            if (!pid.len)
                pid = word;
            tid = word;
        }
    if (!sample_close(&k->sample))
        return false;
    k->sample.origin =
        (struct origin){.pid = sample_keep(&k->sample, pid), .tid = sample_keep(&k->sample, tid)};
    return true;
}

static bool kernel_stack_line(struct text *t, void *state, struct slice whole)
{
    struct kernel_stack *k = state;
    struct slice line = without_time(whole);
    struct frame f;

    (void)t;
    if (is_task(line))
        return begin_task(k, line);
    if (slice_starts(line, SLICE("==> ")))
        return begin_file(k, line);
    if (is_trace(line)) {
        k->in_trace = k->sample.open;
        return true;
    }
    if (is_last(line))
        return sample_close(&k->sample);
    if (parse_listed(line, &f))
        return add_listed(k, &f);
    if (k->in_trace && parse_function(line, &f)) {
        sample_frame(&k->sample, &f);
    } else if (!slice_trim(line).len && !k->in_trace) {
        return sample_close(&k->sample);
    } else if (slice_starts(slice_trim(line), SLICE("[<"))) {
        return text_skip_line(t, "expected '[<0>] NAME+0xOFFSET/0xSIZE'", line);
    }
    return true;
}

const struct format format_kernel_stack = {
    .name = "kernel-stack",
    .family = FORMAT_LINUX,
    .description = "stacks of threads in the kernel: /proc/PID/stack, and the log of sysrq t",
    .recognised =
        "lines '[<0>] NAME+0x60/0x90', or 'task:NAME state:S ... pid:N' and 'Call Trace:'",
    .example = "for t in /proc/PID/task/*; do cat $t/stack; echo; done >> app.stack   # as root",
    .without_stacks = "read them as root: sudo cat /proc/PID/stack",
    .claims = kernel_stack_claims,
    .text = {SAMPLE_THREADS_READER(kernel_stack, SAMPLE_STATE(struct kernel_stack))},
};
