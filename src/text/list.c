#include "text/list.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <strings.h>

#include "assets/asset.h"
#include "base/file.h"
#include "base/map.h"
#include "base/suggest.h"
#include "base/vec.h"
#include "text/fallback.h"
#include "text/unicode.h"

enum {
    MAX_FONTS = 1024,
    MAX_FILE = 256 << 20, /* bytes of a font file */
};

/* State of a system font: not tried, not usable, or else its number in the list. */
enum { NOT_TRIED = -1, NOT_USABLE = -2 };

/* The embedded fonts, in the order of preference. */
static const struct slice embedded[] = {
    {"fonts/RobotoCondensed-Regular.ttf", 33},
    {"fonts/DejaVuSansCondensed.ttf", 29},
};

enum { EMBEDDED = sizeof(embedded) / sizeof(embedded[0]) };

struct choice {
    uint32_t c;
    uint32_t font;
    bool missing;
};

struct paths VEC_OF(char *);

struct list {
    struct list_font *fonts[MAX_FONTS];
    _Atomic uint32_t count;
    uint32_t fixed; /* fonts opened with the list */
    bool system;    /* use the system's fonts too */

    pthread_mutex_t lock;   /* guards the members below, and adding fonts */
    struct paths directory; /* the font files of the directory, sorted */
    bool directory_opened;
    uint32_t near; /* number of fonts before the system's */
    struct fallback *fallback;
    VEC(int32_t) ranks; /* system fonts by rank */
    struct map index;   /* of choices, by character */
    VEC(struct choice) choices;
};

/* ---- opening ---------------------------------------------------------------------------- */

static int32_t add_opened(struct list *l, struct list_font font, struct shape_font *shape)
{
    uint32_t number = atomic_load_explicit(&l->count, memory_order_relaxed);
    struct list_font *f = xcalloc(1, sizeof(*f));

    *f = font;
    atomic_init(&f->opened, shape);
    l->fonts[number] = f;
    atomic_store_explicit(&l->count, number + 1, memory_order_release);
    return (int32_t)number;
}

/* Adds a font and owns its bytes. Returns its number, or NOT_USABLE after releasing them. */
static int32_t add_font(struct list *l, struct slice bytes, unsigned index)
{
    uint32_t number = atomic_load_explicit(&l->count, memory_order_relaxed);
    struct shape_font *shape = number < MAX_FONTS ? shape_font_new(bytes, index) : NULL;

    if (!shape) {
        free((char *)(uintptr_t)bytes.ptr);
        return NOT_USABLE;
    }
    return add_opened(l, (struct list_font){.bytes = bytes, .index = index, .owned = true}, shape);
}

/* Adds a font from a file. Returns its number, or NOT_USABLE; on failure, `why` says why. */
static int32_t add_file(struct list *l, const char *path, unsigned index, struct buf *why)
{
    struct buf bytes = {0};
    size_t size;

    if (!file_read(path, MAX_FILE, &bytes, why)) {
        buf_release(&bytes);
        return NOT_USABLE;
    }
    char *content = buf_detach(&bytes, &size);
    int32_t number = add_font(l, slice_make(content, size), index);

    if (number == NOT_USABLE)
        buf_add_str(why, "it is no font with outlines (TrueType or OpenType)");
    return number;
}

static const struct plain *find_plain(void)
{
    struct slice bytes;

    if (!asset_find(SLICE("fonts/plain"), &bytes) || bytes.len != sizeof(struct plain))
        BUG("what is known of the first font is not embedded");
    return (const struct plain *)(const void *)bytes.ptr;
}

static void add_embedded(struct list *l, size_t i)
{
    struct list_font font = {.plain = i == 0 ? find_plain() : NULL};

    if (!asset_find(embedded[i], &font.bytes))
        BUG("the font %.*s is not embedded", SLICE_ARG(embedded[i]));
    add_opened(l, font, NULL);
}

static bool is_font_name(const char *name)
{
    static const char *const endings[] = {".ttf", ".otf", ".ttc", ".otc"};
    size_t len = strlen(name);

    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        if (name[0] != '.' && len > 4 && strcasecmp(name + len - 4, endings[i]) == 0)
            return true;
    }
    return false;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Lists the font files of a directory without opening them. */
static bool list_directory(struct list *l, const char *path, struct diag *d)
{
    DIR *dir = opendir(path);

    if (!dir)
        return diag_error(d, "cannot open the fonts directory '%s': %s", path, strerror(errno));
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        struct buf file = {0};

        if (!is_font_name(entry->d_name))
            continue;
        buf_printf(&file, "%s/%s", path, entry->d_name);
        *vec_add(&l->directory) = buf_detach(&file, NULL);
    }
    closedir(dir);
    if (l->directory.count == 0) {
        diag_warn(d, "the fonts directory '%s' holds no .ttf, .otf, .ttc or .otc file", path);
        return true;
    }
    qsort(l->directory.items, l->directory.count, sizeof(char *), compare_paths);
    return true;
}

/* ---- the font that the user names ------------------------------------------------------ */

static bool find_embedded(struct list *l, const char *family)
{
    for (size_t i = 0; i < EMBEDDED; i++) {
        struct slice bytes;

        if (!asset_find(embedded[i], &bytes))
            continue;
        struct shape_font *f = shape_font_new(bytes, 0);
        bool same = f && shape_font_is_family(f, family);

        shape_font_free(f);
        if (same) {
            add_embedded(l, i);
            return true;
        }
    }
    return false;
}

static bool find_in_directory(struct list *l, const char *family)
{
    for (size_t i = 0; i < l->directory.count; i++) {
        struct buf why = {0};

        int32_t number = add_file(l, l->directory.items[i], 0, &why);

        buf_release(&why);
        if (number == NOT_USABLE)
            continue;
        if (shape_font_is_family(list_shape(l->fonts[number]), family))
            return true;
        struct list_font *f = l->fonts[number];

        shape_font_free(atomic_load(&f->opened));
        free((char *)(uintptr_t)f->bytes.ptr);
        free(f);
        atomic_store(&l->count, (uint32_t)number);
    }
    return false;
}

static void add_name(void *context, const char *family)
{
    struct paths *names = context;
    struct buf copy = {0};

    buf_add_str(&copy, family);
    *vec_add(names) = buf_detach(&copy, NULL);
}

static void release_paths(struct paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->items[i]);
    vec_release(paths);
}

static bool say_no_font(struct list *l, const char *family, struct diag *d)
{
    struct paths names = {0};
    struct suggest near;
    struct buf hint = {0};

    add_name(&names, "Roboto Condensed");
    add_name(&names, "DejaVu Sans Condensed");
    if (l->fallback)
        fallback_families(l->fallback, add_name, &names);
    qsort(names.items, names.count, sizeof(char *), compare_paths);
    suggest_init(&near, family);
    for (size_t i = 0; i < names.count; i++)
        suggest_offer(&near, names.items[i]);
    suggest_write(&near, "", &hint);
    diag_error(d,
               "no font '%s' is installed%s (--font takes a family, as `fc-list : family` lists "
               "them, or a font file)",
               family, buf_string(&hint));
    buf_release(&hint);
    release_paths(&names);
    return false;
}

static bool add_named(struct list *l, const char *name, struct diag *d)
{
    struct fallback_place place;
    struct buf why = {0};
    int32_t number;

    if (!strchr(name, '/') && file_kind(name) != FILE_REGULAR) {
        if (find_embedded(l, name) || find_in_directory(l, name))
            return true;
        if (l->system)
            l->fallback = fallback_new();
        if (!l->fallback || !fallback_find(l->fallback, name, &place))
            return say_no_font(l, name, d);
    } else {
        place = (struct fallback_place){name, 0};
    }
    number = add_file(l, place.path, place.index, &why);
    if (number == NOT_USABLE)
        diag_error(d, "cannot use the font '%s': %s", place.path, buf_string(&why));
    buf_release(&why);
    return number != NOT_USABLE;
}

/* ---- the list ---------------------------------------------------------------------------- */

struct list *list_new(const struct fonts_options *options, struct diag *d)
{
    static const struct fonts_options defaults = {.system = true};
    const struct fonts_options *o = options ? options : &defaults;
    struct list *l = xcalloc(1, sizeof(*l));

    pthread_mutex_init(&l->lock, NULL);
    l->system = o->system;
    if ((o->directory && !list_directory(l, o->directory, d)) ||
        (o->font && !add_named(l, o->font, d))) {
        list_free(l);
        return NULL;
    }
    for (size_t i = 0; i < EMBEDDED; i++)
        add_embedded(l, i);
    l->fixed = l->near = atomic_load(&l->count);
    return l;
}

void list_free(struct list *l)
{
    if (!l)
        return;
    for (uint32_t i = 0; i < atomic_load(&l->count); i++) {
        struct list_font *f = l->fonts[i];

        shape_font_free(atomic_load(&f->opened));
        if (f->owned)
            free((char *)(uintptr_t)f->bytes.ptr);
        free(f);
    }
    fallback_free(l->fallback);
    release_paths(&l->directory);
    release_all(l, vec, ranks, choices);
    map_release(&l->index);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

struct list_font *list_get(const struct list *l, uint32_t font)
{
    BUG_ON(font >= atomic_load_explicit(&l->count, memory_order_acquire));
    return l->fonts[font];
}

bool list_is_embedded(const struct list *l)
{
    return atomic_load_explicit(&l->count, memory_order_acquire) == EMBEDDED && l->fonts[0]->plain;
}

const struct shape_font *list_shape(struct list_font *f)
{
    struct shape_font *known = atomic_load_explicit(&f->opened, memory_order_acquire), *made;

    if (known)
        return known;
    made = shape_font_new(f->bytes, f->index);
    BUG_ON(!made);
    if (atomic_compare_exchange_strong(&f->opened, &known, made))
        return made;
    shape_font_free(made);
    return known;
}

uint32_t list_upem(struct list_font *f)
{
    return f->plain ? f->plain->upem : shape_font_upem(list_shape(f));
}

uint32_t list_glyph_count(struct list_font *f)
{
    return f->plain ? f->plain->glyph_count : shape_font_glyph_count(list_shape(f));
}

struct shape_metrics list_metrics(struct list_font *f)
{
    return f->plain ? f->plain->metrics : shape_font_metrics(list_shape(f));
}

void list_family(struct list_font *f, struct buf *out)
{
    if (f->plain)
        buf_add_str(out, f->plain->family);
    else
        shape_font_family(list_shape(f), out);
}

/* ---- choosing ---------------------------------------------------------------------------- */

static bool has_char(struct list_font *f, uint32_t c)
{
    uint32_t a, b;

    if ((f->plain && plain_has(f->plain, c)) || unicode_is_invisible(c) ||
        shape_font_glyph(list_shape(f), c))
        return true;
    return unicode_decompose(c, &a, &b) && shape_font_glyph(list_shape(f), a) &&
           (b == 0 || shape_font_glyph(list_shape(f), b));
}

static bool has_cluster(struct list_font *f, const uint32_t *cluster, size_t count)
{
    if (count == 2) {
        uint32_t composed = unicode_compose(cluster[0], cluster[1]);

        if (composed && shape_font_glyph(list_shape(f), composed))
            return true;
    }
    for (size_t i = 0; i < count; i++) {
        if (!has_char(f, cluster[i]))
            return false;
    }
    return true;
}

static void open_directory(struct list *l)
{
    if (l->directory_opened)
        return;
    l->directory_opened = true;
    for (size_t i = 0; i < l->directory.count; i++) {
        struct buf why = {0};

        add_file(l, l->directory.items[i], 0, &why);
        buf_release(&why);
    }
    l->near = atomic_load(&l->count);
}

static int32_t open_system(struct list *l, size_t rank, const struct fallback_place *place)
{
    while (l->ranks.count <= rank)
        *vec_add(&l->ranks) = NOT_TRIED;
    if (l->ranks.items[rank] == NOT_TRIED) {
        struct buf why = {0};

        l->ranks.items[rank] = add_file(l, place->path, place->index, &why);
        buf_release(&why);
    }
    return l->ranks.items[rank];
}

/* Returns the first font, of all including the system's, that has the cluster, or -1. */
static int32_t search(struct list *l, const uint32_t *cluster, size_t count)
{
    struct fallback_place place;
    bool has;

    open_directory(l);
    for (uint32_t i = 0; i < l->near; i++) {
        if (has_cluster(l->fonts[i], cluster, count))
            return (int32_t)i;
    }
    if (!l->system)
        return -1;
    if (!l->fallback)
        l->fallback = fallback_new();
    for (size_t rank = 0; fallback_get(l->fallback, rank, cluster[0], &has, &place); rank++) {
        int32_t number = has ? open_system(l, rank, &place) : NOT_USABLE;

        if (number >= 0 && has_cluster(l->fonts[number], cluster, count))
            return number;
    }
    return -1;
}

static bool is_choice(const void *context, uint32_t id, const void *key)
{
    const struct list *l = context;

    return l->choices.items[id].c == *(const uint32_t *)key;
}

/* Returns the result of search() for a single character, from a cache. */
static struct choice choose_char(struct list *l, uint32_t c)
{
    uint64_t hash = map_hash_pair(&l->index, c, 0);
    uint32_t id = map_find(&l->index, hash, is_choice, l, &c);

    if (id != MAP_NONE)
        return l->choices.items[id];
    int32_t found = search(l, &c, 1);
    struct choice choice = {c, found < 0 ? 0 : (uint32_t)found, found < 0};

    map_add(&l->index, hash, (uint32_t)l->choices.count);
    *vec_add(&l->choices) = choice;
    return choice;
}

uint32_t list_choose(struct list *l, const uint32_t *cluster, size_t count, bool *missing)
{
    *missing = false;
    for (uint32_t i = 0; i < l->fixed; i++) {
        if (has_cluster(l->fonts[i], cluster, count))
            return i;
    }
    pthread_mutex_lock(&l->lock);
    int32_t found = count > 1 ? search(l, cluster, count) : -1;

    if (found < 0) {
        struct choice choice = choose_char(l, cluster[0]);

        found = (int32_t)choice.font;
        *missing = choice.missing;
    }
    pthread_mutex_unlock(&l->lock);
    return (uint32_t)found;
}
