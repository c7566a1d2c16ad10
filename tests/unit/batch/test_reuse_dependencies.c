#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "batch/reuse_dependencies.h"
#include "unit/support/test.h"

static const struct input_options options;

static bool reads(struct slice in, struct dependencies *now)
{
    return reuse_dependencies_read(now, &options, &in) && slice_equal(in, SLICE("rest"));
}

/* Returns whether all is as it was. */
static bool is_same(const struct buf *written)
{
    struct dependencies_memo memo;
    struct dependencies now = {.input = "/no/input", .memo = &memo};
    bool same;

    dependencies_memo_init(&memo);
    same = reads(buf_slice(written), &now);
    dependencies_memo_release(&memo);
    cr_expect(reads(buf_slice(written), NULL));
    return same;
}

struct written {
    char directory[32];
    struct buf path, bytes;
};

/* Writes that one file was not there, with questions that the kernel that runs denies. */
static void write_dependencies(struct written *w)
{
    struct dependencies c = {0};
    struct input_options o = {.dependencies = &c};

    *w = (struct written){.directory = "/tmp/flamepress-test-XXXXXX"};
    cr_assert(mkdtemp(w->directory));
    buf_printf(&w->path, "%s/file", w->directory);
    dependencies_open_file(&o, DEPENDENCY_AS_NAMED, buf_string(&w->path));
    dependencies_ask(&o, DEPENDENCY_KERNEL_ID, SLICE("no such id"));
    dependencies_ask(&o, DEPENDENCY_KERNEL_RELEASE, SLICE("no such release"));
    dependencies_ask(&o, DEPENDENCY_VDSO_ID, SLICE("no such vdso"));
    reuse_dependencies_write(&c, &w->bytes);
    buf_add_str(&w->bytes, "rest");
    dependencies_release(&c);
}

static void written_release(struct written *w)
{
    unlink(buf_string(&w->path));
    rmdir(w->directory);
    buf_release(&w->path);
    buf_release(&w->bytes);
}

Test(batch_reuse_dependencies, nothing_consulted_is_as_it_was)
{
    struct dependencies none = {0};
    struct buf bytes = {0};

    reuse_dependencies_write(&none, &bytes);
    buf_add_str(&bytes, "rest");
    cr_expect(is_same(&bytes));
    buf_release(&bytes);
}

Test(batch_reuse_dependencies, a_file_that_appears_and_vanishes)
{
    struct written w;
    struct buf why = {0};

    write_dependencies(&w);
    cr_expect(is_same(&w.bytes));
    cr_assert(file_replace(buf_string(&w.path), SLICE("text"), &why));
    cr_expect(!is_same(&w.bytes));
    unlink(buf_string(&w.path));
    cr_expect(is_same(&w.bytes));
    written_release(&w);
}

Test(batch_reuse_dependencies, another_user_makes_no_difference)
{
    struct written one, two;
    struct dependencies c = {0};
    struct input_options o = {.dependencies = &c};
    struct buf bytes = {0};

    setenv("HOME", "/one", 1);
    dependencies_open_file(&o, DEPENDENCY_IN_HOME, "/one/.debug/x");
    reuse_dependencies_write(&c, &bytes);
    buf_add_str(&bytes, "rest");
    setenv("HOME", "/two", 1);
    cr_expect(is_same(&bytes));
    write_dependencies(&one);
    setenv("HOME", "relative", 1);
    write_dependencies(&two);
    cr_expect(is_same(&bytes));
    cr_expect_eq(one.bytes.len, two.bytes.len);
    written_release(&one);
    written_release(&two);
    dependencies_release(&c);
    buf_release(&bytes);
}

Test(batch_reuse_dependencies, items_of_kinds_that_do_not_exist_are_refused)
{
    const struct dependency bad[] = {
        {.kind = (enum dependency_kind)(DEPENDENCY_VDSO_ID + 1)},
        {.root = (enum dependency_root)(DEPENDENCY_BESIDE + 1)},
    };

    for (size_t i = 0; i < 2; i++) {
        struct dependencies c = {0};
        struct buf bytes = {0};
        struct slice in;

        *vec_add(&c.items) = bad[i];
        reuse_dependencies_write(&c, &bytes);
        in = buf_slice(&bytes);
        cr_expect(!reuse_dependencies_read(NULL, &options, &in));
        dependencies_release(&c);
        buf_release(&bytes);
    }
}

/* Each question reads a file of the kernel. */
Test(batch_reuse_dependencies, a_bounded_number_of_items_is_compared)
{
    struct dependencies c = {0};
    struct input_options o = {.dependencies = &c};
    struct buf bytes = {0};

    for (size_t i = 0; i < DEPENDENCIES_MOST; i++)
        dependencies_ask(&o, DEPENDENCY_KERNEL_ID, SLICE(""));
    reuse_dependencies_write(&c, &bytes);
    buf_add_str(&bytes, "rest");
    cr_expect(!c.unknown);
    cr_expect(is_same(&bytes));
    dependencies_ask(&o, DEPENDENCY_KERNEL_ID, SLICE(""));
    buf_clear(&bytes);
    reuse_dependencies_write(&c, &bytes);
    buf_add_str(&bytes, "rest");
    cr_expect(c.unknown);
    cr_expect(!is_same(&bytes));
    dependencies_release(&c);
    buf_release(&bytes);
}

Test(batch_reuse_dependencies, damaged_bytes_are_refused)
{
    struct written w;
    struct slice whole;

    write_dependencies(&w);
    whole = slice_take(buf_slice(&w.bytes), w.bytes.len - strlen("rest"));
    for (size_t len = 0; len < whole.len; len++) {
        struct slice cut = slice_take(whole, len);

        cr_expect(!reuse_dependencies_read(NULL, &options, &cut), "%zu of %zu bytes", len,
                  whole.len);
    }
    written_release(&w);
}
