#include "report/plain_page.h"

#include "assets/asset.h"
#include "base/arena.h"
#include "report/display.h"
#include "report/html.h"

void plain_page_add_text(struct buf *out, struct slice text)
{
    struct arena memory = {0};

    html_escape(out, display_text(&memory, text, DISPLAY_NAME));
    arena_release(&memory);
}

static void add_style(const struct plain_page *page, struct buf *out)
{
    if (page->style_file) {
        buf_printf(out, "<link rel=\"stylesheet\" href=\"%s%s\">\n", page->root, page->style_file);
        return;
    }
    buf_add_str(out, "<style>\n");
    plain_page_add_style(out);
    buf_add_str(out, "</style>\n");
}

void plain_page_open(const struct plain_page *page, struct buf *out)
{
    buf_add_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n"
                     "<meta name=\"generator\" content=\"");
    plain_page_add_text(out, page->generator);
    buf_add_str(out, "\">\n<title>");
    plain_page_add_text(out, page->title);
    buf_add_str(out, "</title>\n");
    add_style(page, out);
    buf_printf(out,
               "<link rel=\"alternate\" type=\"application/atom+xml\" title=\"%s\" "
               "href=\"%sfeed.xml\">\n</head>\n<body>\n<main>\n<h1>",
               page->feed, page->root);
    plain_page_add_text(out, page->title);
    buf_add_str(out, "</h1>\n");
}

void plain_page_close(struct buf *out)
{
    buf_add_str(out, "</main>\n</body>\n</html>\n");
}

void plain_page_open_table(const char *label, const char *const *heads, size_t count,
                           struct buf *out)
{
    buf_printf(out,
               "<div class=\"scroll\" role=\"region\" aria-label=\"%s\" tabindex=\"0\">\n<table>\n"
               "<thead>\n<tr>",
               label);
    for (size_t i = 0; i < count; i++)
        buf_printf(out, "<th scope=\"col\"%s>%s</th>",
                   heads[i][0] == '#' ? " class=\"number\"" : "", heads[i] + (heads[i][0] == '#'));
    buf_add_str(out, "</tr>\n</thead>\n<tbody>\n");
}

void plain_page_close_table(struct buf *out)
{
    buf_add_str(out, "</tbody>\n</table>\n</div>\n");
}

void plain_page_add_style(struct buf *out)
{
    static const char *const parts[] = {"templates/page.css", "templates/trends.css"};

    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        struct slice part;

        if (asset_find(slice_str(parts[i]), &part))
            buf_add_slice(out, part);
    }
}
