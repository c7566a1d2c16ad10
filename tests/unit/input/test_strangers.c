/*
 * Files that are not profiles: settings, counters, documents, and sources that
 * quote stacks.
 */
#include <time.h>

#include "base/file.h"
#include "input/core/source.h"
#include "input/refused.h"
#include "input/registry.h"
#include "input/walk.h"
#include "unit/support/claim.h"
#include "unit/support/test.h"

static const struct {
    const char *what, *text;
} strangers[] = {
    {"settings of tesseract", "tessedit_create_txt 1\n"},
    {"more of them", "tessedit_create_hocr 1\nhocr_font_info 0\n"},
    {"a setting", "width 640\n"},
    {"settings", "width 640\nheight 480\ndepth 24\n"},
    {"counters of the kernel", "nr_free_pages 1467327\nnr_zone_inactive_anon 0\nnuma_hit 9155\n"},
    {"counters that grow", "allocstall_dma 0\nallocstall_dma32 1\nallocstall_normal 2\n"},
    {"two counters", "cpu 12 7\nmem 9 4\n"},
    {"metrics of Prometheus", "# HELP go_gc_duration_seconds A summary of pauses.\n"
                              "# TYPE go_gc_duration_seconds summary\n"
                              "go_gc_duration_seconds{quantile=\"0\"} 4.9351e-05\n"
                              "go_gc_duration_seconds{quantile=\"0.5\"} 4.9\ngo_goroutines 69\n"
                              "http_requests_total{code=\"200\",method=\"post\"} 1027\n"},
    {"metrics without labels", "go_goroutines 69\nprocess_open_fds 12\nprocess_start 1.7\n"},
    {"frequencies of words", "the 23135851\nof 13151942\nmain 1299\nand 12997637\n"},
    {"inventory", "apple 12\nbanana 7\n"},
    {"stacks in a comment",
     "/*\n * A stack:\n *     main;parse;read 12\n *     main;parse 3\n */\nint x;\n"},
    {"DTrace's output in a comment",
     "  /*\n   * unix`trap+0x2c7\n   * genunix`read+0x1\n   *   12\n   */\nint x;\n"},
    {"a template of a page", "<!DOCTYPE html>\n<html>\n<style>{{template \"css\" .}}</style>\n"
                             "<script>var x = d3.flamegraph(); {{.Nodes}}</script>\n</html>\n"},
    {"stacks in line comments", "// main;parse;read 12\n// main;parse 3\nint x;\n"},
    {"stacks in a letter", "I have seen:\n\n> main;parse;read 12\n> main;parse 3\n"},
};

Test(input_strangers, settings_counters_and_sources_are_no_profiles)
{
    for (size_t i = 0; i < sizeof(strangers) / sizeof(strangers[0]); i++) {
        struct slice text = slice_str(strangers[i].text);
        const struct format *format = claim_find(text, true);

        cr_expect_null(format, "%s: %s", strangers[i].what, format ? format->name : "");
        cr_expect_null(claim_refused(text, true), "%s", strangers[i].what);
    }
}

/* ---- quoted profiles ------------------------------------------------------------------------ */

static const struct {
    const char *what, *before, *mark, *behind;
} quotes[] = {
    {"a comment of C", "/*\n", " * ", " */\nint main(void)\n{\n    return 0;\n}\n"},
    {"line comments", "#include <stdio.h>\n", "// ", "int main(void)\n{\n    return 0;\n}\n"},
    {"comments of Python", "import os\n", "# ", "print(1)\n"},
    {"a letter", "Hello,\nI saw this:\n", "> ", ""},
    {"a patch", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1,9 @@\n", "+", ""},
    {"a manual page", "'\\\" t\n.\\\"     Title: x\n.TH X 8\n.nf\n", "", ".fi\n"},
    {"an older manual page", ".TH X 8\n.nf\n", "", ".fi\n"},
};

/* Reads the first bytes of a file, decompressed, into `out`. Returns false if it is binary. */
static bool read_text(const char *path, struct buf *out, bool *whole)
{
    struct source source;
    struct diag diag;
    bool text = false;

    buf_clear(out);
    diag_init(&diag, slice_str(path));
    if (source_open(&source, path, UINT64_MAX, &diag)) {
        buf_add_slice(out, source_head(&source, whole));
        text = slice_find(buf_slice(out), '\0') == out->len;
    }
    source_release(&source);
    diag_release(&diag);
    return text;
}

static void quote(struct slice text, size_t how, struct buf *out)
{
    struct slice line;

    buf_clear(out);
    buf_add_str(out, quotes[how].before);
    while (slice_line(&text, &line))
        buf_printf(out, "%s%.*s\n", quotes[how].mark, SLICE_ARG(line));
    buf_add_str(out, quotes[how].behind);
}

static void walk(const char *dir, struct paths *paths)
{
    struct diag diag;

    diag_init(&diag, slice_str(dir));
    if (file_kind(dir) == FILE_DIRECTORY)
        walk_directory(dir, NULL, paths, &diag);
    diag_release(&diag);
}

Test(input_strangers, sources_that_quote_a_profile_are_none)
{
    struct paths paths = {0};
    struct buf path = {0}, text = {0}, quoted = {0};
    size_t read = 0;
    bool whole;

    walk("tests/corpus", &paths);
    vec_each (struct slice, name, &paths.items) {
        buf_clear(&path);
        buf_printf(&path, "tests/corpus/%s", name->ptr);
        if (!read_text(buf_string(&path), &text, &whole))
            continue;
        read++;
        for (size_t i = 0; i < sizeof(quotes) / sizeof(quotes[0]); i++) {
            const struct format *format;

            quote(buf_slice(&text), i, &quoted);
            format = claim_find(buf_slice(&quoted), true);
            cr_expect_null(format, "%s in %s: %s", buf_string(&path), quotes[i].what,
                           format ? format->name : "");
            cr_expect_null(claim_refused(buf_slice(&quoted), true), "%s in %s", buf_string(&path),
                           quotes[i].what);
        }
    }
    cr_expect_gt(read, 60u);
    walk_paths_release(&paths);
    buf_release(&quoted);
    buf_release(&text);
    buf_release(&path);
}

/* ---- files of the system and of the project -------------------------------------------------- */

/*
 * How many files of each directory are read, evenly spread over the sorted paths. When the seconds
 * have passed, reading ends after a few.
 */
enum { MOST_FILES = 1500, FEW_FILES = 100, MOST_SECONDS = 20 };

static time_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

/*
 * The documents of bpftrace and of bcc's tools show what these print, and Go's tests have what a
 * program in panic prints: profiles within other text.
 */
static bool shows_output(struct slice path)
{
    return slice_ends(path, SLICE("_example.txt")) || slice_ends(path, SLICE("/panic.test"));
}

/* Expects that no file below `dir` is a profile. Returns the number of files looked at. */
static size_t look_below(const char *dir)
{
    struct paths paths = {0};
    struct buf path = {0}, text = {0};
    size_t looked = 0, step;
    time_t end = now() + MOST_SECONDS;
    bool whole;

    walk(dir, &paths);
    step = paths.items.count / MOST_FILES + 1;
    for (size_t i = 0; i < paths.items.count && (now() < end || looked < FEW_FILES); i += step) {
        const struct format *format;

        buf_clear(&path);
        buf_printf(&path, "%s/%s", dir, paths.items.items[i].ptr);
        if (shows_output(paths.items.items[i]) || !read_text(buf_string(&path), &text, &whole))
            continue;
        looked++;
        format = claim_find(buf_slice(&text), whole);
        cr_expect_null(format, "%s is read as %s", buf_string(&path), format ? format->name : "");
        cr_expect_null(claim_refused(buf_slice(&text), whole), "%s is refused", buf_string(&path));
    }
    walk_paths_release(&paths);
    buf_release(&text);
    buf_release(&path);
    return looked;
}

static void expect_none(const char *const *dirs, size_t count)
{
    size_t looked = 0;

    for (size_t i = 0; i < count; i++)
        looked += look_below(dirs[i]);
    if (looked < FEW_FILES)
        cr_skip_test("only %zu files of text in %s and other directories", looked, dirs[0]);
}

Test(input_strangers, the_project_contains_no_profile_but_recordings)
{
    static const char *const dirs[] = {"src",           "templates",     "fonts",
                                       "tests/unit",    "tests/hostile", "tests/lint",
                                       "tests/browser", "tests/support"};

    expect_none(dirs, sizeof(dirs) / sizeof(dirs[0]));
}

Test(input_strangers, shared_documents_of_the_system_are_no_profiles)
{
    static const char *const dirs[] = {"/usr/share", "/etc"};

    expect_none(dirs, sizeof(dirs) / sizeof(dirs[0]));
}

Test(input_strangers, headers_and_scripts_of_the_system_are_no_profiles)
{
    static const char *const dirs[] = {"/usr/include", "/usr/lib"};

    expect_none(dirs, sizeof(dirs) / sizeof(dirs[0]));
}
