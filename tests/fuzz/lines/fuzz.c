/*
 * Reads any bytes as a line table of DWARF: two bytes are the length of .debug_line, one its byte
 * order and the offset of the table; then comes .debug_line, and then the texts of other sections.
 *
 * Rows are within their sequences and go upwards, all that is found is a row of the table, and
 * rows and names are bounded. Reading again gives the same.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/die.h"
#include "input/build/line_table.h"

enum { STEPS = 50000, ROWS = 1000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_sequence(const struct line_table *t, size_t i)
{
    const struct line_sequence *s = &t->sequences.items[i];
    const struct line_row *rows = t->rows.items + s->first;

    BUG_ON(s->start >= s->end || !s->count);
    BUG_ON((uint64_t)s->first + s->count > t->rows.count);
    BUG_ON(i && t->sequences.items[i - 1].start > s->start);
    BUG_ON(rows[0].offset);
    for (uint32_t k = 1; k < s->count; k++)
        BUG_ON(rows[k].offset < rows[k - 1].offset || rows[k].offset > s->end - s->start ||
               (k > 1 && rows[k].offset == rows[k - 2].offset));
    /* The last of those that begin at an address is found. */
    if (i + 1 == t->sequences.count || t->sequences.items[i + 1].start > s->start)
        BUG_ON(line_table_find_start(t, s->start) != rows);
}

static void check(const struct line_table *t)
{
    struct buf path = {0};

    BUG_ON(t->rows.count + t->files.count + t->directories.count > ROWS);
    for (size_t i = 0; i < t->sequences.count; i++)
        check_sequence(t, i);
    for (uint32_t i = 0; i <= t->files.count + 1 && i < 100; i++) {
        buf_clear(&path);
        if (line_table_add_path(t, i, SLICE("/build"), &path))
            BUG_ON(!path.len || path.len > 5000);
    }
    buf_release(&path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct line_sections s = {0};
    struct line_table first = {0}, second = {0};
    struct line_budget budget = {STEPS, ROWS}, again = budget;
    struct slice all = slice_make((const char *)data, size);
    size_t length;

    if (size < 3)
        return 0;
    length = data[0] | (size_t)data[1] << 8;
    s.swapped = data[2] & 1;
    all = slice_skip(all, 3);
    s.lines = slice_take(all, length);
    s.line_texts = s.texts = slice_skip(all, length);
    line_table_read(&first, &s, data[2] >> 1, &budget);
    line_table_read(&second, &s, data[2] >> 1, &again);
    check(&first);
    BUG_ON(budget.steps != again.steps || budget.kept != again.kept ||
           first.rows.count != second.rows.count || first.files.count != second.files.count);
    line_table_release(&first);
    line_table_release(&second);
    return 0;
}
