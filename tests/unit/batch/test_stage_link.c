#include "batch/stage_link.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "unit/support/test.h"

/* An earlier report with files that may be linked, and some that may not. */
static void make_report(void)
{
    static const char *const files[] = {"out/page",    "out/graphs/a", "out/graphs/two",
                                        "out/.hidden", "elsewhere/a",  "outside"};
    struct buf why = {0};
    char directory[] = "/tmp/stage-XXXXXX";

    cr_assert(mkdtemp(directory));
    cr_assert_eq(chdir(directory), 0);
    cr_assert(file_make_directory("out/graphs", &why));
    cr_assert(file_make_directory("elsewhere", &why));
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        cr_assert(file_create(files[i], slice_str(files[i]), &why));
    cr_assert_eq(link("out/graphs/two", "name"), 0);
    cr_assert_eq(symlink("../../outside", "out/graphs/link"), 0);
    cr_assert_eq(symlink("../elsewhere", "out/linked"), 0);
    cr_assert_eq(mkdir("out/graphs/folder", 0777), 0);
}

Test(batch_stage_link, links_files_of_the_report_only)
{
    static const struct {
        const char *path;
        bool linked;
    } rows[] = {
        {"page", true},           {"graphs/a", true},
        {"graphs/two", false},    {".hidden", false},
        {"graphs/link", false},   {"linked/a", false},
        {"../outside", false},    {"/outside", false},
        {"graphs/folder", false}, {"graphs/../page", false},
        {"graphs//a", false},     {"./page", false},
        {"graphs/", false},       {"", false},
        {"graphs/absent", false},
    };
    struct stage s;
    struct stat st;

    make_report();
    cr_assert(stage_open(&s, "out", true, false));
    cr_assert(stage_add_directory(&s, "graphs"));
    cr_assert(stage_add_directory(&s, "linked"));
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(stage_link(&s, slice_str(rows[i].path)), rows[i].linked, "%s", rows[i].path);
    cr_expect_not(stage_link(&s, SLICE("page\0x")));
    cr_assert_eq(stat("out/page", &st), 0);
    cr_expect_eq(st.st_nlink, 2);
    stage_close(&s);
    cr_assert_eq(stat("out/page", &st), 0);
    cr_expect_eq(st.st_nlink, 1);
}

/* Only whole files are taken over: the next part of a file would change the earlier report. */
Test(batch_stage_link, takes_over_what_has_the_same_bytes)
{
    struct stage s;
    struct stage_file parts = {.stage = &s, .path = "page"};
    struct buf text = {0}, why = {0};

    make_report();
    cr_assert(stage_open(&s, "out", true, false));
    cr_assert(stage_add_directory(&s, "graphs"));
    cr_expect_not(stage_link_same(&s, "graphs/a", SLICE("out/graphs/")));
    cr_expect_not(stage_link_same(&s, "graphs/a", SLICE("out/graphs/b")));
    cr_expect_not(stage_link_same(&s, "graphs/link", SLICE("outside")));
    cr_expect(stage_link_same(&s, "graphs/a", SLICE("out/graphs/a")));
    stage_file_take(&parts, SLICE("out/page"));
    stage_file_take(&parts, SLICE(" and more"));
    cr_assert(file_read("out/page", 100, &text, &why));
    cr_expect_str_eq(buf_string(&text), "out/page");
    buf_release(&text);
    stage_close(&s);
}

/* What stage_take_over() makes at `path` of the file `read` of the earlier report. */
static void expect_taken(struct stage *s, const char *path, const char *read, bool linked)
{
    struct buf text = {0}, why = {0}, full = {0};
    int fd = open(read, O_RDONLY);
    struct stat st, before;

    cr_assert(fd >= 0 && fstat(fd, &before) == 0);
    cr_expect(stage_take_over(s, path, SLICE("bytes that were read"), fd));
    cr_expect_eq(close(fd), -1, "the file is closed");
    buf_printf(&full, "%s/%s", s->directory, path);
    cr_assert(file_read(buf_string(&full), 100, &text, &why));
    cr_expect_str_eq(buf_string(&text), linked ? path : "bytes that were read");
    cr_assert_eq(stat(buf_string(&full), &st), 0);
    cr_expect_eq(st.st_ino == before.st_ino, linked);
    buf_release(&text);
    buf_release(&full);
}

Test(batch_stage_link, takes_over_the_file_that_was_read)
{
    struct stage s;
    struct buf why = {0};

    make_report();
    cr_assert(file_create("out/graphs/b", SLICE("graphs/b"), &why));
    cr_assert(stage_open(&s, "out", true, false));
    cr_assert(stage_add_directory(&s, "graphs"));
    expect_taken(&s, "graphs/b", "out/graphs/b", true);
    expect_taken(&s, "graphs/a", "out/graphs/b", false);
    expect_taken(&s, "graphs/two", "out/graphs/two", false);
    cr_expect_eq(s.files.count, 3);
    cr_expect_not(stage_failed(&s));
    stage_close(&s);
}

/* Stands for another process that links. */
struct linker {
    struct stage *stage;
    unsigned asked;
    bool links, cheats; /* the links that are asked for; a file of its own in the place of each */
};

static bool link_by(void *context, struct slice paths)
{
    struct linker *l = context;
    struct slice path;

    l->asked++;
    while (slice_cut(&paths, '\0', &path)) {
        struct buf full = {0}, why = {0};

        buf_printf(&full, "%s/%.*s", l->stage->directory, SLICE_ARG(path));
        if (l->links)
            cr_expect(stage_link(l->stage, path));
        if (l->cheats)
            cr_expect(file_create(buf_string(&full), SLICE("forged"), &why));
        buf_release(&full);
    }
    return l->links || l->cheats;
}

enum { FILES = 70 };

/* Takes over many files of the earlier report, and expects each to have its bytes. */
static void take_over_many(struct stage *s, struct linker *l)
{
    struct buf name = {0}, full = {0}, text = {0}, why = {0};
    struct stat st;

    for (int i = 0; i < FILES; i++) {
        buf_clear(&name);
        buf_printf(&name, "graphs/%d", i);
        cr_assert(stage_write(s, buf_string(&name), buf_slice(&name)));
    }
    stage_link_settle(s);
    for (int i = 0; i < FILES; i++) {
        buf_clear(&name);
        buf_clear(&full);
        buf_clear(&text);
        buf_printf(&name, "graphs/%d", i);
        buf_printf(&full, "%s/%s", s->directory, buf_string(&name));
        cr_assert(file_read(buf_string(&full), 100, &text, &why), "%s", buf_string(&why));
        cr_expect_str_eq(buf_string(&text), buf_string(&name));
        cr_expect(stat(buf_string(&full), &st) == 0 && st.st_nlink == (l->links ? 2 : 1));
    }
    cr_expect_eq(s->files.count, FILES);
    cr_expect_not(stage_failed(s));
    buf_release(&name);
    buf_release(&full);
    buf_release(&text);
}

static void open_with_linker(struct stage *s, struct linker *l)
{
    struct buf name = {0}, why = {0};

    make_report();
    for (int i = 0; i < FILES; i++) {
        buf_clear(&name);
        buf_printf(&name, "out/graphs/%d", i);
        cr_assert(file_create(buf_string(&name), slice_skip(buf_slice(&name), 4), &why));
    }
    cr_assert(stage_open(s, "out", true, false));
    cr_assert(stage_add_directory(s, "graphs"));
    s->link = link_by;
    s->publisher = l;
    buf_release(&name);
}

Test(batch_stage_link, another_process_is_asked_for_many_links_at_once)
{
    struct stage s;
    struct linker l = {.stage = &s, .links = true};

    open_with_linker(&s, &l);
    take_over_many(&s, &l);
    cr_expect_eq(l.asked, 3);
    stage_close(&s);
}

Test(batch_stage_link, what_cannot_be_linked_is_copied)
{
    for (int cheats = 0; cheats < 2; cheats++) {
        struct stage s;
        struct linker l = {.stage = &s, .cheats = cheats};

        open_with_linker(&s, &l);
        take_over_many(&s, &l);
        stage_close(&s);
    }
}

Test(batch_stage_link, a_link_that_was_put_off_is_removed_or_forgotten)
{
    struct stage s;
    struct linker l = {.stage = &s, .links = true};
    struct buf full = {0};

    open_with_linker(&s, &l);
    cr_assert(stage_write(&s, "graphs/1", SLICE("graphs/1")));
    stage_remove(&s, SLICE("graphs/1"));
    cr_expect_eq(s.files.count, 0);
    buf_printf(&full, "%s/graphs/1", s.directory);
    cr_expect_eq(file_kind(buf_string(&full)), FILE_ABSENT);
    cr_assert(stage_write(&s, "graphs/2", SLICE("graphs/2")));
    stage_close(&s);
    cr_expect_eq(l.asked, 1);
    buf_release(&full);
}
