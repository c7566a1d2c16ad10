#include "cli/broker.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "unit/support/test.h"

/* A broker that may write `name` in a new directory. */
struct place {
    char directory[32];
    struct buf path, why;
    struct broker broker;
};

static void make_place(struct place *p)
{
    *p = (struct place){.directory = "/tmp/broker-XXXXXX"};
    cr_assert(mkdtemp(p->directory));
    buf_printf(&p->path, "%s/name", p->directory);
    broker_init(&p->broker);
    broker_add_path(&p->broker, buf_string(&p->path));
    cr_assert(broker_start(&p->broker, NULL));
}

static void release_place(struct place *p)
{
    broker_release(&p->broker);
    cr_expect(file_remove_tree(p->directory, &p->why));
    buf_release(&p->path);
    buf_release(&p->why);
}

static void write_draft(struct place *p, const char *text)
{
    int fd = broker_open_draft(&p->broker, buf_string(&p->path), &p->why);

    cr_assert_geq(fd, 0, "%s", buf_string(&p->why));
    cr_expect(file_write_fd(fd, slice_str(text), &p->why));
    close(fd);
}

Test(cli_broker, keeps_and_drops_drafts)
{
    struct place p;
    struct buf text = {0};

    make_place(&p);
    write_draft(&p, "one");
    cr_expect(broker_close_draft(&p.broker, false, &p.why) || p.why.len == 0);
    cr_expect_eq(file_kind(buf_string(&p.path)), FILE_ABSENT);
    write_draft(&p, "two");
    cr_expect(broker_close_draft(&p.broker, true, &p.why), "%s", buf_string(&p.why));
    cr_expect(file_read(buf_string(&p.path), 100, &text, &p.why));
    cr_expect_str_eq(buf_string(&text), "two");
    buf_release(&text);
    release_place(&p);
}

Test(cli_broker, removes_what_is_not_finished)
{
    struct place p;

    make_place(&p);
    write_draft(&p, "one");
    broker_end(&p.broker);
    cr_expect(!broker_runs(&p.broker));
    cr_expect_eq(rmdir(p.directory), 0);
    release_place(&p);
}

Test(cli_broker, says_why_a_draft_cannot_be_opened)
{
    struct place p;

    make_place(&p);
    cr_assert_eq(rmdir(p.directory), 0);
    cr_expect_eq(broker_open_draft(&p.broker, buf_string(&p.path), &p.why), -1);
    cr_expect_str_eq(buf_string(&p.why), "cannot create: No such file or directory");
    release_place(&p);
}

Test(cli_broker, opens_one_draft_at_a_time)
{
    struct place p;
    int first, second;

    make_place(&p);
    first = broker_open_draft(&p.broker, buf_string(&p.path), &p.why);
    second = broker_open_draft(&p.broker, buf_string(&p.path), &p.why);
    cr_expect_geq(first, 0);
    cr_expect_eq(second, -1);
    close(first);
    release_place(&p);
}

/* The number of a path is all that a request can name: a number beyond the paths is refused. */
Test(cli_broker, refuses_other_paths)
{
    struct place p;
    const char *other = "/tmp/other";

    make_place(&p);
    *vec_add(&p.broker.paths) = other;
    cr_expect_eq(broker_open_draft(&p.broker, other, &p.why), -1);
    cr_expect_eq(broker_close_draft(&p.broker, true, &p.why), false);
    release_place(&p);
}

/* Binaries and maps of compiled code are opened, and only if the broker was to open any. */
Test(cli_broker, opens_what_a_recording_may_name)
{
    static const struct {
        const char *path;
        bool opened;
    } rows[] = {
        {"/bin/sh", true},    {"/etc/passwd", false}, {"/dev/zero", false},
        {"/etc", false},      {"perf-12.map", true},  {"perf-34.map", false},
        {"perf-.map", false}, {"nowhere", false},     {"perf-12.map/", false},
    };

    for (int allowed = 0; allowed < 2; allowed++) {
        struct place p;

        make_place(&p);
        broker_end(&p.broker);
        if (allowed)
            broker_let_open(&p.broker);
        cr_assert(broker_start(&p.broker, NULL));
        p.broker.opens = true; /* as a program that has been taken over would ask */
        cr_assert_eq(chdir(p.directory), 0);
        cr_expect(file_replace("perf-12.map", SLICE("1 2 x\n"), &p.why));
        cr_expect(file_replace("perf-.map", SLICE("1 2 x\n"), &p.why));
        cr_expect_eq(symlink("perf-12.map", "perf-34.map"), 0);
        for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
            char path[64];
            int fd;

            snprintf(path, sizeof(path), "%s%s%s", rows[i].path[0] == '/' ? "" : p.directory,
                     rows[i].path[0] == '/' ? "" : "/", rows[i].path);
            fd = broker_open_named(&p.broker, path);
            cr_expect_eq(fd >= 0, allowed && rows[i].opened, "%s", path);
            if (fd >= 0)
                close(fd);
        }
        cr_assert_eq(chdir("/"), 0);
        release_place(&p);
    }
}

/* Makes a report at `place` with a broker, or, if it is not finished, leaves it to the broker. */
static void make_report(const char *place, bool finished)
{
    struct broker broker;
    struct stage stage;

    cr_assert(stage_open(&stage, place, false, false));
    cr_assert(stage_add_directory(&stage, "graphs"));
    broker_init(&broker);
    cr_assert(broker_start(&broker, &stage));
    cr_expect(stage_write(&stage, "graphs/a.svg", SLICE("<svg/>")));
    cr_expect(!finished || stage_commit(&stage), "%s", buf_string(&stage.failure));
    stage_close(&stage);
    broker_release(&broker);
}

/* A published stage is at its place; a broker that ends before removes the stage. */
Test(cli_broker, publishes_a_stage)
{
    for (int finished = 0; finished < 2; finished++) {
        char directory[] = "/tmp/broker-XXXXXX";
        struct buf path = {0}, why = {0};

        cr_assert(mkdtemp(directory));
        buf_printf(&path, "%s/out", directory);
        make_report(buf_string(&path), finished);
        buf_add_str(&path, "/graphs/a.svg");
        cr_expect_eq(file_kind(buf_string(&path)), finished ? FILE_REGULAR : FILE_ABSENT);
        cr_expect(finished || rmdir(directory) == 0);
        file_remove_tree(directory, &why);
        buf_release(&path);
        buf_release(&why);
    }
}

/* A report that is the earlier one gets the time of the run, and nothing is left beside it. */
Test(cli_broker, renews_a_report)
{
    const struct timespec long_ago[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    char directory[] = "/tmp/broker-XXXXXX";
    struct buf path = {0}, why = {0};
    struct stat before, after;

    cr_assert(mkdtemp(directory));
    buf_printf(&path, "%s/out", directory);
    make_report(buf_string(&path), true);
    cr_assert_eq(utimensat(AT_FDCWD, buf_string(&path), long_ago, 0), 0);
    cr_assert_eq(stat(buf_string(&path), &before), 0);
    make_report(buf_string(&path), true);
    cr_assert_eq(stat(buf_string(&path), &after), 0);
    cr_expect_eq(after.st_ino, before.st_ino);
    cr_expect_gt(after.st_mtim.tv_sec, 1000);
    cr_expect(file_remove_tree(buf_string(&path), &why) && rmdir(directory) == 0);
    buf_release(&path);
    buf_release(&why);
}
