#include "cli/binary_places.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "input/core/recording.h"
#include "input/core/source.h"
#include "input/walk.h"

enum { MAGIC = 8 };

/* Copies the first bytes of a pipe, which stay in the pipe. Waits until there are any. */
static ssize_t peek_pipe(int fd, char *bytes)
{
    ssize_t count = -1;
    int copy[2];

    if (pipe2(copy, O_CLOEXEC) != 0)
        return -1;
    if (tee(fd, copy[1], MAGIC, 0) > 0)
        count = read(copy[0], bytes, MAGIC);
    close(copy[0]);
    close(copy[1]);
    return count;
}

/* A compressed file may contain a recording. It is hostile, so it is not unpacked to see. */
static bool may_be_recording(int fd)
{
    char bytes[MAGIC];
    struct stat st;
    ssize_t count = -1;

    if (fstat(fd, &st) != 0)
        return false;
    if (S_ISREG(st.st_mode))
        count = pread(fd, bytes, MAGIC, 0);
    else if (S_ISFIFO(st.st_mode))
        count = peek_pipe(fd, bytes);
    return count == MAGIC &&
           (source_is_compressed(slice_make(bytes, MAGIC)) ||
            recording_is_start(slice_make(bytes, MAGIC)) ||
            memcmp(bytes, "gmon\1\0\0\0", MAGIC) == 0 || memcmp(bytes, "gmon\0\0\0\1", MAGIC) == 0);
}

/* Returns true if a file below a directory is or may be a recording. */
static bool has_recording(const char *directory, bool follow)
{
    const struct walk_options options = {.follow = follow};
    struct paths paths = {0};
    struct buf path = {0};
    struct diag unheard; /* what the walk reports is reported when the inputs are read */
    bool found = false;

    diag_init(&unheard, slice_str(directory));
    walk_directory(directory, &options, &paths, &unheard);
    for (size_t i = 0; i < paths.items.count && !found; i++) {
        buf_clear(&path);
        buf_printf(&path, "%s/%s", directory, paths.items.items[i].ptr);
        found = binary_places_needed(buf_string(&path), follow);
    }
    buf_release(&path);
    diag_release(&unheard);
    walk_paths_release(&paths);
    return found;
}

bool binary_places_needed(const char *path, bool follow)
{
    bool found;
    int fd;

    if (file_is_standard(path))
        return may_be_recording(STDIN_FILENO);
    if (file_kind(path) == FILE_DIRECTORY)
        return has_recording(path, follow);
    if (file_kind(path) != FILE_REGULAR)
        return false;
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    found = may_be_recording(fd);
    close(fd);
    return found;
}

void binary_places_add(const struct options *o, struct strings *out, struct arena *memory)
{
    static const char *const kernel[] = {"/proc/kallsyms", "/proc/sys/kernel/osrelease",
                                         "/sys/kernel/notes"};
    const char *home = getenv("HOME");

    for (size_t i = 0; i < sizeof(kernel) / sizeof(kernel[0]); i++)
        *vec_add(out) = kernel[i];
    if (o->plan.reading.symfs)
        return;
    *vec_add(out) = "/usr/lib/debug";
    if (home && home[0] == '/')
        *vec_add(out) = arena_printf(memory, "%s/.debug", home);
}
