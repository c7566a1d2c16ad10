#include "cli/command.h"

#include <string.h>

#include "base/file.h"
#include "cli/load.h"
#include "cli/target.h"

static bool choose_targets(const struct options *o, struct targets *targets, struct diag *diag)
{
    if (!o->outputs.count)
        return target_add(o, NULL, targets, diag);
    vec_each (const char *, path, &o->outputs) {
        if (!target_add(o, *path, targets, diag))
            return false;
    }
    return true;
}

/* Returns the path if exactly one file is named, for the picture's metadata. */
static struct slice find_source(const struct options *o)
{
    if (o->paths.count != 1 || strcmp(o->paths.items[0], "-") == 0)
        return SLICE("");
    return file_name_of(slice_str(o->paths.items[0]));
}

void command_graph(const struct options *o, struct console *console, struct outcome *outcome)
{
    struct target_texts texts = {find_source(o), slice_str(o->title)};
    struct targets targets = {0};
    struct profile profile;
    struct diag diag;
    uint32_t series;

    diag_init(&diag, SLICE("flamepress"));
    outcome->usage = !choose_targets(o, &targets, &diag);
    console_show(console, &diag);
    diag_release(&diag);
    if (!outcome->usage) {
        profile_init(&profile);
        if (load_graph(o, true, console, &profile, &series, outcome))
            target_draw(o, console, &profile, series, &texts, &targets, outcome);
        profile_release(&profile);
    }
    vec_release(&targets);
}
