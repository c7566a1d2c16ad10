#include "report/alt.h"

#include <stdlib.h>

#include "base/die.h"
#include "base/num.h"
#include "base/utf8.h"
#include "profile/reshape.h"
#include "report/display.h"

enum {
    PATH_FRAMES = 64, /* frames followed along the widest path */
    PATH_ENDS = 3,    /* of them shown at each end */
    PATH_NAME = 60,   /* characters of each */
};

/* Follows the heaviest child from the root; returns the number of frames. */
static size_t find_widest_path(const struct tree *t, uint32_t *path)
{
    uint32_t *heaviest = xcalloc(t->count, sizeof(*heaviest));
    size_t count = 0;

    for (uint32_t i = 1; i < t->count; i++) {
        uint32_t parent = t->parent[i];

        if (t->total[i] && (!heaviest[parent] || t->total[i] > t->total[heaviest[parent]]))
            heaviest[parent] = i;
    }
    /* Below a twentieth of the whole it is not what the eye follows. */
    for (uint32_t i = heaviest[TREE_ROOT]; i && count < PATH_FRAMES; i = heaviest[i]) {
        if (t->total[i] < t->total[TREE_ROOT] / 20)
            break;
        path[count++] = i;
    }
    free(heaviest);
    return count;
}

/* A name in a sentence. */
static void add_name(struct report_graph *g, struct slice name, struct buf *out)
{
    utf8_add_isolated(out, display_text(&g->memory, name, PATH_NAME));
}

static void add_path(struct report_graph *g, const struct tree *t, struct buf *out)
{
    const struct symbols *symbols = &t->profile->symbols;
    uint32_t path[PATH_FRAMES];
    size_t count = find_widest_path(t, path);

    for (size_t i = 0; i < count; i++) {
        if (count > 2 * PATH_ENDS && i == PATH_ENDS) {
            buf_add_str(out, ", …");
            i = count - PATH_ENDS;
        }
        buf_printf(out, "%s", i ? ", " : " Widest path: ");
        add_name(g, symbol_name(symbols, t->symbol[path[i]]), out);
    }
    if (count)
        buf_add_char(out, '.');
}

/* What filters took, of what was there before. */
static void add_removals(const struct series *s, struct buf *out)
{
    vec_each (const struct removal, r, &s->removals) {
        buf_add_str(out, ", ");
        num_write_percent(out, r->weight, reshape_whole(s), 1);
        buf_printf(out, " %% %s %s", r->stayed ? "shortened by" : "left out by", r->option);
    }
}

void report_alt_write(struct report_graph *g, const struct report_source *source,
                      const struct tree *t, struct buf *out)
{
    buf_add_slice(out, source->form.len ? source->form : SLICE("Flame graph"));
    buf_add_str(out, " of ");
    utf8_add_isolated(out, g->title);
    buf_printf(out, ": %.*s", SLICE_ARG(g->total_plain));
    if (g->event.len && !slice_equal(g->event, g->unit)) {
        buf_add_str(out, " of ");
        utf8_add_isolated(out, g->event);
    }
    if (source->made.len)
        buf_printf(out, ", %.*s", SLICE_ARG(source->made));
    add_removals(&t->profile->series.items[t->series], out);
    buf_add_char(out, '.');
    add_path(g, t, out);
    if (g->by_self.count) {
        const struct report_function *f = &g->by_self.items[0];

        buf_add_str(out, " Most by itself: ");
        add_name(g, f->name, out);
        buf_printf(out, ", %.*s %%.", SLICE_ARG(f->self.percent));
    }
}
