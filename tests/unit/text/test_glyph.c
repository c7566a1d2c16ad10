#include "text/glyph.h"

#include "assets/asset.h"
#include "base/pool.h"
#include "text/shape.h"
#include "unit/support/test.h"

enum { SIDE = 40 };

static struct glyph_key default_key(int32_t size)
{
    struct glyph_key key = {.font = 0, .size = size};

    cr_assert(asset_find(SLICE("fonts/RobotoCondensed-Regular.ttf"), &key.bytes));
    struct shape_font *f = shape_font_new(key.bytes, 0);

    key.glyph_count = shape_font_glyph_count(f);
    shape_font_free(f);
    return key;
}

/* Draws many glyphs at many positions. */
static void draw_all(struct glyph_cache *g, struct glyph_strike *s, struct pixmap *p)
{
    pixmap_init(p, SIDE, SIDE);
    for (uint32_t glyph = 0; glyph < 300; glyph++)
        glyph_draw(g, s, glyph, p, (int64_t)(glyph * 37 % (SIDE * 64)), (int32_t)(glyph % SIDE),
                   pixmap_bounds(p));
}

/* The size of the cache, 0 included, does not change what is drawn. */
Test(text_glyph, what_is_kept_changes_nothing)
{
    static const size_t bounds[] = {0, 5000, GLYPH_DEFAULT_BOUND};
    struct pixmap first, p;
    struct glyph_key key = default_key(12 * 64);

    for (size_t i = 0; i < 3; i++) {
        struct glyph_cache *g = glyph_cache_new(bounds[i]);
        struct glyph_strike *s = glyph_cache_strike(g, &key);

        draw_all(g, s, i == 0 ? &first : &p);
        if (i > 0) {
            cr_expect(memcmp(first.pixels, p.pixels, SIDE * SIDE) == 0, "bound %zu", bounds[i]);
            pixmap_release(&p);
        }
        draw_all(g, s, &p);
        cr_expect(memcmp(first.pixels, p.pixels, SIDE * SIDE) == 0, "bound %zu again", bounds[i]);
        pixmap_release(&p);
        glyph_cache_free(g);
    }
    pixmap_release(&first);
}

/* Fonts in more sizes than the cache keeps are drawn correctly. */
Test(text_glyph, takes_any_number_of_sizes)
{
    struct glyph_cache *g = glyph_cache_new(GLYPH_DEFAULT_BOUND);
    unsigned before = 0;

    for (int32_t size = 6 * 64; size < 6 * 64 + 100 * 16; size += 16) {
        struct glyph_key key = default_key(size);
        struct pixmap p;
        unsigned ink = 0;

        pixmap_init(&p, SIDE, SIDE);
        glyph_draw(g, glyph_cache_strike(g, &key), 43, &p, 64, SIDE - 5, pixmap_bounds(&p));
        for (size_t i = 0; i < SIDE * SIDE; i++)
            ink += p.pixels[i];
        cr_expect_gt(ink + 40, before, "%d: %u after %u", size, ink, before);
        cr_expect_gt(ink, 0);
        before = ink;
        pixmap_release(&p);
    }
    cr_expect_gt(before, 500);
    glyph_cache_free(g);
}

Test(text_glyph, a_quarter_of_a_pixel_matters_and_less_does_not)
{
    struct glyph_cache *g = glyph_cache_new(GLYPH_DEFAULT_BOUND);
    struct glyph_key key = default_key(12 * 64);
    struct glyph_strike *s = glyph_cache_strike(g, &key);
    struct pixmap shots[64];

    for (int64_t x = 0; x < 64; x++) {
        pixmap_init(&shots[x], SIDE, SIDE);
        glyph_draw(g, s, 43, &shots[x], 640 + x, 30, pixmap_bounds(&shots[x]));
    }
    for (int x = 1; x < 64; x++) {
        bool same = memcmp(shots[x].pixels, shots[x - 1].pixels, SIDE * SIDE) == 0;

        cr_expect_eq(same, (x + 8) % 16 != 0, "at %d", x);
    }
    for (int x = 0; x < 64; x++)
        pixmap_release(&shots[x]);
    glyph_cache_free(g);
}

Test(text_glyph, faults_draw_nothing)
{
    struct glyph_cache *g = glyph_cache_new(GLYPH_DEFAULT_BOUND);
    struct glyph_key key = default_key(12 * 64);
    struct glyph_key broken = {.font = 9, .bytes = SLICE("no font"), .glyph_count = 9, .size = 768};
    struct pixmap p;

    pixmap_init(&p, SIDE, SIDE);
    glyph_draw(g, glyph_cache_strike(g, &broken), 3, &p, 640, 20, pixmap_bounds(&p));
    glyph_draw(g, glyph_cache_strike(g, &key), key.glyph_count, &p, 640, 20, pixmap_bounds(&p));
    glyph_draw(g, glyph_cache_strike(g, &key), 43, &p, INT64_MAX / 2, 20, pixmap_bounds(&p));
    glyph_draw(g, glyph_cache_strike(g, &key), 43, &p, INT64_MIN / 2, 20, pixmap_bounds(&p));
    for (size_t i = 0; i < SIDE * SIDE; i++)
        cr_assert_eq(p.pixels[i], 0);
    pixmap_release(&p);
    glyph_cache_free(g);
}
