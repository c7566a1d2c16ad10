#include "input/frame.h"

#include "base/utf8.h"
#include "input/names.h"

struct resolver {
    const struct frame *frame;
    const struct input_options *options;
    struct symbols *symbols;
    struct buf *name;
    struct frame_symbols *out;
    bool cut;
};

/* The class as far as it is asked for. */
static enum symbol_class wanted_class(const struct resolver *r)
{
    const struct input_options *o = r->options;
    enum symbol_class class = r->frame->class;

    if (class == SYMBOL_USER)
        class = names_module_class(r->frame->module);
    if ((class == SYMBOL_KERNEL && !o->kernel) || (class == SYMBOL_JIT && !o->jit) ||
        (class == SYMBOL_INLINED && !o->inlined))
        return SYMBOL_USER;
    return class;
}

static struct slice within_limit(struct resolver *r, struct slice name)
{
    size_t most = r->options->limits.max_name;

    if (name.len <= most)
        return name;
    r->cut = true;
    while (most > 0 && (name.ptr[most] & 0xc0) == 0x80)
        most--;
    return slice_take(name, most);
}

/* Adds r->name as a symbol. */
static void add_symbol(struct resolver *r, enum symbol_class class)
{
    struct slice name, module = names_module_base(r->frame->module);
    struct buf valid;
    uint32_t id;

    if (r->options->srcline && r->frame->file.len) {
        buf_printf(r->name, ":%.*s", SLICE_ARG(r->frame->file));
        if (r->frame->line)
            buf_printf(r->name, ":%llu", (unsigned long long)r->frame->line);
    }
    for (size_t i = 0; i < r->name->len; i++)
        if (r->name->ptr[i] == ';')
            r->name->ptr[i] = ':';
    name = within_limit(r, buf_slice(r->name));
    buf_init(&valid);
    if (!utf8_valid(name)) {
        utf8_add_clean(&valid, name);
        name = buf_slice(&valid);
    }
    if (r->frame->kind == FRAME_ANNOTATED)
        id = symbols_add_annotated(r->symbols, name);
    else
        id = symbols_add(r->symbols, name, class);
    if (module.len && r->symbols->items.items[id].module == SYMBOL_NONE) {
        buf_clear(&valid);
        utf8_add_clean(&valid, r->frame->module);
        symbols_set_module(r->symbols, id, buf_slice(&valid));
    }
    buf_release(&valid);
    *vec_add(r->out) = id;
}

/* "[libc.so.6]", "0x7f12" or "[unknown]" for a frame without a name. */
static void add_nameless(struct resolver *r, enum symbol_class class)
{
    const struct frame *f = r->frame;
    struct slice base = names_module_base(f->module);

    if (slice_starts(base, SLICE("[")) && slice_ends(base, SLICE("]")))
        base = slice_take(slice_skip(base, 1), base.len - 2);
    buf_clear(r->name);
    if (!base.len && f->has_address && f->address) {
        buf_printf(r->name, "0x%llx", (unsigned long long)f->address);
    } else {
        buf_add_char(r->name, '[');
        buf_add_slice(r->name, base.len ? base : SLICE("unknown"));
        if (r->options->addrs && f->has_address)
            buf_printf(r->name, " <%llx>", (unsigned long long)f->address);
        buf_add_char(r->name, ']');
    }
    add_symbol(r, class);
}

static void add_native(struct resolver *r, enum symbol_class class)
{
    struct slice chain = names_strip_offset(r->frame->name), name;

    while (names_next_inlined(&chain, &name)) {
        buf_clear(r->name);
        names_add_clean(r->name, slice_trim(name));
        if (!r->name->len)
            continue;
        add_symbol(r, class);
        class = r->options->inlined ? SYMBOL_INLINED : SYMBOL_USER;
    }
}

bool frame_resolve(const struct frame *f, const struct input_options *options,
                   struct symbols *symbols, struct buf *scratch, struct frame_symbols *out)
{
    struct resolver r = {f, options, symbols, scratch, out, false};
    enum symbol_class class = wanted_class(&r);
    size_t before = out->count;

    if (f->name.len && f->kind <= FRAME_JAVA) {
        add_native(&r, class);
    } else if (f->name.len) {
        buf_clear(scratch);
        buf_add_slice(scratch, f->name);
        add_symbol(&r, class);
    }
    if (out->count == before)
        add_nameless(&r, class);
    return !r.cut;
}
