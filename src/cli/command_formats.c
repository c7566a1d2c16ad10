#include "cli/command.h"

#include <string.h>

#include "base/suggest.h"
#include "cli/find_digest.h"
#include "cli/sink.h"
#include "input/refused.h"
#include "input/registry.h"

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(const struct format *const *)a)->name,
                  (*(const struct format *const *)b)->name);
}

static void write_format(struct buf *out, const struct format *f)
{
    buf_printf(out, "\n  %s: %s\n    recognised by: %s\n    recorded with: %s\n", f->name,
               f->description, f->recognised, f->example);
}

static void write_family(struct buf *out, const struct format *const *sorted,
                         enum format_family family)
{
    buf_printf(out, "%s\n", registry_family_title(family));
    for (size_t i = 0; i < registry_count; i++)
        if (sorted[i]->family == family)
            write_format(out, sorted[i]);
    buf_add_char(out, '\n');
}

/* Lists the formats that are recognised and refused, each hint once. */
static void write_refusals(struct buf *out)
{
    const char *hint, *last = "";

    buf_add_str(out, "Recognised and refused\n\n");
    for (size_t i = 0; (hint = refused_hints(i)); last = hint, i++)
        if (strcmp(hint, last) != 0)
            buf_printf(out, "  %s\n", hint);
}

static void write_all(struct buf *out)
{
    const struct format **sorted = xreallocarray(NULL, registry_count, sizeof(*sorted));

    memcpy(sorted, registry_formats, registry_count * sizeof(*sorted));
    qsort(sorted, registry_count, sizeof(*sorted), compare_names);
    for (enum format_family family = FORMAT_ANY; family < FORMAT_FAMILIES; family++)
        write_family(out, sorted, family);
    write_refusals(out);
    buf_add_str(out,
                "\nAny of them may be compressed with gzip, zstd, xz, lz4 or bzip2; the content "
                "decides, never the name.\n");
    free(sorted);
}

/* Writes the format called `name`. Returns false after reporting that there is none. */
static bool write_named(struct buf *out, const char *name, struct console *console)
{
    struct suggest near;
    struct buf hint = {0};

    suggest_init(&near, name);
    for (size_t i = 0; i < registry_count; i++) {
        if (strcmp(registry_formats[i]->name, name) == 0) {
            write_format(out, registry_formats[i]);
            return true;
        }
        suggest_offer(&near, registry_formats[i]->name);
    }
    suggest_write(&near, "", &hint);
    console_error(console, "no input format is called '%s' ('flamepress formats' lists all)%s",
                  name, buf_string(&hint));
    buf_release(&hint);
    return false;
}

void command_formats(const struct command_job *job)
{
    struct buf text = {0};

    if (job->options->digest) {
        find_digest(job);
        return;
    }
    if (!job->options->paths.count)
        write_all(&text);
    vec_each (const char *, name, &job->options->paths)
        job->outcome->usage |= !write_named(&text, *name, job->console);
    if (!job->outcome->usage)
        job->outcome->written = sink_write(job->console, NULL, buf_slice(&text)) != SINK_FAILED;
    buf_release(&text);
}
