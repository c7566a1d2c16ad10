/*
 * MkDocs, whose parser is Python-Markdown. https://www.mkdocs.org/user-guide/writing-your-docs/
 *
 * Plugins that many sites have expand templates (mkdocs-macros) and include files (Snippets) before
 * Markdown is parsed. With Python 3.13, Python-Markdown 3.7 looks for HTML before it looks for
 * code: a page is cut at the start of an end tag in code, and at that of a comment it hangs.
 */
#include "report/site.h"

static const char *const live[] = {"{{", "{%", "{#", "--8<--", "<!--", "</", NULL};

const struct site site_mkdocs = {
    .index = "index.md",
    .link = SITE_LINK_FILE,
    .fence = "---",
    .keys = site_keys_plain,
    .page_keys = site_keys_plain,
    .titled = true,
    .html_dark = true,
    .own_anchors = true,
    .inside = {"<a id=\"", "\"></a>"},
    .all_entities = true,
    .bars_in_code = true,
    .entities_in_code = true,
    .live = live,
    .commentary_entities = "<&{}",
};
