/*
 * PNGs that flamepress drew: the profile is in a chunk of its own (output/embed.h).
 *
 *     89 50 4E 47 0D 0A 1A 0A
 *     LENGTH flPr "version=1 name=cycles ...\n" ZLIB-STREAM CRC
 *
 * The chunk has all stacks and weights of the picture's graph. If it is missing, the texts of the
 * PNG ("Profile", "Software") say why, and if these are missing as well, the palette still tells a
 * picture of flamepress: each fill is followed by its steps to the colour of the text on it. The
 * grammar of chunks is that of the PNG specification, https://www.w3.org/TR/png-3/.
 */
#include "base/utf8.h"
#include "input/core/inflate.h"
#include "input/format.h"
#include "input/formats/pictures/flame_tree.h"

enum {
    MAGIC = 8,
    NUMBER = 4, /* bytes */
    LEVELS = 8, /* colours of a fill, with the text on it */
    COLOR = 3,  /* bytes of a colour */
    LEAST_FILLS = 8,
    INKS = 8, /* colours of text in a palette, at most */
};

/* What the chunks say. Slices are those of the file. */
struct png {
    struct slice profile, reason, software;
    bool damaged;  /* the chunk with the profile */
    bool has_look; /* of flamepress */
};

static bool png_claims(const struct head *head)
{
    return slice_starts(head->bytes, SLICE("\x89PNG\r\n\x1a\n"));
}

static uint32_t read_u32(struct slice s)
{
    const unsigned char *p = (const unsigned char *)s.ptr;

    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Takes bytes up to a NUL off `*rest`. */
static struct slice take_string(struct slice *rest)
{
    size_t end = slice_find(*rest, '\0');
    struct slice taken = slice_take(*rest, end);

    *rest = slice_skip(*rest, end < rest->len ? end + 1 : end);
    return taken;
}

/* tEXt: KEY NUL TEXT; iTXt: KEY NUL, two bytes, LANGUAGE NUL, KEY NUL, TEXT. */
static void read_text(struct png *png, struct slice data, bool international)
{
    struct slice key = take_string(&data);

    if (international) {
        if (data.len < 2 || data.ptr[0])
            return;
        data = slice_skip(data, 2);
        take_string(&data);
        take_string(&data);
    }
    if (slice_equal(key, SLICE("Profile")))
        png->reason = data;
    else if (slice_equal(key, SLICE("Software")))
        png->software = data;
}

static bool is_between(unsigned char a, unsigned char x, unsigned char b)
{
    return a < b ? a <= x && x <= b : b <= x && x <= a;
}

/* Whether the colours of a fill go from it to its last one. */
static bool is_fill(const unsigned char *colors)
{
    const unsigned char *last = colors + (LEVELS - 1) * COLOR;

    for (int i = 1; i < LEVELS - 1; i++)
        for (int c = 0; c < COLOR; c++)
            if (!is_between(colors[c], colors[i * COLOR + c], last[c]))
                return false;
    return memcmp(colors, last, COLOR) != 0;
}

/* Whether a palette is that of output/png.h: most fills end in one of a few colours of text. */
static bool has_look(struct slice palette)
{
    size_t fills = palette.len / (LEVELS * COLOR), good = 0;
    const unsigned char *colors = (const unsigned char *)palette.ptr;
    unsigned char inks[INKS][COLOR];
    int count = 0;

    for (size_t f = 0; f < fills; f++, colors += LEVELS * COLOR) {
        const unsigned char *ink = colors + (LEVELS - 1) * COLOR;
        int i = 0;

        if (!is_fill(colors))
            continue;
        while (i < count && memcmp(inks[i], ink, COLOR) != 0)
            i++;
        if (i == INKS)
            continue;
        if (i == count)
            memcpy(inks[count++], ink, COLOR);
        good++;
    }
    return fills >= LEAST_FILLS && good * 4 >= fills * 3;
}

static void read_chunk(struct png *png, struct slice chunk)
{
    struct slice type = slice_take(chunk, NUMBER);
    struct slice data = slice_make(chunk.ptr + NUMBER, chunk.len - 2 * NUMBER);

    if (slice_equal(type, SLICE("flPr"))) {
        png->profile = data;
        png->damaged = inflate_crc(0, slice_take(chunk, chunk.len - NUMBER)) !=
                       read_u32(slice_skip(chunk, chunk.len - NUMBER));
    } else if (slice_equal(type, SLICE("tEXt")) || slice_equal(type, SLICE("iTXt"))) {
        read_text(png, data, *type.ptr == 'i');
    } else if (slice_equal(type, SLICE("PLTE"))) {
        png->has_look = has_look(data);
    }
}

/* A chunk is the length of its data, four letters, the data, and a checksum. */
static void read_chunks(struct png *png, struct slice bytes)
{
    bytes = slice_skip(bytes, MAGIC);
    while (bytes.len >= 3 * NUMBER) {
        uint32_t len = read_u32(bytes);

        bytes = slice_skip(bytes, NUMBER);
        if (len > bytes.len - 2 * NUMBER)
            return;
        read_chunk(png, slice_take(bytes, (size_t)len + 2 * NUMBER));
        bytes = slice_skip(bytes, (size_t)len + 2 * NUMBER);
    }
}

/* Says why there is no profile. Returns false. */
static bool refuse(const struct png *png, struct diag *diag)
{
    struct buf text = {0};

    utf8_add_clean(&text, slice_take(png->reason, HEAD_TEXT));
    if (png->reason.len)
        diag_error(diag, "this picture of flamepress contains no profile; %s", buf_string(&text));
    else if (slice_starts(png->software, SLICE("flamepress")) || png->has_look)
        diag_error(diag,
                   "this picture of flamepress has lost its profile: the chunk was removed, as "
                   "some ticket systems and image tools do, or an older flamepress drew it; ask "
                   "for the original file or the SVG");
    else
        diag_error(diag, "this PNG contains no profile: only pictures that flamepress drew do");
    buf_release(&text);
    return false;
}

static bool read_profile(struct content *c, const struct png *png)
{
    size_t line = slice_find(png->profile, '\n');
    struct builder b;
    bool ok;

    if (png->damaged)
        return diag_error(c->diag, "the profile in the picture is damaged: its checksum is wrong");
    builder_init(&b, c->profile, c->options, c->diag);
    ok = flame_tree_read_graph(&b, slice_take(png->profile, line),
                               slice_skip(png->profile, line < png->profile.len ? line + 1 : line),
                               SLICE(""));
    builder_release(&b);
    return ok;
}

static bool png_read(struct content *c)
{
    struct png png = {0};
    struct buf bytes = {0};
    bool ok;

    ok = content_load(c, &bytes);
    if (ok) {
        read_chunks(&png, buf_slice(&bytes));
        ok = png.profile.ptr ? read_profile(c, &png) : refuse(&png, c->diag);
    }
    buf_release(&bytes);
    return ok;
}

const struct format format_own_png = {
    .name = "flamepress-png",
    .family = FORMAT_PICTURES,
    .description = "PNGs of flamepress, which contain their profile",
    .recognised = "a PNG",
    .example = "flamepress graph app.perf -o app.png",
    .claims = png_claims,
    .read = png_read,
    .picture = true,
};
