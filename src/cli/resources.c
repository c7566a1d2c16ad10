#include "cli/resources.h"

#include "base/file.h"
#include "cli/sink.h"
#include "output/picture_color.h"

enum { FILE_MOST = 64 << 20 };

/* Reads a whole file; the messages about its lines go to `diag`. */
static bool read_file(const char *path, struct buf *text, struct diag *diag)
{
    struct buf why;
    bool ok;

    buf_init(&why);
    ok = file_read(path, FILE_MOST, text, &why);
    if (!ok)
        diag_error(diag, "%s", why.ptr);
    buf_release(&why);
    return ok;
}

static bool read_colors(struct resources *r, struct console *console)
{
    struct buf text;
    struct diag diag;
    bool ok = true;

    if (!r->colors_path || file_kind(r->colors_path) == FILE_ABSENT)
        return true;
    buf_init(&text);
    diag_init(&diag, slice_str(r->colors_path));
    ok = read_file(r->colors_path, &text, &diag);
    if (ok)
        color_map_read(&r->colors, buf_slice(&text), &diag);
    console_show(console, &diag);
    diag_release(&diag);
    buf_release(&text);
    return ok;
}

static bool read_attributes(struct resources *r, const char *path, struct console *console)
{
    struct buf text;
    struct diag diag;
    bool ok;

    if (!path)
        return true;
    buf_init(&text);
    diag_init(&diag, slice_str(path));
    ok = read_file(path, &text, &diag) && attributes_read(&r->attributes, buf_slice(&text), &diag);
    console_show(console, &diag);
    diag_release(&diag);
    buf_release(&text);
    return ok;
}

bool resources_init(struct resources *r, const struct options *o, struct console *console)
{
    *r = (struct resources){.colors_path = o->color_map};
    color_map_init(&r->colors);
    attributes_init(&r->attributes);
    return read_colors(r, console) && read_attributes(r, o->name_attributes, console);
}

void resources_release(struct resources *r)
{
    color_map_release(&r->colors);
    attributes_release(&r->attributes);
}

void resources_collect(const struct resources *r, const struct picture *p, struct color_map *added)
{
    if (r->colors_path)
        picture_color_collect(p, added);
}

bool resources_save(struct resources *r, const struct color_map *added, struct console *console)
{
    uint32_t known = intern_count(&r->colors.names);
    struct buf text;
    bool ok;

    color_map_merge(&r->colors, added);
    if (!r->colors_path || intern_count(&r->colors.names) == known)
        return true;
    buf_init(&text);
    color_map_write(&r->colors, &text);
    ok = sink_write(console, r->colors_path, buf_slice(&text)) != SINK_FAILED;
    buf_release(&text);
    return ok;
}
