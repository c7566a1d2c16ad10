/* The readers on a collection of real files: what upstream converters print, and totals. */
#include <stdlib.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "base/file.h"
#include "input/perf_line.h"
#include "input/source.h"
#include "unit/support/corpus.h"
#include "unit/support/reading.h"

TestSuite(input_corpus, .init = corpus_need);

/* Why a result of the reference is not what it should be. */
enum defect {
    NONE,
    LAST_LOST = 1, /* the file ends without a blank line, and the script drops the last sample */
    STALE_L = 2,   /* made by a script that did not yet take the L off Java's names */
    PAREN_NAME =
        4,        /* the script takes parentheses in a name for the module where none is printed */
    CUT_LINE = 8, /* a line that was cut lacks its ")", and the script drops the frame */
};

static const char *const perl_modes[] = {"pid", "tid", "kernel", "jit", "all", "addrs"};

/* perf-script/expected/NAME-collapsed-MODE.txt: how upstream's own test results differ. */
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

/* The text up to its last event line, which the script's result stands for. */
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

/* Frames "Lorg/x" as the present script prints them. */
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

/* Compares a reading of `input` with what the file `want` says, as sorted lines. */
static void compare(const char *input, const char *want, const struct input_options *options,
                    unsigned defects)
{
    struct buf path, text, expected, stale, folded;
    struct reading r;

    buf_init(&path);
    buf_init(&text);
    buf_init(&expected);
    buf_init(&stale);
    buf_init(&folded);
    read_whole(corpus_path(&path, input), &text);
    reading_text(&r, defects & LAST_LOST ? without_last_sample(buf_slice(&text)) : buf_slice(&text),
                 options);
    cr_assert_eq(r.result, INPUT_READ, "%s: result %d", input, r.result);
    reading_fold(&r, 0, &folded);
    buf_clear(&text);
    read_whole(corpus_path(&path, want), &text);
    if (defects & STALE_L)
        drop_stale_l(buf_slice(&text), &stale);
    reading_sort(defects & STALE_L ? buf_slice(&stale) : buf_slice(&text), &expected);
    cr_expect(slice_equal(buf_slice(&folded), buf_slice(&expected)), "%s is not %s", input, want);
    /* An exception that is no longer needed must go. */
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
            struct buf input, want;

            buf_init(&input);
            buf_init(&want);
            buf_printf(&input, "perf-script/%s.txt", upstream[i].name);
            buf_printf(&want, "perf-script/expected/%s-collapsed-%s.txt", upstream[i].name,
                       perl_modes[m]);
            compare(input.ptr, want.ptr, &o,
                    upstream[i].defects | (m < 2 ? upstream[i].in_ids : NONE));
            buf_release(&input);
            buf_release(&want);
        }
}

/* perf-script/expected/computed/NAME.ref-*perl*.folded, made by the present script. */
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
        struct buf input, want;

        if (computed[i].defects & (PAREN_NAME | CUT_LINE))
            continue;
        if (slice_ends(name, SLICE(".gz")))
            name = slice_take(name, name.len - 3);
        buf_init(&input);
        buf_init(&want);
        buf_printf(&input, "perf-script/%s", computed[i].name);
        buf_printf(&want, "perf-script/expected/computed/%.*s.ref-%s.folded", SLICE_ARG(name),
                   computed[i].result);
        compare(input.ptr, want.ptr, &o, computed[i].defects);
        buf_release(&input);
        buf_release(&want);
    }
}

/*
 * Every file: the weights of its first series and its distinct stacks. Where
 * the reference gives something else, its number and the reason.
 */
static const struct {
    const char *name, *total;
    uint32_t stacks, series;
    const char *reason; /* NULL where the reference says the same */
} totals[] = {
    {"perf-script/cpp-stacks-std-function.txt", "80567950", 8, 1, NULL},
    {"perf-script/cpuprofilify-perf-script.txt", "62", 57, 1, "61: last sample lost"},
    {"perf-script/devoxx-perf1-no-java-symbols.txt", "250000", 1, 1, "0: last sample lost"},
    {"perf-script/empty-line.txt", "500000", 2, 1, NULL},
    {"perf-script/flamescope-perf.test01", "9", 6, 1, "8: last sample lost"},
    {"perf-script/forks.linux-perf.txt", "561561561", 22, 1, NULL},
    {"perf-script/go-stacks.txt", "1250000", 5, 1, "1000000, 4: last sample lost"},
    {"perf-script/gzip.perf.gz", "283922691", 54, 1, NULL},
    {"perf-script/issue28.perf", "10128556", 8, 1, NULL},
    {"perf-script/java-inline.txt", "222222220", 13, 1, "212121210: last sample lost"},
    {"perf-script/one-sample.linux-perf.txt", "1001001", 1, 1, "0: last sample lost"},
    {"perf-script/perf-cycles-instructions-01.txt", "333", 6, 2, NULL},
    {"perf-script/perf-dd-stacks-01.txt", "111111110", 10, 1, "101010100, 9: last sample lost"},
    {"perf-script/perf-funcab-cmd-01.txt", "169", 2, 1, NULL},
    {"perf-script/perf-iperf-stacks-pidtid-01.txt", "201", 107, 1, "200, 106: last sample lost"},
    {"perf-script/perf-java-stacks-01.txt", "46", 34, 1, "45, 33: last sample lost"},
    {"perf-script/perf-js-stacks-01.txt", "2", 2, 1, NULL},
    {"perf-script/perf-numa-stacks-01.txt", "200", 17, 1, "199: last sample lost"},
    {"perf-script/perf-vertx-stacks-01.txt", "286", 200, 1, "285, 199: last sample lost"},
    {"perf-script/perf61-default.txt", "4361808500", 217, 1, NULL},
    {"perf-script/perf61-dwarf-inlined.txt", "394648758", 50, 1, NULL},
    {"perf-script/perf61-header-pidtid.txt", "3383838350", 106, 1, NULL},
    {"perf-script/perf61-java17-perfmap.txt", "1994974625", 50, 1, NULL},
    {"perf-script/perf61-multi-event.txt", "242", 13, 3, NULL},
    {"perf-script/perf61-no-dso.txt", "868", 217, 1, "13: names taken for modules"},
    {"perf-script/perf61-nocallchain.txt", "452261250", 19, 1,
     "0: needs call chains; inferno's 422110500, 18 lacks (anonymous namespace)"},
    {"perf-script/perf61-ns-symoff.txt", "335", 106, 1, NULL},
    {"perf-script/perf61-srcline.txt", "444815973", 35, 1, NULL},
    {"perf-script/simple-with-header.linux-perf.txt", "136136136", 6, 1, NULL},
    {"perf-script/single-event.txt", "10101010", 1, 1, "0: last sample lost"},
    {"perf-script/single-line-stacks.txt", "1", 1, 2,
     "0: needs call chains; inferno's 2 adds cycles:u and cycles up"},
    {"perf-script/test.perf.gz", "587515833", 26, 2, "25: frames in (anonymous namespace) dropped"},
    {"perf-script/versioned-vmlinux.txt", "20834821", 1, 1, "0: last sample lost"},
    {"perf-script/weird-stack-line.txt", "500000", 2, 1, "250000, 1: last sample lost"},
    {"perf-sched/perf61-sched-switch-trace.txt.gz", "889", 12, 2,
     "1213, 16: adds sched_switch and sched_wakeup up"},
    {"folded/async-profiler-collapsed-part.txt", "3279", 30, 1, NULL},
    {"folded/bad-lines.txt", "607", 6, 1, NULL},
    {"folded/basic.txt", "7", 3, 1, NULL},
    {"folded/flames.txt", "598400", 205, 1, NULL},
    {"folded/fractional.txt", "334.618", 6, 1, NULL},
    {"folded/grey-frames.txt", "333", 6, 1, NULL},
    {"folded/keywords.collapse", "65", 4, 1, NULL},
    {"folded/no-fractionals.txt", "333", 6, 1, NULL},
    {"folded/perf-vertx-stacks-01-collapsed-all.txt", "285", 199, 1, NULL},
    {"folded/pyspy-raw-subprocesses.folded", "129", 4, 1, NULL},
    {"folded/recursion.txt", "10", 7, 1, NULL},
    {"folded/simple-crlf.txt", "14", 3, 1, NULL},
    {"folded/simple-utf16-le.txt", "14", 3, 1, NULL},
    {"folded/simple-with-invalids.txt", "14", 3, 1, NULL},
    {"folded/simple.txt", "14", 3, 1, NULL},
    {"folded/tall.txt", "1", 1, 1, NULL},
    {"folded/tricky-stack.txt", "3", 1, 1, NULL},
    {"folded-diff/before_fractionals.txt", "67.084398325", 8, 1, NULL},
    {"folded-diff/difference-widths.txt", "75", 4, 2, NULL},
    {"folded-diff/unbalanced-sampling_more-before.txt", "36", 24, 2, NULL},
    {"seeds/three-stacks.folded", "3", 2, 1, NULL},
};

Test(input_corpus, no_weight_is_lost)
{
    for (size_t i = 0; i < sizeof(totals) / sizeof(totals[0]); i++) {
        struct buf path, total;
        struct reading r;

        buf_init(&path);
        buf_init(&total);
        reading_path(&r, corpus_path(&path, totals[i].name), totals[i].name, NULL, 1);
        if (r.result == INPUT_READ) {
            const struct series *s = &r.profile.series.items[0];

            num_write_decimal(&total, s->total, r.profile.decimals);
            cr_expect_str_eq(total.ptr, totals[i].total, "%s: total %s", totals[i].name, total.ptr);
            cr_expect_eq(s->count, totals[i].stacks, "%s: %u stacks", totals[i].name, s->count);
            cr_expect_eq(r.profile.series.count, totals[i].series, "%s: %zu series", totals[i].name,
                         r.profile.series.count);
        } else {
            cr_expect(false, "%s: result %d", totals[i].name, r.result);
        }
        reading_release(&r);
        buf_release(&path);
        buf_release(&total);
    }
}

/* All of perf's files, again and again in changing order, until they are worth four threads. */
static void join_files(struct buf *out)
{
    enum { ENOUGH = 40 * 1000 * 1000, FILES = sizeof(computed) / sizeof(computed[0]) };
    struct buf name, path;

    buf_init(&name);
    buf_init(&path);
    for (unsigned i = 0; out->len < ENOUGH; i++) {
        buf_clear(&name);
        buf_printf(&name, "perf-script/%s", computed[(i + i / FILES) % FILES].name);
        read_whole(corpus_path(&path, name.ptr), out);
        buf_add_str(out, "\n\n");
    }
    buf_release(&name);
    buf_release(&path);
}

Test(input_corpus, threads_do_not_change_a_byte)
{
    char path[] = "/tmp/pending-XXXXXX";
    struct reading one, many;
    struct buf all, why, a, b;
    int fd = mkstemp(path);

    buf_init(&all);
    buf_init(&why);
    buf_init(&a);
    buf_init(&b);
    join_files(&all);
    cr_assert(fd >= 0 && file_write_fd(fd, buf_slice(&all), &why), "%s", why.ptr);
    close(fd);
    reading_path(&one, path, "in", NULL, 1);
    reading_path(&many, path, "in", NULL, 4);
    unlink(path);
    reading_messages(&one, &a);
    reading_messages(&many, &b);
    cr_expect_eq(one.result, INPUT_READ);
    cr_expect_eq(many.result, INPUT_READ);
    cr_expect(reading_same(&one.profile, &many.profile), "the profiles differ");
    cr_expect_str_eq(b.ptr, a.ptr);
    reading_release(&one);
    reading_release(&many);
    buf_release(&all);
    buf_release(&why);
    buf_release(&a);
    buf_release(&b);
}
