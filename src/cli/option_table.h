/*
 * The one table that describes what the user can set.
 *
 * A row names an option, says which commands take it, how its
 * value is checked and where it lands in struct options. Parsing, --help, the
 * man page, shell completion and the keys of flamepress.yml all read the
 * table; an option exists nowhere else.
 */
#ifndef CLI_OPTION_TABLE_H
#define CLI_OPTION_TABLE_H

#include "cli/options.h"

enum option_kind {
    OPTION_FLAG,     /* bool */
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

/* Whether the option is a struct strings. */
static inline bool option_is_list(const struct option_row *row)
{
    return row->kind == OPTION_STRINGS || row->kind == OPTION_PATTERNS;
}

/* Where an option lands. */
static inline void *option_field(struct options *o, const struct option_row *row)
{
    return (char *)o + row->offset;
}

/* Whether a word is in a list of words, which may be NULL. */
static inline bool option_lists(const char *list, struct slice word)
{
    struct slice rest = slice_str(list), item;

    while (list && slice_word(&rest, &item))
        if (slice_equal(item, word))
            return true;
    return false;
}

/* The row of that name or alias (without dashes), or NULL. */
const struct option_row *options_find(const char *name);

/* The short form of an option for a command, or 0. */
char options_letter(const struct option_row *row, enum command_id command);

/* True where the command line has set the row's option. */
bool options_given(const struct options *o, const struct option_row *row);

/* Checks and stores `value` (NULL switches a flag on). False: `why` gets what was expected. */
bool options_set(struct options *o, const struct option_row *row, const char *value,
                 struct buf *why);

/* Empties a repeatable option; nothing for others. */
void options_clear(struct options *o, const struct option_row *row);

#endif
