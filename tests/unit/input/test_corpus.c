/*
 * Compares the readers' results for a collection of real files with those of
 * upstream converters, and with totals.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "input/formats/perf/perf_line.h"
#include "input/core/source.h"
#include "unit/support/corpus.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

TestSuite(input_corpus, .init = corpus_need);

/* Why a result of the reference differs from the correct one. */
enum defect {
    NONE,
    LAST_LOST = 1,  /* the file ends without a blank line, and the script drops the last sample */
    STALE_L = 2,    /* made by an older script that kept the L of Java's names */
    PAREN_NAME = 4, /* without a module, the script takes parentheses in the name for one */
    CUT_LINE = 8,   /* a cut line lacks its ")", and the script drops the frame */
};

static const char *const perl_modes[] = {"pid", "tid", "kernel", "jit", "all", "addrs"};

/* perf-script/expected/NAME-collapsed-MODE.txt: why upstream's expected results differ. */
static const struct {
    const char *name;
    unsigned defects; /* in all modes */
    unsigned in_ids;  /* with --pid and --tid */
} upstream[] = {
    {"perf-cycles-instructions-01", NONE, NONE}, {"perf-dd-stacks-01", LAST_LOST, NONE},
    {"perf-funcab-cmd-01", NONE, NONE},          {"perf-iperf-stacks-pidtid-01", LAST_LOST, NONE},
    {"perf-java-stacks-01", LAST_LOST, STALE_L}, {"perf-js-stacks-01", NONE, NONE},
    {"perf-numa-stacks-01", LAST_LOST, NONE},    {"perf-vertx-stacks-01", LAST_LOST, STALE_L},
};

static struct input_options reference_options(const char *mode)
{
    struct input_options o = input_options_default();
    bool all = strcmp(mode, "all") == 0;

    o.names = NAMES_REFERENCE;
    o.pid = strcmp(mode, "pid") == 0;
    o.tid = strcmp(mode, "tid") == 0;
    o.kernel = all || strcmp(mode, "kernel") == 0;
    o.jit = all || strcmp(mode, "jit") == 0;
    o.addrs = strcmp(mode, "addrs") == 0;
    return o;
}

static void read_whole(const char *path, struct buf *out)
{
    struct source s;
    struct diag diag;

    diag_init(&diag, slice_str(path));
    cr_assert(source_open(&s, path, UINT64_MAX, &diag), "%s", path);
    for (;;) {
        size_t n = source_read(&s, buf_reserve(out, SOURCE_BLOCK), SOURCE_BLOCK);

        if (n == 0)
            break;
        out->len += n;
    }
    source_release(&s);
    diag_release(&diag);
}

/* Returns the text up to its last event line; the script's result is for that part. */
static struct slice without_last_sample(struct slice text)
{
    struct slice rest = text, line;
    size_t last = text.len;

    while (slice_line(&rest, &line)) {
        struct perf_event e;

        if (perf_line_classify(line, &e) == PERF_EVENT)
            last = (size_t)(line.ptr - text.ptr);
    }
    return slice_take(text, last);
}

/* The series of the first event line, which the scripts take; else the first one. */
static uint32_t series_that_scripts_take(const struct profile *p, struct slice text)
{
    struct slice line;
    struct perf_event e;
    uint32_t id = SERIES_NONE;

    while (id == SERIES_NONE && slice_line(&text, &line))
        if (perf_line_classify(line, &e) == PERF_EVENT)
            id = profile_find_series(p, e.name);
    return id == SERIES_NONE ? 0 : id;
}

/* Replaces frames "Lorg/x" by what the current script prints. */
static void drop_stale_l(struct slice text, struct buf *out)
{
    for (size_t i = 0; i < text.len; i++) {
        struct slice frame = slice_skip(text, i);

        frame = slice_take(frame, slice_find(frame, ';'));
        if (text.ptr[i] == 'L' && i > 0 && text.ptr[i - 1] == ';' &&
            slice_find(frame, '/') < frame.len)
            continue;
        buf_add_char(out, text.ptr[i]);
    }
}

/* Compares a reading of `input` with the file `want`, as sorted lines. */
static void compare(const char *input, const char *want, const struct input_options *options,
                    unsigned defects)
{
    struct buf path = {0}, text = {0}, expected = {0}, stale = {0}, folded = {0};
    struct reading r;

    read_whole(corpus_path(&path, input), &text);
    reading_text(&r, defects & LAST_LOST ? without_last_sample(buf_slice(&text)) : buf_slice(&text),
                 options);
    cr_assert_eq(r.result, INPUT_READ, "%s: result %d", input, r.result);
    reading_fold(&r, series_that_scripts_take(&r.profile, buf_slice(&text)), &folded);
    buf_clear(&text);
    read_whole(corpus_path(&path, want), &text);
    if (defects & STALE_L)
        drop_stale_l(buf_slice(&text), &stale);
    reading_sort(defects & STALE_L ? buf_slice(&stale) : buf_slice(&text), &expected);
    cr_expect(slice_equal(buf_slice(&folded), buf_slice(&expected)), "%s is not %s", input, want);
    /* An exception that is no longer needed fails. */
    if (defects & STALE_L)
        cr_expect_lt(stale.len, text.len, "%s: no L", want);
    reading_release(&r);
    buf_release(&path);
    buf_release(&text);
    buf_release(&expected);
    buf_release(&stale);
    buf_release(&folded);
}

Test(input_corpus, reference_names_equal_upstreams_results)
{
    for (size_t i = 0; i < sizeof(upstream) / sizeof(upstream[0]); i++)
        for (size_t m = 0; m < sizeof(perl_modes) / sizeof(perl_modes[0]); m++) {
            struct input_options o = reference_options(perl_modes[m]);
            struct buf input = {0}, want = {0};

            buf_printf(&input, "perf-script/%s.txt", upstream[i].name);
            buf_printf(&want, "perf-script/expected/%s-collapsed-%s.txt", upstream[i].name,
                       perl_modes[m]);
            compare(buf_string(&input), buf_string(&want), &o,
                    upstream[i].defects | (m < 2 ? upstream[i].in_ids : NONE));
            buf_release(&input);
            buf_release(&want);
        }
}

/* perf-script/expected/computed/NAME.ref-*perl*.folded, made by the current script. */
static const struct {
    const char *name, *result;
    unsigned defects;
} computed[] = {
    {"cpp-stacks-std-function.txt", "perl", NONE},
    {"cpuprofilify-perf-script.txt", "perl", LAST_LOST},
    {"empty-line.txt", "perl", NONE},
    {"flamescope-perf.test01", "perl", LAST_LOST | CUT_LINE},
    {"forks.linux-perf.txt", "perl+inferno", NONE},
    {"go-stacks.txt", "perl", LAST_LOST},
    {"gzip.perf.gz", "perl+inferno", NONE},
    {"issue28.perf", "perl+inferno", NONE},
    {"java-inline.txt", "perl", LAST_LOST},
    {"perf-cycles-instructions-01.txt", "perl+inferno", NONE},
    {"perf-dd-stacks-01.txt", "perl", LAST_LOST},
    {"perf-funcab-cmd-01.txt", "perl+inferno", NONE},
    {"perf-iperf-stacks-pidtid-01.txt", "perl", LAST_LOST},
    {"perf-java-stacks-01.txt", "perl", LAST_LOST},
    {"perf-js-stacks-01.txt", "perl", NONE},
    {"perf-numa-stacks-01.txt", "perl", LAST_LOST},
    {"perf-vertx-stacks-01.txt", "perl", LAST_LOST},
    {"perf61-default.txt", "perl", NONE},
    {"perf61-dwarf-inlined.txt", "perl", NONE},
    {"perf61-header-pidtid.txt", "perl", NONE},
    {"perf61-java17-perfmap.txt", "perl", NONE},
    {"perf61-multi-event.txt", "perl", NONE},
    {"perf61-no-dso.txt", "perl", PAREN_NAME},
    {"perf61-ns-symoff.txt", "perl", NONE},
    {"perf61-srcline.txt", "perl", NONE},
    {"simple-with-header.linux-perf.txt", "perl+inferno", NONE},
    {"test.perf.gz", "perl", LAST_LOST},
    {"weird-stack-line.txt", "perl+inferno", LAST_LOST},
};

Test(input_corpus, reference_names_equal_the_scripts_results)
{
    struct input_options o = reference_options("");

    for (size_t i = 0; i < sizeof(computed) / sizeof(computed[0]); i++) {
        struct slice name = slice_str(computed[i].name);
        struct buf input = {0}, want = {0};

        if (computed[i].defects & (PAREN_NAME | CUT_LINE))
            continue;
        if (slice_ends(name, SLICE(".gz")))
            name = slice_take(name, name.len - 3);
        buf_printf(&input, "perf-script/%s", computed[i].name);
        buf_printf(&want, "perf-script/expected/computed/%.*s.ref-%s.folded", SLICE_ARG(name),
                   computed[i].result);
        compare(buf_string(&input), buf_string(&want), &o, computed[i].defects);
        buf_release(&input);
        buf_release(&want);
    }
}

/* Repeats all of perf's files in changing order until four threads are worthwhile. */
static void join_files(struct buf *out)
{
    enum { ENOUGH = 40 * 1000 * 1000, FILES = sizeof(computed) / sizeof(computed[0]) };
    struct buf name = {0}, path = {0};

    for (unsigned i = 0; out->len < ENOUGH; i++) {
        buf_clear(&name);
        buf_printf(&name, "perf-script/%s", computed[(i + i / FILES) % FILES].name);
        read_whole(corpus_path(&path, buf_string(&name)), out);
        buf_add_str(out, "\n\n");
    }
    buf_release(&name);
    buf_release(&path);
}

Test(input_corpus, threads_do_not_change_a_byte)
{
    char path[] = "/tmp/pending-XXXXXX";
    struct reading one, many;
    struct buf all = {0}, why = {0}, a = {0}, b = {0};
    int fd = mkstemp(path);

    join_files(&all);
    cr_assert(fd >= 0 && file_write_fd(fd, buf_slice(&all), &why), "%s", buf_string(&why));
    close(fd);
    reading_path(&one, path, "in", NULL, 1);
    reading_path(&many, path, "in", NULL, 4);
    unlink(path);
    reading_messages(&one, &a);
    reading_messages(&many, &b);
    cr_expect_eq(one.result, INPUT_READ);
    cr_expect_eq(many.result, INPUT_READ);
    cr_expect(reading_same(&one.profile, &many.profile), "the profiles differ");
    cr_expect_str_eq(buf_string(&b), buf_string(&a));
    reading_release(&one);
    reading_release(&many);
    buf_release(&all);
    buf_release(&why);
    buf_release(&a);
    buf_release(&b);
}
