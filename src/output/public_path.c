#include "output/public_path.h"

#include "base/ascii.h"
#include "profile/package.h"

static bool is_windows(struct slice path)
{
    return slice_starts(path, SLICE("\\\\")) ||
           (path.len > 2 && ascii_is_letter(path.ptr[0]) && path.ptr[1] == ':' &&
            (path.ptr[2] == '\\' || path.ptr[2] == '/'));
}

static bool is_absolute(struct slice path)
{
    return slice_starts(path, SLICE("/")) || slice_starts(path, SLICE("~")) ||
           slice_starts(path, SLICE(".."));
}

/* Returns the path from its last directory of packages, or else from its last part. */
static struct slice shorten(struct slice path, bool windows)
{
    size_t start = 0, from = 0;
    struct slice part;
    bool packaged = false;

    for (size_t i = 0; i < path.len; i++) {
        if (path.ptr[i] != '/' && !(windows && path.ptr[i] == '\\'))
            continue;
        part = slice_make(path.ptr + start, i - start);
        if (package_is_directory(part) || package_is_python(part)) {
            packaged = true;
            from = start;
        }
        start = i + 1;
        if (!packaged && start < path.len)
            from = start;
    }
    return slice_skip(path, from);
}

struct slice public_path(struct slice path)
{
    bool windows = is_windows(path), url = slice_has(path, SLICE("://"));

    if (url)
        path = slice_take(slice_take(path, slice_find(path, '?')), slice_find(path, '#'));
    return windows || url || is_absolute(path) ? shorten(path, windows) : path;
}
