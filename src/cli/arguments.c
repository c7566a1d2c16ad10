#include "cli/arguments.h"

#include <string.h>

#include "base/file.h"
#include "base/suggest.h"
#include "options/preset.h"

char arguments_letter(const struct option_row *row, enum command_id command)
{
    /* Letters of difffolded.pl that diff accepts and that mean other options elsewhere. */
    static const struct {
        char letter;
        const char *name;
    } of_diff[] = {{'n', "normalize"}, {'s', "strip-address"}};

    for (size_t i = 0; command == COMMAND_DIFF && i < sizeof(of_diff) / sizeof(*of_diff); i++) {
        if (strcmp(of_diff[i].name, row->name) == 0)
            return of_diff[i].letter;
        if (of_diff[i].letter == row->letter)
            return 0;
    }
    return row->letter;
}

static const struct option_row *find_letter(char letter, enum command_id command)
{
    for (const struct option_row *row = options_table; row->name; row++)
        if ((row->commands & command) && arguments_letter(row, command) == letter)
            return row;
    return NULL;
}

static bool unknown_option(const char *word, enum command_id command, struct diag *diag)
{
    struct suggest near;
    struct buf hint = {0};

    suggest_init(&near, word);
    for (const struct option_row *row = options_table; row->name; row++) {
        if (!(row->commands & command))
            continue;
        suggest_offer(&near, row->name);
        if (row->aliases)
            suggest_offer_list(&near, row->aliases);
    }
    suggest_write(&near, "--", &hint);
    diag_add(diag, DIAG_ERROR, DIAG_AT_FILE, "unknown option '--%s'%s", word, buf_string(&hint));
    buf_release(&hint);
    return false;
}

static bool is_one_of(const struct option_row *row, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(row->name, *names) == 0)
            return true;
    return false;
}

bool arguments_is_common(const struct option_row *row)
{
    static const char *const own[] = {"output", "force",  "fresh", "watch", "no-fsync", "part",
                                      "parts",  "stitch", "slurm", "wait",  "dry-run",  NULL};

    return row->group != GROUP_RUNNING && !is_one_of(row, own);
}

/* Notes an option that all parts of a report have, and whether graphs may depend on it. */
static void note_said(struct options *o, const struct option_row *row, const char *value)
{
    static const char *const of_pages[] = {"templates", "config", "date", NULL};

    if (!arguments_is_common(row))
        return;
    *vec_add(&o->words) =
        arena_printf(&o->memory, "--%s%s%s", row->name, value ? "=" : "", value ? value : "");
    if (!is_one_of(row, of_pages))
        o->said = arena_printf(&o->memory, "%s%s=%s\n", o->said ? o->said : "", row->name,
                               value ? value : "");
}

static bool set_or_tell(struct options *o, const struct option_row *row, const char *value,
                        struct diag *diag)
{
    struct buf why = {0};
    bool ok;

    ok = options_set(o, row, value, &why);
    if (ok) {
        options_mark_given(o, row);
        note_said(o, row, value);
    } else {
        diag_add(diag, DIAG_ERROR, DIAG_AT_FILE, "option --%s: %s", row->name, buf_string(&why));
    }
    buf_release(&why);
    return ok;
}

/* Returns the name of "--name=value". */
static const char *long_name(struct options *o, const char *word)
{
    struct slice name = slice_str(word + 2);

    return arena_strdup(&o->memory, slice_take(name, slice_find(name, '=')));
}

/* True for a word that is an option itself, and so hardly the value of the option before it. */
static bool is_option(struct options *o, const char *word)
{
    const struct option_row *row;

    if (word[0] != '-' || !word[1])
        return false;
    if (word[1] != '-')
        return !word[2] && find_letter(word[1], o->command);
    row = options_find(long_name(o, word), o->command);
    return row && (row->commands & o->command);
}

/* Returns the value of an option: the text after '=', or the next word. */
static bool take_value(struct options *o, const struct option_row *row, const char *attached,
                       int count, char *const *words, int *at, const char **value,
                       struct diag *diag)
{
    if (attached || !options_need_value(row)) {
        *value = attached;
        return true;
    }
    if (*at + 1 >= count)
        return diag_error(diag, "option --%s needs a value: %s", row->name, row->value);
    if (is_option(o, words[*at + 1]))
        return diag_error(diag,
                          "option --%s needs a value: %s; '%s' is an option (write --%s=%s if it "
                          "is the value)",
                          row->name, row->value, words[*at + 1], row->name, words[*at + 1]);
    *value = words[++*at];
    return true;
}

/*
 * Returns false after reporting a second base, which would replace the first one. A shell makes
 * several of `--baseline old.*`, of which all but one would be new runs.
 */
static bool check_base(const struct options *o, const struct option_row *row, const char *value,
                       struct diag *diag)
{
    return strcmp(row->name, "baseline") != 0 || !o->baseline ||
           diag_error(diag,
                      "option --baseline takes one BASE, got '%s' and '%s'; name a directory of "
                      "both, or run: flamepress diff BASE... --with NEW...",
                      o->baseline, value);
}

static bool parse_long(struct options *o, enum command_id command, int count, char *const *words,
                       int *at, struct diag *diag)
{
    struct slice word = slice_str(words[*at] + 2);
    size_t equals = slice_find(word, '=');
    const char *attached = equals < word.len ? word.ptr + equals + 1 : NULL;
    const char *name = long_name(o, words[*at]);
    const struct option_row *row = options_find(name, command);
    const char *value = NULL;

    if (!row)
        return unknown_option(name, command, diag);
    if (!(row->commands & command))
        return diag_error(diag, "option --%s is not for this command (see --help)", row->name);
    return take_value(o, row, attached, count, words, at, &value, diag) &&
           check_base(o, row, value, diag) && set_or_tell(o, row, value, diag);
}

static bool parse_short(struct options *o, enum command_id command, int count, char *const *words,
                        int *at, struct diag *diag)
{
    const char *word = words[*at];

    for (const char *letter = word + 1; *letter; letter++) {
        const struct option_row *row = find_letter(*letter, command);
        const char *value = NULL;

        if (!row)
            return diag_error(diag, "unknown option '-%c' in '%s' (see --help)", *letter, word);
        if (options_need_value(row))
            return take_value(o, row, letter[1] ? letter + 1 : NULL, count, words, at, &value,
                              diag) &&
                   set_or_tell(o, row, value, diag);
        if (!set_or_tell(o, row, NULL, diag))
            return false;
    }
    return true;
}

/* Adds an operand; `before` is the word before it. */
static bool add_operand(struct options *o, const char *word, const char *before, struct diag *diag)
{
    if (!*word)
        return diag_error(diag, "the name of an input is empty; is a variable of the shell unset?");
    if (o->baseline && before == o->baseline && o->paths.count)
        return diag_error(diag,
                          "'%s' after --baseline %s would be a new run: name new runs before the "
                          "option, and several earlier runs by their directory, or run: flamepress "
                          "diff BASE... --with NEW...",
                          word, o->baseline);
    *(o->news.count ? vec_add(&o->news) : vec_add(&o->paths)) = word;
    return true;
}

static size_t count_stdin(const struct strings *paths)
{
    size_t count = 0;

    vec_each (const char *const, path, paths)
        count += file_is_standard(*path);
    return count;
}

/* Returns false after reporting standard input as two inputs, of which the second is empty. */
static bool check_stdin(const struct options *o, struct diag *diag)
{
    size_t count = count_stdin(&o->paths) + count_stdin(&o->news) + file_is_standard(o->baseline);

    return count <= 1 || diag_error(diag,
                                    "standard input ('-') is named %zu times and can be read "
                                    "once",
                                    count);
}

/* A cluster's report needs a place that all its machines see, so only the user can name it. */
static void choose_output(struct options *o)
{
    if (o->command == COMMAND_REPORT && !o->outputs.count && !o->slurm)
        *vec_add(&o->outputs) = o->single_file ? "flamepress-report.html" : "flamepress-report";
}

bool arguments_parse(struct options *o, enum command_id command, int count, char *const *words,
                     struct diag *diag)
{
    bool only_paths = false;

    o->command = command;
    for (int i = 0; i < count; i++) {
        const char *word = words[i];
        bool ok = true;

        if (only_paths || word[0] != '-' || !word[1])
            ok = add_operand(o, word, i ? words[i - 1] : NULL, diag);
        else if (strcmp(word, "--") == 0)
            only_paths = true;
        else if (word[1] == '-')
            ok = parse_long(o, command, count, words, &i, diag);
        else
            ok = parse_short(o, command, count, words, &i, diag);
        if (!ok)
            return false;
    }
    if (!(command & (COMMAND_GRAPH | COMMAND_DIFF)) && o->outputs.count > 1)
        return diag_error(diag, "option --output: only graph and diff write several files");
    choose_output(o);
    options_apply_preset(o);
    return check_stdin(o, diag);
}
