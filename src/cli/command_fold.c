#include "cli/command.h"

#include "cli/load.h"
#include "cli/sink.h"
#include "output/folded.h"

static bool take_block(void *context, struct slice bytes)
{
    return sink_add(context, bytes);
}

void command_fold(const struct options *o, struct console *console, struct outcome *outcome)
{
    struct profile profile;
    struct sink sink;
    uint32_t series;

    profile_init(&profile);
    if (load_is_text(o, console, outcome) && load_profiles(o, false, console, &profile, outcome) &&
        load_as_counted(o, console, &profile, outcome) &&
        (series = load_series(o, console, &profile, outcome)) != SERIES_NONE) {
        sink_begin(&sink, console, options_output(o));
        folded_write(&profile, series, take_block, &sink);
        outcome->written = sink_end(&sink) != SINK_FAILED;
    }
    profile_release(&profile);
}
