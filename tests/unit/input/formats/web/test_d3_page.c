
#include "unit/support/told.h"

#include "unit/support/test.h"

#define PAGE "<!DOCTYPE html>\n<html><style>.d3-flame-graph rect {}</style><script>\n"

Test(input_d3_page, texts)
{
    static const struct {
        const char *name, *text, *want;
    } cases[] = {
        {"data among other objects",
         PAGE "f({a: 1}, {\"uri\": \"x\"}); const stacks = [{ \"n\" : \"root\", \"v\": 5, \"c\": "
              "[{\"n\": \"a \\\" } {\", \"v\": 3, \"c\": []}]}]; g({\"n\": 7});",
         "==  samples\n 2\na \" } { 3\n"},
        {"long names of members",
         PAGE "var data = {\"children\": [{\"name\": \"a\", \"value\": 3, \"delta\": 1}], "
              "\"name\": \"root\", \"value\": 3};",
         "== base samples\n 1\na 2\n== new samples\na 3\n"},
        {"no data", PAGE "d3.json(\"stacks.json\", {\"name\"});",
         "in: error: the page contains no data: it loads them from another file, which flamepress "
         "reads\nfailed\n"},
        {"the quoted data of pprof",
         PAGE "var data = JSON.parse(\"{\\u0022n\\u0022:\\u0022root\\u0022,\\u0022v\\u0022:5,"
              "\\u0022l\\u0022:\\u00225ns\\u0022,\\u0022c\\u0022:[{\\u0022n\\u0022:\\u0022a \\\\"
              "\\u0022b\\u0022,\\u0022v\\u0022:3,\\u0022c\\u0022:null}]}\");",
         "==  seconds e-9\n 2\na \"b 3\n"},
        {"bytes of pprof",
         PAGE "var data = JSON.parse(\"{\\u0022n\\u0022:\\u0022root\\u0022,\\u0022v\\u0022:5,"
              "\\u0022l\\u0022:\\u00225B\\u0022,\\u0022c\\u0022:[{\\u0022n\\u0022:\\u0022a\\u0022,"
              "\\u0022v\\u0022:5}]}\");",
         "==  bytes\na 5\n"},
        {"quoted data of another kind", PAGE "var data = JSON.parse(\"{\\u0022x\\u0022:1}\");",
         "in: error: the page contains no data: it loads them from another file, which flamepress "
         "reads\nfailed\n"},
        {"another page", "<!DOCTYPE html>\n<p>{\"name\": \"a\", \"value\": 1}</p>",
         "in: note: not a profile that is known; it begins '<!DOCTYPE html>'\nunknown\n"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}
