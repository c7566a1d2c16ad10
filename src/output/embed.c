#include "output/embed.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "output/deflate.h"
#include "output/graph_words.h"
#include "output/svg_origin.h"
#include "output/svg_tree.h"

/* No graph with more frames for each byte fits: not worth trying. */
enum { FRAMES_PER_BYTE = 4 };

/* Returns the tree to write: from the root if possible; in the order of time for a chart. */
static const struct tree *choose_tree(const struct picture *p)
{
    const struct tree *t = p->layout->tree;

    return t->whole ? t->whole : t->measured ? t->measured : t;
}

/* Marks the nodes that the function calls, itself included, and those that call it. */
static bool *find_around(const struct svg_pick *pick, uint32_t symbol)
{
    bool *below = xcalloc(pick->count, sizeof(*below));
    bool *kept = xcalloc(pick->count, sizeof(*kept));

    for (uint32_t i = 1; i < pick->count; i++)
        below[i] = below[pick->parent[i]] || pick->tree->symbol[pick->node[i]] == symbol;
    kept[0] = true;
    for (uint32_t i = pick->count; i-- > 1;) {
        kept[i] = kept[i] || below[i];
        if (kept[i])
            kept[pick->parent[i]] = true;
    }
    for (uint32_t i = 0; i < pick->count; i++)
        if (!below[i])
            pick->self[i] = 0;
    xfree(below);
    return kept;
}

/* Keeps the stacks with a function. A tree around a function has no base. */
static void keep_around(struct svg_pick *pick, uint32_t symbol)
{
    bool *kept = find_around(pick, symbol);
    uint32_t *place = xreallocarray(NULL, pick->count, sizeof(*place)), count = 0;

    for (uint32_t i = 0; i < pick->count; i++) {
        if (!kept[i])
            continue;
        place[i] = count;
        pick->node[count] = pick->node[i];
        pick->parent[count] = place[pick->parent[i]];
        pick->self[count] = pick->self[i];
        pick->left_out[count++] = pick->left_out[i];
    }
    pick->count = count;
    xfree(place);
    xfree(kept);
}

/* Counts the frames of a graph. */
static size_t count_frames(const struct tree *t)
{
    size_t count = 0;

    for (uint32_t i = 0; i < t->count; i++)
        count += t->total[i] || (t->base && t->base[i]);
    return count;
}

/* The parts of the chunk that do not depend on what is written of functions. */
struct graph {
    const struct picture *p;
    const struct tree *tree;
    struct svg_tree_order order;
    struct buf symbols, numbers;
};

static void encode_tree(struct graph *g)
{
    const struct tree *drawn = g->p->layout->tree;
    struct svg_pick pick;

    svg_pick_init(&pick, g->tree, UINT32_MAX, 1);
    if (drawn->whole)
        keep_around(&pick, drawn->around);
    svg_tree_write(&pick, &g->symbols, &g->numbers, &g->order);
    svg_pick_release(&pick);
}

/* Appends the chunk's content. Returns the number of its bytes about modules and source lines. */
static size_t write_graph(const struct graph *g, enum svg_origin what, struct buf *out)
{
    struct buf origins = {0}, words = {0};
    size_t count;

    svg_origin_write(&g->tree->profile->symbols, &g->order, what, &origins);
    count = origins.len;
    graph_words_write(g->p, g->tree, count, &words);
    buf_add_slice(out, slice_trim(buf_slice(&words)));
    buf_add_char(out, '\n');
    deflate_bytes(out, (struct deflate_parts){buf_slice(&g->symbols), buf_slice(&g->numbers),
                                              buf_slice(&origins)});
    buf_release(&origins);
    buf_release(&words);
    return count;
}

static bool refuse_size(size_t size, struct buf *why)
{
    buf_add_str(why, "not embedded: more than ");
    num_write_grouped(why, EMBED_MOST, 0);
    buf_add_str(why, " bytes");
    if (size) {
        buf_add_str(why, " (");
        num_write_grouped(why, size, 0);
        buf_add_char(why, ')');
    }
    buf_add_str(why, "; draw with --embed=always");
    return false;
}

/* Writes as much of functions as fits. Returns false with the smallest size if nothing fits. */
static bool write_fitting(const struct graph *g, enum svg_origin most, struct buf *out,
                          struct buf *why, struct buf *lost)
{
    static const char *const missing[] = {
        [SVG_ORIGIN_NONE] = "modules and source lines ",
        [SVG_ORIGIN_MODULES] = "source lines ",
    };
    size_t start = out->len, size, origins;
    enum svg_origin what = most;

    for (;;) {
        origins = write_graph(g, what, out);
        size = out->len - start;
        if (size <= EMBED_MOST || what == SVG_ORIGIN_NONE || size > EMBED_MOST + 2 * origins)
            break;
        buf_cut(out, start);
        what = what == SVG_ORIGIN_MODULES ? SVG_ORIGIN_NONE : SVG_ORIGIN_MODULES;
    }
    if (size > EMBED_MOST) {
        buf_cut(out, start);
        return refuse_size(size, why);
    }
    if (what != most) {
        buf_add_str(lost, missing[what]);
        refuse_size(0, lost);
    }
    return true;
}

static bool write_profile(const struct picture *p, const struct tree *t, struct buf *out,
                          struct buf *why, struct buf *lost)
{
    enum svg_origin most = p->options.look.source_url.len ? SVG_ORIGIN_WHOLE : SVG_ORIGIN_PUBLIC;
    struct graph g = {.p = p, .tree = t};
    bool ok = true;

    encode_tree(&g);
    if (p->options.look.embed == EMBED_ALWAYS)
        write_graph(&g, most, out);
    else
        ok = write_fitting(&g, most, out, why, lost);
    vec_release(&g.order.symbols);
    buf_release(&g.symbols);
    buf_release(&g.numbers);
    return ok;
}

bool embed_write(const struct picture *p, struct buf *out, struct buf *why, struct buf *lost)
{
    const struct tree *t;

    p = picture_stack_last(p);
    t = choose_tree(p);
    if (p->options.look.embed == EMBED_NEVER || p->options.heat) {
        buf_add_str(why, p->options.heat ? "not embedded: a heat map shows no stacks"
                                         : "not embedded: drawn with --embed=never");
        return false;
    }
    if (p->options.look.embed == EMBED_AUTO &&
        count_frames(t) > (size_t)EMBED_MOST * FRAMES_PER_BYTE)
        return refuse_size(0, why);
    return write_profile(p, t, out, why, lost);
}

enum { MAGIC = 8, LENGTH = 4, TYPE = 4, FRAME = 12 }; /* a length, a type and a checksum */

/* Moves the next chunk of a PNG, with its length and checksum, from `*rest` to `*chunk`. */
static bool next_chunk(struct slice *rest, struct slice *chunk)
{
    const unsigned char *b = (const unsigned char *)rest->ptr;
    size_t size;

    if (rest->len < FRAME)
        return false;
    size = FRAME + ((size_t)b[0] << 24 | (size_t)b[1] << 16 | (size_t)b[2] << 8 | b[3]);
    *chunk = slice_take(*rest, size);
    *rest = slice_skip(*rest, size);
    return true;
}

size_t embed_size(struct slice png)
{
    struct slice chunk;

    png = slice_skip(png, MAGIC);
    while (next_chunk(&png, &chunk))
        if (slice_starts(slice_skip(chunk, LENGTH), SLICE(EMBED_CHUNK)))
            return chunk.len;
    return 0;
}

struct slice embed_lost(struct slice png)
{
    /* A key; not compressed, no language, no key in that language. */
    static const char start_text[] = "iTXt" EMBED_ORIGINS_TEXT "\0\0\0\0";
    static const struct slice start = {start_text, sizeof(start_text)};
    struct slice chunk;

    png = slice_skip(png, MAGIC);
    while (next_chunk(&png, &chunk)) {
        struct slice text = slice_skip(chunk, LENGTH);

        if (slice_starts(text, start))
            return slice_take(slice_skip(text, start.len), chunk.len - FRAME + TYPE - start.len);
    }
    return slice_make(NULL, 0);
}
