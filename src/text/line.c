#include "text/line.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/die.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "text/itemize.h"

enum {
    PLACES = 4096,
    LOCKS = 64,             /* each guards PLACES / LOCKS places */
    MAX_CACHED_BYTES = 512, /* longer texts are not cached */
};

struct counted_line {
    struct line line; /* must be first: line_put() converts its address */
    _Atomic uint32_t users;
    uint64_t hash;
};

struct line_cache {
    pthread_mutex_t locks[LOCKS];
    struct counted_line **_Atomic places; /* NULL until the first line: most graphs shape none */
};

struct line_cache *line_cache_new(void)
{
    struct line_cache *cache = xcalloc(1, sizeof(*cache));

    for (int i = 0; i < LOCKS; i++)
        pthread_mutex_init(&cache->locks[i], NULL);
    return cache;
}

void line_cache_free(struct line_cache *cache)
{
    struct counted_line **places = cache ? atomic_load(&cache->places) : NULL;

    if (!cache)
        return;
    for (int i = 0; places && i < PLACES; i++) {
        if (places[i])
            line_put(&places[i]->line);
    }
    xfree(places);
    for (int i = 0; i < LOCKS; i++)
        pthread_mutex_destroy(&cache->locks[i]);
    free(cache);
}

static void decode(struct line *line)
{
    struct slice rest = line->text;

    line->chars = xcalloc(rest.len + 1, sizeof(*line->chars));
    line->bytes = xcalloc(rest.len + 1, sizeof(*line->bytes));
    while (rest.len > 0) {
        line->bytes[line->char_count] = (uint32_t)(line->text.len - rest.len);
        rest = slice_skip(rest, utf8_decode(rest, &line->chars[line->char_count]));
        line->char_count++;
    }
    line->bytes[line->char_count] = (uint32_t)line->text.len;
}

static void shape_items(struct line *line, struct list *fonts, const struct items *items)
{
    struct shape_glyphs glyphs = {0};

    line->runs = xcalloc(items->count, sizeof(*line->runs));
    line->run_count = (uint32_t)items->count;
    for (size_t i = 0; i < items->count; i++) {
        const struct item *item = &items->items[i];
        struct list_font *font = list_get(fonts, item->font);
        struct line_run *run = &line->runs[i];
        struct shape_run wanted = {
            .chars = line->chars,
            .char_count = line->char_count,
            .start = item->start,
            .count = item->count,
            .script = item->script,
            .rtl = item->level % 2 == 1,
        };

        *run = (struct line_run){
            .font = item->font,
            .upem = list_upem(font),
            .first = (uint32_t)glyphs.count,
            .char_first = item->start,
            .char_count = item->count,
            .rtl = wanted.rtl,
            .missing = item->missing,
        };
        shape(list_shape(font), &wanted, &glyphs);
        run->count = (uint32_t)glyphs.count - run->first;
        for (size_t g = run->first; g < glyphs.count; g++)
            run->width += glyphs.items[g].x_advance;
    }
    line->glyphs = glyphs.items;
}

static struct counted_line *new_line(struct list *fonts, struct slice text, uint64_t hash)
{
    struct counted_line *made = xcalloc(1, sizeof(*made));
    struct items items = {0};
    char *copy = xmalloc(text.len + 1);

    BUG_ON(text.len > LINE_MAX_BYTES);
    if (text.len)
        memcpy(copy, text.ptr, text.len);
    made->line.text = slice_make(copy, text.len);
    made->hash = hash;
    atomic_init(&made->users, 1);
    decode(&made->line);
    itemize(fonts, made->line.chars, made->line.char_count, &items);
    shape_items(&made->line, fonts, &items);
    vec_release(&items);
    return made;
}

static struct counted_line **get_places(struct line_cache *cache)
{
    struct counted_line **places = atomic_load(&cache->places), **made;

    if (places)
        return places;
    made = xcalloc(PLACES, sizeof(*made));
    if (atomic_compare_exchange_strong(&cache->places, &places, made))
        return made;
    xfree(made); /* another thread was faster */
    return places;
}

const struct line *line_get(struct line_cache *cache, struct list *fonts, struct slice text)
{
    uint64_t hash = hash_bytes(text.ptr, text.len);
    size_t place = hash % PLACES;
    pthread_mutex_t *lock = &cache->locks[place % LOCKS];
    struct counted_line **places, *known;

    if (text.len > MAX_CACHED_BYTES)
        return &new_line(fonts, text, hash)->line;
    places = get_places(cache);
    pthread_mutex_lock(lock);
    known = places[place];
    if (known && known->hash == hash && slice_equal(known->line.text, text))
        atomic_fetch_add_explicit(&known->users, 1, memory_order_relaxed);
    else
        known = NULL;
    pthread_mutex_unlock(lock);
    if (known)
        return &known->line;

    struct counted_line *made = new_line(fonts, text, hash);

    atomic_fetch_add_explicit(&made->users, 1, memory_order_relaxed);
    pthread_mutex_lock(lock);
    known = places[place];
    places[place] = made;
    pthread_mutex_unlock(lock);
    if (known)
        line_put(&known->line);
    return &made->line;
}

void line_put(const struct line *line)
{
    struct counted_line *counted = (struct counted_line *)(uintptr_t)line;

    if (atomic_fetch_sub_explicit(&counted->users, 1, memory_order_acq_rel) != 1)
        return;
    free((char *)(uintptr_t)line->text.ptr);
    free(line->chars);
    free(line->bytes);
    free(line->runs);
    free(line->glyphs);
    free(counted);
}

int64_t line_width(const struct line *line, int32_t size)
{
    int64_t width = 0;

    for (uint32_t i = 0; i < line->run_count; i++)
        width -= line_scale(-line->runs[i].width, size, line->runs[i].upem);
    return width;
}
