#include "draw/look.h"

const struct look look_defaults = {
    .picture = {.name_type = SLICE("Function:"),
                .label = LABEL_SMART,
                .font_size = 12,
                .width = 1200,
                .frame_height = 16,
                .embed = EMBED_AUTO,
                .svg_script = SVG_SCRIPT_INLINE},
    .max_depth = 1000,
    .min_width = 0.1,
    .sort = LAYOUT_BY_NAME,
    .spread = PALETTE_BY_HASH,
    .width_by = CHANGE_BY_NEW,
};

void look_for_ticket(struct look *look)
{
    look->picture.width = 700;
    look->pixel_ratios = 1u << LOOK_TICKET_RATIO;
    look->max_height = 600;
    look->picture.label_percent = true;
    look->has_origin = true;
}
