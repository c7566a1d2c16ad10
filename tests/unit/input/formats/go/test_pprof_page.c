
#include "unit/support/told.h"

#include "unit/support/test.h"

#define PAGE(data)                                                                                 \
    "<!DOCTYPE html>\n<html><body><div id=\"stack-holder\"></div><script>\n"                       \
    "function stackViewer(stacks, nodes) {}\n    stackViewer({" data "}, [\"root\"]);\n"
#define SOURCES                                                                                    \
    "\"Sources\":[{\"FullName\":\"root\"},{\"FullName\":\"main.f\",\"FileName\":\"/a/b.go\","      \
    "\"Inlined\":false},{\"FullName\":\"main.g\",\"FileName\":\"/a/b.go\",\"Inlined\":true}]"

Test(input_pprof_page, texts)
{
    static const struct {
        const char *name, *text, *want;
    } cases[] = {
        {"seconds",
         PAGE("\"Total\":9,\"Scale\":1e-9,\"Type\":\"cpu\",\"Unit\":\"s\",\"Stacks\":[{\"Value\":7,"
              "\"Sources\":[0,1,2]},{\"Value\":2,\"Sources\":[0]}]," SOURCES),
         "== cpu seconds e-9\n 2\nmain.f;main.g 7\n"},
        {"bytes",
         PAGE("\"Scale\":1,\"Type\":\"inuse_space\",\"Unit\":\"B\",\"Stacks\":[{\"Value\":7,"
              "\"Sources\":[0,1]}]," SOURCES),
         "== inuse_space bytes\nmain.f 7\n"},
        {"a difference, and damage",
         PAGE("\"Scale\":1,\"Type\":\"n\",\"Unit\":\"\",\"Stacks\":[{\"Value\":-7,\"Sources\":"
              "[0,1]},{\"Value\":3,\"Sources\":[0,9]},{\"Value\":\"x\"}]," SOURCES),
         "== n samples\n[unknown] 3\n== n before samples\nmain.f 7\n"
         "in: warning: source 9 is not in the table; shown as unknown\n"
         "in: warning: malformed value of a stack: \"x\"; skipped\n"},
        {"no data", "<!DOCTYPE html>\n<div id=\"stack-holder\"></div>stackViewer",
         "in: error: the page contains no data\nfailed\n"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}
