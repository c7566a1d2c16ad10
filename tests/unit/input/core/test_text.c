#include "input/core/text.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/num.h"
#include "unit/support/test.h"

/*
 * A reader for these tests: a line "r NAME WEIGHT" is a record, any other line
 * belongs to the record before and makes its name longer; "!" is worth a
 * warning and "?" an error.
 */
struct plain {
    struct buf name;
    uint64_t weight;
    bool open;
};

static void release(void *state)
{
    buf_release(&((struct plain *)state)->name);
}

static bool end(struct text *t, void *state)
{
    struct plain *p = state;
    uint32_t symbol, series;

    if (!p->open)
        return true;
    p->open = false;
    symbol = symbols_add(&t->profile->symbols, buf_slice(&p->name), SYMBOL_USER);
    series = profile_series(t->profile, SLICE("x"), unit_samples);
    return profile_add(t->profile, series, stacks_push(&t->profile->stacks, STACK_ROOT, symbol),
                       p->weight);
}

static bool take(struct text *t, struct plain *p, struct slice line)
{
    struct slice word;

    t->line++;
    if (slice_equal(line, SLICE("?")))
        return diag_error(t->diag, "a question");
    if (slice_equal(line, SLICE("!"))) {
        diag_warn_line(t->diag, t->line, "an exclamation");
        return true;
    }
    if (!slice_starts(line, SLICE("r "))) {
        buf_add_slice(&p->name, line);
        return true;
    }
    if (!end(t, p))
        return false;
    line = slice_skip(line, 2);
    buf_clear(&p->name);
    slice_word(&line, &word);
    buf_add_slice(&p->name, word);
    p->open = slice_word(&line, &word) && num_parse_u64(word, &p->weight);
    return true;
}

static bool lines(struct text *t, void *state, struct slice block)
{
    struct slice line;

    cr_assert_eq(block.ptr[block.len - 1], '\n', "a block that is not whole lines");
    /* The bytes after the block can be read. */
    cr_assert_neq(memchr(block.ptr, '\n', block.len + TEXT_SLACK), NULL);
    while (slice_cut(&block, '\n', &line))
        if (!take(t, state, line))
            return false;
    return true;
}

static bool starts(struct slice line)
{
    return slice_starts(line, SLICE("r "));
}

static const struct text_reader reader = {
    .state_size = sizeof(struct plain),
    .lines = lines,
    .end = end,
    .release = release,
    .starts_record = starts,
};

/*
 * Reads content by some threads and writes the result as text: counts, then stacks, then
 * messages.
 */
static bool run(struct slice content, const struct input_limits *limits, unsigned threads,
                struct buf *out)
{
    char path[] = "/tmp/pending-XXXXXX";
    struct input_options options = input_options_default();
    struct profile p;
    struct source source;
    struct diag diag;
    struct buf why = {0};
    bool ok;
    int fd = mkstemp(path);

    cr_assert(fd >= 0 && file_write_fd(fd, content, &why));
    close(fd);
    if (limits)
        options.limits = *limits;
    profile_init(&p);
    diag_init(&diag, SLICE("in"));
    ok = source_open(&source, path, UINT64_MAX, &diag) &&
         text_read(&reader, &source, &options, threads, &p, &diag);
    unlink(path);
    buf_printf(out, "%s, %llu lines\n", ok ? "read" : "failed", (unsigned long long)p.ledger.lines);
    for (uint32_t i = 0; p.series.count && i < p.series.items[0].count; i++) {
        uint32_t symbol = p.stacks.symbol[p.series.items[0].stack[i]];

        buf_add_slice(out, slice_take(symbol_name(&p.symbols, symbol), 40));
        buf_printf(out, " %llu\n", (unsigned long long)p.series.items[0].weight[i]);
    }
    diag_write(&diag, out, false);
    source_release(&source);
    profile_release(&p);
    diag_release(&diag);
    buf_release(&why);
    return ok;
}

#define UNENDED                                                                                    \
    "in: note: the last line has no line end: if the file was cut short, so is what it says\n"

static const struct {
    const char *input, *output;
} small[] = {
    {"", "read, 0 lines\n"},
    {"r a 1\n", "read, 1 lines\na 1\n"},
    {"r a 1", "read, 1 lines\na 1\n" UNENDED},
    {"r a 1\nb\nc", "read, 3 lines\nabc 1\n" UNENDED},
    {"r a 1\n\n\n", "read, 3 lines\na 1\n"},
    {"!\nr a 1\n!\n", "read, 3 lines\na 1\nin:1: warning: an exclamation\n"
                      "in:3: warning: an exclamation\n"},
    {"r a 1\n?\nr b 1\n", "failed, 2 lines\nin: error: a question\n"},
};

Test(input_text, lines_come_whole)
{
    for (size_t i = 0; i < sizeof(small) / sizeof(small[0]); i++) {
        struct buf out = {0};

        run(slice_str(small[i].input), NULL, 1, &out);
        cr_expect_str_eq(buf_string(&out), small[i].output, "'%s' gave '%s'", small[i].input,
                         buf_string(&out));
        buf_release(&out);
    }
}

/*
 * Lines that are longer than a block, and lines that end just before, at and after the end of a
 * block.
 */
Test(input_text, lines_of_any_length_are_carried_over)
{
    for (int more = -2; more <= 2; more++)
        for (unsigned blocks = 1; blocks <= 5; blocks += 2) {
            size_t len = (size_t)((long)blocks * SOURCE_BLOCK + more);
            struct buf input = {0}, out = {0}, want = {0};

            buf_add_str(&input, "r a 7\n");
            for (size_t i = 0; i < len; i++)
                buf_add_char(&input, 'x');
            buf_add_str(&input, "\nr b 8\n");
            run(buf_slice(&input), NULL, 1, &out);
            buf_add_str(&want, "read, 3 lines\na");
            for (size_t i = 1; i < 40; i++)
                buf_add_char(&want, 'x');
            buf_add_str(&want, " 7\nb 8\n");
            cr_expect_str_eq(buf_string(&out), buf_string(&want), "%zu: '%s'", len,
                             buf_string(&out));
            buf_release(&input);
            buf_release(&out);
            buf_release(&want);
        }
}

Test(input_text, endless_lines_end)
{
    struct input_limits limits = input_options_default().limits;
    struct buf input = {0}, out = {0};

    limits.max_line = 500000;
    buf_add_str(&input, "r a 7\n");
    for (size_t i = 0; i < 3000000; i++)
        buf_add_char(&input, 'x');
    cr_expect_not(run(buf_slice(&input), &limits, 1, &out));
    cr_expect_str_eq(buf_string(&out),
                     "failed, 1 lines\nin:2: error: line is longer than 500000 bytes; "
                     "--max-line N raises the limit\n");
    buf_release(&input);
    buf_release(&out);
}

/* Records of two lines; some are repeated, and some have a fault. */
static void add_records(struct buf *out, unsigned count, unsigned names, bool question)
{
    for (unsigned i = 0; i < count; i++) {
        if (i % (count / 5) == 7)
            buf_add_str(out, "!\n");
        if (question && i == count / 4 * 3)
            buf_add_str(out, "?\n");
        buf_printf(out, "r f%u %u\n%0120u\n", i * 7919 % names, i, i % 7);
    }
}

/* The result does not depend on how the content is divided. */
Test(input_text, threads_do_not_change_the_result)
{
    for (unsigned question = 0; question < 2; question++) {
        struct buf input = {0}, one = {0}, many = {0};

        add_records(&input, 300000, 5000, question);
        cr_assert_gt(input.len, 32 * 1024 * 1024, "too short to be read in parts");
        cr_expect_eq(run(buf_slice(&input), NULL, 1, &one), !question);
        for (unsigned threads = 2; threads < 6; threads++) {
            cr_expect_eq(run(buf_slice(&input), NULL, threads, &many), !question);
            cr_expect_str_eq(buf_string(&many), buf_string(&one), "%u threads", threads);
            buf_release(&many);
        }
        cr_expect(strstr(buf_string(&one), question ? "a question" : "more like it"));
        buf_release(&input);
        buf_release(&one);
    }
}

Test(input_text, too_many_stacks_are_refused_by_any_number_of_threads)
{
    struct input_limits limits = input_options_default().limits;
    struct buf input = {0};

    limits.max_stacks = 30000;
    add_records(&input, 300000, 5000, false);
    for (unsigned threads = 1; threads < 4; threads++) {
        struct buf out = {0};

        cr_expect_not(run(buf_slice(&input), &limits, threads, &out));
        cr_expect(strstr(buf_string(&out),
                         "in: error: more than 30000 different stacks; --max-stacks N "
                         "raises the limit\n"));
        buf_release(&out);
    }
    buf_release(&input);
}
