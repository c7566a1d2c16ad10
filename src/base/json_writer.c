#include "base/json_writer.h"

#include "base/die.h"
#include "base/num.h"
#include "base/percent.h"
#include "base/utf8.h"

/* ---- strings --------------------------------------------------------------------------------- */
/* Printable ASCII that needs no escape. */
static bool is_plain(unsigned char c)
{
    return c >= ' ' && c < 0x7f && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&';
}

/* Returns the character after the backslash in the short escape, or 0 if there is none. */
static char short_escape(uint32_t c)
{
    switch (c) {
    case '"':
    case '\\':
        return (char)c;
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\t':
        return 't';
    default:
        return 0;
    }
}

static void write_character(struct buf *out, uint32_t c)
{
    if (short_escape(c))
        buf_printf(out, "\\%c", short_escape(c));
    else if (c < 0x80 || utf8_is_unsafe(c))
        buf_printf(out, "\\u%04x", (unsigned)c);
    else
        utf8_encode(out, c);
}

void json_writer_string(struct buf *out, struct slice text)
{
    uint32_t c;

    buf_add_char(out, '"');
    while (text.len) {
        size_t n = 0;

        while (n < text.len && is_plain((unsigned char)text.ptr[n]))
            n++;
        buf_add(out, text.ptr, n);
        text = slice_skip(text, n);
        if (!text.len)
            break;
        text = slice_skip(text, utf8_decode(text, &c));
        write_character(out, c);
    }
    buf_add_char(out, '"');
}

/* ---- structure ------------------------------------------------------------------------------- */
void json_writer_init(struct json_writer *w, struct buf *out)
{
    *w = (struct json_writer){.out = out};
}

static void break_line(struct json_writer *w)
{
    buf_add_char(w->out, '\n');
    for (unsigned i = 0; i < w->depth; i++)
        if (w->levels[i].layout == JSON_LINES)
            buf_add_str(w->out, "  ");
}

/* Starts a value: appends the separator and the key. */
static void start(struct json_writer *w, const char *key)
{
    if (!w->depth) {
        BUG_ON(key);
        return;
    }
    BUG_ON((key != NULL) != (w->levels[w->depth - 1].close == '}'));
    if (!w->levels[w->depth - 1].empty)
        buf_add_char(w->out, ',');
    if (w->levels[w->depth - 1].layout == JSON_LINES)
        break_line(w);
    else if (!w->levels[w->depth - 1].empty)
        buf_add_char(w->out, ' ');
    w->levels[w->depth - 1].empty = false;
    if (!key)
        return;
    buf_add_char(w->out, '"');
    buf_add_str(w->out, key);
    buf_add_str(w->out, "\": ");
}

static void open_level(struct json_writer *w, const char *key, enum json_layout layout, char open,
                       char close)
{
    BUG_ON(w->depth == JSON_WRITER_MAX_DEPTH);
    start(w, key);
    buf_add_char(w->out, open);
    w->levels[w->depth].layout = layout;
    w->levels[w->depth].close = close;
    w->levels[w->depth++].empty = true;
}

void json_writer_object(struct json_writer *w, const char *key, enum json_layout layout)
{
    open_level(w, key, layout, '{', '}');
}

void json_writer_list(struct json_writer *w, const char *key, enum json_layout layout)
{
    open_level(w, key, layout, '[', ']');
}

void json_writer_close(struct json_writer *w)
{
    BUG_ON(!w->depth);
    w->depth--;
    if (w->levels[w->depth].layout == JSON_LINES && !w->levels[w->depth].empty)
        break_line(w);
    buf_add_char(w->out, w->levels[w->depth].close);
}

/* ---- values ---------------------------------------------------------------------------------- */
void json_writer_text(struct json_writer *w, const char *key, struct slice text)
{
    start(w, key);
    json_writer_string(w->out, text);
}

void json_writer_null(struct json_writer *w, const char *key)
{
    start(w, key);
    buf_add_str(w->out, "null");
}

void json_writer_optional(struct json_writer *w, const char *key, struct slice text)
{
    if (text.len)
        json_writer_text(w, key, text);
    else
        json_writer_null(w, key);
}

void json_writer_bool(struct json_writer *w, const char *key, bool value)
{
    start(w, key);
    buf_add_str(w->out, value ? "true" : "false");
}

void json_writer_i64(struct json_writer *w, const char *key, int64_t value)
{
    start(w, key);
    buf_add_i64(w->out, value);
}

void json_writer_u64(struct json_writer *w, const char *key, uint64_t value)
{
    start(w, key);
    buf_add_u64(w->out, value);
}

void json_writer_number(struct json_writer *w, const char *key, struct slice number)
{
    start(w, key);
    buf_add_slice(w->out, number.len ? number : SLICE("null"));
}

void json_writer_percent(struct json_writer *w, const char *key, uint64_t part, uint64_t whole,
                         unsigned decimals)
{
    start(w, key);
    num_write_percent(w->out, part, whole, decimals);
}

static void write_weight(struct json_writer *w, const char *key, bool negative, uint64_t size,
                         unsigned decimals)
{
    start(w, key);
    buf_add_str(w->out, negative ? "\"-" : "\"");
    num_write_decimal(w->out, size, decimals);
    buf_add_char(w->out, '"');
}

void json_writer_weight(struct json_writer *w, const char *key, uint64_t value, unsigned decimals)
{
    write_weight(w, key, false, value, decimals);
}

void json_writer_share(struct json_writer *w, const char *key, long double share)
{
    start(w, key);
    percent_write_exact(w->out, share);
}

void json_writer_change(struct json_writer *w, const char *key, int64_t value, unsigned decimals)
{
    write_weight(w, key, value < 0, value < 0 ? -(uint64_t)value : (uint64_t)value, decimals);
}
