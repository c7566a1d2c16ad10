#include "options/preset.h"

#include "options/table.h"

static const struct {
    enum options_preset preset;
    const char *option, *value;
} rows[] = {
    /* What a ticket system shows unscaled, sharp on all screens, and explains by itself. */
    {PRESET_TICKET, "width", "700"},      {PRESET_TICKET, "pixel-ratio", "2"},
    {PRESET_TICKET, "max-height", "600"}, {PRESET_TICKET, "label-percent", NULL},
    {PRESET_TICKET, "origin", NULL},
};

void options_apply_preset(struct options *o)
{
    struct buf why = {0};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct option_row *row = options_find(rows[i].option, o->command);

        if (rows[i].preset != o->preset || options_given(o, row))
            continue;
        if (!options_set(o, row, rows[i].value, &why))
            BUG("the table of presets: %s", buf_string(&why));
        options_mark_given(o, row);
    }
    buf_release(&why);
}
