#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "input/core/dependencies.h"
#include "unit/support/made.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

/*
 * A directory with the header in "data" and files of records, each in the order of time, the last
 * empty.
 */
struct directory {
    char path[64];
    struct buf name;
};

static const char *path_in(struct directory *d, const char *name)
{
    buf_clear(&d->name);
    buf_printf(&d->name, "%s/%s", d->path, name);
    return buf_string(&d->name);
}

/* Writes a file, and releases its bytes. */
static void write_in(struct directory *d, const char *name, struct buf *bytes)
{
    int fd = open(path_in(d, name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    struct buf why = {0};

    cr_assert(fd >= 0 && file_write_fd(fd, buf_slice(bytes), &why), "%s", buf_string(&why));
    close(fd);
    buf_release(&why);
    buf_release(bytes);
}

static void make_directory(struct directory *d)
{
    struct made header = {0}, first = {0}, second = {0};
    struct buf version = {0};

    *d = (struct directory){.path = "/tmp/flamepress-test-XXXXXX"};
    cr_assert(mkdtemp(d->path));
    buf_add(&version, "\1\0\0\0\0\0\0\0", 8);
    made_recorded(&header, (const unsigned[]){24}, &version, 1);
    made_comm(&first, 3, "late", 30);
    made_sample(&first, 3, 40);
    made_sample(&second, 3, 25);
    for (uint64_t time = 31; time < 31 + 1000; time++)
        made_sample(&second, 3, time);
    write_in(d, "data", &header.bytes);
    write_in(d, "data.0", &first.bytes);
    write_in(d, "data.1", &second.bytes);
    buf_release(&version);
    write_in(d, "data.2", &version);
}

static void remove_directory(struct directory *d)
{
    static const char *const names[] = {"data", "data.0", "data.1", "data.2"};

    for (size_t i = 0; i < 4; i++)
        remove(path_in(d, names[i]));
    cr_expect_eq(rmdir(d->path), 0);
    buf_release(&d->name);
}

static void read_directory(struct reading *r, const char *path)
{
    struct input_options o = made_options();

    reading_path(r, path, "in", &o, 1);
}

Test(input_perf_directory, files_of_a_directory_are_read_in_the_order_of_time)
{
    struct directory d;

    make_directory(&d);
    for (size_t i = 0; i < 2; i++) {
        struct reading r;

        read_directory(&r, i ? path_in(&d, "data") : d.path);
        reading_expect_fold(&r, "in order", 0,
                            "app;[libx.so];[app.vdex];[kernel.kallsyms] 10\n"
                            "late;[libx.so];[app.vdex];[kernel.kallsyms] 5005\n");
        reading_release(&r);
    }
    remove_directory(&d);
}

Test(input_perf_directory, a_file_of_a_directory_that_is_cut_or_no_file)
{
    struct directory d;
    struct made cut = {0}, packed = {0};
    struct reading r;

    make_directory(&d);
    made_record(&cut, PERF_RECORD_SAMPLE, 0, 32);
    write_in(&d, "data.0", &cut.bytes);
    read_directory(&r, d.path);
    cr_expect_eq(r.result, INPUT_READ);
    reading_expect_message(&r, "the recording is cut or damaged here");
    reading_expect_fold(&r, "cut", 0, "app;[libx.so];[app.vdex];[kernel.kallsyms] 5010\n");
    reading_release(&r);
    buf_add_str(&packed.bytes, "\x28\xb5\x2f\xfd packed");
    write_in(&d, "data.0", &packed.bytes);
    read_directory(&r, d.path);
    cr_expect_eq(r.result, INPUT_FAILED);
    reading_expect_message(&r, "data.0, a part of the recording");
    reading_release(&r);
    remove(path_in(&d, "data.0"));
    cr_assert_eq(mkdir(path_in(&d, "data.0"), 0700), 0);
    read_directory(&r, d.path);
    cr_expect_eq(r.result, INPUT_FAILED);
    reading_expect_message(&r, "data.0, a part of the recording");
    reading_release(&r);
    cr_assert_eq(rmdir(path_in(&d, "data.0")), 0);
    cr_assert_eq(mkfifo(path_in(&d, "data.0"), 0600), 0); /* nobody will ever write to it */
    read_directory(&r, d.path);
    cr_expect_eq(r.result, INPUT_FAILED);
    reading_expect_message(&r, "data.0, a part of the recording");
    reading_release(&r);
    remove_directory(&d);
}

Test(input_perf_directory, files_of_a_directory_that_are_missing)
{
    struct directory d;
    struct made more = {0};
    struct reading r;

    make_directory(&d);
    remove(path_in(&d, "data.1"));
    made_sample(&more, 3, 35);
    write_in(&d, "data.9", &more.bytes);
    write_in(&d, "data.01", &more.bytes);
    read_directory(&r, d.path);
    reading_expect_message(&r, "7 of 10 files of the recording are missing");
    reading_expect_fold(&r, "missing", 0,
                        "app;[libx.so];[app.vdex];[kernel.kallsyms] 5\n"
                        "late;[libx.so];[app.vdex];[kernel.kallsyms] 10\n");
    reading_release(&r);
    remove(path_in(&d, "data.9"));
    remove(path_in(&d, "data.01"));
    remove_directory(&d);
}

static const struct dependency *find_dependencies(const struct dependencies *c, const char *name)
{
    vec_each (const struct dependency, item, &c->items)
        if (slice_equal(item->name, slice_str(name)))
            return item;
    return NULL;
}

Test(input_perf_directory, further_files_and_their_list_are_noted)
{
    static const char *const names[] = {"data.0", "data.1", "data.2"};
    struct directory d;
    struct dependencies dependencies = {0};
    struct input_options o = made_options();
    const struct dependency *file, *list;
    struct buf none = {0}, name = {0};
    struct reading r;

    make_directory(&d);
    dependencies.input = d.path;
    o.dependencies = &dependencies;
    reading_path(&r, d.path, "in", &o, 1);
    reading_release(&r);
    list = find_dependencies(&dependencies, strrchr(d.path, '/') + 1);
    cr_assert(list && list->kind == DEPENDENCY_LIST && list->root == DEPENDENCY_BESIDE);
    cr_expect(dependencies_is_same(&dependencies, &o, list));
    for (size_t i = 0; i < 3; i++) {
        buf_clear(&name);
        buf_printf(&name, "%s/%s", strrchr(d.path, '/') + 1, names[i]);
        file = find_dependencies(&dependencies, buf_string(&name));
        cr_assert(file && file->kind == DEPENDENCY_FILE && file->root == DEPENDENCY_BESIDE);
        cr_expect(dependencies_is_same(&dependencies, &o, file), "%s", names[i]);
    }
    write_in(&d, "data.3", &none);
    cr_expect(!dependencies_is_same(&dependencies, &o, list));
    remove(path_in(&d, "data.3"));
    cr_expect(dependencies_is_same(&dependencies, &o, list));
    remove(path_in(&d, "data.2"));
    cr_expect(!dependencies_is_same(&dependencies, &o, list));
    cr_expect(!dependencies_is_same(&dependencies, &o, file));
    buf_release(&name);
    write_in(&d, "data.2", &none);
    dependencies_release(&dependencies);
    remove_directory(&d);
}
