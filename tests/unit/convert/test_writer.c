#include "convert/writer.h"

#include <string.h>

#include "base/buf.h"
#include "options/options.h"
#include "options/table.h"
#include "unit/support/test.h"

static const struct {
    const char *path, *writer;
} paths[] = {
    {"a.pb.gz", "pprof"},
    {"a.pprof", "pprof"},
    {"a.pb", "pprof-raw"},
    {"dir.json/a.cpuprofile", "cpuprofile"},
    {"a.speedscope.json", "speedscope"},
    {"a.firefox.json", "firefox"},
    {"a.json", "d3"},
    {"a.folded", "folded"},
    {"a.otlp", "otlp"},
    {"a.otlp.json", "otlp-json"},
    {"a.collapsed", "folded"},
    {"a.txt", NULL},
    {"json", NULL},
    {"", NULL},
};

Test(convert_writer, longest_ending_of_a_path_names_the_format)
{
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        const struct convert_writer *writer = convert_writer_for_path(slice_str(paths[i].path));
        const char *name = writer ? writer->name : "none";

        cr_expect_str_eq(name, paths[i].writer ? paths[i].writer : "none", "%s", paths[i].path);
    }
}

/* The values of --format are stored by their places in the list. */
Test(convert_writer, options_name_the_formats_in_the_order_of_the_list)
{
    const struct option_row *row = options_find("format", COMMAND_CONVERT);
    struct buf names = {0};

    for (size_t i = 0; convert_writers[i]; i++)
        buf_printf(&names, "%s%s", i ? " " : "", convert_writers[i]->name);
    cr_expect_str_eq(row->choices, buf_string(&names));
    buf_release(&names);
}

/* Stops after the first block. */
static bool stop(void *context, struct slice bytes)
{
    size_t *blocks = context;

    cr_expect(bytes.len > 0);
    ++*blocks;
    return false;
}

Test(convert_writer, stops_if_the_sink_does)
{
    const uint32_t series = 0;
    struct profile p;
    uint32_t stack = STACK_ROOT;
    struct buf name = {0};

    profile_init(&p);
    profile_series(&p, SLICE("cpu"), unit_samples);
    for (unsigned i = 0; i < 30000; i++) {
        buf_clear(&name);
        buf_printf(&name, "a rather long name of a function %u", i);
        stack = stacks_push(&p.stacks, i % 100 ? stack : STACK_ROOT,
                            symbols_add(&p.symbols, buf_slice(&name), SYMBOL_USER));
        profile_add(&p, 0, stack, 1);
    }
    for (size_t i = 0; convert_writers[i]; i++) {
        size_t blocks = 0;
        struct diag diag;

        diag_init(&diag, SLICE(""));
        cr_expect(!convert_write(convert_writers[i],
                                 &(struct conversion){&p, &series, 1, SLICE("t"), NULL}, stop,
                                 &blocks, &diag),
                  "%s", convert_writers[i]->name);
        cr_expect(blocks == 1, "%s: %zu blocks", convert_writers[i]->name, blocks);
        diag_release(&diag);
    }
    buf_release(&name);
    profile_release(&p);
}
