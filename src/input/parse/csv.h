/*
 * Lines of delimited tables, as profilers for Windows export them.
 *
 * The heading line shows the delimiter: comma, semicolon or tab. A cell may be quoted,
 * `"a, b"`, with a quote inside written twice. Blanks may precede the quote; some tables
 * show the depth of a tree by them, so the blanks before a cell are counted. Cells borrow
 * from the line or from the row and are valid until the next csv_split().
 */
#ifndef INPUT_PARSE_CSV_H
#define INPUT_PARSE_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/num.h"
#include "base/slice.h"
#include "base/vec.h"

#define CSV_NONE SIZE_MAX

struct csv_cell {
    struct slice text; /* without quotes and outer blanks */
    uint32_t indent;   /* blanks before it, inside or outside of the quotes */
};

struct csv_row {
    VEC(struct csv_cell) cells;
    struct buf unquoted;
};

void csv_release(struct csv_row *row);

/* Returns the delimiter of a heading line whose first column is `first`, or NUL. */
char csv_delimiter(struct slice heading, struct slice first);

/*
 * Splits a line into cells. Returns false if a quote is not closed or something follows
 * it; the cells before it are valid.
 */
bool csv_split(struct csv_row *row, struct slice line, char delimiter);

/*
 * Returns the first column with that heading, or CSV_NONE. A name that ends in '*' matches
 * every heading with that beginning.
 */
size_t csv_find(const struct csv_row *heading, const char *name);

/* Sets at[i] to the column called names[i] (NULL for none), or to CSV_NONE. */
void csv_columns(const struct csv_row *heading, const char *const *names, size_t count, size_t *at);

/* A cell's text; empty if the row is too short or the column is CSV_NONE. */
struct slice csv_text(const struct csv_row *row, size_t column);

/*
 * Parses a number with a decimal point or comma and possibly an exponent; an empty text is
 * 0. Points, commas or blanks between thousands are accepted if the digits after them show
 * that they are separators.
 */
bool csv_decimal(struct slice text, struct decimal *number);

/* Parses a whole number, possibly in groups of three: "2,893,824". Returns false if it is none. */
bool csv_whole(struct slice text, uint64_t *number);

#endif
