#include "batch/crops.h"

#include "draw/draw.h"
#include "output/writer.h"

static bool can_crop(const struct plan *plan, const struct report_graph *graph)
{
    const struct recipe *r = &plan->recipe;

    return !graph->differential && !plan->look.flamechart && !r->reverse && !r->around.len &&
           !recipe_is_part(r) && !recipe_is_of(r, KIND_HEATMAP);
}

/* A crop that is drawn. */
struct crop {
    const struct crops *of;
    unsigned number;
    struct report_graph *graph;
    struct slice *path; /* gets that of the file */
};

/* Writes a picture to the stage. Names of graphs contain no '@', so the path is unique. */
static bool write_picture(void *context, const struct drawing *drawing, struct diag *diag)
{
    const struct crop *crop = context;
    const struct crops *c = crop->of;
    const struct writer *writer = writer_find(SLICE("png"));
    struct buf bytes = {0}, why = {0}, name = {0};
    bool ok = writer->write(draw_picture(drawing), LOOK_TICKET_RATIO, &bytes, &why);

    buf_printf(&name, "graphs/%.*s@crop%u%s", SLICE_ARG(c->name), crop->number, writer->ending);
    if (!ok)
        diag_error(diag, "cannot draw the %s: %s", writer->name, buf_string(&why));
    ok = ok && stage_write(c->stage, buf_string(&name), buf_slice(&bytes));
    if (ok)
        *crop->path = arena_copy(&crop->graph->memory, buf_slice(&name));
    buf_release(&bytes);
    buf_release(&why);
    buf_release(&name);
    return ok;
}

static bool draw_crop(const struct crops *c, struct slice function, unsigned number,
                      struct report_graph *graph, struct slice *path)
{
    struct look look = c->plan->look;
    struct recipe recipe = c->plan->recipe;
    const struct draw_request request = {
        .profile = c->profile,
        .series = c->series,
        .look = &look,
        .recipe = &recipe,
        .memory_limit = c->memory_limit,
        .fonts = c->fonts,
        .source = c->source,
        .color_map = resources_colors(c->resources),
        .attributes = &c->resources->attributes,
    };
    struct crop crop = {c, number, graph, path};
    struct diag diag;
    bool ok;

    look_for_ticket(&look);
    recipe.crop = function;
    diag_init(&diag, c->diag->path);
    ok = draw_graph(&request, &(struct draw_use){.end = write_picture, .context = &crop}, &diag);
    if (!ok) /* warnings were given for the whole graph */
        diag_append(c->diag, &diag, 0);
    diag_release(&diag);
    return ok;
}

/* Returns the crop of an earlier function of that name, but of another class, or an empty path. */
static struct slice find_crop(const struct report_graph *graph, const struct report_function *f)
{
    vec_each (const struct report_function, other, &graph->by_self)
        if (other->crop.len && slice_equal(other->name, f->name))
            return other->crop;
    return slice_make(NULL, 0);
}

bool crops_write(const struct crops *c, struct report_graph *graph)
{
    unsigned count = 0;
    bool ok = true;

    if (!can_crop(c->plan, graph))
        return true;
    for (size_t i = 0; i < graph->by_self.count && count < CROPS_MOST && ok; i++) {
        struct report_function *f = &graph->by_self.items[i];

        if (f->idle)
            continue;
        f->crop = find_crop(graph, f);
        if (!f->crop.len)
            ok = draw_crop(c, f->name, ++count, graph, &f->crop);
    }
    return ok;
}
