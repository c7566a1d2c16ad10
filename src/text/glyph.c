#include "text/glyph.h"

#include <pthread.h>
#include <stdatomic.h>

#include <ft2build.h>
#include FT_OUTLINE_H

#include "base/die.h"
#include "base/vec.h"
#include "raster/mask.h"
#include "text/face.h"

enum {
    QUARTERS = 4,     /* horizontal positions of a glyph within a pixel */
    MAX_SIDE = 4096,  /* pixels; a larger glyph is not drawn */
    MAX_STRIKES = 64, /* strikes kept: more than the sizes times fonts of any report */
};

/* A glyph at one quarter of a pixel. Its levels follow the struct. */
struct picture {
    int32_t left, top; /* from the origin to the top left pixel, top upwards */
    struct mask mask;
};

struct glyph_strike {
    struct glyph_key key;
    struct face *face;                   /* NULL if FreeType cannot read the font */
    _Atomic(struct picture *) *pictures; /* glyph_count * QUARTERS */
};

struct font_face {
    uint32_t font;
    struct face *face;
};

struct glyph_cache {
    pthread_mutex_t lock; /* guards everything except reading published pictures */
    struct face_library *library;
    VEC(struct font_face) faces;
    _Atomic(struct glyph_strike *) strikes[MAX_STRIKES];
    _Atomic size_t strike_count;
    VEC(struct glyph_strike *) spare; /* strikes beyond MAX_STRIKES, which keep no pictures */
    size_t used, bound;               /* bytes of pictures */
    VEC(uint8_t) coverage;            /* scratch */
};

struct glyph_cache *glyph_cache_new(size_t bound)
{
    struct glyph_cache *g = xcalloc(1, sizeof(*g));

    pthread_mutex_init(&g->lock, NULL);
    g->bound = bound;
    return g;
}

static void free_strike(struct glyph_strike *s)
{
    for (size_t i = 0; s->pictures && i < (size_t)s->key.glyph_count * QUARTERS; i++)
        free(atomic_load(&s->pictures[i]));
    free(s->pictures);
    free(s);
}

void glyph_cache_free(struct glyph_cache *g)
{
    if (!g)
        return;
    for (size_t i = 0; i < atomic_load(&g->strike_count); i++)
        free_strike(atomic_load(&g->strikes[i]));
    for (size_t i = 0; i < g->spare.count; i++)
        free_strike(g->spare.items[i]);
    for (size_t i = 0; i < g->faces.count; i++)
        face_free(g->faces.items[i].face);
    face_library_free(g->library);
    release_all(g, vec, faces, spare, coverage);
    pthread_mutex_destroy(&g->lock);
    free(g);
}

static struct face *find_face(struct glyph_cache *g, const struct glyph_key *key)
{
    vec_each (struct font_face, known, &g->faces) {
        if (known->font == key->font)
            return known->face;
    }
    if (!g->library)
        g->library = face_library_new();
    struct font_face *added = vec_add(&g->faces);

    added->font = key->font;
    added->face = face_new(g->library, key->bytes, key->index);
    return added->face;
}

static bool same_key(const struct glyph_key *a, const struct glyph_key *b)
{
    return a->font == b->font && a->size == b->size;
}

static struct glyph_strike *find_strike(struct glyph_cache *g, const struct glyph_key *key)
{
    size_t count = atomic_load_explicit(&g->strike_count, memory_order_acquire);

    for (size_t i = 0; i < count; i++) {
        struct glyph_strike *s = atomic_load_explicit(&g->strikes[i], memory_order_relaxed);

        if (same_key(&s->key, key))
            return s;
    }
    return NULL;
}

static struct glyph_strike *add_strike(struct glyph_cache *g, const struct glyph_key *key)
{
    for (size_t i = 0; i < g->spare.count; i++) {
        if (same_key(&g->spare.items[i]->key, key))
            return g->spare.items[i];
    }
    struct glyph_strike *s = xcalloc(1, sizeof(*s));
    size_t count = atomic_load_explicit(&g->strike_count, memory_order_relaxed);

    s->key = *key;
    s->face = find_face(g, key);
    if (count == MAX_STRIKES) {
        *vec_add(&g->spare) = s;
        return s;
    }
    s->pictures = xcalloc((size_t)key->glyph_count * QUARTERS, sizeof(*s->pictures));
    atomic_store_explicit(&g->strikes[count], s, memory_order_relaxed);
    atomic_store_explicit(&g->strike_count, count + 1, memory_order_release);
    return s;
}

struct glyph_strike *glyph_cache_strike(struct glyph_cache *g, const struct glyph_key *key)
{
    struct glyph_strike *s = find_strike(g, key);

    if (s)
        return s;
    pthread_mutex_lock(&g->lock);
    s = find_strike(g, key);
    if (!s)
        s = add_strike(g, key);
    pthread_mutex_unlock(&g->lock);
    return s;
}

static struct picture *new_picture(uint32_t width, uint32_t height)
{
    size_t size = (size_t)mask_stride(width) * height;
    struct picture *made = xmalloc(sizeof(*made) + size);

    made->left = made->top = 0;
    made->mask = (struct mask){width, height, mask_stride(width), (uint8_t *)(made + 1)};
    return made;
}

/* Returns the picture of an outline, without changing the outline. */
static struct picture *rasterize(struct glyph_cache *g, FT_Outline *outline)
{
    FT_BBox box;

    if (!outline || outline->n_points <= 0)
        return new_picture(0, 0);
    FT_Outline_Get_CBox(outline, &box);
    FT_Pos left = box.xMin >> 6;
    FT_Pos bottom = box.yMin >> 6;
    FT_Pos width = ((box.xMax + 63) >> 6) - left;
    FT_Pos height = ((box.yMax + 63) >> 6) - bottom;

    if (width <= 0 || height <= 0 || width > MAX_SIDE || height > MAX_SIDE)
        return new_picture(0, 0);
    struct picture *made = new_picture((uint32_t)width, (uint32_t)height);

    vec_reserve(&g->coverage, (size_t)width * (size_t)height);
    memset(g->coverage.items, 0, (size_t)width * (size_t)height);
    FT_Bitmap bitmap = {
        .rows = (unsigned)height,
        .width = (unsigned)width,
        .pitch = (int)width,
        .buffer = g->coverage.items,
        .num_grays = 256,
        .pixel_mode = FT_PIXEL_MODE_GRAY,
    };

    FT_Outline_Translate(outline, -left * 64, -bottom * 64);
    FT_Outline_Get_Bitmap(face_library_handle(g->library), outline, &bitmap);
    FT_Outline_Translate(outline, left * 64, bottom * 64);
    mask_quantize(bitmap.buffer, (size_t)width, made->mask.width, made->mask.height,
                  (uint8_t *)(made + 1));
    made->left = (int32_t)left;
    made->top = (int32_t)(bottom + height);
    return made;
}

static void draw_picture(const struct picture *picture, struct pixmap *p, int64_t x,
                         int32_t baseline, struct clip clip)
{
    mask_draw(p, (int32_t)(x + picture->left), baseline - picture->top, &picture->mask, clip);
}

/*
 * Makes the pictures of a glyph at all quarters at once, because hinting the
 * outline costs more than filling it.
 */
static void make_pictures(struct glyph_cache *g, struct glyph_strike *s, uint32_t glyph,
                          struct picture *made[QUARTERS])
{
    FT_Outline *outline = s->face ? face_outline(s->face, glyph, s->key.size) : NULL;

    for (int i = 0; i < QUARTERS; i++) {
        made[i] = rasterize(g, outline);
        if (outline)
            FT_Outline_Translate(outline, 64 / QUARTERS, 0);
    }
}

/* Publishes the pictures of a glyph. Returns false if the cache is full. */
static bool keep_pictures(struct glyph_cache *g, struct glyph_strike *s, uint32_t glyph,
                          struct picture *made[QUARTERS])
{
    size_t size = 0;

    for (int i = 0; i < QUARTERS; i++)
        size += sizeof(*made[i]) + (size_t)made[i]->mask.stride * made[i]->mask.height;
    if (!s->pictures || size > g->bound - g->used)
        return false;
    g->used += size;
    for (int i = 0; i < QUARTERS; i++)
        atomic_store_explicit(&s->pictures[(size_t)glyph * QUARTERS + i], made[i],
                              memory_order_release);
    return true;
}

/* Slow path: draws a glyph that is not in the cache. */
static void draw_new(struct glyph_cache *g, struct glyph_strike *s, uint32_t glyph,
                     unsigned quarter, struct pixmap *p, int64_t x, int32_t baseline,
                     struct clip clip)
{
    struct picture *made[QUARTERS];
    bool kept;

    pthread_mutex_lock(&g->lock);
    struct picture *known =
        s->pictures ? atomic_load(&s->pictures[(size_t)glyph * QUARTERS + quarter]) : NULL;

    if (known) {
        pthread_mutex_unlock(&g->lock);
        draw_picture(known, p, x, baseline, clip);
        return;
    }
    make_pictures(g, s, glyph, made);
    kept = keep_pictures(g, s, glyph, made);
    pthread_mutex_unlock(&g->lock);
    draw_picture(made[quarter], p, x, baseline, clip);
    for (int i = 0; !kept && i < QUARTERS; i++)
        free(made[i]);
}

void glyph_draw(struct glyph_cache *g, struct glyph_strike *s, uint32_t glyph, struct pixmap *p,
                int64_t x, int32_t baseline, struct clip clip)
{
    int64_t place = x + 32 / QUARTERS;
    int64_t column = place >> 6;
    unsigned quarter = (unsigned)(place & 63) * QUARTERS / 64;

    if (glyph >= s->key.glyph_count || column < -PIXMAP_MAX_SIDE || column > PIXMAP_MAX_SIDE)
        return;
    struct picture *known =
        s->pictures ? atomic_load_explicit(&s->pictures[(size_t)glyph * QUARTERS + quarter],
                                           memory_order_acquire)
                    : NULL;

    if (known)
        draw_picture(known, p, column, baseline, clip);
    else
        draw_new(g, s, glyph, quarter, p, column, baseline, clip);
}
