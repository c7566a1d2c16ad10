/*
 * Compresses a stream made from any bytes. Each piece begins with a byte that says
 * how many bytes follow, or that a run follows, or that earlier bytes are repeated.
 * Decoding the compressed stream must give the same bytes.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "compress/packer.h"
#include "support/inflate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 40000, MOST_IN_ALL = 1 << 20 };

static void add(struct packer *p, struct buf *all, struct slice bytes)
{
    memcpy(packer_room(p, bytes.len), bytes.ptr, bytes.len);
    packer_add(p, bytes.len);
    buf_add_slice(all, bytes);
}

static void add_run(struct packer *p, struct buf *all, uint8_t byte, size_t count)
{
    packer_add_run(p, byte, count);
    memset(buf_reserve(all, count), byte, count);
    all->len += count;
}

/* Takes a number of two bytes, less than MOST. */
static size_t take_number(struct slice *rest)
{
    size_t number = 0;

    for (int i = 0; i < 2 && rest->len; i++, *rest = slice_skip(*rest, 1))
        number = number << 8 | (uint8_t)rest->ptr[0];
    return number % MOST;
}

static void add_piece(struct packer *p, struct buf *all, struct slice *rest)
{
    uint8_t kind = (uint8_t)rest->ptr[0];
    struct buf copy = {0};
    size_t count, from;

    *rest = slice_skip(*rest, 1);
    if (kind < 128) {
        add(p, all, slice_take(*rest, kind));
        *rest = slice_skip(*rest, kind < rest->len ? kind : rest->len);
        return;
    }
    count = take_number(rest);
    if (kind < 192) {
        add_run(p, all, kind & 3, count);
        return;
    }
    from = take_number(rest);
    buf_add_slice(&copy,
                  slice_take(slice_skip(buf_slice(all), from < all->len ? from : all->len), count));
    add(p, all, buf_slice(&copy));
    buf_release(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice rest = slice_make((const char *)data, size);
    struct buf out = {0}, all = {0}, decoded = {0};
    struct packer p;

    packer_open(&p, &out, MOST);
    while (rest.len && all.len < MOST_IN_ALL)
        add_piece(&p, &all, &rest);
    packer_close(&p);
    if (inflate_plainly(buf_slice(&out), &decoded))
        BUG("the stream cannot be decoded");
    if (!slice_equal(buf_slice(&decoded), buf_slice(&all)))
        BUG("decoded, the bytes differ");
    buf_release(&out);
    buf_release(&all);
    buf_release(&decoded);
    return 0;
}
