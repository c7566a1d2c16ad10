#include "cli/command.h"

#include "base/file.h"
#include "cli/confine.h"
#include "cli/load.h"
#include "cli/target.h"

static bool choose_targets(const struct options *o, struct targets *targets, struct arena *memory,
                           struct diag *diag)
{
    if (!o->outputs.count && !target_add(o, NULL, targets, diag))
        return false;
    vec_each (const char *, path, &o->outputs) {
        if (!target_add(o, *path, targets, diag))
            return false;
    }
    return targets_complete(o, targets, memory, diag);
}

/* Returns the path if exactly one file is named, for the picture's metadata. */
static struct slice find_source(const struct options *o, const struct look *look)
{
    if (o->paths.count != 1 || file_is_standard(o->paths.items[0]))
        return SLICE("");
    return look_source(look, slice_str(o->paths.items[0]));
}

static void confine_to(const struct options *o, const struct targets *targets,
                       struct console *console)
{
    struct strings written = {0};
    struct arena memory = {0};

    target_list(o, targets, &memory, &written);
    confine(o, &written, console);
    vec_release(&written);
    arena_release(&memory);
}

void command_graph(const struct command_job *job)
{
    const struct slice source = find_source(job->options, &job->plan->look);
    struct targets targets = {0};
    struct arena memory = {0};
    struct library_graph graph;
    struct diag diag;

    diag_init(&diag, SLICE("flamepress"));
    job->outcome->usage = !choose_targets(job->options, &targets, &memory, &diag);
    console_show(job->console, &diag);
    diag_release(&diag);
    if (!job->outcome->usage) {
        confine_to(job->options, &targets, job->console);
        library_graph_init(&graph);
        if (load_graph(job, &graph))
            target_draw(job, &graph, source, &targets);
        library_graph_release(&graph);
    }
    targets_release(&targets);
    arena_release(&memory);
}
