#include "report/report.h"

#include "base/ascii.h"
#include "base/date.h"
#include "report/commentary.h"
#include "report/display.h"
#include "report/markdown.h"

/* Headings of the templates, which come before or inside the graphs. */
static const char *const fixed_headings[] = {
    "Summary",           "Findings",           "Failures", "Skipped files", "Incomplete files",
    "Functions by self", "Functions by total", "Searches", "Not shown",     "Runs",
};

/* The most characters shown of why a file is no profile, and of a message. */
enum { REASON = 200, MESSAGE = 1000 };

/* Returns the anchor of the next heading with that text, numbered as GitHub numbers anchors. */
static struct slice add_anchor(struct report *r, struct arena *memory, struct slice heading)
{
    struct slice anchor;
    struct buf text = {0};
    size_t plain;

    markdown_anchor(&text, heading);
    plain = text.len;
    for (uint64_t n = 1; intern_find(&r->anchors, buf_slice(&text)) != MAP_NONE; n++) {
        text.len = plain;
        buf_add_char(&text, '-');
        buf_add_u64(&text, n);
    }
    intern_add(&r->anchors, buf_slice(&text));
    anchor = arena_copy(memory, buf_slice(&text));
    buf_release(&text);
    return anchor;
}

static void add_anchors(struct report *r, struct slice headings)
{
    struct slice heading;

    while (slice_line(&headings, &heading))
        add_anchor(r, &r->memory, heading);
}

void report_init(struct report *r, struct slice title, struct slice version, struct slice date)
{
    *r = (struct report){0};
    r->title = display_text(&r->memory, title, DISPLAY_NAME);
    r->version = display_text(&r->memory, version, DISPLAY_NAME);
    r->date = display_text(&r->memory, date, DISPLAY_NAME);
    if (date_is_day(r->date))
        r->calendar_date = r->date;
    report_set_site(r, REPORT_PAGE, false);
}

void report_set_site(struct report *r, enum report_site site, bool dark_images)
{
    r->is_site[r->site] = false;
    r->site = site;
    r->is_site[site] = true;
    r->titled = site_of(site)->titled;
    r->html_links = site_of(site)->html_links;
    r->svg_images = dark_images && !site_of(site)->html_dark;
}

void report_set_place(struct report *r, struct slice directory)
{
    struct buf name = {0};

    while (directory.len && directory.ptr[directory.len - 1] == '/')
        directory.len--;
    for (size_t at; (at = slice_find(directory, '/')) < directory.len;)
        directory = slice_skip(directory, at + 1);
    for (size_t i = 0; i < directory.len; i++) {
        char c = ascii_lower(directory.ptr[i]);
        bool plain = ascii_is_small(c) || ascii_is_digit(c) || (c && memchr("-._", c, 3));

        buf_add_char(&name, plain ? directory.ptr[i] : '-');
    }
    r->place = arena_copy(&r->memory, directory);
    r->place_name = arena_copy(&r->memory, buf_slice(&name));
    r->place_index = slice_str(arena_printf(&r->memory, "%s.md", buf_string(&name)));
    buf_release(&name);
}

void report_set_comparison(struct report *r, const struct comparison *c)
{
    report_changes_init(&r->comparison, c, &r->memory);
    add_anchor(r, &r->memory, SLICE("Comparison"));
}

void report_release(struct report *r)
{
    report_changes_release(&r->comparison);
    release_all(r, vec, searches, findings);
    vec_each (struct report_graph, g, &r->graphs)
        report_graph_release(g);
    vec_release(&r->graphs);
    vec_each (struct report_failure, f, &r->failures)
        vec_release(&f->messages);
    vec_release(&r->failures);
    vec_each (struct report_incomplete, i, &r->incomplete)
        vec_release(&i->omissions);
    release_all(r, vec, incomplete, unrecognised);
    intern_release(&r->anchors);
    arena_release(&r->memory);
}

void report_set_introduction(struct report *r, struct slice markdown, struct diag *d)
{
    struct commentary c;

    commentary_read(&c, markdown, 2, &r->memory, d);
    if (!r->title.len)
        r->title = c.heading;
    r->introduction = c.markdown;
    add_anchors(r, c.headings);
}

void report_set_subtitle(struct report *r, struct slice subtitle)
{
    r->subtitle = display_text(&r->memory, subtitle, DISPLAY_NAME);
}

void report_set_missing_glyphs(struct report *r, const uint32_t *characters, size_t count)
{
    enum { NAMED = 20 };
    struct buf text = {0};

    for (size_t i = 0; i < count && i < NAMED; i++)
        buf_printf(&text, "%sU+%04X", i ? " " : "", (unsigned)characters[i]);
    if (count > NAMED)
        buf_printf(&text, " and %zu more", count - NAMED);
    r->missing_glyphs = arena_copy(&r->memory, buf_slice(&text));
    buf_release(&text);
}

void report_add_search(struct report *r, struct slice name, struct slice pattern, bool ignore_case)
{
    *vec_add(&r->searches) = (struct report_search){
        display_text(&r->memory, name, DISPLAY_NAME),
        display_text(&r->memory, pattern, DISPLAY_NAME),
        arena_copy(&r->memory, pattern),
        ignore_case,
    };
}

/* A commentary is about an input: of its graphs only the first one shows it. */
static void share_commentary(const struct report *r, struct report_graph *g)
{
    for (size_t i = r->graphs.count; g->commentary.len && i-- > 0;) {
        const struct report_graph *other = &r->graphs.items[i];

        if (!slice_equal(other->source, g->source))
            return;
        if (!slice_equal(other->commentary, g->commentary))
            continue;
        g->notes_title = arena_copy(&g->memory, other->title);
        g->notes_name = arena_copy(&g->memory, other->name);
        g->notes_anchor = arena_copy(&g->memory, other->anchor);
        g->commentary = g->headings = slice_make(NULL, 0);
    }
}

/*
 * Returns the graph's anchor in Markdown. GitHub makes it from the title. For Hugo it is the name,
 * as in the HTML page; for other generators it is one that no heading can get.
 */
static struct slice graph_anchor(struct report *r, struct report_graph *g)
{
    const struct site *site = site_of(r->site);

    if (site->own_anchors)
        return slice_str(arena_printf(&g->memory, "graph.%.*s", SLICE_ARG(g->name)));
    return add_anchor(r, &g->memory, site->after.front ? g->name : g->title);
}

/* Moves what is missing from the input of a graph into the report, once for all its graphs. */
static void add_incomplete(struct report *r, struct report_graph *g)
{
    vec_each (struct report_incomplete, known, &r->incomplete)
        if (slice_equal(known->path, g->source))
            return;
    if (!g->file_omissions.count)
        return;
    *vec_add(&r->incomplete) = (struct report_incomplete){g->source, g->file_omissions};
    g->file_omissions = (struct report_omissions){0};
}

void report_expect_graphs(struct report *r, size_t count)
{
    vec_reserve(&r->graphs, count);
}

void report_add_graph(struct report *r, struct report_graph *g)
{
    if (!r->graphs.count) {
        add_anchor(r, &r->memory, r->title);
        for (size_t i = 0; i < sizeof(fixed_headings) / sizeof(*fixed_headings); i++)
            add_anchor(r, &r->memory, slice_str(fixed_headings[i]));
        r->small_anchor = add_anchor(r, &r->memory, SLICE("Small graphs"));
    }
    g->anchor = graph_anchor(r, g);
    report_changes_link(&r->comparison, g);
    share_commentary(r, g);
    add_anchors(r, g->headings);
    add_incomplete(r, g);
    *vec_add(&r->graphs) = *g;
    *g = (struct report_graph){0};
}

/* ---- after all graphs ------------------------------------------------------------------------ */

void report_fill_front(const struct report *r, struct arena *memory, struct site_front *front)
{
    *front = (struct site_front){
        .title = r->title.len ? r->title : SLICE("Flame graphs"),
        .summary = r->subtitle.len ? r->subtitle : r->measured,
        .date = r->calendar_date,
    };
    site_add_tag(front, memory, SLICE("flame graphs"));
    vec_each (const struct report_graph, g, &r->graphs)
        report_graph_add_tags(g, front, memory);
}

void report_add_front_matter(struct report *r)
{
    const struct site *site = site_of(r->site);
    struct site_front front;
    struct buf text = {0};

    report_fill_front(r, &r->memory, &front);
    site_write_front(site, site->keys, &front, &text);
    r->front_matter = arena_copy(&r->memory, buf_slice(&text));
    buf_release(&text);
    vec_release(&front.tags);
}

void report_graph_add_tags(const struct report_graph *g, struct site_front *front,
                           struct arena *memory)
{
    site_add_tag(front, memory, g->event);
    site_add_tag(front, memory, g->kind);
}

static bool is_small(const struct report_graph *g, unsigned samples)
{
    return g->samples && g->samples < samples && !g->differential && !g->commentary.len;
}

void report_fold_small_graphs(struct report *r, unsigned samples)
{
    size_t small = 0, others = 0;

    vec_each (const struct report_graph, g, &r->graphs) {
        small += is_small(g, samples);
        others += is_small(g, samples) && !slice_equal(g->records, unit_samples.noun);
    }
    if (!small || small == r->graphs.count)
        return;
    r->small_graphs =
        slice_str(arena_printf(&r->memory, "%zu graph%s of fewer than %u %s", small,
                               small == 1 ? "" : "s", samples, others ? "records" : "samples"));
    vec_each (struct report_graph, g, &r->graphs) {
        g->is_small = is_small(g, samples);
        if (!g->is_small)
            continue;
        g->anchor = r->small_anchor;
        vec_each (struct report_verdict, row, &r->comparison.services)
            if (slice_equal(row->graph_name, g->name))
                row->graph_anchor = g->anchor;
    }
}

void report_add_failure(struct report *r, struct slice path, const struct diag *d)
{
    struct report_failure *failure = vec_add(&r->failures);
    struct diag bare = *d; /* a borrowed copy, without the path, which is shown apart */
    struct buf text = {0};

    *failure = (struct report_failure){.path = display_text(&r->memory, path, DISPLAY_NAME)};
    bare.path = slice_make(NULL, 0);
    diag_write(&bare, &text, false);
    for (struct slice rest = buf_slice(&text), line; slice_line(&rest, &line);)
        if (!slice_starts(line, SLICE("note: ")))
            vec_add(&failure->messages)->text = display_text(&r->memory, line, MESSAGE);
    buf_release(&text);
}

void report_add_stranger(struct report *r, struct slice path, struct slice reason)
{
    *vec_add(&r->unrecognised) = (struct report_unrecognised){
        display_text(&r->memory, path, DISPLAY_NAME),
        display_text(&r->memory, reason, REASON),
    };
}

const struct report_function *report_graph_busiest(const struct report_graph *g)
{
    vec_each (const struct report_function, own, &g->by_self)
        if (!own->idle)
            return own;
    return NULL;
}

void report_graph_release(struct report_graph *g)
{
    report_record_release(&report_record_graph, g);
}
