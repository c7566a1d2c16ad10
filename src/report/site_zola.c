/*
 * Zola: sections and pages with front matter in TOML. https://www.getzola.org/documentation/
 *
 * Tags are in [extra], because a taxonomy that the site does not define is an error. A page of a
 * graph has a slug: Zola would make one of its directory, in which '.' and '_' become hyphens.
 */
#include "report/site.h"

static const struct site_key keys[] = {
    {"title = ", SITE_TITLE}, {"description = ", SITE_SUMMARY}, {"date = ", SITE_DATE},
    {"[extra]", SITE_LINE},   {"tags = ", SITE_TAGS},           {0},
};

static const struct site_key page_keys[] = {
    {"title = ", SITE_TITLE},
    {"description = ", SITE_SUMMARY},
    {"date = ", SITE_DATE},
    {"slug = ", SITE_NAME},
    {"[extra]", SITE_LINE},
    {"tags = ", SITE_TAGS},
    {0},
};

const struct site site_zola = {
    .index = "index.md",
    .index_of_pages = "_index.md",
    .link = SITE_LINK_NAME,
    .fence = "+++",
    .keys = keys,
    .page_keys = page_keys,
    .after = {" {#", "}"},
    .entities = "{}",
    .html_code = "{",
    .commentary_entities = "{}",
};
