/*
 * Runs `flamepress convert`: writes profiles in the formats of other tools.
 */
#include "cli/command.h"

#include "base/file.h"
#include "cli/confine.h"
#include "cli/load.h"
#include "cli/sink.h"
#include "convert/lost.h"
#include "convert/writer.h"

/* Returns the writer that the options name, or NULL after reporting an error. */
static const struct convert_writer *choose_writer(const struct options *o, struct diag *diag)
{
    const char *path = options_output(o);
    const struct convert_writer *writer;

    if (o->format >= FORMAT_CONVERTED)
        return convert_writers[o->format - FORMAT_CONVERTED];
    if (!path) {
        diag_error(diag, "name a file with -o, or a format with --format (see --help)");
        return NULL;
    }
    writer = convert_writer_for_path(slice_str(path));
    if (!writer)
        diag_error(diag,
                   "option --output: the ending of '%s' names no format; say which with --format",
                   path);
    return writer;
}

static bool take_block(void *context, struct slice bytes)
{
    return sink_add(context, bytes);
}

/* The name of the input, for formats that have a title. */
static struct slice title_of(const struct options *o)
{
    const char *path = o->paths.count ? o->paths.items[0] : "-";

    return file_is_standard(path) ? SLICE("stdin") : file_name_of(slice_str(path));
}

/* What events are split by, a label too; NULL if they are not. */
static const char *split_of(const struct options *o)
{
    static const char *const names[] = {
        [SPLIT_PROCESS] = "process",
        [SPLIT_THREAD] = "thread",
        [SPLIT_CPU] = "cpu",
        [SPLIT_CGROUP] = "cgroup",
    };

    return names[o->split] ? names[o->split] : o->plan.reading.split_tag;
}

static void say_lost(struct console *console, const struct conversion *c,
                     const struct convert_writer *writer)
{
    struct buf lost = {0};

    lost_add(&lost, c, writer);
    if (lost.len)
        console_say(console, "not written as %s: %s", writer->name, buf_string(&lost));
    buf_release(&lost);
}

static void convert(const struct command_job *job, const struct convert_writer *writer,
                    struct diag *diag)
{
    struct library_graph graph;
    struct sink sink;

    library_graph_init(&graph);
    if (load_graph(job, &graph)) {
        const struct conversion conversion = {.profile = &graph.profile,
                                              .series = graph.made.graphs.items,
                                              .count = graph.made.graphs.count,
                                              .title = title_of(job->options),
                                              .split_by = split_of(job->options)};

        sink_begin(&sink, job->console, options_output(job->options));
        convert_write(writer, &conversion, take_block, &sink, diag);
        say_lost(job->console, &conversion, writer);
        job->outcome->written = sink_end(&sink) != SINK_FAILED;
    }
    library_graph_release(&graph);
}

void command_convert(const struct command_job *job)
{
    const struct convert_writer *writer;
    struct plan plan = *job->plan; /* borrows all that it has */
    struct command_job own = *job;
    struct diag diag;

    own.plan = &plan;
    diag_init(&diag, SLICE("flamepress"));
    writer = choose_writer(job->options, &diag);
    if (!writer) {
        job->outcome->usage = true;
    } else {
        plan.recipe.one_graph =
            !writer->many && !(writer->holds & CONVERT_SPLIT && split_of(job->options));
        plan.recipe.as_counted = writer == &convert_folded; /* as fold writes them */
        plan.recipe.timed |= (writer->holds & (CONVERT_TIMES | CONVERT_ORDER)) != 0;
        plan.reading.timed = plan.recipe.timed;
        confine(job->options, &job->options->outputs, job->console);
        convert(&own, writer, &diag);
    }
    console_show(job->console, &diag);
    diag_release(&diag);
}
