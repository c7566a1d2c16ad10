#include "output/svg_origin.h"

#include <stdlib.h>

#include "base/die.h"

/* The texts met so far. */
struct texts {
    const struct intern *names;
    uint32_t *number; /* by name, from 1; 0 if the name is none of the texts */
    uint32_t count;
    struct buf bytes;
};

/* Returns the number of a text, which is added if it is new; 0 for SYMBOL_NONE. */
static uint32_t text_number(struct texts *t, uint32_t name)
{
    struct slice text;

    if (name == SYMBOL_NONE)
        return 0;
    if (!t->number[name]) {
        text = intern_get(t->names, name);
        t->number[name] = ++t->count;
        svg_tree_number(&t->bytes, text.len);
        buf_add_slice(&t->bytes, text);
    }
    return t->number[name];
}

void svg_origin_write(const struct symbols *symbols, const struct svg_tree_order *order,
                      struct buf *out)
{
    struct texts texts = {.names = &symbols->names};
    struct buf modules = {0}, files = {0}, lines = {0};

    texts.number = xcalloc((size_t)intern_count(&symbols->names) + 1, sizeof(*texts.number));
    vec_each (uint32_t, id, &order->symbols) {
        const struct symbol *s = &symbols->items.items[*id];

        svg_tree_number(&modules, text_number(&texts, s->module));
        svg_tree_number(&files, text_number(&texts, s->file));
        if (s->file != SYMBOL_NONE)
            svg_tree_number(&lines, s->line);
    }
    if (texts.count) {
        svg_tree_number(out, texts.count);
        buf_add_slice(out, buf_slice(&texts.bytes));
        buf_add_slice(out, buf_slice(&modules));
        buf_add_slice(out, buf_slice(&files));
        buf_add_slice(out, buf_slice(&lines));
    }
    free(texts.number);
    buf_release(&texts.bytes);
    buf_release(&modules);
    buf_release(&files);
    buf_release(&lines);
}
