#include "report/trend_pages.h"

#include "unit/support/test.h"

enum { LABELS = 12, SHIFTS = 150 };

static size_t count(struct slice page, const char *what)
{
    struct slice word = slice_str(what);
    size_t found = 0;

    for (size_t at; (at = slice_search(page, word)) < page.len; found++)
        page = slice_skip(page, at + word.len);
    return found;
}

/* Half of the changes are explained by the others. */
static void add_changes(struct trend_service *s)
{
    for (size_t i = 0; i < (size_t)2 * SHIFTS; i++)
        *vec_add(&s->shifts) = (struct trend_shift){
            .series = i % 2, .label = LABELS / 2, .before = 0.1, .after = 0.2, .leads = i % 2 == 0};
}

Test(report_trend_pages, changes_that_are_not_shown_are_counted)
{
    struct compare_level levels[LABELS] = {{.share = 0.1, .samples = 100}};
    struct trend_label names[LABELS] = {{.name = SLICE("w01")}};
    struct trend_runs runs[LABELS];
    struct trend_service service = {.name = SLICE("orders"), .labels = runs};
    struct trends trends = {.labels = LABELS};
    const struct slice pages[] = {SLICE("orders")};
    const struct trend_report report = {
        .trends = &trends, .labels = names, .pages = pages, .title = SLICE("Trends")};
    struct buf page = {0}, index = {0};

    for (size_t i = 0; i < LABELS; i++)
        runs[i] = (struct trend_runs){.runs = 1, .samples = 100};
    for (size_t i = 0; i < 2; i++)
        *vec_add(&service.series) =
            (struct trend_series){.function = SLICE("parse"), .scope = i, .levels = levels};
    add_changes(&service);
    *vec_add(&trends.services) = service;
    report_trend_service(&report, 0, &page);
    cr_expect_eq(count(buf_slice(&page), "<article "), 100);
    cr_expect_eq(count(buf_slice(&page), "50 more changes are in the data."), 1);
    cr_expect_eq(count(buf_slice(&page), "150 functions changed at the same time"), 1);
    cr_expect_eq(count(buf_slice(&page), "50 more are in the data."), 1);
    report_trend_index(&report, &index);
    cr_expect_eq(count(buf_slice(&index), "100 earlier changes are on the pages of services."), 1);
    buf_release(&page);
    buf_release(&index);
    vec_release(&service.series);
    vec_release(&service.shifts);
    vec_release(&trends.services);
}

Test(report_trend_pages, a_change_that_was_undone_says_when_it_came_and_went)
{
    struct compare_level levels[LABELS] = {{.share = 0.1, .samples = 100}};
    struct trend_label names[LABELS] = {{.name = SLICE("w0")}};
    struct trend_runs runs[LABELS];
    struct trend_service service = {.name = SLICE("orders"), .labels = runs};
    struct trends trends = {.labels = LABELS};
    const struct slice pages[] = {SLICE("orders")};
    const struct trend_report report = {
        .trends = &trends, .labels = names, .pages = pages, .title = SLICE("Trends")};
    struct buf page = {0}, feed = {0}, json = {0};

    for (size_t i = 0; i < LABELS; i++)
        runs[i] = (struct trend_runs){.runs = 1, .samples = 100};
    names[4].name = SLICE("w4");
    names[5].name = SLICE("w5");
    names[8].name = SLICE("w8");
    *vec_add(&service.series) = (struct trend_series){.function = SLICE("tax"), .levels = levels};
    *vec_add(&service.shifts) = (struct trend_shift){
        .label = 4, .earliest = 4, .latest = 5, .came = 4, .went = 8, .after = 0.1, .leads = true};
    *vec_add(&trends.services) = service;
    report_trend_service(&report, 0, &page);
    report_trend_feed(&report, &feed);
    report_trend_json(&report, &json);
    cr_expect_eq(count(buf_slice(&page), "since w4 (w4 to w5); came with w4, went with w8"), 1);
    cr_expect_eq(count(buf_slice(&feed), "+10.00 points: came with w4, went with w8</title>"), 1);
    cr_expect_eq(count(buf_slice(&json), "\"earliest\": \"w4\", \"latest\": \"w5\", "
                                         "\"until\": \"w8\", \"undoes\": null"),
                 1);
    buf_release(&page);
    buf_release(&feed);
    buf_release(&json);
    vec_release(&service.series);
    vec_release(&service.shifts);
    vec_release(&trends.services);
}
