
#include "input/core/inflate.h"
#include "output/deflate.h"
#include "unit/support/test.h"

/*
 * Decompressing a stream gives the original bytes, or nothing if the stream is cut, damaged or
 * too long.
 */
Test(input_inflate, streams)
{
    struct buf text = {0}, packed = {0}, out = {0};

    for (int i = 0; i < 50000; i++)
        buf_printf(&text, "frame %d;", i % 977);
    deflate_bytes(&packed, (struct deflate_parts){.text = buf_slice(&text)});
    buf_add_str(&out, "before ");
    cr_expect(inflate_add(&out, buf_slice(&packed), text.len));
    cr_expect(slice_equal(slice_skip(buf_slice(&out), 7), buf_slice(&text)));
    buf_clear(&out);
    cr_expect_not(inflate_add(&out, buf_slice(&packed), text.len - 1), "longer than allowed");
    buf_clear(&out);
    cr_expect_not(inflate_add(&out, slice_take(buf_slice(&packed), packed.len - 1), text.len));
    packed.ptr[packed.len / 2] ^= 0x10;
    buf_clear(&out);
    cr_expect_not(inflate_add(&out, buf_slice(&packed), text.len), "damaged");
    cr_expect_not(inflate_add(&out, SLICE(""), 10), "empty");
    buf_release(&text);
    buf_release(&packed);
    buf_release(&out);
}

Test(input_inflate, checksum)
{
    cr_expect_eq(inflate_crc(0, SLICE("123456789")), 0xcbf43926);
    cr_expect_eq(inflate_crc(inflate_crc(0, SLICE("1234")), SLICE("56789")), 0xcbf43926);
}
