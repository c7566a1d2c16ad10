
#include <string.h>

#include "cli/man_notes.h"
#include "unit/support/test.h"

static bool says(enum command_id command, const char *text)
{
    struct buf out = {0};
    bool found;

    man_notes(&out, command);
    found = strstr(buf_string(&out), text) != NULL;
    buf_release(&out);
    return found;
}

Test(cli_man_notes, are_of_commands_that_compare)
{
    cr_expect(says(COMMAND_CHECK, ".SH RUNS AND SERVICES\n"));
    cr_expect(says(COMMAND_CHECK, ".SH WHAT CAN BE FOUND\n"));
    cr_expect(says(COMMAND_ARCHIVE, ".SH RUNS AND SERVICES\n"));
    cr_expect_not(says(COMMAND_ARCHIVE, ".SH WHAT CAN BE FOUND\n"));
    cr_expect_not(says(COMMAND_GRAPH, ".SH"));
}

/* The numbers are those of the table in src/stats/README.md. */
Test(cli_man_notes, has_the_table_of_smallest_changes)
{
    cr_expect(says(COMMAND_CHECK, "a quiet machine            2    13.2     7.8     6.0"));
    cr_expect(says(COMMAND_CHECK, "compiles or warms up       2       \\-       \\-       \\-"));
    cr_expect(says(COMMAND_CHECK, " 20     4.7     4.2     4.1     4.0\n"));
}
