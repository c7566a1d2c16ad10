#include "input/build/frame.h"

#include "base/ascii.h"
#include "base/num.h"
#include "base/utf8.h"
#include "input/build/dotnet.h"
#include "input/build/names.h"
#include "input/build/python.h"

struct resolver {
    struct frame frame;
    const struct input_options *options;
    struct symbols *symbols;
    struct buf *name;
    struct frame_symbols *out;
    bool cut;
};

/* ---- what the text holds besides the name --------------------------------------------------- */

/*
 * "libc.so.6`malloc": DTrace writes the module before the name. .NET writes the number of
 * parameters after the name of a type: "List`1.Add".
 */
static void split_module(struct frame *f)
{
    size_t tick = slice_find(f->name, '`');
    struct slice module = slice_take(f->name, tick), rest = slice_skip(f->name, tick + 1);

    if (!tick || tick == f->name.len || slice_find(module, ' ') < tick ||
        slice_find(module, '(') < tick)
        return;
    if (rest.len && ascii_is_digit(rest.ptr[0]) && !slice_starts(rest, SLICE("0x")))
        return;
    f->name = slice_skip(f->name, tick + 1);
    if (!f->module.len)
        f->module = module;
}

/* A name that is nothing but an address: "0x7f12". */
static bool take_address(struct frame *f)
{
    if (!slice_starts(f->name, SLICE("0x")) || !num_parse_hex(slice_skip(f->name, 2), &f->address))
        return false;
    f->has_address = true;
    return true;
}

bool frame_is_nameless(const struct frame *f)
{
    static const struct slice missing[] = {{"??", 2}, {"???", 3}, {"[unknown]", 9}};

    if (f->kind > FRAME_JAVA || !f->name.len)
        return !f->name.len;
    for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
        if (f->name.ptr[0] == missing[i].ptr[0] && slice_equal(f->name, missing[i]))
            return true;
    return false;
}

static void take_text_apart(struct frame *f)
{
    if (f->kind > FRAME_JAVA)
        return;
    split_module(f);
    if (frame_is_nameless(f) || take_address(f))
        f->name = slice_make(NULL, 0);
    if (slice_equal(f->module, SLICE("[unknown]")))
        f->module = slice_make(NULL, 0);
}

/* ---- symbols -------------------------------------------------------------------------------- */

/* How the code of a virtual machine came to be. */
static bool is_java_class(enum symbol_class class)
{
    return class == SYMBOL_JIT || class == SYMBOL_INTERPRETED || class == SYMBOL_BASELINE;
}

enum symbol_class frame_wanted_class(const struct input_options *o, enum symbol_class class)
{
    bool left_out = ((class == SYMBOL_KERNEL || symbol_class_is_device(class)) && !o->kernel) ||
                    (is_java_class(class) && !o->jit) || (class == SYMBOL_INLINED && !o->inlined);

    return left_out ? SYMBOL_USER : class;
}

/* The class as far as it is asked for. What the text itself calls inlined always is. */
static enum symbol_class wanted_class(struct resolver *r)
{
    const struct input_options *o = r->options;
    struct frame *f = &r->frame;
    enum symbol_class class = f->class;
    bool state = class == SYMBOL_INLINED && !f->has_class;

    if (f->kind == FRAME_OWNER)
        return class == SYMBOL_WAKER ? SYMBOL_WAKER_OWNER : SYMBOL_OWNER;
    if (class == SYMBOL_USER && !f->has_class) {
        class = names_module_class(f->module);
        if (class == SYMBOL_INLINED)
            f->module = slice_make(NULL, 0);
    }
    if (class == SYMBOL_INLINED && !state)
        r->symbols->written |= 1u << class;
    else
        class = frame_wanted_class(o, class);
    if (o->join_states && (state || is_java_class(class)))
        r->symbols->states |= 1u << class;
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

static void strip_addresses(struct buf *name)
{
    struct buf stripped = {0};

    names_add_without_addresses(&stripped, buf_slice(name));
    buf_clear(name);
    buf_add_slice(name, buf_slice(&stripped));
    buf_release(&stripped);
}

/* What is added to a name as the options ask. */
static void complete_name(struct resolver *r)
{
    struct buf *name = r->name;

    if (r->options->srcline && r->frame.file.len) {
        buf_printf(name, ":%.*s", SLICE_ARG(r->frame.file));
        if (r->frame.line)
            buf_printf(name, ":%llu", (unsigned long long)r->frame.line);
    }
    for (size_t i = 0; i < name->len; i++)
        if (name->ptr[i] == ';')
            name->ptr[i] = ':';
    if (r->options->strip_addresses)
        strip_addresses(name);
}

/* The module of a function: the binary or library, or its script. */
static struct slice module_of(const struct frame *f)
{
    return f->module.len || f->kind != FRAME_PLAIN ? f->module : f->file;
}

/* Adds r->name as a symbol. */
static void add_symbol(struct resolver *r, enum symbol_class class)
{
    struct slice name, module = module_of(&r->frame);
    struct buf valid = {0};
    uint32_t id;

    complete_name(r);
    name = within_limit(r, buf_slice(r->name));
    if (!utf8_valid(name)) {
        utf8_add_clean(&valid, name);
        name = buf_slice(&valid);
    }
    if (r->frame.kind == FRAME_ANNOTATED)
        id = symbols_add_annotated(r->symbols, name);
    else
        id = symbols_add(r->symbols, name, class);
    if (names_module_base(module).len && r->symbols->items.items[id].module == SYMBOL_NONE) {
        buf_clear(&valid);
        utf8_add_clean(&valid, module);
        symbols_set_module(r->symbols, id, buf_slice(&valid));
    }
    if (r->frame.file.len && r->symbols->items.items[id].file == SYMBOL_NONE) {
        buf_clear(&valid);
        utf8_add_clean(&valid, r->frame.file);
        symbols_set_source(r->symbols, id, buf_slice(&valid), r->frame.line);
    }
    buf_release(&valid);
    *vec_add(r->out) = id;
}

/* "[libc.so.6]", "0x7f12" or "[unknown]" for a frame without a name. */
static void add_nameless(struct resolver *r, enum symbol_class class)
{
    const struct frame *f = &r->frame;
    struct slice base = names_module_base(f->module);

    if (slice_starts(base, SLICE("[")) && slice_ends(base, SLICE("]")))
        base = slice_take(slice_skip(base, 1), base.len - 2);
    buf_clear(r->name);
    if (!base.len && f->has_address && f->address && !r->options->addrs) {
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

static bool demangles(const struct input_options *o)
{
    return !o->no_demangling && o->names == NAMES_CLEAN;
}

/* Returns true if anything is left of the function's name. */
static bool add_function(struct resolver *r, struct slice name, enum symbol_class class)
{
    buf_clear(r->name);
    if (r->frame.kind == FRAME_JAVA)
        names_add_java(r->name, slice_trim(name));
    else
        names_add_native(r->name, slice_trim(name), demangles(r->options));
    if (r->name->len)
        add_symbol(r, class);
    return r->name->len;
}

/* A function, or a chain of them: the caller, and what is inlined into it. */
static void add_functions(struct resolver *r, enum symbol_class class)
{
    struct slice chain = r->frame.name, name;

    if (!names_is_chain(chain)) {
        add_function(r, chain, class);
        return;
    }
    while (names_next_inlined(&chain, &name))
        if (add_function(r, name, class)) {
            class = SYMBOL_INLINED;
            r->symbols->written |= chain.len ? 1u << class : 0;
        }
}

enum frame_kind frame_kind_of(struct slice file)
{
    static const struct {
        struct slice ending;
        enum frame_kind kind;
    } languages[] = {
        {{".java", 5}, FRAME_JAVA}, {{".kt", 3}, FRAME_JAVA},     {{".scala", 6}, FRAME_JAVA},
        {{".clj", 4}, FRAME_JAVA},  {{".groovy", 7}, FRAME_JAVA}, {{".py", 3}, FRAME_PLAIN},
        {{".js", 3}, FRAME_PLAIN},  {{".mjs", 4}, FRAME_PLAIN},   {{".cjs", 4}, FRAME_PLAIN},
        {{".ts", 3}, FRAME_PLAIN},  {{".tsx", 4}, FRAME_PLAIN},   {{".jsx", 4}, FRAME_PLAIN},
        {{".rb", 3}, FRAME_PLAIN},  {{".php", 4}, FRAME_PLAIN},   {{".lua", 4}, FRAME_PLAIN},
        {{".pl", 3}, FRAME_PLAIN},  {{".ex", 3}, FRAME_PLAIN},    {{".erl", 4}, FRAME_PLAIN},
        {{".exs", 4}, FRAME_PLAIN}, {{".jl", 3}, FRAME_PLAIN},    {{".cr", 3}, FRAME_PLAIN},
    };

    for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++)
        if (slice_ends(file, languages[i].ending))
            return languages[i].kind;
    return FRAME_NATIVE;
}

/* A name of Datadog's profiler says its module itself. */
static bool take_dotnet(struct resolver *r, struct buf *name)
{
    struct frame *f = &r->frame;
    struct slice module;

    if (f->kind > FRAME_PLAIN || !demangles(r->options) || !dotnet_add_name(name, f->name, &module))
        return false;
    f->name = buf_slice(name);
    f->kind = FRAME_PLAIN;
    if (!f->module.len)
        f->module = module;
    return true;
}

/* The "_[k]" at the end of a frame of folded stacks, or nothing. */
static struct slice annotation(struct slice text)
{
    struct slice end = slice_skip(text, text.len > 4 ? text.len - 4 : text.len);

    return slice_starts(end, SLICE("_[")) && slice_ends(end, SLICE("]")) ? end : SLICE("");
}

/* "@0x564fb69963f0": LuaJIT's profiler has no names for functions of C. */
static bool is_lua_address(struct slice name)
{
    uint64_t address;

    return slice_starts(name, SLICE("@0x")) && num_parse_hex(slice_skip(name, 3), &address);
}

/* Appends the name as the options want it; nothing if that is how it is written. */
static void add_rewritten(struct slice text, const struct input_options *options, struct buf *out)
{
    struct slice class = annotation(text), module;
    struct slice name = slice_take(text, text.len - class.len);

    if (options->names == NAMES_CLEAN && !options->addrs && is_lua_address(name))
        buf_add_str(out, "[unknown]");
    else if (demangles(options) &&
             (dotnet_add_name(out, name, &module) || names_add_decoded(out, name)))
        buf_add_slice(out, class);
}

/* Writes a name to `out` that is kept as it is, but for what the options ask for. */
static void copy_name(struct resolver *r, struct buf *out)
{
    struct frame *f = &r->frame;
    struct frame_place place = {0};

    buf_clear(out);
    if (f->kind == FRAME_ANNOTATED)
        frame_rewrite(f->name, r->options, out, &place);
    else if (f->kind != FRAME_OWNER)
        add_rewritten(f->name, r->options, out);
    if (!out->len)
        buf_add_slice(out, f->name);
    if (place.file.len && !f->file.len) {
        f->file = place.file;
        f->line = place.line;
    }
}

bool frame_resolve(const struct frame *f, const struct input_options *options,
                   struct symbols *symbols, struct buf *scratch, struct frame_symbols *out)
{
    struct resolver r = {*f, options, symbols, scratch, out, false};
    struct buf dotnet = {0};
    size_t before = out->count;
    enum symbol_class class;

    if (!take_dotnet(&r, &dotnet))
        take_text_apart(&r.frame);
    class = wanted_class(&r);
    if (r.frame.name.len && r.frame.kind <= FRAME_JAVA) {
        add_functions(&r, class);
    } else if (r.frame.name.len) {
        copy_name(&r, scratch);
        add_symbol(&r, class);
    }
    if (out->count == before)
        add_nameless(&r, class);
    buf_release(&dotnet);
    return !r.cut;
}

bool frame_rewrite(struct slice text, const struct input_options *options, struct buf *out,
                   struct frame_place *place)
{
    struct slice class = annotation(text);
    bool split = !options->keeps_lines && options->names == NAMES_CLEAN;

    *place = (struct frame_place){0};
    buf_clear(out);
    if (split &&
        python_split_line(slice_take(text, text.len - class.len), out, &place->file, &place->line))
        buf_add_slice(out, class);
    else
        add_rewritten(text, options, out);
    if (options->strip_addresses) {
        if (!out->len)
            buf_add_slice(out, text);
        strip_addresses(out);
    }
    return out->len > 0;
}
