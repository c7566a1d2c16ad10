#include "cli/help.h"

#include <string.h>

#include "cli/arguments.h"
#include "cli/completion.h"
#include "cli/exit.h"
#include "cli/man.h"

enum {
    HELP_COLUMN = 28, /* where descriptions begin */
    HELP_WIDTH = 80,
};

/* ---- parts of a description ---- */

void help_write_spelling(struct buf *out, const struct option_row *row, char letter)
{
    if (letter)
        buf_printf(out, "-%c, ", letter);
    buf_printf(out, "--%s", row->name);
    if (row->value)
        buf_printf(out, row->kind == OPTION_HELP ? "[=%s]" : " %s", row->value);
}

void help_write_about(struct buf *out, const struct option_row *row)
{
    struct options defaults;
    struct buf words = {0}, usual = {0};

    options_init(&defaults);
    options_write_words(row, ", ", &words);
    options_write_value(&defaults, row, &usual);
    buf_add_str(out, row->about);
    if (words.len || usual.len)
        buf_printf(out, " (%s%s%s%s)", buf_string(&words), words.len && usual.len ? "; " : "",
                   usual.len ? "default: " : "", buf_string(&usual));
    options_release(&defaults);
    buf_release(&words);
    buf_release(&usual);
}

bool help_group_applies(enum option_group group, unsigned takers)
{
    for (const struct option_row *row = options_table; row->name; row++)
        if (row->group == group && (row->commands & takers))
            return true;
    return false;
}

/* ---- --help ---- */

/*
 * Appends words in lines of at most HELP_WIDTH columns, each indented by
 * `indent`. The current line has `column` columns already; a line end follows.
 */
static void write_wrapped(struct buf *out, const char *text, size_t indent, size_t column)
{
    struct slice rest = slice_str(text), word;
    bool first = true;

    while (slice_word(&rest, &word)) {
        if (!first && column + 1 + word.len > HELP_WIDTH) {
            buf_add_char(out, '\n');
            column = 0;
            first = true;
        }
        for (; column < indent; column++)
            buf_add_char(out, ' ');
        if (!first) {
            buf_add_char(out, ' ');
            column++;
        }
        buf_add_slice(out, word);
        column += word.len;
        first = false;
    }
    buf_add_char(out, '\n');
}

static void write_option(struct buf *out, const struct option_row *row, char letter)
{
    size_t start = out->len, column;
    struct buf about = {0};

    buf_add_str(out, letter ? "  " : "      ");
    help_write_spelling(out, row, letter);
    column = out->len - start;
    if (column >= HELP_COLUMN) {
        buf_add_char(out, '\n');
        column = 0;
    }
    help_write_about(&about, row);
    write_wrapped(out, buf_string(&about), HELP_COLUMN, column);
    buf_release(&about);
}

/* Writes the options of a group that one of the commands accepts; short forms are `command`'s. */
static void write_group(struct buf *out, enum option_group group, unsigned takers,
                        const struct command *command)
{
    buf_printf(out, "%s:\n", options_groups[group].title);
    for (const struct option_row *row = options_table; row->name; row++)
        if (row->group == group && (row->commands & takers))
            write_option(out, row, command ? arguments_letter(row, command->id) : row->letter);
}

/* Writes the main options of a group, with a heading if there are any. */
static void write_main(struct buf *out, enum option_group group, const struct command *command)
{
    bool any = false;

    for (const struct option_row *row = options_table; row->name; row++) {
        if (row->group != group || !(row->commands & command->id) ||
            !options_is_main(row, command->id))
            continue;
        if (!any)
            buf_printf(out, "\n%s:\n", options_groups[group].title);
        any = true;
        write_option(out, row, arguments_letter(row, command->id));
    }
}

/* Writes the group of that name, or each if the name is "all". Returns false if none applies. */
static bool write_groups(struct buf *out, const char *name, unsigned takers,
                         const struct command *command)
{
    bool written = false;

    for (unsigned g = 0; g < OPTION_GROUPS; g++) {
        if (!help_group_applies(g, takers) ||
            (strcmp(name, "all") != 0 && strcmp(name, options_groups[g].name) != 0))
            continue;
        if (written)
            buf_add_char(out, '\n');
        write_group(out, g, takers, command);
        written = true;
    }
    return written;
}

static void write_exit_status(struct buf *out, unsigned enders)
{
    buf_add_str(out, "\nExit status:\n");
    for (unsigned i = 0; i < sizeof(exit_meanings) / sizeof(*exit_meanings); i++) {
        if (!(exit_meanings[i].commands & enders))
            continue;
        buf_printf(out, "  %u", i);
        write_wrapped(out, exit_meanings[i].meaning, 6, 3);
    }
}

void help_overview(struct buf *out, const char *group)
{
    if (group) {
        write_groups(out, group, COMMANDS_ALL & ~COMMAND_LIBRARY, NULL);
        return;
    }
    buf_add_str(out, "flamepress draws profiles as flame graphs and binds them into a report.\n\n");
    for (const struct command *c = commands; c->name; c++) {
        buf_printf(out, "  flamepress %s%s%s\n", c->name, *c->operands ? " " : "", c->operands);
        write_wrapped(out, c->about, 6, 0);
    }
    buf_printf(out,
               "\n`flamepress DIR -o OUT` is short for `flamepress %s DIR -o OUT`.\n"
               "The file name '-' means standard input.\n"
               "\n`flamepress COMMAND --help` lists the main options of a command, and\n"
               "`flamepress COMMAND --help=GROUP` those of one group:\n\n",
               commands[0].name);
    for (unsigned g = 0; g < OPTION_GROUPS; g++)
        buf_printf(out, "  %-14s%s\n", options_groups[g].name, options_groups[g].title);
    write_exit_status(out, COMMANDS_ALL);
}

/* Names the options that --help does not show, by group. */
static void write_others(struct buf *out, const struct command *command)
{
    struct buf names = {0};
    bool any = false;

    for (unsigned g = 0; g < OPTION_GROUPS; g++) {
        size_t start;

        buf_clear(&names);
        for (const struct option_row *row = options_table; row->name; row++)
            if (row->group == g && (row->commands & command->id) &&
                !options_is_main(row, command->id))
                buf_printf(&names, "%s%s", names.len ? ", " : "", row->name);
        if (!names.len)
            continue;
        if (!any)
            buf_add_str(out, "\nMore options:\n");
        any = true;
        start = out->len;
        buf_printf(out, "      --help=%s", options_groups[g].name);
        write_wrapped(out, buf_string(&names), HELP_COLUMN, out->len - start);
    }
    buf_release(&names);
}

void help_command(struct buf *out, const struct command *command, const char *group)
{
    if (group) {
        if (!write_groups(out, group, command->id, command))
            buf_printf(out, "flamepress %s has no options of the group '%s'.\n", command->name,
                       group);
        return;
    }
    buf_printf(out, "usage: flamepress %s [OPTION...]%s%s\n\n", command->name,
               *command->operands ? " " : "", command->operands);
    write_wrapped(out, command->about, 0, 0);
    for (unsigned g = 0; g < OPTION_GROUPS; g++) {
        if (options_groups[g].shown & command->id)
            write_main(out, g, command);
    }
    write_others(out, command);
    buf_printf(out, "\nExample:\n  %s\n", command->example);
    write_exit_status(out, command->id);
}

bool help_generate(struct buf *out, const char *what)
{
    static const char page[] = "man-";
    const struct command *command;

    if (strcmp(what, "man") == 0) {
        man_overview(out);
        return true;
    }
    if (strcmp(what, "commands") == 0) {
        for (command = commands; command->name; command++)
            buf_printf(out, "%s\n", command->name);
        return true;
    }
    if (strncmp(what, page, sizeof(page) - 1) == 0) {
        command = command_find(what + sizeof(page) - 1);
        if (command)
            man_command(out, command);
        return command != NULL;
    }
    return completion_write(out, what);
}
