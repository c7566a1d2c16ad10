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
    if (load_graph(o, false, console, &profile, &series, outcome)) {
        sink_begin(&sink, console, options_output(o));
        folded_write(&profile, series, take_block, &sink);
        outcome->written = sink_end(&sink) != SINK_FAILED;
    }
    profile_release(&profile);
}
