#include "cli/binary_places.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

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

static bool is_recording(int fd)
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
           (memcmp(bytes, "PERFILE2", MAGIC) == 0 || memcmp(bytes, "2ELIFREP", MAGIC) == 0);
}

bool binary_places_needed(const char *path)
{
    struct slice name = file_name_of(slice_str(path));
    bool found;
    int fd;

    if (strcmp(path, "-") == 0)
        return is_recording(STDIN_FILENO);
    if (file_kind(path) != FILE_REGULAR)
        return false;
    if (slice_search(name, SLICE("perf.data")) < name.len)
        return true; /* which may be compressed */
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    found = is_recording(fd);
    close(fd);
    return found;
}

/* Adds the directories below the root that are not the system's. */
static void add_directories(struct strings *out, struct arena *memory)
{
    static const char *const others[] = {".", "..", "dev", "etc", "proc", "run", "sys"};
    DIR *root = opendir("/");
    const struct dirent *entry;

    while (root && (entry = readdir(root))) {
        bool other = false;

        for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
            other |= strcmp(entry->d_name, others[i]) == 0;
        if (!other)
            *vec_add(out) = arena_printf(memory, "/%s", entry->d_name);
    }
    if (root)
        closedir(root);
}

void binary_places_add(const struct options *o, struct strings *out, struct arena *memory)
{
    static const char *const kernel[] = {"/proc/kallsyms", "/proc/sys/kernel/osrelease",
                                         "/sys/kernel/notes"};

    for (size_t i = 0; i < sizeof(kernel) / sizeof(kernel[0]); i++)
        *vec_add(out) = kernel[i];
    if (!o->plan.reading.symfs)
        add_directories(out, memory);
}
