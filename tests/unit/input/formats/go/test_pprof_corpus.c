/* Profiles of the corpus, compared with the output of other programs. */

#include "base/file.h"
#include "unit/support/corpus.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

static void read_file(struct reading *r, const char *name, const struct input_options *options)
{
    struct buf path = {0};

    reading_path(r, corpus_path(&path, name), name, options, 1);
    cr_assert_eq(r->result, INPUT_READ, "%s", name);
    buf_release(&path);
}

/* Names and counts are those of stackcollapse-go.pl, which takes the first column. */
Test(input_pprof_corpus, reference_names_of_raw_profiles)
{
    static const char *const files[] = {"pprof.raw.txt", "pprof2.raw.txt"};
    struct input_options options = input_options_default();

    corpus_need();
    options.names = NAMES_REFERENCE;
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        struct buf name = {0}, path = {0}, text = {0}, want = {0}, got = {0}, why = {0};
        struct reading r;

        buf_printf(&name, "go-pprof-raw/%s", files[i]);
        read_file(&r, buf_string(&name), &options);
        reading_fold(&r, profile_find_series(&r.profile, SLICE("samples")), &got);
        buf_clear(&name);
        buf_printf(&name, "go-pprof-raw/expected/computed/%s.ref-perl.folded", files[i]);
        cr_assert(file_read(corpus_path(&path, buf_string(&name)), 1 << 24, &text, &why), "%s",
                  buf_string(&why));
        reading_sort(buf_slice(&text), &want);
        cr_expect(slice_equal(buf_slice(&got), buf_slice(&want)), "%s", files[i]);
        reading_release(&r);
        buf_release(&name);
        buf_release(&path);
        buf_release(&text);
        buf_release(&want);
        buf_release(&got);
        buf_release(&why);
    }
}

/* Two series have the same stacks and weights. */
static void expect_same(const struct reading *a, const struct reading *b, uint32_t series,
                        const char *name)
{
    struct slice event = a->profile.series.items[series].name;
    struct buf x = {0}, y = {0};

    reading_fold(a, series, &x);
    reading_fold(b, profile_find_series(&b->profile, event), &y);
    cr_expect(slice_equal(buf_slice(&x), buf_slice(&y)), "%s, %.*s:\n%s\nis not\n%s", name,
              SLICE_ARG(event), buf_string(&x), buf_string(&y));
    buf_release(&x);
    buf_release(&y);
}

/* The output of pprof -raw is beside each profile in an older format. */
Test(input_pprof_corpus, older_formats_are_read_as_pprof_does)
{
    static const char *const files[] = {
        "cppbench.contention", "cppbench.cpu", "cppbench.heap",   "go.godoc.thread",
        "gobench.heap",        "java.cpu",     "java.contention",
    };

    corpus_need();
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        struct reading ours, theirs;
        struct buf name = {0};

        buf_printf(&name, "pprof-legacy/%s", files[i]);
        read_file(&ours, buf_string(&name), NULL);
        buf_clear(&name);
        buf_printf(&name, "pprof-legacy/expected/%s.string", files[i]);
        read_file(&theirs, buf_string(&name), NULL);
        cr_expect_eq(ours.profile.series.count, theirs.profile.series.count, "%s", files[i]);
        for (uint32_t k = 0; k < ours.profile.series.count; k++)
            expect_same(&ours, &theirs, k, files[i]);
        reading_release(&ours);
        reading_release(&theirs);
        buf_release(&name);
    }
}
