/*
 * The wiki of a repository on GitHub. https://docs.github.com/en/communities
 *
 * All pages of a wiki are in one namespace, whatever folder they are in, and links to files begin
 * at the root of the wiki. So pages and links begin with the name of the report's directory, which
 * belongs into the root. A wiki has no front matter.
 */
#include "report/site.h"

const struct site site_github_wiki = {
    .link = SITE_LINK_FLAT,
    .titled = true,
    .html_dark = true,
};
