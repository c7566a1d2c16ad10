#include "cli/option_shapes.h"

#include <string.h>

#include "cli/kind.h"
#include "cli/option_table.h"

/* A heat map shows all of a series; whatever says which frames to draw, and how, has no meaning. */
static bool check_heatmap(const struct options *o, struct diag *diag)
{
    static const char *const of_frames[] = {"minwidth", "max-depth", "label", "colors"};
    const char *other = o->flamechart                    ? "flamechart"
                        : o->reverse                     ? "reverse"
                        : o->around                      ? "around"
                        : strcmp(o->sort, "weight") == 0 ? "sort=weight"
                        : o->by_name_hash                ? "hash"
                        : o->random                      ? "random"
                        : o->color_map                   ? "cp"
                                                         : NULL;

    for (size_t i = 0; i < sizeof(of_frames) / sizeof(of_frames[0]) && !other; i++)
        if (options_given(o, options_find("kind")) && options_given(o, options_find(of_frames[i])))
            other = of_frames[i];
    return !other ||
           diag_error(diag, "--kind=heatmap shows when it was measured; --%s has no meaning",
                      other);
}

static bool check_chart(const struct options *o, struct diag *diag)
{
    if (o->reverse || o->around)
        return diag_error(diag, "--flamechart shows calls in time; %s merges them",
                          o->reverse ? "--reverse" : "--around");
    if (strcmp(o->sort, "weight") == 0)
        return diag_error(diag, "--flamechart has the order of time; --sort=weight has another");
    return true;
}

static bool check_hotcold(const struct options *o, struct diag *diag)
{
    if ((o->kind && strcmp(o->kind, "hotcold") == 0) || (!o->pair && !o->frequency))
        return true;
    return diag_error(diag, "option --%s is for --kind=hotcold", o->pair ? "pair" : "frequency");
}

bool option_shapes_check(const struct options *o, struct diag *diag)
{
    if (!check_hotcold(o, diag))
        return false;
    if (o->command & (COMMAND_FOLD | COMMAND_TOP) && o->kind && strcmp(o->kind, "heatmap") == 0)
        return diag_error(diag, "option --kind: a heat map is a picture, which has no stacks to "
                                "print; graph and report draw it");
    if (o->kind && strcmp(o->kind, "heatmap") == 0)
        return check_heatmap(o, diag);
    if (o->flamechart)
        return check_chart(o, diag);
    if (o->around && o->reverse)
        return diag_error(diag, "--around shows callers and callees; --reverse has no meaning");
    return true;
}
