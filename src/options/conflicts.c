#include "options/conflicts.h"

#include <string.h>

#include "options/table.h"

enum relation {
    EXCLUDES,
    EXCLUDES_GIVEN, /* only if both are on the command line: settings may be for other graphs */
    NEEDS,
    IS_REFUSED,
};

/* What a report cannot be that is made in parts. */
#define WHOLE(option, other, why)                                                                  \
    {                                                                                              \
        option, EXCLUDES, other, why, 0                                                            \
    }
#define MADE_OF_PARTS(option)                                                                      \
    WHOLE(option, "single-file", "the report of all parts is a directory"),                        \
        WHOLE(option, "merge", "all profiles would be in one graph"),                              \
        WHOLE(option, "scale=common", "the scale is of all graphs"),                               \
        WHOLE(option, "random", "the report must not depend on how it is divided"),                \
        WHOLE(option, "cp", "all parts would write the file of colours"),                          \
        WHOLE(option, "baseline", "compare the report of all parts instead")

/* An option is "NAME", which means any value but the default, or "NAME=VALUE". */
static const struct {
    const char *option;
    enum relation relation;
    const char *other;
    const char *why;
    unsigned commands; /* that the row is about; 0: all */
} rows[] = {
    /* shapes */
    {"kind=heatmap", IS_REFUSED, NULL,
     "is a picture and has no stacks to print; use graph or report",
     COMMANDS_OF_STACKS | COMMAND_TOP},
    {"kind=heatmap", EXCLUDES, "flamechart", "a heat map shows no stacks", 0},
    {"kind=heatmap", EXCLUDES, "reverse", "a heat map shows no stacks", 0},
    {"kind=heatmap", EXCLUDES, "around", "a heat map shows no stacks", 0},
    {"kind=heatmap", EXCLUDES, "zoom", "a heat map shows no stacks", 0},
    {"kind=heatmap", EXCLUDES, "crop", "a heat map shows no stacks", 0},
    {"kind=heatmap", EXCLUDES, "mark", "a heat map shows no stacks", 0},
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
    {"zoom", EXCLUDES, "flamechart", "a flame chart does not merge calls", 0},
    {"zoom", EXCLUDES, "reverse", "it shows callers below the function", 0},
    {"zoom", EXCLUDES, "around", "both choose one function", 0},
    {"crop", EXCLUDES, "flamechart", "a flame chart does not merge calls", 0},
    {"crop", EXCLUDES, "reverse", "it shows callers below the function", 0},
    {"crop", EXCLUDES, "around", "both choose one function", 0},
    {"zoom", EXCLUDES, "crop", "both choose one function", 0},
    {"reverse", NEEDS, "tree", "a table of functions has no direction", COMMAND_TOP},
    {"tree", EXCLUDES, "search", "shares are printed with the table of functions", COMMAND_TOP},
    {"around", EXCLUDES, "search", "shares are printed with the table of functions", COMMAND_TOP},

    /* kinds that combine two series */
    {"pair", NEEDS, "kind=hotcold", NULL, 0},
    {"frequency", NEEDS, "kind=hotcold", NULL, 0},
    {"kind=cpi", EXCLUDES, "normalize", "two counters are not scaled to each other", 0},
    {"kind=cpi", EXCLUDES, "width-by", "a graph of two counters is as wide as its cycles", 0},

    /* colors and scales */
    {"hash", EXCLUDES, "random", NULL, 0},
    {"theme=auto-neutral", EXCLUDES, "bgcolors", "both choose the background", 0},
    {"seed", NEEDS, "random", NULL, 0},
    {"cp", EXCLUDES, "colors=self", "its colors follow weights, not names", 0},
    {"colors=search", NEEDS, "search", NULL, 0},
    {"total", EXCLUDES, "scale=common", "both set the scale", 0},

    /* files */
    {"single-file", EXCLUDES, "svg-script=external", NULL, 0},
    {"single-file", EXCLUDES, "site", NULL, 0},
    {"site=confluence", EXCLUDES, "pages=each", "the report is one page of Confluence", 0},
    {"part", NEEDS, "parts", "the directory of all parts", 0},
    {"part", EXCLUDES, "stitch", NULL, 0},
    {"stitch", EXCLUDES, "parts", "--stitch names the directory of all parts", 0},
    MADE_OF_PARTS("part"),
    MADE_OF_PARTS("stitch"),
    {"single-file", EXCLUDES, "pages", NULL, 0},
    {"slurm", EXCLUDES, "part", NULL, 0},
    {"slurm", EXCLUDES, "stitch", NULL, 0},
    {"slurm", EXCLUDES, "watch", "the cluster makes the report once", 0},
    MADE_OF_PARTS("slurm"),
    {"watch", EXCLUDES, "part", "a part is made once", 0},
    {"watch", EXCLUDES, "stitch", "a report of parts is made once", 0},
    {"watch", EXCLUDES, "fresh", "it draws what changes", 0},
    {"wait", NEEDS, "slurm", NULL, 0},
    {"dry-run", NEEDS, "slurm", NULL, 0},
    {"wait", EXCLUDES, "dry-run", NULL, 0},
    {"single-file", EXCLUDES, "with", "a single file has no files beside it", COMMAND_REPORT},
    {"single-file", EXCLUDES, "crops", "a single file has no files beside it", COMMAND_REPORT},
};

/* One side of a row. */
struct term {
    const struct option_row *row;
    const char *value; /* NULL: any but the default */
};

static struct term parse(const char *text, enum command_id command)
{
    struct slice all = slice_str(text);
    size_t equals = slice_find(all, '=');
    char name[32];
    struct term term;

    BUG_ON(equals >= sizeof(name));
    memcpy(name, text, equals);
    name[equals] = '\0';
    term = (struct term){options_find(name, command), equals < all.len ? text + equals + 1 : NULL};
    BUG_ON(!term.row);
    return term;
}

static bool is_set(const struct options *o, const struct options *defaults, const struct term *term)
{
    struct options other;
    struct buf why = {0};
    bool equal;

    if (!term->value)
        return !options_equal(o, defaults, term->row);
    options_init(&other);
    if (!options_set(&other, term->row, term->value, &why))
        BUG("the table of conflicts: %s", buf_string(&why));
    equal = options_equal(o, &other, term->row);
    buf_release(&why);
    options_release(&other);
    return equal;
}

/* The first side of a row, which is often that of the row before. */
struct side {
    const char *text;
    struct term term;
    bool set;
};

static void look_at(struct side *side, const struct options *o, const struct options *defaults,
                    const char *text)
{
    if (side->text && strcmp(side->text, text) == 0)
        return;
    *side = (struct side){text, parse(text, o->command), false};
    side->set = is_set(o, defaults, &side->term);
}

static bool is_broken(const struct options *o, const struct options *defaults,
                      enum relation relation, const struct side *side, const char *with)
{
    struct term other;

    if (!side->set)
        return false;
    if (relation == IS_REFUSED)
        return true;
    other = parse(with, o->command);
    if (relation == EXCLUDES_GIVEN &&
        !(options_given(o, side->term.row) && options_given(o, other.row)))
        return false;
    return is_set(o, defaults, &other) == (relation != NEEDS);
}

bool conflicts_check(const struct options *o, struct diag_place place, struct diag *diag)
{
    static const char *const verbs[] = {
        [EXCLUDES] = "cannot be combined with --",
        [EXCLUDES_GIVEN] = "cannot be combined with --",
        [NEEDS] = "needs --",
        [IS_REFUSED] = "",
    };
    struct options defaults;
    struct side side = {0};
    bool ok = true;

    options_init(&defaults);
    for (size_t i = 0; ok && i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *other = rows[i].other ? rows[i].other : "", *why = rows[i].why;

        if (rows[i].commands && !(rows[i].commands & o->command))
            continue;
        look_at(&side, o, &defaults, rows[i].option);
        if (!is_broken(o, &defaults, rows[i].relation, &side, rows[i].other))
            continue;
        diag_add(diag, DIAG_ERROR, place, "--%s %s%s%s%s", rows[i].option, verbs[rows[i].relation],
                 other, why && *other ? ": " : "", why ? why : "");
        ok = false;
    }
    options_release(&defaults);
    return ok;
}
