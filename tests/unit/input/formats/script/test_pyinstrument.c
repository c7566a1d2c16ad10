
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

static const struct folding cases[] = {
    {"a node keeps what its children leave; members in any order",
     "{\"duration\":1,\"root_frame\":{\"children\":[{\"time\":0.25,\"function\":\"b\","
     "\"file_path\":\"x.py\",\"line_no\":1,\"children\":[]}],\"function\":\"a\",\"time\":1.0}}",
     "a 0.75\na;b 0.25\n", NULL},
    {"[self] is no frame",
     "{\"root_frame\":{\"function\":\"a\",\"time\":0.5,\"children\":[{\"function\":\"[self]\","
     "\"time\":0.5,\"children\":[]}]}}",
     "a 0.5\n", NULL},
    {"modules have their file's name",
     "{\"root_frame\":{\"function\":\"<module>\",\"file_path\":\"/x/pkg/__init__.py\","
     "\"time\":2,\"children\":[]}}",
     "<module> (pkg/__init__.py) 2\n", NULL},
    {"children that are rounded up count in full",
     "{\"root_frame\":{\"function\":\"a\",\"time\":1,\"children\":[{\"function\":\"b\","
     "\"time\":1.000001,\"children\":[]}]}}",
     "a;b 1.000001\n", NULL},
    {"the tree of a page",
     "{\"session\":{\"start_call_stack\":[]},\"frame_tree\":{\"identifier\":\"main\\u0000/x/a.py"
     "\\u00003\\u0001l8\",\"time\":0.5,\"attributes\":{\"l8\":0.5},\"children\":[{\"identifier\":"
     "\"[self]\",\"time\":0.125,\"children\":[]},{\"identifier\":\"<module>\\u0000/x/b.py\\u00001"
     "\",\"time\":0.25,\"children\":[]}]}}",
     "main 0.25\nmain;<module> (b.py) 0.25\n", NULL},
    {"the records of a session",
     "{\"frame_records\":[[[\"MainThread\\u0000<thread>\\u00001\",\"main\\u0000a.py\\u00001\"],"
     "0.5],[[\"MainThread\\u0000<thread>\\u00001\",\"main\\u0000a.py\\u00001\",\"f\\u0000a.py"
     "\\u00009\\u0001l12\"],0.25]],\"duration\":1}",
     "MainThread;main 0.5\nMainThread;main;f 0.25\n", NULL},
    {"records and nodes without a time",
     "{\"frame_records\":[[[\"a\"],0.5],[[\"a\"],null],[7,1],5,[]]}", "a 0.5\n",
     "malformed record: [[...], null]; skipped"},
    {"no time at a node",
     "{\"root_frame\":{\"function\":\"a\",\"time\":-1,\"children\":[{\"function\":\"b\","
     "\"time\":2,\"children\":[]}, 7]}}",
     "a;b 2\n",
     "a child is no object: 7; skipped\n"
     "in: warning: the time of 'a' is missing or no number; it counts as 0"},
};

Test(input_pyinstrument, texts)
{
    folding_check("pyinstrument", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_pyinstrument, claims)
{
    cr_expect(claim_by(&format_pyinstrument, SLICE("{\"frame_records\":[]}"), true));
    cr_expect_not(claim_by(&format_pyinstrument, SLICE("{\"root_frame\":{}}"), true));
    cr_expect_not(claim_by(&format_pyinstrument, SLICE("{\"session\":{}}"), true));
}

Test(input_pyinstrument, pages)
{
#define PAGE "<!DOCTYPE html>\n<script>var pyinstrumentHTMLRenderer=function(){}</script><script>\n"
#define DATA                                                                                       \
    "{\"session\":{\"frame_records\":[[[\"a\"],1]]},\"frame_tree\":{\"identifier\":"               \
    "\"main\\u0000a.py"                                                                            \
    "\\u00003\",\"time\":0.5,\"children\":[]}}"
    static const struct {
        const char *name, *text, *want;
    } rows[] = {
        {"a page", PAGE "const sessionData = " DATA ";\n</script>", "==  seconds e0\nmain 0.5\n"},
        {"a page of version 4.0",
         PAGE "pyinstrumentHTMLRenderer.render(document.getElementById('app'), " DATA ");",
         "==  seconds e0\nmain 0.5\n"},
        {"no data", PAGE, "in: error: the page contains no data\nfailed\n"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        told_expect(rows[i].name, slice_str(rows[i].text), NULL, rows[i].want);
}
