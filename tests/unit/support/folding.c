#include "unit/support/folding.h"

#include <criterion/criterion.h>

#include "base/file.h"
#include "unit/support/corpus.h"

static void fold_all(const struct reading *r, struct buf *out)
{
    bool several = r->profile.series.count > 1;

    for (uint32_t i = 0; i < r->profile.series.count; i++) {
        if (several)
            buf_printf(out, "[%.*s]\n", SLICE_ARG(r->profile.series.items[i].name));
        reading_fold(r, i, out);
    }
}

static void check(const char *format, const struct folding *c, const struct input_options *options)
{
    struct buf folded, messages;
    struct reading r;
    bool told;

    buf_init(&folded);
    buf_init(&messages);
    reading_text(&r, slice_str(c->input), options);
    if (r.result == INPUT_READ)
        fold_all(&r, &folded);
    reading_messages(&r, &messages);
    cr_expect((r.result == INPUT_READ) == (c->folded != NULL), "%s: result %d, messages '%s'",
              c->what, r.result, messages.ptr);
    if (c->folded) {
        cr_expect_str_eq(folded.ptr, c->folded, "%s: '%s'", c->what, folded.ptr);
        cr_expect_str_eq(r.profile.format ? r.profile.format : "", format, "%s: read as %s",
                         c->what, r.profile.format);
    }
    told = c->told ? strstr(messages.ptr, c->told) != NULL : messages.len == 0;
    cr_expect(told, "%s: messages '%s'", c->what, messages.ptr);
    reading_release(&r);
    buf_release(&folded);
    buf_release(&messages);
}

void folding_check(const char *format, const struct folding *cases, size_t count,
                   const struct input_options *options)
{
    for (size_t i = 0; i < count; i++)
        check(format, &cases[i], options);
}

/* What a file folds to, and the lines that were expected, both sorted. */
static void read_pair(const char *path, const char *expected, const struct input_options *options,
                      struct buf *have, struct buf *want)
{
    struct buf file, text, why;
    struct reading r;

    buf_init(&file);
    buf_init(&text);
    buf_init(&why);
    cr_assert(file_read(corpus_path(&file, expected), 1 << 24, &text, &why), "%s", why.ptr);
    reading_sort(buf_slice(&text), want);
    reading_path(&r, corpus_path(&file, path), path, options, 1);
    cr_expect(r.result == INPUT_READ, "%s: result %d", path, r.result);
    reading_fold(&r, 0, have);
    reading_release(&r);
    buf_release(&file);
    buf_release(&text);
    buf_release(&why);
}

void folding_check_file(const char *path, const char *expected, const struct input_options *options)
{
    struct buf want, have;

    buf_init(&want);
    buf_init(&have);
    read_pair(path, expected, options, &have, &want);
    cr_expect_str_eq(have.ptr, want.ptr, "%s: '%s'", path, have.ptr);
    buf_release(&want);
    buf_release(&have);
}

void folding_check_stacks(const char *path, const char *expected,
                          const struct input_options *options)
{
    struct slice rest, line;
    struct buf want, have;

    buf_init(&want);
    buf_init(&have);
    buf_add_char(&have, '\n');
    read_pair(path, expected, options, &have, &want);
    rest = buf_slice(&want);
    while (slice_line(&rest, &line)) {
        struct buf whole;

        if (slice_ends(line, SLICE(" 0")))
            continue;
        buf_init(&whole);
        line = slice_take(line, slice_find_last(line, ' '));
        buf_printf(&whole, "\n%.*s ", SLICE_ARG(line));
        cr_expect(strstr(have.ptr, whole.ptr) != NULL, "%s: has no '%.*s'", path, SLICE_ARG(line));
        buf_release(&whole);
    }
    buf_release(&want);
    buf_release(&have);
}
