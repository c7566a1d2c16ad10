#include "cli/aside.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/sandbox.h"
#include "unit/support/test.h"

static void try(void *context, struct buf *out)
{
    int file = open("/etc/passwd", O_RDONLY), network = socket(AF_INET, SOCK_STREAM, 0);

    buf_printf(out, "%s: file %s, network %s", (const char *)context, file < 0 ? "refused" : "open",
               network < 0 ? "refused" : "open");
}

static void crash(void *context, struct buf *out)
{
    (void)context;
    buf_add_str(out, "begun");
    _exit(3);
}

static void overflow(void *context, struct buf *out)
{
    (void)context;
    buf_reserve(out, ASIDE_MOST + 1);
    for (size_t i = 0; i <= ASIDE_MOST; i++)
        buf_add_char(out, 'x');
}

Test(cli_aside, work_reaches_nothing)
{
    struct buf out = {0};

    if (!sandbox_restricts_files())
        cr_skip_test("no Landlock");
    cr_assert(aside_run(try, "work", NULL, &out));
    cr_expect_str_eq(buf_string(&out), "work: file refused, network refused");
    cr_expect_gt(open("/etc/passwd", O_RDONLY), 2); /* this process still may */
    buf_release(&out);
}

Test(cli_aside, failures_are_returned)
{
    struct buf out = {0};

    cr_expect_not(aside_run(crash, NULL, NULL, &out));
    cr_expect_not(aside_run(overflow, NULL, NULL, &out));
    buf_release(&out);
}
