/*
 * Lines of delimited tables, as profilers for Windows export them.
 *
 * The delimiter is told from the heading line: comma, semicolon or tab. A cell
 * may be quoted, `"a, b"`, with a quote inside written twice; the quote may
 * come behind blanks, which some tables use for the depth of a tree, so the
 * blanks in front of a cell are counted. Cells borrow from the line or from
 * the row and are valid until the next csv_split().
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
    uint32_t indent;   /* blanks in front of it, inside or outside of the quotes */
};

struct csv_row {
    VEC(struct csv_cell) cells;
    struct buf unquoted;
};

void csv_init(struct csv_row *row);
void csv_release(struct csv_row *row);

/* The delimiter of a heading line whose first column is `first`; NUL where it is none. */
char csv_delimiter(struct slice heading, struct slice first);

/*
 * Takes a line apart. Returns false where a quote is not closed or something
 * follows one; the cells up to there are given.
 */
bool csv_split(struct csv_row *row, struct slice line, char delimiter);

/*
 * The column with that heading, or CSV_NONE; the first of several. A name that ends in '*' stands
 * for all headings that begin so.
 */
size_t csv_find(const struct csv_row *heading, const char *name);

/* Sets at[i] to the column called names[i] (NULL for none), or to CSV_NONE. */
void csv_columns(const struct csv_row *heading, const char *const *names, size_t count, size_t *at);

/* A cell's text; empty where the row is too short or the column is CSV_NONE. */
struct slice csv_text(const struct csv_row *row, size_t column);

/*
 * A number with a decimal point or comma and maybe an exponent; nothing is 0.
 * Between thousands there may be points, commas or blanks where what follows
 * makes clear that they are such.
 */
bool csv_decimal(struct slice text, struct decimal *number);

/* A whole number, maybe in groups of three: "2,893,824". False where it is none. */
bool csv_whole(struct slice text, uint64_t *number);

#endif
