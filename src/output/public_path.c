#include "output/public_path.h"

#include "base/ascii.h"

static bool is_letter(char c)
{
    return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z';
}

static bool is_windows(struct slice path)
{
    return slice_starts(path, SLICE("\\\\")) ||
           (path.len > 2 && is_letter(path.ptr[0]) && path.ptr[1] == ':' &&
            (path.ptr[2] == '\\' || path.ptr[2] == '/'));
}

static bool is_absolute(struct slice path)
{
    return slice_starts(path, SLICE("/")) || slice_starts(path, SLICE("~")) ||
           slice_starts(path, SLICE(".."));
}

/* "python3.11" */
static bool is_python(struct slice part)
{
    struct slice version = slice_skip(part, SLICE("python").len);

    if (!slice_starts(part, SLICE("python")) || !version.len)
        return false;
    for (size_t i = 0; i < version.len; i++)
        if (!ascii_is_digit(version.ptr[i]) && version.ptr[i] != '.')
            return false;
    return true;
}

static bool is_package_directory(struct slice part)
{
    return slice_is_any(part, "node_modules", "site-packages", "dist-packages", "gems") ||
           is_python(part);
}

/* Returns the path from its last directory of packages, or else from its last part. */
static struct slice shorten(struct slice path, bool windows)
{
    size_t start = 0, from = 0;
    bool packaged = false;

    for (size_t i = 0; i < path.len; i++) {
        if (path.ptr[i] != '/' && !(windows && path.ptr[i] == '\\'))
            continue;
        if (is_package_directory(slice_make(path.ptr + start, i - start))) {
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
