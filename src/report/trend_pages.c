#include "report/trend_pages.h"

#include <math.h>
#include <stdlib.h>

#include "base/name_list.h"
#include "base/num.h"
#include "base/percent.h"
#include "report/list_page.h"
#include "report/sparkline.h"

enum {
    INDEX_CHANGES = 50,    /* changes listed on the index */
    SERVICE_CHANGES = 100, /* on the page of a service */
    FUNCTIONS = 100,
    LEFT_OUT_NAMED = 20, /* labels */
    CHART_WIDTH = 700,   /* as service_page.mustache has them */
    CHART_HEIGHT = 90,
};

/* ---- what the templates show ----------------------------------------------------------------- */

/* The history of a share as a line, and its newest value. */
#define LEVEL(M, N, S) M(S, TEXT, path) M(S, TEXT, about) M(S, TEXT, share)
RENDER_VIEW(shown_level, "a level", LEVEL)

/* Service, event and page are shown on the index; what follows them on a card. */
#define CHANGE(M, N, S)                                                                            \
    M(S, TEXT, label)                                                                              \
    M(S, TEXT, interval) /* of the label; or empty */                                              \
    M(S, TEXT, undone)                                                                             \
    M(S, TEXT, function)                                                                           \
    M(S, TEXT, module)                                                                             \
    M(S, TEXT, scope)                                                                              \
    M(S, TEXT, before)                                                                             \
    M(S, TEXT, after)                                                                              \
    M(S, TEXT, points)                                                                             \
    M(S, TEXT, service)                                                                            \
    M(S, TEXT, event)                                                                              \
    M(S, TEXT, page)                                                                               \
    M(S, UNSIGNED, number)                                                                         \
    M(S, TEXT, p)                                                                                  \
    M(S, TEXT, chart)                                                                              \
    M(S, TEXT, about)                                                                              \
    M(S, TEXT, place) /* of the change in the chart */
RENDER_VIEW(shown_change, "a change", CHANGE)

/* A service in the table of the index. */
#define SERVICE(M, N, S)                                                                           \
    M(S, TEXT, service)                                                                            \
    M(S, TEXT, event)                                                                              \
    M(S, TEXT, page)                                                                               \
    M(S, TEXT, last)                                                                               \
    M(S, TEXT, owner)                                                                              \
    M(S, TEXT, function)                                                                           \
    M(S, TEXT, scope)                                                                              \
    M(S, LIST(shown_level), levels)                                                                \
    M(S, TEXT, since)                                                                              \
    M(S, TEXT, points)                                                                             \
    M(S, UNSIGNED, runs)                                                                           \
    M(S, COUNT, samples) /* 0 if unknown, as of exact counts */
RENDER_VIEW(shown_service, "a service", SERVICE)

/* The levels are those of the self share and of the total share. */
#define FUNCTION(M, N, S) M(S, TEXT, function) M(S, TEXT, module) M(S, LIST(shown_level), levels)
RENDER_VIEW(shown_function, "a function", FUNCTION)

#define LABEL(M, N, S)                                                                             \
    M(S, TEXT, label)                                                                              \
    M(S, TEXT, date)                                                                               \
    M(S, TEXT, commit)                                                                             \
    M(S, TEXT, note)                                                                               \
    M(S, UNSIGNED, services)                                                                       \
    M(S, UNSIGNED, runs)                                                                           \
    M(S, COUNT, samples)
RENDER_VIEW(shown_label, "a label", LABEL)

/* The index, or the page of a service. */
#define PAGE(M, N, S)                                                                              \
    M(S, TEXT, lead)                                                                               \
    M(S, TEXT, last)                                                                               \
    M(S, TEXT, service_count)                                                                      \
    M(S, TEXT, label_count)                                                                        \
    M(S, TEXT, first)                                                                              \
    M(S, TEXT, newest)                                                                             \
    M(S, TEXT, left_out) /* labels that could not be read */                                       \
    M(S, TEXT, left_out_count)                                                                     \
    M(S, TEXT, left_out_verb)                                                                      \
    M(S, UNSIGNED, too_few) /* labels from which on changes are looked for, if there are fewer */  \
    M(S, FLAG, changed)     /* there is a change, shown or not */                                  \
    M(S, LIST(shown_change), changes)                                                              \
    N(S, ANY, changes, "has_changes")                                                              \
    M(S, LIST(shown_change), others)                                                               \
    M(S, TEXT, other_count)                                                                        \
    M(S, UNSIGNED, more_changes) /* that are not shown, as of the following two */                 \
    M(S, UNSIGNED, more_others)                                                                    \
    M(S, UNSIGNED, more_functions)                                                                 \
    M(S, LIST(shown_service), services)                                                            \
    M(S, LIST(shown_function), functions)                                                          \
    M(S, LIST(shown_label), labels)
RENDER_VIEW(shown_page, "trends", PAGE)

/* A page that is being filled. */
struct trend_view {
    struct shown_page page;
    struct arena memory;
};

static void release(struct trend_view *v)
{
    release_all(&v->page, vec, changes, others, services, functions, labels);
    arena_release(&v->memory);
}

static void write_page(const struct trend_report *r, struct trend_view *v, const char *template,
                       struct slice title, const char *root, struct buf *out)
{
    const struct list_page head = {
        .generator = slice_str(arena_printf(&v->memory, "flamepress %.*s", SLICE_ARG(r->version))),
        .title = list_page_text(&v->memory, title),
        .root = slice_str(root),
        .feed = SLICE("Changes"),
    };

    list_page_write(slice_str(template), &head, (struct scope){&shown_page_record, &v->page}, out);
    release(v);
}

/* ---- texts ----------------------------------------------------------------------------------- */

static struct slice percent(struct trend_view *v, double part)
{
    struct buf text = {0};
    struct slice copy;

    percent_write(&text, part, PERCENT_TABLE);
    copy = arena_copy(&v->memory, buf_slice(&text));
    buf_release(&text);
    return copy;
}

static struct slice points(struct trend_view *v, const struct trend_shift *shift)
{
    struct buf text = {0};
    struct slice copy;

    percent_write_points(&text, shift->after - shift->before, PERCENT_TABLE);
    copy = arena_copy(&v->memory, buf_slice(&text));
    buf_release(&text);
    return copy;
}

/* Names the labels that could not be read. */
static void name_left_out(const struct trend_report *r, struct trend_view *v)
{
    struct buf names = {0};
    struct name_list list = {.out = &names, .most = LEFT_OUT_NAMED};

    if (!r->left_out_count)
        return;
    for (size_t i = 0; i < r->left_out_count; i++)
        name_list_add(&list, r->left_out[i]);
    name_list_end(&list);
    v->page.left_out = list_page_text(&v->memory, buf_slice(&names));
    v->page.left_out_count = list_page_count(&v->memory, r->left_out_count, "label");
    v->page.left_out_verb = r->left_out_count == 1 ? SLICE("is") : SLICE("are");
    buf_release(&names);
}

static struct slice label_name(const struct trend_report *r, struct trend_view *v, size_t label)
{
    return list_page_text(&v->memory, r->labels[label].name);
}

/* Begins a page of either kind. */
static struct trend_view begin(const struct trend_report *r, size_t labels)
{
    struct trend_view v = {0};

    v.page.too_few = labels < TRENDS_LABELS_LEAST ? TRENDS_LABELS_LEAST : 0;
    name_left_out(r, &v);
    v.page.first = label_name(r, &v, 0);
    v.page.newest = label_name(r, &v, r->trends->labels - 1);
    return v;
}

/* Draws the shares of all labels into a box, and says in words what the line shows. */
static void draw_line(const struct trend_report *r, struct trend_view *v,
                      const struct trend_series *s, double width, double height, struct slice *path,
                      struct slice *about)
{
    struct buf text = {0};

    sparkline_write(&text, s->levels, r->trends->labels, width, height);
    *path = arena_copy(&v->memory, buf_slice(&text));
    buf_clear(&text);
    sparkline_describe(&text, s->levels, r->trends->labels);
    *about = arena_copy(&v->memory, buf_slice(&text));
    buf_release(&text);
}

/* Returns what is shown of one or two series, whose newest label with the service is `newest`. */
static struct shown_level_list levels(const struct trend_report *r, struct trend_view *v,
                                      const struct trend_series *const *series, size_t count,
                                      size_t newest)
{
    struct shown_level *items = arena_calloc(&v->memory, count, sizeof(*items));

    for (size_t i = 0; i < count; i++) {
        draw_line(r, v, series[i], 100, 20, &items[i].path, &items[i].about);
        items[i].share = percent(v, series[i]->levels[newest].share);
    }
    return (struct shown_level_list){items, count, count};
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

/* Returns the label since which a service has no runs: its shares are not those of today. */
static struct slice last_label(const struct trend_report *r, struct trend_view *v, size_t newest)
{
    return newest + 1 == r->trends->labels ? SLICE("") : label_name(r, v, newest);
}

void report_trend_undone(struct buf *out, const struct trend_report *r,
                         const struct trend_shift *shift)
{
    if (shift->came == shift->went)
        return;
    buf_add_str(out, "came with ");
    buf_add_slice(out, r->labels[shift->came].name);
    buf_add_str(out, ", went with ");
    buf_add_slice(out, r->labels[shift->went].name);
}

static struct slice undone(const struct trend_report *r, struct trend_view *v,
                           const struct trend_shift *shift)
{
    struct buf text = {0};
    struct slice copy;

    report_trend_undone(&text, r, shift);
    copy = arena_copy(&v->memory, buf_slice(&text));
    buf_release(&text);
    return list_page_text(&v->memory, copy);
}

static struct slice interval(const struct trend_report *r, struct trend_view *v,
                             const struct trend_shift *shift)
{
    if (shift->earliest == shift->latest)
        return SLICE("");
    return slice_str(arena_printf(&v->memory, "%.*s to %.*s",
                                  SLICE_ARG(label_name(r, v, shift->earliest)),
                                  SLICE_ARG(label_name(r, v, shift->latest))));
}

static struct shown_change *add_change(const struct trend_report *r, struct trend_view *v,
                                       struct shown_change_list *list,
                                       const struct trend_service *s,
                                       const struct trend_shift *shift)
{
    const struct trend_series *one = &s->series.items[shift->series];
    struct shown_change *c = vec_add(list);

    *c = (struct shown_change){
        .label = label_name(r, v, shift->label),
        .interval = interval(r, v, shift),
        .undone = undone(r, v, shift),
        .function = list_page_text(&v->memory, one->function),
        .module = list_page_text(&v->memory, one->module),
        .scope = compare_scope_word(one->scope),
        .before = percent(v, shift->before),
        .after = percent(v, shift->after),
        .points = points(v, shift),
    };
    return c;
}

/* ---- the index ------------------------------------------------------------------------------- */

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

static void add_service(const struct trend_report *r, struct trend_view *v, size_t service)
{
    const struct trend_service *s = &r->trends->services.items[service];
    size_t newest = newest_label(r, s);
    const struct trend_series *main = main_series(s, newest);
    struct shown_service *to = vec_add(&v->page.services);

    *to = (struct shown_service){
        .service = list_page_text(&v->memory, s->name),
        .event = list_page_text(&v->memory, s->event),
        .page = r->pages[service],
        .last = last_label(r, v, newest),
        .owner = list_page_text(&v->memory, s->owner),
        .runs = (unsigned)s->labels[newest].runs,
        .samples = s->labels[newest].samples,
    };
    if (main) {
        to->function = list_page_text(&v->memory, main->function);
        to->scope = compare_scope_word(main->scope);
        to->levels = levels(r, v, &main, 1, newest);
    }
    if (s->shifts.count) {
        to->since = label_name(r, v, s->shifts.items[0].label);
        to->points = points(v, &s->shifts.items[0]);
    }
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

static void add_changes(const struct trend_report *r, struct trend_view *v)
{
    size_t count;
    struct trend_change *list = report_trend_changes(r, &count);

    for (size_t i = 0; i < count && i < INDEX_CHANGES; i++) {
        const struct trend_service *s = &r->trends->services.items[list[i].service];
        struct shown_change *c = add_change(r, v, &v->page.changes, s, list[i].shift);

        c->service = list_page_text(&v->memory, s->name);
        c->event = list_page_text(&v->memory, s->event);
        c->page = r->pages[list[i].service];
    }
    v->page.more_changes = count > INDEX_CHANGES ? (unsigned)(count - INDEX_CHANGES) : 0;
    free(list);
}

/* Adds the labels, the newest first. */
static void add_labels(const struct trend_report *r, struct trend_view *v)
{
    for (size_t i = r->trends->labels; i-- > 0;) {
        const struct trend_label *l = &r->labels[i];
        struct shown_label *to = vec_add(&v->page.labels);

        *to = (struct shown_label){
            .label = label_name(r, v, i),
            .date = list_page_text(&v->memory, l->date),
            .commit = list_page_text(&v->memory, l->commit),
            .note = list_page_text(&v->memory, l->note),
        };
        vec_each (const struct trend_service, s, &r->trends->services) {
            to->services += s->labels[i].runs > 0;
            to->runs += (unsigned)s->labels[i].runs;
        }
    }
}

void report_trend_index(const struct trend_report *r, struct buf *out)
{
    struct trend_view v = begin(r, r->trends->labels);

    v.page.service_count = list_page_count(&v.memory, r->trends->services.count, "service");
    v.page.label_count = list_page_count(&v.memory, r->trends->labels, "label");
    add_changes(r, &v);
    for (size_t i = 0; i < r->trends->services.count; i++)
        add_service(r, &v, i);
    add_labels(r, &v);
    write_page(r, &v, "trends.mustache", r->title, "", out);
}

/* ---- the page of a service ------------------------------------------------------------------- */

/* Returns how many labels have runs of the service. */
static size_t count_labels(const struct trend_report *r, const struct trend_service *s)
{
    size_t count = 0;

    for (size_t i = 0; i < r->trends->labels; i++)
        count += s->labels[i].runs > 0;
    return count;
}

static void add_card(const struct trend_report *r, struct trend_view *v,
                     const struct trend_service *s, const struct trend_shift *shift)
{
    struct shown_change *c = add_change(r, v, &v->page.changes, s, shift);
    size_t labels = r->trends->labels;
    double x = labels > 1 ? CHART_WIDTH * (double)shift->label / (double)(labels - 1) : 0;

    c->number = (unsigned)v->page.changes.count;
    c->p = slice_str(arena_printf(&v->memory, "%.2g", shift->p));
    c->place = slice_str(arena_printf(&v->memory, "%.1f", x));
    draw_line(r, v, &s->series.items[shift->series], CHART_WIDTH, CHART_HEIGHT, &c->chart,
              &c->about);
}

/* Adds the shifts: a card each, or a row if another one explains it. */
static void add_shifts(const struct trend_report *r, struct trend_view *v,
                       const struct trend_service *s)
{
    size_t others = 0;

    vec_each (const struct trend_shift, shift, &s->shifts) {
        others += !shift->leads;
        if (shift->leads && v->page.changes.count < SERVICE_CHANGES)
            add_card(r, v, s, shift);
        else if (!shift->leads && v->page.others.count < SERVICE_CHANGES)
            add_change(r, v, &v->page.others, s, shift);
    }
    if (others)
        v->page.other_count = list_page_count(&v->memory, others, "function");
    v->page.more_others = (unsigned)(others - v->page.others.count);
    v->page.more_changes = (unsigned)(s->shifts.count - others - v->page.changes.count);
    v->page.changed = s->shifts.count;
}

/* The two series of a function. */
struct function_rows {
    const struct trend_series *series[2]; /* self, total */
    double most;
};

static int largest_first(const void *a, const void *b)
{
    const struct function_rows *x = a, *y = b;

    if (x->most != y->most)
        return x->most > y->most ? -1 : 1;
    return x->series[0] < y->series[0] ? -1 : x->series[0] > y->series[0];
}

static void add_functions(const struct trend_report *r, struct trend_view *v,
                          const struct trend_service *s, size_t newest)
{
    size_t count = s->series.count / 2;
    struct function_rows *rows = xcalloc(count + 1, sizeof(*rows));

    for (size_t i = 0; i < count; i++) {
        const struct trend_series *self = &s->series.items[2 * i];

        rows[i] = (struct function_rows){{self, self + 1}, self->levels[newest].share};
    }
    if (count)
        qsort(rows, count, sizeof(*rows), largest_first);
    for (size_t i = 0; i < count && i < FUNCTIONS; i++)
        *vec_add(&v->page.functions) = (struct shown_function){
            list_page_text(&v->memory, rows[i].series[0]->function),
            list_page_text(&v->memory, rows[i].series[0]->module),
            levels(r, v, rows[i].series, 2, newest),
        };
    v->page.more_functions = count > FUNCTIONS ? (unsigned)(count - FUNCTIONS) : 0;
    free(rows);
}

/* Adds the labels with the runs of the service, the newest first. */
static void add_runs(const struct trend_report *r, struct trend_view *v,
                     const struct trend_service *s)
{
    for (size_t i = r->trends->labels; i-- > 0;)
        *vec_add(&v->page.labels) = (struct shown_label){
            .label = label_name(r, v, i),
            .date = list_page_text(&v->memory, r->labels[i].date),
            .runs = (unsigned)s->labels[i].runs,
            .samples = s->labels[i].samples,
        };
}

/* Returns the line below the title: the event and the owner of a service. */
static struct slice lead_of(struct trend_view *v, const struct trend_service *s)
{
    struct slice event = list_page_text(&v->memory, s->event);
    struct slice owner = list_page_text(&v->memory, s->owner);

    if (!owner.len)
        return event;
    return slice_str(arena_printf(&v->memory, "%.*s%sowner: %.*s", SLICE_ARG(event),
                                  event.len ? ", " : "", SLICE_ARG(owner)));
}

void report_trend_service(const struct trend_report *r, size_t service, struct buf *out)
{
    const struct trend_service *s = &r->trends->services.items[service];
    struct trend_view v = begin(r, count_labels(r, s));
    size_t newest = newest_label(r, s);

    v.page.lead = lead_of(&v, s);
    v.page.last = last_label(r, &v, newest);
    add_shifts(r, &v, s);
    add_functions(r, &v, s, newest);
    add_runs(r, &v, s);
    write_page(r, &v, "service_page.mustache", s->name, "../", out);
}
