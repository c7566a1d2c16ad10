#include "unit/support/drawn.h"

#include "base/die.h"
#include "output/png.h"
#include "output/svg.h"

void drawn_init(struct drawn *d, struct slice folded, const struct picture_options *options,
                unsigned ratio)
{
    struct picture_options filled = options ? *options : picture_defaults;
    struct buf why = {0};

    d->png = d->svg = (struct buf){0};
    if (!filled.unit.noun.len)
        filled.unit = unit_samples;
    graph_init(&d->graph, folded);
    layout_init(&d->layout, &d->graph.tree,
                &(struct layout_options){
                    .min_width = 0.1, .width = filled.look.width - 20, .max_depth = 1000});
    diag_init(&d->diag, SLICE(""));
    d->fonts = fonts_new(&(struct fonts_options){.system = false}, &d->diag);
    if (!d->fonts)
        die("no fonts");
    picture_init(&d->picture, &d->layout, d->fonts, &filled);
    if (!png_write(&d->picture, ratio, &d->png, &why))
        die("%s", buf_string(&why));
    buf_release(&why);
    svg_write(&d->picture, &d->svg);
}

void drawn_release(struct drawn *d)
{
    buf_release(&d->png);
    buf_release(&d->svg);
    picture_release(&d->picture);
    layout_release(&d->layout);
    fonts_free(d->fonts);
    diag_release(&d->diag);
    graph_release(&d->graph);
}
