#include "cli/option_conflicts.h"

#include <string.h>

#include "cli/option_table.h"

enum relation {
    EXCLUDES,
    EXCLUDES_GIVEN, /* only if both are on the command line: settings may be for other graphs */
    NEEDS,
};

/* An option is "NAME", which means any value but the default, or "NAME=VALUE". */
static const struct {
    const char *option;
    enum relation relation;
    const char *other;
    const char *why;
    unsigned commands; /* 0: all */
} rows[] = {
    /* shapes */
    {"kind=heatmap", EXCLUDES, "flamechart", "a heat map shows no stacks", 0},
    {"kind=heatmap", EXCLUDES, "reverse", "a heat map shows no stacks", 0},
    {"kind=heatmap", EXCLUDES, "around", "a heat map shows no stacks", 0},
    {"kind=heatmap", EXCLUDES, "sort=weight", "a heat map shows no stacks", 0},
    {"kind=heatmap", EXCLUDES, "hash", "a heat map shows no stacks", 0},
    {"kind=heatmap", EXCLUDES, "random", "a heat map shows no stacks", 0},
    {"kind=heatmap", EXCLUDES, "cp", "a heat map shows no stacks", 0},
    {"kind=heatmap", EXCLUDES_GIVEN, "minwidth", "a heat map shows no stacks", 0},
    {"kind=heatmap", EXCLUDES_GIVEN, "max-depth", "a heat map shows no stacks", 0},
    {"kind=heatmap", EXCLUDES_GIVEN, "label", "a heat map shows no stacks", 0},
    {"kind=heatmap", EXCLUDES_GIVEN, "colors", "a heat map shows no stacks", 0},
    {"flamechart", EXCLUDES, "reverse", "a flame chart does not merge calls", 0},
    {"flamechart", EXCLUDES, "around", "a flame chart does not merge calls", 0},
    {"flamechart", EXCLUDES, "sort=weight", "a flame chart is ordered by time", 0},
    {"around", EXCLUDES, "reverse", "--around shows callers and callees", 0},
    {"reverse", NEEDS, "tree", "a table of functions has no direction", COMMAND_TOP},

    /* kinds that combine two series */
    {"pair", NEEDS, "kind=hotcold", NULL, 0},
    {"frequency", NEEDS, "kind=hotcold", NULL, 0},
    {"kind=cpi", EXCLUDES, "normalize", "two counters are not scaled to each other", 0},
    {"kind=cpi", EXCLUDES, "width-by", "a graph of two counters is as wide as its cycles", 0},

    /* colors and scales */
    {"hash", EXCLUDES, "random", NULL, 0},
    {"seed", NEEDS, "random", NULL, 0},
    {"cp", EXCLUDES, "colors=self", "its colors follow weights, not names", 0},
    {"colors=search", NEEDS, "search", NULL, 0},
    {"total", EXCLUDES, "scale=common", "both set the scale", 0},

    /* files */
    {"single-file", EXCLUDES, "svg-script=external", NULL, 0},
    {"single-file", EXCLUDES, "site", NULL, 0},
};

/* One side of a row. */
struct term {
    const struct option_row *row;
    struct slice value; /* empty: any but the default */
};

static struct term parse(const char *text)
{
    struct slice all = slice_str(text);
    size_t equals = slice_find(all, '=');
    char name[32];
    struct term term;

    BUG_ON(equals >= sizeof(name));
    memcpy(name, text, equals);
    name[equals] = '\0';
    term = (struct term){options_find(name), slice_skip(all, equals + (equals < all.len))};
    BUG_ON(!term.row);
    return term;
}

/* Returns how many bytes of an option's value to compare with the default. */
static size_t size_of(const struct option_row *row)
{
    switch (row->kind) {
    case OPTION_FLAG:
    case OPTION_HELP:
        return sizeof(bool);
    case OPTION_COUNT:
    case OPTION_RATIOS:
        return sizeof(unsigned);
    case OPTION_SIZE:
        return sizeof(uint64_t);
    case OPTION_NUMBER:
    case OPTION_WIDTH:
        return sizeof(double);
    default:
        BUG("a text or a list, which is compared otherwise");
    }
}

static bool is_text(const struct option_row *row)
{
    return row->kind == OPTION_STRING || row->kind == OPTION_CHOICE ||
           row->kind == OPTION_PALETTE || row->kind == OPTION_GROUND || row->kind == OPTION_KIND ||
           row->kind == OPTION_WEIGHT;
}

static bool is_changed(const struct option_row *row, const void *now, const void *before)
{
    if (row->kind == OPTION_SEARCH)
        return ((const struct named_searches *)now)->count > 0;
    if (option_is_list(row))
        return ((const struct strings *)now)->count > 0;
    return memcmp(now, before, size_of(row)) != 0;
}

static bool is_set(const struct options *o, const struct term *term)
{
    const struct option_row *row = term->row;
    struct options copy = *o, defaults;
    bool set;

    options_init(&defaults);
    if (is_text(row)) {
        const char *now = *(const char *const *)option_field(&copy, row);
        const char *before = *(const char *const *)option_field(&defaults, row);

        set = term->value.len ? now && slice_equal(slice_str(now), term->value)
                              : now && (!before || strcmp(now, before) != 0);
    } else {
        set = is_changed(row, option_field(&copy, row), option_field(&defaults, row));
    }
    options_release(&defaults);
    return set;
}

static bool is_broken(const struct options *o, enum relation relation, const struct term *option,
                      const struct term *other)
{
    if (relation == EXCLUDES_GIVEN &&
        !(options_given(o, option->row) && options_given(o, other->row)))
        return false;
    return is_set(o, option) && is_set(o, other) == (relation != NEEDS);
}

/* A heat map has no stacks, and a program that prints stacks has nothing to print. */
static bool check_printed(const struct options *o, struct diag_place place, struct diag *diag)
{
    const struct term heatmap = parse("kind=heatmap");

    if (!(o->command & (COMMAND_FOLD | COMMAND_TOP)) || !is_set(o, &heatmap))
        return true;
    diag_add(diag, DIAG_ERROR, place,
             "--kind=heatmap is a picture and has no stacks to print; use graph or report");
    return false;
}

bool option_conflicts_check(const struct options *o, struct diag_place place, struct diag *diag)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct term option = parse(rows[i].option), other = parse(rows[i].other);

        if ((rows[i].commands && !(rows[i].commands & o->command)) ||
            !is_broken(o, rows[i].relation, &option, &other))
            continue;
        diag_add(diag, DIAG_ERROR, place, "--%s %s --%s%s%s", rows[i].option,
                 rows[i].relation == NEEDS ? "needs" : "cannot be combined with", rows[i].other,
                 rows[i].why ? ": " : "", rows[i].why ? rows[i].why : "");
        return false;
    }
    return check_printed(o, place, diag);
}
