#include "output/svg_origin.h"

#include <stdlib.h>

#include "base/die.h"
#include "output/public_path.h"

/* The texts met so far. */
struct texts {
    const struct intern *names;
    bool whole;
    struct intern known; /* the number of a text is its id here + 1 */
    uint32_t *number;    /* by name; 0 if the name was not met */
    struct buf bytes;
};

/* What is written of symbols. */
struct columns {
    struct buf modules, files, lines;
};

static struct slice shown(const struct texts *t, struct slice path)
{
    struct slice public = public_path(path);

    if (symbol_module_is_jit(public))
        return SLICE(SYMBOL_MODULE_JIT);
    return t->whole ? path : public;
}

/* Returns the number of a name's text, which is added if it is new; 0 for SYMBOL_NONE. */
static uint32_t text_number(struct texts *t, uint32_t name)
{
    uint32_t count = intern_count(&t->known);
    struct slice text;

    if (name == SYMBOL_NONE)
        return 0;
    if (!t->number[name]) {
        text = shown(t, intern_get(t->names, name));
        t->number[name] = intern_add(&t->known, text) + 1;
        if (t->number[name] > count) {
            svg_tree_number(&t->bytes, text.len);
            buf_add_slice(&t->bytes, text);
        }
    }
    return t->number[name];
}

static void add_symbol(struct texts *texts, struct columns *c, const struct symbol *s, bool lines)
{
    uint32_t module = text_number(texts, s->module);
    uint32_t file = lines ? text_number(texts, s->file) : 0;

    svg_tree_number(&c->modules, module);
    svg_tree_number(&c->files, file);
    if (file)
        svg_tree_number(&c->lines, s->line);
}

void svg_origin_write(const struct symbols *symbols, const struct svg_tree_order *order,
                      enum svg_origin what, struct buf *out)
{
    struct texts texts = {.names = &symbols->names, .whole = what == SVG_ORIGIN_WHOLE};
    struct columns c = {0};

    if (what == SVG_ORIGIN_NONE)
        return;
    texts.number = xcalloc((size_t)intern_count(&symbols->names) + 1, sizeof(*texts.number));
    vec_each (uint32_t, id, &order->symbols)
        add_symbol(&texts, &c, &symbols->items.items[*id], what != SVG_ORIGIN_MODULES);
    if (intern_count(&texts.known)) {
        svg_tree_number(out, intern_count(&texts.known));
        buf_add_slice(out, buf_slice(&texts.bytes));
        buf_add_slice(out, buf_slice(&c.modules));
        buf_add_slice(out, buf_slice(&c.files));
        buf_add_slice(out, buf_slice(&c.lines));
    }
    free(texts.number);
    intern_release(&texts.known);
    buf_release(&texts.bytes);
    release_all(&c, buf, modules, files, lines);
}
