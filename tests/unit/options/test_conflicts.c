#include "options/conflicts.h"

#include <string.h>

#include "cli/arguments.h"
#include "unit/support/test.h"

/* Words of a command line, and a part of the message, or NULL if they can be combined. */
static const struct {
    enum command_id command;
    const char *words[3], *error;
} rows[] = {
    {COMMAND_GRAPH,
     {"--flamechart", "--reverse"},
     "--flamechart cannot be combined with --reverse"},
    {COMMAND_GRAPH, {"--flamechart", "--sort=name"}, NULL},
    {COMMAND_GRAPH,
     {"--flamechart", "--sort=weight"},
     "with --sort=weight: a flame chart is ordered"},
    {COMMAND_GRAPH, {"--seed=0"}, NULL},
    {COMMAND_GRAPH, {"--seed=3"}, "--seed needs --random"},
    {COMMAND_GRAPH, {"--seed=3", "--random"}, NULL},
    {COMMAND_GRAPH, {"--colors=search"}, "--colors=search needs --search"},
    {COMMAND_GRAPH, {"--colors=search", "--search=a=b"}, NULL},
    {COMMAND_GRAPH, {"--kind=heatmap", "--label=smart"}, NULL},
    {COMMAND_GRAPH, {"--kind=heatmap", "--label=tail"}, "cannot be combined with --label"},
    {COMMAND_GRAPH, {"--kind=heatmap", "--colors=red"}, "cannot be combined with --colors"},
    {COMMAND_GRAPH, {"--around=f", "--reverse"}, "--around cannot be combined with --reverse"},
    {COMMAND_TOP, {"--reverse"}, "--reverse needs --tree"},
    {COMMAND_TOP, {"--reverse", "--tree"}, NULL},
    {COMMAND_TOP, {"--kind=heatmap"}, "has no stacks to print"},
    {COMMAND_FOLD, {"--frequency=9"}, "--frequency needs --kind=hotcold"},
    {COMMAND_FOLD, {"--frequency=9", "--kind=hotcold"}, NULL},
    {COMMAND_DIFF, {"--kind=cpi", "--width-by=base"}, "as wide as its cycles"},
    {COMMAND_DIFF, {"--kind=cpi", "--width-by=new"}, NULL},
    {COMMAND_REPORT, {"--total=5", "--scale=common"}, "--total cannot be combined with"},
    {COMMAND_REPORT,
     {"--single-file", "--site=hugo"},
     "--single-file cannot be combined with --site"},
    {COMMAND_REPORT, {"--single-file", "--site=none"}, NULL},
};

Test(options_conflicts, table)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char *words[3] = {NULL};
        struct options o;
        struct diag diag;
        struct buf text = {0};
        int count = 0;

        options_init(&o);
        diag_init(&diag, SLICE("flamepress"));
        for (; rows[i].words[count]; count++)
            words[count] = strdup(rows[i].words[count]);
        cr_assert(arguments_parse(&o, rows[i].command, count, words, &diag), "row %zu", i);
        cr_expect_eq(conflicts_check(&o, DIAG_AT_FILE, &diag), !rows[i].error, "row %zu", i);
        diag_write(&diag, &text, false);
        cr_expect(!rows[i].error || strstr(buf_string(&text), rows[i].error), "row %zu: %s", i,
                  buf_string(&text));
        for (int word = 0; word < count; word++)
            free(words[word]);
        buf_release(&text);
        diag_release(&diag);
        options_release(&o);
    }
}
