
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

/* clang-format off */
static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"threads",
     "Thread (0x1):\n"
     "  [Native Frames]\n"
     "  A!A.B.C(int32)\n"
     "  A!A.Main()\n"
     "\n"
     "Thread (0x2):\n"
     "  A!A.Main()\n",
     "==  threads\n"
     "A.Main 1\n"
     "A.Main;A.B.C;[Native Frames] 1\n"},
    {"a frame that is none",
     "Thread (0x1):\n"
     "  A!A.B.C(int32)\n"
     "  what\n",
     "==  threads\n"
     "A.B.C 1\n"
     "in:3: warning: expected 'MODULE!METHOD(ARGUMENTS)': '  what'; line skipped\n"},
};
/* clang-format on */

Test(input_dotnet_stack, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}
