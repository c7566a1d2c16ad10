#include "draw/resources.h"

#include "base/file.h"
#include "output/picture_color.h"

enum { FILE_MOST = 64 << 20 };

static bool read_file(const char *path, struct buf *text, struct diag *diag)
{
    struct buf why = {0};
    bool ok;

    ok = file_read(path, FILE_MOST, text, &why);
    if (!ok)
        diag_error(diag, "%s", buf_string(&why));
    buf_release(&why);
    return ok;
}

static bool read_colors(struct resources *r)
{
    struct buf text = {0};
    bool ok;

    if (!r->colors_path || file_kind(r->colors_path) == FILE_ABSENT)
        return true;
    ok = read_file(r->colors_path, &text, &r->about_colors) &&
         color_map_read(&r->colors, buf_slice(&text), &r->about_colors);
    buf_release(&text);
    return ok;
}

static bool read_attributes(struct resources *r, const char *path)
{
    struct buf text = {0};
    bool ok;

    if (!path)
        return true;
    ok = read_file(path, &text, &r->about_attributes) &&
         attributes_read(&r->attributes, buf_slice(&text), &r->about_attributes);
    buf_release(&text);
    return ok;
}

bool resources_init(struct resources *r, const char *colors, const char *attributes)
{
    *r = (struct resources){.colors_path = colors};
    diag_init(&r->about_colors, slice_str(colors));
    diag_init(&r->about_attributes, slice_str(attributes));
    return read_colors(r) && read_attributes(r, attributes);
}

void resources_release(struct resources *r)
{
    color_map_release(&r->colors);
    attributes_release(&r->attributes);
    release_all(r, diag, about_colors, about_attributes);
}

void resources_collect(const struct resources *r, const struct picture *p, struct color_map *added)
{
    if (r->colors_path)
        picture_color_collect(p, added);
}

bool resources_update(struct resources *r, const struct color_map *added, struct buf *text)
{
    uint32_t known = intern_count(&r->colors.names);

    color_map_merge(&r->colors, added);
    if (!r->colors_path || intern_count(&r->colors.names) == known)
        return false;
    color_map_write(&r->colors, text);
    return true;
}
