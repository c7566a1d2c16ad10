/*
 * The values of all options (cli/option_table.h has the table of options).
 *
 * The command line takes precedence over the settings file, and the settings file
 * over defaults. Strings point into argv or into the options' arena.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/vec.h"
#include "input/read.h"
#include "prepare/recipe.h"

enum command_id {
    COMMAND_REPORT = 1 << 0,
    COMMAND_GRAPH = 1 << 1,
    COMMAND_FOLD = 1 << 2,
    COMMAND_TOP = 1 << 3,
    COMMAND_FORMATS = 1 << 4,
    COMMAND_DIFF = 1 << 5,
    COMMANDS_DRAWING = COMMAND_REPORT | COMMAND_GRAPH | COMMAND_DIFF,
    COMMANDS_READING = COMMANDS_DRAWING | COMMAND_FOLD | COMMAND_TOP,
    COMMANDS_ALL = COMMANDS_READING | COMMAND_FORMATS,
};

/* A named search: `name` heads its column, `pattern` is the regular expression. */
struct named_search {
    const char *name, *pattern;
};
struct named_searches VEC_OF(struct named_search);

/* A width in pixels ("0.1") or as a percentage ("0.5%"). */
struct width_limit {
    double value;
    bool percent;
};

struct strings VEC_OF(const char *);

struct options {
    enum command_id command; /* the command that the options are for */

    /* running */
    bool help, version, csp, quiet, verbose, force, follow, no_fsync, single_file, dark_images;
    unsigned threads;       /* 0: the number of CPUs */
    const char *help_group; /* of --help=GROUP, "all" included; NULL for --help alone */
    struct strings outputs; /* where to write; only graph and diff take several */
    const char *config;

    /* choosing what to draw */
    struct strings excluded; /* globs of paths */
    struct strings events, processes, thread_names, states;
    struct named_searches searches;
    bool ignore_case;
    struct strings filters[FILTER_ROLES];
    const char *group;
    bool collapse_recursion;
    const char *around;
    bool tree;
    const char *merge;

    /* drawing */
    const char *title, *subtitle, *count_name, *name_type, *font, *font_directory, *colors, *total;
    const char *idle; /* keep or drop */
    const char *kind; /* NULL: the kind is recognised */
    const char *sort, *label, *theme, *svg_script, *svg_font, *format, *templates, *date, *site;
    bool pair;          /* hot/cold: side by side */
    unsigned frequency; /* samples per second, if weights are numbers of samples; 0: unknown */
    unsigned width, height, max_depth, rows;
    uint64_t svg_max_size;
    struct width_limit min_width;
    double font_size, factor;
    bool reverse, inverted, flamechart, by_name_hash;
    const char *from, *to;  /* seconds, as decimals */
    bool normalize, negate; /* differential graphs: scale the base; swap base and new */
    const char *width_by, *delta;
    bool hatch, triple;
    unsigned pixel_ratios; /* bit n set: draw at ratio n */

    /* colours; see also `colors` and `by_name_hash` */
    const char *background, *color_map, *name_attributes, *scale;
    bool random;
    unsigned seed;

    /* reading */
    struct input_options input;
    const char *names, *demangle, *split;
    bool annotate_all;

    const struct recipe *recipe; /* made from these options (cli/recipe_make.h); NULL until then */

    struct strings paths;
    struct arena memory;
    uint64_t given[2]; /* bit n set: row n was set by the command line; row count <= 128 */
};

/* Returns the last --output; NULL for standard output, which "-" also means. */
const char *options_output(const struct options *o);

/* Sets all options to their defaults. */
void options_init(struct options *o);
/* Fills `o` with a copy of `from`. The copy has its own lists, but borrows the texts of `from`. */
void options_copy(struct options *o, const struct options *from);
void options_release(struct options *o);

/*
 * Reads the words after the command's name. Words that are not options are
 * paths; "--" ends the options. Returns false after reporting the error with
 * the most similar option or value. Two outputs of a command that writes one, and
 * two searches with the same name, are errors.
 */
bool options_parse(struct options *o, enum command_id command, int count, char *const *words,
                   struct diag *diag);

#endif
