/*
 * VitePress, which makes Vue components of Markdown. https://vitepress.dev/guide/markdown
 *
 * Text is in containers called v-pre, where Vue expands nothing. A file is part of the site if a
 * page imports it, so each page imports its pictures (templates/report.mustache).
 */
#include "report/site.h"

static const struct site_key keys[] = {
    {"title: ", SITE_TITLE}, {"description: ", SITE_SUMMARY}, {"date: ", SITE_DATE},
    {"tags: ", SITE_TAGS},   {"outline: [2, 3]", SITE_LINE},  {0},
};

/* The end of the container, and files that are included before Markdown is parsed. */
static const char *const live[] = {"::::", "<!--", NULL};

const struct site site_vitepress = {
    .index = "index.md",
    .link = SITE_LINK_FILE,
    .fence = "---",
    .keys = keys,
    .page_keys = keys,
    .titled = true,
    .after = {" {id=\"", "\"}"},
    .entities = "<{}",
    .escaped = ":",
    .commentary_entities = "<{}:",
    .live = live,
    .fenced_code = true,
    .copies_images = true,
};
