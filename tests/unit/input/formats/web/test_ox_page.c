
#include "unit/support/told.h"

#include "unit/support/test.h"

#define PAGE(data)                                                                                 \
    "\n    <html>\n    <head>\n      <meta charset=\"utf-8\">\n      <style> /*! TACHYONS v4 */\n" \
    "</style><script>\n    visualizer(" data ", {\"title\":\"x\"})\n"
#define NODE(name, value, children)                                                                \
    "{\"name\":\"" name "\",\"value\":" value ",\"children\":[" children "]}"

Test(input_ox_page, texts)
{
    static const struct {
        const char *name, *text, *want;
    } cases[] = {
        {"names and kinds",
         PAGE("{\"merged\":" NODE("all stacks", "1", "") ",\"unmerged\":" NODE(
             "all stacks", "9",
             NODE("*f /a b/x.js:3:9", "5",
                  NODE("/lib/libm.so [SHARED_LIB]", "1", "") "," NODE(
                      "g(int)@@GLIBC_2.2.5 [CPP]", "2",
                      "")) "," NODE("~(anonymous) node:net:7:1 [INIT]", "3", "")) "}"),
         "==  ticks\n 1\n(anonymous node:net:7) 3\nf 2\nf;[libm.so] 1\nf;g 2\n"},
        {"one tree only", PAGE("{\"merged\":" NODE("all", "2", NODE("f x.js:3:9", "2", "")) "}"),
         "==  ticks\nf 2\n"},
        {"damage",
         PAGE("{\"merged\":" NODE(
             "all", "2", "7," NODE("f x.js:3:9", "\"x\"", "") "," NODE("g x.js:3:9", "3", "")) "}"),
         "==  ticks\ng 3\n"
         "in: warning: the value of a node is not a number: \"x\"; it counts as 0\n"
         "in: warning: a child is no object: 7; skipped\n"
         "in: warning: 1 node weighs less than its children; the children count in full\n"},
        {"no tree", PAGE("{\"a\":1}"),
         "==  ticks\nin: error: the page contains no tree of stacks\nfailed\n"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}
