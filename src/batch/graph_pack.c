#include "batch/graph_pack.h"

#include <string.h>

#include "base/die.h"
#include "base/release.h"
#include "output/pack.h"
#include "report/graph_codec.h"
#include "report/outlier.h"

enum { MOST = 1 << 30 }; /* bytes of a graph */

/*
 * Of the functions by self weight, the findings need the first in which no CPU idles, and those
 * that can be much larger than in other graphs.
 */
static void keep_busiest(struct report_graph *g)
{
    size_t kept = 0;

    vec_each (const struct report_function, f, &g->by_self)
        if (!f->idle && (!kept || outlier_needs(g, f->self.weight)))
            g->by_self.items[kept++] = *f;
    g->by_self.count = kept;
}

/* Removes what the summary does not say. */
static void drop_tables(struct report_graph *g)
{
    struct report_file svg = g->pictures[REPORT_SVG], png = g->pictures[REPORT_PNG];

    keep_busiest(g);
    vec_each (struct report_run, run, &g->runs)
        vec_release(&run->facts);
    release_all(g, vec, facts, runs, exports, by_total, self_changes, total_changes, areas);
    memset(g->pictures, 0, sizeof(g->pictures));
    g->pictures[REPORT_SVG] = svg;
    g->pictures[REPORT_PNG] = png;
    g->alt = g->kept = g->kind_about = slice_make(NULL, 0);
}

void graph_pack(struct report_graph *g)
{
    struct buf all = {0}, rest = {0}, packed = {0};
    struct report_graph brief = {0};
    struct slice in;

    graph_codec_write(g, &all);
    pack(buf_slice(&all), PACK_FAST, &packed);
    drop_tables(g);
    graph_codec_write(g, &rest);
    report_graph_release(g);
    in = buf_slice(&rest);
    if (!graph_codec_read(&in, &brief))
        die("a graph cannot be read back");
    brief.packed = arena_copy(&brief.memory, buf_slice(&packed));
    *g = brief;
    buf_release(&all);
    buf_release(&rest);
    buf_release(&packed);
}

/* Fills `full` with the complete graph. Returns false if the packed bytes are damaged. */
static bool open_packed(struct pack_opener *u, struct slice packed, struct report_graph *full)
{
    struct buf all = {0};
    struct slice in;
    bool ok;

    ok = pack_open(u, packed, MOST, &all);
    in = buf_slice(&all);
    ok = ok && graph_codec_read(&in, full);
    buf_release(&all);
    return ok;
}

bool graph_pack_open(struct pack_opener *u, const struct report_graph *g, struct report_graph *full)
{
    if (!g->packed.len)
        return false;
    if (!open_packed(u, g->packed, full))
        die("a packed graph cannot be read back");
    full->anchor = g->anchor;
    full->is_small = g->is_small;
    full->commentary = g->commentary;
    full->headings = g->headings;
    full->notes_title = g->notes_title;
    full->notes_name = g->notes_name;
    full->notes_anchor = g->notes_anchor;
    return true;
}

void graph_pack_write(const struct report_graph *g, struct buf *out)
{
    graph_codec_write(g, out);
    graph_codec_write_text(out, g->packed);
}

bool graph_pack_read(struct pack_opener *u, struct slice *in, struct report_graph *g)
{
    struct report_graph full = {0};
    struct slice packed;
    bool ok;

    if (!graph_codec_read(in, g) || !graph_codec_read_text(in, &packed))
        return false;
    ok = open_packed(u, packed, &full);
    report_graph_release(&full);
    g->packed = arena_copy(&g->memory, packed);
    return ok;
}
