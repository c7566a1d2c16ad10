#include "text/font_subset.h"

#include "base/die.h"
#include "base/utf8.h"
#include "text/state.h"
#include "text/subset.h"
#include "text/unicode.h"

enum {
    MAX_CLUSTER = 64, /* characters examined together */
};

struct font_subset {
    uint32_t font; /* number in the list */
    struct fonts_chars chars;
    struct char_set has; /* `chars` */
};

/* Adds a character. Returns whether it was there before. */
static bool set_add(struct char_set *set, uint32_t c)
{
    uint8_t **part = &set->parts[c / CHAR_SET_PART];
    uint8_t bit = (uint8_t)(1 << c % 8), *bits;
    bool was;

    if (!*part)
        *part = xcalloc(CHAR_SET_PART / 8, 1);
    bits = &(*part)[c % CHAR_SET_PART / 8];
    was = *bits & bit;
    *bits |= bit;
    return was;
}

static void set_release(struct char_set *set)
{
    for (size_t i = 0; i < sizeof(set->parts) / sizeof(*set->parts); i++)
        free(set->parts[i]);
}

static struct font_subset *get_font_subset(struct font_subsets *p, uint32_t font)
{
    struct font_subset *made;

    vec_each (struct font_subset *, subset, &p->items)
        if ((*subset)->font == font)
            return *subset;
    made = xcalloc(1, sizeof(*made));
    made->font = font;
    *vec_add(&p->items) = made;
    return made;
}

static void add_char(struct font_subset *subset, uint32_t c)
{
    if (!set_add(&subset->has, c))
        *vec_add(&subset->chars) = c;
}

static void add_cluster(struct font_subsets *p, const uint32_t *chars, size_t count)
{
    struct font_subset *subset;
    bool missing;

    if (count == 1 && set_add(&p->known, chars[0]))
        return;
    subset = get_font_subset(p, list_choose(p->fonts->list, chars, count, &missing));
    for (size_t i = 0; i < count; i++)
        add_char(subset, chars[i]);
}

void font_subsets_init(struct font_subsets *p, struct fonts *f)
{
    *p = (struct font_subsets){.fonts = f};
    get_font_subset(p, 0);
    for (unsigned i = 0; i < PLAIN_CODES; i++) {
        uint32_t c = plain_char(i);

        add_cluster(p, &c, 1);
    }
    p->plain = p->items.items[0]->chars.count;
}

void font_subsets_release(struct font_subsets *p)
{
    vec_each (struct font_subset *, subset, &p->items) {
        vec_release(&(*subset)->chars);
        set_release(&(*subset)->has);
        free(*subset);
    }
    vec_release(&p->items);
    set_release(&p->known);
}

/* Returns the number of ASCII bytes at the start of `text` that no mark follows. */
static size_t ascii_run(struct slice text)
{
    size_t n = 0;

    while (n < text.len && (unsigned char)text.ptr[n] < 0x80)
        n++;
    return n && n < text.len ? n - 1 : n;
}

void font_subsets_add(struct font_subsets *p, struct slice text)
{
    uint32_t chars[MAX_CLUSTER];
    size_t ends[MAX_CLUSTER];

    for (size_t at = ascii_run(text); at < text.len; at += ascii_run(slice_skip(text, at))) {
        size_t count = 0, end = at;

        while (count < MAX_CLUSTER && end < text.len &&
               (!count || (unsigned char)text.ptr[end] > 0x7f)) {
            end += utf8_decode(slice_skip(text, end), &chars[count]);
            if (unicode_is_forbidden(chars[count]))
                chars[count] = UTF8_REPLACEMENT;
            ends[count++] = end;
        }
        count = unicode_cluster(chars, count);
        add_cluster(p, chars, count);
        at = ends[count - 1];
    }
}

static bool write_part(struct list_font *font, const struct fonts_chars *chars,
                       font_subsets_form_fn *form, struct buf *out)
{
    struct buf file = {0};
    bool written;

    written = subset_write(font->bytes, font->index, chars, &file);
    if (written)
        form(buf_slice(&file), out);
    buf_release(&file);
    return written;
}

/* Appends the plain subset, which most texts need and which is made only once. */
static bool write_plain(const struct font_subsets *p, font_subsets_form_fn *form, struct buf *out)
{
    struct fonts *f = p->fonts;
    struct fonts_chars plain = p->items.items[0]->chars;
    bool written;

    plain.count = p->plain;
    pthread_mutex_lock(&f->lock);
    written = f->plain.len > 0 || write_part(list_get(f->list, 0), &plain, form, &f->plain);
    buf_add_slice(out, buf_slice(&f->plain));
    pthread_mutex_unlock(&f->lock);
    return written;
}

bool font_subsets_embedded(const struct font_subsets *p, size_t index, bool plain)
{
    return index == 0 && p->fonts->known && (plain || p->items.items[0]->chars.count == p->plain);
}

bool font_subsets_write(const struct font_subsets *p, size_t index, bool plain,
                        font_subsets_form_fn *form, struct buf *out)
{
    const struct font_subset *subset = p->items.items[index];

    if (index == 0 && (plain || subset->chars.count == p->plain))
        return write_plain(p, form, out);
    return write_part(list_get(p->fonts->list, subset->font), &subset->chars, form, out);
}
