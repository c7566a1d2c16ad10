
#include "unit/support/told.h"

#include "unit/support/test.h"

#define TOP "{\"alloc_samples\":3,\"elapsed_time_sec\":1.5,\"files\":{\"a.py\":{}},"

Test(input_scalene, texts)
{
    static const struct {
        const char *name, *text, *want;
    } cases[] = {
        {"shares and samples",
         TOP "\"stacks\":[[[\"/a b/a.py <module>:4;\",\"/a b/a.py f:9;\"],{\"cpu_samples\":0.75,"
             "\"count\":3}],[[\"x\"],{\"cpu_samples\":0.25,\"count\":0}]]}",
         "== CPU time ppm\n<module> (a.py);f 750000\nx 250000\n"
         "== samples samples\n<module> (a.py);f 3\n"},
        {"stacks of some threads only",
         TOP "\"stacks\":[[[\"a.py f:9;\"],{\"cpu_samples\":0.25,\"count\":1}]]}",
         "== CPU time ppm\nf 250000\n== samples samples\nf 1\n"
         "in: warning: the stacks have 25 % of the CPU time; run scalene with --stacks\n"},
        {"damage",
         TOP "\"stacks\":[[[\"a.py f:9;\"],{\"cpu_samples\":1,\"count\":\"x\"}],7,[[],null]]}",
         "== CPU time ppm\nf 1000000\n"
         "in: warning: malformed 'count' of a stack: \"x\"; it counts as 0\n"
         "in: warning: malformed stack: 7; skipped\n"
         "in: warning: malformed stack: [[], null]; skipped\n"},
        {"no stacks", TOP "\"stacks\":[]}",
         "in: error: this is a profile of Scalene that counts lines; run: "
         "scalene --cpu --json --stacks --outfile app.json app.py\nfailed\n"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}
