
#include "cli/help.h"

#include "unit/support/test.h"

/* The table is in the order of the groups; --help and the man pages rely on it. */
Test(cli_help, rows_of_a_group_are_adjacent)
{
    for (const struct option_row *row = options_table; row[1].name; row++)
        cr_expect(row->group <= row[1].group, "--%s is after --%s", row[1].name, row->name);
}

/* No line is wider than a terminal, and every option of the command is described. */
Test(cli_help, all_options_fit_in_80_columns)
{
    for (const struct command *c = commands; c->name; c++) {
        struct slice rest, line;
        struct buf text = {0};

        help_command(&text, c, "all");
        for (const struct option_row *row = options_table; row->name; row++) {
            struct buf spelling = {0};

            help_write_spelling(&spelling, row, 0);
            if (row->commands & c->id)
                cr_expect(strstr(buf_string(&text), buf_string(&spelling)), "%s: %s", c->name,
                          buf_string(&spelling));
            buf_release(&spelling);
        }
        buf_clear(&text);
        help_command(&text, c, NULL);
        help_command(&text, c, "all");
        rest = buf_slice(&text);
        while (slice_line(&rest, &line))
            cr_expect_leq(line.len, 80, "%s: %.*s", c->name, (int)line.len, line.ptr);
        buf_release(&text);
    }
}

/* The help of diff describes options of differential graphs; the help of graph names the group. */
Test(cli_help, groups_are_shown_for_their_commands)
{
    struct buf text = {0};

    help_command(&text, command_find("diff"), NULL);
    cr_expect(strstr(buf_string(&text), "--normalize"));
    buf_clear(&text);
    help_command(&text, command_find("graph"), NULL);
    cr_expect_not(strstr(buf_string(&text), "--normalize"));
    cr_expect(strstr(buf_string(&text), "--help=differential"));
    buf_clear(&text);
    help_command(&text, command_find("graph"), "differential");
    cr_expect(strstr(buf_string(&text), "--normalize"));
    cr_expect_not(strstr(buf_string(&text), "--width PIXELS"));
    buf_release(&text);
}

Test(cli_help, generated_files)
{
    static const char *const known[] = {"man", "man-graph", "commands", "bash", "zsh", "fish"};
    struct buf text = {0};

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
        buf_clear(&text);
        cr_expect(help_generate(&text, known[i]), "%s", known[i]);
        cr_expect(text.len, "%s", known[i]);
    }
    cr_expect_not(help_generate(&text, "man-nosuch"));
    cr_expect_not(help_generate(&text, "nosuch"));
    buf_release(&text);
}

/* The main options of a group are options of that group. */
Test(cli_help, main_options_are_rows)
{
    for (unsigned g = 0; g < OPTION_GROUPS; g++) {
        struct slice rest = slice_str(options_groups[g].main), word;

        while (slice_word(&rest, &word)) {
            bool found = false;

            for (const struct option_row *row = options_table; row->name; row++)
                found |= row->group == g && slice_equal(slice_str(row->name), word);
            cr_expect(found, "%s: %.*s", options_groups[g].name, SLICE_ARG(word));
        }
    }
}
