#include "report/display.h"

#include "base/num.h"
#include "base/utf8.h"

bool display_is_noncharacter(uint32_t c)
{
    return (c >= 0xfdd0 && c <= 0xfdef) || (c & 0xfffe) == 0xfffe;
}

static size_t count_characters(struct slice text)
{
    size_t count = 0;
    uint32_t c;

    for (; text.len; count++)
        text = slice_skip(text, utf8_decode(text, &c));
    return count;
}

struct slice display_text(struct arena *memory, struct slice text, size_t limit)
{
    struct slice rest = text;
    struct slice copy;
    struct buf out = {0};
    uint32_t c;

    for (size_t shown = 0; rest.len && shown < limit; shown++) {
        size_t n = utf8_decode(rest, &c);

        if (display_is_noncharacter(c))
            buf_printf(&out, "\\u{%x}", (unsigned)c);
        else
            utf8_add_escaped(&out, slice_take(rest, n));
        rest = slice_skip(rest, n);
    }
    if (rest.len) {
        buf_add_str(&out, "… (");
        num_write_grouped(&out, count_characters(text), 0);
        buf_add_str(&out, " characters)");
    }
    copy = arena_copy(memory, buf_slice(&out));
    buf_release(&out);
    return copy;
}
