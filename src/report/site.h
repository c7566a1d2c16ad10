/*
 * Site generators: programs that build web sites from Markdown (--site).
 *
 * Each generator expects its own front matter, reads its own dialect of Markdown
 * and finds pages and pictures by its own rules. A `struct site` describes them;
 * report/markdown.h escapes texts by it, report/pages.h makes links by it, and
 * the templates ask for its flags.
 *
 * To add a generator, add a file with its `struct site` and a row to REPORT_SITES.
 */
#ifndef REPORT_SITE_H
#define REPORT_SITE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/slice.h"
#include "base/vec.h"

/* The rows: constant, variable, and the value of --site. */
#define REPORT_SITES(row)                                                                          \
    row(HUGO, hugo, "hugo") row(MKDOCS, mkdocs, "mkdocs") row(SPHINX, sphinx, "sphinx")            \
        row(JEKYLL, jekyll, "jekyll") row(DOCUSAURUS, docusaurus, "docusaurus")                    \
            row(VITEPRESS, vitepress, "vitepress") row(ZOLA, zola, "zola")                         \
                row(GITHUB_WIKI, github_wiki, "github-wiki")                                       \
                    row(CONFLUENCE, confluence, "confluence")

#define SITE_ID(id, variable, word) REPORT_##id,
#define SITE_WORD(id, variable, word) " " word
#define SITE_EXTERN(id, variable, word) extern const struct site site_##variable;

/* Who reads the Markdown: a forge or an editor (beside the HTML page), or a site generator. */
enum report_site { REPORT_PAGE, REPORT_SITES(SITE_ID) REPORT_SITE_COUNT };

/* The values of --site, in the order of `enum report_site`. */
#define SITE_WORDS "none" REPORT_SITES(SITE_WORD)

/* What a line of the front matter contains. */
enum site_value {
    SITE_LINE, /* the key itself */
    SITE_TITLE,
    SITE_SUMMARY,
    SITE_DATE, /* left out unless it is a calendar date */
    SITE_TAGS, /* a list; left out if it is empty */
    SITE_WORDS_OF_TAGS,
    SITE_NAME, /* a name for an address: lower case, digits and hyphens */
};

/* A line of the front matter. `key` includes the separator: "title: ". */
struct site_key {
    const char *key; /* NULL ends the list */
    enum site_value value;
};

/* How links lead from the summary to the page of a graph. */
enum site_link {
    SITE_LINK_FILE,   /* pages/NAME/index.md */
    SITE_LINK_FOLDER, /* pages/NAME/ */
    SITE_LINK_LOWER,  /* pages/name/ */
    SITE_LINK_NAME,   /* pages/name-1a2b3c4d/, of SITE_NAME */
    SITE_LINK_FLAT,   /* PLACE-NAME: all pages are in one folder, whatever folder they are in */
};

/* A text for an anchor: `front`, the anchor, `end`. */
struct site_mark {
    const char *front, *end;
};

struct report;

struct site {
    const char *index;          /* the report's main text */
    const char *index_of_pages; /* if each graph has a page of its own; NULL: `index` */
    enum site_link link;

    /* Front matter. */
    const char *fence;                       /* the line before and after it; NULL: there is none */
    const struct site_key *keys, *page_keys; /* of the report and of a graph's page */

    /* What the text contains. */
    bool titled;      /* the title is a heading of level 1, too: the generator adds none */
    bool html_dark;   /* raw HTML may choose between a light and a dark picture */
    bool html_links;  /* links to a place in the page are raw HTML */
    bool own_anchors; /* anchors are "graph.NAME", not names */
    struct site_mark before, inside, after; /* anchors of a graph's heading; one is filled */

    /* Texts. Special characters get a backslash, except those in `entities`. */
    const char *entities;           /* characters that are written as entities */
    const char *escaped;            /* more special characters */
    const char *first;              /* characters that are special at the start of a text */
    const char *const *first_words; /* words that are special at the start, NULL-terminated */
    bool all_entities; /* every escaped character is an entity, but for '_' within a word */
    bool typographic;  /* the generator replaces quotes, dashes and dots */
    bool ticked_box;   /* [x] is a ticked box anywhere in a list */

    /* Code spans. */
    bool bars_in_code;       /* '|' in code ends no cell */
    bool entities_in_code;   /* what looks like an entity gets a semicolon, even in code */
    const char *html_code;   /* code with one of these characters is written as HTML */
    const char *const *live; /* texts that are expanded even in code, NULL-terminated */

    bool one_page; /* graphs cannot have pages of their own */
    /* Appends what the generator reads instead of the Markdown. NULL: the Markdown itself. */
    void (*convert)(const struct report *r, struct slice markdown, struct buf *out);

    /* A user's Markdown (report/commentary.h). */
    const char *commentary_entities; /* characters of text that are written as entities */
    bool fenced_code;                /* code blocks are fenced */
    bool copies_links;               /* files that links lead to are copied into the site */
    bool copies_images;              /* files that images show are copied into the site */
    const char *list_end;            /* between two lists, instead of an HTML comment */
};

/* Returns the description of a generator, or of plain Markdown for REPORT_PAGE. */
const struct site *site_of(enum report_site site);

REPORT_SITES(SITE_EXTERN)

/* Front matter of title, description, date and tags. */
extern const struct site_key site_keys_plain[];

/* What the front matter of a page says. */
struct site_front {
    struct slice title, summary, date, name;
    VEC(struct slice) tags;
};

/* Adds a tag made of `text`: lower case, digits and hyphens. Tags are distinct, and at most 12. */
void site_add_tag(struct site_front *front, struct arena *memory, struct slice text);

/* Appends the front matter by `keys`, a list of `site`, with its fences. */
void site_write_front(const struct site *site, const struct site_key *keys,
                      const struct site_front *front, struct buf *out);

/* Appends a name for addresses: that of a graph in lower case, with a hash if that changes it. */
void site_write_name(struct slice name, struct buf *out);

#endif
