#include "unit/support/golden.h"

#include "base/file.h"
#include "unit/support/corpus.h"
#include "unit/support/test.h"

static void fold_all(const struct reading *r, struct buf *out)
{
    for (uint32_t i = 0; i < r->profile.series.count; i++) {
        struct slice name = r->profile.series.items[i].name;

        if (name.len)
            buf_printf(out, "[%.*s]\n", SLICE_ARG(name));
        reading_fold(r, i, out);
    }
}

void golden_text(const char *name, const char *format, const char *text,
                 const struct input_options *options, const char *want, const char *messages)
{
    struct reading r;
    struct buf got = {0}, told = {0};

    reading_text(&r, slice_str(text), options);
    fold_all(&r, &got);
    reading_messages(&r, &told);
    cr_expect(r.profile.format && strcmp(r.profile.format, format) == 0, "%s: read as %s: %s", name,
              r.profile.format ? r.profile.format : "nothing", buf_string(&told));
    cr_expect_str_eq(buf_string(&got), want, "%s: got\n%swant\n%s", name, buf_string(&got), want);
    if (messages)
        cr_expect_str_eq(buf_string(&told), messages, "%s: told\n%swant\n%s", name,
                         buf_string(&told), messages);
    buf_release(&got);
    buf_release(&told);
    reading_release(&r);
}

static void compare(const char *file, const char *expected, bool root)
{
    struct input_options options = input_options_default();
    struct buf path = {0}, lines = {0}, want = {0}, got = {0}, why = {0};
    struct reading r;
    size_t skip = 0;

    options.names = NAMES_REFERENCE;
    cr_assert(file_read(corpus_path(&path, expected), 1 << 26, &lines, &why), "%s",
              buf_string(&why));
    reading_sort(buf_slice(&lines), &want);
    reading_path(&r, corpus_path(&path, file), file, &options, 1);
    cr_expect_eq(r.result, INPUT_READ, "%s", file);
    if (r.profile.series.count)
        reading_fold(&r, 0, &got);
    if (!root && buf_string(&got)[0] == ' ')
        skip = slice_find(buf_slice(&got), '\n') + 1;
    cr_expect_str_eq(buf_string(&got) + skip, buf_string(&want), "%s: got\n%swant\n%s", file,
                     buf_string(&got), buf_string(&want));
    buf_release(&path);
    buf_release(&lines);
    buf_release(&want);
    buf_release(&got);
    buf_release(&why);
    reading_release(&r);
}

void golden_reference(const char *file, const char *expected)
{
    compare(file, expected, true);
}

void golden_reference_without_root(const char *file, const char *expected)
{
    compare(file, expected, false);
}
