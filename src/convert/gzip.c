#include "convert/gzip.h"

#include <string.h>
#include <zlib.h>

#include "compress/packer.h"

/* Bytes that are compressed at once: matches do not cross their ends. */
enum { PIECE = 64 * 1024 };

struct gzip {
    struct packer packer;
    struct buf packed;
    uint32_t crc;
    uint32_t length; /* of the bytes, modulo 2^32 */
    bool begun, ended;
};

struct gzip *gzip_new(void)
{
    struct gzip *gzip = xcalloc(1, sizeof(*gzip));

    packer_open_raw(&gzip->packer, &gzip->packed, PIECE);
    return gzip;
}

void gzip_free(struct gzip *gzip)
{
    if (gzip && !gzip->ended)
        packer_close(&gzip->packer);
    if (gzip)
        buf_release(&gzip->packed);
    xfree(gzip);
}

/* Writes the header (RFC 1952): deflate, no name, no time, the fastest method, Unix. */
static bool begin(struct gzip *gzip, convert_sink *sink, void *context)
{
    static const char header[] = {0x1f, (char)0x8b, 8, 0, 0, 0, 0, 0, 4, 3};

    gzip->begun = true;
    return sink(context, slice_make(header, sizeof(header)));
}

static void add_word(struct buf *out, uint32_t word)
{
    for (unsigned shift = 0; shift < 32; shift += 8)
        buf_add_char(out, (char)(word >> shift));
}

static bool end(struct gzip *gzip, convert_sink *sink, void *context)
{
    packer_close(&gzip->packer);
    gzip->ended = true;
    add_word(&gzip->packed, gzip->crc);
    add_word(&gzip->packed, gzip->length);
    return sink(context, buf_slice(&gzip->packed));
}

bool gzip_write(struct gzip *gzip, struct slice bytes, bool last, convert_sink *sink, void *context)
{
    if (!gzip->begun && !begin(gzip, sink, context))
        return false;
    while (bytes.len) {
        struct slice piece = slice_take(bytes, PIECE), made;

        memcpy(packer_room(&gzip->packer, piece.len), piece.ptr, piece.len);
        packer_add(&gzip->packer, piece.len);
        gzip->crc = (uint32_t)crc32_z(gzip->crc, (const Bytef *)piece.ptr, piece.len);
        gzip->length += (uint32_t)piece.len;
        bytes = slice_skip(bytes, piece.len);
        made = packer_take(&gzip->packer);
        if (made.len && !sink(context, made))
            return false;
    }
    return !last || end(gzip, sink, context);
}
