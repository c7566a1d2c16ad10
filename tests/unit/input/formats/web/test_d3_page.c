
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
        {"the tables of memray",
         PAGE "const packed_data = {\"nodes\":{\"children\":[[1],[]],\"name\":[0,1],"
              "\"value\":[5,3]},\"strings\":[\"root\",\"a\"]};",
         "in: error: this is a page of memray, whose packed stacks flamepress does not read\n"
         "failed\n"},
        {"another page", "<!DOCTYPE html>\n<p>{\"name\": \"a\", \"value\": 1}</p>",
         "in: note: not a profile that is known; it begins '<!DOCTYPE html>'\nunknown\n"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}
