#include "cli/report_graph.h"

#include "base/utf8.h"
#include "batch/inputs.h"

/* "graphs/a.runs.zst, graphs/b.runs.zst and 7 others". */
static void add_files(struct buf *out, const struct inputs *in)
{
    enum { MOST = 20 };
    size_t count = in->items.count, listed = count > MOST ? MOST : count;

    for (size_t i = 0; i < listed; i++) {
        buf_add_str(out, i == 0 ? "" : i + 1 < count ? ", " : " and ");
        utf8_add_escaped(out, slice_str(in->items.items[i].shown));
    }
    if (count > listed)
        buf_printf(out, " and %zu other%s", count - listed, count - listed == 1 ? "" : "s");
}

static bool choose_file(const struct inputs *in, struct arena *memory, const char **file,
                        struct diag *diag)
{
    struct buf files = {0};

    if (!in->items.count)
        return diag_error(diag, "this report has no graph that can be read: it keeps neither runs "
                                "nor SVGs (graphs/*.runs.zst, graphs/*.svg)");
    if (in->items.count == 1) {
        *file = arena_strdup(memory, slice_str(in->items.items[0].path));
        return true;
    }
    add_files(&files, in);
    diag_error(diag, "this report has %zu graphs; name the file of one: %s", in->items.count,
               buf_string(&files));
    buf_release(&files);
    return false;
}

bool report_graph_find(const char *path, struct arena *memory, const char **file, struct diag *diag)
{
    struct inputs in;
    bool ok;

    *file = path;
    if (!inputs_is_report(path))
        return true;
    ok = inputs_init(&in, &path, 1, &(struct inputs_options){0}, diag) &&
         choose_file(&in, memory, file, diag);
    inputs_release(&in);
    return ok;
}
