#include "input/parse/sqlite.h"

#include <stdio.h>
#include <string.h>

#include <sqlite3.h>

#include "base/budget.h"

enum {
    STEPS = 1000,        /* of the database, which are one question to the budget */
    LONGEST = 16 << 20,  /* bytes of a value */
    MOST_COLUMNS = 2000, /* of a table */
};

#define SETTINGS                                                                                   \
    "PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -2000"

/* ---- the file that SQLite sees: the content, or the plain file that has it ----------------- */

struct image {
    sqlite3_file base;
    struct sqlite *of;
};

static struct sqlite *database_of(sqlite3_file *file)
{
    return ((struct image *)file)->of;
}

static uint64_t size_of(const struct sqlite *s)
{
    return s->plain ? s->content->source->file_size : s->bytes.len;
}

static int close_image(sqlite3_file *file)
{
    (void)file;
    return SQLITE_OK;
}

/* A database whose last changes are in a file beside it says so; that file is not read. */
static void forget_log(char *to, size_t len, uint64_t at)
{
    enum { WRITE_VERSION = 18, READ_VERSION = 19, ROLLBACK = 1 };

    for (uint64_t i = WRITE_VERSION; i <= READ_VERSION; i++)
        if (i >= at && i - at < len)
            to[i - at] = ROLLBACK;
}

static int read_image(sqlite3_file *file, void *to, int room, sqlite3_int64 at)
{
    struct sqlite *s = database_of(file);
    uint64_t size = size_of(s), from = (uint64_t)at, left = from < size ? size - from : 0;
    size_t len = left < (uint64_t)room ? (size_t)left : (size_t)room;

    if (len && s->plain) {
        if (!source_read_at(s->content->source, from, to, len, s->content->diag)) {
            s->failed = true;
            return SQLITE_IOERR_READ;
        }
    } else if (len) {
        memcpy(to, s->bytes.ptr + from, len);
    }
    forget_log(to, len, from);
    memset((char *)to + len, 0, (size_t)room - len);
    return len == (size_t)room ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int write_image(sqlite3_file *file, const void *from, int len, sqlite3_int64 at)
{
    (void)file, (void)from, (void)len, (void)at;
    return SQLITE_READONLY;
}

static int cut_image(sqlite3_file *file, sqlite3_int64 size)
{
    (void)file, (void)size;
    return SQLITE_READONLY;
}

static int with_number(sqlite3_file *file, int number)
{
    (void)file, (void)number;
    return SQLITE_OK;
}

static int measure_image(sqlite3_file *file, sqlite3_int64 *size)
{
    *size = (sqlite3_int64)size_of(database_of(file));
    return SQLITE_OK;
}

static int is_reserved(sqlite3_file *file, int *reserved)
{
    (void)file;
    *reserved = 0;
    return SQLITE_OK;
}

static int control(sqlite3_file *file, int what, void *argument)
{
    (void)file, (void)what, (void)argument;
    return SQLITE_NOTFOUND;
}

static int bytes_of_sector(sqlite3_file *file)
{
    (void)file;
    return 0;
}

static int traits(sqlite3_file *file)
{
    (void)file;
    return SQLITE_IOCAP_IMMUTABLE;
}

static int open_image(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *got)
{
    static const struct sqlite3_io_methods methods = {
        .iVersion = 1,
        .xClose = close_image,
        .xRead = read_image,
        .xWrite = write_image,
        .xTruncate = cut_image,
        .xSync = with_number,
        .xFileSize = measure_image,
        .xLock = with_number,
        .xUnlock = with_number,
        .xCheckReservedLock = is_reserved,
        .xFileControl = control,
        .xSectorSize = bytes_of_sector,
        .xDeviceCharacteristics = traits,
    };
    struct image *image = (struct image *)file;

    (void)name;
    image->base.pMethods = NULL;
    if (!(flags & SQLITE_OPEN_MAIN_DB))
        return SQLITE_CANTOPEN;
    image->base.pMethods = &methods;
    image->of = vfs->pAppData;
    if (got)
        *got = SQLITE_OPEN_READONLY;
    return SQLITE_OK;
}

static int no_file(sqlite3_vfs *vfs, const char *name, int flags, int *found)
{
    (void)vfs, (void)name, (void)flags;
    *found = 0;
    return SQLITE_OK;
}

static int cannot_delete(sqlite3_vfs *vfs, const char *name, int flags)
{
    (void)vfs, (void)name, (void)flags;
    return SQLITE_READONLY;
}

static int same_name(sqlite3_vfs *vfs, const char *name, int room, char *out)
{
    (void)vfs;
    sqlite3_snprintf(room, out, "%s", name);
    return SQLITE_OK;
}

/* Numbers are drawn for names of temporary files and rows, which are not written. */
static int no_chance(sqlite3_vfs *vfs, int room, char *out)
{
    (void)vfs;
    memset(out, 0, (size_t)room);
    return room;
}

static int no_time(sqlite3_vfs *vfs, double *days)
{
    (void)vfs;
    *days = 0;
    return SQLITE_OK;
}

static int no_sleep(sqlite3_vfs *vfs, int us)
{
    (void)vfs;
    return us;
}

/* Registers the file system of one database, under a name of its own. */
static bool add_files(struct sqlite *s)
{
    enum { LONGEST_NAME = 64 };

    s->vfs = xcalloc(1, sizeof(*s->vfs));
    snprintf(s->name, sizeof(s->name), "profile-%p", (void *)s);
    *s->vfs = (struct sqlite3_vfs){
        .iVersion = 1,
        .szOsFile = sizeof(struct image),
        .mxPathname = LONGEST_NAME,
        .zName = s->name,
        .pAppData = s,
        .xOpen = open_image,
        .xDelete = cannot_delete,
        .xAccess = no_file,
        .xFullPathname = same_name,
        .xRandomness = no_chance,
        .xSleep = no_sleep,
        .xCurrentTime = no_time,
    };
    return sqlite3_vfs_register(s->vfs, 0) == SQLITE_OK;
}

/* ---- a database -------------------------------------------------------------------------- */

static int charge(void *context)
{
    (void)context;
    budget_work(STEPS);
    return budget_is_over();
}

static bool fail(struct sqlite *s)
{
    if (s->failed)
        return false;
    s->failed = true;
    if (budget_is_over())
        return budget_tell(s->content->diag, DIAG_AT_FILE);
    return diag_error(s->content->diag, "the database is damaged: %s", sqlite3_errmsg(s->db));
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
    const struct source *source = content->source;

    *s = (struct sqlite){.content = content};
    s->plain = source_is_plain(source) && source->file_start == 0 &&
               source->file_size <= content->options->limits.max_size;
    if (!s->plain && !content_load(content, &s->bytes))
        return false;
    if (!add_files(s) ||
        sqlite3_open_v2("profile", &s->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, s->name) !=
            SQLITE_OK)
        return fail(s);
    restrict_it(s->db);
    return sqlite3_exec(s->db, SETTINGS, NULL, NULL, NULL) == SQLITE_OK || fail(s);
}

void sqlite_release(struct sqlite *s)
{
    sqlite3_close(s->db);
    if (s->vfs)
        sqlite3_vfs_unregister(s->vfs);
    xfree(s->vfs);
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
    int got;

    if (!prepare(s, text, &statement))
        return false;
    sqlite3_bind_text(statement, 1, table, -1, SQLITE_STATIC);
    if (column.len)
        sqlite3_bind_text(statement, 2, column.ptr, (int)column.len, SQLITE_STATIC);
    got = sqlite3_step(statement);
    if (got != SQLITE_ROW && got != SQLITE_DONE)
        fail(s);
    sqlite3_finalize(statement);
    return got == SQLITE_ROW;
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

    /* A row takes two bytes at least: in a damaged file, pages may be met again and again. */
    if (got == SQLITE_ROW && rows->row++ < size_of(rows->file) / 2)
        return 1;
    if (got == SQLITE_ROW) {
        rows->file->failed = true;
        diag_error(rows->file->content->diag,
                   "the database is damaged: more rows of %s than it has room for", rows->table);
        return -1;
    }
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
