/*
 * The folded files of the corpus beside the source: weight and distinct stacks
 * as its index gives them, except where a row says why not.
 */
#include <criterion/criterion.h>

#include "base/file.h"
#include "input/read.h"
#include "tree/check.h"
#include "tree/search.h"

#define CORPUS "../shared/corpus/"

struct row {
    const char *file;
    const char *total;
    const char *base; /* before, for two columns; NULL for one */
    uint32_t stacks;
};

static const struct row rows[] = {
    {"folded/async-profiler-collapsed-part.txt", "3279", NULL, 30},
    {"folded/bad-lines.txt", "607", NULL, 6},
    {"folded/basic.txt", "7", NULL, 3},
    {"folded/flames.txt", "598400", NULL, 205},
    {"folded/fractional.txt", "334.618", NULL, 6},
    {"folded/grey-frames.txt", "333", NULL, 6},
    {"folded/keywords.collapse", "65", NULL, 4},
    {"folded/no-fractionals.txt", "333", NULL, 6},
    {"folded/perf-vertx-stacks-01-collapsed-all.txt", "285", NULL, 199},
    {"folded/pyspy-raw-subprocesses.folded", "129", NULL, 4},
    {"folded/recursion.txt", "10", NULL, 7},
    {"folded/simple-crlf.txt", "14", NULL, 3},
    {"folded/simple-utf16-le.txt", "14", NULL, 3},
    {"folded/simple-with-invalids.txt", "14", NULL, 3},
    {"folded/simple.txt", "14", NULL, 3},
    {"folded/tall.txt", "1", NULL, 1},
    {"folded/tricky-stack.txt", "3", NULL, 1},
    {"folded-diff/after.txt", "80", NULL, 8},
    {"folded-diff/async-profiler-sample1.collapsed", "185", NULL, 17},
    {"folded-diff/async-profiler-sample2.collapsed", "188", NULL, 17},
    {"folded-diff/before.txt", "65", NULL, 8},
    /* Rounded to nine decimals; the index to six. */
    {"folded-diff/before_fractionals.txt", "67.084398325", NULL, 8},
    {"folded-diff/difference-widths.txt", "100", "75", 4},
    {"folded-diff/perf-cycles-instructions-01-collapsed-all-diff.txt", "513", "333", 6},
    {"folded-diff/self-vs-total.txt", "71", "71", 69},
    {"folded-diff/unbalanced-sampling_more-before.txt", "18", "36", 24},
    {"bcc/offcputime-K-f.folded", "184680988", NULL, 44},
    {"bcc/offwaketime-fu.folded", "76843522", NULL, 118},
    {"bcc/profile-adf.folded", "490", NULL, 85},
    {"bcc/profile-f.folded", "199", NULL, 2},
    /* The index has 7: it counts a stack twice that once has the "^C" of the terminal before it. */
    {"bcc/stackcount-Pdf-ctrlC.folded", "7", NULL, 6},
    {"seeds/stap-ext4.folded", "958", NULL, 3},
    {"seeds/three-stacks.folded", "3", NULL, 2},
    {"seeds/two-columns.folded", "35", "31", 1},
};

static void expect_total(const struct profile *p, uint32_t series, const char *want,
                         const char *file)
{
    struct buf total;

    buf_init(&total);
    num_write_decimal(&total, p->series.items[series].total, p->decimals);
    cr_expect_str_eq(total.ptr, want, "%s: %s, not %s", file, total.ptr, want);
    buf_release(&total);
}

static void expect_profile(const struct profile *p, const struct row *row)
{
    struct buf why;
    struct tree t;

    buf_init(&why);
    cr_expect_str_eq(p->format, "folded", "%s", row->file);
    cr_expect_eq(p->series.items[p->series.count - 1].base != SERIES_NONE, row->base != NULL, "%s",
                 row->file);
    expect_total(p, row->base ? 1 : 0, row->total, row->file);
    if (row->base)
        expect_total(p, 0, row->base, row->file);
    cr_expect_eq(p->series.items[0].count, row->stacks, "%s: %u stacks", row->file,
                 p->series.items[0].count);
    tree_init(&t, p, (uint32_t)p->series.count - 1, &(struct tree_options){0});
    cr_expect(tree_check(&t, &why), "%s: %s", row->file, why.ptr);
    tree_release(&t);
    buf_release(&why);
}

static enum input_result read_file(const char *file, struct profile *p)
{
    struct input_options options = input_options_default();
    enum input_result result;
    struct diag diag;
    struct buf path;

    buf_init(&path);
    buf_printf(&path, CORPUS "%s", file);
    profile_init(p);
    diag_init(&diag, buf_slice(&path));
    result = input_read(path.ptr, &options, 1, p, &diag);
    diag_release(&diag);
    buf_release(&path);
    return result;
}

static bool is_there(void)
{
    return file_kind(CORPUS "folded") == FILE_DIRECTORY;
}

Test(input_folded_corpus, has_the_weight_and_the_stacks_of_the_index)
{
    struct profile p;

    if (!is_there())
        cr_skip_test(CORPUS " is not here");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (read_file(rows[i].file, &p) == INPUT_READ)
            expect_profile(&p, &rows[i]);
        else
            cr_expect_fail("%s is not read", rows[i].file);
        profile_release(&p);
    }
}

Test(input_folded_corpus, what_is_no_profile_is_not_taken_for_one)
{
    struct profile p;

    if (!is_there())
        cr_skip_test(CORPUS " is not here");
    cr_expect_eq(read_file("folded/nameattr-not-a-profile.txt", &p), INPUT_UNKNOWN);
    profile_release(&p);
    cr_expect_eq(read_file("folded/empty.txt", &p), INPUT_EMPTY);
    profile_release(&p);
    cr_expect_eq(read_file("ghc-prof/ticks.prof", &p), INPUT_UNKNOWN, "a table is not stacks");
    profile_release(&p);
}

/* The example of the articles on flame graphs: all of ext4's samples, none counted twice. */
Test(input_folded_corpus, a_search_is_a_union_over_stacks)
{
    struct tree_options whole = {.reverse = false};
    struct search_result found;
    struct search *search;
    struct profile p;
    struct tree tree;
    struct buf why;

    if (!is_there())
        cr_skip_test(CORPUS " is not here");
    buf_init(&why);
    search = search_new(SLICE("^ext4_"), false, &why);
    cr_assert(search, "%s", why.ptr);
    cr_assert_eq(read_file("seeds/stap-ext4.folded", &p), INPUT_READ);
    tree_init(&tree, &p, 0, &whole);
    search_run(search, &tree, &found);
    cr_expect_eq(found.weight, 958);
    cr_expect_eq(tree_weight(&tree), 958);
    tree_release(&tree);
    profile_release(&p);
    search_free(search);
    buf_release(&why);
}
