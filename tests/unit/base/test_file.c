#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "unit/support/test.h"

static char directory[] = "build/test-file-XXXXXX";
static struct buf why;

static void enter(void)
{
    cr_assert(mkdtemp(directory));
    cr_assert_eq(chdir(directory), 0);
}

static void leave(void)
{
    cr_assert_eq(chdir("../.."), 0);
    cr_expect(file_remove_tree(directory, &why), "%s", buf_string(&why));
    buf_release(&why);
}

TestSuite(base_file, .init = enter, .fini = leave);

Test(base_file, replace_leaves_one_whole_file)
{
    struct buf text = {0};

    cr_expect(file_replace("x", SLICE("old"), &why), "%s", buf_string(&why));
    cr_expect(file_replace("x", SLICE("new one"), &why), "%s", buf_string(&why));
    cr_expect(file_read("x", 100, &text, &why), "%s", buf_string(&why));
    cr_expect_str_eq(buf_string(&text), "new one");
    cr_expect(!file_read("x", 3, &text, &why), "the limit holds");
    cr_expect(file_replace("/dev/null", SLICE("x"), &why), "%s", buf_string(&why));
    buf_release(&text);
}

Test(base_file, a_draft_appears_whole_or_not_at_all)
{
    struct file_draft draft;
    struct buf text = {0};

    cr_assert(file_make_directory("d", &why));
    cr_assert(file_create("d/x", SLICE("old"), &why));
    cr_assert(file_draft_begin(&draft, "d/x", &why), "%s", buf_string(&why));
    cr_expect(file_draft_add(&draft, SLICE("new "), &why));
    cr_expect(file_read("d/x", 100, &text, &why), "%s", buf_string(&why));
    cr_expect_str_eq(buf_string(&text), "old");
    cr_expect(file_draft_add(&draft, SLICE("one"), &why));
    cr_expect(file_draft_end(&draft, true, &why), "%s", buf_string(&why));
    cr_assert(file_draft_begin(&draft, "d/x", &why), "%s", buf_string(&why));
    cr_expect(file_draft_add(&draft, SLICE("newer"), &why));
    cr_expect(!file_draft_end(&draft, false, &why));
    buf_clear(&text);
    cr_expect(file_read("d/x", 100, &text, &why), "%s", buf_string(&why));
    cr_expect_str_eq(buf_string(&text), "new one");
    cr_expect_eq(remove("d/x"), 0);
    cr_expect_eq(rmdir("d"), 0, "no draft is left");
    buf_release(&text);
}

/* In different containers, processes have the same numbers; a killed process leaves its draft. */
Test(base_file, an_unfinished_draft_blocks_no_other)
{
    struct file_draft killed, draft;
    char left[64];
    struct buf text = {0};

    cr_assert(file_draft_begin(&killed, "x", &why), "%s", buf_string(&why));
    snprintf(left, sizeof(left), "x.%ld.tmp", (long)getpid());
    cr_assert(file_create(left, SLICE("of an earlier run"), &why), "%s", buf_string(&why));
    cr_assert(file_draft_begin(&draft, "x", &why), "%s", buf_string(&why));
    cr_expect(file_draft_add(&draft, SLICE("new"), &why));
    cr_expect(file_draft_end(&draft, true, &why), "%s", buf_string(&why));
    cr_expect(file_read("x", 100, &text, &why), "%s", buf_string(&why));
    cr_expect_str_eq(buf_string(&text), "new");
    cr_expect(!file_draft_end(&killed, false, &why));
    buf_release(&text);
}

Test(base_file, replace_goes_through_links)
{
    struct buf text = {0};

    cr_assert(file_make_directory("behind", &why) && file_create("behind/x", SLICE("old"), &why));
    cr_assert_eq(symlink("behind/x", "link"), 0);
    cr_assert_eq(symlink("nowhere", "dangling"), 0);
    cr_expect(file_replace("link", SLICE("new"), &why), "%s", buf_string(&why));
    cr_expect(file_read("behind/x", 100, &text, &why), "%s", buf_string(&why));
    cr_expect_str_eq(buf_string(&text), "new");
    cr_expect(!file_replace("dangling", SLICE("new"), &why));
    cr_expect_str_eq(buf_string(&why),
                     "it is a link that leads nowhere: No such file or directory");
    buf_release(&text);
}

/* Whether a path is inside a directory, in a tree with a/b/c, ab and the link "link" to a/b. */
static const struct {
    const char *path, *directory;
    bool inside;
} insides[] = {
    {"a", "a", true},        {"a/b/c", "a", true},    {"a/b/../b", "a/b", true},
    {"a", "a/b", false},     {"ab", "a", false},      {"a", "ab", false},
    {"link", "a", true},     {"link/c", "a/b", true}, {"a/b/c", "link", true},
    {"a", "/", true},        {"a", ".", true},        {".", "a", false},
    {"nowhere", "a", false}, {"a", "nowhere", false},
};

Test(base_file, inside)
{
    cr_assert(file_make_directory("a/b/c", &why) && file_make_directory("ab", &why));
    cr_assert_eq(symlink("a/b", "link"), 0);
    for (size_t i = 0; i < sizeof(insides) / sizeof(*insides); i++)
        cr_expect_eq(file_is_inside(insides[i].path, insides[i].directory), insides[i].inside,
                     "%s in %s", insides[i].path, insides[i].directory);
}

Test(base_file, name_is_behind_the_last_slash)
{
    cr_expect(slice_equal(file_name_of(SLICE("a/b/b.perf")), SLICE("b.perf")));
    cr_expect(slice_equal(file_name_of(SLICE("b.perf")), SLICE("b.perf")));
}

Test(base_file, failure_names_the_reason)
{
    cr_expect(!file_replace("no/such/x", SLICE("x"), &why));
    cr_expect_str_eq(buf_string(&why), "cannot create: No such file or directory");
    cr_expect_eq(file_kind("no"), FILE_ABSENT);
    buf_clear(&why);
    cr_expect(file_create("y", SLICE("1"), &why));
    cr_expect(!file_create("y", SLICE("2"), &why), "an existing file is not overwritten");
}

Test(base_file, names_of_two_files_differ_if_their_paths_do)
{
    static const char *const rows[][4] = {
        {"w1/app.perf", "w2/app.perf", "w1/app.perf", "w2/app.perf"},
        {"/data/w1/app.perf", "/data/w2/app.perf", "w1/app.perf", "w2/app.perf"},
        {"/data/w1/old.perf", "/data/w2/new.perf", "old.perf", "new.perf"},
        {"/data/app.perf", "/data/app.perf", "app.perf", "app.perf"},
        {"app.perf", "w2/app.perf", "app.perf", "w2/app.perf"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct slice a = slice_str(rows[i][0]), b = slice_str(rows[i][1]);

        file_names_apart(&a, &b);
        cr_expect(slice_equal(a, slice_str(rows[i][2])), "row %zu: %.*s", i, SLICE_ARG(a));
        cr_expect(slice_equal(b, slice_str(rows[i][3])), "row %zu: %.*s", i, SLICE_ARG(b));
    }
}

Test(base_file, full_disk)
{
    if (access("/dev/full", W_OK) != 0)
        cr_skip_test("no /dev/full here");
    cr_expect(!file_replace("/dev/full", SLICE("x"), &why));
    cr_expect_str_eq(buf_string(&why), "cannot write: No space left on device");
}

Test(base_file, exchange_swaps_directories)
{
    cr_assert(file_make_directory("a/b/c", &why), "%s", buf_string(&why));
    cr_assert(file_exchange("a", "place", &why), "%s", buf_string(&why));
    cr_expect_eq(file_kind("a"), FILE_ABSENT);
    cr_assert(file_make_directory("fresh/d", &why), "%s", buf_string(&why));
    cr_assert(file_exchange("fresh", "place", &why), "%s", buf_string(&why));
    cr_expect_eq(file_kind("place/d"), FILE_DIRECTORY);
    cr_expect_eq(file_kind("fresh/b/c"), FILE_DIRECTORY);
}

Test(base_file, removing_follows_no_links)
{
    cr_assert(file_make_directory("kept", &why));
    cr_assert(file_create("kept/file", SLICE(""), &why));
    cr_assert(file_make_directory("gone", &why));
    cr_assert_eq(symlink("../kept", "gone/link"), 0);
    cr_expect(file_remove_tree("gone", &why), "%s", buf_string(&why));
    cr_expect_eq(file_kind("gone"), FILE_ABSENT);
    cr_expect_eq(file_kind("kept/file"), FILE_REGULAR);
}
