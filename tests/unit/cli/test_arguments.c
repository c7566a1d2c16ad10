
#include "cli/arguments.h"

#include "unit/support/test.h"

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
    {{"--width", "12"}, COMMAND_GRAPH, "invalid value '12', expected a number from 100 to 20000"},
    {{"--width", "many"}, COMMAND_GRAPH, "invalid value 'many', expected a number"},
    {{"--width"}, COMMAND_GRAPH, "option --width needs a value: PIXELS"},
    {{"--title", "-o", "x.png"}, COMMAND_GRAPH, "'-o' is an option (write --title=-o"},
    {{"--title", "--width=300"}, COMMAND_GRAPH, "'--width=300' is an option"},
    {{"--title", "--out=x.png"}, COMMAND_GRAPH, "'--out=x.png' is an option"},
    {{"--title", "-5 degrees"}, COMMAND_GRAPH, NULL},
    {{"--minwidth", "0.5%"}, COMMAND_GRAPH, NULL},
    {{"--minwidth", "-1"},
     COMMAND_GRAPH,
     "expected pixels up to 1000 (0.1) or a percentage up to 100% (0.5%)"},
    {{"--minwidth", "1000"}, COMMAND_GRAPH, NULL},
    {{"--minwidth", "1001"}, COMMAND_GRAPH, "invalid value '1001', expected pixels"},
    {{"--minwidth", "100%"}, COMMAND_GRAPH, NULL},
    {{"--minwidth", "101%"}, COMMAND_GRAPH, "invalid value '101%', expected pixels"},
    {{"--sort", "wieght"},
     COMMAND_GRAPH,
     "invalid value 'wieght', expected one of: name weight; did you mean weight?"},
    {{"--search", "name="}, COMMAND_REPORT, "invalid value 'name=', expected [NAME=]REGEX"},
    {{"--search", "=regex"}, COMMAND_REPORT, "invalid value '=regex', expected [NAME=]REGEX"},
    {{"--search", "a=b=c"}, COMMAND_REPORT, NULL},
    {{"a.folded", ""}, COMMAND_FOLD, "the name of an input is empty"},
    {{"--", ""}, COMMAND_DIFF, "the name of an input is empty"},
    {{"-o", ""}, COMMAND_REPORT, "expected the name of a file or directory"},
    {{"--baseline="}, COMMAND_CHECK, "expected the name of a file or directory"},
    {{"--with", ""}, COMMAND_DIFF, "expected the name of a file or directory"},
    {{"--title="}, COMMAND_GRAPH, NULL},
    {{"--force"}, COMMAND_GRAPH, "option --force is not for this command"},
    {{"--pixel-ratio", "1,2"}, COMMAND_REPORT, NULL},
    {{"--pixel-ratio", "1,9"}, COMMAND_REPORT, "expected ratios from 1 to 4"},
    {{"--pixel-ratio", ","}, COMMAND_REPORT, "expected ratios from 1 to 4"},
    {{"-qj", "2"}, COMMAND_FOLD, NULL},
    {{"-Z"}, COMMAND_FOLD, "unknown option '-Z'"},
    {{"--hash=maybe"}, COMMAND_GRAPH, "invalid value 'maybe', expected true or false"},
    {{"--max-size", "2G"}, COMMAND_FOLD, NULL},
    {{"--max-size", "99999999999999999999"}, COMMAND_FOLD, "expected a positive number"},
    {{"--max-size", "0"}, COMMAND_FOLD, "expected a positive number"},
    {{"--color", "hot", "--count-name", "x"}, COMMAND_GRAPH, NULL},
    {{"--kind", "of-cpu"}, COMMAND_GRAPH, "did you mean off-cpu?"},
    {{"-k", "hotcold", "--pair"}, COMMAND_GRAPH, NULL},
    {{"--format=csv"}, COMMAND_TOP, NULL},
    {{"--format=csv"}, COMMAND_GRAPH, "invalid value 'csv', expected one of: svg png"},
    {{"--format=svg"}, COMMAND_TOP, "invalid value 'svg', expected one of: text csv json"},
    {{"--format=folded"}, COMMAND_DIFF, NULL},
    {{"--format=svg"}, COMMAND_REPORT, "option --format is not for this command"},
};

static unsigned count_words(const struct row *row)
{
    unsigned count = 0;

    while (count < 6 && row->words[count])
        count++;
    return count;
}

Test(cli_arguments, table)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char *words[6] = {0};
        struct options o;
        struct diag d;
        struct buf text = {0};
        bool ok;

        for (unsigned w = 0; w < count_words(&rows[i]); w++)
            words[w] = strdup(rows[i].words[w]);
        options_init(&o);
        diag_init(&d, slice_str(NULL));
        ok = arguments_parse(&o, rows[i].command, (int)count_words(&rows[i]), words, &d);
        diag_write(&d, &text, false);
        cr_expect_eq(ok, !rows[i].error, "row %zu: %s", i, buf_string(&text));
        cr_expect(!rows[i].error || strstr(buf_string(&text), rows[i].error), "row %zu: %s", i,
                  buf_string(&text));
        buf_release(&text);
        diag_release(&d);
        options_release(&o);
        for (unsigned w = 0; w < 6; w++)
            free(words[w]);
    }
}

Test(cli_arguments, values_arrive)
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
    cr_assert(arguments_parse(&o, COMMAND_REPORT, 10, words, &d));
    cr_expect(o.plan.look.min_is_percent && o.plan.look.min_width == 0.5);
    cr_expect_eq(o.events.count, 2);
    cr_expect_str_eq(o.events.items[1], "page-faults");
    cr_expect(slice_equal(o.searches.items[0].name, SLICE("gc")));
    cr_expect(slice_equal(o.searches.items[0].pattern, SLICE("^(gc|mark)")));
    cr_expect_eq(o.plan.reading.limits.max_size, 2048);
    cr_expect_eq(o.paths.count, 2);
    cr_expect_str_eq(o.paths.items[1], "--odd name");
    cr_expect(options_given(&o, options_find("min-width", COMMAND_REPORT)));
    cr_expect(!options_given(&o, options_find("width", COMMAND_REPORT)));
    options_release(&o);
    diag_release(&d);
}
