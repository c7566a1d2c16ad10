#include "text/shorten.h"

#include "base/buf.h"
#include "base/file.h"
#include "unit/support/test.h"

/*
 * Checks each row of shorten.tsv, whose head describes the columns. tests/browser/test_label.js
 * checks the same rows with the script of the SVG.
 */
static const char table[] = "tests/unit/text/shorten.tsv";

enum { LEAST_ROWS = 100 };

/* Appends the forms of a name as in a row of the table: "=" for a step that changes nothing. */
static void write_forms(struct slice name, struct buf *out)
{
    size_t (*const steps[])(char *, size_t) = {shorten_arguments, shorten_templates};
    struct buf copy = {0};

    buf_add_slice(&copy, name);
    buf_add_slice(out, name);
    for (size_t i = 0; i < 2; i++) {
        size_t len = steps[i](copy.ptr, name.len);

        buf_add_char(out, '\t');
        buf_add_slice(out, len < name.len ? slice_make(buf_string(&copy), len) : SLICE("="));
        name = slice_make(buf_string(&copy), len);
    }
    while (shorten_scope(&name)) {
        buf_add_char(out, '\t');
        buf_add_slice(out, name);
    }
    buf_release(&copy);
}

Test(text_shorten, every_row_of_the_table)
{
    struct buf file = {0}, why = {0}, forms = {0};
    struct slice rest, row;
    unsigned rows = 0;

    cr_assert(file_read(table, 1 << 20, &file, &why), "%s: %s", table, buf_string(&why));
    rest = buf_slice(&file);
    while (slice_line(&rest, &row)) {
        if (row.len == 0 || row.ptr[0] == '#')
            continue;
        buf_clear(&forms);
        write_forms(slice_take(row, slice_find(row, '\t')), &forms);
        cr_expect(slice_equal(buf_slice(&forms), row), "\n  want %.*s\n  got  %s", SLICE_ARG(row),
                  buf_string(&forms));
        rows++;
    }
    cr_expect_geq(rows, LEAST_ROWS);
    buf_release(&forms);
    buf_release(&why);
    buf_release(&file);
}
