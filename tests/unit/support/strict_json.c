#include "unit/support/strict_json.h"

#include "base/utf8.h"

enum { DEPTH = 64, KEYS = 64 };

struct reader {
    struct slice text;
    size_t at;
};

static bool value(struct reader *r, int depth);

static int peek(const struct reader *r)
{
    return r->at < r->text.len ? (unsigned char)r->text.ptr[r->at] : -1;
}

static bool take(struct reader *r, char c)
{
    if (peek(r) != c)
        return false;
    r->at++;
    return true;
}

static void skip_blanks(struct reader *r)
{
    while (peek(r) == ' ' || peek(r) == '\t' || peek(r) == '\n' || peek(r) == '\r')
        r->at++;
}

static bool is_hex(int c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool escape(struct reader *r)
{
    int c = peek(r);

    if (c < 0 || !strchr("\"\\/bfnrtu", c))
        return false;
    r->at++;
    for (int i = 0; c == 'u' && i < 4; i++) {
        if (!is_hex(peek(r)))
            return false;
        r->at++;
    }
    return true;
}

static bool string(struct reader *r, struct slice *content)
{
    size_t start;

    if (!take(r, '"'))
        return false;
    start = r->at;
    while (peek(r) >= ' ' && peek(r) != '"') {
        if (take(r, '\\')) {
            if (!escape(r))
                return false;
        } else {
            r->at++;
        }
    }
    *content = slice_make(r->text.ptr + start, r->at - start);
    return take(r, '"');
}

static bool digits(struct reader *r)
{
    size_t start = r->at;

    while (peek(r) >= '0' && peek(r) <= '9')
        r->at++;
    return r->at > start;
}

static bool number(struct reader *r)
{
    take(r, '-');
    if (!take(r, '0') && !digits(r))
        return false;
    if (take(r, '.') && !digits(r))
        return false;
    if (take(r, 'e') || take(r, 'E')) {
        if (!take(r, '-'))
            take(r, '+');
        return digits(r);
    }
    return true;
}

static bool word(struct reader *r)
{
    static const char *const words[] = {"true", "false", "null"};

    for (size_t i = 0; i < 3; i++) {
        if (slice_starts(slice_skip(r->text, r->at), slice_str(words[i]))) {
            r->at += strlen(words[i]);
            return true;
        }
    }
    return false;
}

static bool list(struct reader *r, int depth)
{
    skip_blanks(r);
    if (take(r, ']'))
        return true;
    do {
        if (!value(r, depth))
            return false;
    } while (take(r, ','));
    return take(r, ']');
}

static bool object(struct reader *r, int depth)
{
    struct slice keys[KEYS];
    size_t count = 0;

    skip_blanks(r);
    if (take(r, '}'))
        return true;
    do {
        skip_blanks(r);
        if (count == KEYS || !string(r, &keys[count]))
            return false;
        for (size_t i = 0; i < count; i++) {
            if (slice_equal(keys[i], keys[count]))
                return false;
        }
        count++;
        skip_blanks(r);
        if (!take(r, ':') || !value(r, depth))
            return false;
    } while (take(r, ','));
    return take(r, '}');
}

static bool value(struct reader *r, int depth)
{
    struct slice content;
    bool good;

    skip_blanks(r);
    if (depth == DEPTH)
        return false;
    if (take(r, '{'))
        good = object(r, depth + 1);
    else if (take(r, '['))
        good = list(r, depth + 1);
    else if (peek(r) == '"')
        good = string(r, &content);
    else
        good = word(r) || number(r);
    skip_blanks(r);
    return good;
}

bool strict_json(struct slice text, size_t *at)
{
    struct reader r = {.text = text};
    bool good = utf8_valid(text) && value(&r, 0) && r.at == text.len;

    *at = r.at;
    return good;
}
