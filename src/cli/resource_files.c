#include "cli/resource_files.h"

#include "cli/sink.h"

bool resource_files_read(struct resources *r, const struct options *o, struct console *console)
{
    bool ok = resources_init(r, o->color_map, o->name_attributes);

    console_show(console, &r->about_colors);
    console_show(console, &r->about_attributes);
    return ok;
}

bool resource_files_save(struct resources *r, const struct color_map *added,
                         struct console *console)
{
    struct buf text = {0};
    bool ok;

    ok = !resources_update(r, added, &text) ||
         sink_write(console, r->colors_path, buf_slice(&text)) != SINK_FAILED;
    buf_release(&text);
    return ok;
}
