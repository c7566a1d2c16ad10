#include "profile/symbol.h"

#include "base/utf8.h"

struct class_names {
    const char *suffix, *word;
};

static const struct class_names class_names[SYMBOL_CLASSES] = {
    [SYMBOL_USER] = {"", "user"},
    [SYMBOL_KERNEL] = {"_[k]", "kernel"},
    [SYMBOL_INLINED] = {"_[i]", "inlined"},
    [SYMBOL_JIT] = {"_[j]", "jit"},
    [SYMBOL_INTERPRETED] = {"_[0]", "interpreted"},
    [SYMBOL_BASELINE] = {"_[1]", "baseline"},
    [SYMBOL_WAKER] = {"_[w]", "waker"},
    [SYMBOL_ON_CPU] = {"_[h]", "on-CPU"},
    [SYMBOL_OFF_CPU] = {"_[c]", "off-CPU"},
    [SYMBOL_SEPARATOR] = {"", "separator"},
    [SYMBOL_OWNER] = {"", "owner"},
    [SYMBOL_WAKER_OWNER] = {"_[w]", "waking owner"},
    [SYMBOL_DEVICE] = {"_[G]", "device"},
    [SYMBOL_DEVICE_INSTRUCTION] = {"_[g]", "device-instruction"},
};

enum { SUFFIX_LENGTH = 4 };

void symbols_release(struct symbols *s)
{
    intern_release(&s->names);
    map_release(&s->index);
    vec_release(&s->items);
}

static bool same_symbol(const void *context, uint32_t id, const void *key)
{
    const struct symbol *a = &((const struct symbols *)context)->items.items[id];
    const struct symbol *b = key;

    return a->name == b->name && a->class == b->class;
}

uint32_t symbols_add(struct symbols *s, struct slice name, enum symbol_class class)
{
    struct symbol symbol = {
        .name = intern_add(&s->names, name),
        .module = SYMBOL_NONE,
        .file = SYMBOL_NONE,
        .class = class,
    };
    uint64_t hash = map_hash_pair(&s->index, symbol.name, class);
    uint32_t id = map_find(&s->index, hash, same_symbol, s, &symbol);

    if (id != MAP_NONE)
        return id;
    id = symbols_count(s);
    *vec_add(&s->items) = symbol;
    s->classes |= 1u << class;
    map_add(&s->index, hash, id);
    return id;
}

uint32_t symbols_find(const struct symbols *s, struct slice name, enum symbol_class class)
{
    struct symbol symbol = {.name = intern_find(&s->names, name), .class = class};
    uint32_t id;

    if (symbol.name == MAP_NONE)
        return SYMBOL_NONE;
    id = map_find(&s->index, map_hash_pair(&s->index, symbol.name, class), same_symbol, s, &symbol);
    return id == MAP_NONE ? SYMBOL_NONE : id;
}

/* Returns the class given by the suffix of `text`; SYMBOL_USER if there is none. */
static enum symbol_class class_of(struct slice text)
{
    const char *at = text.ptr + text.len - SUFFIX_LENGTH;

    /* A suffix alone is a name, because a frame needs a name. */
    if (text.len <= SUFFIX_LENGTH || at[0] != '_' || at[1] != '[' || at[3] != ']')
        return SYMBOL_USER;
    for (enum symbol_class class = SYMBOL_USER; class < SYMBOL_CLASSES; class ++)
        if (class_names[class].suffix[0] && class_names[class].suffix[2] == at[2])
            return class;
    return SYMBOL_USER;
}

uint32_t symbols_add_annotated(struct symbols *s, struct slice text)
{
    enum symbol_class class;
    struct buf clean = {0};
    uint32_t id;

    if (slice_equal(text, SLICE("-")) || slice_equal(text, SLICE("--")))
        return symbols_add(s, text, SYMBOL_SEPARATOR);
    class = class_of(text);
    if (class != SYMBOL_USER) {
        text.len -= SUFFIX_LENGTH;
        s->written |= 1u << class;
    }
    if (utf8_valid(text))
        return symbols_add(s, text, class);
    utf8_add_clean(&clean, text);
    id = symbols_add(s, buf_slice(&clean), class);
    buf_release(&clean);
    return id;
}

uint32_t symbols_add_text(struct symbols *s, struct slice text)
{
    return intern_add(&s->names, text);
}

void symbols_set_origin(struct symbols *s, uint32_t id, uint32_t module, uint32_t file,
                        uint64_t line)
{
    struct symbol *symbol = &s->items.items[id];

    BUG_ON(id >= symbols_count(s));
    if (symbol->module == SYMBOL_NONE)
        symbol->module = module;
    if (symbol->file != SYMBOL_NONE || file == SYMBOL_NONE)
        return;
    symbol->file = file;
    symbol->line = line < UINT32_MAX ? (uint32_t)line : 0;
}

void symbols_set_module(struct symbols *s, uint32_t id, struct slice module)
{
    BUG_ON(id >= symbols_count(s));
    if (s->items.items[id].module == SYMBOL_NONE)
        s->items.items[id].module = intern_add(&s->names, module);
}

void symbols_set_source(struct symbols *s, uint32_t id, struct slice file, uint64_t line)
{
    BUG_ON(id >= symbols_count(s));
    if (s->items.items[id].file == SYMBOL_NONE)
        symbols_set_origin(s, id, SYMBOL_NONE, intern_add(&s->names, file), line);
}

void symbols_add_known(struct symbols *s, uint32_t id, const struct symbols *from, uint32_t other)
{
    struct symbol known = from->items.items[other]; /* the list grows if `s` is `from` */

    if (known.module != SYMBOL_NONE)
        symbols_set_module(s, id, intern_get(&from->names, known.module));
    if (known.file != SYMBOL_NONE)
        symbols_set_source(s, id, intern_get(&from->names, known.file), known.line);
}

struct slice symbol_suffix(enum symbol_class class)
{
    BUG_ON(class >= SYMBOL_CLASSES);
    return slice_str(class_names[class].suffix);
}

unsigned symbols_joined(const struct symbols *s)
{
    return s->states & ~(1u << SYMBOL_INLINED) ? s->states : 0;
}

struct slice symbol_mark(const struct symbols *s, uint32_t id)
{
    enum symbol_class class = symbol_class(s, id);

    return symbols_joined(s) & 1u << class ? slice_make(NULL, 0) : symbol_suffix(class);
}

struct slice symbol_class_word(enum symbol_class class)
{
    BUG_ON(class >= SYMBOL_CLASSES);
    return slice_str(class_names[class].word);
}

struct slice symbol_module_file(struct slice module)
{
    size_t start;

    if (slice_has(module, SLICE("://")))
        module = slice_take(slice_take(module, slice_find(module, '?')), slice_find(module, '#'));
    for (start = module.len; start > 0; start--)
        if (module.ptr[start - 1] == '/' || module.ptr[start - 1] == '\\')
            break;
    return slice_skip(module, start);
}

bool symbol_module_is_jit(struct slice file_name)
{
    return (slice_starts(file_name, SLICE("jitted-")) && slice_ends(file_name, SLICE(".so"))) ||
           (slice_starts(file_name, SLICE("perf-")) && slice_ends(file_name, SLICE(".map"))) ||
           slice_equal(file_name, SLICE(SYMBOL_MODULE_JIT));
}
