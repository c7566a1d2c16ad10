#include "input/parse/csv.h"

#include "base/ascii.h"

void csv_release(struct csv_row *row)
{
    release_each(row, (vec, cells), (buf, unquoted));
}

/* ---- lines --------------------------------------------------------------------------------- */

char csv_delimiter(struct slice heading, struct slice first)
{
    const struct slice quoted = SLICE("\"");

    if (slice_starts(heading, quoted)) {
        heading = slice_skip(heading, 1);
        if (!slice_starts(heading, first) || !slice_starts(slice_skip(heading, first.len), quoted))
            return '\0';
        heading = slice_skip(heading, first.len + 1);
    } else if (slice_starts(heading, first)) {
        heading = slice_skip(heading, first.len);
    } else {
        return '\0';
    }
    return heading.len && memchr(",;\t", heading.ptr[0], 3) ? heading.ptr[0] : '\0';
}

static uint32_t count_blanks(struct slice s)
{
    uint32_t n = 0;

    while (n < s.len && n < UINT32_MAX && s.ptr[n] == ' ')
        n++;
    return n;
}

/*
 * Called after an opening quote. Returns the text up to the closing quote, unescaped, at
 * the end of row->unquoted, which has room for the whole line. Returns false if no quote
 * closes it.
 */
static bool cut_quoted(struct csv_row *row, struct slice *rest, struct slice *text)
{
    size_t from = row->unquoted.len;
    bool closed = false;

    while (rest->len && !closed) {
        size_t n = slice_find(*rest, '"');

        buf_add_slice(&row->unquoted, slice_take(*rest, n));
        closed = n < rest->len;
        *rest = slice_skip(*rest, n + 1);
        if (closed && rest->len && rest->ptr[0] == '"') {
            buf_add_char(&row->unquoted, '"');
            *rest = slice_skip(*rest, 1);
            closed = false;
        }
    }
    *text = slice_make(row->unquoted.ptr + from, row->unquoted.len - from);
    return closed;
}

/* The next cell off `rest`, and its delimiter. */
static bool cut_cell(struct csv_row *row, struct slice *rest, char delimiter, struct csv_cell *cell)
{
    struct slice behind = {0};
    uint32_t outer = count_blanks(*rest);
    bool ok = true;

    *cell = (struct csv_cell){.indent = outer};
    if (outer < rest->len && rest->ptr[outer] == '"') {
        *rest = slice_skip(*rest, outer + 1);
        ok = cut_quoted(row, rest, &cell->text);
        cell->indent += count_blanks(cell->text);
        if (slice_cut(rest, delimiter, &behind))
            ok = ok && !slice_trim(behind).len;
    } else {
        slice_cut(rest, delimiter, &cell->text);
    }
    cell->text = slice_trim(cell->text);
    return ok;
}

bool csv_split(struct csv_row *row, struct slice line, char delimiter)
{
    bool ok = true;

    vec_clear(&row->cells);
    buf_clear(&row->unquoted);
    buf_reserve(&row->unquoted, line.len + 1);
    while (line.len && ok)
        ok = cut_cell(row, &line, delimiter, vec_add(&row->cells));
    return ok;
}

size_t csv_find(const struct csv_row *heading, const char *name)
{
    struct slice wanted = slice_str(name);
    bool all = slice_ends(wanted, SLICE("*"));

    wanted.len -= all;
    for (size_t i = 0; i < heading->cells.count; i++) {
        struct slice text = heading->cells.items[i].text;

        if (slice_equal(all ? slice_take(text, wanted.len) : text, wanted))
            return i;
    }
    return CSV_NONE;
}

void csv_columns(const struct csv_row *heading, const char *const *names, size_t count, size_t *at)
{
    for (size_t i = 0; i < count; i++)
        at[i] = names[i] ? csv_find(heading, names[i]) : CSV_NONE;
}

struct slice csv_text(const struct csv_row *row, size_t column)
{
    return column < row->cells.count ? row->cells.items[column].text : SLICE("");
}

/* ---- numbers ------------------------------------------------------------------------------- */

enum { GROUP = 3 };

/* The length of a separator at the front: point, comma, blank or no-break space; 0 for none. */
static size_t separator_length(struct slice s)
{
    if (s.len && memchr(",. ", s.ptr[0], 3))
        return 1;
    if (slice_starts(s, SLICE("\xc2\xa0")))
        return 2;
    return slice_starts(s, SLICE("\xe2\x80\xaf")) ? 3 : 0;
}

static size_t count_digits(struct slice s)
{
    size_t n = 0;

    while (n < s.len && ascii_is_digit(s.ptr[n]))
        n++;
    return n;
}

/*
 * Takes digits in groups off `text`, if the same separator divides all groups; `digits`
 * gets them without the separator. A separator that another number of digits follows, or a
 * different separator, stays in `text`.
 */
static void cut_groups(struct slice *text, struct buf *digits, size_t *groups)
{
    struct slice separator = {0};
    size_t n = count_digits(*text);

    buf_add(digits, text->ptr, n);
    *text = slice_skip(*text, n);
    *groups = 1;
    for (bool first = n > 0 && n <= GROUP; first || *groups > 1; first = false) {
        struct slice next = slice_take(*text, separator_length(*text));
        struct slice behind = slice_skip(*text, next.len);

        if (!next.len || (separator.len && !slice_equal(separator, next)) ||
            count_digits(behind) != GROUP)
            return;
        separator = next;
        buf_add(digits, behind.ptr, GROUP);
        *text = slice_skip(behind, GROUP);
        (*groups)++;
    }
}

bool csv_whole(struct slice text, uint64_t *number)
{
    struct buf digits = {0};
    size_t groups;
    bool ok;

    if (num_parse_u64(text, number))
        return true;
    cut_groups(&text, &digits, &groups);
    ok = !text.len && num_parse_u64(buf_slice(&digits), number);
    buf_release(&digits);
    return ok;
}

/*
 * Writes "12.5" or "12,5", possibly grouped, as digits with a point. Returns false if the
 * text is no number.
 */
static bool add_plain(struct buf *out, struct slice text)
{
    struct slice groups = text;
    size_t whole = count_digits(text), count;

    cut_groups(&groups, out, &count);
    /* One group of three after a single point or comma is a fraction. */
    if (count == 2 && !groups.len && separator_length(slice_skip(text, whole)) == 1 &&
        text.ptr[whole] != ' ') {
        buf_clear(out);
        buf_add(out, text.ptr, whole);
        groups = slice_skip(text, whole);
    }
    if (groups.len && (groups.ptr[0] == '.' || groups.ptr[0] == ',')) {
        if (!out->len)
            buf_add_char(out, '0');
        buf_add_char(out, '.');
        groups = slice_skip(groups, 1);
        buf_add_slice(out, groups);
        return count_digits(groups) == groups.len;
    }
    return !groups.len;
}

bool csv_decimal(struct slice text, struct decimal *number)
{
    struct slice mantissa = text;
    struct buf plain = {0};
    bool ok;

    if (!text.len) {
        *number = (struct decimal){0};
        return true;
    }
    if (num_parse_decimal(text, number))
        return true;
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] == 'e' || text.ptr[i] == 'E') {
            mantissa = slice_take(text, i);
            break;
        }
    ok = add_plain(&plain, mantissa);
    buf_add_slice(&plain, slice_skip(text, mantissa.len));
    ok = ok && num_parse_decimal(buf_slice(&plain), number);
    buf_release(&plain);
    return ok;
}
