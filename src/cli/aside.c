#include "cli/aside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/sandbox.h"

static bool write_all(int fd, struct slice bytes)
{
    while (bytes.len) {
        ssize_t written = write(fd, bytes.ptr, bytes.len);

        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes = slice_skip(bytes, (size_t)written);
    }
    return true;
}

static _Noreturn void do_work(void (*work)(void *context, struct buf *out), void *context,
                              const char *readable, int fd)
{
    struct sandbox sandbox = {0};
    struct buf out = {0};

    if (readable)
        *vec_add(&sandbox.readable) = readable;
    sandbox_enter(&sandbox);
    work(context, &out);
    _exit(write_all(fd, buf_slice(&out)) ? EXIT_SUCCESS : EXIT_FAILURE);
}

static bool has_succeeded(pid_t process)
{
    int status;

    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

bool aside_run(void (*work)(void *context, struct buf *out), void *context, const char *readable,
               struct buf *out)
{
    struct buf why = {0};
    bool ok = false;
    pid_t process;
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    process = fork();
    if (process == 0)
        do_work(work, context, readable, ends[1]);
    close(ends[1]);
    if (process > 0)
        ok = file_read_fd(ends[0], ASIDE_MOST, out, &why);
    close(ends[0]);
    if (process > 0)
        ok = has_succeeded(process) && ok;
    buf_release(&why);
    return ok;
}
