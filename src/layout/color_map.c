#include "layout/color_map.h"

#include <stdlib.h>

#include "base/die.h"
#include "base/num.h"
#include "base/utf8.h"

void color_map_release(struct color_map *m)
{
    intern_release(&m->names);
    vec_release(&m->colors);
    buf_release(&m->kept);
}

/* Takes a number of at most 255 and the byte `end` after it off the front of `rest`. */
static bool take_channel(struct slice *rest, char end, palette_color *color)
{
    struct slice digits;
    uint64_t value;

    if (slice_find(*rest, end) == rest->len || !slice_cut(rest, end, &digits) ||
        !num_parse_u64(slice_trim(digits), &value) || value > 255)
        return false;
    *color = *color << 8 | (palette_color)value;
    return true;
}

/* Returns the position of the last "->rgb(", or the line's length if there is none. */
static size_t find_arrow(struct slice line)
{
    size_t at = line.len, next;
    struct slice rest = line;

    while ((next = slice_search(rest, SLICE("->rgb("))) < rest.len) {
        at = (size_t)(rest.ptr - line.ptr) + next;
        rest = slice_skip(rest, next + 1);
    }
    return at;
}

static bool parse_line(struct slice line, struct slice *name, palette_color *color)
{
    size_t arrow = find_arrow(line);
    struct slice rest = slice_skip(line, arrow + 6);

    *color = 0;
    *name = slice_take(line, arrow);
    return arrow > 0 && arrow < line.len && take_channel(&rest, ',', color) &&
           take_channel(&rest, ',', color) && take_channel(&rest, ')', color) && !rest.len &&
           utf8_valid(*name);
}

bool color_map_read(struct color_map *m, struct slice text, struct diag *diag)
{
    uint64_t understood = 0, other = 0;
    struct slice line;

    for (uint64_t number = 1; slice_line(&text, &line); number++) {
        struct slice name;
        palette_color color;
        uint32_t id;

        if (!slice_trim(line).len)
            continue;
        if (!parse_line(slice_trim_right(line), &name, &color)) {
            diag_warn_line(diag, number, "'%.*s' is not name->rgb(R,G,B); line skipped",
                           SLICE_ARG(line));
            buf_add_slice(&m->kept, line);
            buf_add_char(&m->kept, '\n');
            other++;
            continue;
        }
        understood++;
        id = intern_add(&m->names, name);
        if (id == m->colors.count)
            *vec_add(&m->colors) = color;
        m->colors.items[id] = color;
    }
    return other <= understood ||
           diag_error(diag, "not a colour map: %llu of %llu lines are not name->rgb(R,G,B)",
                      (unsigned long long)other, (unsigned long long)(other + understood));
}

static int compare_ids(const void *a, const void *b, void *context)
{
    const struct intern *names = context;

    return slice_compare(intern_get(names, *(const uint32_t *)a),
                         intern_get(names, *(const uint32_t *)b));
}

void color_map_write(const struct color_map *m, struct buf *out)
{
    uint32_t count = intern_count(&m->names);
    uint32_t *order = xreallocarray(NULL, count + (size_t)1, sizeof(*order));

    buf_add_slice(out, buf_slice(&m->kept));
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    qsort_r(order, count, sizeof(*order), compare_ids, (void *)(uintptr_t)&m->names);
    for (uint32_t i = 0; i < count; i++) {
        palette_color c = m->colors.items[order[i]];

        buf_add_slice(out, intern_get(&m->names, order[i]));
        buf_printf(out, "->rgb(%u,%u,%u)\n", (unsigned)(c >> 16), (unsigned)(c >> 8 & 255),
                   (unsigned)(c & 255));
    }
    free(order);
}

/* Appends the name with the suffix of its class. Replaces line breaks, which would end the line. */
static void write_name(struct buf *out, struct slice name, enum symbol_class class)
{
    for (size_t i = 0; i < name.len; i++)
        buf_add_char(out, name.ptr[i] == '\n' || name.ptr[i] == '\r' ? ' ' : name.ptr[i]);
    buf_add_slice(out, symbol_suffix(class));
}

bool color_map_find(const struct color_map *m, struct slice name, enum symbol_class class,
                    palette_color *color)
{
    struct buf full = {0};
    uint32_t id;

    write_name(&full, name, class);
    id = intern_find(&m->names, buf_slice(&full));
    buf_release(&full);
    if (id == MAP_NONE)
        return false;
    *color = m->colors.items[id];
    return true;
}

void color_map_add(struct color_map *m, struct slice name, enum symbol_class class,
                   palette_color color)
{
    struct buf full = {0};

    write_name(&full, name, class);
    if (full.len && intern_add(&m->names, buf_slice(&full)) == m->colors.count)
        *vec_add(&m->colors) = color;
    buf_release(&full);
}

void color_map_merge(struct color_map *m, const struct color_map *from)
{
    for (uint32_t i = 0; i < intern_count(&from->names); i++)
        if (intern_add(&m->names, intern_get(&from->names, i)) == m->colors.count)
            *vec_add(&m->colors) = from->colors.items[i];
}
