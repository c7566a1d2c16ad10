#include "input/core/recording.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/num.h"

enum { MAGIC = 8 };

bool recording_is_start(struct slice bytes)
{
    return slice_starts(bytes, SLICE("PERFILE2")) || slice_starts(bytes, SLICE("2ELIFREP"));
}

int recording_open_data(int directory)
{
    int fd = openat(directory, "data", O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    char magic[MAGIC];
    struct stat st;

    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && pread(fd, magic, MAGIC, 0) == MAGIC &&
        recording_is_start(slice_make(magic, MAGIC)))
        return fd;
    close(fd);
    return -1;
}

bool recording_is_directory(const char *path)
{
    int directory = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY), data = -1;

    if (directory < 0)
        return false;
    data = recording_open_data(directory);
    if (data >= 0)
        close(data);
    close(directory);
    return data >= 0;
}

/* ---- further files --------------------------------------------------------------------------- */

struct numbers VEC_OF(uint32_t);

/* Returns false if the name is not that of a further file, as perf writes it. */
static bool take_number(struct slice name, uint32_t *number)
{
    struct slice digits = slice_skip(name, strlen("data."));
    uint64_t value;

    if (!slice_starts(name, SLICE("data.")) || !num_parse_u64(digits, &value) ||
        value >= UINT32_MAX || (digits.ptr[0] == '0' && digits.len > 1))
        return false;
    *number = (uint32_t)value;
    return true;
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

bool recording_list(struct recording_files *files, const char *path)
{
    struct slice whole = slice_str(path), name = file_name_of(whole);
    struct slice directory = whole;
    struct numbers numbers = {0};
    struct dirent *entry;
    uint32_t number;
    DIR *handle;

    *files = (struct recording_files){0};
    if (file_kind(path) != FILE_DIRECTORY)
        directory = name.len < whole.len ? slice_take(whole, whole.len - name.len) : SLICE(".");
    files->directory = arena_strdup(&files->memory, directory);
    handle = opendir(files->directory);
    if (!handle)
        return false;
    while ((entry = readdir(handle)))
        if (take_number(slice_str(entry->d_name), &number))
            *vec_add(&numbers) = number;
    closedir(handle);
    if (numbers.count)
        qsort(numbers.items, numbers.count, sizeof(*numbers.items), compare_numbers);
    vec_each (const uint32_t, n, &numbers) {
        *vec_add(&files->paths) =
            arena_printf(&files->memory, "%.*s/data.%u", SLICE_ARG(directory), *n);
        files->missing = *n + 1ull - files->paths.count;
    }
    vec_release(&numbers);
    return true;
}

void recording_files_release(struct recording_files *files)
{
    vec_release(&files->paths);
    arena_release(&files->memory);
}
