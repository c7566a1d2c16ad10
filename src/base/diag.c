#include "base/diag.h"

#include <stdarg.h>

#include "base/num.h"
#include "base/utf8.h"

static const struct {
    const char *word, *colour;
} levels[] = {
    [DIAG_NOTE] = {"note", "\033[36m"},
    [DIAG_WARNING] = {"warning", "\033[33m"},
    [DIAG_ERROR] = {"error", "\033[31m"},
};

void diag_init(struct diag *d, struct slice path)
{
    *d = (struct diag){0};
    d->path = path.len ? arena_copy(&d->memory, path) : path;
}

void diag_release(struct diag *d)
{
    arena_release(&d->memory);
    vec_release(&d->messages);
    *d = (struct diag){0};
}

/* Whether DIAG_KEEP messages of this kind are kept; if so, counts `times` more on the last one. */
static bool is_suppressed(struct diag *d, const char *kind, uint64_t times)
{
    struct diag_message *last = NULL;
    unsigned kept = 0;

    for (size_t i = d->messages.count; i-- > 0;) {
        struct diag_message *m = &d->messages.items[i];

        if (m->kind != kind && strcmp(m->kind, kind) != 0)
            continue;
        if (!last)
            last = m;
        kept++;
    }
    if (kept < DIAG_KEEP)
        return false;
    last->suppressed += times;
    return true;
}

static void add(struct diag *d, enum diag_level level, struct diag_place place, const char *format,
                va_list args)
{
    struct diag_message *m;
    struct buf raw = {0}, text = {0};

    d->counts[level]++;
    if (is_suppressed(d, format, 1))
        return;
    buf_vprintf(&raw, format, args);
    utf8_add_escaped(&text, buf_slice(&raw));
    m = vec_add(&d->messages);
    *m = (struct diag_message){level, format, place, arena_copy(&d->memory, buf_slice(&text)), 0};
    buf_release(&raw);
    buf_release(&text);
}

void diag_add(struct diag *d, enum diag_level level, struct diag_place place, const char *format,
              ...)
{
    va_list args;

    va_start(args, format);
    add(d, level, place, format, args);
    va_end(args);
}

bool diag_error(struct diag *d, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add(d, DIAG_ERROR, DIAG_AT_FILE, format, args);
    va_end(args);
    return false;
}

bool diag_misuse(struct diag *d, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add(d, DIAG_ERROR, DIAG_AT_FILE, format, args);
    va_end(args);
    d->misused = true;
    return false;
}

/* Appends the half of "one|more}" that fits `count`, and returns what follows the brace. */
static const char *add_choice(struct buf *out, const char *choice, uint64_t count)
{
    size_t one = strcspn(choice, "|"), more = strcspn(choice + one, "}");

    if (count == 1)
        buf_add_slice(out, slice_make(choice, one));
    else
        buf_add_slice(out, slice_make(choice + one + 1, more - 1));
    return choice + one + more + 1;
}

void diag_count(struct diag *d, enum diag_level level, uint64_t count, const char *text)
{
    struct buf words = {0};

    if (!count)
        return;
    d->counts[level]++;
    if (is_suppressed(d, text, 1))
        return;
    for (const char *p = text; *p;) {
        size_t plain = strcspn(p, "#{");

        buf_add_slice(&words, slice_make(p, plain));
        p += plain;
        if (*p == '#')
            buf_printf(&words, "%llu", (unsigned long long)count);
        p = *p == '{' ? add_choice(&words, p + 1, count) : p + (*p == '#');
    }
    *vec_add(&d->messages) = (struct diag_message){level, text, DIAG_AT_FILE,
                                                   arena_copy(&d->memory, buf_slice(&words)), 0};
    buf_release(&words);
}

static struct diag_message *last_note(const struct diag *d)
{
    for (size_t i = d->messages.count; i-- > 0;)
        if (d->messages.items[i].level == DIAG_NOTE)
            return &d->messages.items[i];
    return NULL;
}

struct slice diag_last_note(const struct diag *d)
{
    const struct diag_message *note = last_note(d);

    return note ? note->text : slice_make(NULL, 0);
}

void diag_raise_note(struct diag *d)
{
    struct diag_message *note = last_note(d);

    if (!note)
        return;
    note->level = DIAG_ERROR;
    d->counts[DIAG_NOTE]--;
    d->counts[DIAG_ERROR]++;
}

/* Whether the first `count` messages contain this message about the file as a whole. */
static bool is_known(const struct diag *d, size_t count, const struct diag_message *m)
{
    for (size_t i = 0; m->place.unit == DIAG_NOWHERE && i < count; i++) {
        const struct diag_message *other = &d->messages.items[i];

        if (other->place.unit == DIAG_NOWHERE && slice_equal(other->text, m->text) &&
            strcmp(other->kind, m->kind) == 0)
            return true;
    }
    return false;
}

void diag_append(struct diag *d, struct diag *from, uint64_t lines)
{
    size_t before = d->messages.count;

    vec_each (struct diag_message, m, &from->messages) {
        if (is_known(d, before, m)) {
            from->counts[m->level] -= 1 + m->suppressed;
            continue;
        }
        if (m->place.unit == DIAG_LINE)
            m->place.at += lines;
        if (is_suppressed(d, m->kind, 1 + m->suppressed))
            continue;
        *vec_add(&d->messages) = *m;
        d->messages.items[d->messages.count - 1].text = arena_copy(&d->memory, m->text);
    }
    for (size_t i = 0; i < sizeof(d->counts) / sizeof(*d->counts); i++)
        d->counts[i] += from->counts[i];
    d->misused |= from->misused;
    diag_release(from);
    diag_init(from, d->path);
}

static void write_place(const struct diag *d, struct diag_place place, struct buf *out)
{
    if (d->path.len)
        utf8_add_escaped(out, d->path);
    if (place.unit == DIAG_LINE) {
        buf_printf(out, "%s%llu", d->path.len ? ":" : "line ", (unsigned long long)place.at);
        if (place.column)
            buf_printf(out, ":%u", place.column);
    } else if (place.unit == DIAG_BYTE) {
        buf_printf(out, "%sbyte 0x%llx", d->path.len ? ": " : "", (unsigned long long)place.at);
    }
    if (d->path.len || place.unit != DIAG_NOWHERE)
        buf_add_str(out, ": ");
}

void diag_write_message(const struct diag *d, const struct diag_message *m, struct buf *out,
                        bool colour)
{
    write_place(d, m->place, out);
    if (colour)
        buf_printf(out, "%s%s:\033[0m ", levels[m->level].colour, levels[m->level].word);
    else
        buf_printf(out, "%s: ", levels[m->level].word);
    buf_add_slice(out, m->text);
    buf_add_char(out, '\n');
    if (!m->suppressed)
        return;
    write_place(d, DIAG_AT_FILE, out);
    buf_add_str(out, "... and ");
    num_write_grouped(out, m->suppressed, 0);
    buf_add_str(out, " more like it\n");
}

void diag_write(const struct diag *d, struct buf *out, bool colour)
{
    vec_each (struct diag_message, m, &d->messages)
        diag_write_message(d, m, out, colour);
}
