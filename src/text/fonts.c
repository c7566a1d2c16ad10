#include "text/fonts.h"

#include "base/die.h"
#include "text/state.h"

struct fonts *fonts_new(const struct fonts_options *options, struct diag *d)
{
    struct list *list = list_new(options, d);

    if (!list)
        return NULL;
    struct fonts *f = xcalloc(1, sizeof(*f));
    struct list_font *first = list_get(list, 0);

    f->list = list;
    f->known = first->plain;
    f->lines = line_cache_new();
    f->glyphs = glyph_cache_new(GLYPH_DEFAULT_BOUND);
    list_family(first, &f->family);
    pthread_mutex_init(&f->lock, NULL);
    return f;
}

void fonts_free(struct fonts *f)
{
    if (!f)
        return;
    vec_release(&f->missing);
    pthread_mutex_destroy(&f->lock);
    release_all(f, buf, plain, family);
    glyph_cache_free(f->glyphs);
    line_cache_free(f->lines);
    list_free(f->list);
    free(f);
}

struct slice fonts_family(const struct fonts *f)
{
    return buf_slice(&f->family);
}

void fonts_add_missing(struct fonts *f, uint32_t c)
{
    size_t low = 0;

    pthread_mutex_lock(&f->lock);
    for (size_t high = f->missing.count; low < high;) {
        size_t middle = low + (high - low) / 2;

        if (f->missing.items[middle] < c)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == f->missing.count || f->missing.items[low] != c) {
        (void)vec_add(&f->missing);
        memmove(f->missing.items + low + 1, f->missing.items + low,
                (f->missing.count - 1 - low) * sizeof(c));
        f->missing.items[low] = c;
    }
    pthread_mutex_unlock(&f->lock);
}

bool fonts_are_embedded(const struct fonts *f)
{
    return !f->foreign && list_is_embedded(f->list) && f->missing.count == 0;
}

void fonts_restore(struct fonts *f, bool embedded, const uint32_t *missing, size_t count)
{
    f->foreign |= !embedded;
    for (size_t i = 0; i < count; i++)
        fonts_add_missing(f, missing[i]);
}

void fonts_missing(struct fonts *f, struct fonts_chars *missing)
{
    pthread_mutex_lock(&f->lock);
    for (size_t i = 0; i < f->missing.count; i++)
        *vec_add(missing) = f->missing.items[i];
    pthread_mutex_unlock(&f->lock);
}
