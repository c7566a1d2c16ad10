#include "compress/adler.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "unit/support/test.h"

enum { MOST = 1 << 20 };

/* Lengths near the sizes of groups, and some above that of a batch: largest bytes, mixed ones. */
Test(compress_adler, as_zlib)
{
    uint8_t *bytes = malloc(MOST);

    for (int mixed = 0; mixed < 2; mixed++) {
        for (size_t i = 0; i < MOST; i++)
            bytes[i] = mixed ? (uint8_t)(i * i >> 3) : 255;
        for (size_t count = 0; count < MOST; count += count < 1100 ? 1 : count / 9) {
            uint32_t want = (uint32_t)adler32(0xfff0fff0, bytes, (uInt)count);

            cr_assert_eq(adler_add(0xfff0fff0, bytes, count), want, "%zu bytes", count);
        }
    }
    free(bytes);
}

Test(compress_adler, runs_as_bytes)
{
    static const uint8_t values[] = {0, 1, 255};
    uint8_t *bytes = malloc(MOST);

    for (size_t v = 0; v < sizeof(values); v++) {
        memset(bytes, values[v], MOST);
        for (size_t count = 0; count < MOST; count += count < 100 ? 1 : 16381)
            cr_assert_eq(adler_add_run(0xfff0fff0, values[v], count),
                         adler_add(0xfff0fff0, bytes, count), "%zu times %u", count, values[v]);
    }
    free(bytes);
}
