#include "input/formats/web/firefox_table.h"

#include "base/budget.h"

void firefox_table_init(struct firefox_table *t, const struct json_value *v)
{
    const struct json_value *data = json_get(v, "data");

    *t = (struct firefox_table){.table = v, .schema = json_get(v, "schema")};
    if (!t->schema)
        return;
    json_each(row, data) * vec_add(&t->rows) = row;
}

void firefox_table_release(struct firefox_table *t)
{
    release_all(t, vec, rows, starts);
}

/* Notes the offsets of the numbers of a column, which are kept as text. */
static void note_starts(struct firefox_table *t, const struct json_value *cells)
{
    vec_reserve(&t->starts, t->starts.count + cells->count);
    json_each(number, cells) * vec_add(&t->starts) = (size_t)(number->text.ptr - cells->text.ptr);
}

/* Finds a column without noting the offsets of its numbers. */
static struct firefox_column find_column(const struct firefox_table *t, const char *name)
{
    struct firefox_column c = {.table = t};

    if (t->schema) {
        c.there = json_u64(json_get(t->schema, name), &c.index);
        return c;
    }
    c.cells = json_get(t->table, name);
    c.there = c.cells && c.cells->type == JSON_ARRAY;
    c.numbers = c.there && json_are_numbers(c.cells);
    return c;
}

struct firefox_column firefox_table_column(struct firefox_table *t, const char *name)
{
    enum { ROW = 16 }; /* bytes: an offset, and what a reader keeps of a row */
    struct firefox_column c = find_column(t, name);

    c.first = t->starts.count;
    if (c.numbers && !budget_affords((size_t)c.cells->count * ROW))
        c.there = false;
    if (c.there && c.numbers)
        note_starts(t, c.cells);
    return c;
}

struct firefox_column firefox_table_column_in_order(const struct firefox_table *t, const char *name)
{
    struct firefox_column c = find_column(t, name);

    c.in_order = true;
    return c;
}

uint32_t firefox_table_rows(const struct firefox_column *c)
{
    if (!c->there)
        return 0;
    return c->table->schema ? (uint32_t)c->table->rows.count : c->cells->count;
}

const struct json_value *firefox_table_element(const struct json_value *array, uint32_t index)
{
    /* The elements of an array without nested containers are adjacent. */
    if (!array || index >= array->count || array->size != array->count + 1)
        return NULL;
    return array + 1 + index;
}

/* Scans a row: rows are short and may contain objects. */
static const struct json_value *row_cell(const struct json_value *row, uint64_t index)
{
    if (row->type != JSON_ARRAY)
        return NULL;
    json_each(cell, row) if (index-- == 0) return cell;
    return NULL;
}

const struct json_value *firefox_table_cell(const struct firefox_column *c, uint32_t row)
{
    if (row >= firefox_table_rows(c))
        return NULL;
    if (c->table->schema)
        return row_cell(c->table->rows.items[row], c->index);
    if (c->numbers && c->in_order)
        return row ? json_next(c->cells, c->cells + 1) : json_first(c->cells);
    if (c->numbers)
        return json_number_at(c->cells, c->table->starts.items[c->first + row]);
    return firefox_table_element(c->cells, row);
}

uint32_t firefox_table_index(const struct firefox_column *c, uint32_t row)
{
    uint64_t index;

    if (!json_u64(firefox_table_cell(c, row), &index) || index >= FIREFOX_NONE)
        return FIREFOX_NONE;
    return (uint32_t)index;
}
