#include "unit/support/proto_text.h"

#include <stdlib.h>

static void add_varint(struct buf *out, uint64_t value)
{
    for (; value > 127; value >>= 7)
        buf_add_char(out, (char)(value | 128));
    buf_add_char(out, (char)value);
}

static void add_numbers(struct buf *out, const char **at)
{
    while (**at != ']') {
        char *end;

        add_varint(out, (uint64_t)strtoll(*at, &end, 10));
        *at = end;
    }
    ++*at;
}

static void add_fields(struct buf *out, const char **at, const struct slice **content);

static void add_bytes(struct buf *out, const char **at, const struct slice **content)
{
    struct buf bytes = {0};
    char kind = *(*at)++;

    if (kind == '{') {
        add_fields(&bytes, at, content);
        ++*at;
    } else if (kind == '[') {
        add_numbers(&bytes, at);
    } else if (kind == '$') {
        buf_add_slice(&bytes, *(*content)++);
    } else {
        const char *end = strchr(*at, '\'');

        buf_add_slice(&bytes, slice_make(*at, (size_t)(end - *at)));
        *at = end + 1;
    }
    add_varint(out, bytes.len);
    buf_add_slice(out, buf_slice(&bytes));
    buf_release(&bytes);
}

static void add_fields(struct buf *out, const char **at, const struct slice **content)
{
    for (*at += strspn(*at, " "); **at && **at != '}'; *at += strspn(*at, " ")) {
        char *end;
        uint64_t field = strtoull(*at, &end, 10);

        *at = end + 1;
        if (strchr("{['$", **at)) {
            add_varint(out, field << 3 | 2);
            add_bytes(out, at, content);
            continue;
        }
        add_varint(out, field << 3);
        add_varint(out, (uint64_t)strtoll(*at, &end, 10));
        *at = end;
    }
}

void proto_text_add(struct buf *out, const char *text, const struct slice *content)
{
    add_fields(out, &text, &content);
}
