#include "base/blake.h"

#include <string.h>

#include "base/buf.h"
#include "unit/support/test.h"

/*
 * The digests of Python's hashlib.blake2b(), called for each leaf and the root with digest_size=32,
 * fanout=4, depth=2, inner_size=32, node_offset, node_depth and last_node.
 */
static const struct {
    size_t len;
    const char *digest;
} rows[] = {
    {0, "a23bc5c66d69334a34ebc8c425bc7ecb4cb17c5d016741afc8fcd35a4ddaddcf"},
    {1, "9dcf8b475960d68325028883330ed71bb4c191c2ba70bc72844bf117639755b0"},
    {127, "07515c7d0a352092fd8e3e2748d325764e0fdccec0575120c51d84b6fbc4954a"},
    {128, "83440b2dbd0988573ce4f331f7f9f4beab667318c6c23502cbe60b8ca4500d53"},
    {129, "a65d815521c5aaea4c2b5421222d1aef942dbc2afed311b5e316f08774918808"},
    {512, "e5509a222bf77f192b2347fb9fa35e5712599642a2acfb8e7b726874b8ebb58d"},
    {513, "4e8eb3711a9d7e885f1675487e490349840e445df7c8232adf71700378b8921a"},
    {896, "2b81c24805958eca51d7521694264ec87639555b1e11d755c10fdc8ccbc8cc5e"},
    {897, "5fa39df133fde85423588f213c427bae2362e2d60da543d0aa4a9215a747675d"},
    {1000, "a1cbe189579931143635accc468df9e24fb740b029b488f798947066069ecb8a"},
    {1024, "6da4dec4174c45255003b75895f48263aebc9fcbd35aff01cfa19ccb1293f1ec"},
    {1025, "f400a784374df10c4a0d706fc4fa0b99520ac456559174b3e62a8fbd2475f3b5"},
    {5000, "74cc210a89e937be0a3e401433bdded094992dcee2a8bbdd1f1180732bde1ad4"},
};

/* Digests `len` bytes, given in parts. */
static void digest(size_t len, size_t part, struct buf *hex)
{
    unsigned char out[BLAKE_SIZE];
    struct blake b;
    char bytes[5000];

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
    static const size_t parts[] = {1, 77, 128, 512, 1000, 5000};

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
