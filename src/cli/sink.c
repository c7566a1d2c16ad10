#include "cli/sink.h"

#include <errno.h>
#include <unistd.h>

#include "base/file.h"

enum sink_result sink_write(struct console *console, const char *path, struct slice bytes)
{
    enum sink_result result = SINK_WRITTEN;
    struct diag diag;
    struct buf why;

    buf_init(&why);
    if (path ? !file_replace(path, bytes, &why) : !file_write_fd(STDOUT_FILENO, bytes, &why))
        result = !path && errno == EPIPE ? SINK_GONE : SINK_FAILED;
    if (result == SINK_FAILED) {
        diag_init(&diag, path ? slice_str(path) : SLICE("<stdout>"));
        diag_error(&diag, "%s", why.ptr);
        console_show(console, &diag);
        diag_release(&diag);
    }
    buf_release(&why);
    return result;
}

bool sink_is_terminal(const char *path)
{
    return !path && isatty(STDOUT_FILENO) == 1;
}
