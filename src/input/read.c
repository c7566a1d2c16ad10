#include "input/read.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/file.h"
#include "base/num.h"
#include "base/utf8.h"
#include "input/build/event_order.h"
#include "input/cut.h"
#include "input/refused.h"
#include "input/registry.h"
#include "input/core/source.h"

/* Shows the first line that is not blank, so that the user sees what the file is. */
static void note_unknown(struct slice head, struct diag *diag)
{
    enum { SHOWN = 80 };
    struct slice line = slice_trim_left(head);
    size_t len = slice_find(line, '\n');

    line = slice_trim_right(slice_take(line, len));
    diag_add(diag, DIAG_NOTE, DIAG_AT_FILE, "not a profile that is known; it begins '%.*s'%s",
             SLICE_ARG(slice_take(line, SHOWN)), line.len > SHOWN ? "..." : "");
}

/*
 * Reports the weight of malformed lines. If that is more than 1 % of what was read, the graphs are
 * wrong, and the file counts as failed, although it is drawn.
 */
static void weigh_skipped(const struct profile *p, struct diag *diag)
{
    double read = 0, skipped = p->ledger.unreadable_weight;

    if (!(skipped > 0))
        return;
    vec_each (const struct series, s, &p->series)
        read += (double)s->total / (double)num_pow10(p->decimals);
    diag_add(diag, skipped * 100 > read ? DIAG_ERROR : DIAG_WARNING, DIAG_AT_FILE,
             "the weights of the malformed lines add up to %.10g, those that were read to %.10g",
             skipped, read);
}

/* True if a stack has a frame and its caller, below the process. */
static bool has_callers(const struct stacks *s)
{
    for (uint32_t id = 1; id < s->count; id++)
        if (s->parent[s->parent[id]] != STACK_ROOT)
            return true;
    return false;
}

/* Warns of a recording without call graphs, whose flame graph is a row of functions. */
static void tell_flat(const struct profile *p, const struct format *format, uint64_t samples,
                      struct diag *diag)
{
    enum { TELLING = 10 }; /* fewer samples may all be of functions without callers */

    if (!format->without_callers || samples < TELLING || p->ledger.truncated ||
        has_callers(&p->stacks))
        return;
    if (p->ledger.unwound)
        diag_warn(diag, "no sample has a call graph, only the function that ran: the binaries "
                        "needed to unwind the stacks were not found (--symfs DIR)");
    else
        diag_warn(diag, "no sample has a call graph, only the function that ran; %s",
                  format->without_callers);
}

/*
 * Judges a profile that was read to its end. If nothing was measured, or no sample has a
 * stack, there is nothing to draw. That alone is no damage; unreadable lines and warnings
 * are.
 */
static enum input_result judge(const struct profile *p, const struct format *format,
                               struct diag *diag)
{
    const struct read_ledger *ledger = &p->ledger;
    uint64_t samples = 0;
    const char *why;
    bool damaged;

    vec_each (struct series, s, &p->series)
        samples += s->samples;
    weigh_skipped(p, diag);
    if (samples > ledger->without_frames) {
        tell_flat(p, format, samples, diag);
        return INPUT_READ;
    }
    if (!samples && ledger->left_out) {
        diag_error(diag,
                   "none of the %llu samples is of the processes, threads, states and labels "
                   "asked for (--process, --thread, --state, --tag)",
                   (unsigned long long)ledger->left_out);
        return INPUT_FAILED;
    }
    damaged = ledger->unreadable || (diag->counts[DIAG_WARNING] && !ledger->distributions);
    if (ledger->distributions)
        why = "distributions do not add up; count stacks instead";
    else if (samples)
        why = format->without_stacks;
    else
        why = damaged ? NULL : "nothing was measured";
    diag_add(diag, damaged ? DIAG_ERROR : DIAG_NOTE, DIAG_AT_FILE, "no stacks in this %s file%s%s",
             format->name, why ? ": " : "", why ? why : "");
    return damaged ? INPUT_FAILED : INPUT_EMPTY;
}

/* Says which options the input cannot follow, because it does not say whose samples it holds. */
static void tell_useless(const struct profile *p, const struct input_options *o, struct diag *diag)
{
    const struct {
        bool asked;
        const char *option, *what;
    } rows[] = {
        {!p->has_states && o->state_count, "--state", "state of a thread"},
        {!p->has_processes && o->process_count, "--process", "process"},
        {!p->has_processes && o->split_process, "--split=process", "process"},
        {!p->has_threads && o->thread_count, "--thread", "thread"},
        {!p->has_threads && o->split_thread, "--split=thread", "thread"},
        {!p->has_cpus && o->split_cpu, "--split=cpu", "CPU"},
        {!p->has_cgroups && o->split_cgroup, "--split=cgroup", "control group"},
        {!p->has_tags && o->tag_count, "--tag", "label"},
        {!p->has_split_tag && o->split_tag, "--split-tag", "value of this label"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].asked)
            diag_warn(diag, "%s has no effect: the input does not say which %s a sample is of",
                      rows[i].option, rows[i].what);
}

/* Whether more of an input may tell its format: of JSON, or of a text with a long first line. */
static bool may_tell(const struct head *head)
{
    enum { LINE_MOST = 4 << 20 };

    if (head->is_json)
        return head->intact;
    return !head->whole && head->bytes.len < LINE_MOST &&
           slice_find(head->bytes, '\n') == head->bytes.len &&
           slice_find(head->bytes, '\0') == head->bytes.len;
}

/*
 * Recognises a file whose beginning does not tell its format by more and more of
 * it. Returns false after reporting that the source cannot be read.
 */
static bool look_further(struct source *source, struct head *head)
{
    const char *path = head->path;
    bool more = true;

    while (more && may_tell(head) && !refused_hint(head) && !registry_find(head)) {
        struct slice bytes;
        bool whole;

        /* Even a call that fails may have moved the bytes of the head. */
        more = source_extend_head(source);
        bytes = source_head(source, &whole);
        head_release(head);
        head_init(head, bytes, whole);
        head->path = path;
    }
    return !source->failed;
}

/*
 * Whether an input that is no known profile is a damaged one. A decompressor verifies a block after
 * it gives out its bytes, so this reads on for the length of a block of bzip2 (900 KB).
 */
static bool is_damaged(struct source *source)
{
    enum { BLOCK_MOST = 1 << 20 };
    struct buf block = {0};
    size_t read = 0, got = 1;

    buf_reserve(&block, SOURCE_BLOCK);
    while (source->compression && got && read < SOURCE_HEAD + BLOCK_MOST) {
        got = source_read(source, block.ptr, SOURCE_BLOCK);
        read += got;
    }
    buf_release(&block);
    return source->failed;
}

static enum input_result read_source(struct source *source, const struct head *head,
                                     const struct input_options *options, unsigned threads,
                                     struct profile *out, struct diag *diag)
{
    const struct format *format;
    const char *beside = refused_beside(head), *hint = refused_hint(head);

    if (head->whole && slice_trim(head->bytes).len == 0) {
        diag_add(diag, DIAG_NOTE, DIAG_AT_FILE, "the file is empty");
        return INPUT_EMPTY;
    }
    if (beside) {
        diag_add(diag, DIAG_NOTE, DIAG_AT_FILE, "this is %s", beside);
        return INPUT_UNKNOWN;
    }
    if (hint) {
        diag_add(diag, DIAG_ERROR, DIAG_AT_FILE, "this is %s", hint);
        return INPUT_FAILED;
    }
    format = registry_find(head);
    if (!format) {
        if (is_damaged(source))
            return INPUT_FAILED;
        note_unknown(head->bytes, diag);
        return INPUT_UNKNOWN;
    }
    if (format->picture && !options->pictures) {
        diag_add(diag, DIAG_NOTE, DIAG_AT_FILE,
                 "a picture (%s), which is read only if it is named on the command line",
                 format->name);
        return INPUT_UNKNOWN;
    }
    diag_add(diag, DIAG_NOTE, DIAG_AT_FILE, "read as %s, recognised by: %s", format->name,
             format->recognised);
    out->keep_timed = options->timed;
    if (!registry_read(format, source, head, options, threads, out, diag))
        return INPUT_FAILED;
    profile_note(out, SERIES_NONE, NOTE_INPUT_CUT, source->cut);
    stacks_forget_index(&out->stacks);
    out->format = format->name;
    if (format->of_events)
        event_order_apply(out);
    out->in_order |= format->in_order;
    tell_useless(out, options, diag);
    cut_tell(out, diag);
    return judge(out, format, diag);
}

static enum input_result read_opened(struct source *source, const char *path,
                                     const struct input_options *options, unsigned threads,
                                     struct profile *out, struct diag *diag)
{
    enum input_result result = INPUT_FAILED;
    bool whole;
    struct slice bytes = source_head(source, &whole);
    struct head head;

    head_init(&head, bytes, whole);
    head.path = path;
    if (look_further(source, &head))
        result = read_source(source, &head, options, threads, out, diag);
    head_release(&head);
    return result;
}

/* Reads `path`, or the open file `fd` if it is NULL, within a budget. */
static enum input_result read_within(const char *path, int fd, const struct input_options *options,
                                     unsigned threads, struct profile *out, struct diag *diag)
{
    const struct input_limits *limits = &options->limits;
    enum input_result result = INPUT_FAILED;
    struct budget budget, *before;
    struct source source;

    budget_init(&budget, limits->held ? "reading it beside the inputs before" : "reading",
                limits->max_memory, limits->max_work);
    budget_charge(&budget, (ptrdiff_t)limits->held);
    before = budget_enter(&budget);
    if (path ? source_open(&source, path, limits->max_size, diag)
             : source_open_fd(&source, fd, limits->max_size, diag))
        result = read_opened(&source, path, options, threads, out, diag);
    source_release(&source);
    if (!budget_allows(diag, DIAG_AT_FILE))
        result = budget_has_worked(&budget) ? INPUT_FAILED : INPUT_LARGE;
    budget_leave(before);
    return result;
}

enum input_result input_read(const char *path, const struct input_options *options,
                             unsigned threads, struct profile *out, struct diag *diag)
{
    return read_within(path, -1, options, threads, out, diag);
}

/*
 * Returns a file in memory that holds `bytes`, or -1 after reporting: readers share one way to
 * bytes, a descriptor that they may read in parts side by side.
 */
static int make_file(struct slice bytes, struct diag *diag)
{
    int fd = memfd_create("flamepress", MFD_CLOEXEC);
    struct buf why = {0};

    if (fd < 0) {
        diag_error(diag, "cannot create a file in memory: %s", strerror(errno));
    } else if (!file_write_fd(fd, bytes, &why) || lseek(fd, 0, SEEK_SET) != 0) {
        diag_error(diag, "cannot write a file in memory: %s", buf_string(&why));
        close(fd);
        fd = -1;
    }
    buf_release(&why);
    return fd;
}

enum input_result input_read_memory(struct slice bytes, const struct input_options *options,
                                    unsigned threads, struct profile *out, struct diag *diag)
{
    int fd = make_file(bytes, diag);
    enum input_result result;

    if (fd < 0)
        return INPUT_FAILED;
    result = read_within(NULL, fd, options, threads, out, diag);
    close(fd);
    return result;
}
