#include "output/png.h"

#include <png.h>

#include "output/embed.h"
#include "output/paint.h"
#include "output/rows.h"
#include "tree/digest.h"

enum {
    DOTS_PER_METRE = 3780, /* 96 dpi */
    CHUNK = 1 << 16,       /* bytes of compressed data in one IDAT */
    MAX_TEXTS = 7,
};

/* What a PNG contains beside its pixels. */
struct extras {
    char *texts[MAX_TEXTS];
    struct buf profile; /* of the chunk EMBED_CHUNK, or empty */
};

/* The data of libpng's callbacks. on_error() ends in longjmp(). */
struct sink {
    struct buf *out;
    struct buf *why;
};

static void on_error(png_structp png, png_const_charp message)
{
    struct sink *sink = png_get_error_ptr(png);

    buf_printf(sink->why, "libpng: %s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void on_write(png_structp png, png_bytep bytes, size_t len)
{
    struct sink *sink = png_get_io_ptr(png);

    buf_add(sink->out, bytes, len);
}

static void on_flush(png_structp png)
{
    (void)png;
}

static void set_palette(png_structp png, png_infop info, const struct paint *paint)
{
    png_color colors[PIXMAP_FILLS * PIXMAP_LEVELS];
    unsigned count = paint->fills * PIXMAP_LEVELS;

    for (unsigned i = 0; i < count; i++) {
        uint32_t rgb = paint_color(paint, (uint8_t)i);

        colors[i] = (png_color){(uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb};
    }
    png_set_PLTE(png, info, colors, (int)count);
}

/* Adds a text chunk for each of `texts` that is not empty. */
static void set_texts(png_structp png, png_infop info, char *const texts[MAX_TEXTS])
{
    static const char *const keys[MAX_TEXTS] = {
        "Title", "Description", "Source", "Digest", "Software", EMBED_TEXT, EMBED_ORIGINS_TEXT};
    png_text chunks[MAX_TEXTS] = {{0}};
    int count = 0;

    for (int i = 0; i < MAX_TEXTS; i++) {
        if (!texts[i][0])
            continue;
        chunks[count].compression = PNG_ITXT_COMPRESSION_NONE;
        chunks[count].key = (char *)(uintptr_t)keys[i];
        chunks[count++].text = texts[i];
    }
    png_set_text(png, info, chunks, count);
}

static void set_header(png_structp png, png_infop info, const struct paint *paint, unsigned ratio,
                       const struct extras *extras)
{
    png_set_IHDR(png, info, paint->pixmap.width, paint->pixmap.height, 8, PNG_COLOR_TYPE_PALETTE,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_pHYs(png, info, DOTS_PER_METRE * ratio, DOTS_PER_METRE * ratio, PNG_RESOLUTION_METER);
    set_palette(png, info, paint);
    set_texts(png, info, extras->texts);
}

/* Writes the compressed rows. libpng does not know that they are there, so the end is ours, too. */
static void write_data(png_structp png, struct slice data)
{
    while (data.len) {
        struct slice part = slice_take(data, CHUNK);

        png_write_chunk(png, (png_const_bytep) "IDAT", (png_const_bytep)part.ptr, part.len);
        data = slice_skip(data, part.len);
    }
    png_write_chunk(png, (png_const_bytep) "IEND", NULL, 0);
}

/* Everything from which libpng may jump back. Nothing is allocated here. */
static bool encode(png_structp png, png_infop info, const struct paint *paint, unsigned ratio,
                   const struct extras *extras, struct slice data)
{
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_set_user_limits(png, PIXMAP_MAX_SIDE, PIXMAP_MAX_SIDE);
    set_header(png, info, paint, ratio, extras);
    png_write_info(png, info);
    if (extras->profile.len)
        png_write_chunk(png, (png_const_bytep)EMBED_CHUNK, (png_const_bytep)extras->profile.ptr,
                        extras->profile.len);
    write_data(png, data);
    return true;
}

static bool write_pixmap(const struct paint *paint, unsigned ratio, const struct extras *extras,
                         struct sink *sink)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, sink, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    struct buf data = {0};
    bool done;

    if (!info)
        die("libpng does not start");
    png_set_write_fn(png, sink, on_write, on_flush);
    rows_pack(&data, &paint->pixmap);
    done = encode(png, info, paint, ratio, extras, buf_slice(&data));
    png_destroy_write_struct(&png, &info);
    buf_release(&data);
    return done;
}

static void collect_extras(const struct picture *p, struct extras *extras, struct arena *memory)
{
    const struct picture *last = picture_stack_last(p);
    const struct picture_options *o = &last->options;
    struct buf why = {0}, lost = {0}, digest = {0};

    embed_write(p, &extras->profile, &why, &lost);
    extras->texts[0] = arena_strdup(memory, o->look.title);
    extras->texts[1] = arena_strdup(memory, picture_slice(last, last->description));
    extras->texts[2] = arena_strdup(memory, o->source);
    if (o->digest)
        tree_digest(last->layout->tree, &digest);
    extras->texts[3] = arena_strdup(memory, buf_slice(&digest));
    extras->texts[4] = arena_strdup(memory, o->software);
    extras->texts[5] = arena_strdup(memory, buf_slice(&why));
    extras->texts[6] = arena_strdup(memory, buf_slice(&lost));
    buf_release(&why);
    buf_release(&lost);
    buf_release(&digest);
}

bool png_write(const struct picture *p, unsigned ratio, struct buf *out, struct buf *why)
{
    struct sink sink = {out, why};
    size_t before = out->len;
    struct extras extras = {0};
    struct arena memory = {0};
    struct paint paint;
    bool done;

    if (!paint_init(&paint, p, ratio)) {
        buf_printf(why, "a picture of %llu x %llu pixels is too large",
                   (unsigned long long)p->geometry.width * ratio,
                   (unsigned long long)picture_stack_height(p) * ratio);
        return false;
    }
    collect_extras(p, &extras, &memory);
    done = write_pixmap(&paint, ratio, &extras, &sink);
    if (!done)
        out->len = before;
    buf_release(&extras.profile);
    arena_release(&memory);
    paint_release(&paint);
    return done;
}
