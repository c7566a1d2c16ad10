#include "batch/mounts.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

/* The most bytes that are read: more file systems than a kernel mounts by default. */
enum { MOST = 64 << 20 };

bool mounts_has(const char *path)
{
    struct statx st;

    return statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &st) == 0 &&
           st.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT &&
           st.stx_attributes & STATX_ATTR_MOUNT_ROOT;
}

/* Appends a path of the kernel's list, in which blanks and backslashes are octal: "\040". */
static void add_path(struct buf *out, struct slice path)
{
    enum { DIGITS = 3 };

    for (size_t i = 0; i < path.len; i++) {
        char c = path.ptr[i];

        if (c == '\\' && path.len - i > DIGITS) {
            const char *digit = path.ptr + i + 1;

            c = (char)((digit[0] - '0') * 64 + (digit[1] - '0') * 8 + (digit[2] - '0'));
            i += DIGITS;
        }
        buf_add_char(out, c);
    }
}

/* Finds one in the list, whose lines have paths as their fifth words; `real` has no links. */
static bool find_in_list(struct slice list, struct slice real, const char *directory,
                         struct buf *path)
{
    struct buf point = {0};
    size_t before = path->len;
    struct slice line;
    bool found = false;

    while (!found && slice_line(&list, &line)) {
        struct slice word = {0}, rest;

        for (int i = 0; i < 5; i++)
            slice_cut(&line, ' ', &word);
        buf_clear(&point);
        add_path(&point, word);
        rest = buf_slice(&point);
        if (!slice_starts(rest, real) || rest.len <= real.len || rest.ptr[real.len] != '/')
            continue;
        rest = slice_skip(rest, real.len);
        buf_printf(path, "%s%.*s", directory, SLICE_ARG(rest));
        found = mounts_has(path->ptr + before); /* not below another one that hides it */
        if (!found)
            path->len = before;
    }
    buf_release(&point);
    return found;
}

bool mounts_find_below(const char *directory, struct buf *path)
{
    char *real = realpath(directory, NULL);
    struct buf list = {0}, why = {0};
    bool found = real && file_read("/proc/self/mountinfo", MOST, &list, &why) &&
                 find_in_list(buf_slice(&list), slice_str(real), directory, path);

    free(real);
    buf_release(&list);
    buf_release(&why);
    return found;
}
