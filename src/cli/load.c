#include "cli/load.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/num.h"
#include "base/pool.h"
#include "batch/merging.h"
#include "cli/allocation.h"
#include "cli/report_graph.h"
#include "input/read.h"
#include "profile/pair.h"
#include "profile/reshape.h"
#include "report/names.h"

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
        shown[i] = file_is_standard(paths[i]) ? SLICE("stdin") : slice_str(paths[i] + directory);
    names_init(names, shown, count);
    free(shown);
}

static struct slice shown_path(const char *path)
{
    return file_is_standard(path) ? SLICE("<stdin>") : slice_str(path);
}

/* Reads an input, shows its messages and adds it to the others. */
static bool read_input(const struct command_job *job, struct merging *all, const char *path,
                       size_t index, struct slice name)
{
    struct merging_input in = {.reading = &job->plan->reading, .side = index, .name = name};
    struct arena memory = {0};
    struct diag diag;
    bool ok;

    diag_init(&diag, shown_path(path));
    ok = report_graph_find(path, &memory, &in.path, &diag) && merging_add(all, &in, &diag);
    if (!ok && !diag.counts[DIAG_ERROR])
        diag_raise_note(&diag);
    job->outcome->failed += !ok || diag.counts[DIAG_ERROR];
    console_show(job->console, &diag);
    diag_release(&diag);
    arena_release(&memory);
    return ok;
}

static uint64_t size_of_files(const struct strings *paths)
{
    uint64_t bytes = 0;
    struct stat st;

    vec_each (const char *const, path, paths)
        if (stat(*path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
            bytes += (uint64_t)st.st_size;
    return bytes;
}

/* Prepares memory for all inputs. */
static void expect_inputs(const struct options *o)
{
    allocation_expect(size_of_files(&o->paths) + size_of_files(&o->news));
}

/* An input, and a series that has weight of it. */
struct origin {
    size_t input;
    uint32_t series;
};

struct origins VEC_OF(struct origin);

struct totals VEC_OF(uint64_t);

static void list_totals(const struct profile *p, struct totals *totals)
{
    totals->count = 0;
    vec_each (const struct series, s, &p->series)
        *vec_add(totals) = s->total;
}

/* Adds the series whose totals changed. */
static void add_origins(struct origins *out, size_t input, const struct profile *p,
                        const struct totals *before)
{
    for (uint32_t id = 0; id < p->series.count; id++)
        if (p->series.items[id].total != (id < before->count ? before->items[id] : 0))
            *vec_add(out) = (struct origin){input, id};
}

static bool is_origin(const struct origins *origins, size_t input, const struct library_graph *g)
{
    vec_each (const struct origin, o, origins)
        vec_each (const uint32_t, id, &g->made.graphs)
            if (o->input == input &&
                (o->series == *id || o->series == g->profile.series.items[*id].base))
                return true;
    return false;
}

static bool has_origin(const struct origins *origins, size_t input)
{
    vec_each (const struct origin, o, origins)
        if (o->input == input)
            return true;
    return false;
}

static void warn_nothing_taken(const struct command_job *job, const char *path, struct slice series)
{
    struct diag diag;

    diag_init(&diag, shown_path(path));
    diag_warn(&diag, "nothing of this file is taken: it has no %.*s (--event)", SLICE_ARG(series));
    console_show(job->console, &diag);
    diag_release(&diag);
}

/* Warns of inputs that have no weight in any graph, because they have other events. */
static void warn_unused(const struct command_job *job, const struct library_graph *g,
                        const struct origins *origins, uint32_t known)
{
    const struct strings *paths = &job->options->paths;

    vec_each (const uint32_t, id, &g->made.graphs)
        if (*id >= known) /* preparing made it of other series */
            return;
    for (size_t i = 0; i < paths->count; i++)
        if (has_origin(origins, i) && !is_origin(origins, i, g))
            warn_nothing_taken(job, paths->items[i],
                               choose_shown_name(&g->profile, library_graph_series(g)));
}

/*
 * Reads all paths, standard input if there is none, and merges them into `p`. Reports what fails
 * and counts it in the outcome. Returns false if nothing could be read.
 */
static bool read_inputs(const struct command_job *job, struct profile *p, struct origins *origins)
{
    static const char *const standard_input[] = {"-"};
    const struct options *o = job->options;
    const char *const *paths = o->paths.count ? o->paths.items : standard_input;
    size_t count = o->paths.count ? o->paths.count : 1;
    struct totals totals = {0};
    struct merging all = {
        .whole = p,
        .recipe = &job->plan->recipe,
        .count = count,
        .threads = options_threads(o),
    };
    struct names names; /* of root frames */

    if (!o->paths.count && isatty(STDIN_FILENO)) {
        console_error(job->console,
                      "no file is named and standard input is a terminal (see --help)");
        job->outcome->usage = true;
        return false;
    }
    name_inputs(&names, paths, count);
    expect_inputs(o);
    for (size_t i = 0; i < count; i++) {
        list_totals(p, &totals);
        if (read_input(job, &all, paths[i], i, names.stems.items[i]) && count > 1)
            add_origins(origins, i, p, &totals);
    }
    merging_end(&all);
    names_release(&names);
    vec_release(&totals);
    if (all.read && p->ledger.left_out)
        console_say(job->console, "%llu %s left out by --process, --thread, --state or --tag",
                    (unsigned long long)p->ledger.left_out,
                    p->ledger.left_out == 1 ? "sample is" : "samples are");
    return all.read > 0;
}

/* "--focus leaves out 1,234 samples (21.70%)", a line for each. */
static void say_removals(const struct command_job *job, const struct profile *p, uint32_t series,
                         const char *of)
{
    const struct series *s = &p->series.items[series];
    struct unit_scale scale = recipe_scale(&job->plan->recipe, p, series);
    uint64_t all = reshape_whole(s);
    struct buf text = {0};

    vec_each (struct removal, r, &s->removals) {
        buf_clear(&text);
        unit_write_exact(&text, &scale, r->weight);
        buf_add_str(&text, " (");
        num_write_percent(&text, r->weight, all, PERCENT_TABLE);
        console_say(job->console, "%s %s %s%%%s)", r->option,
                    r->stayed ? "takes frames out of" : "leaves out", buf_string(&text), of);
    }
    buf_release(&text);
}

/* Returns how long a series was recorded, in nanoseconds, or 0 if that is unknown. */
static uint64_t length_of(const struct series *s)
{
    return s->first_ns < s->last_ns ? s->last_ns - s->first_ns : 0;
}

/* Whether two amounts are known and differ by more than a quarter of the smaller one. */
static bool are_apart(uint64_t a, uint64_t b)
{
    return a && b && (a > b ? a - b > b / 4 : b - a > a / 4);
}

/*
 * "base lasted 30.0 s and new 60.1 s" or "base has 200 samples and new 400 samples", if a longer
 * recording may be taken for more work, or a larger one of unknown length.
 */
static void say_sizes(const struct command_job *job, const struct profile *p, uint32_t series)
{
    const struct unit_scale seconds = {.unit = {.kind = UNIT_SECONDS, .exponent = -9}, .factor = 1};
    const struct unit_scale scale = recipe_scale(&job->plan->recipe, p, series);
    const struct series *after = &p->series.items[series], *before;
    struct buf text = {0};

    if (pair_kind(p, series) != PAIR_CHANGE || job->plan->recipe.normalize)
        return;
    before = &p->series.items[after->base];
    if (are_apart(length_of(before), length_of(after))) {
        buf_add_str(&text, "base lasted ");
        unit_write_short(&text, &seconds, length_of(before));
        buf_add_str(&text, " and new ");
        unit_write_short(&text, &seconds, length_of(after));
    } else if (are_apart(before->total, after->total)) {
        buf_add_str(&text, "base has ");
        unit_write_exact(&text, &scale, before->total);
        buf_add_str(&text, " and new ");
        unit_write_exact(&text, &scale, after->total);
    }
    if (text.len)
        console_say(job->console, "%s; --normalize compares shares", buf_string(&text));
    buf_release(&text);
}

/* Prints which graphs were chosen and how much the options took out of each. */
static void say_graphs(const struct command_job *job, const struct library_graph *g)
{
    const struct profile *p = &g->profile;

    if (g->made.others.len)
        console_say(job->console, "taking %.*s; the input also has: %s",
                    SLICE_ARG(choose_shown_name(p, library_graph_series(g))),
                    buf_string(&g->made.others));
    vec_each (const uint32_t, series, &g->made.graphs) {
        uint32_t base = p->series.items[*series].base;

        if (base != SERIES_NONE) {
            say_sizes(job, p, *series);
            say_removals(job, p, base, " of the weight before");
        }
        say_removals(job, p, *series, "");
    }
}

/* Prints the messages about preparing a graph, which succeeded if `ok`. */
static void settle(const struct command_job *job, const struct library_graph *g, bool ok,
                   struct diag *diag)
{
    if (g->prepared)
        say_graphs(job, g);
    console_show_all(job->console, diag);
    if (!ok)
        exit_count_failure(job->outcome, diag);
}

bool load_graph(const struct command_job *job, struct library_graph *g)
{
    struct origins origins = {0};
    bool ok = read_inputs(job, &g->profile, &origins);
    uint32_t known = (uint32_t)g->profile.series.count;
    struct diag diag;

    if (ok) {
        diag_init(&diag, SLICE("flamepress"));
        ok = library_graph_prepare(g, job->plan, &diag);
        settle(job, g, ok, &diag);
        diag_release(&diag);
    }
    if (ok)
        warn_unused(job, g, &origins, known);
    vec_release(&origins);
    return ok;
}

/* ---- two inputs ---- */

enum { BASE, NEW, SIDES };

/* The inputs of both sides while they are read. */
struct reading {
    const struct input_options *input;
    const struct strings *found; /* as in struct command_job */
    struct strings paths[SIDES];
    struct merging all[SIDES];
    struct diag *diags[SIDES]; /* by path */
    struct origins origins[SIDES];
    unsigned failed[SIDES];
};

static void release_reading(struct reading *r)
{
    for (int side = 0; side < SIDES; side++) {
        for (size_t i = 0; r->diags[side] && i < r->paths[side].count; i++)
            diag_release(&r->diags[side][i]);
        free(r->diags[side]);
        vec_release(&r->origins[side]);
    }
}

/* Compares the pointers: a path may also be named. */
static bool is_found(const struct strings *found, const char *path)
{
    for (size_t i = 0; found && i < found->count; i++)
        if (found->items[i] == path)
            return true;
    return false;
}

static void read_side(void *context, size_t side, unsigned worker)
{
    struct reading *r = context;
    struct totals totals = {0};

    (void)worker;
    for (size_t i = 0; i < r->paths[side].count; i++) {
        const struct merging_input in = {
            .path = r->paths[side].items[i], .reading = r->input, .side = i};
        struct diag *diag = &r->diags[side][i];

        list_totals(r->all[side].whole, &totals);
        if (merging_add(&r->all[side], &in, diag)) {
            add_origins(&r->origins[side], i, r->all[side].whole, &totals);
            r->failed[side] += diag->counts[DIAG_ERROR] > 0;
            continue;
        }
        if (!diag->counts[DIAG_ERROR] && is_found(r->found, in.path)) {
            diag_warn(diag, "left out: %.*s", SLICE_ARG(diag_last_note(diag)));
            continue;
        }
        r->failed[side]++;
        if (!diag->counts[DIAG_ERROR])
            diag_raise_note(diag);
    }
    merging_end(&r->all[side]);
    vec_release(&totals);
}

/* The paths of the base, or of the new side: named by --with, or the second of two. */
static struct strings paths_of(const struct options *o, int side)
{
    struct strings paths = side == NEW && o->news.count ? o->news : o->paths;

    if (!o->news.count) {
        paths.items += side;
        paths.count = 1;
    }
    return paths;
}

static struct slice first_path(const struct options *o, int side)
{
    return slice_str(paths_of(o, side).items[0]);
}

/* Reads both sides, and shows the messages. Returns false if a side has no profile. */
static bool read_both(const struct command_job *job, struct reading *r, struct profile *base,
                      struct profile *new)
{
    static const char *const names[SIDES] = {"base", "new side"};
    unsigned threads = options_threads(job->options);
    bool ok = true;

    for (int side = 0; side < SIDES; side++) {
        r->paths[side] = paths_of(job->options, side);
        r->all[side] = (struct merging){
            .whole = side == NEW ? new : base,
            .recipe = &job->plan->recipe,
            .count = r->paths[side].count,
            .threads = threads > SIDES ? threads / SIDES : 1,
        };
        r->diags[side] = xcalloc(r->paths[side].count + 1, sizeof(*r->diags[side]));
        for (size_t i = 0; i < r->paths[side].count; i++)
            diag_init(&r->diags[side][i], shown_path(r->paths[side].items[i]));
    }
    pool_run(threads, SIDES, read_side, r);
    for (int side = 0; side < SIDES; side++) {
        job->outcome->failed += r->failed[side];
        for (size_t i = 0; i < r->paths[side].count; i++)
            console_show(job->console, &r->diags[side][i]);
        ok = ok && r->all[side].read;
        if (!r->all[side].read && !r->failed[side])
            console_error(job->console, "no file of the %s is a profile", names[side]);
    }
    return ok;
}

/* Warns of files of a side that have no weight in the series of the graph. */
static void warn_side(const struct command_job *job, const struct reading *r, int side,
                      const struct profile *p, uint32_t series)
{
    for (size_t i = 0; i < r->paths[side].count; i++) {
        bool taken = !has_origin(&r->origins[side], i);

        vec_each (const struct origin, o, &r->origins[side])
            taken |= o->input == i && o->series == series;
        if (!taken)
            warn_nothing_taken(job, r->paths[side].items[i], choose_shown_name(p, series));
    }
}

bool load_two(const struct command_job *job, struct library_graph *g)
{
    struct profile old;
    const struct prepare_input before = {&old, first_path(job->options, BASE)};
    const struct prepare_input after = {&g->profile, first_path(job->options, NEW)};
    struct reading r = {.input = &job->plan->reading, .found = job->found};
    size_t known[SIDES];
    struct diag diag;
    bool ok;

    profile_init(&old);
    diag_init(&diag, SLICE("flamepress"));
    expect_inputs(job->options);
    ok = read_both(job, &r, &old, &g->profile);
    known[BASE] = old.series.count;
    known[NEW] = g->profile.series.count;
    if (ok) {
        ok = library_graph_prepare_two(g, &before, &after, job->plan, &diag);
        settle(job, g, ok, &diag);
    }
    if (ok && g->made.base < known[BASE])
        warn_side(job, &r, BASE, &old, g->made.base);
    if (ok && library_graph_series(g) < known[NEW])
        warn_side(job, &r, NEW, &g->profile, library_graph_series(g));
    release_reading(&r);
    profile_release(&old);
    diag_release(&diag);
    return ok;
}
