#include "input/core/recording.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/slice.h"

int recording_open_data(int directory)
{
    enum { MAGIC = 8 };
    int fd = openat(directory, "data", O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    char magic[MAGIC];
    struct stat st;

    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && pread(fd, magic, MAGIC, 0) == MAGIC &&
        (memcmp(magic, "PERFILE2", MAGIC) == 0 || memcmp(magic, "2ELIFREP", MAGIC) == 0))
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

void recording_write_path(struct buf *out, const char *path, unsigned n)
{
    struct slice name = file_name_of(slice_str(path));

    if (file_kind(path) == FILE_DIRECTORY)
        buf_printf(out, "%s/data.%u", path, n);
    else
        buf_printf(out, "%.*sdata.%u", (int)(strlen(path) - name.len), path, n);
}
