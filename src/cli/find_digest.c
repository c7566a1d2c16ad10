#include "cli/find_digest.h"

#include <string.h>

#include "batch/inputs.h"
#include "cli/confine.h"
#include "cli/sink.h"
#include "input/read.h"
#include "prepare/prepare.h"
#include "tree/digest.h"

enum { DIGEST_DIGITS = 16 };

struct digest_search {
    const struct command_job *job;
    struct slice digest;
    struct recipe recipe; /* that of the plan, for all graphs of a profile; borrowed */
    struct buf found;     /* a line for each graph */
};

static bool is_digest(const char *text)
{
    return strlen(text) == DIGEST_DIGITS && strspn(text, "0123456789abcdef") == DIGEST_DIGITS;
}

/* Adds a line if the series has the digest. */
static void compare(struct digest_search *f, const struct profile *p, uint32_t series,
                    const char *path)
{
    struct tree_options options = {.reverse = false};
    struct buf digest = {0};
    struct tree tree;

    tree_init(&tree, p, series, &options);
    tree_digest(&tree, &digest);
    if (slice_equal(buf_slice(&digest), f->digest))
        buf_printf(&f->found, "%s: %.*s\n", path, SLICE_ARG(choose_shown_name(p, series)));
    tree_release(&tree);
    buf_release(&digest);
}

/* Compares all graphs of a profile, within its budget. Returns false after reporting an error. */
static bool compare_all(struct digest_search *f, struct profile *p, const char *path,
                        struct diag *diag)
{
    struct budget budget, *before;
    struct prepared made;
    bool ok;

    prepared_init(&made);
    ok = prepare(p, &f->recipe, &made, diag);
    if (ok) {
        prepare_budget(&f->recipe, prepare_memory_limit(&f->recipe, p), p, &budget);
        before = budget_enter(&budget);
        vec_each (const uint32_t, series, &made.graphs)
            if (budget_allows(diag, DIAG_AT_FILE))
                compare(f, p, *series, path);
        ok = budget_allows(diag, DIAG_AT_FILE);
        budget_leave(before);
    }
    prepared_release(&made);
    return ok;
}

static bool is_no_profile(enum input_result result)
{
    return result == INPUT_UNKNOWN || result == INPUT_EMPTY;
}

static void search_file(struct digest_search *f, const struct input_file *file)
{
    const struct command_job *job = f->job;
    struct input_options reading = job->plan->reading;
    struct profile profile;
    struct diag diag;
    enum input_result result;

    reading.pictures = file->pictures;
    profile_init(&profile);
    diag_init(&diag, slice_str(file->path));
    result = input_read(file->path, &reading, options_threads(job->options), &profile, &diag);
    if (result == INPUT_READ && !compare_all(f, &profile, file->path, &diag))
        result = INPUT_FAILED;
    if (result != INPUT_READ && (file->named || !is_no_profile(result))) {
        if (!diag.counts[DIAG_ERROR])
            diag_raise_note(&diag);
        console_show(job->console, &diag);
        job->outcome->failed++;
    }
    profile_release(&profile);
    diag_release(&diag);
}

static void search_all(struct digest_search *f, const struct inputs *in)
{
    const struct command_job *job = f->job;

    vec_each (const struct input_file, file, &in->items)
        search_file(f, file);
    if (f->found.len) {
        job->outcome->written = sink_write(job->console, NULL, buf_slice(&f->found)) != SINK_FAILED;
    } else {
        console_error(job->console, "no graph of the profiles has the digest %s",
                      job->options->digest);
        job->outcome->failed++;
    }
}

/* Searches the paths of the command line, or else the current directory. */
static void search(const struct command_job *job)
{
    const struct options *o = job->options;
    struct digest_search f = {
        .job = job, .digest = slice_str(o->digest), .recipe = job->plan->recipe};
    struct inputs in = {0};
    struct diag diag;

    f.recipe.one_graph = false;
    diag_init(&diag, SLICE("flamepress"));
    if (inputs_init(&in, o->paths.items, o->paths.count, &(struct inputs_options){0}, &diag)) {
        confine_report(o, &in, NULL, job->console);
        search_all(&f, &in);
    } else {
        job->outcome->usage = true;
    }
    console_show(job->console, &diag);
    diag_release(&diag);
    inputs_release(&in);
    buf_release(&f.found);
}

void find_digest(const struct command_job *job)
{
    const char *here = ".";
    struct options options = *job->options;
    struct command_job own = *job;

    if (!is_digest(options.digest)) {
        console_error(job->console,
                      "invalid value '%s' of --digest, expected the 16 hexadecimal digits of a "
                      "PNG's text Digest",
                      options.digest);
        job->outcome->usage = true;
        return;
    }
    if (!options.paths.count) {
        options.paths.items = &here;
        options.paths.count = 1;
    }
    own.options = &options;
    search(&own);
}
