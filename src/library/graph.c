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

/* Fills what a report says of the graph; with --zoom or --crop, of the part that was drawn. */
static void describe(const struct library_graph *g, const struct library_drawing *how,
                     const struct drawing *drawing, struct diag *diag)
{
    const struct tree *other = draw_other_tree(drawing);
    struct report_source source;

    describe_graph(&source, how->plan, &how->plan->look, &g->profile, library_graph_series(g),
                   &how->described->memory);
    source.name = how->name;
    report_graph_build(how->described, &source,
                       drawing->part.part_of ? &drawing->part : &drawing->tree, diag);
    if (other)
        report_graph_set_drawn(how->described, &source, other);
}

bool library_graph_draw(const struct library_graph *g, const struct library_drawing *how,
                        library_picture_fn *use, void *context, struct diag *diag)
{
    const struct resources *resources = how->resources;
    const struct draw_request request = {
        .look = &how->plan->look,
        .recipe = &how->plan->recipe,
        .room = prepare_room(&how->plan->recipe, &g->profile),
        .fonts = how->fonts,
        .source = how->source,
        .threads = how->threads,
        .color_map = resources ? resources_colors(resources) : NULL,
        .attributes = resources ? &resources->attributes : NULL,
    };
    struct drawing drawing;
    bool ok;

    draw_init(&drawing, &g->profile, library_graph_series(g), &how->plan->recipe.searches,
              how->threads);
    ok = draw_run(&drawing, &request, diag);
    if (ok && how->described)
        describe(g, how, &drawing, diag);
    if (ok && how->added)
        resources_collect(resources, &drawing.picture, how->added);
    ok = ok && use(context, draw_picture(&drawing), diag);
    draw_release(&drawing);
    return ok;
}
