/*
 * The table of all options.
 *
 * A row names an option and says which commands accept it, how its value is checked and which
 * member of struct options it sets. Parsing, --help, the man pages, shell completion, the keys of
 * flamepress.yml and the settings of the library all read this table; an option exists nowhere
 * else. Rows of one group are next to each other. An option whose values depend on the command has
 * a row for each set of values.
 */
#ifndef OPTIONS_TABLE_H
#define OPTIONS_TABLE_H

#include "base/buf.h"
#include "base/slice.h"
#include "options/options.h"

enum option_kind {
    OPTION_FLAG,       /* bool */
    OPTION_HELP,       /* bool, and help_group if a group is given after '=' */
    OPTION_STRING,     /* const char * */
    OPTION_TEXT,       /* struct slice */
    OPTION_SOURCE,     /* struct slice: an address with {file} */
    OPTION_CHOICE,     /* an enum: `low` plus the place of the value in `choices` */
    OPTION_SET,        /* unsigned, a bit for each word of `choices`: "pprof,folded" */
    OPTION_SWITCH,     /* bool: whether the value is the second of two `choices` */
    OPTION_COUNT,      /* unsigned, from `low` to `high` */
    OPTION_SIZE,       /* uint64_t, with optional K, M, G */
    OPTION_NUMBER,     /* double, from `low` to `high` */
    OPTION_WIDTH,      /* min_width and min_is_percent of the look */
    OPTION_RATIOS,     /* unsigned, a bit for each ratio: "1,2" */
    OPTION_STRINGS,    /* struct strings, repeatable */
    OPTION_GLOBS,      /* struct strings of patterns of paths, repeatable */
    OPTION_SEARCH,     /* NAME=REGEX added to searches, repeatable */
    OPTION_PALETTE,    /* const struct palette * */
    OPTION_BACKGROUND, /* has_background and background of the look: a name or "#rrggbb" */
    OPTION_KIND,       /* const struct kind * */
    OPTION_WEIGHT,     /* has_total and total of the look */
    OPTION_TIME,       /* struct recipe_time, given in seconds */
};

/* The sections of --help and of the man pages, in their order there. */
enum option_group {
    GROUP_OUTPUT,
    GROUP_INPUT,
    GROUP_FILTERS,
    GROUP_LOOK,
    GROUP_TEXT,
    GROUP_DIFFERENTIAL,
    GROUP_COMPARISON,
    GROUP_SVG,
    GROUP_NAMES,
    GROUP_LIMITS,
    GROUP_RUNNING,
    OPTION_GROUPS,
};

struct option_group_row {
    const char *name;  /* the value of --help=GROUP */
    const char *title; /* the heading of the section */
    unsigned shown;    /* commands whose --help shows the group without being asked for it */
    const char *main;  /* options that --help then shows, separated by blanks; NULL for all */
};

extern const struct option_group_row options_groups[OPTION_GROUPS];

/* Where in flamepress.yml an option is allowed. */
enum option_scope {
    SCOPE_COMMAND_LINE, /* nowhere */
    SCOPE_REPORT,       /* at the top level, for the report as a whole */
    SCOPE_PROFILE,      /* at the top level, and in a rule for single profiles */
    SCOPE_END,          /* greater than any scope */
};

struct option_row {
    enum option_group group;
    const char *name;    /* without dashes; NULL ends the table */
    char letter;         /* the short form, or 0 */
    const char *aliases; /* other spellings, separated by blanks, or NULL */
    enum option_kind kind;
    size_t offset;     /* into struct options */
    unsigned commands; /* that accept it; COMMAND_LIBRARY for settings of the library */
    enum option_scope scope;
    const char *value;   /* the name of the value in --help, NULL for flags */
    const char *about;   /* one sentence without a full stop; the default is added to it */
    const char *choices; /* separated by blanks */
    double low, high;
};

extern const struct option_row options_table[];

/* Returns the group of that name, or NULL. */
const struct option_group_row *options_find_group(const char *name);

/* True if --help without a group shows the option to the command. */
bool options_is_main(const struct option_row *row, unsigned command);

/* True if the next word is the option's value; flags and --help take one only after '='. */
static inline bool options_need_value(const struct option_row *row)
{
    return row->kind != OPTION_FLAG && row->kind != OPTION_HELP;
}

/* True if the option is a struct strings. */
static inline bool options_is_list(const struct option_row *row)
{
    return row->kind == OPTION_STRINGS || row->kind == OPTION_GLOBS;
}

/* Returns the member of `o` that the option sets. */
static inline void *options_field(struct options *o, const struct option_row *row)
{
    return (char *)o + row->offset;
}

/* What files the value of an option names. A family of fonts is none. */
enum option_files { FILES_NONE, FILES_READ, FILES_WRITTEN };
enum option_files options_files(const struct option_row *row, const char *value);

/*
 * Returns the row of that name or alias (without dashes), or NULL. If the name has several rows,
 * returns one that a command of `commands` accepts, if there is one.
 */
const struct option_row *options_find(const char *name, unsigned commands);

/* True if the command line has set the row's option. */
bool options_given(const struct options *o, const struct option_row *row);
void options_mark_given(struct options *o, const struct option_row *row);

/* Stores `value` (NULL switches a flag on). Returns false if it is invalid; `why` says why. */
bool options_set(struct options *o, const struct option_row *row, const char *value,
                 struct buf *why);

/* Empties a repeatable option; does nothing to others. */
void options_clear(struct options *o, const struct option_row *row);

/* Appends the option's words, separated by `separator`, if it accepts nothing but words. */
void options_write_words(const struct option_row *row, const char *separator, struct buf *out);

/* Appends the current value; nothing for a flag, a list, or an option that has no value. */
void options_write_value(const struct options *o, const struct option_row *row, struct buf *out);

/* True if an option has the same value in `a` and in `b`. */
bool options_equal(const struct options *a, const struct options *b, const struct option_row *row);

#endif
