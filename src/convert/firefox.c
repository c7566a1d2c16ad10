/*
 * The Firefox Profiler's processed profiles: a thread with tables of stacks, frames, functions and
 * strings, each a list of columns. One event is written: with --split each of its threads,
 * processes or CPUs as a thread, else all of it as one thread. A function's resource is the library
 * that it is in.
 *
 * Samples have their times in milliseconds, on the clock of the recording. If the profile has no
 * times, each distinct stack has one sample with its weight. Version 41 of the format is written,
 * which later versions of the profiler upgrade when they load it.
 *
 * Source: docs-developer/processed-profile-format.md in github.com/firefox-devtools/profiler.
 */
#include <inttypes.h>

#include "base/file.h"
#include "base/json_writer.h"
#include "base/vec.h"
#include "convert/labels.h"
#include "convert/lines.h"
#include "convert/timeline.h"
#include "convert/values.h"

enum { VERSION = 24, PROCESSED_VERSION = 41 };

enum { MILLISECONDS = -3 }; /* the exponent of the unit of times */

struct firefox_writer {
    const struct conversion *c;
    struct convert_stream *out;
    struct json_writer json;
    struct lines lines; /* of the current series */
    const struct series *series;
    struct timeline samples; /* of the series */
    uint32_t *function;      /* by symbol in use: its place in the table of functions */
    uint32_t *stack;         /* by node in use: its place in the table of stacks */
    uint32_t *file;          /* by name: place of the source file in the table of strings, or 0 */
    uint32_t *lib;           /* by name: 1 + the module's place in the list of libraries */
    uint32_t *resource;      /* by name: 1 + the module's place in the table of resources */
    uint32_t functions, stacks, libs;
    VEC(uint32_t) files;   /* names of the source files, in the order of their strings */
    VEC(uint32_t) modules; /* names of the modules, in the order of the table of resources */
    struct values_decimal decimal;
    struct buf text;
};

/* ---- columns ---- */

/* Writes the values of a column, of `count` rows. */
typedef void column_fn(struct firefox_writer *w);

struct column {
    const char *name;
    const char *same; /* the value of all rows, or NULL: `write` writes them */
    column_fn *write;
};

static void write_same(struct firefox_writer *w, const char *value, uint32_t count)
{
    for (uint32_t i = 0; i < count && convert_stream_pass(w->out); i++)
        json_writer_number(&w->json, NULL, slice_str(value));
}

/* Writes a table, without its end. */
static void write_columns(struct firefox_writer *w, const char *name, uint32_t count,
                          const struct column *columns)
{
    json_writer_object(&w->json, name, JSON_LINES);
    json_writer_u64(&w->json, "length", count);
    for (; columns->name; columns++) {
        json_writer_list(&w->json, columns->name, JSON_INLINE);
        if (columns->same)
            write_same(w, columns->same, count);
        else
            columns->write(w);
        json_writer_close(&w->json);
    }
}

static void write_table(struct firefox_writer *w, const char *name, uint32_t count,
                        const struct column *columns)
{
    write_columns(w, name, count, columns);
    json_writer_close(&w->json);
}

/* ---- modules ---- */

/* "libc.so.6" of "/lib/libc.so.6" */
static struct slice name_of_module(const struct firefox_writer *w, uint32_t module)
{
    struct slice name = intern_get(&w->c->profile->symbols.names, module);
    struct slice last = file_name_of(name);

    return last.len ? last : name;
}

static void write_lib(struct firefox_writer *w, uint32_t module)
{
    struct slice name = name_of_module(w, module);
    struct slice path = intern_get(&w->c->profile->symbols.names, module);

    json_writer_object(&w->json, NULL, JSON_LINES);
    json_writer_text(&w->json, "name", name);
    json_writer_text(&w->json, "path", path);
    json_writer_text(&w->json, "debugName", name);
    json_writer_text(&w->json, "debugPath", path);
    json_writer_text(&w->json, "breakpadId", SLICE(""));
    json_writer_null(&w->json, "codeId");
    json_writer_text(&w->json, "arch", SLICE(""));
    json_writer_close(&w->json);
}

/* Writes the modules of all threads. */
static void write_libs(struct firefox_writer *w)
{
    const struct symbols *symbols = &w->c->profile->symbols;
    struct lines lines;

    lines_init(&lines, w->c);
    w->lib = xcalloc(intern_count(&symbols->names) + 1, sizeof(*w->lib));
    json_writer_list(&w->json, "libs", JSON_LINES);
    for (uint32_t i = 0; i < symbols_count(symbols); i++) {
        uint32_t module = symbols->items.items[i].module;

        if (!lines.named[i] || module == SYMBOL_NONE || w->lib[module])
            continue;
        w->lib[module] = ++w->libs;
        write_lib(w, module);
    }
    json_writer_close(&w->json);
    lines_release(&lines);
}

/* ---- tables ---- */

/* A function, its only frame and its name have the same number. */
static void write_numbers(struct firefox_writer *w)
{
    for (uint32_t i = 0; i < w->functions && convert_stream_pass(w->out); i++)
        json_writer_u64(&w->json, NULL, i);
}

static void write_files(struct firefox_writer *w)
{
    const struct symbols *symbols = &w->c->profile->symbols;

    for (uint32_t i = 0; i < symbols_count(symbols) && convert_stream_pass(w->out); i++) {
        uint32_t file = symbols->items.items[i].file;

        if (!w->lines.named[i])
            continue;
        if (file == SYMBOL_NONE)
            json_writer_null(&w->json, NULL);
        else
            json_writer_u64(&w->json, NULL, w->file[file]);
    }
}

static void write_resources(struct firefox_writer *w)
{
    const struct symbols *symbols = &w->c->profile->symbols;

    for (uint32_t i = 0; i < symbols_count(symbols) && convert_stream_pass(w->out); i++) {
        uint32_t module = symbols->items.items[i].module;

        if (!w->lines.named[i])
            continue;
        if (module == SYMBOL_NONE)
            json_writer_number(&w->json, NULL, SLICE("-1"));
        else
            json_writer_u64(&w->json, NULL, w->resource[module] - 1);
    }
}

static void write_libs_of_resources(struct firefox_writer *w)
{
    vec_each (uint32_t, module, &w->modules)
        json_writer_u64(&w->json, NULL, w->lib[*module] - 1);
}

/* The strings of modules follow those of files. */
static void write_names_of_resources(struct firefox_writer *w)
{
    for (size_t i = 0; i < w->modules.count; i++)
        json_writer_u64(&w->json, NULL, w->functions + w->files.count + i);
}

static void write_lines(struct firefox_writer *w)
{
    const struct symbols *symbols = &w->c->profile->symbols;

    for (uint32_t i = 0; i < symbols_count(symbols) && convert_stream_pass(w->out); i++) {
        if (!w->lines.named[i])
            continue;
        if (!symbols->items.items[i].line)
            json_writer_null(&w->json, NULL);
        else
            json_writer_u64(&w->json, NULL, symbols->items.items[i].line);
    }
}

static void write_prefixes(struct firefox_writer *w)
{
    const struct stacks *stacks = &w->c->profile->stacks;

    for (uint32_t node = 1; node < stacks->count && convert_stream_pass(w->out); node++) {
        if (!lines_use(&w->lines, node))
            continue;
        if (stacks->parent[node] == STACK_ROOT)
            json_writer_null(&w->json, NULL);
        else
            json_writer_u64(&w->json, NULL, w->stack[stacks->parent[node]]);
    }
}

static void write_frames_of_stacks(struct firefox_writer *w)
{
    const struct stacks *stacks = &w->c->profile->stacks;

    for (uint32_t node = 1; node < stacks->count && convert_stream_pass(w->out); node++)
        if (lines_use(&w->lines, node))
            json_writer_u64(&w->json, NULL, w->function[stacks->symbol[node]]);
}

static void write_stacks_of_samples(struct firefox_writer *w)
{
    for (size_t i = 0; i < w->samples.count && convert_stream_pass(w->out); i++) {
        uint32_t stack = timeline_row(&w->samples, i).stack;

        if (stack == STACK_ROOT)
            json_writer_null(&w->json, NULL);
        else
            json_writer_u64(&w->json, NULL, w->stack[stack]);
    }
}

static void write_amount(struct firefox_writer *w, const char *key, uint64_t weight)
{
    buf_clear(&w->text);
    values_add_decimal(&w->text, &w->decimal, weight);
    json_writer_number(&w->json, key, buf_slice(&w->text));
}

static void write_weights(struct firefox_writer *w)
{
    for (size_t i = 0; i < w->samples.count && convert_stream_pass(w->out); i++)
        write_amount(w, NULL, timeline_row(&w->samples, i).weight);
}

static void write_nanoseconds(struct firefox_writer *w, uint64_t ns)
{
    const uint64_t of_millisecond = 1000000;

    buf_clear(&w->text);
    buf_printf(&w->text, "%" PRIu64 ".%06" PRIu64, ns / of_millisecond, ns % of_millisecond);
    json_writer_number(&w->json, NULL, buf_slice(&w->text));
}

/* Without times, a sample begins where the one before it ends. */
static void write_times(struct firefox_writer *w)
{
    uint64_t time = 0;

    for (size_t i = 0; i < w->samples.count && convert_stream_pass(w->out); i++) {
        struct timed_sample row = timeline_row(&w->samples, i);

        if (w->samples.timed)
            write_nanoseconds(w, row.ns);
        else
            write_amount(w, NULL, time);
        time += row.weight;
    }
}

static const struct column frame_table[] = {
    {"address", "-1", NULL},      {"inlineDepth", "0", NULL},       {"category", "0", NULL},
    {"subcategory", "0", NULL},   {"func", NULL, write_numbers},    {"nativeSymbol", "null", NULL},
    {"innerWindowID", "0", NULL}, {"implementation", "null", NULL}, {"line", NULL, write_lines},
    {"column", "null", NULL},     {"optimizations", "null", NULL},  {NULL, NULL, NULL},
};

static const struct column function_table[] = {
    {"name", NULL, write_numbers},    {"isJS", "false", NULL},
    {"relevantForJS", "false", NULL}, {"resource", NULL, write_resources},
    {"fileName", NULL, write_files},  {"lineNumber", "null", NULL},
    {"columnNumber", "null", NULL},   {NULL, NULL, NULL},
};

/* All are libraries, which have the type 1. */
static const struct column resource_table[] = {
    {"lib", NULL, write_libs_of_resources},
    {"name", NULL, write_names_of_resources},
    {"host", "null", NULL},
    {"type", "1", NULL},
    {NULL, NULL, NULL},
};

static const struct column stack_table[] = {
    {"prefix", NULL, write_prefixes},
    {"frame", NULL, write_frames_of_stacks},
    {"category", "0", NULL},
    {"subcategory", "0", NULL},
    {NULL, NULL, NULL},
};

static const struct column sample_table[] = {
    {"stack", NULL, write_stacks_of_samples},
    {"time", NULL, write_times},
    {"weight", NULL, write_weights},
    {NULL, NULL, NULL},
};

/* Tables that must be there, and are empty. */
static const struct {
    const char *name, *columns[8];
} empty_tables[] = {
    {"markers", {"category", "data", "endTime", "name", "phase", "startTime", NULL}},
    {"nativeSymbols", {"address", "functionSize", "libIndex", "name", NULL}},
};

static void write_empty_tables(struct firefox_writer *w)
{
    for (size_t i = 0; i < sizeof(empty_tables) / sizeof(empty_tables[0]); i++) {
        json_writer_object(&w->json, empty_tables[i].name, JSON_INLINE);
        json_writer_u64(&w->json, "length", 0);
        for (const char *const *column = empty_tables[i].columns; *column; column++) {
            json_writer_list(&w->json, *column, JSON_INLINE);
            json_writer_close(&w->json);
        }
        json_writer_close(&w->json);
    }
}

static void write_strings(struct firefox_writer *w)
{
    const struct symbols *symbols = &w->c->profile->symbols;

    json_writer_list(&w->json, "stringArray", JSON_LINES);
    for (uint32_t i = 0; i < symbols_count(symbols) && convert_stream_pass(w->out); i++) {
        if (!w->lines.named[i])
            continue;
        buf_clear(&w->text);
        values_add_name(&w->text, symbols, i);
        json_writer_text(&w->json, NULL, buf_slice(&w->text));
    }
    for (size_t i = 0; i < w->files.count && convert_stream_pass(w->out); i++)
        json_writer_text(&w->json, NULL, intern_get(&symbols->names, w->files.items[i]));
    vec_each (uint32_t, module, &w->modules)
        json_writer_text(&w->json, NULL, name_of_module(w, *module));
    json_writer_close(&w->json);
}

/* ---- threads ---- */

/* The strings of files follow those of functions. */
static void number_files(struct firefox_writer *w)
{
    const struct symbols *symbols = &w->c->profile->symbols;

    w->file = xcalloc(intern_count(&symbols->names) + 1, sizeof(*w->file));
    vec_clear(&w->files);
    for (uint32_t i = 0; i < symbols_count(symbols); i++) {
        uint32_t file = symbols->items.items[i].file;

        if (!w->lines.named[i] || file == SYMBOL_NONE || w->file[file])
            continue;
        w->file[file] = w->functions + (uint32_t)w->files.count;
        *vec_add(&w->files) = file;
    }
}

static void number_modules(struct firefox_writer *w)
{
    const struct symbols *symbols = &w->c->profile->symbols;

    w->resource = xcalloc(intern_count(&symbols->names) + 1, sizeof(*w->resource));
    vec_clear(&w->modules);
    for (uint32_t i = 0; i < symbols_count(symbols); i++) {
        uint32_t module = symbols->items.items[i].module;

        if (!w->lines.named[i] || module == SYMBOL_NONE || w->resource[module])
            continue;
        *vec_add(&w->modules) = module;
        w->resource[module] = (uint32_t)w->modules.count;
    }
}

static void number_rows(struct firefox_writer *w)
{
    const struct profile *p = w->c->profile;

    w->function = xcalloc((size_t)symbols_count(&p->symbols) + 1, sizeof(*w->function));
    w->stack = xcalloc(p->stacks.count, sizeof(*w->stack));
    w->functions = w->stacks = 0;
    for (uint32_t i = 0; i < symbols_count(&p->symbols); i++)
        if (w->lines.named[i])
            w->function[i] = w->functions++;
    for (uint32_t node = 1; node < p->stacks.count; node++)
        if (lines_use(&w->lines, node))
            w->stack[node] = w->stacks++;
}

static void write_samples(struct firefox_writer *w)
{
    static const char *const types[] = {
        [UNIT_COUNT] = "samples", [UNIT_SECONDS] = "tracing-ms", [UNIT_BYTES] = "bytes"};

    write_columns(w, "samples", (uint32_t)w->samples.count, sample_table);
    json_writer_text(&w->json, "weightType", slice_str(types[w->series->unit.kind]));
    json_writer_close(&w->json);
}

/* The format has pids as texts. */
static void write_pid(struct firefox_writer *w, uint64_t pid)
{
    buf_clear(&w->text);
    buf_add_u64(&w->text, pid);
    json_writer_text(&w->json, "pid", buf_slice(&w->text));
}

static void write_head(struct firefox_writer *w, size_t index)
{
    struct labels_parts thread = labels_split(w->c->split_by ? labels_of(w->series) : SLICE(""));
    bool process = w->c->split_by && strcmp(w->c->split_by, "process") == 0;

    buf_clear(&w->text);
    if (thread.name.len)
        buf_add_slice(&w->text, thread.name);
    else
        values_add_series(&w->text, w->series);
    json_writer_text(&w->json, "name", buf_slice(&w->text));
    json_writer_text(&w->json, "processType", SLICE("default"));
    json_writer_text(&w->json, "processName", process ? buf_slice(&w->text) : w->c->title);
    json_writer_u64(&w->json, "processStartupTime", 0);
    json_writer_null(&w->json, "processShutdownTime");
    json_writer_u64(&w->json, "registerTime", 0);
    json_writer_null(&w->json, "unregisterTime");
    json_writer_bool(&w->json, "isMainThread", process || index == 0);
    json_writer_list(&w->json, "pausedRanges", JSON_INLINE);
    json_writer_close(&w->json);
    write_pid(w, process ? thread.number : 0);
    json_writer_u64(&w->json, "tid", thread.numbered ? thread.number : index);
}

static void write_thread(struct firefox_writer *w, size_t index)
{
    const struct conversion one = {
        .profile = w->c->profile, .series = &w->c->series[index], .count = 1, .title = w->c->title};

    w->series = &w->c->profile->series.items[w->c->series[index]];
    w->samples = timeline_of(w->series);
    w->decimal = values_decimal(w->c->profile, w->series, MILLISECONDS);
    lines_init(&w->lines, &one);
    number_rows(w);
    number_files(w);
    number_modules(w);
    json_writer_object(&w->json, NULL, JSON_LINES);
    write_head(w, index);
    write_samples(w);
    write_table(w, "stackTable", w->stacks, stack_table);
    write_table(w, "frameTable", w->functions, frame_table);
    write_table(w, "funcTable", w->functions, function_table);
    write_table(w, "resourceTable", (uint32_t)w->modules.count, resource_table);
    write_empty_tables(w);
    write_strings(w);
    json_writer_close(&w->json);
    lines_release(&w->lines);
    xfree(w->function);
    xfree(w->stack);
    xfree(w->file);
    xfree(w->resource);
}

static void write_meta(struct firefox_writer *w)
{
    json_writer_object(&w->json, "meta", JSON_LINES);
    json_writer_u64(&w->json, "version", VERSION);
    json_writer_u64(&w->json, "preprocessedProfileVersion", PROCESSED_VERSION);
    json_writer_text(&w->json, "product", w->c->title);
    json_writer_text(&w->json, "importedFrom", SLICE("flamepress"));
    json_writer_u64(&w->json, "processType", 0);
    json_writer_u64(&w->json, "startTime", 0);
    json_writer_u64(&w->json, "interval", 1);
    json_writer_bool(&w->json, "symbolicated", true);
    json_writer_bool(&w->json, "debug", false);
    json_writer_list(&w->json, "categories", JSON_INLINE);
    json_writer_object(&w->json, NULL, JSON_INLINE);
    json_writer_text(&w->json, "name", SLICE("Other"));
    json_writer_text(&w->json, "color", SLICE("grey"));
    json_writer_list(&w->json, "subcategories", JSON_INLINE);
    json_writer_text(&w->json, NULL, SLICE("Other"));
    json_writer_close(&w->json);
    json_writer_close(&w->json);
    json_writer_close(&w->json);
    json_writer_list(&w->json, "markerSchema", JSON_INLINE);
    json_writer_close(&w->json);
    json_writer_close(&w->json);
}

/* Leaves the series of the first event in `ids`, and reports that there are others. */
static struct conversion first_event(const struct conversion *c, uint32_t *ids, struct diag *diag)
{
    struct conversion one = *c;
    const struct series *series = c->profile->series.items;
    struct slice event = series[c->series[0]].event;

    one.series = ids;
    one.count = 0;
    for (size_t i = 0; i < c->count; i++)
        if (slice_equal(series[c->series[i]].event, event))
            ids[one.count++] = c->series[i];
    if (one.count < c->count)
        diag_add(diag, DIAG_WARNING, DIAG_AT_FILE,
                 "only the event '%.*s' is written; --event NAME takes another one",
                 SLICE_ARG(event));
    return one;
}

static void write(const struct conversion *all, struct convert_stream *out, struct diag *diag)
{
    uint32_t *ids = xcalloc(all->count, sizeof(*ids));
    const struct conversion one = first_event(all, ids, diag), *c = &one;
    struct firefox_writer w = {.c = c, .out = out};

    values_tell_unit(&c->profile->series.items[c->series[0]], diag);
    values_tell_pair(&c->profile->series.items[c->series[0]], diag);
    values_tell_digits(c->profile, &c->profile->series.items[c->series[0]], MILLISECONDS, diag);
    json_writer_init(&w.json, &out->bytes);
    json_writer_object(&w.json, NULL, JSON_LINES);
    write_meta(&w);
    write_libs(&w);
    json_writer_list(&w.json, "pages", JSON_INLINE);
    json_writer_close(&w.json);
    json_writer_list(&w.json, "threads", JSON_LINES);
    for (size_t i = 0; i < c->count && !out->stopped; i++)
        write_thread(&w, i);
    json_writer_close(&w.json);
    json_writer_close(&w.json);
    buf_add_char(&out->bytes, '\n');
    release_all(&w, vec, files, modules);
    buf_release(&w.text);
    xfree(w.lib);
    xfree(ids);
}

const struct convert_writer convert_firefox = {
    .name = "firefox",
    .title = "Firefox Profiler",
    .endings = ".firefox.json",
    .about = "a processed profile of the Firefox Profiler",
    .holds = CONVERT_MODULES | CONVERT_LINES | CONVERT_TIMES | CONVERT_SPLIT,
    .write = write,
};
