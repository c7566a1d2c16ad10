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

enum { MAGIC = 8, HEAD = 4096 };

/* Copies the first bytes of a pipe, which stay in the pipe. Waits until there are any. */
static ssize_t peek_pipe(int fd, char *bytes)
{
    ssize_t count = -1;
    int copy[2];

    if (pipe2(copy, O_CLOEXEC) != 0)
        return -1;
    if (tee(fd, copy[1], HEAD, 0) > 0)
        count = read(copy[0], bytes, HEAD);
    close(copy[0]);
    close(copy[1]);
    return count;
}

/* Whether JSON begins as OpenTelemetry's profiles or those of the Firefox Profiler do. */
static bool may_be_json(struct slice head)
{
    static const char *const keys[] = {"\"resourceProfiles\"", "\"resource_profiles\"",
                                       "\"dictionary\"", "\"meta\"", "\"libs\""};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (slice_has(head, slice_str(keys[i])))
            return slice_starts(slice_trim_left(head), SLICE("{"));
    return false;
}

/*
 * Whether a file may have addresses without names: heaps of jemalloc and gperftools, and
 * OpenTelemetry's profiles, whose protobuf begins with the field 1 or 2, or with a length.
 */
static bool may_have_addresses(struct slice head)
{
    struct slice message = slice_skip(head, head.ptr[0] ? 0 : 4);

    return slice_starts_any(head, "heap_v2/", "heap profile:") || may_be_json(head) ||
           slice_starts_any(message, "\x0a", "\x12");
}

/* A compressed file may contain a recording. It is hostile, so it is not unpacked to see. */
static bool may_be_recording(int fd)
{
    char bytes[HEAD];
    struct stat st;
    ssize_t count = -1;

    if (fstat(fd, &st) != 0)
        return false;
    if (S_ISREG(st.st_mode))
        count = pread(fd, bytes, HEAD, 0);
    else if (S_ISFIFO(st.st_mode))
        count = peek_pipe(fd, bytes);
    return count >= MAGIC &&
           (source_is_compressed(slice_make(bytes, MAGIC)) ||
            recording_is_start(slice_make(bytes, MAGIC)) ||
            may_have_addresses(slice_make(bytes, (size_t)count)) ||
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
