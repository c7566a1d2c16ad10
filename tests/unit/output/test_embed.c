#include "output/embed.h"

#include "unit/support/test.h"

#define MAGIC "\x89PNG\r\n\x1a\n"
#define HEADER "\0\0\0\1IHDR.sums"
#define PROFILE "\0\0\0\5flPrabcdesums"

static const struct {
    struct slice png;
    size_t size;
} pngs[] = {
    {SLICE(MAGIC HEADER PROFILE), 17},
    {SLICE(MAGIC HEADER PROFILE HEADER), 17},
    {SLICE(MAGIC HEADER HEADER), 0},
    {SLICE(MAGIC "\377\377\377\377IHDR.sums" PROFILE), 0}, /* longer than the file */
    {SLICE(MAGIC "\0\0"), 0},
    {SLICE(""), 0},
};

#define LOST "\0\0\0\21iTXtModules\0\0\0\0\0lost.sums"

Test(embed, what_is_lost_is_a_text)
{
    cr_expect(slice_equal(embed_lost(SLICE(MAGIC HEADER LOST PROFILE)), SLICE("lost.")));
    cr_expect_eq(embed_lost(SLICE(MAGIC HEADER PROFILE)).len, 0);
    for (size_t len = 0; len < sizeof(MAGIC HEADER LOST) - 1; len++)
        cr_expect_leq(embed_lost(slice_make(MAGIC HEADER LOST, len)).len, 5);
}

Test(embed, size_is_that_of_the_whole_chunk)
{
    for (size_t i = 0; i < sizeof(pngs) / sizeof(pngs[0]); i++)
        cr_expect_eq(embed_size(pngs[i].png), pngs[i].size, "%zu: %zu", i, embed_size(pngs[i].png));
}
