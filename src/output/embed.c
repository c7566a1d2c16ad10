#include "output/embed.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "output/deflate.h"
#include "output/graph_words.h"
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

static void write_graph(const struct picture *p, const struct tree *t, struct buf *out)
{
    struct svg_tree_order order = {0};
    struct buf symbols = {0}, numbers = {0}, words = {0};
    struct svg_pick pick;

    svg_pick_init(&pick, t, UINT32_MAX);
    if (p->layout->tree->whole)
        keep_around(&pick, p->layout->tree->around);
    svg_tree_write(&pick, &symbols, &numbers, &order);
    graph_words_write(p, t, &words);
    buf_add_slice(out, slice_trim(buf_slice(&words)));
    buf_add_char(out, '\n');
    deflate_bytes(out, buf_slice(&symbols), buf_slice(&numbers));
    svg_pick_release(&pick);
    vec_release(&order.symbols);
    buf_release(&symbols);
    buf_release(&numbers);
    buf_release(&words);
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

bool embed_write(const struct picture *p, struct buf *out, struct buf *why)
{
    const struct tree *t;
    size_t start = out->len;

    p = picture_stack_last(p);
    t = choose_tree(p);
    if (p->options.embed == EMBED_NEVER || p->options.heat) {
        buf_add_str(why, p->options.heat ? "not embedded: a heat map shows no stacks"
                                         : "not embedded: drawn with --embed=never");
        return false;
    }
    if (p->options.embed == EMBED_AUTO && count_frames(t) > (size_t)EMBED_MOST * FRAMES_PER_BYTE)
        return refuse_size(0, why);
    write_graph(p, t, out);
    if (p->options.embed == EMBED_ALWAYS || out->len - start <= EMBED_MOST)
        return true;
    refuse_size(out->len - start, why);
    buf_cut(out, start);
    return false;
}

size_t embed_size(struct slice png)
{
    enum { MAGIC = 8, LENGTH = 4, FRAME = 12 }; /* a length, a type and a checksum */
    size_t at = MAGIC;

    while (png.len >= at + FRAME) {
        const unsigned char *b = (const unsigned char *)png.ptr + at;
        size_t size = FRAME + ((size_t)b[0] << 24 | (size_t)b[1] << 16 | (size_t)b[2] << 8 | b[3]);

        if (memcmp(b + LENGTH, EMBED_CHUNK, strlen(EMBED_CHUNK)) == 0)
            return size;
        at += size;
    }
    return 0;
}
