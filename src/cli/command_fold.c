#include "cli/command.h"

#include "cli/confine.h"
#include "cli/load.h"
#include "cli/sink.h"

static bool take_block(void *context, struct slice bytes)
{
    return sink_add(context, bytes);
}

void command_fold(const struct command_job *job)
{
    struct library_graph graph;
    struct sink sink;

    confine(job->options, &job->options->outputs, job->console);
    library_graph_init(&graph);
    if (load_graph(job, &graph)) {
        sink_begin(&sink, job->console, options_output(job->options));
        library_graph_fold(&graph, take_block, &sink);
        job->outcome->written = sink_end(&sink) != SINK_FAILED;
    }
    library_graph_release(&graph);
}
