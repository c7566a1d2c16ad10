/*
 * The tables of the Firefox Profiler's files, in either form:
 *
 *     {"length": 2, "prefix": [null, 0], "frame": [0, 1]}                  columns
 *     {"schema": {"prefix": 0, "frame": 1}, "data": [[null, 0], [0, 1]]}   rows
 *
 * Finding a cell takes constant time. A table that is missing or malformed has
 * no rows, columns or cells.
 */
#ifndef INPUT_FORMATS_WEB_FIREFOX_TABLE_H
#define INPUT_FORMATS_WEB_FIREFOX_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "input/parse/json.h"

#define FIREFOX_NONE UINT32_MAX

struct firefox_table {
    const struct json_value *table; /* in column form */
    const struct json_value *schema;
    VEC(const struct json_value *) rows;
    VEC(size_t) starts; /* offsets of the numbers of columns, within their texts */
};

/* A column, looked up once. */
struct firefox_column {
    const struct firefox_table *table;
    const struct json_value *cells; /* in column form */
    size_t first;                   /* its first offset in `starts`, if the cells are numbers */
    bool numbers, in_order;
    uint64_t index; /* in row form */
    bool there;
};

/* `v` may be NULL. */
void firefox_table_init(struct firefox_table *t, const struct json_value *v);
void firefox_table_release(struct firefox_table *t);

/* Returns a column, valid as long as the table. */
struct firefox_column firefox_table_column(struct firefox_table *t, const char *name);
/*
 * Returns a column whose cells are read in order, from the first row, any number of times; cheaper.
 */
struct firefox_column firefox_table_column_in_order(const struct firefox_table *t,
                                                    const char *name);
/* Returns the number of rows of a column. */
uint32_t firefox_table_rows(const struct firefox_column *c);
/* Returns a cell, or NULL. Valid until another cell of the column is read. */
const struct json_value *firefox_table_cell(const struct firefox_column *c, uint32_t row);
/* Returns an index into another table, or FIREFOX_NONE for null, -1 and missing cells. */
uint32_t firefox_table_index(const struct firefox_column *c, uint32_t row);

/* Returns an element of an array, or NULL. */
const struct json_value *firefox_table_element(const struct json_value *array, uint32_t index);

#endif
