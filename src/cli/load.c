#include "cli/load.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/num.h"
#include "base/pool.h"
#include "input/read.h"
#include "prepare/merge.h"
#include "prepare/prepare.h"
#include "profile/reshape.h"
#include "report/names.h"

/* State of reading the inputs one after the other. */
struct loading {
    const struct command_job *job;
    struct names names; /* of the inputs, for root frames */
    bool alone;         /* there is one input, and nothing is added to it */
};

static bool load_one(const struct loading *l, size_t index, const char *path, struct profile *p)
{
    unsigned threads = options_threads(l->job->options);
    struct profile part;
    struct diag diag;
    bool ok;

    diag_init(&diag, strcmp(path, "-") == 0 ? SLICE("<stdin>") : slice_str(path));
    if (l->alone) {
        ok = input_read(path, &l->job->plan->reading, threads, p, &diag) == INPUT_READ;
    } else {
        profile_init(&part);
        ok =
            input_read(path, &l->job->plan->reading, threads, &part, &diag) == INPUT_READ &&
            prepare_add(p, &part, &l->job->plan->recipe, index, l->names.stems.items[index], &diag);
        profile_release(&part);
    }
    if (!ok && !diag.counts[DIAG_ERROR])
        diag_raise_note(&diag);
    console_show(l->job->console, &diag);
    diag_release(&diag);
    return ok;
}

/* Returns the length of the directory name that all paths begin with. */
static size_t common_directory(const char *const *paths, size_t count)
{
    size_t common = 0;

    for (size_t at = 0; paths[0][at]; at++) {
        for (size_t i = 1; i < count; i++)
            if (paths[i][at] != paths[0][at])
                return common;
        if (paths[0][at] == '/')
            common = at + 1;
    }
    return common;
}

/* Makes a unique name for each input. */
static void name_inputs(struct names *names, const char *const *paths, size_t count)
{
    struct slice *shown = xreallocarray(NULL, count, sizeof(*shown));
    size_t directory = common_directory(paths, count);

    for (size_t i = 0; i < count; i++)
        shown[i] = strcmp(paths[i], "-") == 0 ? SLICE("stdin") : slice_str(paths[i] + directory);
    names_init(names, shown, count);
    free(shown);
}

/*
 * Reads all paths, standard input if there is none, and merges them into `p`. Reports what fails
 * and counts it in `outcome`. Returns false if nothing could be read.
 */
static bool read_inputs(const struct command_job *job, struct profile *p)
{
    static const char *const standard_input[] = {"-"};
    const struct options *o = job->options;
    const char *const *paths = o->paths.count ? o->paths.items : standard_input;
    size_t count = o->paths.count ? o->paths.count : 1;
    struct loading loading = {
        .job = job,
        .alone = count == 1 && !merge_has_roots(job->plan->recipe.merge),
    };
    size_t read = 0;

    if (!o->paths.count && isatty(STDIN_FILENO)) {
        console_error(job->console,
                      "no file is named and standard input is a terminal (see --help)");
        job->outcome->usage = true;
        return false;
    }
    name_inputs(&loading.names, paths, count);
    for (size_t i = 0; i < count; i++) {
        if (load_one(&loading, i, paths[i], p))
            read++;
        else
            job->outcome->failed++;
    }
    names_release(&loading.names);
    if (read && p->ledger.left_out)
        console_say(job->console, "%llu %s left out by --process, --thread or --state",
                    (unsigned long long)p->ledger.left_out,
                    p->ledger.left_out == 1 ? "sample is" : "samples are");
    return read > 0;
}

/* "--focus leaves out 1,234 samples (21.70%)", a line for each. */
static void say_removals(const struct command_job *job, const struct profile *p, uint32_t series,
                         const char *of)
{
    const struct series *s = &p->series.items[series];
    struct unit_scale scale = recipe_scale(&job->plan->recipe, p, series);
    uint64_t all = reshape_whole(s);
    struct buf text;

    buf_init(&text);
    vec_each (struct removal, r, &s->removals) {
        buf_clear(&text);
        unit_write_exact(&text, &scale, r->weight);
        buf_add_str(&text, " (");
        num_write_percent(&text, r->weight, all, 2);
        console_say(job->console, "%s %s %s%%%s)", r->option,
                    r->stayed ? "takes frames out of" : "leaves out", text.ptr, of);
    }
    buf_release(&text);
}

/* Prints which graph was chosen and how much the options took out of it. */
static void say_graph(const struct command_job *job, const struct profile *p, uint32_t series,
                      const struct prepared *made)
{
    uint32_t base = p->series.items[series].base;

    if (made->others.len)
        console_say(job->console, "taking %.*s; the input also has: %s",
                    SLICE_ARG(choose_shown_name(p, series)), made->others.ptr);
    if (base != SERIES_NONE)
        say_removals(job, p, base, " of the weight before");
    say_removals(job, p, series, "");
}

/* Reports the result of prepare(), which returned `prepared`. Returns true if there is a graph. */
static bool settle(const struct command_job *job, const struct profile *p,
                   const struct prepared *made, bool prepared, struct diag *diag)
{
    if (prepared)
        say_graph(job, p, made->graphs.items[0], made);
    if (prepared && made->empty)
        diag_raise_note(diag);
    console_show(job->console, diag);
    return prepared && !made->empty;
}

bool load_graph(const struct command_job *job, struct profile *p, uint32_t *series)
{
    struct prepared made;
    struct diag diag;
    bool ok;

    if (!read_inputs(job, p))
        return false;
    diag_init(&diag, SLICE("flamepress"));
    prepared_init(&made);
    ok = prepare(p, &job->plan->recipe, &made, &diag);
    ok = settle(job, p, &made, ok, &diag);
    if (ok)
        *series = made.graphs.items[0];
    job->outcome->usage |= !ok;
    prepared_release(&made);
    diag_release(&diag);
    return ok;
}

/* ---- two inputs ---- */

enum { BASE, NEW, INPUTS };

/* The two inputs while they are read. */
struct reading {
    const char *path[INPUTS];
    const struct input_options *input;
    unsigned threads; /* for each */
    struct profile *profile[INPUTS];
    struct diag diag[INPUTS];
    bool ok[INPUTS];
};

static void read_one(void *context, size_t index, unsigned worker)
{
    struct reading *r = context;

    (void)worker;
    r->ok[index] = input_read(r->path[index], r->input, r->threads, r->profile[index],
                              &r->diag[index]) == INPUT_READ;
    if (!r->ok[index] && !r->diag[index].counts[DIAG_ERROR])
        diag_raise_note(&r->diag[index]);
}

static bool read_both(const struct command_job *job, struct profile *base, struct profile *new)
{
    const struct options *o = job->options;
    unsigned threads = options_threads(o);
    struct reading r = {
        .path = {o->paths.items[0], o->paths.items[1]},
        .input = &job->plan->reading,
        .threads = threads > INPUTS ? threads / INPUTS : 1,
        .profile = {base, new},
    };

    for (int i = 0; i < INPUTS; i++)
        diag_init(&r.diag[i],
                  strcmp(r.path[i], "-") == 0 ? SLICE("<stdin>") : slice_str(r.path[i]));
    pool_run(threads, INPUTS, read_one, &r);
    for (int i = 0; i < INPUTS; i++) {
        job->outcome->failed += !r.ok[i];
        console_show(job->console, &r.diag[i]);
        diag_release(&r.diag[i]);
    }
    return r.ok[BASE] && r.ok[NEW];
}

bool load_two(const struct command_job *job, struct profile *p, uint32_t *series)
{
    const char *const *paths = job->options->paths.items;
    struct profile old;
    const struct prepare_input before = {&old, slice_str(paths[BASE])};
    const struct prepare_input after = {p, slice_str(paths[NEW])};
    struct prepared made;
    struct diag diag;
    bool ok;

    profile_init(&old);
    diag_init(&diag, SLICE("flamepress"));
    prepared_init(&made);
    ok = read_both(job, &old, p);
    if (ok) {
        ok = prepare_two(&before, &after, &job->plan->recipe, &made, &diag);
        ok = settle(job, p, &made, ok, &diag);
        job->outcome->usage |= !ok;
    }
    if (ok)
        *series = made.graphs.items[0];
    prepared_release(&made);
    diag_release(&diag);
    profile_release(&old);
    return ok;
}
