#include "profile/package.h"

#include "base/ascii.h"

bool package_next_part(struct slice *path, struct slice *part)
{
    size_t len = 0;

    if (!path->len)
        return false;
    while (len < path->len && path->ptr[len] != '/' && path->ptr[len] != '\\')
        len++;
    *part = slice_take(*path, len);
    *path = slice_skip(*path, len < path->len ? len + 1 : len);
    return true;
}

bool package_is_directory(struct slice part)
{
    return slice_is_any(part, "site-packages", "dist-packages", "node_modules", "gems");
}

bool package_is_python(struct slice part)
{
    size_t i = SLICE("python").len;

    if (part.len <= i || !slice_starts_any(part, "python", "Python"))
        return false;
    while (i < part.len && (ascii_is_digit(part.ptr[i]) || part.ptr[i] == '.'))
        i++;
    return i == part.len;
}
