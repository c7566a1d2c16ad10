#include "unit/support/told.h"

#include "unit/support/test.h"

static void add_unit(struct buf *out, const struct unit *unit)
{
    struct slice word = unit_word(unit);

    buf_printf(out, " %.*s", SLICE_ARG(word));
    if (unit->kind == UNIT_SECONDS)
        buf_printf(out, " e%d", unit->exponent);
}

static void tell(const struct reading *r, struct buf *out)
{
    static const char *const outcomes[] = {
        [INPUT_READ] = "",
        [INPUT_UNKNOWN] = "unknown\n",
        [INPUT_EMPTY] = "empty\n",
        [INPUT_FAILED] = "failed\n",
    };

    for (size_t i = 0; i < r->profile.series.count; i++) {
        const struct series *s = &r->profile.series.items[i];

        buf_printf(out, "== %.*s", SLICE_ARG(s->name));
        add_unit(out, &s->unit);
        buf_add_char(out, '\n');
        reading_fold(r, (uint32_t)i, out);
    }
    reading_messages(r, out);
    buf_add_str(out, outcomes[r->result]);
}

void told_expect(const char *name, struct slice content, const struct input_options *options,
                 const char *want)
{
    struct reading r;
    struct buf got = {0};

    reading_text(&r, content, options);
    tell(&r, &got);
    cr_expect(slice_equal(buf_slice(&got), slice_str(want)), "%s: want\n%s\ngot\n%s", name, want,
              buf_string(&got));
    buf_release(&got);
    reading_release(&r);
}

void told_truncated(const char *name, struct slice content, size_t step)
{
    struct reading whole;

    reading_text(&whole, content, NULL);
    for (size_t len = 1; len < content.len; len += step) {
        struct reading part;
        bool same = true;

        reading_text(&part, slice_take(content, len), NULL);
        same = part.profile.series.count == whole.profile.series.count;
        for (size_t i = 0; same && i < whole.profile.series.count; i++)
            same = part.profile.series.items[i].total == whole.profile.series.items[i].total;
        cr_expect(part.result != INPUT_READ || same || part.diag.counts[DIAG_WARNING] ||
                      part.diag.counts[DIAG_ERROR],
                  "%s: %zu of %zu bytes are read without a word", name, len, content.len);
        reading_release(&part);
    }
    reading_release(&whole);
}
