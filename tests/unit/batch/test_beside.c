#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "batch/beside.h"
#include "unit/support/test.h"

/* A directory that is there, a file that is not, and one of the kernel. */
static void consult(struct consulted *c, const char *directory)
{
    struct buf missing = {0};

    buf_printf(&missing, "%s/missing", directory);
    consulted_add(c, directory);
    consulted_add(c, buf_string(&missing));
    consulted_add_bytes(c, "/no/kernel", SLICE(""));
    buf_release(&missing);
}

static bool reads(struct slice in, bool compares)
{
    struct beside b;
    bool ok;

    beside_init(&b);
    ok = beside_read(compares ? &b : NULL, &in) && slice_equal(in, SLICE("rest"));
    beside_release(&b);
    return ok;
}

struct written {
    char directory[32];
    struct buf bytes;
};

static void write_consulted(struct written *w)
{
    struct consulted c = {0};

    *w = (struct written){.directory = "/tmp/flamepress-test-XXXXXX"};
    cr_assert(mkdtemp(w->directory));
    setenv("HOME", "/one", 1);
    consult(&c, w->directory);
    beside_write(&c, &w->bytes);
    buf_add_str(&w->bytes, "rest");
    consulted_release(&c);
}

Test(batch_beside, nothing_consulted_is_as_it_was)
{
    struct consulted none = {0};
    struct buf bytes = {0};

    beside_write(&none, &bytes);
    buf_add_str(&bytes, "rest");
    setenv("HOME", "/two", 1);
    cr_expect(reads(buf_slice(&bytes), true));
    buf_release(&bytes);
}

Test(batch_beside, files_that_are_as_they_were)
{
    struct written w;

    write_consulted(&w);
    cr_expect(reads(buf_slice(&w.bytes), true));
    cr_expect(reads(buf_slice(&w.bytes), false));
    rmdir(w.directory);
    buf_release(&w.bytes);
}

Test(batch_beside, a_file_that_appears_and_one_that_vanishes)
{
    struct written w;
    struct buf missing = {0};

    write_consulted(&w);
    buf_printf(&missing, "%s/missing", w.directory);
    mkdir(buf_string(&missing), 0700);
    cr_expect(!reads(buf_slice(&w.bytes), true));
    cr_expect(reads(buf_slice(&w.bytes), false));
    rmdir(buf_string(&missing));
    rmdir(w.directory);
    cr_expect(!reads(buf_slice(&w.bytes), true));
    buf_release(&missing);
    buf_release(&w.bytes);
}

Test(batch_beside, another_home)
{
    struct written w;

    write_consulted(&w);
    setenv("HOME", "/two", 1);
    cr_expect(!reads(buf_slice(&w.bytes), true));
    cr_expect(reads(buf_slice(&w.bytes), false));
    rmdir(w.directory);
    buf_release(&w.bytes);
}

Test(batch_beside, bytes_of_the_kernel_are_compared)
{
    struct consulted c = {0};
    struct buf bytes = {0};

    consulted_add_bytes(&c, "/no/kernel", SLICE("text"));
    beside_write(&c, &bytes);
    buf_add_str(&bytes, "rest");
    cr_expect(!reads(buf_slice(&bytes), true));
    cr_expect(reads(buf_slice(&bytes), false));
    consulted_release(&c);
    buf_release(&bytes);
}

Test(batch_beside, a_record_that_names_an_endless_file_does_not_have_it_read)
{
    struct consulted c = {0};
    struct buf bytes = {0};

    consulted_add_bytes(&c, "/dev/zero", SLICE("text"));
    beside_write(&c, &bytes);
    buf_add_str(&bytes, "rest");
    cr_expect(!reads(buf_slice(&bytes), true));
    consulted_release(&c);
    buf_release(&bytes);
}

Test(batch_beside, files_of_the_kernel_are_read)
{
    struct consulted c = {0};
    struct buf bytes = {0}, release = {0}, why = {0};
    const char *path = "/proc/sys/kernel/osrelease";

    cr_assert(file_read(path, 1 << 20, &release, &why));
    consulted_add_bytes(&c, path, buf_slice(&release));
    consulted_add_bytes(&c, path, buf_slice(&release));
    beside_write(&c, &bytes);
    buf_add_str(&bytes, "rest");
    cr_expect(reads(buf_slice(&bytes), true));
    consulted_release(&c);
    buf_release(&bytes);
    buf_release(&release);
    buf_release(&why);
}

Test(batch_beside, damaged_bytes_are_refused)
{
    struct written w;
    struct slice whole;

    write_consulted(&w);
    whole = slice_take(buf_slice(&w.bytes), w.bytes.len - strlen("rest"));
    for (size_t len = 0; len < whole.len; len++) {
        struct slice cut = slice_take(whole, len);

        cr_expect(!beside_read(NULL, &cut), "%zu of %zu bytes", len, whole.len);
    }
    rmdir(w.directory);
    buf_release(&w.bytes);
}
