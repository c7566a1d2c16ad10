#include "cli/command.h"

#include <string.h>

#include "cli/sink.h"
#include "input/refused.h"
#include "input/registry.h"

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(const struct format *const *)a)->name,
                  (*(const struct format *const *)b)->name);
}

static void write_family(struct buf *out, const struct format *const *sorted,
                         enum format_family family)
{
    buf_printf(out, "%s\n", registry_family_title(family));
    for (size_t i = 0; i < registry_count; i++) {
        const struct format *f = sorted[i];

        if (f->family == family)
            buf_printf(out, "\n  %s: %s\n    recognised by: %s\n    recorded with: %s\n", f->name,
                       f->description, f->recognised, f->example);
    }
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

void command_formats(const struct options *o, struct console *console, struct outcome *outcome)
{
    const struct format **sorted = xreallocarray(NULL, registry_count, sizeof(*sorted));
    struct buf text;

    (void)o;
    buf_init(&text);
    memcpy(sorted, registry_formats, registry_count * sizeof(*sorted));
    qsort(sorted, registry_count, sizeof(*sorted), compare_names);
    for (enum format_family family = FORMAT_ANY; family < FORMAT_FAMILIES; family++)
        write_family(&text, sorted, family);
    write_refusals(&text);
    buf_add_str(&text, "\nAny of them may be compressed with gzip, zstd, xz or bzip2; the content "
                       "decides, never the name.\n");
    outcome->written = sink_write(console, NULL, buf_slice(&text)) != SINK_FAILED;
    buf_release(&text);
    free(sorted);
}
