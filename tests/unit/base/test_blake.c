#include "base/blake.h"

#include <string.h>

#include <criterion/criterion.h>

#include "base/buf.h"

/* The digests of Python's hashlib.blake2b(bytes, digest_size=32). */
static const struct {
    size_t len;
    const char *digest;
} rows[] = {
    {0, "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"},
    {1, "03170a2e7597b7b7e3d84c05391d139a62b157e78786d8c082f29dcf4c111314"},
    {127, "4ff62e7c4c43fe101a078479c48836be4907d9d498dcc577ca89d694b2c11f9b"},
    {128, "14696d2a98d9f8a280da8b132b1045b345e1033759c6b02fcc4ee885c8ae7c37"},
    {129, "3934215260b1039be9d9d2b073b059bcd50120c327a22af93eb4d98cf821c14c"},
    {256, "3d0cb2693dfbac42af5a6cc960953fea8714aa39c4bcd054ef61d6b5e98ade4a"},
    {1000, "6ac4bea923678eb024090384d6e767b5870f849057dc19b172d8d9f2df30bf8e"},
};

/* Digests `len` bytes, given in parts. */
static void digest(size_t len, size_t part, struct buf *hex)
{
    unsigned char out[BLAKE_SIZE];
    struct blake b;
    char bytes[1000];

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char)(i * 7);
    blake_init(&b);
    for (size_t at = 0; at < len; at += part)
        blake_add(&b, slice_make(bytes + at, len - at < part ? len - at : part));
    blake_end(&b, out);
    for (size_t i = 0; i < BLAKE_SIZE; i++)
        buf_printf(hex, "%02x", out[i]);
}

Test(base_blake, digests_as_others_do)
{
    static const size_t parts[] = {1, 77, 128, 1000};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (size_t p = 0; p < sizeof(parts) / sizeof(parts[0]); p++) {
            struct buf hex = {0};

            digest(rows[i].len, parts[p], &hex);
            cr_expect_str_eq(buf_string(&hex), rows[i].digest, "%zu bytes by %zu", rows[i].len,
                             parts[p]);
            buf_release(&hex);
        }
    }
}

Test(base_blake, texts_are_told_apart)
{
    unsigned char ab[BLAKE_SIZE], a_b[BLAKE_SIZE];
    struct blake b;

    blake_init(&b);
    blake_add_text(&b, SLICE("ab"));
    blake_add_text(&b, SLICE(""));
    blake_end(&b, ab);
    blake_init(&b);
    blake_add_text(&b, SLICE("a"));
    blake_add_text(&b, SLICE("b"));
    blake_end(&b, a_b);
    cr_expect_neq(memcmp(ab, a_b, BLAKE_SIZE), 0);
}
