#include "batch/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/pool.h"
#include "batch/crops.h"
#include "batch/describe.h"
#include "batch/gather.h"
#include "batch/graph_files.h"
#include "batch/graph_pack.h"
#include "batch/heaviest.h"
#include "batch/merging.h"
#include "batch/meta.h"
#include "batch/part.h"
#include "batch/reuse.h"
#include "batch/stitch.h"
#include "compare/align_runs.h"
#include "convert/writer.h"
#include "draw/draw.h"
#include "output/areas.h"
#include "output/runs.h"
#include "output/svg.h"
#include "prepare/prepare.h"
#include "prepare/units.h"
#include "profile/footprint.h"
#include "profile/pair.h"
#include "report/build.h"

/* The most bytes of a commentary that are read. */
enum { COMMENTARY_MAX_SIZE = 1 << 20 };

/* Limits of an image map: boxes of at least 1/AREA_PART of the width, AREAS_MOST at most. */
enum { AREA_PART = 32, AREAS_MOST = 150 };

/* If there are fewer files than threads, several threads work on each file. */
static unsigned threads_of_one(const struct batch *b)
{
    return b->inputs->items.count >= b->threads ? 1 : b->threads;
}

/* The graph of one series and what came with it. take_graph() moves all of it to the job. */
struct made_graph {
    struct report_graph graph;
    struct diag diag, commentary; /* messages without a path: the job's diags have it */
    struct color_map colors;
    struct buf files; /* paths, each with a NUL after it */
    bool drawn;
};

/* One graph to make. */
struct graph_series {
    const struct profile *profile;
    uint32_t series;
    struct slice event;
    const struct service *service; /* or NULL */
    uint64_t memory_limit;         /* bytes for all graphs of the profile that are made at once */
};

/* One series of a job on its way into the report. */
struct graph_job {
    struct batch *batch;
    struct made_graph *made;
    const struct input_file *input;
    const struct plan *plan;
    struct look look;      /* the plan's, with the title and the scale of this graph */
    uint64_t memory_limit; /* bytes that the graph may take, as of struct draw_request */
    bool own_shares;       /* percentages are of the graph's own weight, not of the common scale */
    const struct profile *profile;
    uint32_t series;
    const struct service *service; /* whose runs the series is the sum of; NULL without runs */
    struct slice name;
    struct slice commentary;
    const struct graph_series *undrawn; /* what the ledger of the input lists */
    size_t undrawn_count;
};

/* Adds the image map of a picture that begins `top` pixels below the top of the PNG. */
static void add_areas(struct report_graph *graph, const struct picture *p, int32_t top)
{
    struct areas areas;

    areas_init(&areas, p, (int32_t)p->geometry.width / AREA_PART, AREAS_MOST);
    vec_each (const struct area, area, &areas.items) {
        const struct rect *r = &area->rect;
        const int32_t corners[] = {r->x, top + r->y, r->x + r->width, top + r->y + r->height};

        report_graph_add_area(graph, corners, area->name, area->share, slice_str(area->place));
    }
    areas_release(&areas);
}

/* Adds the image map of all pictures that `below` links. */
static void add_all_areas(struct report_graph *graph, const struct picture *p)
{
    int32_t top = 0;

    for (; p; p = p->below) {
        add_areas(graph, p, top);
        top += (int32_t)p->geometry.height;
    }
}

/* Returns the facts about a graph that the report shows beside the picture. */
static struct report_source describe(const struct graph_job *g, struct arena *memory)
{
    struct report_source source;

    describe_graph(&source, g->plan, &g->look, g->profile, g->series, memory);
    source.name = g->name;
    source.path = slice_str(g->input->shown);
    source.commentary = g->commentary;
    return source;
}

/* Writes the exact stacks of the runs beside the pictures, for later comparisons. */
static bool keep_runs(const struct graph_job *g, struct report_graph *graph)
{
    struct buf text = {0}, packed = {0}, path = {0};
    bool ok;

    runs_write(g->service, &text);
    runs_compress(buf_slice(&text), &packed);
    buf_printf(&path, "graphs/%.*s.runs.zst", SLICE_ARG(g->name));
    ok = stage_write(g->batch->stage, buf_string(&path), buf_slice(&packed));
    graph->runs_path = arena_copy(&graph->memory, buf_slice(&path));
    buf_release(&text);
    buf_release(&packed);
    buf_release(&path);
    return ok;
}

static bool take_bytes(void *context, struct slice bytes)
{
    buf_add_slice(context, bytes);
    return true;
}

/* Writes the graph's stacks in the format of another tool. */
static bool export_graph(const struct graph_job *g, const struct convert_writer *writer,
                         struct report_graph *graph)
{
    const struct conversion conversion = {
        .profile = g->profile, .series = &g->series, .count = 1, .title = graph->title};
    struct buf bytes = {0}, path = {0};
    bool ok;

    convert_write(writer, &conversion, take_bytes, &bytes, &g->made->diag);
    buf_printf(&path, "graphs/%.*s", SLICE_ARG(g->name));
    convert_add_ending(&path, writer);
    ok = stage_write(g->batch->stage, buf_string(&path), buf_slice(&bytes));
    if (ok)
        report_graph_add_export(graph, slice_str(writer->title), writer->name, buf_slice(&path));
    buf_release(&bytes);
    buf_release(&path);
    return ok;
}

static bool export_all(const struct graph_job *g, struct report_graph *graph)
{
    bool ok = true;

    for (size_t i = 0; g->batch->stage && convert_writers[i] && ok; i++)
        if (g->plan->exports >> i & 1)
            ok = export_graph(g, convert_writers[i], graph);
    return ok;
}

/* Draws the hottest functions. The look is that of the plan: a crop has its own title. */
static bool make_crops(const struct graph_job *g, struct report_graph *graph)
{
    const struct crops crops = {
        .plan = g->plan,
        .memory_limit = g->memory_limit,
        .profile = g->profile,
        .series = g->series,
        .fonts = g->batch->fonts,
        .resources = g->batch->resources,
        .source = look_source(&g->look, slice_str(g->input->shown)),
        .stage = g->batch->stage,
        .name = g->name,
        .diag = &g->made->diag,
    };

    return !g->plan->crops || !g->batch->stage || crops_write(&crops, graph);
}

/* Lists a graph that is not drawn in the ledger of its input. */
static void add_undrawn(const struct graph_job *g, const struct graph_series *item,
                        struct report_graph *graph)
{
    const struct series *series = &item->profile->series.items[item->series];
    struct unit_scale scale = recipe_scale(&g->plan->recipe, item->profile, item->series);

    report_graph_add_undrawn(graph, item->event, &scale, series->total);
}

/* A graph while it is drawn. */
struct graph_drawing {
    const struct graph_job *job;
    struct report_source source;
    struct look look; /* that of the job, with the title of the report */
};

static void build_graph(void *context, const struct drawing *drawing)
{
    struct graph_drawing *d = context;
    struct report_graph *graph = &d->job->made->graph;

    d->source.shares = drawing->shares.items;
    d->source.share_count = drawing->shares.count;
    report_graph_build(graph, &d->source, &drawing->tree, &d->job->made->commentary);
    for (size_t i = 0; i < d->job->undrawn_count; i++)
        add_undrawn(d->job, &d->job->undrawn[i], graph);
    if (d->job->service)
        report_graph_set_service(graph, d->job->service);
    d->look.picture.title = graph->title;
}

static bool finish_graph(void *context, const struct drawing *drawing, struct diag *diag)
{
    struct graph_drawing *d = context;
    const struct graph_job *g = d->job;
    struct report_graph *graph = &g->made->graph;
    const struct graph_files files = {&g->look, g->batch->stage, g->name,
                                      diag,     graph,           GRAPH_FILES_ALL};

    resources_collect(g->batch->resources, &drawing->picture, &g->made->colors);
    add_all_areas(graph, draw_picture(drawing));
    if (draw_other_tree(drawing))
        report_graph_set_drawn(graph, &d->source, draw_other_tree(drawing));
    report_graph_add_thin(graph, drawing->layout.thin);
    report_graph_add_above(graph, drawing->layout.above);
    return graph_files_write(&files, draw_picture(drawing)) &&
           (!g->service || !g->batch->stage || keep_runs(g, graph)) && export_all(g, graph) &&
           make_crops(g, graph);
}

static bool make_graph(const struct graph_job *g)
{
    const struct resources *resources = g->batch->resources;
    struct graph_drawing d = {g, describe(g, &g->made->graph.memory), g->look};
    const struct draw_request request = {
        .profile = g->profile,
        .series = g->series,
        .look = &d.look,
        .recipe = &g->plan->recipe,
        .memory_limit = g->memory_limit,
        .fonts = g->batch->fonts,
        .source = look_source(&g->look, slice_str(g->input->shown)),
        .color_map = resources_colors(resources),
        .attributes = &resources->attributes,
        .own_shares = g->own_shares,
    };
    const struct draw_use use = {build_graph, finish_graph, &d};

    return draw_graph(&request, &use, &g->made->diag);
}

/* If the settings give several graphs of a file one title, the event is added to each. */
static struct slice graph_title(struct arena *memory, struct slice title, struct slice event,
                                size_t count)
{
    if (!title.len || count < 2 || !event.len)
        return title;
    return slice_str(arena_printf(memory, "%.*s: %.*s", SLICE_ARG(title), SLICE_ARG(event)));
}

/* The source of graphs: one input, the runs of a group, or all inputs merged. */
struct graph_source {
    struct job *job; /* gets the graphs */
    const struct plan *plan;
    const struct names *names;
    size_t name;
    const struct input_file *input;
    struct slice commentary;
    const struct group *group; /* NULL if all inputs are merged */
    struct slice service;      /* name of the group's service */
};

static void made_release(struct made_graph *made)
{
    release_all(made, diag, diag, commentary);
    color_map_release(&made->colors);
    buf_release(&made->files);
}

/* Removes what was made of a graph that has failed. */
static void drop_graph(const struct batch *b, struct made_graph *made)
{
    struct slice paths = buf_slice(&made->files), path;

    while (b->stage && slice_cut(&paths, '\0', &path))
        stage_remove(b->stage, path);
    buf_clear(&made->files);
    report_graph_release(&made->graph);
}

/* The graphs of one source, which several threads make. */
struct making {
    struct batch *batch;
    const struct graph_source *from;
    const struct graph_series *items;
    const struct slice *stems; /* by item */
    size_t count, more;        /* items after `count` are not drawn */
    struct made_graph *made;   /* by item */
    unsigned threads;
};

bool batch_keeps_whole(struct batch *b)
{
    return atomic_fetch_add(&b->made, 1) < REPORT_PAGES_ABOVE;
}

/*
 * Makes the picture and the graph of a series within `memory_limit` bytes. The graph is packed,
 * unless it contains its picture.
 */
static void make_series(const struct making *m, size_t index, uint64_t memory_limit)
{
    const struct graph_series *item = &m->items[index];
    struct made_graph *made = &m->made[index];
    struct graph_job g = {
        .batch = m->batch,
        .made = made,
        .input = m->from->input,
        .plan = m->from->plan,
        .look = m->from->plan->look,
        .memory_limit = memory_limit,
        .profile = item->profile,
        .series = item->series,
        .service = item->service,
        .name = m->stems[index],
        .commentary = m->from->commentary,
        .undrawn = m->items + m->count,
        .undrawn_count = index ? 0 : m->more,
    };

    g.look.picture.title =
        graph_title(&made->graph.memory, g.look.picture.title, item->event, m->count);
    g.own_shares = batch_scale_total(&m->batch->scale, g.profile, g.series, &g.look);
    made->drawn = make_graph(&g);
    graph_files_list(&made->graph, &made->files);
    if (!made->drawn)
        drop_graph(m->batch, made);
    else if (m->batch->stage)
        graph_pack(&made->graph, batch_keeps_whole(m->batch));
}

/* Makes a graph beside others, within its share of the memory. */
static void make_beside(void *context, size_t index, unsigned worker)
{
    const struct making *m = context;

    (void)worker;
    make_series(m, index, m->items[index].memory_limit / m->threads);
}

/*
 * Moves what has become of a graph to the job. One that could not be drawn within its share of the
 * memory is drawn again, alone and with all of it.
 */
static void take_graph(const struct making *m, size_t index)
{
    struct made_graph *made = &m->made[index];
    struct job *job = m->from->job;

    if (!made->drawn && m->threads > 1) {
        made_release(made);
        make_series(m, index, m->items[index].memory_limit);
    }
    diag_append(&job->diag, &made->diag, 0);
    diag_append(&job->commentary, &made->commentary, 0);
    color_map_merge(&job->colors, &made->colors);
    buf_add_slice(&job->files, buf_slice(&made->files));
    if (made->drawn) {
        *vec_add(&job->graphs) = made->graph;
        job->drawn = true;
    }
    made_release(made);
}

/* Returns how many graphs of a source may be made at the same time. */
static unsigned count_beside(const struct batch *b, const struct graph_series *items, size_t count)
{
    unsigned most = b->plan->recipe.merge == MERGE_OFF ? threads_of_one(b) : b->threads;

    if (most > count)
        most = (unsigned)count;
    for (size_t i = 0; i < count && most > 1; i++)
        if (!i || items[i].profile != items[i - 1].profile)
            most = prepare_beside(items[i].memory_limit, items[i].profile, most);
    return most;
}

/* Makes a picture and a graph of each of the first `count` series, and lists `more` after them. */
static void draw_graphs(struct batch *b, const struct graph_source *from,
                        const struct graph_series *items, size_t count, size_t more)
{
    struct slice *events = xreallocarray(NULL, count + 1, sizeof(*events));
    struct slice *stems = xreallocarray(NULL, count + 1, sizeof(*stems));
    struct made_graph *made = xcalloc(count + 1, sizeof(*made));
    struct making m = {b, from, items, stems, count, more, made, count_beside(b, items, count)};
    struct arena memory = {0};

    for (size_t i = 0; i < count; i++)
        events[i] = items[i].event;
    names_graphs(from->names, from->name, events, count, &memory, stems);
    pool_run(m.threads, count, make_beside, &m);
    for (size_t i = 0; i < count; i++)
        take_graph(&m, i);
    arena_release(&memory);
    free(made);
    free(stems);
    free(events);
}

/* Makes graphs of the series, or of the heaviest of them if there are more than the plan has. */
static void make_graphs(struct batch *b, const struct graph_source *from,
                        const struct graph_series *items, size_t count)
{
    size_t most = from->plan->graphs < count ? from->plan->graphs : count;
    struct graph_series *chosen = xcalloc(count + 1, sizeof(*chosen));
    struct heaviest *order = xcalloc(count + 1, sizeof(*order));

    for (size_t i = 0; i < count; i++) {
        const struct series *series = &items[i].profile->series.items[items[i].series];

        order[i] = (struct heaviest){series->event, series->total, 0, i};
    }
    heaviest_choose(order, count, most);
    for (size_t i = 0; i < count; i++)
        chosen[i] = items[order[i].index];
    if (most < count)
        diag_warn(&from->job->diag,
                  "%zu of %zu graphs are drawn, the heaviest; the report lists the others "
                  "(--max-graphs N)",
                  most, count);
    draw_graphs(b, from, chosen, most, count - most);
    free(order);
    free(chosen);
}

/* Makes graphs of the series `ids` of one input; each is a service with one run. */
static void make_single(struct batch *b, const struct graph_source *from, const struct profile *p,
                        const struct series_ids *ids)
{
    struct graph_series *items = xcalloc(ids->count + 1, sizeof(*items));
    struct service *views = xcalloc(ids->count + 1, sizeof(*views));
    uint64_t memory_limit = prepare_memory_limit(&from->plan->recipe, p);

    for (size_t i = 0; i < ids->count; i++) {
        const struct series *series = &p->series.items[ids->items[i]];

        items[i] = (struct graph_series){p, ids->items[i], series->name, NULL, memory_limit};
        if (!from->group || series->base != SERIES_NONE)
            continue;
        service_view(&views[i], from->service, slice_str(from->input->shown), p, ids->items[i]);
        views[i].owner = from->group->owner;
        items[i].service = &views[i];
    }
    make_graphs(b, from, items, ids->count);
    for (size_t i = 0; i < ids->count; i++)
        if (items[i].service)
            service_release_view(&views[i]);
    free(views);
    free(items);
}

/* Keeps the only file of a group as services of one run each. */
static void keep_single(struct batch *b, const struct graph_source *from, struct profile *p,
                        const struct series_ids *ids)
{
    struct services *kept = &b->kept[from->name];

    gather_add(kept, from->group, slice_str(from->input->shown), p, ids, &from->job->diag);
    vec_each (struct service, s, kept)
        s->name = arena_copy(&s->profile.strings, from->service);
}

/* Prepares a profile and makes its graphs. */
static void prepare_graphs(struct batch *b, const struct graph_source *from, struct profile *p)
{
    struct prepared made;

    prepared_init(&made);
    if (prepare(p, &from->plan->recipe, &made, &from->job->diag) && !made.empty) {
        make_single(b, from, p, &made.graphs);
        if (b->keep && from->group)
            keep_single(b, from, p, &made.graphs);
    }
    prepared_release(&made);
}

static void read_commentary(const struct input_file *input, struct job *job, struct buf *out)
{
    struct buf why = {0};

    if (!input->commentary)
        return;
    if (!file_read(input->commentary, COMMENTARY_MAX_SIZE, out, &why)) {
        diag_error(&job->commentary, "%s", buf_string(&why));
        buf_clear(out);
    }
    buf_release(&why);
}

static uint64_t file_bytes(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && st.st_size > 0 ? (uint64_t)st.st_size : 0;
}

static void report_progress(const struct batch *b, const struct input_file *input)
{
    if (b->progress)
        b->progress(b->progress_context, input->shown, file_bytes(input->path));
}

/*
 * Reads input `index` as batch_read() does, beside `held` bytes of other inputs of its graph. What
 * is looked for beside the file is added to `dependencies`, which may be NULL.
 */
static enum input_result read_beside(struct batch *b, size_t index, uint64_t held,
                                     struct dependencies *dependencies, struct profile *p,
                                     struct diag *diag)
{
    const struct input_file *input = &b->inputs->items.items[index];
    struct input_options reading = b->plans[index]->reading;

    reading.pictures = input->pictures;
    reading.limits.held = held;
    reading.dependencies = dependencies;
    return admission_read(&b->admission,
                          &(struct admission_input){.path = input->path,
                                                    .shown = input->shown,
                                                    .reading = &reading,
                                                    .threads = threads_of_one(b)},
                          p, diag);
}

enum input_result batch_read(struct batch *b, size_t index, struct profile *p, struct diag *diag)
{
    return read_beside(b, index, 0, NULL, p, diag);
}

/* Reads the input of a job and its meta file. Returns true if the input is a profile. */
static bool read_job(struct batch *b, size_t index, uint64_t held, struct profile *p)
{
    struct job *job = &b->jobs[index];

    job->dependencies.input = b->inputs->items.items[index].path;
    if (b->reuse)
        job->dependencies.memo = &b->reuse->memo;
    job->read = read_beside(b, index, held, b->reuse ? &job->dependencies : NULL, p, &job->diag) ==
                INPUT_READ;
    job->has_runs = profile_fact(p, SLICE("service")).len > 0;
    if (job->read)
        meta_apply(b->inputs->items.items[index].meta, p, &job->meta);
    return job->read;
}

/* Reads, prepares and draws a file that is the only one of its group. */
static void run_single(struct batch *b, const struct group *group, size_t name, size_t index)
{
    const struct input_file *input = &b->inputs->items.items[index];
    struct job *job = &b->jobs[index];
    struct profile profile;
    struct buf commentary = {0};

    profile_init(&profile);
    if (read_job(b, index, 0, &profile)) {
        read_commentary(input, job, &commentary);
        prepare_graphs(b,
                       &(struct graph_source){job, b->plans[index], &b->group_names, name, input,
                                              buf_slice(&commentary), group,
                                              b->service_names.stems.items[name]},
                       &profile);
    }
    profile_release(&profile);
    admission_leave(&b->admission);
    buf_release(&commentary);
}

/* Adds a file to the services of its group. Changes cannot be added up: they are drawn alone. */
static void gather_file(struct batch *b, const struct graph_source *from, size_t index,
                        struct services *services)
{
    const struct input_file *input = &b->inputs->items.items[index];
    struct job *job = &b->jobs[index];
    struct series_ids changes = {0};
    uint64_t held = gather_footprint(services);
    struct prepared made;
    struct profile p;

    profile_init(&p);
    prepared_init(&made);
    if (read_job(b, index, held, &p) && prepare(&p, &b->plans[index]->recipe, &made, &job->diag) &&
        !made.empty) {
        vec_each (const uint32_t, id, &made.graphs)
            if (p.series.items[*id].base != SERIES_NONE)
                *vec_add(&changes) = *id;
        if (changes.count < made.graphs.count)
            job->drawn = footprint_allows(held, &p, b->plans[index]->reading.limits.max_memory,
                                          &job->diag) &&
                         gather_add(services, from->group, slice_str(input->shown), &p,
                                    &made.graphs, &job->diag);
        if (changes.count)
            make_single(b,
                        &(struct graph_source){job, b->plans[index], b->names, index, input,
                                               from->commentary, NULL, from->service},
                        &p, &changes);
    }
    vec_release(&changes);
    prepared_release(&made);
    profile_release(&p);
    admission_leave(&b->admission);
}

/* Draws the services of a group, each as one graph of all its runs. */
static void draw_services(struct batch *b, const struct graph_source *from,
                          struct services *services)
{
    struct graph_series *items = xcalloc(services->count + 1, sizeof(*items));
    size_t count = 0;

    vec_each (struct service, s, services) {
        struct profile *p = &s->profile;
        uint32_t sum;

        if (from->plan->reading.names != NAMES_REFERENCE)
            align_runs_of_service(s);
        sum = service_sum(s, s->event, 0, s->runs.count);
        s->name = arena_copy(&p->strings, from->service);
        profile_share_facts(p, &s->runs);
        if (sum == SERIES_NONE)
            diag_error(&from->job->diag, "the merged weights do not fit in 64 bits");
        else
            items[count++] = (struct graph_series){p, sum, s->event, s,
                                                   prepare_memory_limit(&from->plan->recipe, p)};
    }
    make_graphs(b, from, items, count);
    free(items);
}

/* Reads the files of a group and draws what they have in common as one graph. */
static void run_several(struct batch *b, const struct group *group, size_t name)
{
    const size_t *members = group->members.items;
    struct services services = {0};
    struct input_file shown = b->inputs->items.items[members[0]];
    struct graph_source from = {&b->jobs[members[0]],
                                b->plans[members[0]],
                                &b->group_names,
                                name,
                                &shown,
                                {0},
                                group,
                                b->service_names.stems.items[name]};
    struct buf commentary = {0}, path = {0};

    for (size_t i = 0; i < group->members.count && !commentary.len; i++)
        read_commentary(&b->inputs->items.items[members[i]], &b->jobs[members[i]], &commentary);
    from.commentary = buf_slice(&commentary);
    for (size_t i = 0; i < group->members.count; i++)
        gather_file(b, &from, members[i], &services);
    buf_printf(&path, "%s and %zu more", shown.shown, group->members.count - 1);
    shown.shown = buf_string(&path);
    draw_services(b, &from, &services);
    if (b->keep)
        b->kept[name] = services;
    else
        gather_release(&services);
    buf_release(&path);
    buf_release(&commentary);
}

/* Reads and draws the inputs of a group. */
static void make_group(struct batch *b, size_t index)
{
    const struct group *group = &b->grouping.items.items[index];

    if (group->members.count == 1)
        run_single(b, group, index, group->members.items[0]);
    else
        run_several(b, group, index);
    vec_each (const size_t, member, &group->members) {
        const struct input_file *input = &b->inputs->items.items[*member];
        struct job *job = &b->jobs[*member];

        if (!job->drawn && input->named && !job->diag.counts[DIAG_ERROR])
            diag_raise_note(&job->diag);
    }
}

static void run_group(void *context, size_t index, unsigned worker)
{
    struct batch *b = context;
    const struct group *group = &b->grouping.items.items[index];
    struct reuse_key key;

    (void)worker;
    if ((b->stage && stage_failed(b->stage)) || (b->part && !part_has(b->part, index)))
        return;
    if (b->stitch) {
        stitch_take(b->stitch, b, index);
    } else if (!b->reuse) {
        make_group(b, index);
    } else {
        reuse_find_key(b->reuse, b, index, &key);
        if (!reuse_take(b->reuse, b, index, &key)) {
            make_group(b, index);
            reuse_keep(b->reuse, b, index, &key);
        }
    }
    vec_each (const size_t, member, &group->members)
        report_progress(b, &b->inputs->items.items[*member]);
}

/* ---- all inputs as one graph ------------------------------------------------ */

/*
 * Returns the index that decides the side of an input in a hot/cold graph, if the input does not
 * state its side: its position on the command line.
 */
static size_t side_of(const struct batch *b, size_t index)
{
    const struct input_file *input = &b->inputs->items.items[index];

    return input->named ? strcmp(input->path, b->inputs->first) != 0 : index;
}

/* Reads an input and adds it to the others. */
static void add_input(struct batch *b, size_t index, struct merging *all)
{
    const struct input_file *input = &b->inputs->items.items[index];
    const struct plan *plan = b->plans[index];
    struct input_options reading = plan->reading;
    const struct merging_input in = {
        .path = input->path,
        .reading = &reading,
        .own = &plan->recipe,
        .side = side_of(b, index),
        .name = b->names->stems.items[index],
    };
    struct job *job = &b->jobs[index];

    reading.pictures = input->pictures;
    job->read = job->drawn = merging_add(all, &in, &job->diag);
    if (!job->drawn && input->named && !job->diag.counts[DIAG_ERROR])
        diag_raise_note(&job->diag);
    report_progress(b, input);
}

/* Draws the merged inputs; the first input's job gets the graphs. */
static void draw_merged(struct batch *b, struct profile *whole, struct job *first, size_t read)
{
    char shown[32];
    const struct input_file input = {.path = shown, .shown = shown};
    const struct slice path = SLICE("merged");
    struct names names;

    snprintf(shown, sizeof(shown), "%zu profiles merged", read);
    names_init(&names, &path, 1);
    first->drawn = false;
    prepare_graphs(
        b,
        &(struct graph_source){.job = first, .plan = b->merged, .names = &names, .input = &input},
        whole);
    names_release(&names);
}

static void run_merged(struct batch *b)
{
    struct profile whole;
    struct merging all = {
        .whole = &whole,
        .recipe = &b->plan->recipe,
        .count = b->inputs->items.count,
        .threads = b->threads,
    };
    struct job *first = NULL;

    profile_init(&whole);
    for (size_t i = 0; i < b->inputs->items.count; i++) {
        add_input(b, i, &all);
        if (!first && b->jobs[i].drawn)
            first = &b->jobs[i];
    }
    merging_end(&all);
    if (first)
        draw_merged(b, &whole, first, all.read);
    profile_release(&whole);
}

/* Writes the script and the style once for all graphs, if they are external. */
static void write_sides(struct batch *b)
{
    if (!b->stage || b->plan->look.picture.svg_script != SVG_SCRIPT_EXTERNAL)
        return;
    for (size_t i = 0; i < svg_side_count; i++) {
        struct buf path = {0};

        buf_printf(&path, "graphs/%s", svg_sides[i].name);
        stage_write(b->stage, buf_string(&path), svg_side_content(&svg_sides[i]));
        buf_release(&path);
    }
}

/*
 * Names the service of each run, where each run has a group: the report is a baseline, too, of
 * which the runs of a service must be found again.
 */
static void name_services_of_runs(struct batch *b, const struct slice *paths,
                                  const struct service_rules *rules)
{
    size_t count = b->inputs->items.count;
    struct slice *services = xcalloc(count + 1, sizeof(*services)); /* by input */
    struct grouping grouping;
    struct names names;

    grouping_init(&grouping, paths, count, rules, false);
    grouping_names(&grouping, &names);
    for (size_t i = 0; i < grouping.items.count; i++)
        vec_each (const size_t, member, &grouping.items.items[i].members)
            services[*member] = names.stems.items[i];
    for (size_t i = 0; i < b->grouping.items.count; i++)
        b->service_names.stems.items[i] = arena_copy(
            &b->service_names.memory, services[b->grouping.items.items[i].members.items[0]]);
    names_release(&names);
    grouping_release(&grouping);
    free(services);
}

/* Groups the inputs, and names graphs and services. */
static void group_inputs(struct batch *b)
{
    static const struct service_rules no_rules;
    const struct service_rules *rules = b->rules ? b->rules : &no_rules;
    size_t count = b->inputs->items.count;
    struct slice *paths = xreallocarray(NULL, count + 1, sizeof(*paths));

    for (size_t i = 0; i < count; i++)
        paths[i] = slice_str(b->inputs->items.items[i].shown);
    grouping_init(&b->grouping, paths, count, rules, b->each_run);
    grouping_names(&b->grouping, &b->service_names);
    if (b->each_run)
        name_services_of_runs(b, paths, rules);
    for (size_t i = 0; i < b->grouping.items.count; i++)
        paths[i] = b->grouping.items.items[i].path;
    for (size_t i = 0; i < b->grouping.items.count; i++) {
        const struct group *group = &b->grouping.items.items[i];

        if (group->members.count == 1 && !group->name.len)
            paths[i] = slice_str(b->inputs->items.items[group->members.items[0]].shown);
    }
    names_init(&b->group_names, paths, b->grouping.items.count);
    free(paths);
}

static void run_groups(struct batch *b)
{
    if (b->reuse)
        reuse_begin(b->reuse, b);
    if (b->part)
        part_begin(b->part, b);
    if (b->stitch)
        stitch_begin(b->stitch, b);
    if (b->stitch && b->stitch->refused)
        return;
    pool_run(b->threads, b->grouping.items.count, run_group, b);
    if (b->part)
        part_write(b->part, b);
    if (b->reuse)
        reuse_write(b->reuse, b);
}

void batch_run(struct batch *b)
{
    size_t count = b->inputs->items.count;
    uint64_t most = 0;

    b->jobs = xcalloc(count, sizeof(*b->jobs));
    for (size_t i = 0; i < count; i++) {
        const struct input_file *input = &b->inputs->items.items[i];

        diag_init(&b->jobs[i].diag, slice_str(input->shown));
        diag_init(&b->jobs[i].commentary, slice_str(input->commentary));
        diag_init(&b->jobs[i].meta, slice_str(input->meta));
        if (b->plans[i]->reading.limits.max_memory > most)
            most = b->plans[i]->reading.limits.max_memory;
    }
    admission_init(&b->admission, b->threads < count ? b->threads : (unsigned)count, most);
    group_inputs(b);
    if (b->keep)
        b->kept = xcalloc(b->grouping.items.count + 1, sizeof(*b->kept));
    batch_scale_init(&b->scale);
    if (b->common_scale && b->plan->recipe.merge == MERGE_OFF)
        batch_scale_measure(b, &b->scale);
    if (b->plan->recipe.merge != MERGE_OFF)
        run_merged(b);
    else
        run_groups(b);
    write_sides(b);
}

bool batch_take_services(struct batch *b, struct services *out)
{
    *out = (struct services){0};
    if (!b->keep || b->plan->recipe.merge != MERGE_OFF)
        return false;
    for (size_t i = 0; i < b->inputs->items.count; i++)
        if (b->jobs[i].has_runs)
            return false;
    for (size_t i = 0; i < b->grouping.items.count; i++) {
        vec_each (struct service, s, &b->kept[i])
            *vec_add(out) = *s;
        vec_release(&b->kept[i]);
    }
    return out->count > 0;
}

bool batch_report_nothing(const struct batch *b, struct diag *diag)
{
    for (size_t i = 0; i < b->inputs->items.count; i++)
        if (b->jobs[i].read)
            return diag_error(diag, "nothing to draw: filters and time ranges leave nothing of the "
                                    "inputs");
    return diag_error(diag, "nothing to draw: no profile was found in %s", b->inputs->places);
}

void batch_release(struct batch *b)
{
    for (size_t i = 0; b->kept && i < b->grouping.items.count; i++)
        gather_release(&b->kept[i]);
    free(b->kept);
    grouping_release(&b->grouping);
    release_all(b, names, group_names, service_names);
    for (size_t i = 0; b->jobs && i < b->inputs->items.count; i++) {
        struct job *job = &b->jobs[i];

        release_all(job, diag, diag, commentary, meta);
        dependencies_release(&job->dependencies);
        color_map_release(&job->colors);
        vec_each (struct report_graph, graph, &job->graphs)
            report_graph_release(graph);
        vec_release(&job->graphs);
        buf_release(&job->files);
    }
    if (b->jobs)
        admission_release(&b->admission);
    free(b->jobs);
    batch_scale_release(&b->scale);
}
