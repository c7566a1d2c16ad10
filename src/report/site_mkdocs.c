/* MkDocs, whose parser is Python-Markdown. https://www.mkdocs.org/user-guide/writing-your-docs/ */
#include "report/site.h"

static const struct site_key keys[] = {
    {"title: ", SITE_TITLE},
    {"description: ", SITE_SUMMARY},
    {"date: ", SITE_DATE},
    {"tags: ", SITE_TAGS},
    {0},
};

const struct site site_mkdocs = {
    .index = "index.md",
    .link = SITE_LINK_FILE,
    .fence = "---",
    .keys = keys,
    .page_keys = keys,
    .titled = true,
    .html_dark = true,
    .own_anchors = true,
    .inside = {"<a id=\"", "\"></a>"},
    .all_entities = true,
    .bars_in_code = true,
    .entities_in_code = true,
    .commentary_entities = "<&",
};
