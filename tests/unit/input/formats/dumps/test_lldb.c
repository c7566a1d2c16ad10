
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

/* clang-format off */
static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"the frame of a stop is no stack, the same thread comes again",
     "Process 4 stopped\n"
     "* thread #1, stop reason = signal SIGSTOP\n"
     "    frame #0: 0x1000 a`f + 10\n"
     "* thread #1\n"
     "  * frame #0: 0x1000 a`f + 10\n"
     "    frame #1: 0x2000 a`g(x=1) at a.c:3:4\n",
     "==  threads\n"
     "g;f 1\n"},
    {"threads of a list are no stacks, one without frames is",
     "(lldb) thread list\n"
     "Process 4 stopped\n"
     "* thread #1: tid = 0x7, 0x1000 a`f + 10, name = 'a', stop reason = signal SIGSTOP\n"
     "  thread #2: tid = 0x8, 0x1000 a`f + 10, name = 'b'\n"
     "(lldb) bt all\n"
     "* thread #1, name = 'a', stop reason = signal SIGSTOP\n"
     "  * frame #0: 0x1000 a`f + 10\n"
     "    frame #1: 0x2000 a`g\n"
     "  thread #2, name = 'b'\n"
     "    frame #0: 0x1000 a`f + 10\n"
     "  thread #3, name = 'c'\n",
     "==  threads\n"
     " 1\n"
     "f 1\n"
     "g;f 1\n"},
    {"names with parentheses, modules without symbols, inlined functions",
     "  thread #7, name = 'w 1'\n"
     "    frame #0: 0x1000 libc.so`___lldb_unnamed_symbol12 + 3\n"
     "    frame #1: 0x2000 a`ns::f(int, char)(x=1, y='c') at /s/a b.cpp:3\n"
     "    frame #2: 0x3000 a`main [inlined] helper(x=2) at a.c:9:1\n"
     "    frame #3: 0x3000 a`main at a.c:12\n",
     "==  threads\n"
     "main;helper;ns::f;[libc.so] 1\n"},
    {"a frame without its text",
     "  thread #7\n"
     "    frame #0: 0x1000 a`f\n"
     "    frame #1\n"
     "    frame #2: 0x2000 a`main\n",
     "==  threads\n"
     "main;f 1\n"
     "in:3: warning: expected 'frame #N: 0xADDRESS MODULE`NAME': '    frame #1'; line skipped\n"},
};
/* clang-format on */

Test(input_lldb, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}
