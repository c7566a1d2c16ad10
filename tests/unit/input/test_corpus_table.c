/*
 * Compares readings of the corpora with tables. tests/corpus/files.tsv has the files
 * of the project, which are always read; corpus/DIRECTORY.tsv has those of that
 * directory of the collection outside of the project. There is a row for each series:
 *
 *     file  outcome  format  series  total  stacks  note
 *
 * The outcome is read, failed, unknown or empty. A file that is not read has one
 * row, with "-" in the columns that do not apply. A series without a name is "-".
 * The total is in the series' unit; `stacks` counts stacks with a weight. A note
 * says why a number differs from the collection's index, which other converters
 * made, faults included.
 *
 * Each file is read under a name that says nothing.
 */

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "input/registry.h"
#include "input/walk.h"
#include "support/tree_check.h"
#include "unit/support/corpus.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

#define TABLES "tests/unit/input/corpus"
#define OWN_CORPUS "tests/corpus"

enum { COLUMNS = 7 };
enum column { FILE_NAME, OUTCOME, FORMAT, SERIES, TOTAL, STACKS, NOTE };

struct row {
    struct slice cells[COLUMNS];
};

struct table {
    struct slice directory; /* of the collection; empty if the files are the project's own */
    struct buf text;
    VEC(struct row) rows;
};

static const char *const outcomes[] = {
    [INPUT_READ] = "read",
    [INPUT_UNKNOWN] = "unknown",
    [INPUT_EMPTY] = "empty",
    [INPUT_FAILED] = "failed",
};

static void table_init(struct table *t, const char *path, struct slice directory)
{
    struct slice rest, line;
    struct buf why = {0};

    *t = (struct table){.directory = directory};
    cr_assert(file_read(path, 1 << 24, &t->text, &why), "%s", buf_string(&why));
    rest = buf_slice(&t->text);
    while (slice_line(&rest, &line)) {
        struct row row = {0};
        unsigned i = 0;

        if (!line.len || line.ptr[0] == '#')
            continue;
        while (i < COLUMNS && slice_cut(&line, '\t', &row.cells[i]))
            i++;
        cr_assert(i >= NOTE && !line.len, "%s: a row of %u cells", path, i);
        *vec_add(&t->rows) = row;
    }
    buf_release(&why);
}

static void table_release(struct table *t)
{
    vec_release(&t->rows);
    buf_release(&t->text);
}

/* Reads a file of the collection under a random name, without the binaries of this machine. */
static void read_renamed(struct reading *r, const char *path)
{
    struct input_options options = input_options_default();
    char copy[] = "/tmp/XXXXXX";
    struct buf bytes = {0}, why = {0};
    int fd = mkstemp(copy);

    cr_assert(file_read(path, 1 << 30, &bytes, &why), "%s", buf_string(&why));
    cr_assert(fd >= 0 && file_write_fd(fd, buf_slice(&bytes), &why), "%s", buf_string(&why));
    close(fd);
    options.symfs = options.kallsyms = "/nowhere";
    reading_path(r, copy, "in", &options, 1);
    unlink(copy);
    buf_release(&bytes);
    buf_release(&why);
}

static uint64_t count_stacks(const struct series *s)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i < s->count; i++)
        count += s->weight[i] != 0;
    return count;
}

static void expect_series(const struct profile *p, const struct row *row, const char *name)
{
    struct slice series =
        slice_equal(row->cells[SERIES], SLICE("-")) ? SLICE("") : row->cells[SERIES];
    uint32_t id = profile_find_series(p, series);
    struct buf total = {0}, why = {0};
    uint64_t stacks = 0;
    struct tree t;

    cr_expect_neq(id, SERIES_NONE, "%s: no series '%.*s'", name, SLICE_ARG(series));
    if (id == SERIES_NONE)
        return;
    num_write_decimal(&total, p->series.items[id].total, p->decimals);
    cr_expect(slice_equal(buf_slice(&total), row->cells[TOTAL]), "%s, %.*s: total %s, not %.*s",
              name, SLICE_ARG(series), buf_string(&total), SLICE_ARG(row->cells[TOTAL]));
    cr_expect(num_parse_u64(row->cells[STACKS], &stacks), "%s: stacks", name);
    cr_expect_eq(count_stacks(&p->series.items[id]), stacks, "%s, %.*s: %llu stacks, not %llu",
                 name, SLICE_ARG(series), (unsigned long long)count_stacks(&p->series.items[id]),
                 (unsigned long long)stacks);
    tree_init(&t, p, id, &(struct tree_options){0});
    cr_expect(tree_check(&t, &why), "%s: %s", name, buf_string(&why));
    tree_release(&t);
    buf_release(&total);
    buf_release(&why);
}

static size_t series_with_weight(const struct profile *p)
{
    size_t count = 0;

    vec_each (struct series, s, &p->series)
        count += s->count > 0;
    return count;
}

/* The rows of one file, which are consecutive. */
static size_t expect_file(const struct table *t, size_t first)
{
    const struct row *row = &t->rows.items[first];
    struct slice file = row->cells[FILE_NAME];
    struct buf name = {0}, path = {0};
    struct reading r;
    size_t count = 0;

    if (t->directory.len)
        buf_printf(&name, "%.*s/%.*s", SLICE_ARG(t->directory), SLICE_ARG(file));
    else
        buf_add_slice(&name, file);
    read_renamed(&r, t->directory.len ? corpus_path(&path, buf_string(&name)) : buf_string(&name));
    cr_expect(slice_equal(slice_str(outcomes[r.result]), row->cells[OUTCOME]), "%s: %s, not %.*s",
              buf_string(&name), outcomes[r.result], SLICE_ARG(row->cells[OUTCOME]));
    for (; first + count < t->rows.count; count++) {
        if (!slice_equal(row[count].cells[FILE_NAME], file))
            break;
        if (r.result != INPUT_READ)
            continue;
        cr_expect(slice_equal(slice_str(r.profile.format), row[count].cells[FORMAT]),
                  "%s: read as %s, not as %.*s", buf_string(&name), r.profile.format,
                  SLICE_ARG(row[count].cells[FORMAT]));
        expect_series(&r.profile, &row[count], buf_string(&name));
    }
    if (r.result == INPUT_READ)
        cr_expect_eq(series_with_weight(&r.profile), count, "%s: %zu series, not %zu",
                     buf_string(&name), series_with_weight(&r.profile), count);
    reading_release(&r);
    buf_release(&name);
    buf_release(&path);
    return count;
}

static void each_table(void (*visit)(const struct table *t, void *context), void *context)
{
    struct paths tables = {0};
    struct diag diag;
    struct buf path = {0};

    diag_init(&diag, slice_make(NULL, 0));
    cr_assert(walk_directory(TABLES, NULL, &tables, &diag));
    vec_each (struct slice, name, &tables.items) {
        struct table t;

        if (!slice_ends(*name, SLICE(".tsv")))
            continue;
        buf_clear(&path);
        buf_printf(&path, TABLES "/%.*s", SLICE_ARG(*name));
        table_init(&t, buf_string(&path), slice_take(*name, name->len - strlen(".tsv")));
        visit(&t, context);
        table_release(&t);
    }
    buf_release(&path);
    walk_paths_release(&tables);
    diag_release(&diag);
}

/* The environment variable TABLE names the one table to check. */
static void expect_table(const struct table *t, void *context)
{
    const char *only = getenv("TABLE");

    (void)context;
    if (only && !slice_equal(slice_str(only), t->directory))
        return;
    for (size_t at = 0; at < t->rows.count;)
        at += expect_file(t, at);
}

Test(input_corpus_table, files_are_read_as_their_rows_say)
{
    corpus_need();
    each_table(expect_table, NULL);
}

struct coverage {
    struct paths files;
    bool *seen;
};

static void mark_rows(const struct table *t, void *context)
{
    struct coverage *c = context;
    struct buf name = {0};

    vec_each (struct row, row, &t->rows) {
        bool found = false;

        buf_clear(&name);
        buf_printf(&name, "%.*s/%.*s", SLICE_ARG(t->directory), SLICE_ARG(row->cells[FILE_NAME]));
        for (size_t i = 0; i < c->files.items.count; i++)
            if (slice_equal(c->files.items.items[i], buf_slice(&name)))
                found = c->seen[i] = true;
        cr_expect(found, "%s has a row and is not there", buf_string(&name));
    }
    buf_release(&name);
}

/* Returns false for results of converters and for texts about the profiles. */
static bool is_profile(struct slice path)
{
    static const char *const beside[] = {"expected/", ".expected.", "README", "INDEX.md"};

    for (size_t i = 0; i < sizeof(beside) / sizeof(*beside); i++)
        if (slice_search(path, slice_str(beside[i])) < path.len)
            return false;
    return slice_find(path, '/') < path.len;
}

Test(input_corpus_table, every_file_has_a_row)
{
    struct coverage c;
    struct diag diag;
    struct buf path = {0};

    corpus_need();
    c.files = (struct paths){0};
    diag_init(&diag, slice_make(NULL, 0));
    cr_assert(walk_directory(corpus_path(&path, "."), NULL, &c.files, &diag));
    c.seen = xcalloc(c.files.items.count, sizeof(*c.seen));
    each_table(mark_rows, &c);
    for (size_t i = 0; i < c.files.items.count; i++)
        cr_expect(c.seen[i] || !is_profile(c.files.items.items[i]), "%.*s has no row",
                  SLICE_ARG(c.files.items.items[i]));
    cr_expect_gt(c.files.items.count, 500);
    free(c.seen);
    walk_paths_release(&c.files);
    diag_release(&diag);
    buf_release(&path);
}

/* ---- the files of the project ---- */

static void own_table_init(struct table *t)
{
    table_init(t, OWN_CORPUS "/files.tsv", slice_make(NULL, 0));
}

Test(input_own_corpus, files_are_read_as_their_rows_say)
{
    struct table t;

    own_table_init(&t);
    expect_table(&t, NULL);
    table_release(&t);
}

Test(input_own_corpus, every_format_has_a_file)
{
    struct table t;

    own_table_init(&t);
    for (size_t i = 0; i < registry_count; i++) {
        bool found = false;

        vec_each (struct row, row, &t.rows)
            found = found || slice_equal(row->cells[FORMAT], slice_str(registry_formats[i]->name));
        cr_expect(found, "no row of " OWN_CORPUS "/files.tsv has the format %s",
                  registry_formats[i]->name);
    }
    table_release(&t);
}

/* Recordings are in a directory for each format; other texts and programs have no rows. */
static bool is_own_recording(struct slice path)
{
    return slice_find(path, '/') < path.len && !slice_starts(path, SLICE("programs/"));
}

Test(input_own_corpus, every_file_has_a_row)
{
    struct paths files = {0};
    struct table t;
    struct diag diag;

    own_table_init(&t);
    diag_init(&diag, slice_make(NULL, 0));
    cr_assert(walk_directory(OWN_CORPUS, NULL, &files, &diag));
    vec_each (struct slice, file, &files.items) {
        bool found = !is_own_recording(*file);

        vec_each (struct row, row, &t.rows) {
            struct slice path = row->cells[FILE_NAME];

            found = found || (slice_starts(path, SLICE(OWN_CORPUS "/")) &&
                              slice_equal(slice_skip(path, strlen(OWN_CORPUS "/")), *file));
        }
        cr_expect(found, OWN_CORPUS "/%.*s has no row", SLICE_ARG(*file));
    }
    walk_paths_release(&files);
    table_release(&t);
    diag_release(&diag);
}
