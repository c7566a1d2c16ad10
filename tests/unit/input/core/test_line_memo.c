#include "input/core/line_memo.h"

#include "base/buf.h"
#include "unit/support/test.h"

/* Treats the line at `text` as text.c does: returns its meaning, or `fresh` if the line is new. */
static uint32_t meet(struct line_memo *m, const char *text, size_t left, uint32_t fresh)
{
    const char *end = (const char *)memchr(text, '\n', left) + 1;
    const struct line_known *known = line_memo_guess(m, text, text + left);
    struct slice line = {text, (size_t)(end - text)};

    if (!known)
        known = line_memo_find(m, line);
    if (known) {
        cr_assert_eq(known->len, line.len, "'%.*s'", SLICE_ARG(line));
        return known->meaning.context;
    }
    line_memo_add(m, line, &(struct line_meaning){.kind = 1, .context = fresh});
    return fresh;
}

/* Makes line `i` of lines that share beginnings, ends and lengths: 1 to 200 bytes. */
static void add_line(struct buf *out, unsigned i)
{
    static const unsigned lengths[] = {0, 1, 3, 6, 7, 8, 9, 14, 15, 16, 17, 31, 63, 127, 128, 199};
    unsigned len = lengths[i / 4 % (sizeof(lengths) / sizeof(lengths[0]))];

    for (unsigned k = 0; k < len; k++)
        buf_add_char(out, k == 0 && i % 4 == 1 ? '1' : k + 1 == len && i % 4 == 2 ? '2' : 'x');
    buf_add_char(out, '\n');
}

Test(input_line_memo, a_line_means_what_its_bytes_meant_first)
{
    enum { KINDS = 64, LINES = 20000, SLACK = 8 };
    struct buf text = {0};
    struct line_memo m;
    VEC(uint32_t) first = {0};
    uint64_t random = 1;
    const char *p;

    line_memo_init(&m);
    for (unsigned i = 0; i < LINES; i++) {
        random = hash_mix(random, i);
        add_line(&text, i < LINES / 2 ? i % KINDS : (unsigned)(random % KINDS));
    }
    memset(buf_reserve(&text, SLACK), 0, SLACK);
    /* Searches all earlier lines. */
    for (p = buf_string(&text); p < text.ptr + text.len;) {
        size_t left = (size_t)(text.ptr + text.len - p);
        struct slice whole = {p, slice_find(slice_make(p, left), '\n') + 1};
        uint32_t here = (uint32_t)(p - buf_string(&text)), want = here;

        vec_each (uint32_t, at, &first)
            if (slice_starts(slice_make(text.ptr + *at, text.len - *at), whole))
                want = *at;
        if (want == here)
            *vec_add(&first) = here;
        cr_assert_eq(meet(&m, p, left, here), want, "at %u: '%.*s'", here, SLICE_ARG(whole));
        p += whole.len;
    }
    line_memo_release(&m);
    vec_release(&first);
    buf_release(&text);
}

Test(input_line_memo, a_line_that_is_cut_is_another)
{
    const char text[] = "abcdefghij\0\0\0\0\0\0\0\0\0";
    const char whole[] = "abcdefghij\n\0\0\0\0\0\0\0";
    struct line_memo m;

    line_memo_init(&m);
    meet(&m, whole, strlen("abcdefghij\n"), 1);
    m.last = 0;
    cr_expect_eq(line_memo_guess(&m, text, text + 5), NULL);
    cr_expect_eq(line_memo_guess(&m, text, text + 11), NULL);
    cr_expect_neq(line_memo_guess(&m, whole, whole + 11), NULL);
    line_memo_release(&m);
}

Test(input_line_memo, gives_up_where_no_line_comes_again)
{
    enum { LINES = 200000 };
    struct line_memo m;
    struct buf line = {0};

    line_memo_init(&m);
    for (unsigned i = 0; i < LINES; i++) {
        buf_clear(&line);
        buf_printf(&line, "frame %u\n", i);
        cr_assert_eq(meet(&m, buf_string(&line), line.len, i), i);
    }
    cr_expect_lt(m.lines.count, LINES / 2, "%zu are kept", m.lines.count);
    cr_expect_eq(line_memo_find(&m, SLICE("frame 7\n")), NULL);
    line_memo_release(&m);
    buf_release(&line);
}

Test(input_line_memo, long_lines_are_not_kept)
{
    struct line_memo m;
    struct buf line = {0};

    line_memo_init(&m);
    for (unsigned i = 0; i <= LINE_MEMO_LONGEST; i++)
        buf_add_char(&line, 'x');
    buf_add_char(&line, '\n');
    cr_expect_eq(meet(&m, buf_string(&line), line.len, 1), 1);
    cr_expect_eq(meet(&m, buf_string(&line), line.len, 2), 2);
    line_memo_release(&m);
    buf_release(&line);
}

Test(input_line_memo, does_not_give_up_where_most_lines_come_again)
{
    enum { LINES = 200000, KNOWN = 3 };
    const char *const known[KNOWN] = {"a\n", "b\n", "c\n"};
    struct line_memo m;
    struct buf line = {0};

    line_memo_init(&m);
    for (unsigned i = 0; i < LINES; i++)
        for (unsigned k = 0; k <= KNOWN; k++) {
            buf_clear(&line);
            if (k < KNOWN)
                buf_add_str(&line, known[k]);
            else
                buf_printf(&line, "stack %u\n", i);
            cr_assert_eq(meet(&m, buf_string(&line), line.len, k < KNOWN ? k : KNOWN + i),
                         k < KNOWN ? k : KNOWN + i);
        }
    cr_expect_gt(m.patience, 0);
    line_memo_release(&m);
    buf_release(&line);
}
