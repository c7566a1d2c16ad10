#include "report/names.h"

#include "base/buf.h"
#include "unit/support/test.h"

enum { MOST = 8 };

static struct slice text_of(const char *text)
{
    return slice_str(text);
}

/* Paths of one report, and the names of their graphs if each has one graph. */
static const struct {
    const char *paths[MOST], *names[MOST];
} stems[] = {
    {{"mysql.perf"}, {"mysql"}},
    {{"db/mysql.perf.gz"}, {"db-mysql"}},
    {{"./db//mysql.folded.zst"}, {"db-mysql"}},
    {{"calc.callgrind"}, {"calc"}},
    {{"api.perf.data", "web.perf.data.gz", "app.speedscope.json"}, {"api", "web", "app"}},
    {{"api.perf", "api.perf.data"}, {"api-perf", "api-perf-data"}},
    {{"db/perf.data", "redis.stack.perf"}, {"db-perf", "redis.stack"}},
    {{"calc.dhat.gz", "calc.cpu", "calc.offcpu"}, {"calc", "calc.cpu", "calc.offcpu"}},
    {{"nginx-1.25"}, {"nginx-1.25"}},
    {{"v1.2.perf"}, {"v1.2"}},
    {{"a b (c).txt"}, {"a-b-c"}},
    {{"...odd..name..."}, {"odd.name"}},
    {{"-rf"}, {"rf"}},
    {{"_x"}, {"x"}},
    {{"snake_case.perf"}, {"snake_case"}},
    {{".perf"}, {"perf"}},
    {{"x/.gz"}, {"x-gz"}},
    {{"a@2x.perf"}, {"a-2x"}},
    {{"con.perf", "aux.1.folded", "lpt1", "console.perf"},
     {"profile-con", "profile-aux.1", "profile-lpt1", "console"}},
    {{"mysql.perf", "mysql.folded"}, {"mysql-perf", "mysql-folded"}},
    {{"mysql.perf", "MySQL.folded"}, {"mysql-perf", "MySQL-folded"}},
    {{"mysql", "mysql.perf"}, {"mysql", "mysql-perf"}},
    {{"mysql.perf", "mysql.perf.gz"}, {"mysql-perf", "mysql-perf-gz"}},
    {{"a/b.perf", "a-b.perf", "c.perf"}, {"a-b-ff8f193a", "a-b-55a2a6dc", "c"}},
    {{"\xe4\xb8\xad.perf", "\xe6\x96\x87.perf"}, {"profile-5d60302d", "profile-5e46d146"}},
    {{"caf\xc3\xa9.perf"}, {"caf-d00e94f8"}},
};

static size_t count_of(const char *const *list)
{
    size_t count = 0;

    while (count < MOST && list[count])
        count++;
    return count;
}

Test(report_names, of_inputs)
{
    for (size_t i = 0; i < sizeof(stems) / sizeof(*stems); i++) {
        size_t count = count_of(stems[i].paths);
        struct slice paths[MOST];
        struct names names;

        for (size_t k = 0; k < count; k++)
            paths[k] = text_of(stems[i].paths[k]);
        names_init(&names, paths, count);
        for (size_t k = 0; k < count; k++)
            cr_expect(slice_equal(names.stems.items[k], text_of(stems[i].names[k])),
                      "%s: '%.*s' instead of '%s'", stems[i].paths[k],
                      SLICE_ARG(names.stems.items[k]), stems[i].names[k]);
        names_release(&names);
    }
}

Test(report_names, do_not_depend_on_the_order_of_paths)
{
    struct slice paths[] = {SLICE("a/b.perf"), SLICE("a-b.perf"), SLICE("a-b.folded"), SLICE("c")};
    struct slice turned[] = {paths[3], paths[2], paths[1], paths[0]};
    struct names names, other;

    names_init(&names, paths, 4);
    names_init(&other, turned, 4);
    for (size_t i = 0; i < 4; i++)
        cr_expect(slice_equal(names.stems.items[i], other.stems.items[3 - i]));
    names_release(&names);
    names_release(&other);
}

static const struct {
    const char *paths[MOST];
    size_t file;
    const char *events[MOST], *names[MOST];
} graphs[] = {
    {{"mysql.perf"}, 0, {"cycles"}, {"mysql"}},
    {{"mysql.perf"}, 0, {"cycles", "page-faults"}, {"mysql-cycles", "mysql-page-faults"}},
    {{"mysql.perf"},
     0,
     {"cycles:u", "sched:sched_switch"},
     {"mysql-cycles-u", "mysql-sched-sched_switch"}},
    {{"mysql.perf"}, 0, {"a:b", "a-b"}, {"mysql-a-b", "mysql-a-b-70af629d"}},
    {{"mysql.perf"}, 0, {"", "x"}, {"mysql-event-e854667b", "mysql-x"}},
    {{"my.perf", "my-page.perf"}, 1, {"x", "faults"}, {"my-page-x", "my-page-faults"}},
    {{"my.perf", "my-page.perf"}, 0, {"x", "page-faults"}, {"my-x", "my-page-faults-409868b5"}},
    {{"my.perf", "my-page-faults.perf"},
     0,
     {"x", "page-faults"},
     {"my-x", "my-page-faults-409868b5"}},
};

Test(report_names, of_graphs)
{
    for (size_t i = 0; i < sizeof(graphs) / sizeof(*graphs); i++) {
        size_t path_count = count_of(graphs[i].paths);
        size_t count = count_of(graphs[i].events);
        struct slice paths[MOST], events[MOST], got[MOST];
        struct arena memory = {0};
        struct names names;

        for (size_t k = 0; k < path_count; k++)
            paths[k] = text_of(graphs[i].paths[k]);
        for (size_t k = 0; k < count; k++)
            events[k] = text_of(graphs[i].events[k]);
        names_init(&names, paths, path_count);
        names_graphs(&names, graphs[i].file, events, count, &memory, got);
        for (size_t k = 0; k < count; k++)
            cr_expect(slice_equal(got[k], text_of(graphs[i].names[k])),
                      "%s, %s: '%.*s' instead of '%s'", graphs[i].paths[graphs[i].file],
                      graphs[i].events[k], SLICE_ARG(got[k]), graphs[i].names[k]);
        names_release(&names);
        arena_release(&memory);
    }
}

Test(report_names, are_bounded)
{
    struct slice paths[2], made[2];
    struct arena memory = {0};
    struct names names;
    struct buf text = {0};

    for (int i = 0; i < 5000; i++)
        buf_add_char(&text, 'x');
    buf_add_char(&text, 'y');
    paths[0] = buf_slice(&text);
    paths[1] = slice_take(paths[0], 5000);
    names_init(&names, paths, 2);
    cr_expect_eq(names.stems.items[0].len, NAMES_MAX_LENGTH);
    cr_expect_eq(names.stems.items[1].len, NAMES_MAX_LENGTH);
    cr_expect_not(slice_equal(names.stems.items[0], names.stems.items[1]));
    names_graphs(&names, 0, paths, 2, &memory, made);
    cr_expect_eq(made[0].len, NAMES_MAX_LENGTH);
    cr_expect_not(slice_equal(made[0], made[1]));
    arena_release(&memory);
    names_release(&names);
    buf_release(&text);
}
