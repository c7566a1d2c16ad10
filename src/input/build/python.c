#include "input/build/python.h"

#include "base/ascii.h"
#include "base/num.h"

/* Offset of the last part of a path of `len` bytes. */
static size_t base_start(struct slice path, size_t len)
{
    while (len > 0 && path.ptr[len - 1] != '/' && path.ptr[len - 1] != '\\')
        len--;
    return len;
}

/* The file's name; "__init__.py" is preceded by the package's name. */
static struct slice base_name(struct slice file)
{
    size_t at = base_start(file, file.len);

    if (at > 1 && slice_equal(slice_skip(file, at), SLICE("__init__.py")))
        at = base_start(file, at - 1);
    return slice_skip(file, at);
}

struct slice python_name(struct slice function, struct slice file, struct buf *scratch)
{
    if (!slice_starts(function, SLICE("<")) || !file.len)
        return function;
    buf_clear(scratch);
    buf_printf(scratch, "%.*s (%.*s)", SLICE_ARG(function), SLICE_ARG(base_name(file)));
    return buf_slice(scratch);
}

/* "app.py", and what has no file: "<frozen runpy>", "<string>", "~". */
static bool is_file(struct slice s)
{
    return slice_ends_any(s, ".py", ".pyx", ".pyw") || slice_equal(s, SLICE("~")) ||
           (slice_starts(s, SLICE("<")) && slice_ends(s, SLICE(">")));
}

/* Returns the file in "main (app.py", or an empty slice. */
static struct slice file_in_parentheses(struct slice s)
{
    size_t open = slice_find_last(s, '(');

    return open > 1 && open < s.len && s.ptr[open - 1] == ' ' ? slice_skip(s, open + 1) : SLICE("");
}

/* Returns the file in "app.py:main", or an empty slice. */
static struct slice file_before_function(struct slice s)
{
    size_t colon = slice_find_last(s, ':');
    struct slice function = slice_skip(s, colon + 1);

    return function.len && !ascii_is_digit(function.ptr[0]) ? slice_take(s, colon) : SLICE("");
}

bool python_split_line(struct slice name, struct buf *out, struct slice *file, uint64_t *line)
{
    bool closed = slice_ends(name, SLICE(")"));
    struct slice text = slice_take(name, name.len - closed);
    size_t colon = slice_find_last(text, ':');
    struct slice rest = slice_take(text, colon);
    struct slice found = closed ? file_in_parentheses(rest) : file_before_function(rest);

    if (colon == text.len || !is_file(found) || !num_parse_u64(slice_skip(text, colon + 1), line))
        return false;
    *file = found;
    buf_add_slice(out, rest);
    if (closed)
        buf_add_char(out, ')');
    return true;
}
