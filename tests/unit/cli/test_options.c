#include <criterion/criterion.h>

#include "cli/option_table.h"

/* A command line, and either a check of its options or a part of the message. */
struct row {
    const char *words[6];
    enum command_id command;
    const char *error; /* a part of the message; NULL if there is none */
};

static const struct row rows[] = {
    {{"--width=800", "a.perf"}, COMMAND_GRAPH, NULL},
    {{"--width", "800"}, COMMAND_GRAPH, NULL},
    {{"--wdith", "800"}, COMMAND_GRAPH, "unknown option '--wdith'; did you mean --width?"},
    {{"--titletxt", "x"}, COMMAND_GRAPH, "did you mean --titletext?"},
    {{"--zzzzzzzz"}, COMMAND_GRAPH, "unknown option '--zzzzzzzz'"},
    {{"--width", "12"}, COMMAND_GRAPH, "option --width: expected a number from 100 to 20000"},
    {{"--width", "many"}, COMMAND_GRAPH, "not 'many'"},
    {{"--width"}, COMMAND_GRAPH, "option --width needs a value: PIXELS"},
    {{"--minwidth", "0.5%"}, COMMAND_GRAPH, NULL},
    {{"--minwidth", "-1"}, COMMAND_GRAPH, "expected pixels (0.1) or a percentage (0.5%)"},
    {{"--sort", "wieght"},
     COMMAND_GRAPH,
     "invalid value 'wieght', expected one of: name weight; did you mean weight?"},
    {{"--search", "nameonly"}, COMMAND_REPORT, "expected NAME=REGEX, not 'nameonly'"},
    {{"--search", "a=b=c"}, COMMAND_REPORT, NULL},
    {{"--force"}, COMMAND_GRAPH, "option --force is not for this command"},
    {{"--pixel-ratio", "1,2"}, COMMAND_REPORT, NULL},
    {{"--pixel-ratio", "1,9"}, COMMAND_REPORT, "expected ratios from 1 to 4"},
    {{"--pixel-ratio", ","}, COMMAND_REPORT, "expected ratios from 1 to 4"},
    {{"-qj", "2"}, COMMAND_FOLD, NULL},
    {{"-Z"}, COMMAND_FOLD, "unknown option '-Z'"},
    {{"--hash=maybe"}, COMMAND_GRAPH, "expected true or false, not 'maybe'"},
    {{"--max-size", "2G"}, COMMAND_FOLD, NULL},
    {{"--max-size", "99999999999999999999"}, COMMAND_FOLD, "expected a positive number"},
    {{"--max-size", "0"}, COMMAND_FOLD, "expected a positive number"},
    {{"--color", "hot", "--count-name", "x"}, COMMAND_GRAPH, NULL},
    {{"--kind", "of-cpu"}, COMMAND_GRAPH, "did you mean off-cpu?"},
    {{"-k", "hotcold", "--pair"}, COMMAND_GRAPH, NULL},
};

static unsigned count_words(const struct row *row)
{
    unsigned count = 0;

    while (count < 6 && row->words[count])
        count++;
    return count;
}

Test(cli_options, table)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char *words[6] = {0};
        struct options o;
        struct diag d;
        struct buf text;
        bool ok;

        for (unsigned w = 0; w < count_words(&rows[i]); w++)
            words[w] = strdup(rows[i].words[w]);
        options_init(&o);
        diag_init(&d, slice_str(NULL));
        buf_init(&text);
        ok = options_parse(&o, rows[i].command, (int)count_words(&rows[i]), words, &d);
        diag_write(&d, &text, false);
        cr_expect_eq(ok, !rows[i].error, "row %zu: %s", i, text.ptr);
        cr_expect(!rows[i].error || strstr(text.ptr, rows[i].error), "row %zu: %s", i, text.ptr);
        buf_release(&text);
        diag_release(&d);
        options_release(&o);
        for (unsigned w = 0; w < 6; w++)
            free(words[w]);
    }
}

Test(cli_options, values_arrive)
{
    char *const words[] = {
        (char[]){"--minwidth=0.5%"}, (char[]){"-e"},          (char[]){"cycles"},
        (char[]){"--event"},         (char[]){"page-faults"}, (char[]){"--search=gc=^(gc|mark)"},
        (char[]){"--max-size=2k"},   (char[]){"-"},           (char[]){"--"},
        (char[]){"--odd name"}};
    struct options o;
    struct diag d;

    options_init(&o);
    diag_init(&d, slice_str(NULL));
    cr_assert(options_parse(&o, COMMAND_REPORT, 10, words, &d));
    cr_expect(o.min_width.percent && o.min_width.value == 0.5);
    cr_expect_eq(o.events.count, 2);
    cr_expect_str_eq(o.events.items[1], "page-faults");
    cr_expect_str_eq(o.searches.items[0].name, "gc");
    cr_expect_str_eq(o.searches.items[0].pattern, "^(gc|mark)");
    cr_expect_eq(o.input.limits.max_size, 2048);
    cr_expect_eq(o.paths.count, 2);
    cr_expect_str_eq(o.paths.items[1], "--odd name");
    cr_expect(options_given(&o, options_find("min-width")));
    cr_expect(!options_given(&o, options_find("width")));
    options_release(&o);
    diag_release(&d);
}

/* Checks every row of the table, so that a mistake is found here and not by a user. */
Test(cli_options, table_is_sound)
{
    size_t count = 0;

    for (const struct option_row *row = option_table; row->name; row++, count++) {
        cr_expect_eq(options_find(row->name), row, "--%s is shadowed", row->name);
        cr_expect(row->commands, "--%s belongs to no command", row->name);
        cr_expect_eq(row->kind == OPTION_FLAG, row->value == NULL, "--%s", row->name);
        cr_expect_eq(row->kind == OPTION_CHOICE, row->choices != NULL, "--%s", row->name);
        cr_expect(row->about && row->about[strlen(row->about) - 1] != '.', "--%s", row->name);
        for (const struct option_row *other = option_table; other < row; other++)
            cr_expect(!row->letter || other->letter != row->letter ||
                          !(other->commands & row->commands),
                      "-%c means --%s and --%s", row->letter, other->name, row->name);
    }
    cr_expect_leq(count, 128, "struct options has bits for 128 rows");
}
