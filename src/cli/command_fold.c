#include "cli/command.h"

#include "cli/load.h"
#include "cli/sink.h"
#include "output/folded.h"

struct target {
    struct console *console;
    enum sink_result result;
    struct buf *whole; /* a file appears at once, so its text is collected; NULL for stdout */
};

static bool take_block(void *context, struct slice bytes)
{
    struct target *target = context;

    if (target->whole)
        buf_add_slice(target->whole, bytes);
    else
        target->result = sink_write(target->console, NULL, bytes);
    return target->result == SINK_WRITTEN;
}

void command_fold(const struct options *o, struct console *console, struct outcome *outcome)
{
    const char *path = options_output(o);
    struct buf whole;
    struct target target = {console, SINK_WRITTEN, path ? &whole : NULL};
    struct profile profile;
    uint32_t series;

    buf_init(&whole);
    profile_init(&profile);
    if (load_is_text(o, console, outcome) && load_profiles(o, false, console, &profile, outcome) &&
        load_as_counted(o, console, &profile, outcome) &&
        (series = load_series(o, console, &profile, outcome)) != SERIES_NONE) {
        folded_write(&profile, series, take_block, &target);
        if (path)
            target.result = sink_write(console, path, buf_slice(&whole));
        outcome->written = target.result != SINK_FAILED;
    }
    profile_release(&profile);
    buf_release(&whole);
}
