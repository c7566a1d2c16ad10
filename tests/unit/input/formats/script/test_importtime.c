
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define HEADER "import time: self [us] | cumulative | imported package\n"

static const struct folding cases[] = {
    {"imports come before their importers",
     HEADER "import time:  5 |  5 |   a\nimport time:  2 |  2 |     c\nimport time:  3 |  5 |   b\n"
            "import time: 10 | 20 | m\nimport time:  1 |  1 | n\n",
     "m 10\nm;a 5\nm;b 3\nm;b;c 2\nn 1\n", NULL},
    {"the program's lines are between them",
     HEADER "import time:  5 |  5 |   a\nhello\n\nimport time: 1 | 6 | m\nimported\n",
     "m 1\nm;a 5\n", NULL},
    {"each header begins a process",
     HEADER "import time: 5 | 5 | a\n" HEADER "import time: 7 | 7 |   a\nimport time: 1 | 8 | m\n",
     "a 5\nm 1\nm;a 7\n", NULL},
    {"a line that comes again, below another importer",
     HEADER "import time: 5 | 5 |   a\nimport time: 1 | 6 | m\nimport time: 5 | 5 |   a\n"
            "import time: 5 | 5 |   a\nimport time: 2 | 12 | n\n",
     "m 1\nm;a 5\nn 2\nn;a 10\n", NULL},
    {"an importer that never comes",
     HEADER "import time: 5 | 5 |     a\nimport time: 1 | 1 |   b\n", "b 1\nb;a 5\n", NULL},
    {"modules that were imported before",
     HEADER "import time: cached    | cached     |   sys\nimport time: 5 | 5 |   a\n"
            "import time: cached    | cached     |     sys\nimport time: 1 | 6 | m\n",
     "m 1\nm;a 5\n", NULL},
    {"rows that cannot be read",
     HEADER "import time: 5 | 5 | a\nimport time: x | 5 | b\nimport time: 5 | 5\n"
            "import time: 99999999999999999999 | 5 | b\n",
     "a 5\n", "in:3: warning: expected 'import time: SELF | CUMULATIVE | MODULE'"},
};

Test(input_importtime, texts)
{
    folding_check("importtime", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_importtime, collection)
{
    folding_check_file("importtime/importtime-http.txt",
                       "importtime/expected/importtime-http.txt.folded", NULL);
    folding_check_file("importtime/importtime-mixed.txt",
                       "importtime/expected/importtime-mixed.txt.folded", NULL);
}

Test(input_importtime, claims)
{
    cr_expect(claim_by(&format_importtime, SLICE("x\n" HEADER), true));
    cr_expect_not(claim_by(&format_importtime, SLICE("import time: 5 | 5 | a\n"), true));
    cr_expect_not(claim_by(&format_importtime, SLICE("# " HEADER), true));
}
