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

/* Drops the tables, which the summary page does not show. */
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
    g->alt = g->runs_path = g->kind_about = slice_make(NULL, 0);
}

void graph_pack_shorten(struct report_graph *g)
{
    if (!g->packed.only)
        drop_tables(g);
    g->packed.only = true;
}

/* Shortens a graph and gives the memory of its tables back. */
static void shrink(struct report_graph *g)
{
    struct report_graph brief = {0};
    struct buf bytes = {0};
    struct slice in;

    graph_pack_shorten(g);
    graph_codec_write(g, &bytes);
    in = buf_slice(&bytes);
    if (!graph_codec_read(&in, &brief))
        die("a graph cannot be read back");
    brief.packed = (struct report_packed){arena_copy(&brief.memory, g->packed.bytes), true};
    report_graph_release(g);
    *g = brief;
    buf_release(&bytes);
}

void graph_pack(struct report_graph *g, bool whole)
{
    struct buf all = {0}, packed = {0};

    graph_codec_write(g, &all);
    pack(buf_slice(&all), PACK_FAST, &packed);
    g->packed.bytes = arena_copy(&g->memory, buf_slice(&packed));
    if (!whole)
        shrink(g);
    buf_release(&all);
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
    if (!g->packed.only)
        return false;
    if (!open_packed(u, g->packed.bytes, full))
        die("a packed graph cannot be read back");
    report_record_copy_report(full, g);
    return true;
}

void graph_pack_complete(struct report_graph *g)
{
    struct report_graph full = {0};

    if (!g->packed.only)
        return;
    if (!open_packed(NULL, g->packed.bytes, &full))
        die("a packed graph cannot be read back");
    report_graph_release(g);
    *g = full;
}

void graph_pack_write(const struct report_graph *g, struct buf *out)
{
    graph_codec_write_text(out, g->packed.bytes);
}

bool graph_pack_read(struct pack_opener *u, struct slice *in, bool whole, struct report_graph *g)
{
    struct slice packed;

    if (!graph_codec_read_text(in, &packed) || !open_packed(u, packed, g))
        return false;
    g->packed.bytes = arena_copy(&g->memory, packed);
    if (!whole)
        shrink(g);
    return true;
}
