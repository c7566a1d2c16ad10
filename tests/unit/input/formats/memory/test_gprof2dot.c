
#include "unit/support/told.h"

#include "unit/support/test.h"

Test(input_gprof2dot, texts)
{
    static const struct {
        const char *name, *text, *want;
    } cases[] = {
        {"two costs, leaf first",
         "{\"version\":0,\"costs\":[{\"description\":\"Memory\",\"unit\":\"bytes\"},"
         "{\"description\":\"Calls\",\"unit\":\"calls\"}],\"events\":[{\"callchain\":[1,0],"
         "\"cost\":[12,3]},{\"callchain\":[0],\"cost\":[1.5,0]}],\"functions\":[{\"name\":"
         "\"<module>\",\"module\":\"a.py\"},{\"name\":\"f(int)\",\"module\":\"libx.so\"}]}",
         "== Memory bytes\n<module> (a.py) 1.5\n<module> (a.py);f 12\n"
         "== Calls calls\n<module> (a.py);f 3\n"},
        {"damage",
         "{\"costs\":[{\"description\":\"M\",\"unit\":\"s\"}],\"events\":[{\"callchain\":[7,0],"
         "\"cost\":[1]},{\"callchain\":[0],\"cost\":[\"x\"]}],\"functions\":[{\"name\":\"f\","
         "\"module\":\"a.py\"}]}",
         "== M seconds e0\nf;[unknown] 1\n"
         "in: warning: function 7 is not in the table; shown as unknown\n"
         "in: warning: malformed cost of an event: {\"callchain\": [...], \"cost\": [...]}; "
         "skipped\n"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}
