
#include "cli/arguments.h"
#include "cli/config.h"
#include "unit/support/test.h"

static void expect_text(struct slice text, const char *expected)
{
    cr_expect(slice_equal(text, slice_str(expected)), "%.*s, not %s", SLICE_ARG(text), expected);
}

struct fixture {
    struct config config;
    struct options options;
    struct diag diag;
    struct buf text;
};

static void open_fixture(struct fixture *f)
{
    f->text = (struct buf){0};
    f->config = (struct config){0};
    f->config.today = SLICE("2026-11-22");
    options_init(&f->options);
    diag_init(&f->diag, SLICE("flamepress.yml"));
}

static void close_fixture(struct fixture *f)
{
    buf_release(&f->text);
    diag_release(&f->diag);
    options_release(&f->options);
    config_release(&f->config);
}

static const struct {
    const char *yaml, *error;
} rows[] = {
    {"", NULL},
    {"# nothing but a comment\n", NULL},
    {"title: Week 42\nwidth: 800\n", NULL},
    {"titel: x\n", "flamepress.yml:1:1: error: unknown key 'titel'; did you mean title?"},
    {"width: wide\n",
     "flamepress.yml:1:8: error: width: invalid value 'wide', expected a number from 100 to"},
    {"width: [1, 2]\n", "flamepress.yml:1:8: error: width: expected a single value, found a list"},
    {"width: 800\nwidth: 900\n", "flamepress.yml:2:1: error: key 'width' is given twice"},
    {"- a\n- b\n", "flamepress.yml:1:1: error: settings: expected a mapping of keys, found a list"},
    {"searches: gc\n", "searches: expected a mapping of name: regex, found a single value"},
    {"searches:\n  a: x\n  a: y\n", "flamepress.yml:3:3: error: search 'a' is given twice"},
    {"profiles:\n  - title: x\n", "flamepress.yml:2:5: error: a profile rule needs match: GLOB"},
    {"profiles:\n  - match: '*'\n    colours: hot\n", "flamepress.yml:3:5: error: unknown key"},
    {"profiles:\n  - match: '*'\n    factor: x\n",
     "flamepress.yml:3:13: error: factor: invalid value 'x', expected"},
    {"profiles:\n  - match: '*'\n    colors: hoot\n",
     "flamepress.yml:3:13: error: colors: invalid value 'hoot', expected one of: hot mem io "},
    {"profiles:\n  - match: '*'\n    total: much\n",
     "flamepress.yml:3:12: error: total: invalid value 'much', expected a weight"},
    {"profiles:\n  - match: '*'\n    font: Serif\n",
     "flamepress.yml:3:5: error: font: applies to the whole report and cannot be set by a rule"},
    {"profiles:\n  - match: '*'\n    match: '*.perf'\n",
     "flamepress.yml:3:5: error: key 'match' is given twice"},
    {"compare:\n  measure: share\n  min_change: 1\n  rename:\n    a: b\n", NULL},
    {"compare:\n  measure: much\n", "flamepress.yml:2:12: error: measure: invalid value 'much'"},
    {"compare:\n  min_change: x\n", "flamepress.yml:2:15: error: min_change: invalid value 'x'"},
    {"compare:\n  min-change: 1\n", "flamepress.yml:2:3: error: unknown key 'min-change'"},
    {"compare:\n  baseline: x\n", "flamepress.yml:2:3: error: unknown key 'baseline'"},
    {"compare:\n  fdr: 1\n  fdr: 2\n", "flamepress.yml:3:3: error: key 'fdr' is given twice"},
    {"compare:\n  rename: {a: b}\n  rename: {c: d}\n",
     "flamepress.yml:3:3: error: key 'rename' is given twice"},
    {"compare: share\n", "compare: expected a mapping of keys, found a single value"},
    {"budgets:\n  - function: f\n    max_share: 5\n", NULL},
    {"budgets:\n  - function: f\n",
     "flamepress.yml:2:5: error: a budget needs max_share or max_growth"},
    {"budgets:\n  - function: f\n    search: s\n    max_share: 5\n",
     "flamepress.yml:2:5: error: a budget needs one of function, search and total"},
    {"budgets:\n  - max_share: 5\n",
     "flamepress.yml:2:5: error: a budget needs one of function, search and total"},
    {"budgets:\n  - total: run\n    max_growth: 5\n", NULL},
    {"budgets:\n  - total: run\n    max_share: 5\n",
     "flamepress.yml:2:5: error: a budget of a total needs max_growth, and has no max_share"},
    {"budgets:\n  - total: minute\n    max_growth: 5\n",
     "flamepress.yml:2:12: error: total: invalid value 'minute', expected one of: request second "
     "run"},
    {"budgets:\n  - function: f\n    max_share: 101\n",
     "flamepress.yml:3:16: error: max_share: invalid value '101', expected a number from 0 to 100"},
    {"budgets:\n  - max_shares: 1\n",
     "flamepress.yml:2:5: error: unknown key 'max_shares'; did you mean max_share?"},
    {"accepted:\n  - function: f\n    until: 2026-12-01\n    reason: r\n", NULL},
    {"accepted:\n  - function: f\n    reason: r\n",
     "flamepress.yml:2:5: error: an accepted change needs function, until and reason"},
    {"accepted:\n  - function: f\n    until: soon\n",
     "flamepress.yml:3:12: error: until: invalid value 'soon', expected a day such as"},
    {"accepted:\n  - function: f\n    until: 2026-11-21\n    reason: r\n",
     "flamepress.yml:2:5: error: f was accepted until 2026-11-21; accept it anew, or remove it"},
    {"font: Serif\ntemplates: t\ndate: today\nignore-case: true\n", NULL},
    {"profiles: []\nprofiles: []\n", "flamepress.yml:2:1: error: key 'profiles' is given twice"},
    {"searches: {}\nsearches: {}\n", "flamepress.yml:2:1: error: key 'searches' is given twice"},
    {"title: \"x\n", "error: not YAML"},
    {"a: &x 1\nb: *x\n", "unknown key 'a'"},
    {"title: &x t\nsubtitle: *x\n",
     "flamepress.yml:2:11: error: aliases (*name) are not supported"},
    {"output: x\n", "unknown key 'output'"},
    {"title: a\n---\ntitle: b\n", "a second document"},
    {"event: [cycles, page-faults]\n", NULL},
    {"title: ~\n", "flamepress.yml:1:8: error: title: expected a single value, found null"},
    {"title: null\n", "flamepress.yml:1:8: error: title: expected a single value, found null"},
    {"title:\n", "flamepress.yml:1:7: error: title: expected a single value, found null"},
    {"event: [a, ~]\n", "flamepress.yml:1:12: error: event: expected a single value, found null"},
    {"searches:\n  a: ~\n", "flamepress.yml:2:6: error: a: expected a regex, found nothing"},
    {"profiles:\n  - match: ~\n", "flamepress.yml:2:12: error: match: expected a single value"},
    {"title: '~'\nsubtitle: \"\"\n", NULL},
    {"title: !!str ~\n", NULL},
    {"profiles:\n  - match: \"\"\n",
     "flamepress.yml:2:12: error: match: expected a pattern of paths, found nothing"},
    {"profiles:\n  - match: \"[\"\n",
     "flamepress.yml:2:12: error: match: '[' is no pattern of paths: '[' begins something"},
    {"exclude: ['a[']\n", "flamepress.yml:1:11: error: exclude: 'a[' is no pattern of paths"},
};

Test(cli_config, table)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct fixture f;
        bool ok;

        open_fixture(&f);
        ok = config_read(&f.config, slice_str(rows[i].yaml), NULL, &f.options, &f.diag);
        diag_write(&f.diag, &f.text, false);
        cr_expect_eq(ok, !rows[i].error, "row %zu: %s", i, buf_string(&f.text));
        cr_expect(!rows[i].error || strstr(buf_string(&f.text), rows[i].error), "row %zu: %s", i,
                  buf_string(&f.text));
        close_fixture(&f);
    }
}

Test(cli_config, the_command_line_wins)
{
    char *const words[] = {(char[]){"--width=500"}, (char[]){"--search=gc=mine"}};
    struct fixture f;

    open_fixture(&f);
    cr_assert(arguments_parse(&f.options, COMMAND_REPORT, 2, words, &f.diag));
    cr_assert(config_read(&f.config,
                          SLICE("width: 900\ntitle: T\nsearches:\n  gc: theirs\n  io: read\n"),
                          NULL, &f.options, &f.diag));
    cr_expect_eq(f.options.plan.look.picture.width, 500);
    expect_text(f.options.plan.look.picture.title, "T");
    cr_assert_eq(f.options.searches.count, 2);
    expect_text(f.options.searches.items[0].pattern, "mine");
    expect_text(f.options.searches.items[1].pattern, "read");
    close_fixture(&f);
}

Test(cli_config, first_matching_rule_sets_the_profile_alone)
{
    const struct plan *plan;
    struct fixture f;

    open_fixture(&f);
    cr_assert(config_read(&f.config,
                          SLICE("title: report\nevent: all\nprofiles:\n"
                                "  - match: 'db/*.perf'\n    title: Database\n    event: cycles\n"
                                "  - match: '*'\n    countname: things\n"),
                          NULL, &f.options, &f.diag));
    cr_assert(config_finish(&f.config, &f.options, &f.diag));
    plan = config_plan(&f.config, "db/deep/mysql.perf");
    expect_text(plan->look.picture.title, "Database");
    expect_text(plan->recipe.count_name, "");
    cr_assert_eq(plan->recipe.events.count, 1);
    expect_text(plan->recipe.events.items[0], "cycles");
    plan = config_plan(&f.config, "web.perf");
    expect_text(plan->look.picture.title, ""); /* the report's title is not the graph's */
    expect_text(plan->recipe.count_name, "things");
    expect_text(plan->recipe.events.items[0], "all");
    close_fixture(&f);
}

Test(cli_config, a_rules_list_replaces_the_reports_and_leaves_other_lists)
{
    char *const words[] = {(char[]){"--thread=io"}};
    const struct plan *plan;
    struct fixture f;

    open_fixture(&f);
    cr_assert(arguments_parse(&f.options, COMMAND_REPORT, 1, words, &f.diag));
    cr_assert(config_read(&f.config,
                          SLICE("event: [cycles, page-faults]\nprocess: [a, b]\nprofiles:\n"
                                "  - match: '*.perf'\n    process: [c, d]\n    thread: main\n"
                                "    split: thread\n    demangle: 'off'\n"
                                "    strip-address: true\n"),
                          NULL, &f.options, &f.diag));
    cr_assert(config_finish(&f.config, &f.options, &f.diag));
    plan = config_plan(&f.config, "web.perf");
    cr_assert_eq(plan->reading.process_count, 2);
    cr_expect_str_eq(plan->reading.processes[0], "c");
    cr_expect_str_eq(plan->reading.processes[1], "d");
    cr_assert_eq(plan->recipe.events.count, 2);
    expect_text(plan->recipe.events.items[1], "page-faults");
    cr_assert_eq(plan->reading.thread_count, 1);
    cr_expect_str_eq(plan->reading.threads[0], "io", "the command line wins");
    cr_expect(plan->reading.split_thread);
    cr_expect(plan->reading.no_demangling);
    cr_expect(plan->reading.strip_addresses);
    close_fixture(&f);
}
