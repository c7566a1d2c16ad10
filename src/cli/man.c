#include "cli/man.h"

#include <ctype.h>

#include "base/version.h"
#include "cli/help.h"
#include "cli/arguments.h"
#include "cli/exit.h"
#include "cli/man_notes.h"

/* roff interprets '.' and ''' at the start of a line, and '-' and '\' anywhere. */
static void write_roff(struct buf *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p == '-' || *p == '\\')
            buf_add_char(out, '\\');
        else if ((*p == '.' || *p == '\'') && (p == text || p[-1] == '\n'))
            buf_add_str(out, "\\&");
        buf_add_char(out, *p == '\\' ? 'e' : *p);
    }
}

/* Appends `text` as a sentence, with a capital letter and a full stop. */
static void write_sentence(struct buf *out, const char *text)
{
    char first[] = {(char)toupper((unsigned char)*text), '\0'};

    write_roff(out, first);
    write_roff(out, text + 1);
    buf_add_str(out, ".\n");
}

static void write_heading(struct buf *out, const char *page, const char *about)
{
    struct buf upper = {0};

    for (const char *p = page; *p; p++)
        buf_add_char(&upper, (char)toupper((unsigned char)*p));
    buf_printf(out,
               ".TH %s 1 \"" FLAMEPRESS_RELEASED "\" \"flamepress " FLAMEPRESS_VERSION
               "\"\n.SH NAME\n",
               buf_string(&upper));
    write_roff(out, page);
    buf_add_str(out, " \\- ");
    write_roff(out, about);
    buf_add_char(out, '\n');
    buf_release(&upper);
}

static void write_option(struct buf *out, const struct option_row *row, char letter)
{
    struct buf text = {0};

    help_write_spelling(&text, row, letter);
    buf_add_str(out, ".TP\n.B ");
    write_roff(out, buf_string(&text));
    buf_add_char(out, '\n');
    buf_clear(&text);
    help_write_about(&text, row);
    write_sentence(out, buf_string(&text));
    if (row->aliases) {
        struct slice rest = slice_str(row->aliases), word;

        buf_clear(&text);
        buf_add_str(&text, "also spelled");
        for (const char *before = " --"; slice_word(&rest, &word); before = ", --") {
            buf_add_str(&text, before);
            buf_add_slice(&text, word);
        }
        write_sentence(out, buf_string(&text));
    }
    buf_release(&text);
}

static void write_exit_status(struct buf *out, unsigned enders)
{
    buf_add_str(out, ".SH EXIT STATUS\n");
    for (unsigned i = 0; i < sizeof(exit_meanings) / sizeof(*exit_meanings); i++) {
        if (!(exit_meanings[i].commands & enders))
            continue;
        buf_printf(out, ".TP\n%u\n", i);
        write_sentence(out, exit_meanings[i].meaning);
    }
    if (enders & exit_meanings[EXIT_ONE_SIDED].commands)
        buf_add_str(out, "If several apply, 4 comes before 1, 7, 5 and 6, in this order.\n");
}

void man_overview(struct buf *out)
{
    write_heading(out, "flamepress", "draw profiles as flame graphs and bind them into a report");
    buf_add_str(out, ".SH SYNOPSIS\n");
    for (const struct command *c = commands; c->name; c++) {
        buf_printf(out, ".B flamepress %s\n", c->name);
        write_roff(out, c->operands);
        buf_add_str(out, *c->operands ? "\n.br\n" : ".br\n");
    }
    buf_add_str(out, ".SH COMMANDS\nEach command has a man page of its own. Without a command, ");
    buf_add_str(out, "flamepress runs\n.B ");
    write_roff(out, commands[0].name);
    buf_add_str(out, ".\n");
    for (const struct command *c = commands; c->name; c++) {
        buf_printf(out, ".TP\n.BR flamepress\\-%s (1)\n", c->name);
        write_sentence(out, c->about);
    }
    buf_add_str(
        out, ".SH FILES\n.TP\n.B flamepress.yml\nSettings of a directory of profiles. A key is "
             "the long name of an option;\n.B searches\nmaps names to regular expressions, and "
             "each item of\n.B profiles\nhas a\n.B match\n(a glob over paths below the directory) "
             "and options for the profiles that it matches. The command line takes "
             "precedence.\n");
    buf_add_str(out, ".SH ENVIRONMENT\n"
                     ".TP\n.B NO_COLOR\nIf set, messages on a terminal have no colours.\n"
                     ".TP\n.B SOURCE_DATE_EPOCH\nThe date of a report or of a label, in seconds "
                     "since 1970; without it, and without\n.BR \\-\\-date ,\nthey have no date.\n");
    write_exit_status(out, COMMANDS_ALL);
}

void man_command(struct buf *out, const struct command *command)
{
    struct buf page = {0};

    buf_printf(&page, "flamepress-%s", command->name);
    write_heading(out, buf_string(&page), command->about);
    buf_printf(out, ".SH SYNOPSIS\n.B flamepress %s\n[OPTION...]\n", command->name);
    write_roff(out, command->operands);
    buf_add_str(out, *command->operands ? "\n" : "");
    buf_add_str(out, ".SH DESCRIPTION\n");
    write_roff(out, command->details);
    buf_add_str(out, "\n.SH OPTIONS\n");
    for (unsigned g = 0; g < OPTION_GROUPS; g++) {
        if (!help_group_applies(g, command->id))
            continue;
        buf_printf(out, ".SS %s\n", options_groups[g].title);
        for (const struct option_row *row = options_table; row->name; row++)
            if (row->group == g && (row->commands & command->id))
                write_option(out, row, arguments_letter(row, command->id));
    }
    buf_add_str(out, ".SH EXAMPLE\n.nf\n");
    write_roff(out, command->example);
    buf_add_str(out, "\n.fi\n");
    man_notes(out, command->id);
    write_exit_status(out, command->id);
    buf_add_str(out, ".SH SEE ALSO\n.BR flamepress (1)");
    for (const struct command *c = commands; c->name; c++)
        if (c != command)
            buf_printf(out, ",\n.BR flamepress\\-%s (1)", c->name);
    buf_add_char(out, '\n');
    buf_release(&page);
}
