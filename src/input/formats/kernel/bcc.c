/*
 * Stacks as the tools of bcc print them: profile, offcputime, wakeuptime,
 * offwaketime, stackcount, fileiostacks, biostacks and their kin.
 *
 *     Tracing off-CPU time (us) of all threads by user + kernel stack...
 *
 *         schedule                          frames, leaf first
 *         --                                between kernel and user, with -d
 *         main
 *         -                bash (4018)      the process; older tools: "    bash"
 *             1305                          the weight, indented more
 *
 * stackcount indents frames by 2 and all else by 4. wakeuptime has the sleeper
 * above ("target: NAME") and the waker below its stack ("waker: NAME"), which
 * some versions print root first; the order is known by where functions that
 * wake stand. It becomes waker;stack;target. offwaketime prints the waker, its
 * stack root first, "--" (older: "-"), the sleeper's stack leaf first and the
 * sleeper: target;stack;--;waker's stack, leaf first;waker.
 *
 * A frame may have "#N", an address, "+0x1f" and a module around the name.
 * Processes are root frames. The unit is what the tool's first line says in
 * brackets; off-wake times are microseconds always. Counted: weights without
 * stacks, stacks without weights, lines of no meaning, what the tool lost.
 *
 * The grammar is that of the print statements in bcc's tools (iovisor/bcc).
 */
#include "input/formats/kernel/bcc_block.h"
#include "input/format.h"
#include "input/parse/native.h"

struct bcc {
    struct bcc_block block;
    struct bcc_writer writer;
    struct unit first_unit;
    bool has_unit;
    struct records records;
    struct slice text; /* of the record in hand, if it is in one piece; else empty */
};

/* ---- lines outside of stacks --------------------------------------------------------------- */

/* "of all threads by kernel stack": what the frames are. */
static enum bcc_frames named_frames(struct slice line)
{
    bool kernel = slice_search(line, SLICE("kernel")) < line.len;
    bool user = slice_search(line, SLICE("user")) < line.len;

    if (slice_search(line, SLICE(" by ")) == line.len || kernel == user)
        return BCC_MIXED;
    return kernel ? BCC_KERNEL : BCC_MIXED;
}

/* What a tool says when it starts: "Tracing off-CPU time (us) ...", "Sampling at 49 Hertz ...". */
static bool is_header(struct slice line)
{
    return (slice_starts(line, SLICE("Tracing ")) || slice_starts(line, SLICE("Sampling "))) &&
           (slice_search(line, SLICE("Hit Ctrl-C")) < line.len ||
            slice_search(line, SLICE(" stack")) < line.len);
}

static bool same_unit(struct unit a, struct unit b)
{
    return a.kind == b.kind && a.exponent == b.exponent &&
           slice_equal(unit_word(&a), unit_word(&b));
}

static struct unit header_unit(struct slice line)
{
    static const char *const units[] = {"(us)", "(ms)", "(ns)", "(bytes)"};

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (slice_search(line, slice_str(units[i])) < line.len)
            return unit_named(slice_make(units[i] + 1, strlen(units[i]) - 2));
    if (slice_search(line, SLICE(" functions for ")) < line.len)
        return unit_named(SLICE("calls"));
    return unit_samples;
}

static void read_header(struct text *t, struct bcc *s, struct slice line)
{
    enum bcc_frames frames = named_frames(line);
    struct unit unit = header_unit(line);

    if (frames != s->writer.frames || !same_unit(unit, s->writer.unit))
        records_clear(&s->records);
    s->writer.unit = unit;
    s->writer.frames = frames;
    line = slice_take(line, slice_search(line, SLICE(" Hit Ctrl-C")));
    while (slice_ends(line, SLICE(".")))
        line.len--;
    profile_add_fact(t->profile, SLICE("recording"), line);
}

/* "06:05:13", as intervals begin. */
static bool is_time(struct slice line)
{
    if (line.len < 8 || line.ptr[2] != ':' || line.ptr[5] != ':')
        return false;
    for (size_t i = 0; i < 8; i++)
        if (line.ptr[i] != ':' && (line.ptr[i] < '0' || line.ptr[i] > '9'))
            return false;
    return true;
}

/* "WARNING: 8 stack traces could not be displayed." */
static bool read_loss(struct text *t, struct slice line)
{
    uint64_t lost;
    struct slice word;

    if (!slice_starts(line, SLICE("WARNING")))
        return false;
    slice_word(&line, &word);
    if (slice_word(&line, &word) && num_parse_u64(word, &lost))
        t->profile->ledger.lost += lost;
    return true;
}

static bool is_noise(struct slice line)
{
    return slice_equal(line, SLICE("[...]")) || slice_equal(line, SLICE("...")) ||
           slice_equal(line, SLICE("^C")) || slice_starts(line, SLICE("Detaching")) ||
           slice_starts(line, SLICE("Tracing ")) || slice_starts(line, SLICE("Sampling ")) ||
           slice_starts(line, SLICE("Consider increasing")) || is_time(line);
}

static void drop_block(struct text *t, struct bcc_block *block)
{
    if (!block->lines.count)
        return;
    text_skip(t, "the stack above has no weight and is left out");
    bcc_block_clear(block);
}

/* ---- recognition --------------------------------------------------------------------------- */

struct survey {
    size_t lines, in_blocks; /* lines with something in them */
    size_t blocks, certain;  /* whole ones; those no other tool writes */
    bool header;
};

static void survey_line(struct survey *s, struct bcc_block *block, struct slice line)
{
    struct slice text = slice_trim(line);

    s->lines += text.len > 0;
    s->header |= is_header(line);
    if (bcc_block_is_weight(block, line)) {
        s->blocks++;
        s->in_blocks += block->lines.count + 1;
        s->certain += bcc_block_is_certain(block);
        bcc_block_clear(block);
    } else if (text.len && bcc_block_fits(line)) {
        bcc_block_add(block, line);
    } else {
        bcc_block_clear(block);
    }
}

/* JSON with a word to the line; "[unknown]" is a frame. */
static bool is_list(const struct head *head)
{
    struct slice rest = slice_trim_left(head->bytes), line;

    return head_line(head, &rest, &line) &&
           (slice_equal(line, SLICE("[")) || slice_equal(line, SLICE("{")));
}

/*
 * A block that only these tools write, or any behind a tool's first line; else
 * nearly all must be blocks, and two at least.
 */
static bool bcc_claims(const struct head *head)
{
    struct slice rest = head->bytes, line;
    struct bcc_block block;
    struct survey s = {0};

    if (slice_find(head->bytes, '\0') < head->bytes.len || is_list(head))
        return false;
    bcc_block_init(&block);
    while (!s.certain && head_line(head, &rest, &line))
        survey_line(&s, &block, line);
    bcc_block_release(&block);
    return s.certain || (s.header && s.blocks) || (s.blocks > 1 && s.in_blocks * 10 >= s.lines * 9);
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool bcc_begin(struct text *t, void *state)
{
    struct bcc *s = state;

    bcc_block_init(&s->block);
    s->writer = (struct bcc_writer){.options = t->options, .profile = t->profile};
    s->writer.unit = unit_samples;
    records_init(&s->records);
    builder_init(&s->writer.builder, t->profile, t->options, t->diag);
    return true;
}

/* Weights of another unit than the first are a series of their own. */
static struct slice name_event(struct bcc *s, struct unit unit)
{
    if (!s->has_unit)
        s->first_unit = unit;
    s->has_unit = true;
    return same_unit(unit, s->first_unit) ? SLICE("") : unit_word(&unit);
}

static bool write_block(struct text *t, struct bcc *s, uint64_t weight)
{
    bool wake = bcc_block_is_wake(&s->block);
    struct unit unit = wake ? unit_named(SLICE("us")) : s->writer.unit;
    uint64_t truncated = t->profile->ledger.truncated;
    struct record record;

    if (!bcc_block_write(&s->writer, &s->block, name_event(s, unit), unit, &record))
        return false;
    /* Wakers' stacks may depend on those before them. */
    if (s->text.len && !wake && t->profile->ledger.truncated == truncated)
        records_add(&s->records, s->text, record);
    s->text = SLICE("");
    bcc_block_clear(&s->block);
    return builder_add_at(&s->writer.builder, record.series, record.stack,
                          (struct decimal){.value = weight});
}

static bool read_line(struct text *t, struct bcc *s, struct slice line)
{
    uint64_t weight;

    if (slice_starts(line, SLICE("^C")))
        line = slice_skip(line, 2);
    line = slice_trim_right(line);
    if (bcc_block_is_weight(&s->block, line)) {
        if (num_parse_u64(slice_trim(line), &weight))
            return write_block(t, s, weight);
        text_skip(t, "the weight does not fit in 64 bits; its stack is left out");
        bcc_block_clear(&s->block);
    } else if (line.len && bcc_block_fits(line)) {
        bcc_block_add(&s->block, line);
    } else if (!line.len) {
        drop_block(t, &s->block);
    } else if (is_header(line)) {
        read_header(t, s, line);
    } else if (!read_loss(t, line) && !is_noise(line)) {
        drop_block(t, &s->block);
        text_skip(t, "expected an indented frame or weight; line skipped");
    }
    return true;
}

/*
 * Looks for the weight of the record that begins at `p`, all of it indented
 * lines: the length of what is in front of its digits, 0 where they are not there.
 */
static size_t find_weight(const char *p, const char *end, uint64_t *lines)
{
    const char *start = p;

    for (*lines = 1; p < end && *p == ' '; ++*lines) {
        const char *lf = memchr(p, '\n', (size_t)(end - p)), *digits;

        while (*p == ' ')
            p++;
        for (digits = p; *digits >= '0' && *digits <= '9';)
            digits++;
        if (digits > p && digits == lf)
            return (size_t)(p - start);
        p = lf + 1;
    }
    return 0;
}

/* Adds the record that begins at `p`, if its text is known; else notes it for write_block(). */
static bool read_known(struct text *t, struct bcc *s, const char **p, const char *end, bool *ok)
{
    enum { SAFE_DIGITS = 19 };
    uint64_t lines, weight = 0;
    size_t len = find_weight(*p, end, &lines), digits = 0;
    const struct record *record;

    s->text = slice_make(*p, len);
    record = len ? records_find(&s->records, s->text) : NULL;
    if (!record)
        return false;
    for (const char *at = *p + len; at[digits] != '\n'; digits++)
        weight = weight * 10 + (uint64_t)(at[digits] - '0');
    if (digits > SAFE_DIGITS)
        return false;
    t->line += lines;
    t->profile->ledger.lines += lines;
    *p += len + digits + 1;
    *ok = builder_add_at(&s->writer.builder, record->series, record->stack,
                         (struct decimal){.value = weight});
    return true;
}

static bool bcc_lines(struct text *t, void *state, struct slice block)
{
    struct bcc *s = state;
    const char *end = block.ptr + block.len;
    struct slice line;
    bool ok = true;

    while (ok && block.len) {
        const char *p = block.ptr;

        if (!s->block.lines.count) {
            s->text = SLICE("");
            if (*p == ' ' && read_known(t, s, &p, end, &ok)) {
                block = slice_make(p, (size_t)(end - p));
                continue;
            }
        }
        slice_line(&block, &line);
        t->line++;
        t->profile->ledger.lines++;
        ok = read_line(t, s, line);
    }
    s->text = SLICE(""); /* the block goes */
    return ok;
}

static bool bcc_end(struct text *t, void *state)
{
    struct bcc *s = state;

    drop_block(t, &s->block);
    return true;
}

static void bcc_release(void *state)
{
    struct bcc *s = state;

    bcc_block_release(&s->block);
    records_release(&s->records);
    builder_release(&s->writer.builder);
}

static const struct text_reader bcc_reader = {
    .state_size = sizeof(struct bcc),
    .begin = bcc_begin,
    .lines = bcc_lines,
    .end = bcc_end,
    .release = bcc_release,
};

const struct format format_bcc = {
    .name = "bcc",
    .family = FORMAT_LINUX,
    .description = "stacks of bcc's profile, offcputime, wakeuptime, offwaketime, stackcount, ...",
    .recognised = "indented frames, the process, and the weight indented more",
    .example = "/usr/share/bcc/tools/offcputime 30 > app.offcpu",
    .without_stacks = "let the tool record kernel or user stacks (without -K and -U it does both)",
    .claims = bcc_claims,
    .reader = &bcc_reader,
};
