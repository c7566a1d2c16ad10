#include "unit/support/cases.h"

#include "base/file.h"
#include "unit/support/corpus.h"
#include "unit/support/test.h"

static void write_all(const struct reading *r, struct buf *out)
{
    for (uint32_t i = 0; i < r->profile.series.count; i++) {
        if (!r->profile.series.items[i].count)
            continue;
        buf_printf(out, "== %.*s\n", SLICE_ARG(r->profile.series.items[i].name));
        reading_fold(r, i, out);
    }
}

void reading_expect(const struct reading_case *c)
{
    struct input_options options = input_options_default();
    struct buf out = {0}, messages = {0};
    struct reading r;

    options.names = c->names;
    reading_text(&r, slice_str(c->content), &options);
    cr_expect_eq(r.result, c->result, "%s: result %d", c->name, (int)r.result);
    if (c->folded) {
        write_all(&r, &out);
        cr_expect_str_eq(buf_slice(&out).ptr, c->folded, "%s:\n%s", c->name, buf_string(&out));
    }
    reading_messages(&r, &messages);
    if (c->messages)
        cr_expect(strstr(buf_string(&messages), c->messages), "%s: %s", c->name,
                  buf_string(&messages));
    else
        cr_expect_eq(messages.len, 0, "%s: %s", c->name, buf_string(&messages));
    reading_release(&r);
    buf_release(&messages);
    buf_release(&out);
}

/* Returns how many lines differ in two sorted texts with the same number of lines. */
static unsigned count_differences(struct slice a, struct slice b)
{
    struct slice one, other;
    unsigned count = 0;

    while (slice_line(&a, &one)) {
        cr_assert(slice_line(&b, &other), "fewer lines");
        count += !slice_equal(one, other);
    }
    cr_expect_eq(b.len, 0, "more lines");
    return count;
}

void reading_expect_reference(const char *file, const char *event, const char *expected,
                              unsigned differences)
{
    struct input_options options = input_options_default();
    struct buf path = {0}, got = {0}, text = {0}, sorted = {0}, why = {0};
    struct reading r;
    uint32_t series;

    options.names = NAMES_REFERENCE;
    reading_path(&r, corpus_path(&path, file), "in", &options, 1);
    series = profile_find_series(&r.profile, slice_str(event));
    cr_assert_neq(series, SERIES_NONE, "%s", file);
    reading_fold(&r, series, &got);
    cr_assert(file_read(corpus_path(&path, expected), 1 << 20, &text, &why), "%s",
              buf_string(&why));
    reading_sort(buf_slice(&text), &sorted);
    cr_expect_eq(count_differences(buf_slice(&got), buf_slice(&sorted)), differences, "%s", file);
    reading_release(&r);
    buf_release(&path);
    buf_release(&got);
    buf_release(&text);
    buf_release(&sorted);
    buf_release(&why);
}
