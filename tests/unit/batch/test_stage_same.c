#include "batch/stage_same.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "batch/stage_link.h"
#include "unit/support/test.h"

static const char *const graphs[] = {"graphs/a", "graphs/b", "graphs/c"};

/* Writes a report whose page has this text, in two parts, and puts it at "out". */
static void make(struct slice page, const char *graph_c)
{
    struct stage s;
    struct stage_file parts = {.stage = &s, .path = "page"};

    cr_assert(stage_open(&s, "out", false, false));
    cr_assert(stage_add_directory(&s, "graphs"));
    for (size_t i = 0; i < 3; i++)
        cr_assert(stage_write(&s, graphs[i], slice_str(i == 2 ? graph_c : graphs[i])));
    stage_file_take(&parts, slice_take(page, 4));
    stage_file_end(&parts, slice_skip(page, 4));
    cr_expect(stage_commit(&s), "%s", buf_string(&s.failure));
    cr_expect_eq(file_kind(s.directory), FILE_ABSENT);
    stage_close(&s);
}

static void expect_text(const char *path, const char *text)
{
    struct buf found = {0}, why = {0};
    struct stat st;

    cr_assert(file_read(path, 100, &found, &why), "%s", buf_string(&why));
    cr_expect_str_eq(buf_string(&found), text);
    cr_expect(stat(path, &st) == 0 && st.st_nlink == 1, "%s", path);
    buf_release(&found);
}

static void begin(void)
{
    char directory[] = "/tmp/stage-XXXXXX";

    cr_assert(mkdtemp(directory));
    cr_assert_eq(chdir(directory), 0);
    make(SLICE("the page"), "graph");
}

static ino_t inode_of(const char *path)
{
    struct stat st;

    cr_assert_eq(stat(path, &st), 0);
    return st.st_ino;
}

/* Only the times of the report and of its pages change. */
Test(batch_stage_same, leaves_the_same_report_in_place)
{
    const struct timespec long_ago[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    ino_t directory, page;
    struct stat st;

    begin();
    cr_assert_eq(utimensat(AT_FDCWD, "out/page", long_ago, 0), 0);
    cr_assert_eq(utimensat(AT_FDCWD, "out/graphs/a", long_ago, 0), 0);
    cr_assert_eq(utimensat(AT_FDCWD, "out", long_ago, 0), 0);
    directory = inode_of("out");
    page = inode_of("out/page");
    make(SLICE("the page"), "graph");
    cr_expect_eq(inode_of("out"), directory);
    cr_expect_eq(inode_of("out/page"), page);
    cr_expect(stat("out", &st) == 0 && st.st_mtim.tv_sec > 1000);
    cr_expect(stat("out/page", &st) == 0 && st.st_mtim.tv_sec > 1000);
    cr_expect(stat("out/graphs/a", &st) == 0 && st.st_mtim.tv_sec == 1000);
    expect_text("out/page", "the page");
    expect_text("out/graphs/c", "graph");
}

/* At a difference early, late, in a part and at the end, all else is linked. */
Test(batch_stage_same, replaces_a_report_that_differs)
{
    static const struct {
        const char *page, *graph;
    } rows[] = {
        {"the page", "another"}, {"the page is longer", "another"},
        {"the page", "another"}, {"a page", "another"},
        {"other", "graph"},
    };

    begin();
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        ino_t directory = inode_of("out"), graph = inode_of("out/graphs/a");

        make(slice_str(rows[i].page), rows[i].graph);
        cr_expect_neq(inode_of("out"), directory);
        cr_expect_eq(inode_of("out/graphs/a"), graph);
        expect_text("out/graphs/a", "graphs/a");
        expect_text("out/graphs/c", rows[i].graph);
        expect_text("out/page", rows[i].page);
    }
}

/* What others do to the report while it is made again. */
static void touch_file(void)
{
    struct buf why = {0};

    cr_assert(file_append("out/graphs/a", SLICE("!"), &why));
}

static void replace_file(void)
{
    struct buf why = {0};

    cr_assert(file_replace("out/graphs/a", SLICE("graphs/a"), &why));
}

static void protect_directory(void)
{
    cr_assert_eq(chmod("out/graphs", 0700), 0);
}

static void add_file(void)
{
    struct buf why = {0};

    cr_assert(file_create("out/more", SLICE("more"), &why));
}

Test(batch_stage_same, notices_what_others_change)
{
    static void (*const changes[])(void) = {touch_file, replace_file, protect_directory, add_file};

    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        struct stage s;

        begin();
        cr_assert(stage_open(&s, "out", false, false));
        cr_assert(stage_add_directory(&s, "graphs"));
        for (size_t k = 0; k < 3; k++)
            cr_assert(stage_write(&s, graphs[k], slice_str(k == 2 ? "graph" : graphs[k])));
        cr_assert(stage_write(&s, "page", SLICE("the page")));
        cr_expect(stage_same_is_made(&s));
        changes[i]();
        cr_expect_not(stage_same_is_made(&s), "%zu", i);
        stage_close(&s);
    }
}

/* A file that another has replaced meanwhile cannot be linked, and its bytes are not known. */
Test(batch_stage_same, fails_if_a_file_is_gone)
{
    struct stage s;

    begin();
    cr_assert(stage_open(&s, "out", false, false));
    cr_assert(stage_add_directory(&s, "graphs"));
    cr_assert(stage_write(&s, "graphs/a", SLICE("graphs/a")));
    replace_file();
    stage_write(&s, "graphs/b", SLICE("new"));
    cr_expect_str_eq(buf_string(&s.failure), "graphs/a: " STAGE_CHANGED);
    cr_expect_not(stage_commit(&s));
    stage_close(&s);
    expect_text("out/graphs/b", "graphs/b");
}
