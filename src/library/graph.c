#include "library/graph.h"

#include "batch/describe.h"
#include "compare/align.h"
#include "draw/draw.h"

void library_graph_init(struct library_graph *g)
{
    *g = (struct library_graph){.prepared = false};
    profile_init(&g->profile);
    prepared_init(&g->made);
}

void library_graph_release(struct library_graph *g)
{
    prepared_release(&g->made);
    profile_release(&g->profile);
}

/* Returns whether there is a graph, after `prepared`. */
static bool settle(struct library_graph *g, bool prepared, struct diag *diag)
{
    g->prepared = prepared;
    if (prepared && g->made.empty)
        diag_raise_note(diag);
    return prepared && !g->made.empty;
}

bool library_graph_prepare(struct library_graph *g, const struct plan *plan, struct diag *diag)
{
    g->headless = plan->reading.names == NAMES_REFERENCE;
    return settle(g, prepare(&g->profile, &plan->recipe, &g->made, diag), diag);
}

bool library_graph_prepare_two(struct library_graph *g, const struct prepare_input *before,
                               const struct prepare_input *after, const struct plan *plan,
                               struct diag *diag)
{
    g->headless = plan->reading.names == NAMES_REFERENCE;
    if (!g->headless)
        compare_align(before->profile, after->profile, &(struct align_renames){0});
    return settle(g, prepare_two(before, after, &plan->recipe, &g->made, diag), diag);
}

bool library_graph_fold(const struct library_graph *g, folded_sink *sink, void *context)
{
    uint32_t series = library_graph_series(g);

    return folded_write(&g->profile, series,
                        g->headless ? NULL : &g->profile.series.items[series].unit, sink, context);
}

/* What is done with the drawing of a graph. */
struct using
{
    const struct library_graph *graph;
    const struct library_drawing *how;
    library_picture_fn *use;
    void *context;
};

/* Fills what a report says of the graph; with --zoom or --crop, of the part that was drawn. */
static void describe(const struct using *u, const struct drawing *drawing, struct diag *diag)
{
    const struct library_drawing *how = u->how;
    const struct tree *other = draw_other_tree(drawing);
    struct report_source source;

    describe_graph(&source, how->plan, &how->plan->look, &u->graph->profile,
                   library_graph_series(u->graph), &how->described->memory);
    source.name = how->name;
    report_graph_build(how->described, &source,
                       drawing->part.part_of ? &drawing->part : &drawing->tree, diag);
    if (other)
        report_graph_set_drawn(how->described, &source, other);
}

static bool use_drawing(void *context, const struct drawing *drawing, struct diag *diag)
{
    const struct using *u = context;

    if (u->how->described)
        describe(u, drawing, diag);
    if (u->how->added)
        resources_collect(u->how->resources, &drawing->picture, u->how->added);
    return u->use(u->context, draw_picture(drawing), diag);
}

bool library_graph_draw(const struct library_graph *g, const struct library_drawing *how,
                        library_picture_fn *use, void *context, struct diag *diag)
{
    const struct resources *resources = how->resources;
    const struct draw_request request = {
        .profile = &g->profile,
        .series = library_graph_series(g),
        .look = &how->plan->look,
        .recipe = &how->plan->recipe,
        .memory_limit = prepare_memory_limit(&how->plan->recipe, &g->profile),
        .fonts = how->fonts,
        .source = how->source,
        .threads = how->threads,
        .color_map = resources ? resources_colors(resources) : NULL,
        .attributes = resources ? &resources->attributes : NULL,
    };
    struct using using = {g, how, use, context};

    return draw_graph(&request, &(struct draw_use){.end = use_drawing, .context = &using}, diag);
}
