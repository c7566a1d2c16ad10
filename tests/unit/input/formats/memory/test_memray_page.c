
#include "unit/support/told.h"

#include "unit/support/test.h"

#define PAGE(data, more)                                                                           \
    "<!DOCTYPE html>\n<html><title>memray - flamegraph report</title><script>\n"                   \
    "const packed_data = {" data "};\n" more "</script></html>\n"
#define STRINGS                                                                                    \
    "\"strings\":[\"\",\"a.py\",\"f\",\"&lt;module&gt;\",\"operator new(unsigned long)\",\"\","    \
    "\"0x1\",\"0x2 (w)\"]"
#define NODES(columns)                                                                             \
    "\"nodes\":{\"children\":[[1],[2,3],[],[]],\"function\":[0,3,2,4],\"filename\":[0,1,1,5],"     \
    "\"lineno\":[0,1,2,0],\"thread_id\":[6,6,6,7]," columns "}," STRINGS
#define VALUES "\"value\":[10,10,6,3],\"n_allocations\":[4,4,2,1]"

Test(input_memray_page, texts)
{
    static const struct {
        const char *name, *text, *want;
    } cases[] = {
        {"bytes and allocations at the peak", PAGE(NODES(VALUES), ""),
         "== peak bytes bytes\n<module> (a.py) 1\n<module> (a.py);f 6\n"
         "<module> (a.py);operator new 3\n"
         "== peak allocations allocations\n<module> (a.py) 1\n<module> (a.py);f 2\n"
         "<module> (a.py);operator new 1\n"},
        {"leaked memory",
         PAGE(NODES("\"value\":[1,1,1,0]"),
              "<p>stack frames at allocation, for memory that was leaked during the tracking</p>"),
         "== leaked bytes bytes\n<module> (a.py);f 1\n"},
        {"intervals",
         PAGE(NODES("\"name\":[]") ",\"high_water_mark_by_snapshot\":[0,9,9,5],\"intervals\":["
                                   "[0,1,2,1,100],[1,2,2,1,8],[0,null,3,2,5],[2,null,2,1,7],"
                                   "[0,0,99,1,1],[0,null,3,2]]",
              ""),
         "== peak bytes bytes\n<module> (a.py);f 8\n<module> (a.py);operator new 5\n"
         "== peak allocations allocations\n<module> (a.py);f 1\n<module> (a.py);operator new 2\n"
         "== leaked bytes bytes\n<module> (a.py);f 7\n<module> (a.py);operator new 5\n"
         "== leaked allocations allocations\n<module> (a.py);f 1\n"
         "<module> (a.py);operator new 2\n"
         "in: warning: malformed interval: [0, 0, 99, 1, 1]; skipped\n"
         "in: warning: malformed interval: [0, null, 3, 2]; skipped\n"},
        {"intervals without marks of a peak",
         PAGE(NODES("\"name\":[]") ",\"intervals\":[[0,1,2,1,100],[0,null,3,2,5]]", ""),
         "== leaked bytes bytes\n<module> (a.py);operator new 5\n"
         "== leaked allocations allocations\n<module> (a.py);operator new 2\n"},
        {"children that outweigh a node", PAGE(NODES("\"value\":[10,8,6,3]"), ""),
         "== peak bytes bytes\n 2\n<module> (a.py);f 6\n<module> (a.py);operator new 3\n"
         "in: warning: 1 node weighs less than its children; the children count in full\n"},
        {"nodes in a circle, and texts that are missing",
         PAGE("\"nodes\":{\"children\":[[1],[0,1,7]],\"function\":[0,99],\"filename\":[0,1],"
              "\"value\":[3,3]}," STRINGS,
              ""),
         "== peak bytes bytes\n[unknown] 3\n"
         "in: warning: malformed child of a node: 0; skipped\n"
         "in: warning: malformed child of a node: 1; skipped\n"
         "in: warning: malformed child of a node: 7; skipped\n"
         "in: warning: text 99 is not in the table; shown as unknown\n"},
        {"merged from the leaves", PAGE(NODES(VALUES), "const inverted = true;\n"),
         "in: error: this page is merged from the leaves; run memray flamegraph without "
         "--inverted\nfailed\n"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}

Test(input_memray_page, threads)
{
    struct input_options options = input_options_default();

    options.split_thread = true;
    told_expect("by thread",
                SLICE(PAGE(NODES("\"value\":[9,9,6,3]"), "const merge_threads = false;\n")),
                &options,
                "== peak bytes, 0x1 bytes\n<module> (a.py);f 6\n"
                "== peak bytes, 0x2 (w) bytes\n<module> (a.py);operator new 3\n");
}
