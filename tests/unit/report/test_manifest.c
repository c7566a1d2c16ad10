#include "report/manifest.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "unit/support/test.h"

Test(report_manifest, lists_files_in_order)
{
    const struct slice files[] = {SLICE("report.md"), SLICE("graphs/b.svg"), SLICE("graphs/a.svg")};
    struct buf out = {0};

    manifest_write(&out, files, 3);
    cr_expect_str_eq(buf_string(&out),
                     "flamepress report 1\ngraphs/a.svg\ngraphs/b.svg\nreport.md\n");
    buf_release(&out);
}

/* What is put into a directory, and what the directory then counts as. */
static const struct {
    const char *file, *content;
    enum manifest_place place;
    const char *why;
} places[] = {
    {NULL, NULL, MANIFEST_EMPTY, ""},
    {"notes.txt", "x", MANIFEST_OTHER, "it contains files"},
    {".hidden", "x", MANIFEST_OTHER, "it contains files"},
    {".flamepress", "flamepress report 1\nindex.html\n", MANIFEST_REPORT, ""},
    {".flamepress", "flamepress report 1\n", MANIFEST_REPORT, ""},
    {".flamepress", "flamepress report 12\n", MANIFEST_OTHER, "its .flamepress was not"},
    {".flamepress", "", MANIFEST_OTHER, "its .flamepress was not"},
    {".flamepress", "flamepress report 1\n../a\n", MANIFEST_OTHER, "its .flamepress lists a path"},
    {".flamepress", "flamepress report 1\na/../../b\n", MANIFEST_OTHER, "its .flamepress lists"},
    {".flamepress", "flamepress report 1\n/etc/a\n", MANIFEST_OTHER, "its .flamepress lists"},
    {".flamepress", "flamepress report 1\na..b/..c\n", MANIFEST_REPORT, ""},
};

Test(report_manifest, recognises)
{
    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        char directory[] = "/tmp/manifest-XXXXXX";
        struct buf path = {0}, why = {0};

        cr_assert(mkdtemp(directory));
        buf_printf(&path, "%s/%s", directory, places[i].file ? places[i].file : "");
        if (places[i].file)
            cr_assert(file_create(buf_string(&path), slice_str(places[i].content), &why), "%s",
                      buf_string(&why));
        cr_expect_eq(manifest_look(directory, &why), places[i].place, "row %zu", i);
        cr_expect(slice_starts(buf_slice(&why), slice_str(places[i].why)), "row %zu: %s", i,
                  buf_string(&why));
        cr_expect_eq(why.len == 0, places[i].why[0] == '\0', "row %zu: %s", i, buf_string(&why));
        cr_assert(file_remove_tree(directory, &why));
        buf_release(&path);
        buf_release(&why);
    }
}

/* A report to which somebody has added a file. */
Test(report_manifest, a_file_that_is_not_listed_is_somebody_elses)
{
    static const struct {
        const char *path;
        enum manifest_place place;
        const char *why;
    } added[] = {
        {"index.html", MANIFEST_REPORT, ""},
        {"graphs/a.svg", MANIFEST_REPORT, ""},
        {"thesis.txt", MANIFEST_OTHER, "it contains 'thesis.txt', which is not part of the report"},
        {"graphs/b.svg", MANIFEST_OTHER,
         "it contains 'graphs/b.svg', which is not part of the report"},
    };

    for (size_t i = 0; i < sizeof(added) / sizeof(*added); i++) {
        char directory[] = "/tmp/manifest-XXXXXX";
        struct buf path = {0}, why = {0};

        cr_assert(mkdtemp(directory));
        buf_printf(&path, "%s/graphs", directory);
        cr_assert(file_make_directory(buf_string(&path), &why), "%s", buf_string(&why));
        buf_clear(&path);
        buf_printf(&path, "%s/%s", directory, MANIFEST_NAME);
        cr_assert(file_create(buf_string(&path),
                              SLICE("flamepress report 1\ngraphs/a.svg\nindex.html\n"), &why));
        buf_clear(&path);
        buf_printf(&path, "%s/%s", directory, added[i].path);
        cr_assert(file_create(buf_string(&path), SLICE("x"), &why));
        cr_expect_eq(manifest_look(directory, &why), added[i].place, "row %zu", i);
        cr_expect_str_eq(buf_string(&why), added[i].why);
        cr_assert(file_remove_tree(directory, &why));
        buf_release(&path);
        buf_release(&why);
    }
}

Test(report_manifest, knows_what_is_no_directory)
{
    struct buf why = {0};

    cr_expect_eq(manifest_look("/tmp/does/not/exist", &why), MANIFEST_ABSENT);
    cr_expect_eq(why.len, 0);
    cr_expect_eq(manifest_look("/dev/null", &why), MANIFEST_OTHER);
    cr_expect_str_eq(buf_string(&why), "it is not a directory");
    buf_release(&why);
}
