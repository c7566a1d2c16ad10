#include "input/build/python.h"

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
