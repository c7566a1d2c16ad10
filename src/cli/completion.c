#include "cli/completion.h"

#include <string.h>

#include "base/shell.h"
#include "cli/help.h"

static void write_flags(struct buf *out, const struct command *command)
{
    for (const struct option_row *row = options_table; row->name; row++)
        if (row->commands & command->id)
            buf_printf(out, " --%s", row->name);
}

/*
 * Appends a branch of a shell's `case "$command $option" in` for each option that has a list of
 * words, which stand between `before` and `after`.
 */
static void write_values(struct buf *out, const char *before, const char *after)
{
    struct buf names = {0}, words = {0};

    for (const struct option_row *row = options_table; row->name; row++) {
        buf_clear(&names);
        buf_clear(&words);
        options_write_words(row, " ", &words);
        for (const struct command *c = commands; c->name; c++)
            if (row->commands & c->id)
                buf_printf(&names, "%s'%s --%s'", names.len ? "|" : "", c->name, row->name);
        if (words.len && names.len)
            buf_printf(out, "    %s) %s%s%s; return ;;\n", buf_string(&names), before,
                       buf_string(&words), after);
    }
    buf_release(&words);
    buf_release(&names);
}

/* Bash makes "--kind=cpu" three words. */
static void generate_bash(struct buf *out)
{
    buf_add_str(out,
                "_flamepress() {\n    local word=${COMP_WORDS[COMP_CWORD]} flags=\n"
                "    local previous=${COMP_WORDS[COMP_CWORD-1]}\n"
                "    if [[ $word == = ]]; then word=\n"
                "    elif [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
                "    case \"${COMP_WORDS[1]} $previous\" in\n");
    write_values(out, "COMPREPLY=($(compgen -W '", "' -- \"$word\"))");
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

static void generate_zsh(struct buf *out)
{
    buf_add_str(out, "#compdef flamepress\n_flamepress() {\n    local -a commands flags\n"
                     "    commands=(\n");
    for (const struct command *c = commands; c->name; c++) {
        buf_printf(out, "        '%s:", c->name);
        shell_add_text(out, c->about);
        buf_add_str(out, "'\n");
    }
    buf_add_str(out, "    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n"
                     "        _files\n        return\n    fi\n    case $words[2] in\n");
    for (const struct command *c = commands; c->name; c++) {
        buf_printf(out, "    %s) flags=(\n", c->name);
        for (const struct option_row *row = options_table; row->name; row++) {
            if (!(row->commands & c->id))
                continue;
            buf_printf(out, "        '--%s:", row->name);
            shell_add_text(out, row->about);
            buf_add_str(out, "'\n");
        }
        buf_add_str(out, "        ) ;;\n");
    }
    buf_add_str(out, "    esac\n    local option=$words[CURRENT-1]\n"
                     "    if [[ $words[CURRENT] == --*=* ]]; then\n"
                     "        option=${words[CURRENT]%%=*}\n        compset -P '*='\n    fi\n"
                     "    case \"$words[2] $option\" in\n");
    write_values(out, "compadd -- ", "");
    buf_add_str(out, "    esac\n    if [[ $words[CURRENT] == -* ]]; then\n"
                     "        _describe option flags\n    else\n        _files\n    fi\n}\n"
                     "_flamepress \"$@\"\n");
}

static void generate_fish(struct buf *out)
{
    struct buf words = {0};

    for (const struct command *c = commands; c->name; c++) {
        buf_printf(out, "complete -c flamepress -n __fish_use_subcommand -a %s -d '", c->name);
        shell_add_text(out, c->about);
        buf_add_str(out, "'\n");
    }
    for (const struct option_row *row = options_table; row->name; row++) {
        buf_add_str(out, "complete -c flamepress -n '__fish_seen_subcommand_from");
        for (const struct command *c = commands; c->name; c++)
            if (row->commands & c->id)
                buf_printf(out, " %s", c->name);
        buf_printf(out, "' -l %s", row->name);
        if (row->letter)
            buf_printf(out, " -s %c", row->letter);
        buf_add_str(out, options_need_value(row) ? " -r" : "");
        buf_clear(&words);
        options_write_words(row, " ", &words);
        if (words.len)
            buf_printf(out, " -f -a '%s'", buf_string(&words));
        buf_add_str(out, " -d '");
        shell_add_text(out, row->about);
        buf_add_str(out, "'\n");
    }
    buf_release(&words);
}

static const struct {
    const char *shell;
    void (*generate)(struct buf *out);
} generators[] = {
    {"bash", generate_bash},
    {"zsh", generate_zsh},
    {"fish", generate_fish},
};

bool completion_write(struct buf *out, const char *shell)
{
    for (size_t i = 0; i < sizeof(generators) / sizeof(*generators); i++) {
        if (strcmp(generators[i].shell, shell) == 0) {
            generators[i].generate(out);
            return true;
        }
    }
    return false;
}
