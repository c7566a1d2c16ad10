#include "cli/sink.h"

#include <errno.h>
#include <unistd.h>

#include "base/file.h"
#include "base/utf8.h"

/* Names from profiles must not drive a terminal; line ends are ours. */
static void escape_lines(struct slice bytes, struct buf *out)
{
    while (bytes.len) {
        size_t end = slice_find(bytes, '\n');
        bool carriage = end && end < bytes.len && bytes.ptr[end - 1] == '\r';

        utf8_add_escaped(out, slice_take(bytes, end - carriage));
        if (end < bytes.len)
            buf_add_char(out, '\n');
        bytes = slice_skip(bytes, end + (end < bytes.len));
    }
}

enum sink_result sink_write(struct console *console, const char *path, struct slice bytes)
{
    enum sink_result result = SINK_WRITTEN;
    struct diag diag;
    struct buf why, safe;

    buf_init(&why);
    buf_init(&safe);
    if (sink_is_terminal(path)) {
        escape_lines(bytes, &safe);
        bytes = buf_slice(&safe);
    }
    if (path ? !file_replace(path, bytes, &why) : !file_write_fd(STDOUT_FILENO, bytes, &why))
        result = !path && errno == EPIPE ? SINK_GONE : SINK_FAILED;
    if (result == SINK_FAILED) {
        diag_init(&diag, path ? slice_str(path) : SLICE("<stdout>"));
        diag_error(&diag, "%s", why.ptr);
        console_show(console, &diag);
        diag_release(&diag);
    }
    buf_release(&why);
    buf_release(&safe);
    return result;
}

bool sink_is_terminal(const char *path)
{
    return !path && isatty(STDOUT_FILENO) == 1;
}
