/*
 * Reader of Rprof.out, the samples of R's own profiler.
 *
 *     memory profiling: GC profiling: line profiling: sample.interval=5000
 *     #File 1: work.R
 *     :287111:991742:25345376:0:"rnorm" 1#2 "alloc" 1#8 "work" 2#1 "t"
 *     "<GC>" "mean" "work"
 *
 * The first line has the interval in microseconds, which is the weight of each sample. A sample
 * is a line of quoted functions, leaf first. A mark FILE#LINE is the line being executed within
 * the function that follows the mark; functions with it have a file and a line. The numbers at
 * the start of a line are the sizes of R's memory at that time; they are dropped, as are empty
 * lines, samples without a function. A file may have several headers (Rprof(append = TRUE)).
 *
 * Source: src/main/eval.c of R (R_InitProfiling, doprof); utils:::summaryRprof.
 */
#include "base/num.h"
#include "input/build/sample.h"
#include "input/format.h"
#include "profile/unit.h"

struct file {
    uint64_t number;
    struct slice path;
};

struct rprof {
    struct sample sample;
    uint64_t interval; /* us */
    VEC(struct file) files;
    uint32_t heads; /* headers and files that were met: what lines mean depends on them */
};

enum { RPROF_SAMPLE = 1 };

static const struct slice interval_key = {"sample.interval=", 16};

/* Parses the interval of a header. Returns false if the line is not a sample. */
static bool parse_header(struct slice line, uint64_t *interval)
{
    struct slice word, rest = slice_skip(line, slice_search(line, interval_key));
    struct slice before = slice_take(line, line.len - rest.len);

    return rest.len && slice_find(before, '"') == before.len && slice_word(&rest, &word) &&
           num_parse_u64(slice_skip(word, interval_key.len), interval) && *interval > 0;
}

static bool rprof_claims(const struct head *head)
{
    struct slice rest = head->bytes, line;
    uint64_t interval;

    return head_line(head, &rest, &line) && parse_header(line, &interval) &&
           (slice_starts(line, interval_key) || slice_has(line, SLICE("profiling: ")) ||
            slice_has(line, SLICE("event=")));
}

/* Skips ":287111:991742:25345376:0:". */
static void skip_memory(struct slice *rest)
{
    enum { NUMBERS = 4 };
    struct slice at = *rest;
    uint64_t number;

    for (int i = 0; i < NUMBERS; i++) {
        size_t len = slice_find(slice_skip(at, 1), ':');

        if (!slice_starts(at, SLICE(":")) ||
            !num_parse_u64(slice_take(slice_skip(at, 1), len), &number))
            return;
        at = slice_skip(at, len + 1);
    }
    if (slice_starts(at, SLICE(":")))
        *rest = slice_skip(at, 1);
}

/* Takes a name in quotes; a backslash precedes a quote within it. */
static bool take_name(struct slice *rest, struct slice *name, struct buf *scratch)
{
    struct slice at = slice_skip(*rest, 1);
    size_t end = 0;
    bool escaped = false;

    while (end < at.len && at.ptr[end] != '"') {
        escaped = escaped || at.ptr[end] == '\\';
        end += at.ptr[end] == '\\' ? 2 : 1;
    }
    if (end >= at.len)
        return false;
    *name = slice_take(at, end);
    *rest = slice_skip(at, end + 1);
    if (!escaped)
        return true;
    buf_clear(scratch);
    for (size_t i = 0; i < name->len; i++) {
        i += name->ptr[i] == '\\' && i + 1 < name->len;
        buf_add_char(scratch, name->ptr[i]);
    }
    *name = buf_slice(scratch);
    return true;
}

/* Takes a mark "2#17 " and returns the file's path in `frame`, with the line. */
static bool take_mark(const struct rprof *r, struct slice *rest, struct frame *frame)
{
    struct slice after = *rest, word, file;
    uint64_t number;

    if (!slice_word(&after, &word))
        return false;
    file = slice_take(word, slice_find(word, '#'));
    if (file.len == word.len || !num_parse_u64(file, &number) ||
        !num_parse_u64(slice_skip(word, file.len + 1), &frame->line))
        return false;
    frame->file = SLICE("");
    vec_each (const struct file, f, &r->files)
        if (f->number == number)
            frame->file = f->path;
    *rest = after;
    return true;
}

/* Appends the functions of a sample. Returns false if the line is none. */
static bool push_frames(struct rprof *r, struct slice rest)
{
    struct frame frame = {.kind = FRAME_PLAIN};

    for (rest = slice_trim(rest); rest.len; rest = slice_trim_left(rest)) {
        if (slice_starts(rest, SLICE("<GC>"))) {
            frame.name = SLICE("<GC>");
            rest = slice_skip(rest, frame.name.len);
        } else if (rest.ptr[0] != '"') {
            if (!take_mark(r, &rest, &frame))
                return false;
            continue;
        } else if (!take_name(&rest, &frame.name, &r->sample.scratch)) {
            return false;
        }
        if (frame.name.len)
            sample_frame(&r->sample, &frame);
        frame = (struct frame){.kind = FRAME_PLAIN};
    }
    return true;
}

static bool add_file(struct text *t, struct rprof *r, struct slice line)
{
    struct slice rest = slice_skip(line, strlen("#File "));
    struct slice digits = slice_take(rest, slice_find(rest, ':'));
    struct slice path = slice_trim(slice_skip(rest, digits.len + 1));
    uint64_t number;

    if (digits.len == rest.len || !num_parse_u64(digits, &number))
        return text_skip_line(t, "expected '#File NUMBER: PATH'", line);
    *vec_add(&r->files) = (struct file){number, sample_keep(&r->sample, path)};
    r->heads++;
    return true;
}

/* Adds the sample and notes it as the meaning of the line, unless its stack was cut. */
static bool close_sample(struct text *t, struct rprof *r)
{
    struct sample *s = &r->sample;
    uint64_t cut = t->profile->ledger.truncated;
    struct line_meaning meaning = {
        .kind = RPROF_SAMPLE,
        .depth = builder_series(&s->builder, &s->origin, s->unit),
        .context = r->heads,
        .weight = s->weight,
    };

    if (!sample_close(s))
        return false;
    if (!t->keeps || t->profile->ledger.truncated != cut)
        return true;
    t->meaning = meaning;
    return builder_stack(&s->builder, &t->meaning.entry);
}

static bool rprof_line(struct text *t, void *state, struct slice line)
{
    struct rprof *r = state;
    struct slice rest = line;
    uint64_t interval;

    if (slice_starts(line, SLICE("#File ")))
        return add_file(t, r, line);
    if (!slice_starts(line, SLICE("\"")) && parse_header(line, &interval)) {
        r->interval = interval;
        r->heads++;
        vec_clear(&r->files);
        return true;
    }
    skip_memory(&rest);
    if (!slice_trim(rest).len)
        return true;
    if (!sample_open(&r->sample, SLICE("")))
        return false;
    r->sample.unit = unit_named(SLICE("us"));
    r->sample.weight.value = r->interval;
    if (!push_frames(r, rest)) {
        sample_drop(&r->sample);
        return text_skip_line(t, "expected functions in quotes", line);
    }
    return close_sample(t, r);
}

/* Adds a sample met before, unless a header or a file came in between. */
static enum text_again rprof_again(struct text *t, void *state, const struct line_meaning *m)
{
    struct rprof *r = state;

    (void)t;
    if (m->context != r->heads)
        return TEXT_UNFIT;
    return builder_add_at(&r->sample.builder, m->depth, m->entry, m->weight) ? TEXT_DONE
                                                                             : TEXT_FAILED;
}

static bool rprof_end(struct text *t, void *state)
{
    struct rprof *r = state;

    (void)t;
    return sample_close(&r->sample);
}

STATE_RELEASE(rprof, (vec, files), (sample, sample));

const struct format format_rprof = {
    .name = "rprof",
    .family = FORMAT_LANGUAGES,
    .description = "R's Rprof()",
    .recognised = "'sample.interval=' in the first line",
    .example = "Rprof(\"app.Rprof\"); main(); Rprof(NULL)   # in R",
    .without_stacks =
        "R took no sample; profile for longer, or more often: Rprof(interval = 0.005)",
    .in_order = true,
    .claims = rprof_claims,
    .text = {SAMPLE_STATE_READER(rprof), .again = rprof_again},
};
