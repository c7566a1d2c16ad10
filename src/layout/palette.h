/*
 * Colours of frames.
 *
 * A palette divides symbols into classes, each with a hue; which shade of the
 * hue a symbol gets follows from its name alone, never from order or chance:
 * one name has one colour in every graph and every run. Where a palette has
 * more than one class its colours mean something, and pictures tell what.
 *
 * Palettes are rows of a registry; adding one is adding a file and a row.
 * Formulas and rules of the classic palettes are those published with
 * flamegraph.pl and inferno; the hash that feeds them is ours.
 */
#ifndef LAYOUT_PALETTE_H
#define LAYOUT_PALETTE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "layout/hue.h"
#include "profile/symbol.h"

/* What a palette sees of a symbol. */
struct palette_subject {
    struct slice name, module; /* the module is empty where it is not known */
    enum symbol_class class;
};

struct palette_class {
    const char *word; /* for the legend; NULL ends the list */
    const struct hue *hue;
};

/* What the colours follow. */
enum palette_basis {
    PALETTE_OF_NAMES,    /* the class and the name */
    PALETTE_OF_MODULES,  /* the module: its name, which the legend tells */
    PALETTE_OF_SEARCHES, /* the first of the named searches that matches */
    PALETTE_OF_SELF,     /* of each frame the part that is its own weight */
};

enum { PALETTE_SEARCHES = 10 }; /* that have colours of their own; the class behind is the rest */

struct palette {
    const char *name;
    const char *about;      /* one line for people */
    const char *background; /* the name of the one that goes with it */
    const struct palette_class *classes;
    enum palette_basis basis;
    /* The index of the class of a symbol that is no separator; NULL where there is one class. */
    unsigned (*classify)(const struct palette_subject *s);
    bool roles; /* classes are parts that each stack may have: their shares tell nothing */
};

/* What decides the shade. */
enum palette_spread {
    PALETTE_BY_HASH,     /* a hash of the name: one number three times */
    PALETTE_BY_ALPHABET, /* where the name stands in it, and the name backwards: --hash */
    PALETTE_AT_RANDOM,   /* chance, the same for the same seed and name */
};

struct palette_use {
    const struct palette *palette;
    enum palette_spread spread;
    uint64_t seed; /* of chance */
};

/* Frames that are of no class: the root where a palette has classes, separators. */
#define PALETTE_ROOT 0xd0d4d9u
#define PALETTE_DASH 0xc8c8c8u
#define PALETTE_DASHES 0xa0a0a0u

/* The registry, ended by NULL. The first one is the default. */
extern const struct palette *const palettes[];

/* Those that have rules of their own. */
extern const struct palette palette_chain, palette_hotcold, palette_java, palette_js, palette_perl,
    palette_python, palette_rust, palette_safe, palette_module, palette_search;

/* The palette of that name, or NULL. */
const struct palette *palette_find(struct slice name);

/* True where colours tell classes apart. */
static inline bool palette_has_classes(const struct palette *p)
{
    return p->classify != NULL;
}

/* The index of a symbol's class. */
unsigned palette_class_of(const struct palette *p, const struct palette_subject *s);

/* The module that colours a symbol: the file's name, "kernel", "jit"; empty where unknown. */
struct slice palette_module_name(const struct palette_subject *s);

/* The colour of a frame of which that much is its own weight. */
palette_color palette_self(const struct palette *p, uint64_t self, uint64_t total);

/* The three numbers in [0, 1) that a name's shade is made of; the last two are the same. */
void palette_numbers(const struct palette_use *use, struct slice name, double v[3]);

/* The colour of a name in a class. */
palette_color palette_shade(const struct palette_use *use, struct slice name, unsigned class);

/* The colour of a symbol, whose class is found first. */
palette_color palette_pick(const struct palette_use *use, const struct palette_subject *s);

#endif
