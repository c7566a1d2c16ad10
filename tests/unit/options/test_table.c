
#include "options/table.h"

#include "unit/support/test.h"

/* Checks every row of the table, so that a mistake is found here and not by a user. */
Test(options_table, is_sound)
{
    size_t count = 0;

    for (const struct option_row *row = options_table; row->name; row++, count++) {
        cr_expect_eq(options_find(row->name, row->commands), row, "--%s is shadowed", row->name);
        cr_expect(row->commands, "--%s belongs to no command", row->name);
        cr_expect_eq(row->kind == OPTION_FLAG, row->value == NULL, "--%s", row->name);
        cr_expect_eq(row->kind == OPTION_CHOICE || row->kind == OPTION_SWITCH ||
                         row->kind == OPTION_SET,
                     row->choices != NULL, "--%s", row->name);
        cr_expect(row->about && row->about[strlen(row->about) - 1] != '.', "--%s", row->name);
        for (const struct option_row *other = options_table; other < row; other++)
            cr_expect(!row->letter || other->letter != row->letter ||
                          !(other->commands & row->commands),
                      "-%c means --%s and --%s", row->letter, other->name, row->name);
    }
    cr_expect_leq(count, OPTIONS_WORDS * 64, "struct options has bits for %d rows",
                  OPTIONS_WORDS * 64);
}

/* Sets each option that has words to each of them, and reads the word back. */
Test(options_table, values_are_written_as_they_are_set)
{
    for (const struct option_row *row = options_table; row->name; row++) {
        struct slice rest = slice_str(row->choices), word;

        while (slice_word(&rest, &word)) {
            struct options o;
            struct buf why = {0}, value = {0};
            char *text = strndup(word.ptr, word.len);

            options_init(&o);
            cr_expect(options_set(&o, row, text, &why), "--%s: %s", row->name, buf_string(&why));
            options_write_value(&o, row, &value);
            cr_expect(slice_equal(buf_slice(&value), word), "--%s=%s is %s", row->name, text,
                      buf_string(&value));
            buf_release(&value);
            buf_release(&why);
            options_release(&o);
            free(text);
        }
    }
}

Test(options_table, equal_options_have_equal_values)
{
    static const struct {
        const char *name, *value;
    } rows[] = {
        {"title", "t"},       {"width", "1201"},
        {"sort", "weight"},   {"theme", "dark"},
        {"max-size", "1K"},   {"factor", "2"},
        {"minwidth", "0.5%"}, {"pixel-ratio", "2"},
        {"event", "cycles"},  {"search", "a=b"},
        {"colors", "hot"},    {"bgcolors", "blue"},
        {"kind", "off-cpu"},  {"total", "5"},
        {"from", "0"},        {"cp", "map"},
        {"reverse", "true"},  {"group", "module"},
        {"format", "json"},   {"source-url", "http://{file}"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct option_row *row = options_find(rows[i].name, COMMANDS_ALL);
        struct options a, b;
        struct buf why = {0};

        cr_assert(row, "%s", rows[i].name);
        row = strcmp(rows[i].name, "format") ? row : options_find("format", COMMAND_TOP);
        options_init(&a);
        options_init(&b);
        cr_expect(options_equal(&a, &b, row), "--%s", rows[i].name);
        cr_expect(options_set(&a, row, rows[i].value, &why), "%s", buf_string(&why));
        cr_expect_not(options_equal(&a, &b, row), "--%s", rows[i].name);
        cr_expect(options_set(&b, row, rows[i].value, &why), "%s", buf_string(&why));
        cr_expect(options_equal(&a, &b, row), "--%s", rows[i].name);
        buf_release(&why);
        options_release(&a);
        options_release(&b);
    }
}
