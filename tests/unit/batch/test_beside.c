#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "batch/beside.h"
#include "unit/support/test.h"

static const struct input_options options;

static bool reads(struct slice in, struct consulted *now)
{
    return beside_read(now, &options, &in) && slice_equal(in, SLICE("rest"));
}

/* Returns whether all is as it was. */
static bool is_same(const struct buf *written)
{
    struct consulted_memo memo;
    struct consulted now = {.input = "/no/input", .memo = &memo};
    bool same;

    consulted_memo_init(&memo);
    same = reads(buf_slice(written), &now);
    consulted_memo_release(&memo);
    cr_expect(reads(buf_slice(written), NULL));
    return same;
}

struct written {
    char directory[32];
    struct buf path, bytes;
};

/* Writes that one file was not there, with questions that the kernel that runs denies. */
static void write_consulted(struct written *w)
{
    struct consulted c = {0};
    struct input_options o = {.consulted = &c};

    *w = (struct written){.directory = "/tmp/flamepress-test-XXXXXX"};
    cr_assert(mkdtemp(w->directory));
    buf_printf(&w->path, "%s/file", w->directory);
    consulted_open_file(&o, CONSULTED_AS_NAMED, buf_string(&w->path));
    consulted_ask(&o, CONSULTED_KERNEL_ID, SLICE("no such id"));
    consulted_ask(&o, CONSULTED_KERNEL_RELEASE, SLICE("no such release"));
    consulted_ask(&o, CONSULTED_VDSO_ID, SLICE("no such vdso"));
    beside_write(&c, &w->bytes);
    buf_add_str(&w->bytes, "rest");
    consulted_release(&c);
}

static void written_release(struct written *w)
{
    unlink(buf_string(&w->path));
    rmdir(w->directory);
    buf_release(&w->path);
    buf_release(&w->bytes);
}

Test(batch_beside, nothing_consulted_is_as_it_was)
{
    struct consulted none = {0};
    struct buf bytes = {0};

    beside_write(&none, &bytes);
    buf_add_str(&bytes, "rest");
    cr_expect(is_same(&bytes));
    buf_release(&bytes);
}

Test(batch_beside, a_file_that_appears_and_vanishes)
{
    struct written w;
    struct buf why = {0};

    write_consulted(&w);
    cr_expect(is_same(&w.bytes));
    cr_assert(file_replace(buf_string(&w.path), SLICE("text"), &why));
    cr_expect(!is_same(&w.bytes));
    unlink(buf_string(&w.path));
    cr_expect(is_same(&w.bytes));
    written_release(&w);
}

Test(batch_beside, another_user_makes_no_difference)
{
    struct written one, two;
    struct consulted c = {0};
    struct input_options o = {.consulted = &c};
    struct buf bytes = {0};

    setenv("HOME", "/one", 1);
    consulted_open_file(&o, CONSULTED_IN_HOME, "/one/.debug/x");
    beside_write(&c, &bytes);
    buf_add_str(&bytes, "rest");
    setenv("HOME", "/two", 1);
    cr_expect(is_same(&bytes));
    write_consulted(&one);
    setenv("HOME", "relative", 1);
    write_consulted(&two);
    cr_expect(is_same(&bytes));
    cr_expect_eq(one.bytes.len, two.bytes.len);
    written_release(&one);
    written_release(&two);
    consulted_release(&c);
    buf_release(&bytes);
}

Test(batch_beside, items_of_kinds_that_do_not_exist_are_refused)
{
    const struct consulted_item bad[] = {
        {.kind = (enum consulted_kind)(CONSULTED_VDSO_ID + 1)},
        {.root = (enum consulted_root)(CONSULTED_BESIDE + 1)},
    };

    for (size_t i = 0; i < 2; i++) {
        struct consulted c = {0};
        struct buf bytes = {0};
        struct slice in;

        *vec_add(&c.items) = bad[i];
        beside_write(&c, &bytes);
        in = buf_slice(&bytes);
        cr_expect(!beside_read(NULL, &options, &in));
        consulted_release(&c);
        buf_release(&bytes);
    }
}

/* Each question reads a file of the kernel. */
Test(batch_beside, a_bounded_number_of_items_is_compared)
{
    struct consulted c = {0};
    struct input_options o = {.consulted = &c};
    struct buf bytes = {0};

    for (size_t i = 0; i < CONSULTED_MOST; i++)
        consulted_ask(&o, CONSULTED_KERNEL_ID, SLICE(""));
    beside_write(&c, &bytes);
    buf_add_str(&bytes, "rest");
    cr_expect(!c.unknown);
    cr_expect(is_same(&bytes));
    consulted_ask(&o, CONSULTED_KERNEL_ID, SLICE(""));
    buf_clear(&bytes);
    beside_write(&c, &bytes);
    buf_add_str(&bytes, "rest");
    cr_expect(c.unknown);
    cr_expect(!is_same(&bytes));
    consulted_release(&c);
    buf_release(&bytes);
}

Test(batch_beside, damaged_bytes_are_refused)
{
    struct written w;
    struct slice whole;

    write_consulted(&w);
    whole = slice_take(buf_slice(&w.bytes), w.bytes.len - strlen("rest"));
    for (size_t len = 0; len < whole.len; len++) {
        struct slice cut = slice_take(whole, len);

        cr_expect(!beside_read(NULL, &options, &cut), "%zu of %zu bytes", len, whole.len);
    }
    written_release(&w);
}
