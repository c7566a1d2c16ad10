#include "text/label.h"

#include <math.h>

#include "base/utf8.h"
#include "text/shorten.h"
#include "text/state.h"
#include "text/unicode.h"

enum {
    MAX_SMART = 1 << 14, /* bytes; a longer name is cut, not shortened */
    SMALL_NAME = 512,    /* bytes; a longer name is shortened in allocated memory */
    LEAST_CHARS = 2,     /* of a shortened name, the ellipsis not counted */
    CHARS_PER_EM = 8,    /* more than any text has on average */
    MAX_CHARS = 1 << 16, /* examined if nothing else sets a limit */
    MAX_TRIES = 4,       /* single steps back if a cut text is wider than estimated */
};

/* A label while it is fitted. */
struct fit {
    struct fonts *fonts;
    int32_t size;  /* 26.6 */
    int64_t room;  /* 26.6 */
    int64_t limit; /* `room` in units of the first font */
    uint32_t upem; /* of the first font */
    struct buf *out;
};

/* ---- styles ------------------------------------------------------------------------------ */

struct label_style label_style(double font_size, double pixel_ratio)
{
    double size = font_size * pixel_ratio;

    if (!(size > LABEL_MIN_SIZE))
        size = LABEL_MIN_SIZE;
    if (size > LABEL_MAX_SIZE)
        size = LABEL_MAX_SIZE;
    return (struct label_style){(int32_t)lround(size * 64)};
}

/* Returns the metrics of the first font. */
static struct label_metrics label_metrics(struct fonts *f, struct label_style style)
{
    struct list_font *first = list_get(f->list, 0);
    struct shape_metrics m = list_metrics(first);
    uint32_t upem = list_upem(first);

    return (struct label_metrics){
        .ascent = (int32_t)line_scale(m.ascent, style.size, upem),
        .descent = (int32_t)line_scale(m.descent, style.size, upem),
        .cap_height = (int32_t)line_scale(m.cap_height, style.size, upem),
        .x_height = (int32_t)line_scale(m.x_height, style.size, upem),
    };
}

int32_t label_baseline(struct fonts *f, struct label_style style, int32_t top, int32_t bottom)
{
    struct label_metrics m = label_metrics(f, style);
    int32_t capitals = (m.cap_height + 32) >> 6, tails = (m.descent + 32) >> 6;
    int32_t centred = (bottom - top + capitals) / 2, lowest = bottom - top - tails;

    if (lowest < capitals)
        lowest = capitals;
    return top + (centred < lowest ? centred : lowest);
}

/* ---- text as it is shown -------------------------------------------------------------------- */

/*
 * Appends at most `max` characters of `text`, from its head or its tail, with
 * U+FFFD for forbidden ones. Returns false if `text` has more characters.
 */
static bool add_clean(struct buf *out, struct slice text, size_t max, bool tail)
{
    size_t chars = 0;

    if (tail) {
        size_t start = text.len;

        while (start > 0 && chars < max) {
            start--;
            chars += ((unsigned char)text.ptr[start] & 0xc0) != 0x80;
        }
        bool whole = start == 0;

        add_clean(out, slice_skip(text, start), max, false);
        return whole;
    }
    while (text.len > 0 && chars < max) {
        uint32_t c;
        size_t size = utf8_decode(text, &c);

        if (unicode_is_forbidden(c))
            utf8_encode(out, UTF8_REPLACEMENT);
        else
            buf_add(out, text.ptr, size);
        text = slice_skip(text, size);
        chars++;
    }
    return text.len == 0;
}

static size_t max_chars(int64_t room, int32_t size)
{
    int64_t ems = room > 0 ? room / size + CHARS_PER_EM : CHARS_PER_EM;

    return ems < MAX_CHARS / CHARS_PER_EM ? (size_t)ems * CHARS_PER_EM : MAX_CHARS;
}

int64_t label_width(struct fonts *f, struct label_style style, struct slice text)
{
    struct list_font *first = list_get(f->list, 0);
    struct buf clean = {0};
    int64_t width;

    if (f->known && pairs_measure(f->known, text, INT64_MAX, &width) == PAIRS_FITS)
        return -line_scale(-width, style.size, list_upem(first));
    add_clean(&clean, text, MAX_CHARS, false);
    const struct line *line = line_get(f->lines, f->list, buf_slice(&clean));

    width = line_width(line, style.size);
    line_put(line);
    buf_release(&clean);
    return width;
}

/* ---- fitting ----------------------------------------------------------------------------- */

/* Appends the whole text if it fits. Returns its width, or 0. */
static int64_t fit_whole(struct fit *fit, struct slice text)
{
    enum pairs_answer answer = PAIRS_UNKNOWN;
    int64_t width = 0;
    struct buf clean = {0};

    if (fit->fonts->known)
        answer = pairs_measure(fit->fonts->known, text, fit->limit, &width);
    if (answer == PAIRS_OVER)
        return 0;
    if (answer == PAIRS_FITS) {
        buf_add_slice(fit->out, text);
        return -line_scale(-width, fit->size, fit->upem);
    }
    if (add_clean(&clean, text, max_chars(fit->room, fit->size), false)) {
        const struct line *line = line_get(fit->fonts->lines, fit->fonts->list, buf_slice(&clean));

        width = line_width(line, fit->size);
        line_put(line);
        if (width > fit->room)
            width = 0;
        else
            buf_add_slice(fit->out, buf_slice(&clean));
    }
    buf_release(&clean);
    return width;
}

/* The start and width of each cluster of a line, in the order of the text. */
struct clusters {
    VEC(uint32_t) starts; /* characters */
    VEC(int64_t) widths;  /* 26.6 */
};

static void find_clusters(const struct line *line, int32_t size, struct clusters *c)
{
    int64_t *widths = xcalloc(line->char_count + 1, sizeof(*widths));
    bool *begins = xcalloc(line->char_count + 1, sizeof(*begins));

    for (uint32_t r = 0; r < line->run_count; r++) {
        const struct line_run *run = &line->runs[r];

        for (uint32_t g = run->first; g < run->first + run->count; g++) {
            const struct shape_glyph *glyph = &line->glyphs[g];

            begins[glyph->cluster] = true;
            widths[glyph->cluster] -= line_scale(-(int64_t)glyph->x_advance, size, run->upem);
        }
    }
    /* A cluster begins only if both the shaper and UAX #29 say so. */
    for (uint32_t i = 0; i < line->char_count;) {
        uint32_t next = i + (uint32_t)unicode_cluster(line->chars + i, line->char_count - i);
        int64_t width = 0;

        for (uint32_t j = i; j < next; j++)
            width += widths[j];
        if (begins[i] || c->starts.count == 0) {
            *vec_add(&c->starts) = i;
            *vec_add(&c->widths) = width;
        } else {
            c->widths.items[c->widths.count - 1] += width;
        }
        i = next;
    }
    free(widths);
    free(begins);
}

static bool is_blank(uint32_t c)
{
    return c == ' ' || c == 0xa0 || unicode_is_invisible(c);
}

/* Returns `count` clusters at the head or tail of a line, without blanks at the cut. */
static struct slice kept_part(const struct line *line, const struct clusters *c, size_t count,
                              bool tail, size_t *visible)
{
    size_t total = c->starts.count;
    size_t first = tail ? total - count : 0;
    size_t end = first + count;

    while (tail && first < end && is_blank(line->chars[c->starts.items[first]]))
        first++;
    while (!tail && end > first && is_blank(line->chars[c->starts.items[end - 1]]))
        end--;
    *visible = 0;
    for (size_t i = first; i < end; i++)
        *visible += !is_blank(line->chars[c->starts.items[i]]);

    uint32_t from = line->bytes[first < total ? c->starts.items[first] : line->char_count];
    uint32_t to = line->bytes[end < total ? c->starts.items[end] : line->char_count];

    return slice_make(line->text.ptr + from, to - from);
}

/* Estimates from widths alone how many clusters at one end fit beside an ellipsis. */
static size_t guess_count(const struct clusters *c, int64_t room, bool tail)
{
    size_t total = c->starts.count;
    size_t count = 0;

    while (count < total) {
        room -= c->widths.items[tail ? total - 1 - count : count];
        if (room < 0)
            break;
        count++;
    }
    return count;
}

/* Appends `kept` with an ellipsis in place of the rest if that fits. Returns the width, or 0. */
static int64_t fit_with_ellipsis(struct fit *fit, struct slice kept, bool tail)
{
    struct buf text = {0};
    int64_t width;

    if (tail)
        buf_add_str(&text, LABEL_ELLIPSIS);
    buf_add_slice(&text, kept);
    if (!tail)
        buf_add_str(&text, LABEL_ELLIPSIS);
    width = fit_whole(fit, buf_slice(&text));
    buf_release(&text);
    return width;
}

/* Cuts text that must be shaped. */
static int64_t cut_shaped(struct fit *fit, struct slice text, bool tail)
{
    struct buf clean = {0};
    struct clusters c = {0};
    int64_t width = 0;

    add_clean(&clean, text, max_chars(fit->room, fit->size), tail);
    const struct line *line = line_get(fit->fonts->lines, fit->fonts->list, buf_slice(&clean));
    struct label_style style = {fit->size};
    int64_t dots = label_width(fit->fonts, style, SLICE(LABEL_ELLIPSIS));

    find_clusters(line, fit->size, &c);
    size_t count = guess_count(&c, fit->room - dots, tail);

    /* One more may fit: kerning can place the ellipsis nearer than the next letter. */
    count += count < c.starts.count;

    for (size_t tries = 0; width == 0 && count > 0; tries++) {
        size_t visible;
        struct slice kept = kept_part(line, &c, count, tail, &visible);

        if (visible < LEAST_CHARS)
            break;
        width = fit_with_ellipsis(fit, kept, tail);
        count = tries < MAX_TRIES ? count - 1 : count / 2;
    }
    line_put(line);
    vec_release(&c.starts);
    vec_release(&c.widths);
    buf_release(&clean);
    return width;
}

/* Appends as much of one end of the text as fits, with an ellipsis. Returns the width, or 0. */
static int64_t fit_cut(struct fit *fit, struct slice text, bool tail)
{
    const struct plain *pairs = fit->fonts->known;
    enum pairs_answer answer = PAIRS_UNKNOWN;
    struct pairs_cut cut;

    if (pairs)
        answer = tail ? pairs_tail(pairs, text, fit->limit, &cut)
                      : pairs_head(pairs, text, fit->limit, &cut);
    if (answer == PAIRS_UNKNOWN)
        return cut_shaped(fit, text, tail);
    if (answer == PAIRS_OVER || cut.chars < LEAST_CHARS)
        return 0;
    if (tail)
        buf_add_str(fit->out, LABEL_ELLIPSIS);
    buf_add_slice(fit->out, cut.kept);
    if (!tail)
        buf_add_str(fit->out, LABEL_ELLIPSIS);
    return -line_scale(-cut.width, fit->size, fit->upem);
}

/* Appends a shortened name if it fits and differs from the last try. Returns the width, or 0. */
static int64_t fit_shortened(struct fit *fit, struct slice name, size_t *last)
{
    if (name.len == *last || name.len < LEAST_CHARS)
        return 0;
    *last = name.len;
    return fit_whole(fit, name);
}

/* Shortens the name step by step until it fits. `copy` contains the name and is overwritten. */
static int64_t fit_smart(struct fit *fit, char *copy, size_t len)
{
    size_t last = len;
    size_t short_len = shorten_arguments(copy, len);
    int64_t width = fit_shortened(fit, slice_make(copy, short_len), &last);

    if (width)
        return width;
    short_len = shorten_templates(copy, short_len);
    struct slice name = slice_make(copy, short_len);

    do {
        width = fit_shortened(fit, name, &last);
    } while (width == 0 && shorten_scope(&name));
    return width ? width : fit_cut(fit, name, false);
}

int64_t label_fit(struct fonts *f, struct label_style style, struct slice name, int64_t room,
                  enum label_mode mode, struct buf *out)
{
    struct fit fit = {f, style.size, room, 0, list_upem(list_get(f->list, 0)), out};
    char small[SMALL_NAME];

    if (room <= 0 || name.len == 0)
        return 0;
    fit.limit =
        (int64_t)(((unsigned __int128)room << 16) / (((uint64_t)style.size << 16) / fit.upem));
    int64_t width = fit_whole(&fit, name);

    if (width)
        return width;
    if (mode != LABEL_SMART || name.len > MAX_SMART)
        return fit_cut(&fit, name, mode == LABEL_TAIL);
    char *copy = name.len <= sizeof(small) ? small : xmalloc(name.len);

    memcpy(copy, name.ptr, name.len);
    width = fit_smart(&fit, copy, name.len);
    if (copy != small)
        free(copy);
    return width;
}

/* ---- drawing ----------------------------------------------------------------------------- */

struct drawing {
    struct fonts *fonts;
    struct glyph_strike *strike;
    struct pixmap *pixmap;
    int64_t x;      /* of the text, 26.6 */
    int64_t factor; /* 26.6 to the font unit, 16.16 */
    int32_t baseline;
    struct clip clip;
};

static struct glyph_strike *find_strike(struct fonts *f, struct label_style style, uint32_t font)
{
    struct list_font *of = list_get(f->list, font);
    struct glyph_key key = {
        .font = font,
        .bytes = of->bytes,
        .index = of->index,
        .glyph_count = list_glyph_count(of),
        .size = style.size,
    };

    return glyph_cache_strike(f->glyphs, &key);
}

static bool draw_glyph(void *context, uint32_t glyph, int64_t units)
{
    struct drawing *d = context;
    int64_t x = d->x + (units * d->factor >> 16);

    if (x >> 6 >= d->clip.right)
        return false;
    glyph_draw(d->fonts->glyphs, d->strike, glyph, d->pixmap, x, d->baseline, d->clip);
    return true;
}

static void note_missing(struct fonts *f, const struct line *line, const struct line_run *run)
{
    for (uint32_t i = run->char_first; i < run->char_first + run->char_count; i++) {
        if (!unicode_is_invisible(line->chars[i]))
            fonts_add_missing(f, line->chars[i]);
    }
}

static void draw_line(struct drawing *d, struct label_style style, const struct line *line)
{
    int64_t pen = 0; /* 26.6 with 16 bits more */

    for (uint32_t r = 0; r < line->run_count; r++) {
        const struct line_run *run = &line->runs[r];
        int64_t factor = ((int64_t)style.size << 16) / run->upem;

        d->strike = find_strike(d->fonts, style, run->font);
        if (run->missing)
            note_missing(d->fonts, line, run);
        for (uint32_t g = run->first; g < run->first + run->count; g++) {
            const struct shape_glyph *glyph = &line->glyphs[g];
            int64_t x = d->x + ((pen + glyph->x_offset * factor) >> 16);
            int64_t up = ((glyph->y_offset * factor >> 16) + 32) >> 6;

            glyph_draw(d->fonts->glyphs, d->strike, glyph->glyph, d->pixmap, x,
                       d->baseline - (int32_t)up, d->clip);
            pen += glyph->x_advance * factor;
        }
    }
}

void label_draw(struct fonts *f, struct label_style style, struct pixmap *p, int32_t x,
                int32_t baseline, struct slice text, struct clip clip)
{
    struct clip inside = pixmap_intersect(clip, pixmap_bounds(p));
    struct drawing d = {.fonts = f, .pixmap = p, .x = x, .baseline = baseline, .clip = inside};
    int64_t width;
    struct buf clean = {0};

    if (pixmap_empty(inside) || text.len == 0)
        return;
    if (f->known && pairs_measure(f->known, text, INT64_MAX, &width) == PAIRS_FITS) {
        d.factor = ((int64_t)style.size << 16) / list_upem(list_get(f->list, 0));
        d.strike = find_strike(f, style, 0);
        pairs_each(f->known, text, draw_glyph, &d);
        return;
    }
    add_clean(&clean, text, max_chars(((int64_t)inside.right << 6) - x, style.size), false);
    const struct line *line = line_get(f->lines, f->list, buf_slice(&clean));

    draw_line(&d, style, line);
    line_put(line);
    buf_release(&clean);
}
