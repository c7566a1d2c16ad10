/*
 * SQLite databases that tools write as profiles, read row by row.
 *
 * A plain file is read page by page, any other content in memory; nothing is written and no other
 * file is opened. Only tables are read, without views, triggers, virtual tables and indices: the
 * cost follows the rows. Each thousand steps of the database are charged to the budget as work.
 * SQLite's own memory is a cache of 2 MB, the schema, and one row.
 */
#ifndef INPUT_PARSE_SQLITE_H
#define INPUT_PARSE_SQLITE_H

#include "input/parse/content.h"

#define SQLITE_MAGIC SLICE("SQLite format 3\0")

struct sqlite3;
struct sqlite3_stmt;
struct sqlite3_vfs;

struct sqlite {
    struct content *content;
    struct sqlite3 *db;
    struct sqlite3_vfs *vfs; /* through which `db` reads the content */
    char name[32];           /* of it */
    bool plain;              /* the content is a file, and `bytes` are not used */
    struct buf bytes;
    bool failed; /* an error was reported */
};

/* The rows of a table, in the order in which they are stored. */
struct sqlite_rows {
    struct sqlite *file;
    const char *table;
    struct sqlite3_stmt *statement;
    uint64_t row; /* counts from 1 */
};

/*
 * Opens the content; `s` must stay where it is. Returns false after reporting an error. Release it
 * in either case.
 */
bool sqlite_open(struct sqlite *s, struct content *content);
void sqlite_release(struct sqlite *s);

/* Whether there is such a table. */
bool sqlite_has(struct sqlite *s, const char *table);

/*
 * Begins to read a table. `columns` are their names with blanks between them; one that the table
 * lacks has no values. Returns false if there is no such table, and after reporting an error; the
 * rows are released in either case.
 */
bool sqlite_select(struct sqlite *s, struct sqlite_rows *rows, const char *table,
                   const char *columns);
/* Takes the next row. Returns 1, 0 after the last one, or -1 after reporting an error. */
int sqlite_next(struct sqlite_rows *rows);
void sqlite_rows_release(struct sqlite_rows *rows);

/* Values of the row, by the column's place among the names. */
bool sqlite_number(const struct sqlite_rows *rows, int column, int64_t *number);
/* Valid until the next row. Empty if the value is no text. */
struct slice sqlite_text(const struct sqlite_rows *rows, int column);

#endif
