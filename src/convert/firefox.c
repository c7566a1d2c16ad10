/*
 * The Firefox Profiler's processed profiles: a thread with tables of stacks, frames, functions and
 * strings, each a list of columns. Several series would be several threads, which belong together,
 * so only one is written.
 *
 * Samples have their times in milliseconds, on the clock of the recording. If the profile has no
 * times, each distinct stack has one sample with its weight. Version 41 of the format is written,
 * which later versions of the profiler upgrade when they load it.
 *
 * Source: docs-developer/processed-profile-format.md in github.com/firefox-devtools/profiler.
 */
#include <inttypes.h>

#include "base/json_writer.h"
#include "base/vec.h"
#include "convert/lines.h"
#include "convert/timeline.h"
#include "convert/values.h"

enum { VERSION = 24, PROCESSED_VERSION = 41 };

struct firefox_writer {
    const struct conversion *c;
    struct convert_stream *out;
    struct json_writer json;
    struct lines lines; /* of the series in hand */
    const struct series *series;
    struct timeline samples; /* of the series */
    uint32_t *function;      /* by symbol in use: its place in the table of functions */
    uint32_t *stack;         /* by node in use: its place in the table of stacks */
    uint32_t *file;          /* by name: place of the source file in the table of strings, or 0 */
    uint32_t functions, stacks;
    VEC(uint32_t) files; /* names of the source files, in the order of their strings */
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
        struct moment row = timeline_row(&w->samples, i);

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
    {"relevantForJS", "false", NULL}, {"resource", "-1", NULL},
    {"fileName", NULL, write_files},  {"lineNumber", "null", NULL},
    {"columnNumber", "null", NULL},   {NULL, NULL, NULL},
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
    {"resourceTable", {"lib", "name", "host", "type", NULL}},
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

static void write_head(struct firefox_writer *w, size_t index)
{
    buf_clear(&w->text);
    values_add_series(&w->text, w->series);
    json_writer_text(&w->json, "name", buf_slice(&w->text));
    json_writer_text(&w->json, "processType", SLICE("default"));
    json_writer_text(&w->json, "processName", w->c->title);
    json_writer_u64(&w->json, "processStartupTime", 0);
    json_writer_null(&w->json, "processShutdownTime");
    json_writer_u64(&w->json, "registerTime", 0);
    json_writer_null(&w->json, "unregisterTime");
    json_writer_bool(&w->json, "isMainThread", index == 0);
    json_writer_list(&w->json, "pausedRanges", JSON_INLINE);
    json_writer_close(&w->json);
    json_writer_text(&w->json, "pid", SLICE("0"));
    json_writer_u64(&w->json, "tid", index);
}

static void write_thread(struct firefox_writer *w, size_t index)
{
    enum { MILLISECONDS = -3 };
    const struct conversion one = {
        .profile = w->c->profile, .series = &w->c->series[index], .count = 1, .title = w->c->title};

    w->series = &w->c->profile->series.items[w->c->series[index]];
    w->samples = timeline_of(w->series);
    w->decimal = values_decimal(w->c->profile, w->series, MILLISECONDS);
    lines_init(&w->lines, &one);
    number_rows(w);
    number_files(w);
    json_writer_object(&w->json, NULL, JSON_LINES);
    write_head(w, index);
    write_samples(w);
    write_table(w, "stackTable", w->stacks, stack_table);
    write_table(w, "frameTable", w->functions, frame_table);
    write_table(w, "funcTable", w->functions, function_table);
    write_empty_tables(w);
    write_strings(w);
    json_writer_close(&w->json);
    lines_release(&w->lines);
    xfree(w->function);
    xfree(w->stack);
    xfree(w->file);
}

static void write_meta(struct firefox_writer *w)
{
    json_writer_object(&w->json, "meta", JSON_LINES);
    json_writer_u64(&w->json, "version", VERSION);
    json_writer_u64(&w->json, "preprocessedProfileVersion", PROCESSED_VERSION);
    json_writer_text(&w->json, "product", w->c->title);
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

static void write(const struct conversion *c, struct convert_stream *out, struct diag *diag)
{
    struct firefox_writer w = {.c = c, .out = out};

    values_tell_unit(&c->profile->series.items[c->series[0]], diag);
    values_tell_pair(&c->profile->series.items[c->series[0]], diag);
    json_writer_init(&w.json, &out->bytes);
    json_writer_object(&w.json, NULL, JSON_LINES);
    write_meta(&w);
    json_writer_list(&w.json, "libs", JSON_INLINE);
    json_writer_close(&w.json);
    json_writer_list(&w.json, "pages", JSON_INLINE);
    json_writer_close(&w.json);
    json_writer_list(&w.json, "threads", JSON_LINES);
    for (size_t i = 0; i < c->count && !out->stopped; i++)
        write_thread(&w, i);
    json_writer_close(&w.json);
    json_writer_close(&w.json);
    buf_add_char(&out->bytes, '\n');
    vec_release(&w.files);
    buf_release(&w.text);
}

const struct convert_writer convert_firefox = {
    .name = "firefox",
    .title = "Firefox Profiler",
    .endings = ".firefox.json",
    .about = "a processed profile of the Firefox Profiler",
    .holds = CONVERT_LINES | CONVERT_TIMES,
    .write = write,
};
