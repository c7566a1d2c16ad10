#include "input/core/text_readahead.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

/* Folded stacks are read ahead; there are enough bytes to start each thread. */
enum { MOST_THREADS = 4, BYTES = 5 * 1024 * 1024 };

/* Stacks in ascending order, then in any order; the names occur in another order each time. */
static void write_stacks(struct buf *out)
{
    uint64_t random = 1;

    *out = (struct buf){0};
    for (unsigned i = 0; out->len < BYTES; i++) {
        random = hash_mix(random, i);
        if (out->len < BYTES / 3)
            buf_printf(out, "main;a%06u;", i / 7);
        else
            buf_printf(out, "%s;f%03u;--;", random % 3 ? "main" : "idle", (unsigned)random % 500);
        buf_printf(out, "g%04u;h%u %u\n", (unsigned)(random >> 20) % 3000,
                   (unsigned)(random >> 40) % 9, (unsigned)(random >> 50) % 100);
        if (i % 9973 == 0)
            buf_add_str(out, "\nwithout a weight\n");
    }
}

static void read_with(struct reading *r, struct slice text, unsigned threads,
                      const struct input_options *options)
{
    char path[] = "/tmp/test_readahead-XXXXXX";
    int fd = mkstemp(path);

    cr_assert(fd >= 0);
    cr_assert_eq(write(fd, text.ptr, text.len), (ssize_t)text.len);
    close(fd);
    reading_path(r, path, "in", options, threads);
    unlink(path);
}

/* The result and the messages are the same for any number of threads. */
static enum input_result expect_same(struct slice text, const struct input_options *options)
{
    struct reading one;
    struct buf want = {0};
    enum input_result result;

    read_with(&one, text, 1, options);
    reading_messages(&one, &want);
    result = one.result;
    for (unsigned threads = 2; threads <= MOST_THREADS; threads++) {
        struct reading many;
        struct buf got = {0};

        read_with(&many, text, threads, options);
        reading_messages(&many, &got);
        cr_expect_eq(many.result, result, "%u threads", threads);
        cr_expect_str_eq(buf_string(&got), buf_string(&want), "%u threads", threads);
        cr_expect(result != INPUT_READ || reading_same(&one.profile, &many.profile), "%u threads",
                  threads);
        reading_release(&many);
        buf_release(&got);
    }
    reading_release(&one);
    buf_release(&want);
    return result;
}

Test(input_text_readahead, threads_change_nothing)
{
    struct buf text;

    alarm(60);
    write_stacks(&text);
    cr_expect_eq(expect_same(buf_slice(&text), NULL), INPUT_READ);
    text.len--; /* the last line has no end */
    cr_expect_eq(expect_same(buf_slice(&text), NULL), INPUT_READ);
    buf_release(&text);
}

Test(input_text_readahead, an_error_ends_it_where_it_stands)
{
    struct buf text, again = {0};

    alarm(60);
    write_stacks(&text);
    buf_add_slice(&again, buf_slice(&text));
    buf_add_str(&again, "a 18446744073709551615\nno weight\n");
    buf_add_slice(&again, buf_slice(&text));
    cr_expect_eq(expect_same(buf_slice(&again), NULL), INPUT_FAILED);
    buf_release(&text);
    buf_release(&again);
}

Test(input_text_readahead, lines_and_stacks_have_their_limits)
{
    struct input_options options = input_options_default();
    struct buf text;

    alarm(60);
    write_stacks(&text);
    options.limits.max_stacks = 40000;
    cr_expect_eq(expect_same(buf_slice(&text), &options), INPUT_FAILED);

    options = input_options_default();
    options.limits.max_line = 300000;
    for (int i = 0; i < 1000000; i++)
        buf_add_char(&text, 'x');
    buf_add_str(&text, " 1\na;b 2\n");
    cr_expect_eq(expect_same(buf_slice(&text), &options), INPUT_FAILED);
    options.limits.max_line = 3000000;
    options.limits.max_name = 3000000;
    cr_expect_eq(expect_same(buf_slice(&text), &options), INPUT_READ);
    buf_release(&text);
}
