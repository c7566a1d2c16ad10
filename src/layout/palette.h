/*
 * Palettes: colours of frames.
 *
 * A palette divides symbols into classes, each with a hue. The shade depends
 * only on the name (unless PALETTE_AT_RANDOM), so a name has one colour in every
 * graph with that palette and in every run. If a palette has several classes, its colours mean
 * something, and pictures have a legend.
 *
 * To add a palette, add a file and a row of the registry. The classic palettes
 * use the formulas and rules published with flamegraph.pl and inferno, with a
 * hash of our own.
 */
#ifndef LAYOUT_PALETTE_H
#define LAYOUT_PALETTE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "layout/hue.h"
#include "profile/symbol.h"

/* The properties of a symbol that decide its colour. */
struct palette_subject {
    struct slice name, module; /* the module is empty if unknown */
    enum symbol_class class;
};

struct palette_class {
    const char *word; /* for the legend; NULL ends the list */
    const struct hue *hue;
};

/* What decides the colour of a frame. */
enum palette_basis {
    PALETTE_OF_NAMES,    /* the class and the name */
    PALETTE_OF_MODULES,  /* the name of the module, which the legend shows */
    PALETTE_OF_SEARCHES, /* the first of the named searches that matches */
    PALETTE_OF_SELF,     /* the share of self weight in the frame's total */
};

enum { PALETTE_SEARCHES = 10 }; /* searches with own colours; the next class is for the rest */

struct palette {
    const char *name;
    const char *about;      /* one line for people */
    const char *background; /* the name of its default background */
    const struct palette_class *classes;
    enum palette_basis basis;
    /* Returns the index of the class of a symbol, not a separator. NULL if there is one class. */
    unsigned (*classify)(const struct palette_subject *s);
    bool roles; /* one stack may have all classes, so shares of classes say nothing */
};

/* What decides the shade. */
enum palette_spread {
    PALETTE_BY_HASH,     /* a hash of the name: one number three times */
    PALETTE_BY_ALPHABET, /* alphabetical order of the name, forwards and backwards: --hash */
    PALETTE_AT_RANDOM,   /* pseudo-random; equal for equal seed and name */
};

struct palette_use {
    const struct palette *palette;
    enum palette_spread spread;
    uint64_t seed; /* for PALETTE_AT_RANDOM */
};

/* Frames of no class: separators, and the root if the palette has classes. */
#define PALETTE_ROOT 0xd0d4d9u
#define PALETTE_DASH 0xc8c8c8u
#define PALETTE_DASHES 0xa0a0a0u

/* The registry, ended by NULL. The first palette is the default. */
extern const struct palette *const palettes[];

/* Palettes with a file of their own. */
extern const struct palette palette_chain, palette_gpu, palette_hotcold, palette_java, palette_js,
    palette_perl, palette_python, palette_rust, palette_safe, palette_module, palette_search;

/* Returns the palette called `name`, or NULL. */
const struct palette *palette_find(struct slice name);

/* True if the palette has several classes. */
static inline bool palette_has_classes(const struct palette *p)
{
    return p->classify != NULL;
}

/* Returns the index of a symbol's class. */
unsigned palette_class_of(const struct palette *p, const struct palette_subject *s);

/* Returns the module that decides a symbol's colour: a file name, "kernel", "jit", or empty. */
struct slice palette_module_name(const struct palette_subject *s);

/* Returns the colour of a frame by the share of `self` in `total`. */
palette_color palette_self(const struct palette *p, uint64_t self, uint64_t total);

/* Stores the three numbers in [0, 1) that decide a name's shade; the last two are equal. */
void palette_numbers(const struct palette_use *use, struct slice name, double v[3]);

/* Returns the colour of a separator, "-" or "--". */
palette_color palette_separator(struct slice name);

/* Returns the colour of a name in a class. */
palette_color palette_shade(const struct palette_use *use, struct slice name, unsigned class);

#endif
