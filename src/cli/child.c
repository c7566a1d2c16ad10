#include "cli/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/vec.h"

enum { SIGNALLED = 128, MOST_OUTPUT = 64 << 20 };

/* Becomes the program; its output goes to `out`. */
static _Noreturn void become(char *const *words, int out)
{
    int in = open("/dev/null", O_RDONLY);

    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (in < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        dup2(out, STDERR_FILENO) < 0)
        _exit(CHILD_NOT_STARTED);
    execvp(words[0], words);
    _exit(CHILD_NOT_STARTED);
}

static int wait_for(pid_t process)
{
    int status;

    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return CHILD_NOT_STARTED;
    return WIFEXITED(status) ? WEXITSTATUS(status) : SIGNALLED + WTERMSIG(status);
}

int child_run(const char *const *words, struct buf *output)
{
    VEC(char *) copy = {0};
    struct arena memory = {0};
    struct buf why = {0};
    int ends[2], status = CHILD_NOT_STARTED;
    pid_t process;

    for (; *words; words++)
        *vec_add(&copy) = arena_strdup(&memory, slice_str(*words));
    *vec_add(&copy) = NULL;
    if (pipe2(ends, O_CLOEXEC) == 0) {
        process = fork();
        if (process == 0)
            become(copy.items, ends[1]);
        close(ends[1]);
        file_read_fd(ends[0], MOST_OUTPUT, output, &why);
        close(ends[0]);
        if (process > 0)
            status = wait_for(process);
    }
    vec_release(&copy);
    arena_release(&memory);
    buf_release(&why);
    return status;
}
