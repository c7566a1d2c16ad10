/*
 * What perf script prints of Intel PT: every branch that was taken.
 *
 *     app 12/13 47.086912824: 1 branches:uH: call 40b06c f+0x5 (app) => 7ff730 read+0x0 (libc.so)
 *      instruction trace error type 1 time 47.086912826 cpu -1 pid 12 tid 13 ip 0x7ff code 7: ...
 *
 * Calls and returns make the stack of each thread; the weight is the time until the next branch of
 * the thread. A jump to the start of another function is a tail call, which takes the caller's
 * place. A return or a jump into a function further out ends all that it called, as exceptions do.
 * Functions that were open when the trace began are known when the trace returns to them. After an
 * error, the stack begins anew. Between "tr end" and "tr strt" the processor traced nothing, such
 * as the kernel with branches:u; that time is that of a frame "[not traced]".
 *
 * Source: tools/perf/builtin-script.c; src/perf_decode.ml of magic-trace.
 */
#include "base/num.h"
#include "input/build/builder.h"
#include "input/format.h"

enum { NEAR = 1024 /* functions further out that are looked for */ };

enum kind { KIND_JUMP, KIND_CALL, KIND_RETURN, KIND_START, KIND_END };

/* A function on the stack of a thread. */
struct open_function {
    uint32_t entry, stack;
};

struct thread {
    uint64_t ns;
    uint32_t series;
    bool outside; /* not traced at present */
    VEC(struct open_function) open;
};

struct branch {
    struct slice comm, ids;
    uint64_t ns;
    enum kind kind;
    bool ends;             /* the trace ends with this branch */
    struct slice from, to; /* "f+0x5 (app)" */
};

struct perf_branches {
    struct builder b;
    struct intern texts;
    VEC(struct thread) threads; /* by text */
    uint32_t not_traced;        /* the builder's entry */
    uint64_t errors;
};

/* ---- lines --------------------------------------------------------------------------------- */

/* Takes the words of a kind, such as "tr end  call", off `rest`. */
static void take_kind(struct slice *rest, struct branch *branch)
{
    static const struct {
        struct slice word;
        enum kind kind;
    } words[] = {
        {{"call", 4}, KIND_CALL},   {{"syscall", 7}, KIND_CALL},  {{"int", 3}, KIND_CALL},
        {{"hw", 2}, KIND_CALL},     {{"return", 6}, KIND_RETURN}, {{"sysret", 6}, KIND_RETURN},
        {{"iret", 4}, KIND_RETURN}, {{"strt", 4}, KIND_START},    {{"end", 3}, KIND_END},
        {{"jmp", 3}, KIND_JUMP},    {{"jcc", 3}, KIND_JUMP},      {{"tr", 2}, KIND_JUMP},
        {{"async", 5}, KIND_JUMP},  {{"begin", 5}, KIND_START},   {{"tx", 2}, KIND_JUMP},
        {{"abrt", 4}, KIND_JUMP},
    };
    struct slice word, after = *rest;

    branch->kind = KIND_JUMP;
    while (slice_word(&after, &word)) {
        size_t i = 0;

        while (i < sizeof(words) / sizeof(words[0]) && !slice_equal(word, words[i].word))
            i++;
        if (i == sizeof(words) / sizeof(words[0]))
            return;
        if (words[i].kind == KIND_END)
            branch->ends = true;
        else if (words[i].kind != KIND_JUMP)
            branch->kind = words[i].kind;
        *rest = after;
    }
}

/* Takes "40b06c f+0x5 (app)" apart; the address goes. */
static bool take_place(struct slice text, struct slice *place)
{
    struct slice word;
    uint64_t address;

    *place = slice_trim(text);
    if (!slice_word(place, &word) || !num_parse_hex(word, &address))
        return false;
    *place = slice_trim(*place);
    return slice_ends(*place, SLICE(")"));
}

/* Parses "47170.086912824:" as nanoseconds. */
static bool parse_time(struct slice word, uint64_t *ns)
{
    struct decimal d;

    word.len -= word.len > 0;
    return slice_find(word, '.') < word.len && num_parse_decimal(word, &d) &&
           num_mul(d.value, num_pow10(NUM_MAX_DECIMALS - d.decimals), ns);
}

/* Takes what is before the kind, "COMM PID/TID [CPU] TIME: PERIOD branches:uH:", off `rest`. */
static bool take_head(struct slice *rest, struct branch *branch)
{
    const struct slice line = *rest;
    struct slice word;
    bool timed = false;

    while (slice_word(rest, &word)) {
        size_t slash;
        uint64_t pid, tid;

        if (timed && slice_starts(word, SLICE("branches:")))
            return branch->ids.len > 0;
        if (timed)
            continue;
        slash = slice_find(word, '/');
        if (slash < word.len && num_parse_u64(slice_take(word, slash), &pid) &&
            num_parse_u64(slice_skip(word, slash + 1), &tid)) {
            branch->ids = word;
            branch->comm = slice_trim(slice_take(line, (size_t)(word.ptr - line.ptr)));
        }
        timed = slice_ends(word, SLICE(":")) && parse_time(word, &branch->ns);
    }
    return false;
}

static bool parse_branch(struct slice line, struct branch *branch)
{
    const struct slice arrow = SLICE(" => ");
    struct slice rest = line;
    size_t to;

    *branch = (struct branch){0};
    if (!take_head(&rest, branch))
        return false;
    take_kind(&rest, branch);
    to = slice_search(rest, arrow);
    return to < rest.len && take_place(slice_take(rest, to), &branch->from) &&
           take_place(slice_skip(rest, to + arrow.len), &branch->to);
}

static bool perf_branches_claims(const struct head *head)
{
    enum { LINES = 20 };
    struct branch branch;

    head_each_of (line, head, LINES)
        if (slice_trim(line).len && !slice_starts(line, SLICE("#")) &&
            !slice_starts(line, SLICE(" instruction trace error ")))
            return parse_branch(line, &branch);
    return false;
}

/* ---- functions ----------------------------------------------------------------------------- */

/* The entry of the function of a place; `start` says whether the place is its first address. */
static uint32_t entry_of(struct perf_branches *p, struct slice place, bool *start)
{
    size_t open = slice_find_last(place, '('), plus;
    struct frame f = {.kind = FRAME_NATIVE, .name = slice_trim(slice_take(place, open))};

    f.module = slice_skip(slice_take(place, place.len - 1), open + 1);
    plus = slice_find_last(f.name, '+');
    *start = slice_equal(slice_skip(f.name, plus), SLICE("+0x0"));
    if (slice_starts(slice_skip(f.name, plus), SLICE("+0x")))
        f.name.len = plus;
    return builder_entry(&p->b, &f);
}

static bool is_known(struct slice place)
{
    return !slice_starts(place, SLICE("[unknown]"));
}

static bool push(struct perf_branches *p, struct thread *t, uint32_t entry)
{
    uint32_t parent = t->open.count ? t->open.items[t->open.count - 1].stack : STACK_ROOT;
    struct open_function *f = vec_add(&t->open);

    f->entry = entry;
    return builder_child_entry(&p->b, parent, entry, &f->stack);
}

/* Ends what the function called, if it is open. Returns false if it is not. */
static bool unwind_to(struct thread *t, uint32_t entry)
{
    for (size_t i = t->open.count; i-- > 0 && t->open.count - i <= NEAR;)
        if (t->open.items[i].entry == entry) {
            t->open.count = i + 1;
            return true;
        }
    return false;
}

/* ---- branches ------------------------------------------------------------------------------ */

/* Adds the time since the last branch of a thread to its stack. */
static bool charge(struct perf_branches *p, struct thread *t, uint64_t ns)
{
    uint64_t step = ns > t->ns ? ns - t->ns : 0;
    uint32_t stack;

    t->ns += step;
    if (!step || !t->open.count)
        return true;
    stack = t->open.items[t->open.count - 1].stack;
    return (!t->outside || builder_child_entry(&p->b, stack, p->not_traced, &stack)) &&
           builder_add_at(&p->b, t->series, stack, (struct decimal){.value = step});
}

/* Follows a branch within what is traced. */
static bool follow(struct perf_branches *p, struct thread *t, const struct branch *branch)
{
    bool start, ignored;
    uint32_t to = entry_of(p, branch->to, &start);

    if (branch->kind == KIND_CALL) {
        if (!t->open.count && is_known(branch->from) &&
            !push(p, t, entry_of(p, branch->from, &ignored)))
            return false;
        return push(p, t, to);
    }
    if (branch->kind == KIND_RETURN && t->open.count)
        t->open.count--;
    if (t->open.count && t->open.items[t->open.count - 1].entry == to)
        return true;
    if ((branch->kind != KIND_JUMP || !start) && unwind_to(t, to))
        return true;
    if (branch->kind == KIND_JUMP && t->open.count)
        t->open.count--;
    else
        t->open.count = 0;
    return push(p, t, to);
}

static struct thread *thread_of(struct perf_branches *p, const struct branch *branch)
{
    uint32_t text = intern_add(&p->texts, branch->ids);
    size_t slash = slice_find(branch->ids, '/');
    struct origin origin = {
        .event = SLICE("branches"),
        .process = branch->comm,
        .pid = slice_take(branch->ids, slash),
        .tid = slice_skip(branch->ids, slash + 1),
    };

    if (text == p->threads.count)
        *vec_add(&p->threads) = (struct thread){
            .ns = branch->ns, .series = builder_series(&p->b, &origin, unit_named(SLICE("ns")))};
    return &p->threads.items[text];
}

/* " instruction trace error type 1 time 4.2 cpu -1 pid 12 tid 13 ...": the stack is not known. */
static void read_error(struct perf_branches *p, struct slice line)
{
    struct slice word, before = {0}, pid = {0}, tid = {0};
    struct buf ids = {0};
    uint32_t text;

    p->errors++;
    while (slice_word(&line, &word)) {
        if (slice_equal(before, SLICE("pid")))
            pid = word;
        if (slice_equal(before, SLICE("tid")))
            tid = word;
        before = word;
    }
    buf_printf(&ids, "%.*s/%.*s", SLICE_ARG(pid), SLICE_ARG(tid));
    text = intern_find(&p->texts, buf_slice(&ids));
    if (text < p->threads.count)
        p->threads.items[text].open.count = 0;
    buf_release(&ids);
}

static bool perf_branches_begin(struct text *t, void *state)
{
    struct perf_branches *p = state;
    struct frame outside = {.name = SLICE("[not traced]"), .kind = FRAME_PLAIN};

    builder_init(&p->b, t->profile, t->options, t->diag);
    p->not_traced = builder_entry(&p->b, &outside);
    return true;
}

static bool perf_branches_line(struct text *t, void *state, struct slice line)
{
    struct perf_branches *p = state;
    struct branch branch;
    struct thread *thread;

    if (slice_starts(line, SLICE(" instruction trace error "))) {
        read_error(p, line);
        return true;
    }
    if (!slice_trim(line).len || slice_starts(line, SLICE("#")))
        return true;
    if (!parse_branch(line, &branch))
        return text_skip_line(t, "expected 'COMM PID/TID TIME: branches: KIND FROM => TO'", line);
    thread = thread_of(p, &branch);
    if (!charge(p, thread, branch.ns))
        return false;
    thread->outside = branch.ends || !is_known(branch.to);
    return thread->outside || follow(p, thread, &branch);
}

static bool perf_branches_end(struct text *t, void *state)
{
    const struct perf_branches *p = state;

    diag_warn_count(t->diag, p->errors,
                    "the trace has # {gap (an overflow or an error of decoding)|gaps (overflows or "
                    "errors of decoding)}; stacks begin anew "
                    "after {it|each}");
    return true;
}

static void perf_branches_release(void *state)
{
    struct perf_branches *p = state;

    vec_each (struct thread, t, &p->threads)
        vec_release(&t->open);
    release_each(p, (vec, threads), (intern, texts), (builder, b));
}

const struct format format_perf_branches = {
    .name = "perf-branches",
    .family = FORMAT_LINUX,
    .description = "branches of Intel PT as perf script prints them",
    .recognised = "lines 'branches: KIND FROM => TO'",
    .example = "perf record -e intel_pt//u ./app; perf script --itrace=be --ns -F+addr,+flags",
    .without_stacks = "no branch has a function; the binaries were not found",
    .claims = perf_branches_claims,
    .text = {TEXT_READER(perf_branches)},
};
