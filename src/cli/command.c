#include "cli/command.h"

#include <string.h>

const struct command commands[] = {
    {"report", COMMAND_REPORT, "DIR|FILE... -o OUT",
     "draw every profile of a directory and bind them into a report",
     "flamepress report profiles/ -o report/", command_report},
    {"graph", COMMAND_GRAPH, "[FILE...] [-o X.svg|X.png]",
     "one picture from one or more profiles merged", "perf script | flamepress graph - -o slow.png",
     command_graph},
    {"fold", COMMAND_FOLD, "[FILE...] [-o X.folded]", "any profile in, folded stacks out",
     "flamepress fold app.perf | grep -v cpu_idle | flamepress graph > app.svg", command_fold},
    {"diff", COMMAND_DIFF, "BASE NEW [-o X.svg|X.png]",
     "what changed from one profile to another: a graph, a table, or two-column folded stacks",
     "flamepress diff last-week.perf this-week.perf -o change.png", command_diff},
    {"top", COMMAND_TOP, "[FILE...]", "functions by self and total weight",
     "flamepress top app.perf --format csv", command_top},
    {"formats", COMMAND_FORMATS, "",
     "every input format, how it is recognised, and a command that produces it",
     "flamepress formats", command_formats},
    {NULL, 0, NULL, NULL, NULL, NULL},
};

const struct command *command_find(const char *name)
{
    for (const struct command *c = commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}
