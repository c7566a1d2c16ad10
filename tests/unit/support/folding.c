#include "unit/support/folding.h"

#include "base/file.h"
#include "unit/support/corpus.h"
#include "unit/support/test.h"

static void fold_all(const struct reading *r, struct buf *out)
{
    bool several = r->profile.series.count > 1;

    for (uint32_t i = 0; i < r->profile.series.count; i++) {
        if (several)
            buf_printf(out, "[%.*s]\n", SLICE_ARG(r->profile.series.items[i].name));
        reading_fold(r, i, out);
    }
}

void folding_load(const char *path, struct buf *bytes)
{
    struct buf why = {0};

    cr_assert(file_read(path, 1 << 20, bytes, &why), "%s", buf_string(&why));
    buf_release(&why);
}

void folding_check_bytes(struct slice bytes, const char *folded, const char *message)
{
    struct buf text = {0}, messages = {0};
    struct reading r;

    reading_text(&r, bytes, NULL);
    for (uint32_t i = 0; i < r.profile.series.count; i++) {
        buf_add_str(&text, "--\n");
        reading_fold(&r, i, &text);
    }
    reading_messages(&r, &messages);
    cr_expect_str_eq(buf_string(&text), folded);
    cr_expect(message ? strstr(buf_string(&messages), message) != NULL : !messages.len, "%s",
              buf_string(&messages));
    reading_release(&r);
    buf_release(&text);
    buf_release(&messages);
}

static void check(const char *format, const struct folding *c, const struct input_options *options)
{
    struct buf folded = {0}, messages = {0};
    struct reading r;
    bool told;

    reading_text(&r, slice_str(c->input), options);
    if (r.result == INPUT_READ)
        fold_all(&r, &folded);
    reading_messages(&r, &messages);
    cr_expect((r.result == INPUT_READ) == (c->folded != NULL), "%s: result %d, messages '%s'",
              c->what, r.result, buf_string(&messages));
    if (c->folded) {
        cr_expect_str_eq(buf_string(&folded), c->folded, "%s: '%s'", c->what, buf_string(&folded));
        cr_expect_str_eq(r.profile.format ? r.profile.format : "", format, "%s: read as %s",
                         c->what, r.profile.format);
    }
    told = c->told ? strstr(buf_string(&messages), c->told) != NULL : messages.len == 0;
    cr_expect(told, "%s: messages '%s'", c->what, buf_string(&messages));
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

/* Reads what a file folds to and the expected lines, both sorted. */
static void read_pair(const char *path, const char *expected, const struct input_options *options,
                      struct buf *have, struct buf *want)
{
    struct buf file = {0}, text = {0}, why = {0};
    struct reading r;

    corpus_need();
    cr_assert(file_read(corpus_path(&file, expected), 1 << 24, &text, &why), "%s",
              buf_string(&why));
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
    struct buf want = {0}, have = {0};

    read_pair(path, expected, options, &have, &want);
    cr_expect_str_eq(buf_string(&have), buf_string(&want), "%s: '%s'", path, buf_string(&have));
    buf_release(&want);
    buf_release(&have);
}

void folding_check_stacks(const char *path, const char *expected,
                          const struct input_options *options)
{
    struct slice rest, line;
    struct buf want = {0}, have = {0};

    buf_add_char(&have, '\n');
    read_pair(path, expected, options, &have, &want);
    rest = buf_slice(&want);
    while (slice_line(&rest, &line)) {
        struct buf whole = {0};

        if (slice_ends(line, SLICE(" 0")))
            continue;
        line = slice_take(line, slice_find_last(line, ' '));
        buf_printf(&whole, "\n%.*s ", SLICE_ARG(line));
        cr_expect(strstr(buf_string(&have), buf_string(&whole)) != NULL, "%s: has no '%.*s'", path,
                  SLICE_ARG(line));
        buf_release(&whole);
    }
    buf_release(&want);
    buf_release(&have);
}
