/*
 * Sphinx with MyST-Parser: CommonMark with roles and directives.
 * https://myst-parser.readthedocs.io/
 *
 * Links to a place in the page are HTML, because MyST looks for such places among the labels of
 * the whole project. A picture that has a width links to its file (templates/picture.md.mustache).
 */
#include "report/site.h"

static const struct site_key keys[] = {
    {"title: ", SITE_TITLE},
    {"date: ", SITE_DATE},
    {"tags: ", SITE_TAGS},
    {"myst:\n  html_meta:", SITE_LINE},
    {"    \"description\": ", SITE_SUMMARY},
    {"    \"keywords\": ", SITE_WORDS_OF_TAGS},
    {0},
};

const struct site site_sphinx = {
    .index = "index.md",
    .link = SITE_LINK_FILE,
    .fence = "---",
    .keys = keys,
    .page_keys = keys,
    .titled = true,
    .html_links = true,
    .own_anchors = true,
    .before = {"<a id=\"", "\"></a>\n\n"},
    .first = "%(:",
    .commentary_entities = "{}%=:$",
    .copies_links = true,
    .copies_images = true,
};
