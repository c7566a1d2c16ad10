#include "base/blake.h"

#include <string.h>

#include "base/buf.h"
#include "unit/support/test.h"

/*
 * The digests of Python's hashlib.blake2b(), called for each leaf and the root with digest_size=32,
 * fanout=8, depth=2, inner_size=32, node_offset, node_depth and last_node.
 */
static const struct {
    size_t len;
    const char *digest;
} rows[] = {
    {0, "0b38a46e727db372eae795668b9d079666309d1551dc12b6b9ef2af8f1fab802"},
    {1, "10fe425621803c929c82e47f14c6a167c45e8585c1a91dc0dfa4ac3a1d24f716"},
    {127, "7549f23466af32e24d6c7e0aa5f8f26c349bc28902cbf2ec49a7c622b3299615"},
    {128, "64c72204be365fdecda4f7d8cbd6a825fb533e64bb9f5540d68da857dba03d2b"},
    {129, "4963ecf29a423db410b36663a92b4fc954d3e3940d5301b467113b53b9c54d7a"},
    {1000, "7ec4dbf9f5794f155161e994898b07508dc677ea56698b514a8183eea47c68fc"},
    {1024, "733cf414b6c5e2f04c3026e9211d9503b73debf5036c2933488747bbfd3d22af"},
    {1025, "a85b9ef45910fea40c819b49162bac2803113aaeee73a403f34cb679d4026bb8"},
    {1920, "44458dc866b4d5317ebde4cf2fcbfb4fa9ec3e11424d4fb18e7ae94dee905aaa"},
    {1921, "561b38bd23ba11a7483f0d95e0d51bafd69e185366f0b96e7e0db2642ede0a97"},
    {2048, "0eb3ad9c3786663afaada2f860bccb0605b69af3843ef6ac505780af0fa3faae"},
    {2049, "f43fed6de2ed03a0d7b65dfb9d0d54b239d9cbedb0956cf759e3d811c4de09e1"},
    {5000, "008becc95d2c4556dfb3bc38055292801c786ad21c4a16dcf7511d120156a55c"},
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
    static const size_t parts[] = {1, 77, 128, 1000, 1024, 5000};

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
