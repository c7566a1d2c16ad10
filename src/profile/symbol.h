/*
 * The table of symbols: the functions in stacks.
 *
 * A symbol is identified by its name and class together, so `read` in the
 * kernel and `read` in user space are two symbols. The name is valid UTF-8,
 * without the suffix "_[k]" that marks the class in folded stacks. Search,
 * colour and order use the name alone. The module is an attribute: if a symbol
 * occurs in several modules, it keeps the first.
 *
 * Ids count up from 0 in the order in which symbols were added. The table owns
 * all text.
 */
#ifndef PROFILE_SYMBOL_H
#define PROFILE_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/map.h"
#include "base/slice.h"
#include "base/vec.h"

#define SYMBOL_NONE UINT32_MAX

/* Pictures contain these numbers (output/svg_tree.h): a new class goes to the end. */
enum symbol_class {
    SYMBOL_USER,        /* no suffix: user space or unknown */
    SYMBOL_KERNEL,      /* _[k] */
    SYMBOL_INLINED,     /* _[i] */
    SYMBOL_JIT,         /* _[j] compiled at run time */
    SYMBOL_INTERPRETED, /* _[0] async-profiler's interpreted Java frame */
    SYMBOL_BASELINE,    /* _[1] async-profiler's C1-compiled Java frame */
    SYMBOL_WAKER,       /* _[w] the stack of a waking thread */
    SYMBOL_ON_CPU,      /* _[h] hot: on the CPU, in a graph that also shows waiting */
    SYMBOL_OFF_CPU,     /* _[c] cold: waiting, in such a graph */
    SYMBOL_SEPARATOR,   /* the frames "-" and "--" */
    SYMBOL_OWNER,       /* whose stack it is: a process, a thread, a file; not a function */
    SYMBOL_WAKER_OWNER, /* _[w] the process of a waking thread */
    SYMBOL_DEVICE,      /* _[G] work on an accelerator: a kernel, a copy, a symbol of its code */
    SYMBOL_DEVICE_INSTRUCTION, /* _[g] an instruction of an accelerator, or why it waits */
    SYMBOL_CLASSES,
};

static inline bool symbol_class_is_owner(enum symbol_class class)
{
    return class == SYMBOL_OWNER || class == SYMBOL_WAKER_OWNER;
}

static inline bool symbol_class_is_waker(enum symbol_class class)
{
    return class == SYMBOL_WAKER || class == SYMBOL_WAKER_OWNER;
}

static inline bool symbol_class_is_device(enum symbol_class class)
{
    return class == SYMBOL_DEVICE || class == SYMBOL_DEVICE_INSTRUCTION;
}

/* Whether frames of a class are functions: no separators, processes, threads or files. */
static inline bool symbol_class_is_function(enum symbol_class class)
{
    return class != SYMBOL_SEPARATOR && !symbol_class_is_owner(class);
}

/* Returns the class that a function has in the place of an owner: colours depend on that class. */
static inline enum symbol_class symbol_class_of_code(enum symbol_class class)
{
    return class == SYMBOL_OWNER ? SYMBOL_USER : class == SYMBOL_WAKER_OWNER ? SYMBOL_WAKER : class;
}

struct symbol {
    uint32_t name;   /* id in names */
    uint32_t module; /* id in names, SYMBOL_NONE if unknown */
    uint32_t file;   /* of the source; id in names, SYMBOL_NONE if unknown */
    uint32_t line;   /* 0 if unknown */
    enum symbol_class class;
};

struct symbols {
    struct intern names;
    struct map index; /* (name, class) to id */
    VEC(struct symbol) items;
    /* Bits 1 << class: ways in which a virtual machine ran a function, which are no part of its
     * identity (prepare/states.h). */
    unsigned states;
    unsigned classes; /* bits 1 << class of all symbols */
    /* Bits 1 << class: classes that the input itself writes with the names, whether or not options
     * ask for them, as folded stacks have "_[k]". */
    unsigned written;
};

void symbols_release(struct symbols *s);

/* Returns the id of a symbol, which is added if it is new. Copies `name`, valid UTF-8. */
uint32_t symbols_add(struct symbols *s, struct slice name, enum symbol_class class);

/* Returns the id of a symbol, or SYMBOL_NONE. */
uint32_t symbols_find(const struct symbols *s, struct slice name, enum symbol_class class);

/*
 * Returns the id of the symbol that folded stacks write as `text`. Repairs
 * ill-formed UTF-8, removes one trailing "_[k]" or other suffix, which gives the class,
 * and recognises "-" and "--" as separators.
 */
uint32_t symbols_add_annotated(struct symbols *s, struct slice text);

/* Sets the module of a symbol, unless it has one. */
void symbols_set_module(struct symbols *s, uint32_t id, struct slice module);

/* Returns the id in `names` of a text for symbols_set_origin(). */
uint32_t symbols_add_text(struct symbols *s, struct slice text);

/* Sets module, file and line, ids in `names` or SYMBOL_NONE, unless the symbol has them. */
void symbols_set_origin(struct symbols *s, uint32_t id, uint32_t module, uint32_t file,
                        uint64_t line);

/* Sets a place of a symbol in the source, unless it has one. */
void symbols_set_source(struct symbols *s, uint32_t id, struct slice file, uint64_t line);

/* Sets module and place in the source to those of a symbol of `from`, unless `id` has its own. */
void symbols_add_known(struct symbols *s, uint32_t id, const struct symbols *from, uint32_t other);

static inline uint32_t symbols_count(const struct symbols *s)
{
    return (uint32_t)s->items.count;
}

static inline struct slice symbol_name(const struct symbols *s, uint32_t id)
{
    return intern_get(&s->names, s->items.items[id].name);
}

/* Returns the module, or an empty slice if it is unknown. */
static inline struct slice symbol_module(const struct symbols *s, uint32_t id)
{
    uint32_t module = s->items.items[id].module;

    return module == SYMBOL_NONE ? slice_make(NULL, 0) : intern_get(&s->names, module);
}

/* Returns a source file of the symbol, or an empty slice if it is unknown. */
static inline struct slice symbol_file(const struct symbols *s, uint32_t id)
{
    uint32_t file = s->items.items[id].file;

    return file == SYMBOL_NONE ? slice_make(NULL, 0) : intern_get(&s->names, file);
}

static inline enum symbol_class symbol_class(const struct symbols *s, uint32_t id)
{
    return s->items.items[id].class;
}

/* The module of code compiled at run time, where the names of its files are not of interest. */
#define SYMBOL_MODULE_JIT "[jit]"

/*
 * Returns the file name of a module, which graphs by module show: the part after the last slash or
 * backslash, of a URL without query and fragment. The script has the same rule (flame_filter.js).
 */
struct slice symbol_module_file(struct slice module);

/* True for modules of such code: "jitted-17-3.so", "perf-17.map", SYMBOL_MODULE_JIT. */
bool symbol_module_is_jit(struct slice file_name);

/* Returns the suffix of a class, such as "_[k]"; empty if it has none. */
struct slice symbol_suffix(enum symbol_class class);

/*
 * Returns the bits of `states` that joined symbols have: none if nothing was compiled at run time,
 * since inlining is then no virtual machine's.
 */
unsigned symbols_joined(const struct symbols *s);

/* Returns the suffix of a symbol in tables: none if its class is one of symbols_joined(). */
struct slice symbol_mark(const struct symbols *s, uint32_t id);
/* Returns the class as a word for legends and JSON: "kernel", "inlined", ... */
struct slice symbol_class_word(enum symbol_class class);

#endif
