#include "report/list_page.h"

#include "assets/asset.h"
#include "base/die.h"
#include "report/display.h"

static const struct field head_fields[] = {
    RENDER_FIELD(TEXT, list_page, "generator", generator),
    RENDER_FIELD(TEXT, list_page, "title", title),
    RENDER_FIELD(TEXT, list_page, "root", root),
    RENDER_FIELD(TEXT, list_page, "style", style),
    RENDER_FIELD(TEXT, list_page, "feed", feed),
};
static const struct record head_record = RENDER_RECORD("the page", list_page, head_fields);

struct slice list_page_text(struct arena *memory, struct slice name)
{
    return display_text(memory, name, DISPLAY_NAME);
}

struct slice list_page_count(struct arena *memory, size_t count, const char *what)
{
    return slice_str(arena_printf(memory, "%zu %s%s", count, what, count == 1 ? "" : "s"));
}

void list_page_write(struct slice name, const struct list_page *head, struct scope content,
                     struct buf *out)
{
    const struct record *const records[] = {&head_record, content.record};
    struct templates templates;
    struct diag d = {0};
    const struct render page = {
        .templates = &templates,
        .language = RENDER_HTML,
        .scopes = {{&head_record, head}, content},
        .scope_count = 2,
    };

    if (!templates_init_lists(&templates, records, 2, &d) || !render_check(&page, name, &d) ||
        !render_template(&page, name, out, &d))
        BUG("templates/lists: %.*s", SLICE_ARG(d.messages.items[0].text));
    templates_release(&templates);
    diag_release(&d);
}

void list_page_style(struct buf *out)
{
    static const char *const parts[] = {"templates/page.css", "templates/trends.css"};

    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        struct slice part;

        if (asset_find(slice_str(parts[i]), &part))
            buf_add_slice(out, part);
    }
}
