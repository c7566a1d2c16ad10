/*
 * Functions of many languages keep their names in every format: a name is cut only by the rules of
 * its own language, so that two functions never become one.
 */
#include "base/file.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"
#include "unit/support/wire.h"

static const char table[] = "tests/unit/input/build/distinct.tsv";

struct row {
    struct slice name, clean;
};

struct rows {
    struct buf file;
    VEC(struct row) items;
};

static void load(struct rows *rows)
{
    struct buf why = {0};
    struct slice rest, line;

    cr_assert(file_read(table, 1 << 20, &rows->file, &why), "%s: %s", table, buf_string(&why));
    rest = buf_slice(&rows->file);
    while (slice_line(&rest, &line)) {
        struct row row;

        if (line.len && line.ptr[0] != '#' && slice_cut(&line, '\t', &row.name)) {
            row.clean = slice_equal(line, SLICE("=")) ? row.name : line;
            *vec_add(&rows->items) = row;
        }
    }
    cr_assert_geq(rows->items.count, 200);
    buf_release(&why);
}

/* ---- formats -------------------------------------------------------------------------------- */

/* A sample for each name, as a format writes it. */
static const struct format {
    const char *what, *head, *before, *after, *foot;
    bool keeps; /* arguments and suffixes, as they are written */
    bool json;
} formats[] = {
    {"folded", "", "main;", " 1\n", "", .keeps = true},
    {"perf", "", "app 1/1 1.000000:    1 cycles: \n\t    7f00 ",
     "+0x10 (/bin/app)\n\t    7f20 main+0x20 (/bin/app)\n\n", .foot = ""},
    {"perf, a JIT's map", "", "app 1/1 1.000000:    1 cycles: \n\t    7f00 ",
     "+0x10 (/tmp/perf-1.map)\n\t    7f20 main+0x20 (/bin/app)\n\n", .foot = ""},
    {"perf report",
     "# Samples: 300  of event 'cycles'\n# Overhead  Samples  Command\n"
     "# ........  .......  .......\n    99.00%  300  app\n",
     "1 main;", "\n", .foot = ""},
    {"perf data convert --to-json",
     "{\"linux-perf-json-version\": 1, \"headers\": {}, \"samples\": [\n",
     "{\"timestamp\": 1, \"pid\": 1, \"tid\": 1, \"comm\": \"app\", \"callchain\": "
     "[{\"ip\": \"0x1\", \"symbol\": ",
     ", \"dso\": \"app\"}]},\n",
     "{\"timestamp\": 1, \"pid\": 1, \"tid\": 1, \"comm\": \"app\", \"callchain\": []}]}\n",
     .json = true},
    {"DTrace", "", "\n              app`", "+0x1\n              app`main+0x2\n                1\n",
     .foot = ""},
    {"bpftrace", "Attaching 1 probe...\n\n", "@[\n    ", "+16\n    main+32\n]: 1\n", .foot = ""},
    {"macOS sample",
     "Analysis of sampling Shop (pid 47) every 1 millisecond\nProcess:         Shop [47]\n----\n\n"
     "Call graph:\n    1000 Thread_1\n      1000 main  (in Shop) + 7  [0x10ce22c66]\n",
     "        1 ", "  (in Shop) + 12  [0x10ce22d00]\n", .foot = "\nBinary Images:\n"},
    {"Instruments", "Weight\tSelf Weight\t\tSymbol Name\n1000.00 ms  100.0%\t-\t \tapp (4017)\n",
     "1.00 ms    0.1%\t1.00 ms\t \t ", "\n", .foot = ""},
};

static void add_json(struct buf *out, struct slice s)
{
    buf_add_char(out, '"');
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '"' || s.ptr[i] == '\\')
            buf_add_char(out, '\\');
        buf_add_char(out, s.ptr[i]);
    }
    buf_add_char(out, '"');
}

static void write_text(const struct rows *rows, const struct format *format, struct buf *out)
{
    buf_add_str(out, format->head);
    vec_each (const struct row, row, &rows->items) {
        buf_add_str(out, format->before);
        if (format->json)
            add_json(out, row->name);
        else
            buf_add_slice(out, row->name);
        buf_add_str(out, format->after);
    }
    buf_add_str(out, format->foot);
}

static void write_pprof(const struct rows *rows, struct buf *out)
{
    WIRE(out, WIRE_TYPE, 1, 2);
    for (uint64_t id = 1; id <= rows->items.count; id++) {
        WIRE(out, WIRE_SAMPLE, id, 1);
        wire_location(out, id, 0, 0, (const uint64_t[]){id, 0, 0});
        WIRE(out, WIRE_FUNCTION, id, id + 2);
    }
    wire_bytes(out, WIRE_STRING, SLICE(""));
    wire_bytes(out, WIRE_STRING, SLICE("samples"));
    wire_bytes(out, WIRE_STRING, SLICE("count"));
    vec_each (const struct row, row, &rows->items) {
        wire_bytes(out, WIRE_STRING, row->name);
    }
}

static void write_speedscope(const struct rows *rows, struct buf *out)
{
    buf_add_str(out, "{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n"
                     "\"shared\": {\"frames\": [");
    for (size_t i = 0; i < rows->items.count; i++) {
        buf_add_str(out, i ? ",\n{\"name\": " : "{\"name\": ");
        add_json(out, rows->items.items[i].name);
        buf_add_char(out, '}');
    }
    buf_add_str(out, "]},\n\"profiles\": [{\"type\": \"sampled\", \"name\": \"app\", \"unit\": "
                     "\"none\", \"startValue\": 0, \"endValue\": 300,\n\"samples\": [");
    for (size_t i = 0; i < rows->items.count; i++)
        buf_printf(out, "%s[%zu]", i ? "," : "", i);
    buf_add_str(out, "],\n\"weights\": [");
    for (size_t i = 0; i < rows->items.count; i++)
        buf_add_str(out, i ? ",1" : "1");
    buf_add_str(out, "]}]}\n");
}

/* ---- the property --------------------------------------------------------------------------- */

static bool has_name(const struct profile *p, struct slice name)
{
    for (uint32_t id = 0; id < p->symbols.items.count; id++)
        if (slice_equal(symbol_name(&p->symbols, id), name))
            return true;
    return false;
}

static void check(const struct rows *rows, const char *what, struct slice content, bool keeps)
{
    struct reading r;

    reading_text(&r, content, NULL);
    cr_expect_eq(r.result, INPUT_READ, "%s", what);
    vec_each (const struct row, row, &rows->items) {
        cr_expect(has_name(&r.profile, keeps ? row->name : row->clean), "%s: no '%.*s' for '%.*s'",
                  what, SLICE_ARG(row->clean), SLICE_ARG(row->name));
    }
    reading_release(&r);
}

Test(input_distinct, names_of_functions_stay_distinct_in_every_format)
{
    struct rows rows = {0};
    struct buf text = {0};

    load(&rows);
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        buf_clear(&text);
        write_text(&rows, &formats[i], &text);
        check(&rows, formats[i].what, buf_slice(&text), formats[i].keeps);
    }
    buf_clear(&text);
    write_pprof(&rows, &text);
    check(&rows, "pprof", buf_slice(&text), false);
    buf_clear(&text);
    write_speedscope(&rows, &text);
    check(&rows, "speedscope", buf_slice(&text), true);
    buf_release(&text);
    release_each(&rows, (vec, items), (buf, file));
}

/* Functions share a clean name only if it is that of a function of C++ with its arguments. */
Test(input_distinct, only_overloads_and_copies_share_a_name)
{
    struct rows rows = {0};

    load(&rows);
    vec_each (const struct row, a, &rows.items) {
        vec_each (const struct row, b, &rows.items) {
            bool shared = a != b && slice_equal(a->clean, b->clean);

            cr_expect(!shared || slice_starts(a->name, a->clean), "'%.*s' and '%.*s'",
                      SLICE_ARG(a->name), SLICE_ARG(b->name));
        }
    }
    release_each(&rows, (vec, items), (buf, file));
}
