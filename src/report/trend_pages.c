#include "report/trend_pages.h"

#include <math.h>
#include <stdlib.h>

#include "base/name_list.h"
#include "base/num.h"
#include "base/percent.h"
#include "report/html.h"
#include "report/plain_page.h"
#include "report/sparkline.h"

enum {
    INDEX_CHANGES = 50,    /* changes listed on the index */
    SERVICE_CHANGES = 100, /* on the page of a service */
    FUNCTIONS = 100,
    LEFT_OUT_NAMED = 20, /* labels */
    CHART_WIDTH = 700,
    CHART_HEIGHT = 90,
};

static void open_page(const struct trend_report *r, struct slice title, const char *root,
                      struct buf *out)
{
    struct arena memory = {0};
    const struct plain_page page = {
        .generator = slice_str(arena_printf(&memory, "flamepress %.*s", SLICE_ARG(r->version))),
        .title = title,
        .root = root,
        .style_file = "trends.css",
        .feed = "Changes",
    };

    plain_page_open(&page, out);
    arena_release(&memory);
}

/* Names the labels that could not be read. */
static void add_left_out(const struct trend_report *r, struct buf *out)
{
    struct buf names = {0};
    struct name_list list = {.out = &names, .most = LEFT_OUT_NAMED};
    bool one = r->left_out_count == 1;

    for (size_t i = 0; i < r->left_out_count; i++)
        name_list_add(&list, r->left_out[i]);
    if (r->left_out_count) {
        name_list_end(&list);
        buf_printf(out, "<p>%zu label%s could not be read and %s left out: ", r->left_out_count,
                   one ? "" : "s", one ? "is" : "are");
        plain_page_add_text(out, buf_slice(&names));
        buf_add_str(out, ".</p>\n");
    }
    buf_release(&names);
}

static void add_percent(struct buf *out, double part)
{
    percent_write(out, part, PERCENT_TABLE);
    buf_add_str(out, "&#8239;%");
}

/* An unknown number, such as that of exact counts, leaves its cell empty. */
static void add_samples(struct buf *out, uint64_t samples)
{
    if (samples)
        num_write_grouped(out, samples, 0);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* What sparkline_write() does, for readers. */
#define OWN_SCALE                                                                                  \
    "Each line of a history has its own scale, from the lowest to the highest share, which it "    \
    "says "                                                                                        \
    "when pointed at, and of one percentage point at least."

/* Appends a line of all labels, with what it shows for those who do not see it. */
static void add_line(const struct trend_report *r, const struct trend_series *s, struct buf *out)
{
    struct buf path = {0}, about = {0};

    sparkline_write(&path, s->levels, r->trends->labels, 100, 20);
    sparkline_describe(&about, s->levels, r->trends->labels);
    if (path.len)
        buf_printf(out,
                   "<svg class=\"levels\" viewBox=\"0 0 100 20\" preserveAspectRatio=\"none\" "
                   "role=\"img\" aria-label=\"%s\"><title>%s</title><path d=\"%s\" "
                   "vector-effect=\"non-scaling-stroke\"/></svg>",
                   buf_string(&about), buf_string(&about), buf_string(&path));
    buf_release(&path);
    buf_release(&about);
}

/* Appends the chart of a change: the shares by label, and the label of the change. */
static void add_chart(const struct trend_report *r, const struct trend_series *s, size_t label,
                      struct buf *out)
{
    size_t count = r->trends->labels;
    struct buf path = {0}, about = {0};
    double x = count > 1 ? CHART_WIDTH * (double)label / (double)(count - 1) : 0;

    sparkline_write(&path, s->levels, count, CHART_WIDTH, CHART_HEIGHT);
    sparkline_describe(&about, s->levels, count);
    buf_printf(out,
               "<svg class=\"chart\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" "
               "role=\"img\" aria-label=\"%s\"><path class=\"since\" d=\"M%.1f 0V%d\" "
               "vector-effect=\"non-scaling-stroke\"/><path d=\"%s\" "
               "vector-effect=\"non-scaling-stroke\"/></svg>\n<p class=\"ends quiet\"><span>",
               CHART_WIDTH, CHART_HEIGHT, buf_string(&about), x, CHART_HEIGHT, buf_string(&path));
    plain_page_add_text(out, r->labels[0].name);
    buf_printf(out, "</span><span>%s</span><span>", buf_string(&about));
    plain_page_add_text(out, r->labels[count - 1].name);
    buf_add_str(out, "</span></p>\n");
    buf_release(&path);
    buf_release(&about);
}

/* ---- the index ------------------------------------------------------------------------------- */

static void add_service_name(const struct trend_service *s, struct buf *out)
{
    plain_page_add_text(out, s->name);
    if (s->event.len) {
        buf_add_str(out, " <span class=\"quiet\">");
        plain_page_add_text(out, s->event);
        buf_add_str(out, "</span>");
    }
}

static void add_service_link(const struct trend_report *r, size_t service, struct buf *out)
{
    buf_add_str(out, "<a href=\"services/");
    html_escape(out, r->pages[service]);
    buf_add_str(out, ".html\">");
    add_service_name(&r->trends->services.items[service], out);
    buf_add_str(out, "</a>");
}

/* Returns the newest label with runs of the service. */
static size_t newest_label(const struct trend_report *r, const struct trend_service *s)
{
    size_t newest = 0;

    for (size_t i = 0; i < r->trends->labels; i++)
        if (s->labels[i].runs)
            newest = i;
    return newest;
}

/* Returns how many labels have runs of the service. */
static size_t count_labels(const struct trend_report *r, const struct trend_service *s)
{
    size_t count = 0;

    for (size_t i = 0; i < r->trends->labels; i++)
        count += s->labels[i].runs > 0;
    return count;
}

/* Returns the function of the last change, or else the one with the largest self share; or NULL. */
static const struct trend_series *main_series(const struct trend_service *s, size_t newest)
{
    const struct trend_series *main = NULL;

    if (s->shifts.count)
        return &s->series.items[s->shifts.items[0].series];
    vec_each (const struct trend_series, one, &s->series)
        if (one->scope == COMPARE_SELF &&
            (!main || one->levels[newest].share > main->levels[newest].share))
            main = one;
    return main;
}

static void add_change(const struct trend_report *r, const struct trend_service *s,
                       const struct trend_shift *shift, struct buf *out)
{
    const struct trend_series *one = &s->series.items[shift->series];

    buf_add_str(out, "<td>");
    plain_page_add_text(out, r->labels[shift->label].name);
    buf_add_str(out, "</td><td><code>");
    plain_page_add_text(out, one->function);
    buf_printf(out, "</code></td><td>%s</td><td class=\"number\">",
               one->scope == COMPARE_SELF ? "self" : "total");
    add_percent(out, shift->before);
    buf_add_str(out, " &#8594; ");
    add_percent(out, shift->after);
    buf_add_str(out, "</td><td class=\"number\">");
    percent_write_points(out, shift->after - shift->before, PERCENT_TABLE);
    buf_add_str(out, "</td>");
}

/* Says since when a service has no runs: its last shares are not those of today. */
static void add_last(const struct trend_report *r, size_t newest, struct buf *out)
{
    if (newest + 1 == r->trends->labels)
        return;
    buf_add_str(out, " <span class=\"quiet\">last in ");
    plain_page_add_text(out, r->labels[newest].name);
    buf_add_str(out, "</span>");
}

static void add_service_row(const struct trend_report *r, size_t service, struct buf *out)
{
    const struct trend_service *s = &r->trends->services.items[service];
    size_t newest = newest_label(r, s);
    const struct trend_series *main = main_series(s, newest);

    buf_add_str(out, "<tr><th scope=\"row\">");
    add_service_link(r, service, out);
    add_last(r, newest, out);
    buf_add_str(out, "</th><td>");
    plain_page_add_text(out, s->owner);
    buf_add_str(out, "</td><td>");
    if (main) {
        buf_add_str(out, "<code>");
        plain_page_add_text(out, main->function);
        buf_printf(out, "</code> <span class=\"quiet\">%s</span></td><td>",
                   main->scope == COMPARE_SELF ? "self" : "total");
        add_line(r, main, out);
        buf_add_str(out, "</td><td class=\"number\">");
        add_percent(out, main->levels[newest].share);
    } else {
        buf_add_str(out, "</td><td></td><td class=\"number\">");
    }
    buf_add_str(out, "</td><td>");
    if (s->shifts.count)
        plain_page_add_text(out, r->labels[s->shifts.items[0].label].name);
    buf_add_str(out, "</td><td class=\"number\">");
    if (s->shifts.count)
        percent_write_points(out, s->shifts.items[0].after - s->shifts.items[0].before,
                             PERCENT_TABLE);
    buf_printf(out, "</td><td class=\"number\">%zu</td><td class=\"number\">",
               s->labels[newest].runs);
    add_samples(out, s->labels[newest].samples);
    buf_add_str(out, "</td></tr>\n");
}

static void add_services(const struct trend_report *r, struct buf *out)
{
    static const char *const heads[] = {"Service", "Owner",   "Function", "History", "#Share",
                                        "Since",   "#Points", "#Runs",    "#Samples"};

    buf_add_str(out, "<h2>Services</h2>\n");
    plain_page_open_table("Services", heads, sizeof(heads) / sizeof(*heads), out);
    for (size_t i = 0; i < r->trends->services.count; i++)
        add_service_row(r, i, out);
    plain_page_close_table(out);
    buf_add_str(out,
                "<p class=\"quiet\">The function is the one that changed last, or else the one "
                "with the largest self share. " OWN_SCALE
                " Runs and samples are those of the newest label "
                "with the service.</p>\n");
}

static int newest_change(const void *a, const void *b)
{
    const struct trend_change *x = a, *y = b;
    double dx = fabs(x->shift->after - x->shift->before);
    double dy = fabs(y->shift->after - y->shift->before);

    if (x->shift->label != y->shift->label)
        return x->shift->label > y->shift->label ? -1 : 1;
    if (dx != dy)
        return dx > dy ? -1 : 1;
    return x->service < y->service ? -1 : x->service > y->service;
}

struct trend_change *report_trend_changes(const struct trend_report *r, size_t *count)
{
    VEC(struct trend_change) list = {0};

    for (size_t i = 0; i < r->trends->services.count; i++)
        vec_each (const struct trend_shift, shift, &r->trends->services.items[i].shifts)
            if (shift->leads)
                *vec_add(&list) = (struct trend_change){i, shift};
    if (list.count)
        qsort(list.items, list.count, sizeof(*list.items), newest_change);
    *count = list.count;
    return list.items;
}

static void add_changes(const struct trend_report *r, struct buf *out)
{
    static const char *const heads[] = {"Since",  "Function", "Scope",
                                        "#Share", "#Points",  "Service"};
    size_t count;
    struct trend_change *list = report_trend_changes(r, &count);

    buf_add_str(out, "<h2>Changes</h2>\n");
    if (count)
        plain_page_open_table("Changes", heads, sizeof(heads) / sizeof(*heads), out);
    else
        buf_add_str(out, "<p>No function changed its level by more than labels vary.</p>\n");
    for (size_t i = 0; i < count && i < INDEX_CHANGES; i++) {
        buf_add_str(out, "<tr>");
        add_change(r, &r->trends->services.items[list[i].service], list[i].shift, out);
        buf_add_str(out, "<td>");
        add_service_link(r, list[i].service, out);
        buf_add_str(out, "</td></tr>\n");
    }
    if (count)
        plain_page_close_table(out);
    if (count > INDEX_CHANGES)
        buf_printf(out,
                   "<p class=\"quiet\">%zu earlier changes are on the pages of services.</p>\n",
                   count - INDEX_CHANGES);
    if (count)
        buf_add_str(out,
                    "<p class=\"quiet\">The function that explains most of a change; the page of "
                    "the service has the others.</p>\n");
    free(list);
}

static void add_labels(const struct trend_report *r, struct buf *out)
{
    static const char *const heads[] = {"Label", "Date", "Commit", "Note", "#Services", "#Runs"};

    buf_add_str(out, "<h2>Labels</h2>\n");
    plain_page_open_table("Labels", heads, sizeof(heads) / sizeof(*heads), out);
    for (size_t i = r->trends->labels; i-- > 0;) {
        const struct trend_label *l = &r->labels[i];
        const struct slice texts[] = {l->date, l->commit, l->note};
        size_t services = 0, runs = 0;

        vec_each (const struct trend_service, s, &r->trends->services) {
            services += s->labels[i].runs > 0;
            runs += s->labels[i].runs;
        }
        buf_add_str(out, "<tr><th scope=\"row\">");
        plain_page_add_text(out, l->name);
        buf_add_str(out, "</th>");
        for (size_t k = 0; k < sizeof(texts) / sizeof(*texts); k++) {
            buf_add_str(out, "<td>");
            plain_page_add_text(out, texts[k]);
            buf_add_str(out, "</td>");
        }
        buf_printf(out, "<td class=\"number\">%zu</td><td class=\"number\">%zu</td></tr>\n",
                   services, runs);
    }
    plain_page_close_table(out);
}

void report_trend_index(const struct trend_report *r, struct buf *out)
{
    size_t labels = r->trends->labels, services = r->trends->services.count;

    open_page(r, r->title, "", out);
    buf_printf(out, "<p class=\"lead\">%zu service%s in %zu label%s: ", services,
               services == 1 ? "" : "s", labels, labels == 1 ? "" : "s");
    plain_page_add_text(out, r->labels[0].name);
    buf_add_str(out, " to ");
    plain_page_add_text(out, r->labels[labels - 1].name);
    buf_add_str(out, ".</p>\n<p><a href=\"feed.xml\">Feed of changes</a>, <a "
                     "href=\"trends.json\">data</a></p>\n");
    add_left_out(r, out);
    if (labels < TRENDS_LABELS_LEAST)
        buf_printf(out, "<p>Changes are looked for from %d labels on.</p>\n", TRENDS_LABELS_LEAST);
    else
        add_changes(r, out);
    add_services(r, out);
    add_labels(r, out);
    plain_page_close(out);
}

/* ---- the page of a service ------------------------------------------------------------------- */

/* The shifts that another one explains. */
static void add_other_changes(const struct trend_report *r, const struct trend_service *s,
                              struct buf *out)
{
    static const char *const heads[] = {"Since", "Function", "Scope", "#Share", "#Points"};
    size_t count = 0, shown = 0;

    vec_each (const struct trend_shift, shift, &s->shifts)
        count += !shift->leads;
    if (!count)
        return;
    buf_printf(out, "<details>\n<summary>%zu function%s changed at the same time</summary>\n",
               count, count == 1 ? "" : "s");
    plain_page_open_table("Functions that changed at the same time", heads,
                          sizeof(heads) / sizeof(*heads), out);
    vec_each (const struct trend_shift, shift, &s->shifts) {
        if (shift->leads || shown++ >= SERVICE_CHANGES)
            continue;
        buf_add_str(out, "<tr>");
        add_change(r, s, shift, out);
        buf_add_str(out, "</tr>\n");
    }
    plain_page_close_table(out);
    if (count > SERVICE_CHANGES)
        buf_printf(out, "<p class=\"quiet\">%zu more are in the data.</p>\n",
                   count - SERVICE_CHANGES);
    buf_add_str(out, "</details>\n");
}

static void add_service_changes(const struct trend_report *r, const struct trend_service *s,
                                struct buf *out)
{
    size_t shown = 0;

    vec_each (const struct trend_shift, shift, &s->shifts) {
        const struct trend_series *one = &s->series.items[shift->series];

        if (!shift->leads || shown++ == SERVICE_CHANGES)
            continue;
        buf_printf(out, "<article class=\"change-card\" id=\"change-%zu\">\n<h3><code>", shown);
        plain_page_add_text(out, one->function);
        buf_add_str(out, "</code> ");
        percent_write_points(out, shift->after - shift->before, PERCENT_TABLE);
        buf_printf(out, " points</h3>\n<p class=\"quiet\">%s share ",
                   one->scope == COMPARE_SELF ? "self" : "total");
        add_percent(out, shift->before);
        buf_add_str(out, " &#8594; ");
        add_percent(out, shift->after);
        buf_add_str(out, " since ");
        plain_page_add_text(out, r->labels[shift->label].name);
        if (one->module.len) {
            buf_add_str(out, ", in <code>");
            plain_page_add_text(out, one->module);
            buf_add_str(out, "</code>");
        }
        buf_printf(out, "; p = %.2g</p>\n", shift->p);
        add_chart(r, one, shift->label, out);
        buf_add_str(out, "</article>\n");
    }
    add_other_changes(r, s, out);
    if (!s->shifts.count)
        buf_add_str(out, "<p>No function changed its level by more than labels vary.</p>\n");
}

/* The two series of a function. */
struct function_rows {
    const struct trend_series *self, *total;
    double most;
};

static int largest_first(const void *a, const void *b)
{
    const struct function_rows *x = a, *y = b;

    if (x->most != y->most)
        return x->most > y->most ? -1 : 1;
    return x->self < y->self ? -1 : x->self > y->self;
}

static void add_function_row(const struct trend_report *r, const struct function_rows *f,
                             size_t newest, struct buf *out)
{
    buf_add_str(out, "<tr><th scope=\"row\"><code>");
    plain_page_add_text(out, f->self->function);
    buf_add_str(out, "</code></th><td>");
    plain_page_add_text(out, f->self->module);
    buf_add_str(out, "</td><td>");
    add_line(r, f->self, out);
    buf_add_str(out, "</td><td class=\"number\">");
    add_percent(out, f->self->levels[newest].share);
    buf_add_str(out, "</td><td>");
    add_line(r, f->total, out);
    buf_add_str(out, "</td><td class=\"number\">");
    add_percent(out, f->total->levels[newest].share);
    buf_add_str(out, "</td></tr>\n");
}

static void add_functions(const struct trend_report *r, const struct trend_service *s,
                          struct buf *out)
{
    static const char *const heads[] = {"Function", "Module", "Self",
                                        "#Newest",  "Total",  "#Newest"};
    size_t newest = newest_label(r, s), count = s->series.count / 2;
    struct function_rows *rows = xcalloc(count + 1, sizeof(*rows));

    for (size_t i = 0; i < count; i++)
        rows[i] = (struct function_rows){&s->series.items[2 * i], &s->series.items[2 * i + 1],
                                         s->series.items[2 * i].levels[newest].share};
    if (count)
        qsort(rows, count, sizeof(*rows), largest_first);
    buf_add_str(out, "<h2>Functions</h2>\n");
    plain_page_open_table("Functions", heads, sizeof(heads) / sizeof(*heads), out);
    for (size_t i = 0; i < count && i < FUNCTIONS; i++)
        add_function_row(r, &rows[i], newest, out);
    plain_page_close_table(out);
    buf_add_str(out, "<p class=\"quiet\">" OWN_SCALE "</p>\n");
    if (count > FUNCTIONS)
        buf_printf(out, "<p class=\"quiet\">%zu more functions are in the data.</p>\n",
                   count - FUNCTIONS);
    free(rows);
}

static void add_runs(const struct trend_report *r, const struct trend_service *s, struct buf *out)
{
    static const char *const heads[] = {"Label", "Date", "#Runs", "#Samples"};

    buf_add_str(out, "<h2>Labels</h2>\n");
    plain_page_open_table("Labels", heads, sizeof(heads) / sizeof(*heads), out);
    for (size_t i = r->trends->labels; i-- > 0;) {
        buf_add_str(out, "<tr><th scope=\"row\">");
        plain_page_add_text(out, r->labels[i].name);
        buf_add_str(out, "</th><td>");
        plain_page_add_text(out, r->labels[i].date);
        buf_printf(out, "</td><td class=\"number\">%zu</td><td class=\"number\">",
                   s->labels[i].runs);
        add_samples(out, s->labels[i].samples);
        buf_add_str(out, "</td></tr>\n");
    }
    plain_page_close_table(out);
}

void report_trend_service(const struct trend_report *r, size_t service, struct buf *out)
{
    const struct trend_service *s = &r->trends->services.items[service];

    open_page(r, s->name, "../", out);
    if (s->event.len || s->owner.len)
        buf_add_str(out, "<p class=\"lead\">");
    plain_page_add_text(out, s->event);
    if (s->owner.len) {
        buf_printf(out, "%sowner: ", s->event.len ? ", " : "");
        plain_page_add_text(out, s->owner);
    }
    if (s->event.len || s->owner.len)
        buf_add_str(out, "</p>\n");
    buf_add_str(out, "<p><a href=\"../index.html\">All services</a>");
    add_last(r, newest_label(r, s), out);
    buf_add_str(out, "</p>\n");
    add_left_out(r, out);
    buf_add_str(out, "<h2>Changes</h2>\n");
    if (count_labels(r, s) < TRENDS_LABELS_LEAST)
        buf_printf(out, "<p>Changes are looked for from %d labels on.</p>\n", TRENDS_LABELS_LEAST);
    else
        add_service_changes(r, s, out);
    add_functions(r, s, out);
    add_runs(r, s, out);
    plain_page_close(out);
}
