
#include "base/diag.h"

#include "unit/support/test.h"

Test(base_diag, places_levels_and_escapes)
{
    struct diag d;
    struct buf out = {0};

    diag_init(&d, SLICE("app.folded"));
    diag_add(&d, DIAG_WARNING, DIAG_AT_LINE(118), "weight '%s' is not a number", "x\x1b[2J");
    diag_add(&d, DIAG_ERROR, DIAG_AT_COLUMN(3, 5), "unknown key");
    diag_add(&d, DIAG_ERROR, DIAG_AT_BYTE(0x2f1), "cut short");
    cr_expect(!diag_error(&d, "no stacks"));
    diag_write(&d, &out, false);
    cr_expect_str_eq(buf_string(&out),
                     "app.folded:118: warning: weight 'x\\x1b[2J' is not a number\n"
                     "app.folded:3:5: error: unknown key\n"
                     "app.folded: byte 0x2f1: error: cut short\n"
                     "app.folded: error: no stacks\n");
    cr_expect_eq(d.counts[DIAG_ERROR], 3);
    buf_release(&out);
    diag_release(&d);
}

/* Of a count of 1, the noun and the verb are singular; of 0, nothing is said. */
Test(base_diag, words_fit_the_count)
{
    static const char text[] = "skipped # value{ that is|s that are} {it|them}; {it is|they are} #";
    struct diag d;
    struct buf out = {0};

    diag_init(&d, SLICE("x"));
    diag_warn_count(&d, 0, text);
    diag_warn_count(&d, 1, text);
    diag_count(&d, DIAG_NOTE, 2, text);
    diag_write(&d, &out, false);
    cr_expect_str_eq(buf_string(&out), "x: warning: skipped 1 value that is it; it is 1\n"
                                       "x: note: skipped 2 values that are them; they are 2\n");
    cr_expect_eq(d.counts[DIAG_WARNING], 1);
    cr_expect_str_eq(diag_s(0), "s");
    cr_expect_str_eq(diag_s(1), "");
    buf_release(&out);
    diag_release(&d);
}

static void add_many(struct diag *d, unsigned from, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        diag_warn_line(d, from + i, "bad line %u", i);
}

Test(base_diag, repeats_are_counted)
{
    struct diag d;
    struct buf out = {0};

    diag_init(&d, SLICE("x"));
    add_many(&d, 1, 1206);
    diag_write(&d, &out, false);
    cr_expect_str_eq(buf_string(&out), "x:1: warning: bad line 0\nx:2: warning: bad line 1\n"
                                       "x:3: warning: bad line 2\nx: ... and 1,203 more like it\n");
    cr_expect_eq(d.counts[DIAG_WARNING], 1206);
    buf_release(&out);
    diag_release(&d);
}

/* The messages do not depend on the number of threads that read a file. */
Test(base_diag, parts_read_side_by_side_read_as_one)
{
    struct diag whole, first, second;
    struct buf one = {0}, two = {0};

    diag_init(&whole, SLICE("x"));
    diag_init(&first, SLICE("x"));
    diag_init(&second, SLICE("x"));
    for (unsigned i = 1; i <= 10; i++)
        diag_warn_line(&whole, i, "bad line");
    for (unsigned i = 1; i <= 2; i++)
        diag_warn_line(&first, i, "bad line");
    for (unsigned i = 1; i <= 8; i++)
        diag_warn_line(&second, i, "bad line");
    diag_append(&first, &second, 2);
    diag_write(&whole, &one, false);
    diag_write(&first, &two, false);
    cr_expect_str_eq(buf_string(&one), buf_string(&two));
    cr_expect_eq(first.counts[DIAG_WARNING], 10);
    buf_release(&one);
    buf_release(&two);
    diag_release(&whole);
    diag_release(&first);
    diag_release(&second);
}

Test(base_diag, parts_speak_once_of_the_whole_file)
{
    struct diag first, second;
    struct buf out = {0};

    diag_init(&first, SLICE("x"));
    diag_init(&second, SLICE("x"));
    diag_add(&first, DIAG_WARNING, DIAG_AT_FILE, "too deep: %d", 1);
    diag_add(&second, DIAG_WARNING, DIAG_AT_FILE, "too deep: %d", 1);
    diag_add(&second, DIAG_WARNING, DIAG_AT_FILE, "too deep: %d", 2);
    diag_append(&first, &second, 0);
    diag_write(&first, &out, false);
    cr_expect_str_eq(buf_string(&out), "x: warning: too deep: 1\nx: warning: too deep: 2\n", "%s",
                     buf_string(&out));
    cr_expect_eq(first.counts[DIAG_WARNING], 2);
    buf_release(&out);
    diag_release(&first);
    diag_release(&second);
}
