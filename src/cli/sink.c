#include "cli/sink.h"

#include <errno.h>
#include <unistd.h>

#include "base/file.h"
#include "base/utf8.h"

/* Escapes control characters except line ends: names from profiles must not control a terminal. */
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

/* Reports why writing failed, unless the reader closed standard output. */
static void fail(struct sink *sink, int error, const struct buf *why)
{
    struct diag diag;

    sink->result = !sink->path && error == EPIPE ? SINK_GONE : SINK_FAILED;
    if (sink->result == SINK_GONE)
        return;
    diag_init(&diag, sink->path ? slice_str(sink->path) : SLICE("<stdout>"));
    diag_error(&diag, "%s", buf_string(why));
    console_show(sink->console, &diag);
    diag_release(&diag);
}

/* Opens the draft. If a broker runs, the broker opens it, and only `fd` is set. */
static bool begin_draft(struct sink *sink, struct buf *why)
{
    struct broker *broker = &sink->console->broker;

    if (!broker_runs(broker))
        return file_draft_begin(&sink->draft, sink->path, why);
    sink->draft = (struct file_draft){.fd = broker_open_draft(broker, sink->path, why)};
    return sink->draft.fd >= 0;
}

static bool end_draft(struct sink *sink, bool keep, struct buf *why)
{
    struct broker *broker = &sink->console->broker;
    bool closed;

    if (!broker_runs(broker))
        return file_draft_end(&sink->draft, keep, why);
    closed = close(sink->draft.fd) == 0;
    if (!closed && keep)
        file_say(why, "cannot write");
    return broker_close_draft(broker, keep && closed, why) && closed;
}

void sink_begin(struct sink *sink, struct console *console, const char *path)
{
    struct buf why = {0};

    *sink = (struct sink){.console = console, .path = path, .result = SINK_WRITTEN};
    if (!path)
        return;
    sink->is_open = begin_draft(sink, &why);
    if (!sink->is_open)
        fail(sink, 0, &why);
    buf_release(&why);
}

bool sink_add(struct sink *sink, struct slice bytes)
{
    struct buf why = {0}, safe = {0};

    if (sink->result != SINK_WRITTEN)
        return false;
    if (sink_is_terminal(sink->path)) {
        escape_lines(bytes, &safe);
        bytes = buf_slice(&safe);
    }
    if (sink->path ? !file_draft_add(&sink->draft, bytes, &why)
                   : !file_write_fd(STDOUT_FILENO, bytes, &why))
        fail(sink, errno, &why);
    buf_release(&why);
    buf_release(&safe);
    return sink->result == SINK_WRITTEN;
}

enum sink_result sink_end(struct sink *sink)
{
    bool keep = sink->result == SINK_WRITTEN;
    struct buf why = {0};

    if (!sink->is_open)
        return sink->result;
    if (!end_draft(sink, keep, &why) && keep)
        fail(sink, 0, &why);
    buf_release(&why);
    return sink->result;
}

enum sink_result sink_write(struct console *console, const char *path, struct slice bytes)
{
    struct sink sink;

    sink_begin(&sink, console, path);
    sink_add(&sink, bytes);
    return sink_end(&sink);
}

bool sink_is_terminal(const char *path)
{
    return !path && isatty(STDOUT_FILENO) == 1;
}
