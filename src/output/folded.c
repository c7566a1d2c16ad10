#include "output/folded.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/num.h"
#include "base/vec.h"
#include "profile/folded_head.h"

enum { FOLDED_BLOCK = 256 * 1024 };

/*
 * A name is followed by the end of the stack or by ';'. The two sort
 * differently against a sibling's name ("a" < "a.x" < "a;b"), so each symbol
 * has a rank for either ending.
 */
struct ending {
    struct slice text;
    uint32_t symbol;
    bool inner; /* more frames follow */
};

/* Something to write: the line of a node, or all lines below it. */
struct item {
    uint32_t node;
    uint32_t rank;
    size_t prefix; /* bytes of the path above the node, ';' included */
    bool inner;
};

struct writer {
    const struct profile *profile;
    const struct series **columns;
    size_t column_count;
    unsigned decimals;          /* of the weights as they are written */
    bool escapes;               /* in names */
    struct slice *text;         /* by symbol; NULL if it is not written */
    uint32_t *rank[2];          /* by symbol, [1] for an ending with ';' */
    VEC(struct ending) endings; /* of the symbols that are written, until they are ranked */
    uint32_t **entry;           /* by column and node: index + 1 into the column's weights, or 0 */
    uint32_t *first, *next;     /* children lists, 0 at the end */
    VEC(struct item) items;     /* open siblings; the next one to write is the last */
    struct buf path, out;
    struct arena memory;
};

/* Writes a name so that nothing in it separates frames or lines. */
static struct slice escape_text(struct arena *memory, const struct symbols *symbols, uint32_t id)
{
    struct slice name = symbol_name(symbols, id), text;
    struct buf out = {0};

    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];

        if (c == ';' || c == '\\' || c == '\n' || c == '\r' || (c == '#' && !i))
            buf_add_char(&out, '\\');
        buf_add_char(&out, c == '\n' ? 'n' : c == '\r' ? 'r' : c);
    }
    if (symbol_class(symbols, id) == SYMBOL_OWNER)
        buf_add_str(&out, FOLDED_OWNER);
    buf_add_slice(&out, symbol_suffix(symbol_class(symbols, id)));
    text = arena_copy(memory, buf_slice(&out));
    buf_release(&out);
    return text;
}

static struct slice display_text(struct arena *memory, const struct symbols *symbols, uint32_t id)
{
    struct slice name = symbol_name(symbols, id);
    struct slice suffix = symbol_suffix(symbol_class(symbols, id));
    char *text = arena_alloc(memory, name.len + suffix.len + 1);

    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];

        text[i] = c;
        if (c == ';')
            text[i] = ':';
        else if (c == '\n' || c == '\r')
            text[i] = ' ';
    }
    if (suffix.len)
        memcpy(text + name.len, suffix.ptr, suffix.len);
    return slice_make(text, name.len + suffix.len);
}

static int compare_endings(const void *a, const void *b)
{
    const struct ending *x = a, *y = b;
    size_t common = x->text.len < y->text.len ? x->text.len : y->text.len;
    int order = common ? memcmp(x->text.ptr, y->text.ptr, common) : 0;
    int after_x, after_y;

    if (order)
        return order;
    after_x = x->text.len > common ? (unsigned char)x->text.ptr[common] : x->inner ? ';' : -1;
    after_y = y->text.len > common ? (unsigned char)y->text.ptr[common] : y->inner ? ';' : -1;
    if (after_x != after_y)
        return after_x < after_y ? -1 : 1;
    return (x->symbol > y->symbol) - (x->symbol < y->symbol);
}

static bool has_line(const struct writer *w, uint32_t node)
{
    for (size_t c = 0; c < w->column_count; c++)
        if (w->entry[c][node])
            return true;
    return false;
}

/* Gives a symbol its text. A series may have few of the symbols of its profile. */
static void need_symbol(struct writer *w, uint32_t symbol)
{
    const struct symbols *symbols = &w->profile->symbols;

    if (w->text[symbol].ptr)
        return;
    w->text[symbol] = w->escapes ? escape_text(&w->memory, symbols, symbol)
                                 : display_text(&w->memory, symbols, symbol);
    for (int inner = 0; inner < 2; inner++)
        *vec_add(&w->endings) = (struct ending){w->text[symbol], symbol, inner};
}

/* Finds the nodes that have lines, and links all nodes on the way to one to their parents. */
static void link_nodes(struct writer *w)
{
    const struct stacks *stacks = &w->profile->stacks;

    w->entry = xreallocarray(NULL, w->column_count, sizeof(*w->entry));
    for (size_t c = 0; c < w->column_count; c++) {
        w->entry[c] = xcalloc(stacks->count, sizeof(uint32_t));
        for (uint32_t i = 0; i < w->columns[c]->count; i++)
            w->entry[c][w->columns[c]->stack[i]] = i + 1;
    }
    w->text = xcalloc(symbols_count(&w->profile->symbols), sizeof(*w->text));
    w->first = xcalloc(stacks->count, sizeof(uint32_t));
    w->next = xcalloc(stacks->count, sizeof(uint32_t));
    for (uint32_t node = stacks->count; node-- > 1;) {
        uint32_t parent = stacks->parent[node];

        if (!w->first[node] && !has_line(w, node))
            continue;
        w->next[node] = w->first[parent];
        w->first[parent] = node;
        need_symbol(w, stacks->symbol[node]);
    }
}

/* Ranks the symbols of linked nodes among each other. */
static void rank_symbols(struct writer *w)
{
    uint32_t count = symbols_count(&w->profile->symbols);

    for (int inner = 0; inner < 2; inner++)
        w->rank[inner] = xreallocarray(NULL, count, sizeof(uint32_t));
    if (w->endings.count)
        qsort(w->endings.items, w->endings.count, sizeof(*w->endings.items), compare_endings);
    for (size_t i = 0; i < w->endings.count; i++)
        w->rank[w->endings.items[i].inner][w->endings.items[i].symbol] = (uint32_t)i;
    vec_release(&w->endings);
}

static int compare_items(const void *a, const void *b)
{
    const struct item *x = a, *y = b;

    /* The next item to write is the last. */
    return (x->rank < y->rank) - (x->rank > y->rank);
}

static void push_children(struct writer *w, uint32_t node, size_t prefix)
{
    size_t start = w->items.count;

    for (uint32_t child = w->first[node]; child; child = w->next[child]) {
        uint32_t symbol = w->profile->stacks.symbol[child];

        if (has_line(w, child))
            *vec_add(&w->items) = (struct item){child, w->rank[0][symbol], prefix, false};
        if (w->first[child])
            *vec_add(&w->items) = (struct item){child, w->rank[1][symbol], prefix, true};
    }
    if (w->items.count - start > 1)
        qsort(w->items.items + start, w->items.count - start, sizeof(struct item), compare_items);
}

static void write_line(struct writer *w, uint32_t node)
{
    buf_add_slice(&w->out, buf_slice(&w->path));
    for (size_t c = 0; c < w->column_count; c++) {
        uint32_t entry = w->entry[c][node];

        buf_add_char(&w->out, ' ');
        num_write_decimal(&w->out, entry ? w->columns[c]->weight[entry - 1] : 0, w->decimals);
    }
    buf_add_char(&w->out, '\n');
}

static bool write_all(struct writer *w, folded_sink *sink, void *context)
{
    if (has_line(w, STACK_ROOT))
        write_line(w, STACK_ROOT);
    push_children(w, STACK_ROOT, 0);
    while (w->items.count) {
        struct item item = w->items.items[--w->items.count];

        w->path.len = item.prefix;
        buf_add_slice(&w->path, w->text[w->profile->stacks.symbol[item.node]]);
        if (item.inner) {
            buf_add_char(&w->path, ';');
            push_children(w, item.node, w->path.len);
        } else {
            write_line(w, item.node);
        }
        if (w->out.len >= FOLDED_BLOCK) {
            if (!sink(context, buf_slice(&w->out)))
                return false;
            buf_clear(&w->out);
        }
    }
    return !w->out.len || sink(context, buf_slice(&w->out));
}

/* Writes all columns and releases the writer. */
static bool run_writer(struct writer *w, folded_sink *sink, void *context)
{
    bool ok;

    link_nodes(w);
    rank_symbols(w);
    ok = write_all(w, sink, context);

    free(w->text);
    for (unsigned i = 0; i < 2; i++)
        free(w->rank[i]);
    for (size_t c = 0; c < w->column_count; c++)
        free(w->entry[c]);
    free(w->entry);
    free(w->first);
    free(w->next);
    vec_release(&w->items);
    release_all(w, buf, path, out);
    arena_release(&w->memory);
    return ok;
}

bool folded_write(const struct profile *p, uint32_t series, const struct unit *unit,
                  folded_sink *sink, void *context)
{
    const struct series *columns[2] = {&p->series.items[series], &p->series.items[series]};
    struct writer w = {
        .profile = p, .columns = columns, .column_count = 1, .decimals = p->decimals};

    if (columns[0]->base != SERIES_NONE) {
        columns[0] = &p->series.items[columns[0]->base];
        w.column_count = 2;
    }
    if (unit)
        folded_head_write(p, series, unit, &w.out);
    return run_writer(&w, sink, context);
}

bool folded_write_columns(const struct profile *p, const uint32_t *series, size_t count,
                          folded_sink *sink, void *context)
{
    struct writer w = {.profile = p, .column_count = count, .escapes = true};
    bool ok;

    w.columns = xreallocarray(NULL, count, sizeof(*w.columns));
    for (size_t i = 0; i < count; i++)
        w.columns[i] = &p->series.items[series[i]];
    ok = run_writer(&w, sink, context);
    free(w.columns);
    return ok;
}
