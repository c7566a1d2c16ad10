/*
 * Docusaurus, which reads Markdown as MDX: '<' begins JSX, '{' JavaScript, and "import" a module.
 * https://docusaurus.io/docs/markdown-features/react
 */
#include "report/site.h"

static const char *const first_words[] = {"import", "export", NULL};

const struct site site_docusaurus = {
    .index = "index.md",
    .link = SITE_LINK_FILE,
    .fence = "---",
    .keys = site_keys_plain,
    .page_keys = site_keys_plain,
    .titled = true,
    .html_dark = true,
    .after = {" {#", "}"},
    .entities = "<{}",
    .escaped = ":",
    .first_words = first_words,
    .commentary_entities = "<{}:",
    .fenced_code = true,
    .copies_links = true,
    .copies_images = true,
    .list_end = "{/* end of list */}",
};
