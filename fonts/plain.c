/*
 * Writes what the program knows of its first font. The build runs it:
 *
 *     plain FONT KNOWN PACKED
 *
 * KNOWN is the `struct plain` of the font file, PACKED its plain characters as
 * a font in the form that SVGs contain.
 */
#include <stdio.h>

#include "base/die.h"
#include "base/file.h"
#include "output/deflate.h"
#include "text/plain.h"
#include "text/subset.h"

enum { MOST = 64 << 20 };

static void write_file(const char *path, struct slice bytes)
{
    FILE *f = fopen(path, "wb");

    if (!f || fwrite(bytes.ptr, 1, bytes.len, f) != bytes.len || fclose(f) != 0)
        die("cannot write '%s'", path);
}

static void write_packed(struct slice font, const struct plain *known, const char *path)
{
    struct fonts_chars chars = {0};
    struct buf part = {0}, packed = {0};

    plain_chars(known, &chars);
    if (!subset_write(font, 0, &chars, &part))
        die("the font cannot be subset or embedded");
    deflate_write(&packed, (struct deflate_parts){.text = buf_slice(&part)});
    write_file(path, buf_slice(&packed));
    buf_release(&packed);
    buf_release(&part);
    vec_release(&chars);
}

int main(int argc, char **argv)
{
    struct buf font = {0}, why = {0};
    struct shape_font *shape;
    struct plain known;

    if (argc != 4)
        die("usage: plain FONT KNOWN PACKED");
    if (!file_read(argv[1], MOST, &font, &why))
        die("cannot read '%s': %s", argv[1], buf_string(&why));
    shape = shape_font_new(buf_slice(&font), 0);
    if (!shape)
        die("'%s' is not a font", argv[1]);
    plain_learn(shape, &known);
    write_packed(buf_slice(&font), &known, argv[3]);
    write_file(argv[2], slice_make((const char *)&known, sizeof(known)));
    shape_font_free(shape);
    buf_release(&why);
    buf_release(&font);
    return 0;
}
