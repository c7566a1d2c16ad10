#include "compare/trends.h"

#include "unit/support/weeks.h"
#include "unit/support/test.h"

enum { MOST = 26 };

static const struct week_stack before[] = {{"web_[o];main;run;a", 600}, {"web_[o];main;run;b", 500},
                                           {"web_[o];main;run;c", 400}, {"web_[o];main;run;d", 400},
                                           {"web_[o];main;old", 100},   {NULL, 0}};
static const struct week_stack after[] = {{"web_[o];main;run;a", 600}, {"web_[o];main;run;b", 500},
                                          {"web_[o];main;run;c", 400}, {"web_[o];main;run;d", 400},
                                          {"web_[o];main;old", 300},   {NULL, 0}};

struct history {
    struct function_tables labels[MOST];
    size_t count;
};

/* Labels with the service `web`, which grows at label `grown`, and with `still`, which does not. */
static void make(struct history *h, size_t count, size_t grown, size_t absent)
{
    *h = (struct history){.count = count};
    for (unsigned i = 0; i < count; i++) {
        struct service web, still;

        week_init(&web, "web", i >= grown ? after : before, 3, 90 + i);
        week_init(&still, "still", before, 3, 900 + i);
        if (i != absent)
            compare_tables_add(&h->labels[i], &web);
        compare_tables_add(&h->labels[i], &still);
        service_release(&web);
        service_release(&still);
    }
}

static void release(struct history *h)
{
    for (size_t i = 0; i < h->count; i++)
        compare_tables_release(&h->labels[i]);
}

Test(compare_trends, finds_the_change_of_one_service)
{
    struct stats_settings settings = stats_settings_default();
    static const struct {
        size_t count, grown, absent;
        bool found;
    } rows[] = {{MOST, 15, MOST, true},
                {MOST, MOST, MOST, false},
                {MOST, 15, 4, true},
                {11, 6, MOST, false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct history h;
        struct trends t;
        const struct trend_service *web;

        make(&h, rows[i].count, rows[i].grown, rows[i].absent);
        trends_init(&t, h.labels, h.count, &settings);
        cr_assert_eq(t.services.count, 2);
        cr_expect(slice_equal(t.services.items[0].name, SLICE("still")));
        cr_expect_eq(t.services.items[0].shifts.count, 0, "row %zu", i);
        web = &t.services.items[1];
        cr_assert_eq(web->shifts.count > 0, rows[i].found, "row %zu: %zu", i, web->shifts.count);
        if (rows[i].absent < MOST) {
            cr_expect_eq(web->labels[rows[i].absent].runs, 0);
            cr_expect_eq(web->series.items[0].levels[rows[i].absent].samples, 0);
        }
        if (rows[i].found) {
            const struct trend_shift *leads = &web->shifts.items[0];
            size_t leading = 0;

            vec_each (const struct trend_shift, shift, &web->shifts) {
                leading += shift->leads;
                if (shift->leads)
                    leads = shift;
            }
            cr_expect_eq(leading, 1);
            cr_expect_eq(leads->label, 15, "row %zu: label %zu", i, leads->label);
            cr_expect(slice_equal(web->series.items[leads->series].function, SLICE("old")));
            cr_expect_float_eq(leads->after, 300.0 / 2200, 0.02, "%f", leads->after);
            cr_expect_float_eq(leads->before, 0.05, 0.01, "%f", leads->before);
        }
        trends_release(&t);
        release(&h);
    }
}

/* The function is dearer from label 11 to label 14 of 20. */
Test(compare_trends, finds_a_change_that_was_undone)
{
    struct stats_settings settings = stats_settings_default();
    struct history h = {.count = 20};
    const struct trend_service *s;
    size_t leading = 0;
    struct trends t;

    for (unsigned i = 0; i < h.count; i++) {
        struct service web;

        week_init(&web, "web", i >= 11 && i < 15 ? after : before, 3, 700 + i);
        compare_tables_add(&h.labels[i], &web);
        service_release(&web);
    }
    trends_init(&t, h.labels, h.count, &settings);
    s = &t.services.items[0];
    vec_each (const struct trend_shift, shift, &s->shifts) {
        if (!shift->leads)
            continue;
        cr_expect(slice_equal(s->series.items[shift->series].function, SLICE("old")));
        cr_expect_eq(shift->label, leading ? 11 : 15);
        cr_expect_leq(shift->earliest, shift->label);
        cr_expect_geq(shift->latest, shift->label);
        cr_expect_eq(shift->came, 11);
        cr_expect_eq(shift->went, 15);
        leading++;
    }
    cr_expect_eq(leading, 2, "%zu", leading);
    trends_release(&t);
    release(&h);
}

Test(compare_trends, self_and_total_are_shares_of_the_label)
{
    struct stats_settings settings = stats_settings_default();
    struct history h;
    struct trends t;

    make(&h, 2, 2, 2);
    trends_init(&t, h.labels, h.count, &settings);
    vec_each (const struct trend_service, s, &t.services)
        for (size_t label = 0; label < 2; label++) {
            double self = 0;

            vec_each (const struct trend_series, one, &s->series) {
                self += one->scope == COMPARE_SELF ? one->levels[label].share : 0;
                if (slice_equal(one->function, SLICE("main")) && one->scope == COMPARE_TOTAL)
                    cr_expect_float_eq(one->levels[label].share, 1, 1e-12);
            }
            cr_expect_float_eq(self, 1, 1e-12);
        }
    trends_release(&t);
    release(&h);
}
