/*
 * Symbols: the functions that stacks are made of.
 *
 * A symbol is a name and a class; the two together are its identity, so `read`
 * in the kernel and `read` in user space are two symbols that share a name.
 * The name is clean: valid UTF-8, without the "_[k]" suffix that folded stacks
 * use for the class. Search, colour and order see the name alone. Module is an
 * attribute, not identity: where one symbol is seen in several modules, the
 * first one stays.
 *
 * Ids count up from 0 in the order of first sight. The table owns all text.
 */
#ifndef PROFILE_SYMBOL_H
#define PROFILE_SYMBOL_H

#include <stdint.h>

#include "base/intern.h"
#include "base/map.h"
#include "base/slice.h"
#include "base/vec.h"

#define SYMBOL_NONE UINT32_MAX

enum symbol_class {
    SYMBOL_USER,        /* no suffix: user space, or nothing is known */
    SYMBOL_KERNEL,      /* _[k] */
    SYMBOL_INLINED,     /* _[i] */
    SYMBOL_JIT,         /* _[j] compiled at run time */
    SYMBOL_INTERPRETED, /* _[0] async-profiler's interpreted Java frame */
    SYMBOL_BASELINE,    /* _[1] async-profiler's C1-compiled Java frame */
    SYMBOL_WAKER,       /* _[w] the stack of a waking thread */
    SYMBOL_ON_CPU,      /* _[h] hot: of a stack on the CPU, beside those off it */
    SYMBOL_OFF_CPU,     /* _[c] cold */
    SYMBOL_SEPARATOR,   /* the frames "-" and "--" */
    SYMBOL_CLASSES,
};

struct symbol {
    uint32_t name;   /* id in names */
    uint32_t module; /* id in names, SYMBOL_NONE where unknown */
    enum symbol_class class;
};

struct symbols {
    struct intern names;
    struct map index; /* (name, class) to id */
    VEC(struct symbol) items;
};

void symbols_init(struct symbols *s);
void symbols_release(struct symbols *s);

/* The id of the symbol, added if it is new. `name` is copied and must be valid UTF-8. */
uint32_t symbols_add(struct symbols *s, struct slice name, enum symbol_class class);

/*
 * The same for text from a file whose convention is the suffix: cleans bad
 * UTF-8, takes one trailing "_[kij01whc]" off as the class, and knows "-" and
 * "--" as separators.
 */
uint32_t symbols_add_annotated(struct symbols *s, struct slice text);

/* Notes the module of a symbol where none is known yet. */
void symbols_set_module(struct symbols *s, uint32_t id, struct slice module);

static inline uint32_t symbols_count(const struct symbols *s)
{
    return (uint32_t)s->items.count;
}

static inline struct slice symbol_name(const struct symbols *s, uint32_t id)
{
    return intern_get(&s->names, s->items.items[id].name);
}

/* Empty where it is not known. */
static inline struct slice symbol_module(const struct symbols *s, uint32_t id)
{
    uint32_t module = s->items.items[id].module;

    return module == SYMBOL_NONE ? slice_make(NULL, 0) : intern_get(&s->names, module);
}

static inline enum symbol_class symbol_class(const struct symbols *s, uint32_t id)
{
    return s->items.items[id].class;
}

/* "jitted-17-3.so", "perf-17.map": a module that holds what was compiled at run time. */
bool symbol_module_is_jit(struct slice file_name);

/* "_[k]" and so on; empty for classes that have none. */
struct slice symbol_suffix(enum symbol_class class);
/* The class as a word for legends and JSON: "kernel", "inlined", ... */
struct slice symbol_class_word(enum symbol_class class);

#endif
