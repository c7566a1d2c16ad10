/*
 * The tables of the Firefox Profiler's files, in either form:
 *
 *     {"length": 2, "prefix": [null, 0], "frame": [0, 1]}                  columns
 *     {"schema": {"prefix": 0, "frame": 1}, "data": [[null, 0], [0, 1]]}   rows
 *
 * A cell is found in constant time. What is missing, or not a table at all,
 * has no rows, no columns and no cells.
 */
#ifndef INPUT_FORMATS_WEB_FIREFOX_TABLE_H
#define INPUT_FORMATS_WEB_FIREFOX_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "input/parse/json.h"

#define FIREFOX_NONE UINT32_MAX

struct firefox_table {
    const struct json_value *table; /* in columns */
    const struct json_value *schema;
    VEC(const struct json_value *) rows;
    VEC(size_t) starts; /* of the numbers in columns, within their texts */
};

/* A column of a table, looked up once. */
struct firefox_column {
    const struct firefox_table *table;
    const struct json_value *cells; /* in columns */
    size_t first;                   /* of its starts, where the cells are numbers */
    bool numbers, in_order;
    uint64_t index; /* in rows */
    bool there;
};

/* `v` may be NULL. */
void firefox_table_init(struct firefox_table *t, const struct json_value *v);
void firefox_table_release(struct firefox_table *t);

/* The table has to live as long as the column. */
struct firefox_column firefox_table_column(struct firefox_table *t, const char *name);
/* The same for cells that are asked for row by row, from the first, once or again and again. */
struct firefox_column firefox_table_column_in_order(const struct firefox_table *t,
                                                    const char *name);
/* Rows in a column. */
uint32_t firefox_table_rows(const struct firefox_column *c);
/* The cell, NULL where there is none; valid until another one of the column is asked for. */
const struct json_value *firefox_table_cell(const struct firefox_column *c, uint32_t row);
/* An index into another table; FIREFOX_NONE for null, for -1, and where there is none. */
uint32_t firefox_table_index(const struct firefox_column *c, uint32_t row);

/* An element of an array of strings and the like; NULL where there is none. */
const struct json_value *firefox_table_element(const struct json_value *array, uint32_t index);

#endif
