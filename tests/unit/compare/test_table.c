#include "compare/table.h"

#include "unit/support/graph.h"
#include "unit/support/weeks.h"
#include "unit/support/test.h"

static const struct week_stack stacks[] = {{"orders_[o];main;run;parse", 700},
                                           {"orders_[o];main;run;parse;parse", 200},
                                           {"orders_[o];main;sys read_[k]", 90},
                                           {"orders_[o];100%=é.isra.0", 10},
                                           {NULL, 0}};

static void make(struct function_tables *t, struct service *s)
{
    week_init(s, "orders", stacks, 2, 1);
    service_set_fact(s, 1, SLICE("hostname"), SLICE("web 1"));
    *t = (struct function_tables){0};
    compare_tables_add(t, s);
}

static void read(struct function_tables *t, struct slice content, const char *want)
{
    struct buf text = {0}, why = {0};

    buf_add_slice(&text, content);
    cr_expect_eq(compare_tables_read(t, &text, &why), !want, "%s", buf_string(&why));
    cr_expect_str_eq(buf_string(&why), want ? want : "");
    buf_release(&text);
    buf_release(&why);
}

static size_t find(const struct function_table *t, const char *key)
{
    for (size_t i = 0; i < t->functions.count; i++)
        if (slice_equal(t->functions.items[i].key, slice_str(key)))
            return i;
    cr_assert_fail("no function %s", key);
    return 0;
}

Test(compare_table, a_service_survives)
{
    struct function_tables made, back;
    struct service s;
    struct buf text = {0}, again = {0};
    const struct function_table *t;
    size_t parse, kernel, odd;

    make(&made, &s);
    compare_tables_write(&made, &text);
    read(&back, buf_slice(&text), NULL);
    compare_tables_write(&back, &again);
    cr_expect_str_eq(buf_string(&again), buf_string(&text));

    cr_assert_eq(back.items.count, 1);
    t = &back.items.items[0];
    cr_assert_eq(t->runs.count, 2);
    cr_expect(slice_equal(service_fact(&t->runs.items[1], SLICE("hostname")), SLICE("web 1")));
    parse = find(t, "parse");
    kernel = find(t, "sys read");
    odd = find(t, "100%=é");
    cr_expect_eq(t->functions.items[kernel].class, SYMBOL_KERNEL);
    cr_expect(slice_equal(t->functions.items[odd].name, SLICE("100%=é.isra.0")));
    for (size_t run = 0; run < 2; run++) {
        uint64_t self = function_table_count(t, parse, run, false);
        uint64_t total = function_table_count(t, parse, run, true);
        uint64_t whole = s.profile.series.items[s.runs.items[run].series].total;

        cr_expect_eq(t->weights.items[run], whole);
        cr_expect_eq(self, total, "recursion counts once: %lu, %lu", self, total);
        cr_expect_eq(self + function_table_count(t, kernel, run, false) +
                         function_table_count(t, odd, run, false),
                     whole);
        cr_expect_eq(function_table_count(t, find(t, "main"), run, true) +
                         function_table_count(t, odd, run, true),
                     whole);
    }
    buf_release(&text);
    buf_release(&again);
    compare_tables_release(&back);
    compare_tables_release(&made);
    service_release(&s);
}

static void make_run(struct service *s, const char *folded)
{
    struct graph g;

    service_init(s, SLICE("orders"));
    graph_init(&g, slice_str(folded));
    cr_assert(service_add_run(s, SLICE("orders.1"), &g.profile, 0));
    graph_release(&g);
}

Test(compare_table, runs_of_equal_totals_are_different_runs)
{
    static const struct {
        const char *folded;
        bool held;
    } rows[] = {
        {"orders;main;a 60\norders;main;b 40\n", true},
        {"orders;main;b 40\norders;main;a 60\n", true},
        {"orders;main;a 40\norders;main;b 60\n", false},
        {"orders;main;a 60\norders;main;c 40\n", false},
        {"orders;main;a 60\norders;main;b 41\n", false},
    };
    struct function_tables t = {0};
    struct service s;

    make_run(&s, rows[0].folded);
    compare_tables_add(&t, &s);
    service_release(&s);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        make_run(&s, rows[i].folded);
        cr_expect_eq(compare_tables_hold(&t, &s, 1), rows[i].held, "row %zu", i);
        service_release(&s);
    }
    compare_tables_release(&t);
}

#define HEAD "# flamepress-functions: version=1\n"
#define SERVICE HEAD "# service: name=a event=e unit=samples decimals=0 exact=no owner=\n"
#define RUN SERVICE "# run: weight=10 name=r samples=10 effective=10\n"

Test(compare_table, damage_is_an_error)
{
    static const struct {
        const char *text, *why;
    } rows[] = {
        {"", "this is no table of functions"},
        {"# flamepress-functions: version=2\n",
         "the version of the table of functions is not known; a newer flamepress wrote it "
         "(line 1)"},
        {HEAD "# run: weight=1\n", "a run is not between its service and the functions (line 2)"},
        {HEAD "# service: event=e\n", "a service has no name (line 2)"},
        {HEAD "# service: name=a decimals=10\n",
         "the decimals of a service are not a number from 0 to 9 (line 2)"},
        {SERVICE "# run: name=r\n", "a run has no weight (line 3)"},
        {SERVICE "f = = u\n",
         "a function lacks words, or has a larger weight than its run (line 3)"},
        {RUN "f = = u 2 1\n",
         "a function lacks words, or has a larger weight than its run (line 4)"},
        {RUN "f = = u 1 11\n",
         "a function lacks words, or has a larger weight than its run (line 4)"},
        {RUN "f = = x 1 1\n",
         "a function lacks words, or has a larger weight than its run (line 4)"},
        {RUN "f = = u 1\n", "a function lacks words, or has a larger weight than its run (line 4)"},
        {RUN "f = = u 1 1 1\n",
         "a function lacks words, or has a larger weight than its run (line 4)"},
        {RUN "f = = u 1 18446744073709551616\n",
         "a function lacks words, or has a larger weight than its run (line 4)"},
        {RUN "f = = u 1 1\n# run: weight=1\n",
         "a run is not between its service and the functions (line 5)"},
        {RUN "f = = u 1 10\n", NULL},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct function_tables t;

        read(&t, slice_str(rows[i].text), rows[i].why);
        compare_tables_release(&t);
    }
}

Test(compare_table, names_that_are_no_utf8_are_repaired)
{
    struct function_tables t;

    read(&t, SLICE(RUN "%ff\xff = = u 1 1\n"), NULL);
    cr_expect(
        slice_equal(t.items.items[0].functions.items[0].key, SLICE("\xef\xbf\xbd\xef\xbf\xbd")));
    compare_tables_release(&t);
}
