#include "cli/implied.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/arguments.h"
#include "cli/picture_texts.h"
#include "convert/writer.h"
#include "output/writer.h"

static const struct command *find(enum command_id id)
{
    const struct command *c = commands;

    while (c->id != id)
        c++;
    return c;
}

/* Returns the command that writes a file of that name. A directory can only be a report. */
static enum command_id command_of_output(const char *path)
{
    struct slice name = slice_str(path);

    if (file_kind(path) == FILE_DIRECTORY)
        return COMMAND_REPORT;
    if (writer_for_path(name) || picture_texts_takes(path))
        return COMMAND_GRAPH;
    return convert_writer_for_path(name) ? COMMAND_CONVERT : COMMAND_REPORT;
}

/* True for a pipe or a file; a job without input has /dev/null. */
static bool is_input_redirected(void)
{
    struct stat st;

    return fstat(STDIN_FILENO, &st) == 0 &&
           (S_ISFIFO(st.st_mode) || S_ISREG(st.st_mode) || S_ISSOCK(st.st_mode));
}

const struct command *implied_command(int count, char *const *words)
{
    const unsigned candidates = COMMAND_REPORT | COMMAND_GRAPH | COMMAND_CONVERT;
    enum command_id id = COMMAND_REPORT;
    struct options o;
    struct diag unused; /* the words are read again, for the command */

    options_init(&o);
    diag_init(&unused, SLICE(""));
    if (arguments_parse(&o, (enum command_id)candidates, count, words, &unused)) {
        if (options_output(&o))
            id = command_of_output(options_output(&o));
        else if (!o.paths.count && !o.outputs.count && is_input_redirected())
            id = COMMAND_GRAPH;
    }
    diag_release(&unused);
    options_release(&o);
    return find(id);
}

bool implied_check(struct options *o, struct diag *diag)
{
    const char *path = options_output(o);
    enum command_id id;

    if (o->command != COMMAND_REPORT || !path)
        return true;
    id = command_of_output(path);
    if (id != COMMAND_REPORT)
        return diag_error(diag,
                          "option --output: a report is a directory, and '%s' is the name of a "
                          "file; name another, or run: flamepress %s [FILE...] -o %s",
                          path, find(id)->name, path);
    o->single_file |=
        slice_ends(slice_str(path), SLICE(".html")) && file_kind(path) != FILE_DIRECTORY;
    return true;
}
