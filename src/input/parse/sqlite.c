#include "input/parse/sqlite.h"

#include <sqlite3.h>

#include "base/budget.h"

enum {
    STEPS = 1000,        /* of the database, which are one question to the budget */
    LONGEST = 16 << 20,  /* bytes of a value */
    MOST_COLUMNS = 2000, /* of a table */
};

#define SETTINGS                                                                                   \
    "PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -2000"

/* ---- a database -------------------------------------------------------------------------- */

static int charge(void *context)
{
    (void)context;
    budget_work(STEPS);
    return budget_is_over();
}

static bool fail(struct sqlite *s)
{
    s->failed = true;
    if (budget_is_over())
        return budget_tell(s->content->diag, DIAG_AT_FILE);
    return diag_error(s->content->diag, "the database is damaged: %s", sqlite3_errmsg(s->db));
}

/* A database whose last changes are in a file beside it says so; that file is not read. */
static void forget_log(struct buf *bytes)
{
    enum { WRITE_VERSION = 18, READ_VERSION = 19, ROLLBACK = 1 };

    if (bytes->len > READ_VERSION)
        bytes->ptr[WRITE_VERSION] = bytes->ptr[READ_VERSION] = ROLLBACK;
}

static void restrict_it(sqlite3 *db)
{
    static const struct {
        int limit, value;
    } limits[] = {
        {SQLITE_LIMIT_LENGTH, LONGEST},     {SQLITE_LIMIT_COLUMN, MOST_COLUMNS},
        {SQLITE_LIMIT_EXPR_DEPTH, 20},      {SQLITE_LIMIT_COMPOUND_SELECT, 1},
        {SQLITE_LIMIT_VDBE_OP, 1 << 20},    {SQLITE_LIMIT_ATTACHED, 0},
        {SQLITE_LIMIT_TRIGGER_DEPTH, 1},    {SQLITE_LIMIT_WORKER_THREADS, 0},
        {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
    };

    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
        sqlite3_limit(db, limits[i].limit, limits[i].value);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_progress_handler(db, STEPS, charge, NULL);
}

bool sqlite_open(struct sqlite *s, struct content *content)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX;

    *s = (struct sqlite){.content = content};
    if (!content_load(content, &s->bytes))
        return false;
    forget_log(&s->bytes);
    if (sqlite3_open_v2(":memory:", &s->db, flags, NULL) != SQLITE_OK)
        return fail(s);
    restrict_it(s->db);
    if (sqlite3_deserialize(s->db, "main", (unsigned char *)s->bytes.ptr,
                            (sqlite3_int64)s->bytes.len, (sqlite3_int64)s->bytes.len,
                            SQLITE_DESERIALIZE_READONLY) != SQLITE_OK ||
        sqlite3_exec(s->db, SETTINGS, NULL, NULL, NULL) != SQLITE_OK)
        return fail(s);
    return true;
}

void sqlite_release(struct sqlite *s)
{
    sqlite3_close(s->db);
    buf_release(&s->bytes);
}

/* ---- tables ------------------------------------------------------------------------------ */

static bool prepare(struct sqlite *s, const char *text, sqlite3_stmt **statement)
{
    return sqlite3_prepare_v2(s->db, text, -1, statement, NULL) == SQLITE_OK || fail(s);
}

/* Whether a question about a table, and a column if there is one, has an answer. */
static bool ask(struct sqlite *s, const char *text, const char *table, struct slice column)
{
    sqlite3_stmt *statement = NULL;
    bool found;

    if (!prepare(s, text, &statement))
        return false;
    sqlite3_bind_text(statement, 1, table, -1, SQLITE_STATIC);
    if (column.len)
        sqlite3_bind_text(statement, 2, column.ptr, (int)column.len, SQLITE_STATIC);
    found = sqlite3_step(statement) == SQLITE_ROW;
    sqlite3_finalize(statement);
    return found;
}

bool sqlite_has(struct sqlite *s, const char *table)
{
    return ask(s,
               "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1 AND "
               "sql LIKE 'CREATE TABLE%'",
               table, SLICE(""));
}

bool sqlite_select(struct sqlite *s, struct sqlite_rows *rows, const char *table,
                   const char *columns)
{
    struct slice rest = slice_str(columns), column;
    struct buf text = {0};
    bool good;

    *rows = (struct sqlite_rows){.file = s, .table = table};
    if (!sqlite_has(s, table))
        return false;
    buf_add_str(&text, "SELECT");
    while (slice_word(&rest, &column)) {
        bool has = ask(s, "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2", table, column);

        buf_printf(&text, "%s%.*s", text.len > 6 ? "," : " ", has ? (int)column.len : 4,
                   has ? column.ptr : "NULL");
    }
    buf_printf(&text, " FROM %s NOT INDEXED", table);
    good = prepare(s, buf_string(&text), &rows->statement);
    buf_release(&text);
    return good;
}

int sqlite_next(struct sqlite_rows *rows)
{
    int got = sqlite3_step(rows->statement);

    rows->row++;
    if (got == SQLITE_ROW)
        return 1;
    if (got == SQLITE_DONE)
        return 0;
    fail(rows->file);
    return -1;
}

void sqlite_rows_release(struct sqlite_rows *rows)
{
    sqlite3_finalize(rows->statement);
}

bool sqlite_number(const struct sqlite_rows *rows, int column, int64_t *number)
{
    if (sqlite3_column_type(rows->statement, column) != SQLITE_INTEGER)
        return false;
    *number = sqlite3_column_int64(rows->statement, column);
    return true;
}

struct slice sqlite_text(const struct sqlite_rows *rows, int column)
{
    const char *text;

    if (sqlite3_column_type(rows->statement, column) != SQLITE_TEXT)
        return SLICE("");
    text = (const char *)sqlite3_column_text(rows->statement, column);
    return slice_make(text, (size_t)sqlite3_column_bytes(rows->statement, column));
}
