/*
 * Jekyll, whose parser is kramdown. https://jekyllrb.com/docs/
 *
 * Liquid runs before Markdown is read, in code, too, and GitHub Pages has a version of Jekyll that
 * cannot be told to leave a page alone. So no text has a brace: entities replace them.
 */
#include "report/site.h"

static const struct site_key keys[] = {
    {"layout: default", SITE_LINE}, {"title: ", SITE_TITLE}, {"description: ", SITE_SUMMARY},
    {"date: ", SITE_DATE},          {"tags: ", SITE_TAGS},   {0},
};

const struct site site_jekyll = {
    .index = "index.md",
    .link = SITE_LINK_FOLDER,
    .fence = "---",
    .keys = keys,
    .page_keys = keys,
    .titled = true,
    .after = {"\n{: id=\"", "\"}"},
    .escaped = ":",
    .all_entities = true,
    .typographic = true,
    .html_code = "{|`\\",
    .commentary_entities = "<&{}|$:~",
};
