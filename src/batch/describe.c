#include "batch/describe.h"

#include "draw/caption.h"
#include "prepare/kind.h"
#include "prepare/units.h"
#include "profile/pair.h"

/* Adds the texts that describe the picture to readers who do not see it. */
static void add_captions(struct report_source *out, const struct recipe *recipe,
                         const struct look *look, const struct profile *p, uint32_t series,
                         struct arena *memory)
{
    const struct series *s = &p->series.items[series];
    struct buf text = {0};

    caption_write_form(look, recipe, s->base != SERIES_NONE && pair_kind(p, series) == PAIR_CHANGE,
                       &text);
    out->form = arena_copy(memory, buf_slice(&text));
    buf_clear(&text);
    caption_write_view(look, recipe, SLICE(""), &text);
    caption_write_part(recipe, p, series, SLICE(""), &text);
    out->made = arena_copy(memory, buf_slice(&text));
    buf_release(&text);
}

void describe_graph(struct report_source *out, const struct plan *plan, const struct look *look,
                    const struct profile *p, uint32_t series, struct arena *memory)
{
    const struct kind *kind = units_kind(&plan->recipe, p, series);

    *out = (struct report_source){
        .title = look->picture.title,
        .subtitle = look->picture.subtitle,
        .scale = recipe_scale(&plan->recipe, p, series),
        .rows = plan->rows,
    };
    if (kind != &kinds[0]) {
        out->kind = slice_str(kind->name);
        out->kind_about = slice_str(kind->about);
    }
    add_captions(out, &plan->recipe, look, p, series, memory);
}
