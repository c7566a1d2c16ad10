#include "cli/help.h"

#include <string.h>

#include "cli/option_table.h"

enum { HELP_COLUMN = 28 };

/* "-o, --output PATH" */
static void write_spelling(struct buf *out, const struct option_row *row, char letter)
{
    if (letter)
        buf_printf(out, "-%c, ", letter);
    buf_printf(out, "--%s", row->name);
    if (row->value)
        buf_printf(out, " %s", row->value);
}

static void write_option(struct buf *out, const struct option_row *row, enum command_id command)
{
    char letter = options_letter(row, command);
    size_t start = out->len;

    buf_add_str(out, letter ? "  " : "      ");
    write_spelling(out, row, letter);
    if (out->len - start >= HELP_COLUMN) {
        buf_add_char(out, '\n');
        start = out->len;
    }
    while (out->len - start < HELP_COLUMN)
        buf_add_char(out, ' ');
    buf_add_str(out, row->about);
    if (row->choices)
        buf_printf(out, " (%s)", row->choices);
    buf_add_char(out, '\n');
}

void help_overview(struct buf *out)
{
    buf_add_str(out, "flamepress: a directory of profiles in; flame graphs and a report out\n\n");
    for (const struct command *c = commands; c->name; c++)
        buf_printf(out, "  flamepress %s%s%s\n      %s\n", c->name, *c->operands ? " " : "",
                   c->operands, c->about);
    buf_printf(out,
               "\n`flamepress DIR -o OUT` is `flamepress %s`. A file named - is standard input.\n"
               "`flamepress COMMAND --help` lists the options of a command.\n"
               "\nExit status: 0 all good; 1 some inputs failed and the rest was written;\n"
               "2 wrong usage; 3 nothing was written.\n",
               commands[0].name);
}

void help_command(struct buf *out, const struct command *command)
{
    buf_printf(out, "usage: flamepress %s %s\n\n%s\n\n", command->name, command->operands,
               command->about);
    for (const struct option_row *row = option_table; row->name; row++)
        if (row->commands & command->id)
            write_option(out, row, command->id);
    buf_printf(out, "\nexample: %s\n", command->example);
}

/* ---- the man page ---- */

/* roff takes '.' and ''' at a line's start, '-' and '\' anywhere, as its own. */
static void write_roff(struct buf *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p == '-' || *p == '\\')
            buf_add_char(out, '\\');
        else if ((*p == '.' || *p == '\'') && (p == text || p[-1] == '\n'))
            buf_add_str(out, "\\&");
        buf_add_char(out, *p);
    }
}

static void write_man_option(struct buf *out, const struct option_row *row)
{
    struct buf spelling;

    buf_init(&spelling);
    write_spelling(&spelling, row, row->letter);
    buf_add_str(out, ".TP\n.B ");
    write_roff(out, spelling.ptr);
    buf_add_char(out, '\n');
    write_roff(out, row->about);
    if (row->choices) {
        buf_add_str(out, ": ");
        write_roff(out, row->choices);
    }
    buf_add_str(out, ".\n");
    if (row->aliases) {
        buf_add_str(out, "Also spelt: ");
        write_roff(out, row->aliases);
        buf_add_str(out, ".\n");
    }
    for (const struct command *c = commands; c->name; c++) {
        char letter = options_letter(row, c->id);

        if ((row->commands & c->id) && letter && letter != row->letter)
            buf_printf(out, "\\-%c for %s.\n", letter, c->name);
    }
    buf_add_str(out, "(");
    for (const struct command *c = commands; c->name; c++)
        if (row->commands & c->id)
            buf_printf(out, "%s%s", out->ptr[out->len - 1] == '(' ? "" : ", ", c->name);
    buf_add_str(out, ")\n");
    buf_release(&spelling);
}

static void generate_man(struct buf *out)
{
    buf_add_str(out, ".TH FLAMEPRESS 1 \"\" \"flamepress " FLAMEPRESS_VERSION "\"\n.SH NAME\n"
                     "flamepress \\- flame graphs and a report from a directory of profiles\n"
                     ".SH SYNOPSIS\n");
    for (const struct command *c = commands; c->name; c++) {
        buf_printf(out, ".B flamepress %s\n", c->name);
        write_roff(out, c->operands);
        buf_add_str(out, "\n.br\n");
    }
    buf_add_str(out, ".SH COMMANDS\n");
    for (const struct command *c = commands; c->name; c++) {
        buf_printf(out, ".TP\n.B %s\n", c->name);
        write_roff(out, c->about);
        buf_add_str(out, ". Example: ");
        write_roff(out, c->example);
        buf_add_str(out, "\n");
    }
    buf_add_str(out, ".SH OPTIONS\n");
    for (const struct option_row *row = option_table; row->name; row++)
        write_man_option(out, row);
    buf_add_str(out,
                ".SH FILES\n.TP\n.B flamepress.yml\nSettings of a directory of profiles: option "
                "names as keys, named\n.BR searches ,\nand rules for single\n.BR profiles .\n"
                ".SH EXIT STATUS\n0 all good; 1 some inputs failed and the rest was written; 2 "
                "wrong usage; 3 nothing was written.\n");
}

/* ---- completion ---- */

static void write_flags(struct buf *out, const struct command *command)
{
    for (const struct option_row *row = option_table; row->name; row++)
        if (row->commands & command->id)
            buf_printf(out, " --%s", row->name);
}

static void generate_bash(struct buf *out)
{
    buf_add_str(out, "_flamepress() {\n    local word=${COMP_WORDS[COMP_CWORD]}\n"
                     "    local previous=${COMP_WORDS[COMP_CWORD-1]} flags=\n"
                     "    case $previous in\n");
    for (const struct option_row *row = option_table; row->name; row++)
        if (row->choices)
            buf_printf(out, "    --%s) COMPREPLY=($(compgen -W '%s' -- \"$word\")); return ;;\n",
                       row->name, row->choices);
    buf_add_str(out, "    esac\n    case ${COMP_WORDS[1]} in\n");
    for (const struct command *c = commands; c->name; c++) {
        buf_printf(out, "    %s) flags='", c->name);
        write_flags(out, c);
        buf_add_str(out, "' ;;\n");
    }
    buf_add_str(out, "    esac\n    if [[ $COMP_CWORD == 1 ]]; then\n        flags='");
    for (const struct command *c = commands; c->name; c++)
        buf_printf(out, "%s ", c->name);
    buf_add_str(out, "'\n    fi\n    COMPREPLY=($(compgen -W \"$flags\" -- \"$word\") "
                     "$(compgen -f -- \"$word\"))\n}\n"
                     "complete -o filenames -F _flamepress flamepress\n");
}

/* Within single quotes of a shell. */
static void write_quoted(struct buf *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p == '\'')
            buf_add_str(out, "'\\''");
        else
            buf_add_char(out, *p);
    }
}

static void generate_zsh(struct buf *out)
{
    buf_add_str(out, "#compdef flamepress\n_flamepress() {\n    local -a commands flags\n"
                     "    commands=(\n");
    for (const struct command *c = commands; c->name; c++) {
        buf_printf(out, "        '%s:", c->name);
        write_quoted(out, c->about);
        buf_add_str(out, "'\n");
    }
    buf_add_str(out, "    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n"
                     "        _files\n        return\n    fi\n    case $words[2] in\n");
    for (const struct command *c = commands; c->name; c++) {
        buf_printf(out, "    %s) flags=(\n", c->name);
        for (const struct option_row *row = option_table; row->name; row++) {
            if (!(row->commands & c->id))
                continue;
            buf_printf(out, "        '--%s:", row->name);
            write_quoted(out, row->about);
            buf_add_str(out, "'\n");
        }
        buf_add_str(out, "        ) ;;\n");
    }
    buf_add_str(out, "    esac\n    if [[ $words[CURRENT] == -* ]]; then\n"
                     "        _describe option flags\n    else\n        _files\n    fi\n}\n"
                     "_flamepress \"$@\"\n");
}

static void generate_fish(struct buf *out)
{
    for (const struct command *c = commands; c->name; c++) {
        buf_printf(out, "complete -c flamepress -n __fish_use_subcommand -a %s -d '", c->name);
        write_quoted(out, c->about);
        buf_add_str(out, "'\n");
    }
    for (const struct option_row *row = option_table; row->name; row++) {
        buf_add_str(out, "complete -c flamepress -n '__fish_seen_subcommand_from");
        for (const struct command *c = commands; c->name; c++)
            if (row->commands & c->id)
                buf_printf(out, " %s", c->name);
        buf_printf(out, "' -l %s", row->name);
        if (row->letter)
            buf_printf(out, " -s %c", row->letter);
        buf_add_str(out, row->value ? " -r" : "");
        if (row->choices)
            buf_printf(out, " -f -a '%s'", row->choices);
        buf_add_str(out, " -d '");
        write_quoted(out, row->about);
        buf_add_str(out, "'\n");
    }
}

static const struct {
    const char *what;
    void (*generate)(struct buf *out);
} generators[] = {
    {"man", generate_man},
    {"bash", generate_bash},
    {"zsh", generate_zsh},
    {"fish", generate_fish},
};

bool help_generate(struct buf *out, const char *what)
{
    for (size_t i = 0; i < sizeof(generators) / sizeof(*generators); i++) {
        if (strcmp(generators[i].what, what) == 0) {
            generators[i].generate(out);
            return true;
        }
    }
    return false;
}
