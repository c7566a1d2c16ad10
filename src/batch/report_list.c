#include "batch/report_list.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/budget.h"
#include "base/date.h"
#include "base/file.h"
#include "batch/report_file.h"
#include "input/core/source.h"
#include "input/parse/json.h"
#include "report/manifest.h"
#include "report/verdicts.h"

/* The search for reports. */
struct listing {
    struct report_index *index;
    const struct input_limits *limits;
    struct diag *diag;
    size_t root;        /* length of the folder's path, and of the slash after it */
    size_t directories; /* seen so far */
};

/* One report.json being read. */
struct reading {
    struct report_index *index;
    struct index_entry *entry;
    struct slice schema;
};

/* ---- a report -------------------------------------------------------------------------------- */

static struct slice keep(struct reading *r, struct slice text)
{
    return arena_copy(&r->index->memory, text);
}

/* Takes the first finding as a sentence. */
static void read_finding(struct reading *r, const struct json_value *v)
{
    struct slice what = json_text(json_get(v, "what"));
    struct slice function = json_text(json_get(v, "function"));
    struct slice search = json_text(json_get(v, "search"));
    const struct json_value *percent = json_get(v, "percent");
    struct buf text = {0};

    if (!what.len || r->entry->finding.len)
        return;
    buf_add_slice(&text, what);
    if (search.len)
        buf_printf(&text, " \"%.*s\"", SLICE_ARG(search));
    if (function.len)
        buf_printf(&text, ": %.*s", SLICE_ARG(function));
    if (percent && percent->type == JSON_NUMBER)
        buf_printf(&text, "%s %.*s %%", function.len ? "," : ":", SLICE_ARG(percent->text));
    r->entry->finding = keep(r, buf_slice(&text));
    buf_release(&text);
}

/* Takes the headline of the comparison. */
static void read_comparison(struct reading *r, const struct json_value *v)
{
    struct comparison c = {0};
    struct buf text = {0};

    if (report_file_comparison(&c, v)) {
        verdicts_headline(&text, &c);
        r->entry->compared = keep(r, buf_slice(&text));
    }
    buf_release(&text);
    comparison_release(&c);
}

/* Takes the picture of the first graph that has one in the directory of graphs. */
static void read_graph(struct reading *r, const struct json_value *v)
{
    struct slice path = json_text(json_get(json_get(v, "files"), "png"));

    if (!r->entry->picture.len && report_file_is_picture(path))
        r->entry->picture = keep(r, path);
}

static bool is_list(void *context, struct slice key)
{
    (void)context;
    return slice_equal(key, SLICE("graphs"));
}

static bool take_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct reading *r = context;
    struct index_entry *e = r->entry;
    const struct {
        struct slice key, *to;
    } texts[] = {{SLICE("title"), &e->title},
                 {SLICE("subtitle"), &e->subtitle},
                 {SLICE("date"), &e->date},
                 {SLICE("measured"), &e->measured}};

    (void)at;
    if (parent.len) {
        read_graph(r, v);
        return true;
    }
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        if (slice_equal(v->key, texts[i].key))
            *texts[i].to = keep(r, json_text(v));
    if (json_key_is(v, SLICE("schema")))
        r->schema = keep(r, json_text(v));
    else if (json_key_is(v, SLICE("comparison")))
        read_comparison(r, v);
    else if (json_key_is(v, SLICE("findings")))
        json_each(finding, v) read_finding(r, finding);
    return true;
}

/* Sets the day of a report: its date, or else the day on which its file was written. */
static void set_day(struct reading *r, const struct stat *file)
{
    char text[16];
    struct tm day;

    if (date_is_day(r->entry->date)) {
        r->entry->day = r->entry->date;
        return;
    }
    if (!gmtime_r(&file->st_mtime, &day) || !strftime(text, sizeof(text), "%Y-%m-%d", &day))
        snprintf(text, sizeof(text), "1970-01-01");
    r->entry->day = keep(r, slice_str(text));
}

static bool read_json(struct listing *l, struct reading *r, const char *path, struct diag *diag)
{
    const struct input_options options = {.limits = *l->limits};
    const struct json_handler handler = {
        .context = r, .one_document = true, .each = is_list, .value = take_value};
    struct budget budget, *before;
    struct source source;
    bool ok;

    budget_init(&budget, "reading", l->limits->max_memory, l->limits->max_work);
    before = budget_enter(&budget);
    ok = source_open(&source, path, l->limits->max_size, diag);
    if (ok) {
        struct content content = {
            .source = &source, .options = &options, .diag = diag, .threads = 1};

        ok = json_read(&content, &handler) && !diag->counts[DIAG_WARNING];
    }
    source_release(&source);
    ok = budget_allows(diag, DIAG_AT_FILE) && ok;
    budget_leave(before);
    return ok;
}

/* Says that report.json is damaged, or of a version that is not known. */
static void warn_unknown(const struct listing *l, const struct reading *r, const char *path)
{
    if (slice_starts(r->schema, SLICE("flamepress-report")) && !report_file_is_schema(r->schema))
        diag_warn(l->diag,
                  "%s has the schema '%.*s', which is not known; it is left out: make the report "
                  "and the index with one version of flamepress",
                  path, SLICE_ARG(r->schema));
    else
        diag_warn(l->diag, "%s is not the data of a report; it is left out", path);
}

/* Adds the report in a directory, or warns that its report.json is none. */
static void add_report(struct listing *l, const char *directory, const char *path,
                       const struct stat *file)
{
    struct index_entry entry = {0};
    struct reading r = {.index = l->index, .entry = &entry};
    struct buf page = {0};
    struct diag quiet;

    diag_init(&quiet, slice_str(path));
    buf_printf(&page, "%s/index.html", directory);
    if (read_json(l, &r, path, &quiet) && report_file_is_schema(r.schema)) {
        entry.path = arena_copy(&l->index->memory, slice_str(directory + l->root));
        entry.page = file_kind(buf_string(&page)) == FILE_REGULAR ? SLICE("index.html") : SLICE("");
        set_day(&r, file);
        *vec_add(&l->index->entries) = entry;
    } else {
        warn_unknown(l, &r, path);
    }
    diag_release(&quiet);
    buf_release(&page);
}

/* ---- the folder ------------------------------------------------------------------------------ */

static bool search(struct listing *l, const char *directory, unsigned depth);

/* Warns of a report that has lost the file that an index reads. */
static void warn_lost(const struct listing *l, const char *directory)
{
    struct manifest_files files = {0};
    struct arena memory = {0};

    manifest_read(directory, &memory, &files);
    vec_each (const struct slice, file, &files)
        if (slice_equal(*file, SLICE("report.json")))
            diag_warn(l->diag,
                      "%s: the report is left out, because its report.json is missing; make it "
                      "again",
                      directory);
    vec_release(&files);
    arena_release(&memory);
}

static void search_below(struct listing *l, const char *directory, unsigned depth)
{
    warn_lost(l, directory);
    if (depth < REPORT_LIST_DEPTH && !search(l, directory, depth))
        diag_warn(l->diag, "cannot read the directory '%s': %s", directory, strerror(errno));
}

/* Looks at one entry of a directory: a report, a folder with more, or anything else. */
static void look_at(struct listing *l, const char *directory, const char *name, unsigned depth)
{
    struct buf path = {0}, json = {0};
    struct stat status;

    buf_printf(&path, "%s/%s", directory, name);
    buf_printf(&json, "%s/report.json", buf_string(&path));
    if (lstat(buf_string(&path), &status) == 0 && S_ISDIR(status.st_mode) &&
        l->directories++ < REPORT_LIST_MOST) {
        if (stat(buf_string(&json), &status) == 0 && S_ISREG(status.st_mode))
            add_report(l, buf_string(&path), buf_string(&json), &status);
        else
            search_below(l, buf_string(&path), depth + 1);
    }
    buf_release(&path);
    buf_release(&json);
}

static bool search(struct listing *l, const char *directory, unsigned depth)
{
    DIR *stream = opendir(directory);
    struct dirent *entry;

    if (!stream)
        return false;
    while ((entry = readdir(stream)))
        if (entry->d_name[0] != '.')
            look_at(l, directory, entry->d_name, depth);
    closedir(stream);
    return true;
}

bool report_list_read(struct report_index *index, const char *folder,
                      const struct input_limits *limits, struct diag *diag)
{
    struct listing l = {.index = index, .limits = limits, .diag = diag, .root = strlen(folder) + 1};

    if (!search(&l, folder, 0))
        return diag_error(diag, "%s: %s", folder, strerror(errno));
    if (l.directories > REPORT_LIST_MOST)
        diag_warn(diag, "%s has more than %d directories; the index is incomplete", folder,
                  REPORT_LIST_MOST);
    report_index_sort(index);
    return true;
}
