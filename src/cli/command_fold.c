#include "cli/command.h"

#include "cli/confine.h"
#include "cli/load.h"
#include "cli/sink.h"
#include "output/folded.h"

static bool take_block(void *context, struct slice bytes)
{
    return sink_add(context, bytes);
}

void command_fold(const struct command_job *job)
{
    struct profile profile;
    struct sink sink;
    uint32_t series;

    confine(job->options, &job->options->outputs, job->console);
    profile_init(&profile);
    if (load_graph(job, &profile, &series)) {
        sink_begin(&sink, job->console, options_output(job->options));
        folded_write(&profile, series, take_block, &sink);
        job->outcome->written = sink_end(&sink) != SINK_FAILED;
    }
    profile_release(&profile);
}
