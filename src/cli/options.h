/*
 * Everything the user can set, and the one table that describes it.
 *
 * A row of option_table names an option, says which commands take it, how its
 * value is checked and where it lands in struct options. Parsing, --help, the
 * man page, shell completion and the keys of flamepress.yml all read that
 * table; an option exists nowhere else.
 *
 * Values are set by origin: the command line beats the settings file, which
 * beats the default. Strings point into argv or into the options' arena.
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

enum command_id {
    COMMAND_REPORT = 1 << 0,
    COMMAND_GRAPH = 1 << 1,
    COMMAND_FOLD = 1 << 2,
    COMMAND_TOP = 1 << 3,
    COMMAND_FORMATS = 1 << 4,
    COMMANDS_DRAWING = COMMAND_REPORT | COMMAND_GRAPH,
    COMMANDS_READING = COMMAND_REPORT | COMMAND_GRAPH | COMMAND_FOLD | COMMAND_TOP,
    COMMANDS_ALL = COMMANDS_READING | COMMAND_FORMATS,
};

/* A named search: `name` heads its column, `pattern` is the regular expression. */
struct named_search {
    const char *name, *pattern;
};

/* A value with a unit behind it: "0.1" pixels or "0.5%". */
struct width_limit {
    double value;
    bool percent;
};

struct strings VEC_OF(const char *);

struct options {
    /* running */
    bool help, version, csp, quiet, verbose, force, single_file;
    unsigned threads; /* 0: the processors there are */
    const char *generate;
    struct strings outputs; /* where to write; only graph takes several */
    const char *config;

    /* choosing what to draw */
    struct strings events, processes, thread_names;
    VEC(struct named_search) searches;
    bool ignore_case;

    /* drawing */
    const char *title, *subtitle, *count_name, *name_type, *font, *font_directory, *colors, *total;
    const char *sort, *label, *theme, *svg_script, *format, *templates, *date;
    unsigned width, height, max_depth, rows;
    uint64_t svg_max_size;
    struct width_limit min_width;
    double font_size, factor;
    bool reverse, inverted, by_name_hash;
    unsigned pixel_ratios; /* bit n set: draw at ratio n */

    /* reading */
    struct input_options input;
    const char *names, *demangle, *split;
    bool annotate_all;

    struct strings paths;
    struct arena memory;
    uint64_t given[2]; /* bit n set: row n was set by the command line; row count <= 128 */
};

enum option_kind {
    OPTION_FLAG,    /* bool */
    OPTION_STRING,  /* const char * */
    OPTION_CHOICE,  /* const char *, one of `choices` */
    OPTION_COUNT,   /* unsigned, from `low` to `high` */
    OPTION_SIZE,    /* uint64_t, with optional K, M, G */
    OPTION_NUMBER,  /* double, from `low` to `high` */
    OPTION_WIDTH,   /* struct width_limit */
    OPTION_RATIOS,  /* pixel_ratios, "1,2" */
    OPTION_STRINGS, /* struct strings, repeatable */
    OPTION_SEARCH,  /* NAME=REGEX added to searches, repeatable */
    OPTION_PALETTE, /* const char *, the name of a palette */
    OPTION_WEIGHT,  /* const char *, a decimal number */
};

/* Where in flamepress.yml an option may stand. */
enum option_scope {
    SCOPE_COMMAND_LINE, /* nowhere */
    SCOPE_REPORT,       /* at the top, for the report as a whole */
    SCOPE_PROFILE,      /* there, and in a rule for single profiles */
};

struct option_row {
    const char *name;    /* without dashes; NULL ends the table */
    char letter;         /* the short form, or 0 */
    const char *aliases; /* other spellings, separated by blanks, or NULL */
    enum option_kind kind;
    size_t offset; /* into struct options */
    unsigned commands;
    enum option_scope scope;
    const char *value;   /* what the value is called in --help, NULL for flags */
    const char *about;   /* one line, no full stop */
    const char *choices; /* separated by blanks */
    double low, high;
};

extern const struct option_row option_table[];

/* The one place to write to: the last that was named; NULL for standard output, "-" included. */
const char *options_output(const struct options *o);

/* Defaults in, memory released. A copy has lists of its own; texts stay with `from`. */
void options_init(struct options *o);
void options_copy(struct options *o, const struct options *from);
void options_release(struct options *o);

/*
 * Reads the words after the command's name. Words that are no option are
 * paths; "--" ends the options. Returns false after telling `diag` what is
 * wrong and which option or value comes nearest; a second --output where the
 * command takes one, and a second search of a name, are wrong too.
 */
bool options_parse(struct options *o, enum command_id command, int count, char *const *words,
                   struct diag *diag);

/* The row of that name or alias (without dashes), or NULL. */
const struct option_row *options_find(const char *name);

/* True where the command line has set the row's option. */
bool options_given(const struct options *o, const struct option_row *row);

/* Checks and stores `value` (NULL switches a flag on). False: `why` gets what was expected. */
bool options_set(struct options *o, const struct option_row *row, const char *value,
                 struct buf *why);

/* Empties a repeatable option; nothing for others. */
void options_clear(struct options *o, const struct option_row *row);

#endif
