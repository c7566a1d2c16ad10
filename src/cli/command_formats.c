#include "cli/command.h"

#include "cli/sink.h"
#include "input/format.h"

void command_formats(const struct options *o, struct console *console, struct outcome *outcome)
{
    struct buf text;

    (void)o;
    buf_init(&text);
    for (size_t i = 0; i < format_count; i++) {
        const struct format *f = formats[i];

        buf_printf(&text, "%s%s: %s\n    recognised by: %s\n    recorded with: %s\n", i ? "\n" : "",
                   f->name, f->description, f->recognised, f->example);
    }
    buf_add_str(&text, "\nAny of them may be compressed with gzip, zstd, xz or bzip2; the content "
                       "decides, never the name.\n");
    outcome->written = sink_write(console, NULL, buf_slice(&text)) != SINK_FAILED;
    buf_release(&text);
}
