#include "input/core/binary_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/file.h"

/* Whether a file is called "perf-123.map". */
static bool is_map(struct slice name)
{
    size_t digits = 0;

    if (!slice_starts(name, SLICE("perf-")) || !slice_ends(name, SLICE(".map")))
        return false;
    name = slice_skip(name, strlen("perf-"));
    while (digits < name.len && ascii_is_digit(name.ptr[digits]))
        digits++;
    return digits && digits + strlen(".map") == name.len;
}

static bool is_binary(int fd)
{
    static const char magic[] = {0x7f, 'E', 'L', 'F'};
    char start[sizeof(magic)];

    return pread(fd, start, sizeof(start), 0) == sizeof(start) &&
           memcmp(start, magic, sizeof(magic)) == 0;
}

int binary_file_open(const char *path)
{
    bool map = is_map(file_name_of(slice_str(path)));
    struct stat st;
    int fd;

    /* Opening a device may have effects. */
    if (file_kind(path) != FILE_REGULAR)
        return -1;
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (map ? O_NOFOLLOW : 0));
    if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || !(map || is_binary(fd)))) {
        close(fd);
        fd = -1;
    }
    return fd;
}
