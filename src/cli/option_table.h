/*
 * The table of all options.
 *
 * A row names an option and says which commands accept it, how its value is
 * checked and which member of struct options it sets. Parsing, --help, the man
 * pages, shell completion and the keys of flamepress.yml all read this table;
 * an option exists nowhere else. Rows of one group are next to each other.
 */
#ifndef CLI_OPTION_TABLE_H
#define CLI_OPTION_TABLE_H

#include "cli/options.h"

enum option_kind {
    OPTION_FLAG,     /* bool */
    OPTION_HELP,     /* bool, and help_group if a group is given after '=' */
    OPTION_STRING,   /* const char * */
    OPTION_CHOICE,   /* const char *, one of `choices` */
    OPTION_COUNT,    /* unsigned, from `low` to `high` */
    OPTION_SIZE,     /* uint64_t, with optional K, M, G */
    OPTION_NUMBER,   /* double, from `low` to `high` */
    OPTION_WIDTH,    /* struct width_limit */
    OPTION_RATIOS,   /* pixel_ratios, "1,2" */
    OPTION_STRINGS,  /* struct strings, repeatable */
    OPTION_PATTERNS, /* struct strings of regular expressions, repeatable */
    OPTION_SEARCH,   /* NAME=REGEX added to searches, repeatable */
    OPTION_PALETTE,  /* const char *, the name of a palette */
    OPTION_GROUND,   /* const char *, the name of a background or "#rrggbb" */
    OPTION_KIND,     /* const char *, the name of a kind of graph */
    OPTION_WEIGHT,   /* const char *, a decimal number */
};

/* The sections of --help and of the man pages, in their order there. */
enum option_group {
    GROUP_OUTPUT,
    GROUP_INPUT,
    GROUP_FILTERS,
    GROUP_LOOK,
    GROUP_TEXT,
    GROUP_DIFFERENTIAL,
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
};

extern const struct option_group_row option_table_groups[OPTION_GROUPS];

/* Where in flamepress.yml an option is allowed. */
enum option_scope {
    SCOPE_COMMAND_LINE, /* nowhere */
    SCOPE_REPORT,       /* at the top level, for the report as a whole */
    SCOPE_PROFILE,      /* at the top level, and in a rule for single profiles */
};

struct option_row {
    enum option_group group;
    const char *name;    /* without dashes; NULL ends the table */
    char letter;         /* the short form, or 0 */
    const char *aliases; /* other spellings, separated by blanks, or NULL */
    enum option_kind kind;
    size_t offset; /* into struct options */
    unsigned commands;
    enum option_scope scope;
    const char *value;   /* the name of the value in --help, NULL for flags */
    const char *about;   /* one sentence without a full stop; the default is added to it */
    const char *choices; /* separated by blanks */
    double low, high;
};

extern const struct option_row option_table[];

/* Returns the group of that name, or NULL. */
const struct option_group_row *option_table_find_group(const char *name);

/* True if the next word is the option's value; flags and --help take one only after '='. */
static inline bool option_needs_value(const struct option_row *row)
{
    return row->kind != OPTION_FLAG && row->kind != OPTION_HELP;
}

/* True if the option is a struct strings. */
static inline bool option_is_list(const struct option_row *row)
{
    return row->kind == OPTION_STRINGS || row->kind == OPTION_PATTERNS;
}

/* Returns the member of `o` that the option sets. */
static inline void *option_field(struct options *o, const struct option_row *row)
{
    return (char *)o + row->offset;
}

/* True if `word` is in `list`, words separated by blanks; `list` may be NULL. */
static inline bool option_lists(const char *list, struct slice word)
{
    struct slice rest = slice_str(list), item;

    while (list && slice_word(&rest, &item))
        if (slice_equal(item, word))
            return true;
    return false;
}

/* Returns the row of that name or alias (without dashes), or NULL. */
const struct option_row *options_find(const char *name);

/* Returns the short form of an option for a command, or 0. */
char options_letter(const struct option_row *row, enum command_id command);

/* True if the command line has set the row's option. */
bool options_given(const struct options *o, const struct option_row *row);

/* Stores `value` (NULL switches a flag on). Returns false if it is invalid; `why` says why. */
bool options_set(struct options *o, const struct option_row *row, const char *value,
                 struct buf *why);

/* Empties a repeatable option; does nothing to others. */
void options_clear(struct options *o, const struct option_row *row);

#endif
