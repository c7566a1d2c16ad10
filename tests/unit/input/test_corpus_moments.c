/*
 * Real files whose samples have an order: if samples are kept one by one, their
 * sums are the same as without, and a chart is as wide as its graph.
 */

#include <stdlib.h>

#include "input/walk.h"
#include "tree/chart.h"
#include "unit/support/corpus.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

TestSuite(input_corpus_moments, .init = corpus_need);

/* Directories whose files all have an order. */
static const char *const ordered[] = {
    "austin",     "chrome-timeline", "cpuprofile",  "firefox",    "folded",      "honest-profiler",
    "jfr",        "papyrus",         "perf-script", "perf-sched", "xperf-csv",   "safari",
    "speedscope", "stackprof",       "trace-event", "v8-log",     "xctrace-xml",
};
/* Directories of which only some files have an order. */
static const char *const others[] = {"heaptrack", "xdebug"};

static void fold(const char *path, bool moments, struct reading *r, struct buf *out)
{
    struct input_options options = input_options_default();

    options.timed = moments;
    reading_path(r, path, path, &options, 1);
    for (uint32_t i = 0; r->result == INPUT_READ && i < r->profile.series.count; i++)
        reading_fold(r, i, out);
}

/* The timed samples of each stack have the weight of its entry in sum. */
static void expect_sums(const struct reading *r, const char *path)
{
    uint64_t *weights = xcalloc(r->profile.stacks.count, sizeof(*weights));

    vec_each (const struct series, s, &r->profile.series) {
        if (!s->timed.items.count)
            continue;
        vec_each (const struct timed_sample, m, &s->timed.items)
            weights[m->stack] += m->weight;
        for (uint32_t i = 0; i < s->count; i++) {
            cr_expect(weights[s->stack[i]] == s->weight[i], "%s: %.*s", path, SLICE_ARG(s->name));
            weights[s->stack[i]] = 0;
        }
    }
    free(weights);
}

static void expect_charts(struct reading *r, const char *path)
{
    for (uint32_t i = 0; i < r->profile.series.count; i++) {
        struct series *s = &r->profile.series.items[i];
        struct tree t;

        if (!s->total)
            continue;
        cr_expect(chart_is_possible(&r->profile, i), "%s: %.*s", path, SLICE_ARG(s->name));
        timed_samples_sort(&s->timed);
        cr_assert(chart_init(&t, &r->profile, i), "%s", path);
        cr_expect_eq(t.total[TREE_ROOT], s->total, "%s: %.*s", path, SLICE_ARG(s->name));
        tree_release(&t);
    }
}

static void check(const char *path, bool has_order)
{
    struct reading plain, kept;
    struct buf want = {0}, have = {0};

    fold(path, false, &plain, &want);
    fold(path, true, &kept, &have);
    cr_expect(slice_equal(buf_slice(&have), buf_slice(&want)), "%s", path);
    if (kept.result == INPUT_READ)
        expect_sums(&kept, path);
    if (kept.result == INPUT_READ && has_order)
        expect_charts(&kept, path);
    reading_release(&plain);
    reading_release(&kept);
    buf_release(&want);
    buf_release(&have);
}

static void check_all(const char *const *directories, size_t count, bool has_order)
{
    struct buf path = {0};

    for (size_t i = 0; i < count; i++) {
        struct paths files = {0};
        struct diag diag;

        diag_init(&diag, slice_make(NULL, 0));
        cr_assert(walk_directory(corpus_path(&path, directories[i]), NULL, &files, &diag));
        vec_each (struct slice, file, &files.items) {
            struct buf name = {0};

            if (slice_starts(*file, SLICE("expected/")))
                continue;
            buf_printf(&name, "%s/%s", directories[i], file->ptr);
            check(corpus_path(&path, buf_string(&name)), has_order);
            buf_release(&name);
        }
        walk_paths_release(&files);
        diag_release(&diag);
    }
    buf_release(&path);
}

Test(input_corpus_moments, of_files_in_order)
{
    check_all(ordered, sizeof(ordered) / sizeof(ordered[0]), true);
}

Test(input_corpus_moments, of_others)
{
    check_all(others, sizeof(others) / sizeof(others[0]), false);
}
