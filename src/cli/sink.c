#include "cli/sink.h"

#include <errno.h>
#include <unistd.h>

#include "base/file.h"

bool sink_write(struct console *console, const char *path, struct slice bytes)
{
    struct diag diag;
    struct buf why;
    bool ok;

    buf_init(&why);
    if (!path)
        ok = file_write_fd(STDOUT_FILENO, bytes, &why) || errno == EPIPE;
    else
        ok = file_replace(path, bytes, &why);
    if (!ok) {
        diag_init(&diag, !path ? SLICE("<stdout>") : slice_str(path));
        diag_error(&diag, "%s", why.ptr);
        console_show(console, &diag);
        diag_release(&diag);
    }
    buf_release(&why);
    return ok;
}

bool sink_is_terminal(const char *path)
{
    return !path && isatty(STDOUT_FILENO) == 1;
}
