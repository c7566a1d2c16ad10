
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

/* clang-format off */
static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"stacks that blank lines part",
     "[<0>] f+0x1/0x20\n"
     "[<0>] g+0x1/0x20 [ext4]\n"
     "\n"
     "\n"
     "[<0>] g+0x1/0x20 [ext4]\n",
     "==  threads\n"
     "g 1\n"
     "g;f 1\n"},
    {"stacks that only the entry into the kernel ends",
     "[<0>] f+0x1/0x20\n"
     "[<0>] entry_SYSCALL_64_after_hwframe+0x1/0x20\n"
     "[<0>] g+0x1/0x20\n"
     "[<0>] ret_from_fork+0x1/0x20\n"
     "[<0>] ret_from_fork_asm+0x1/0x20\n"
     "[<0>] h+0x1/0x20\n"
     "[<0>] el0t_64_sync_handler+0x1/0x20\n"
     "[<0>] el0t_64_sync+0x1/0x20\n"
     "[<0>] i+0x1/0x20\n",
     "==  threads\n"
     "el0t_64_sync;el0t_64_sync_handler;h 1\n"
     "entry_SYSCALL_64_after_hwframe;f 1\n"
     "i 1\n"
     "ret_from_fork_asm;ret_from_fork;g 1\n"},
    {"addresses, and the last line of older kernels",
     "[<ffffffff81012345>] f+0x1/0x20\n"
     "[<ffffffffffffffff>] 0xffffffffffffffff\n"
     "[<ffffffff81012345>] g+0x1/0x20\n"
     "[<ffffffffffffffff>] 0xffffffffffffffff\n",
     "==  threads\n"
     "f 1\n"
     "g 1\n"},
    {"files of tail and head",
     "==> /proc/7/task/8/stack <==\n"
     "[<0>] f+0x1/0x20\n"
     "\n"
     "==> /proc/7/task/9/stack <==\n"
     "[<0>] f+0x1/0x20\n",
     "==  threads\n"
     "f 2\n"},
    {"a log of tasks, with a name that has blanks",
     "[ 1.5] task:a b state:D stack:0 pid:7 tgid:6 ppid:2 flags:0x0\n"
     "[ 1.5] Call Trace:\n"
     "[ 1.5]  <TASK>\n"
     "[ 1.5]  f+0x1/0x20\n"
     "[ 1.5]  ? h+0x1/0x20\n"
     "[ 1.5]  g+0x1/0x20 [ext4]\n"
     "[ 1.5]  </TASK>\n",
     "==  threads\n"
     "a b;g;f 1\n"},
    {"of the journal",
     "Nov 29 03:00:00 host kernel: task:a state:S stack:0 pid:7 tgid:6 ppid:2\n"
     "Nov 29 03:00:00 host kernel: Call Trace:\n"
     "Nov 29 03:00:00 host kernel:  f+0x1/0x20\n",
     "==  threads\n"
     "a;f 1\n"},
    {"a line without its offset",
     "[<0>] f+0x1/0x20\n"
     "[<0>] g\n",
     "==  threads\n"
     "f 1\n"
     "in:2: warning: expected '[<0>] NAME+0xOFFSET/0xSIZE': '[<0>] g'; line skipped\n"},
};
/* clang-format on */

Test(input_kernel_stack, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}

Test(input_kernel_stack, claims)
{
    static const struct {
        const char *text;
        bool claimed;
    } rows[] = {
        {"[<0>] f+0x1/0x20\n", true},
        {"[ 1.5] [<ffffffff81012345>] f+0x1/0x20\n[ 1.5] usb 1-1: new device\n", false},
        {"[ 1.5] [<ffffffff81012345>] f+0x1/0x20\n[ 1.5] [<ffffffff81012345>] g+0x1/0x20\n", true},
        {"[ 1.5] task:a state:D stack:0 pid:7\n[ 1.5] [<ffffffff81012345>] f+0x1/0x20\n", true},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(claim_by(&format_kernel_stack, slice_str(rows[i].text), true), rows[i].claimed,
                     "%s", rows[i].text);
}
