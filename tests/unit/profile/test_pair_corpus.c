/* Compares pairs of the corpus with the output of difffolded.pl in inferno's tests. */

#include "base/file.h"
#include "output/folded.h"
#include "profile/pair.h"
#include "unit/support/corpus.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

static bool collect(void *context, struct slice bytes)
{
    buf_add_slice(context, bytes);
    return true;
}

static void read_sorted(const char *name, struct buf *out)
{
    struct buf path = {0}, text = {0}, why = {0};

    cr_assert(file_read(corpus_path(&path, name), 1 << 20, &text, &why), "%s", buf_string(&why));
    reading_sort(buf_slice(&text), out);
    buf_release(&path);
    buf_release(&text);
    buf_release(&why);
}

static void read_input(struct reading *r, const char *name, const struct input_options *options)
{
    struct buf path = {0};

    reading_path(r, corpus_path(&path, name), name, options, 1);
    cr_assert_eq(r->result, INPUT_READ, "%s", name);
    buf_release(&path);
}

static void expect_same(const char *expected, bool strip)
{
    struct input_options options = input_options_default();
    struct buf got = {0}, have = {0}, want = {0};
    struct reading before, after;

    options.strip_addresses = strip;
    read_input(&before, "folded-diff/before.txt", &options);
    read_input(&after, "folded-diff/after.txt", &options);
    cr_assert(pair_add_base(&after.profile, 0, &before.profile, 0));
    folded_write(&after.profile, 0, NULL, collect, &got);
    reading_sort(buf_slice(&got), &have);
    read_sorted(expected, &want);
    cr_expect_str_eq(buf_string(&have), buf_string(&want), "%s", expected);
    reading_release(&before);
    reading_release(&after);
    buf_release(&got);
    buf_release(&have);
    buf_release(&want);
}

Test(profile_pair_corpus, two_columns_are_those_of_difffolded)
{
    corpus_need();
    expect_same("folded-diff/expected/before.default.txt", false);
    expect_same("folded-diff/expected/before.strip_hex.txt", true);
}
