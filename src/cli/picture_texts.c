#include "cli/picture_texts.h"

#include <string.h>

#include "base/file.h"
#include "base/name_list.h"
#include "base/shell.h"
#include "cli/sink.h"
#include "options/table.h"
#include "report/snippet.h"

#define ENDING ".md"

bool picture_texts_takes(const char *path)
{
    return path && strlen(path) > strlen(ENDING) && slice_ends(slice_str(path), SLICE(ENDING));
}

static void write_names(const struct strings *paths, struct buf *out)
{
    struct name_list names = {.out = out, .most = 2};

    for (size_t i = 0; i < paths->count; i++)
        if (!file_is_standard(paths->items[i]))
            name_list_add(&names, file_name_of(slice_str(paths->items[i])));
        else
            name_list_add(&names, SLICE("standard input"));
    name_list_end(&names);
}

/* Writes the names of two files so that they differ, if their paths do. */
static void write_two_names(const char *base, const char *new, struct buf *out)
{
    struct slice before = slice_str(base), after = slice_str(new);

    file_names_apart(&before, &after);
    if (file_is_standard(base))
        before = SLICE("standard input");
    if (file_is_standard(new))
        after = SLICE("standard input");
    buf_printf(out, "%.*s against %.*s", SLICE_ARG(after), SLICE_ARG(before));
}

void picture_texts_name(const struct options *o, struct buf *out)
{
    const struct strings *paths = &o->paths, *news = &o->news;

    if (paths->count == 1 && news->count == 1) {
        write_two_names(paths->items[0], news->items[0], out);
    } else if (news->count) {
        write_names(news, out);
        buf_add_str(out, " against ");
        write_names(paths, out);
    } else if (o->command == COMMAND_DIFF && paths->count == 2) {
        write_two_names(paths->items[0], paths->items[1], out);
    } else if (paths->count) {
        write_names(paths, out);
    } else {
        buf_add_str(out, "standard input");
    }
}

struct slice picture_texts_address(const char *picture, const char *from, struct arena *memory)
{
    size_t same = 0;
    struct buf address = {0};
    struct slice result;

    if (*picture == '/' && *from != '/')
        return slice_str(picture);
    for (size_t i = 0; picture[i] && picture[i] == from[i]; i++)
        if (picture[i] == '/')
            same = i + 1;
    for (const char *p = from + same; *p; p++)
        if (*p == '/' && p[1] != '/')
            buf_add_str(&address, "../");
    buf_add_str(&address, picture + same);
    result = arena_copy(memory, buf_slice(&address));
    buf_release(&address);
    return result;
}

/* Options of a still picture, which the interactive graph does without; --with comes last. */
static bool is_left_out(const char *word)
{
    static const char *const options[] = {"--preset",      "--width", "--max-height",
                                          "--pixel-ratio", "--alt",   "--label-percent",
                                          "--link",        "--with",  "--format"};
    size_t length = strcspn(word, "=");

    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
        if (strlen(options[i]) == length && strncmp(options[i], word, length) == 0)
            return true;
    return false;
}

/* Appends the command that draws the graph as an SVG; nothing if it was read from a pipe. */
static void write_command(const struct command_job *job, const char *snippet, struct buf *out)
{
    const struct options *o = job->options;
    struct slice stem = file_name_of(slice_str(snippet));
    struct buf svg = {0};

    if (!o->paths.count)
        return;
    vec_each (const char *const, path, &o->paths)
        if (file_is_standard(*path))
            return;
    buf_printf(&svg, "%.*s.svg", (int)(stem.len - strlen(ENDING)), stem.ptr);
    buf_add_str(out, o->command == COMMAND_DIFF ? "flamepress diff" : "flamepress graph");
    vec_each (const char *const, word, &o->words)
        if (!is_left_out(*word))
            shell_add_word(out, *word);
    vec_each (const char *const, path, &o->paths)
        shell_add_word(out, *path);
    if (o->news.count)
        buf_add_str(out, " --with");
    vec_each (const char *const, path, &o->news)
        shell_add_word(out, *path);
    buf_add_str(out, " -o");
    shell_add_word(out, buf_string(&svg));
    buf_release(&svg);
}

static bool write_snippet(const struct command_job *job, const struct report_graph *graph,
                          const char *picture, const char *svg, const char *path)
{
    struct arena memory = {0};
    struct buf text = {0}, command = {0};
    struct snippet s = {.graph = graph, .picture = picture_texts_address(picture, path, &memory)};
    bool ok;

    if (job->options->link)
        s.link = slice_str(job->options->link);
    else if (svg)
        s.link = picture_texts_address(svg, path, &memory);
    write_command(job, path, &command);
    s.command = buf_slice(&command);
    snippet_write(&s, &text);
    ok = sink_write(job->console, path, buf_slice(&text)) != SINK_FAILED;
    buf_release(&command);
    buf_release(&text);
    arena_release(&memory);
    return ok;
}

static bool write_alt(const struct command_job *job, const struct report_graph *graph)
{
    const char *path = file_is_standard(job->options->alt) ? NULL : job->options->alt;
    struct buf text = {0};
    bool ok;

    buf_printf(&text, "%.*s\n", SLICE_ARG(graph->alt));
    ok = sink_write(job->console, path, buf_slice(&text)) != SINK_FAILED;
    buf_release(&text);
    return ok;
}

bool picture_texts_write(const struct command_job *job, const struct strings *snippets,
                         const struct report_graph *graph, const char *picture, const char *svg)
{
    bool ok = true;

    vec_each (const char *const, path, snippets)
        ok &= write_snippet(job, graph, picture, svg, *path);
    return (!job->options->alt || write_alt(job, graph)) && ok;
}
