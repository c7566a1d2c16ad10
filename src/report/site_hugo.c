/* Hugo: page bundles, with raw HTML dropped. https://gohugo.io/content-management/ */
#include "report/site.h"

static const struct site_key keys[] = {
    {"title: ", SITE_TITLE}, {"description: ", SITE_SUMMARY}, {"summary: ", SITE_SUMMARY},
    {"date: ", SITE_DATE},   {"tags: ", SITE_TAGS},           {0},
};

/* Shortcodes and the divider of summaries are expanded wherever they are, in code, too. */
static const char *const live[] = {"{{<", "{{%", "<!--more-->", NULL};

const struct site site_hugo = {
    .index = "index.md",
    /* A directory with pages below it is a branch bundle. */
    .index_of_pages = "_index.md",
    .link = SITE_LINK_LOWER,
    .fence = "---",
    .keys = keys,
    .page_keys = keys,
    .after = {" {#", "}"},
    .typographic = true,
    .ticked_box = true,
    .live = live,
    .commentary_entities = "{",
};
