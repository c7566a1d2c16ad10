#include "batch/change_graphs.h"

#include <stdlib.h>

#include "base/pool.h"
#include "batch/graph_files.h"
#include "compare/align.h"
#include "compare/names.h"
#include "draw/draw.h"
#include "prepare/prepare.h"
#include "profile/event.h"
#include "profile/merge.h"
#include "report/names.h"

/* Width of the picture of one function, in CSS pixels. */
enum { CROP_WIDTH = 900 };

/* A service with cards. */
struct change_job {
    const struct change_graphs *from;
    const struct comparison *comparison;
    const struct compared_service *service;
    struct report_change *cards; /* of the whole report */
    size_t count;
    struct slice stem;
    struct service *sides[2];
    uint32_t sums[2];          /* series of the sides */
    struct report_graph files; /* owns the paths until they are copied */
    struct diag diag;
};

static struct service *find_service(struct services *all, const struct compared_service *s)
{
    vec_each (struct service, found, all)
        if (slice_equal(found->name, s->name) &&
            slice_equal(event_base(found->event), event_base(s->event)))
            return found;
    return NULL;
}

/* Returns by symbol id whether the function has a card of the service. */
static bool *mark_symbols(const struct change_job *job, const struct profile *p)
{
    uint32_t count = symbols_count(&p->symbols);
    bool *marked = xcalloc(count + (size_t)1, sizeof(*marked));
    struct buf key = {0};

    for (uint32_t id = 0; id < count; id++) {
        struct slice name = symbol_name(&p->symbols, id);

        buf_clear(&key);
        compare_name_add(&key, name);
        for (size_t i = 0; i < job->count; i++) {
            const struct report_change *card = &job->cards[i];

            marked[id] |=
                card->of == job->service && (slice_equal(card->finding->key, buf_slice(&key)) ||
                                             slice_equal(card->finding->renamed_from, name));
        }
    }
    buf_release(&key);
    return marked;
}

/* Makes a profile with the sum of the runs of one side. */
static bool copy_side(const struct change_job *job, enum stats_side side, struct profile *p)
{
    const struct service *s = job->sides[side];

    return merge_one_series(p, &s->profile, job->sums[side], event_base(job->service->event)) !=
           SERIES_NONE;
}

/* Gives functions of both sides the names under which they were compared. */
static void align_sides(const struct change_job *job, struct profile *base, struct profile *new)
{
    struct align_renames renames = {0};

    vec_each (const struct finding, f, &job->service->findings)
        if (f->renamed_from.len)
            *vec_add(&renames) = (struct align_rename){f->renamed_from, f->function};
    compare_align(base, new, &renames);
    vec_release(&renames);
}

/* Pairs the sums of both sides as the recipe asks. */
static bool pair_sides(struct change_job *job, const struct recipe *recipe, struct profile *base,
                       struct profile *new, struct prepared *made)
{
    const struct prepare_input before = {base, job->comparison->base};
    const struct prepare_input after = {new, job->comparison->new};

    if (!copy_side(job, STATS_BASE, base) || !copy_side(job, STATS_NEW, new))
        return diag_error(&job->diag, "the weights of all runs do not fit in 64 bits");
    align_sides(job, base, new);
    return prepare_two(&before, &after, recipe, made, &job->diag) && !made->empty;
}

/* How to draw one picture of the service. */
struct change_picture {
    struct look look;
    struct recipe recipe; /* without filters, which were applied when the runs were read */
    struct slice name;    /* what the names of the files begin with */
    enum graph_files_kind which;
};

static bool write_files(void *context, const struct drawing *drawing, struct diag *diag)
{
    (void)diag; /* that of the files */
    return graph_files_write(context, draw_picture(drawing));
}

static bool draw_pair(struct change_job *job, const struct change_picture *picture,
                      const struct profile *p, uint32_t series)
{
    const struct change_graphs *from = job->from;
    bool *marked = from->all_changes ? NULL : mark_symbols(job, p);
    struct graph_files files = {&picture->look, from->stage, picture->name,
                                &job->diag,     &job->files, picture->which};
    const struct draw_request request = {
        .profile = p,
        .series = series,
        .look = &picture->look,
        .recipe = &picture->recipe,
        .memory_limit = prepare_memory_limit(&picture->recipe, p),
        .fonts = from->fonts,
        .source = job->service->name,
        .attributes = &from->resources->attributes,
        .marked = marked,
    };
    const struct draw_use use = {.end = write_files, .context = &files};
    bool ok = draw_graph(&request, &use, &job->diag);

    free(marked);
    return ok;
}

static bool draw(struct change_job *job, const struct change_picture *picture)
{
    struct profile base, new;
    struct prepared made;
    bool ok;

    profile_init(&base);
    profile_init(&new);
    prepared_init(&made);
    ok = pair_sides(job, &picture->recipe, &base, &new, &made) &&
         draw_pair(job, picture, &new, made.graphs.items[0]);
    prepared_release(&made);
    profile_release(&new);
    profile_release(&base);
    return ok;
}

/* Fills in what the pictures of a service have in common. */
static void init_picture(const struct change_job *job, struct change_picture *picture)
{
    const struct plan *plan = job->from->plan;

    *picture = (struct change_picture){.look = plan->look};
    recipe_init(&picture->recipe);
    picture->recipe.one_graph = true;
    picture->recipe.normalize = !job->service->exact;
    picture->recipe.count_name = plan->recipe.count_name;
    picture->recipe.factor = plan->recipe.factor;
    picture->look.delta_of_total = true;
    picture->look.has_total = picture->look.triple = picture->look.flamechart = false;
    picture->look.picture.subtitle = SLICE("");
}

/* Chooses the stacks with a function, by its complete name. */
static bool focus_on(struct change_job *job, const struct finding *finding, struct recipe *recipe)
{
    const struct slice names[] = {finding->function, finding->renamed_from};
    struct buf pattern = {0}, why = {0};
    bool ok = true;

    recipe->filter.chosen = true;
    for (size_t i = 0; ok && i < sizeof(names) / sizeof(*names) && names[i].len; i++) {
        buf_clear(&pattern);
        search_quote(&pattern, names[i]);
        ok = filter_add(&recipe->filter, FILTER_FOCUS,
                        arena_copy(&job->files.memory, buf_slice(&pattern)), 0, &why);
    }
    if (!ok)
        diag_error(&job->diag, "%s", why.ptr);
    buf_release(&why);
    buf_release(&pattern);
    return ok;
}

/* Draws the stacks that contain the function of a card. The name must be short enough to show. */
static bool draw_crop(struct change_job *job, const struct report_change *card)
{
    struct arena *memory = &job->files.memory;
    struct change_picture picture;
    bool ok;

    init_picture(job, &picture);
    picture.which = GRAPH_FILES_PNG;
    picture.look.picture.width = CROP_WIDTH;
    picture.look.pixel_ratios = 1u << 1;
    picture.look.dark_beside = false;
    picture.look.triple = true; /* before, after and the change */
    picture.look.picture.title =
        slice_str(arena_printf(memory, "%.*s: %.*s, %.*s points", SLICE_ARG(card->service),
                               SLICE_ARG(card->function), SLICE_ARG(card->points)));
    picture.look.picture.subtitle =
        slice_str(arena_printf(memory, "%.*s against %.*s; stacks with this function",
                               SLICE_ARG(job->comparison->new), SLICE_ARG(job->comparison->base)));
    picture.name =
        slice_str(arena_printf(memory, "%.*s@%.*s", SLICE_ARG(job->stem), SLICE_ARG(card->id)));
    ok = focus_on(job, card->finding, &picture.recipe) && draw(job, &picture);
    recipe_release(&picture.recipe);
    return ok;
}

/* Draws all runs of the service. */
static bool draw_whole(struct change_job *job)
{
    struct arena *memory = &job->files.memory;
    struct change_picture picture;
    bool ok;

    init_picture(job, &picture);
    picture.look.picture.title =
        slice_str(arena_printf(memory, "%.*s: %.*s against %.*s", SLICE_ARG(job->service->title),
                               SLICE_ARG(job->comparison->new), SLICE_ARG(job->comparison->base)));
    picture.name = slice_str(arena_printf(memory, "%.*s@change", SLICE_ARG(job->stem)));
    picture.which = GRAPH_FILES_SVG;
    ok = draw(job, &picture);
    recipe_release(&picture.recipe);
    return ok;
}

static bool sum_sides(struct change_job *job)
{
    for (int side = STATS_BASE; side <= STATS_NEW; side++) {
        struct service *s = job->sides[side];

        if (!s)
            return false;
        job->sums[side] = service_sum(s, SLICE("sum of all runs"), 0, s->runs.count);
        if (job->sums[side] == SERIES_NONE)
            return diag_error(&job->diag, "the weights of all runs do not fit in 64 bits");
    }
    return true;
}

/* Draws the pictures of one service. Cards of the service are written by this job alone. */
static void run_job(void *context, size_t index, unsigned worker)
{
    struct change_job *job = (struct change_job *)context + index;
    struct report_file whole = {0};

    (void)worker;
    if ((job->from->stage && stage_failed(job->from->stage)) || !sum_sides(job))
        return;
    if (job->from->stage && draw_whole(job))
        whole = job->files.pictures[REPORT_SVG];
    for (size_t i = 0; i < job->count; i++) {
        struct report_change *card = &job->cards[i];

        if (card->of != job->service || (job->from->most && i >= job->from->most))
            continue;
        card->graph = whole;
        if (card->function_address.len && draw_crop(job, card))
            card->crop = job->files.pictures[REPORT_PNG];
    }
}

/* Adds a job for each service with a card. */
static size_t make_jobs(const struct change_graphs *g, struct report *report,
                        const struct names *names, struct change_job *jobs)
{
    struct report_comparison *c = &report->comparison;
    size_t count = 0, number = 0;

    vec_each (const struct compared_service, s, &c->data->services) {
        bool wanted = false;

        vec_each (const struct report_change, card, &c->cards)
            wanted |= card->of == s;
        if (wanted) {
            jobs[count] = (struct change_job){
                .from = g,
                .comparison = c->data,
                .service = s,
                .cards = c->cards.items,
                .count = c->cards.count,
                .stem = names->stems.items[number],
                .sides = {[STATS_BASE] = find_service(g->base, s),
                          [STATS_NEW] = find_service(g->new, s)},
            };
            diag_init(&jobs[count++].diag, s->name);
        }
        number++;
    }
    return count;
}

/* Copies the paths of a card's files to the report. */
static void keep_files(struct report *report)
{
    vec_each (struct report_change, card, &report->comparison.cards) {
        card->graph.path = arena_copy(&report->memory, card->graph.path);
        card->crop.path = arena_copy(&report->memory, card->crop.path);
        card->crop.inside = arena_copy(&report->memory, card->crop.inside);
    }
}

bool change_graphs_draw(const struct change_graphs *g, struct report *report, struct diag *diag)
{
    size_t services = report->comparison.data->services.count, count;
    struct change_job *jobs = xcalloc(services + 1, sizeof(*jobs));
    struct slice *paths = xcalloc(services + 1, sizeof(*paths));
    struct names names;
    bool ok = true;

    for (size_t i = 0; i < services; i++)
        paths[i] = report->comparison.data->services.items[i].name;
    names_init(&names, paths, services);
    count = make_jobs(g, report, &names, jobs);
    pool_run(g->threads, count, run_job, jobs);
    keep_files(report);
    for (size_t i = 0; i < count; i++) {
        ok = ok && !jobs[i].diag.counts[DIAG_ERROR];
        diag_append(diag, &jobs[i].diag, 0);
        report_graph_release(&jobs[i].files);
        diag_release(&jobs[i].diag);
    }
    names_release(&names);
    free(paths);
    free(jobs);
    return ok;
}
