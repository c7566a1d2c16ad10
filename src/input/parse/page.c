#include "input/parse/page.h"

bool page_begins(struct slice bytes)
{
    static const char *const starts[] = {"<!DOCTYPE html", "<!doctype html", "<html", "<head"};
    struct slice start = slice_trim_left(bytes);

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
        if (slice_starts(start, slice_str(starts[i])))
            return true;
    return false;
}

bool page_has(const struct head *head, const char *text)
{
    return page_begins(head->bytes) && slice_has(head->bytes, slice_str(text));
}

size_t page_value_length(struct slice text)
{
    size_t depth = 0;
    bool quoted = false;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];

        if (quoted) {
            i += c == '\\';
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            return i + 1;
        }
    }
    return text.len;
}

bool page_find(struct slice page, const char *before, struct slice *value)
{
    struct slice mark = slice_str(before);
    size_t at;

    while ((at = slice_search(page, mark)) < page.len) {
        page = slice_skip(page, at + mark.len);
        *value = slice_trim_left(page);
        if (slice_starts(*value, SLICE("{")) || slice_starts(*value, SLICE("["))) {
            *value = slice_take(*value, page_value_length(*value));
            return true;
        }
    }
    return false;
}

bool page_read(struct content *c, const char *before,
               bool (*read)(void *context, const struct json_value *top, struct slice page),
               void *context)
{
    struct json_document document = {0};
    struct content inner = *c;
    struct source source;
    struct buf page = {0};
    struct slice data;
    bool ok = content_load(c, &page);

    if (ok && !page_find(buf_slice(&page), before, &data))
        ok = diag_error(c->diag, "the page contains no data");
    if (ok) {
        source_open_memory(&source, data, c->diag);
        inner.source = &source;
        ok = json_load(&inner, &document) && read(context, document.values.items, buf_slice(&page));
        source_release(&source);
    }
    json_release(&document);
    buf_release(&page);
    return ok;
}

bool page_read_text(struct content *c, struct slice text, bool (*read)(struct content *c))
{
    struct content inner = *c;
    struct source source;
    bool ok;

    source_open_memory(&source, text, c->diag);
    inner.source = &source;
    ok = read(&inner);
    source_release(&source);
    return ok;
}
