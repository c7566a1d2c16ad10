#include "batch/label.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/pool.h"
#include "batch/admission.h"
#include "batch/meta.h"
#include "input/read.h"
#include "prepare/prepare.h"
#include "profile/footprint.h"
#include "report/manifest.h"

#define KEPT ".runs.zst"

static const struct service_rules no_rules;

struct kept_paths VEC_OF(const char *);

/* What the jobs share. Each job writes to the services and diags of its group only. */
struct reading {
    struct label *label;
    const struct label_options *options;
    const struct grouping *grouping;
    struct services *services; /* by group */
    bool *read;                /* by input: it is a profile */
    struct admission admission;
};

static const struct plan *plan_of(const struct label_options *o, const char *shown)
{
    return o->plan_of ? o->plan_of(o->context, shown) : o->plan;
}

/* Reads one file of a group into the services of the group. */
static void read_member(struct reading *r, const struct group *group, size_t index,
                        struct services *services)
{
    const struct input_file *input = &r->label->inputs.items.items[index];
    const struct plan *plan = plan_of(r->options, input->shown);
    struct diag *diag = &r->label->diags[index];
    struct input_options how = plan->reading;
    struct recipe recipe = plan->recipe; /* its lists are the plan's */
    uint64_t held = gather_footprint(services);
    struct prepared made;
    struct profile p;

    how.by_run = true;
    how.pictures = input->pictures;
    how.limits.held = held;
    recipe.one_graph = false;
    profile_init(&p);
    prepared_init(&made);
    r->read[index] =
        admission_read(&r->admission, &(struct admission_input){input->path, input->shown, &how, 1},
                       &p, diag) == INPUT_READ;
    if (r->read[index])
        meta_apply(input->meta, &p, &r->label->metas[index]);
    if (r->read[index] && prepare(&p, &recipe, &made, diag) && !made.empty) {
        if (footprint_allows(held, &p, how.limits.max_memory, diag))
            gather_add(services, group, slice_str(input->shown), &p, &made.graphs, diag);
    } else if (input->named && !diag->counts[DIAG_ERROR])
        diag_raise_note(diag);
    prepared_release(&made);
    profile_release(&p);
    admission_leave(&r->admission);
}

static void read_group(void *context, size_t index, unsigned worker)
{
    struct reading *r = context;
    const struct group *group = &r->grouping->items.items[index];

    (void)worker;
    for (size_t i = 0; i < group->members.count; i++)
        read_member(r, group, group->members.items[i], &r->services[index]);
}

static int compare_services(const void *a, const void *b)
{
    const struct service *x = a, *y = b;
    int order = slice_compare(x->name, y->name);

    if (!order)
        order = slice_compare(x->event, y->event);
    return order ? order : slice_compare(unit_short_word(&x->unit), unit_short_word(&y->unit));
}

static void name_services(struct label *l, const struct grouping *g)
{
    struct names names;

    grouping_names(g, &names);
    vec_each (struct service, s, &l->services)
        vec_each (const struct group, group, &g->items)
            if (slice_equal(s->name, group->path) && !group->name.len)
                s->name =
                    arena_copy(&s->profile.strings, names.stems.items[group - g->items.items]);
    names_release(&names);
}

/* Returns the highest limit of memory that the plans give to an input. */
static uint64_t find_limit(const struct label *l, const struct label_options *options)
{
    uint64_t most = 0;

    vec_each (const struct input_file, input, &l->inputs.items) {
        uint64_t limit = plan_of(options, input->shown)->reading.limits.max_memory;

        most = limit > most ? limit : most;
    }
    return most;
}

enum { LEFT_OUT_NAMES = 3 };

/* Warns of files of a directory that are no profiles: a run that was cut would not be missed. */
static void warn_left_out(const struct label *l, const bool *read, struct diag *diag)
{
    struct buf names = {0};
    size_t count = 0;

    for (size_t i = 0; i < l->inputs.items.count; i++) {
        const struct input_file *input = &l->inputs.items.items[i];

        if (input->named || read[i] || l->diags[i].counts[DIAG_ERROR])
            continue;
        if (count++ < LEFT_OUT_NAMES)
            buf_printf(&names, "%s'%s'", names.len ? ", " : "", input->path);
    }
    if (count > LEFT_OUT_NAMES)
        buf_printf(&names, " and %zu more", count - LEFT_OUT_NAMES);
    if (count)
        diag_warn(diag, "%zu %s left out: %s", count,
                  count == 1 ? "file is not a profile and is" : "files are not profiles and are",
                  buf_string(&names));
    buf_release(&names);
}

static void read_groups(struct label *l, const struct label_options *options,
                        const struct grouping *g, struct diag *diag)
{
    struct reading r = {.label = l, .options = options, .grouping = g};
    size_t inputs = l->inputs.items.count;

    r.services = xcalloc(g->items.count + 1, sizeof(*r.services));
    r.read = xcalloc(inputs + 1, sizeof(*r.read));
    admission_init(&r.admission, options->threads < inputs ? options->threads : (unsigned)inputs,
                   find_limit(l, options));
    pool_run(options->threads, g->items.count, read_group, &r);
    admission_release(&r.admission);
    for (size_t i = 0; i < g->items.count; i++) {
        vec_each (struct service, s, &r.services[i])
            *vec_add(&l->services) = *s;
        vec_release(&r.services[i]);
    }
    for (size_t i = 0; i < inputs; i++)
        l->failed += (l->diags[i].counts[DIAG_ERROR] > 0) + (l->metas[i].counts[DIAG_ERROR] > 0);
    warn_left_out(l, r.read, diag);
    name_services(l, g);
    if (l->services.count)
        qsort(l->services.items, l->services.count, sizeof(*l->services.items), compare_services);
    free(r.services);
    free(r.read);
}

/* Adds the files that an earlier report or a history keeps. Returns false if there are none. */
static bool find_kept(struct label *l, const char *directory, struct kept_paths *paths)
{
    struct manifest_files files = {0};

    if (manifest_read(directory, &l->memory, &files))
        vec_each (const struct slice, file, &files)
            if (slice_ends(*file, SLICE(KEPT)))
                *vec_add(paths) = arena_printf(&l->memory, "%s/%.*s", directory, SLICE_ARG(*file));
    vec_release(&files);
    return paths->count > 0;
}

/* Finds the files of the label. */
static bool find_inputs(struct label *l, const char *const *paths, size_t count, struct diag *diag)
{
    const struct inputs_options reading = {0};
    struct kept_paths kept = {0};
    bool ok;

    if (count == 1 && find_kept(l, paths[0], &kept)) {
        ok = inputs_init(&l->inputs, kept.items, kept.count, &reading, diag);
        vec_each (struct input_file, input, &l->inputs.items)
            input->named = true;
    } else {
        ok = inputs_init(&l->inputs, paths, count, &reading, diag);
    }
    vec_release(&kept);
    return ok;
}

/* Names an input in messages, by its whole path: both sides of a comparison have `orders.1`. */
static struct slice name_input(const struct input_file *input)
{
    return file_is_standard(input->path) ? SLICE("<stdin>") : slice_str(input->path);
}

bool label_read(struct label *l, const char *const *paths, size_t count,
                const struct label_options *options, struct diag *diag)
{
    struct grouping grouping;
    struct slice *names;
    size_t inputs;

    *l = (struct label){0};
    if (!find_inputs(l, paths, count, diag))
        return false;
    inputs_exclude(&l->inputs, options->excluded, options->excluded_count);
    inputs = l->inputs.items.count;
    names = xreallocarray(NULL, inputs + 1, sizeof(*names));
    l->diags = xcalloc(inputs + 1, sizeof(*l->diags));
    l->metas = xcalloc(inputs + 1, sizeof(*l->metas));
    for (size_t i = 0; i < inputs; i++) {
        const struct input_file *input = &l->inputs.items.items[i];

        names[i] = slice_str(options->apart && input->below ? input->below : input->shown);
        diag_init(&l->diags[i], name_input(input));
        diag_init(&l->metas[i], slice_str(input->meta));
    }
    grouping_init(&grouping, names, inputs, options->rules ? options->rules : &no_rules, false);
    read_groups(l, options, &grouping, diag);
    grouping_release(&grouping);
    free(names);
    return l->services.count ||
           diag_error(diag, "%s: no input is a profile with samples", count ? paths[0] : "");
}

void label_release(struct label *l)
{
    for (size_t i = 0; l->diags && i < l->inputs.items.count; i++) {
        diag_release(&l->diags[i]);
        diag_release(&l->metas[i]);
    }
    free(l->diags);
    free(l->metas);
    gather_release(&l->services);
    inputs_release(&l->inputs);
    arena_release(&l->memory);
}
