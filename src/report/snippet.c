#include "report/snippet.h"

#include <string.h>

#include "report/markdown.h"

enum { ROWS = 5 };

static void write_picture(const struct snippet *s, struct buf *out)
{
    if (s->link.len)
        buf_add_char(out, '[');
    buf_add_str(out, "![");
    markdown_escape(out, s->graph->alt, REPORT_PAGE, MARKDOWN_INERT);
    buf_add_str(out, "](");
    markdown_address(out, s->picture);
    buf_add_char(out, ')');
    if (s->link.len) {
        buf_add_str(out, "](");
        markdown_address(out, s->link);
        buf_add_char(out, ')');
    }
    buf_add_str(out, "\n");
}

static void write_row(const struct report_function *f, bool differential, struct buf *out)
{
    buf_add_str(out, "| ");
    markdown_escape(out, f->shown, REPORT_PAGE, MARKDOWN_CODE_TABLE);
    buf_printf(out, " | %.*s %%", SLICE_ARG(f->self.percent));
    if (differential)
        buf_printf(out, " | %.*s", SLICE_ARG(f->self.difference));
    buf_printf(out, " | %.*s %% |\n", SLICE_ARG(f->total.percent));
}

static void write_functions(const struct report_graph *g, struct buf *out)
{
    if (!g->by_self.count)
        return;
    buf_add_str(out, "\n| Function | Self |");
    if (g->differential)
        buf_printf(out, " Change (%.*s) |", SLICE_ARG(g->unit));
    buf_add_str(out, " Total |\n| :--- | ---: |");
    buf_add_str(out, g->differential ? " ---: |" : "");
    buf_add_str(out, " ---: |\n");
    for (size_t i = 0; i < g->by_self.count && i < ROWS; i++)
        write_row(&g->by_self.items[i], g->differential, out);
}

void snippet_write(const struct snippet *s, struct buf *out)
{
    write_picture(s, out);
    write_functions(s->graph, out);
    if (s->command.len) {
        buf_add_str(out, "\nInteractive graph: ");
        markdown_escape(out, s->command, REPORT_PAGE, MARKDOWN_CODE);
        buf_add_char(out, '\n');
    }
}
