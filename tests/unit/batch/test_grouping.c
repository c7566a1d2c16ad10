
#include "base/buf.h"
#include "batch/grouping.h"
#include "unit/support/test.h"

static const struct service_rules no_rules;

/* Writes the groups: "db/orders.perf: 0 1; other: 2". */
static void check(const char *const *names, const struct service_rules *rules, const char *want)
{
    struct slice paths[16];
    struct grouping g;
    struct buf got = {0};
    size_t count = 0;

    for (; names[count]; count++)
        paths[count] = slice_str(names[count]);
    grouping_init(&g, paths, count, rules, false);
    vec_each (const struct group, group, &g.items) {
        buf_printf(&got, "%s%.*s:", got.len ? "; " : "", SLICE_ARG(group->path));
        for (size_t i = 0; i < group->members.count; i++)
            buf_printf(&got, " %zu", group->members.items[i]);
    }
    grouping_release(&g);
    cr_expect_str_eq(buf_string(&got), want, "got  %s\nwant %s", buf_string(&got), want);
    buf_release(&got);
}

#define CHECK(want, ...) check((const char *const[]){__VA_ARGS__, NULL}, &no_rules, want)

Test(batch_grouping, names_that_differ_in_one_number_host_or_date_are_one_service)
{
    CHECK("orders.perf: 0 1", "orders.1.perf.gz", "orders.2.perf");
    CHECK("orders.perf: 0 1", "orders-1.perf", "orders-2.perf");
    CHECK("orders.perf: 0 1", "orders@web1.perf", "orders@web-2.perf.gz");
    CHECK("orders.perf: 0 1", "orders-2026-11-21.perf", "orders-2026-11-22.perf");
    CHECK("orders.perf: 0 1", "orders-20261121T101500Z.perf", "orders-20261122T101501Z.perf");
    CHECK("orders.perf: 0 1", "orders-run1.perf", "orders-run2.perf");
    CHECK("callgrind.out: 0 1", "callgrind.out.117", "callgrind.out.4242");
    CHECK("orders.perf: 0 1", "orders/1.perf", "orders/2.perf");
    CHECK("orders.perf: 0 1 2 3", "orders.1@a.perf", "orders.1@b.perf", "orders.2@a.perf",
          "orders.2@b.perf");
}

Test(batch_grouping, numbers_that_mean_something_separate)
{
    CHECK("http1.perf: 0; http2.perf: 1", "http1.perf", "http2.perf");
    CHECK("orders-v1.perf: 0; orders-v2.perf: 1", "orders-v1.perf", "orders-v2.perf");
    CHECK("app-x86_64.perf: 0; app-x86_32.perf: 1", "app-x86_64.perf", "app-x86_32.perf");
    CHECK("app-1.2.3.perf: 0; app-1.2.4.perf: 1", "app-1.2.3.perf", "app-1.2.4.perf");
    CHECK("w1/orders.perf: 0; w2/orders.perf: 1", "w1/orders.perf", "w2/orders.perf");
    CHECK("mysql.cpu.folded: 0; mysql.offcpu.folded: 1", "mysql.cpu.folded", "mysql.offcpu.folded");
    CHECK("orders.perf: 0; orders.folded: 1", "orders.1.perf", "orders.2.folded");
    CHECK("a.perf: 0; a.perf.gz: 1", "a.perf", "a.perf.gz");
}

Test(batch_grouping, one_number_only)
{
    CHECK("a-1.perf: 0 1; a-2.perf: 2 3", "a-1-1.perf", "a-1-2.perf", "a-2-1.perf", "a-2-2.perf");
    CHECK("web-80.perf: 0 2 3; 1-web.perf: 1", "1-web-80.perf", "1-web-81.perf", "2-web-80.perf",
          "3-web-80.perf");
}

Test(batch_grouping, a_single_file_has_the_name_of_its_service)
{
    CHECK("orders.perf: 0", "orders.1.perf");
    CHECK("orders.perf: 0", "orders@web1.perf");
    CHECK("orders.1.perf: 0; orders.perf: 1", "orders.1.perf", "orders.perf");
}

Test(batch_grouping, rules_come_first)
{
    struct service_rule items[] = {
        {.match = "db/*", .name = SLICE("database"), .owner = SLICE("team-db")},
        {.match = "orders*", .owner = SLICE("team-orders")},
    };
    const struct service_rules rules = {items, 2, 2};
    const struct slice orders = SLICE("orders.1.perf");
    struct grouping g;

    check(
        (const char *const[]){"db/a.folded", "db/b.folded", "orders.1.perf", "orders.2.perf", NULL},
        &rules, "database: 0 1; orders.perf: 2 3");
    grouping_init(&g, &orders, 1, &rules, false);
    cr_expect(slice_equal(g.items.items[0].owner, SLICE("team-orders")));
    grouping_release(&g);
}

Test(batch_grouping, host_and_date_of_a_name)
{
    cr_expect(slice_equal(grouping_host(SLICE("d/orders@web-3.example.perf.gz")), SLICE("web-3")));
    cr_expect_eq(grouping_host(SLICE("orders.perf")).len, 0);
    cr_expect(
        slice_equal(grouping_date(SLICE("a-2026-11-22T10-15Z.perf")), SLICE("2026-11-22T10-15Z")));
    cr_expect_eq(grouping_date(SLICE("a-20261322.perf")).len, 0);
}
