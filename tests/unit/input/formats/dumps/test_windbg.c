
#include "unit/support/test.h"
#include "unit/support/told.h"

/* clang-format off */
static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"threads",
     "0:000> ~*k\n"
     "\n"
     ".  0  Id: 1a2c.2b30 Suspend: 1 Teb: 00000000`002c3000 Unfrozen \"main\"\n"
     " # Child-SP          RetAddr               Call Site\n"
     "00 00000000`0014f8a8 00007ff9`3c1a2d7e     ntdll!NtWaitForSingleObject+0x14\n"
     "01 (Inline Function) --------`--------     app!next+0x7 [C:\\src\\app.c @ 9]\n"
     "02 00000000`0014f8b0 00007ff6`1b2c1000     app!main+0x10 [C:\\src\\app.c @ 12]\n"
     "\n"
     "   1  Id: 1a2c.2b34 Suspend: 1 Teb: 00000000`002c5000 Unfrozen\n"
     " # Child-SP          RetAddr               Call Site\n"
     "00 00000000`0024f8a8 00007ff9`3c1a2d7e     ntdll!NtRemoveIoCompletion+0x14\n"
     "01 00000000`0024f8b0 00000000`00000000     app+0x1234\n",
     "==  threads\n"
     "[app];NtRemoveIoCompletion 1\n"
     "main;next;NtWaitForSingleObject 1\n"},
    {"32 bits, with arguments",
     "   0  Id: 1a2c.2b30 Suspend: 1 Teb: 002c3000 Unfrozen\n"
     "ChildEBP RetAddr  Args to Child\n"
     "0014f8a8 77001000 00000001 00000002 00000003 app!f+0x14\n"
     "0014f8b8 77002000 00000001 00000002 00000003 app!main+0x14\n",
     "==  threads\n"
     "main;f 1\n"},
    {"numbers of three digits",
     " # Child-SP          RetAddr               Call Site\n"
     "ff 00000000`0014f8a8 00007ff9`3c1a2d7e     app!f+0x14\n"
     "100 00000000`0014f8b0 00007ff6`1b2c1000     app!g+0x10\n"
     "101 (Inline Function) --------`--------     app!main+0x7\n",
     "==  threads\n"
     "main;g;f 1\n"},
    {"64 bits, with arguments",
     " # Child-SP          RetAddr           : Args to Child             : Call Site\n"
     "00 00000000`0014f8a8 00007ff9`3c1a2d7e : 00000000`00000001 00000000`00000002 : app!f+0x14\n"
     "01 what\n",
     "==  threads\n"
     "f 1\n"
     "in:3: warning: expected addresses and 'MODULE!NAME+0xOFFSET': '01 what'; line skipped\n"},
};
/* clang-format on */

Test(input_windbg, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}
