#include "tree/filter.h"

#include <stdlib.h>
#include <string.h>

#include "output/folded.h"
#include "profile/reshape.h"
#include "tree/share.h"
#include "unit/support/graph.h"
#include "unit/support/test.h"

enum { MOST_FRAMES = 16 };

/* The modules of the names f0 to f5; of the others they are unknown. */
static const char *const modules[] = {"liba.so", "liba.so", "/usr/lib/libb.so", "libb.so"};

enum { MODULES = sizeof(modules) / sizeof(modules[0]) };

/* Patterns for the names f0 to f5 or for their modules, by role; NULL for none. */
struct setting {
    const char *patterns[FILTER_ROLES];
    bool collapse;
};

static const struct setting settings[] = {
    {{[FILTER_FOCUS] = "^f[12]$"}, false},
    {{[FILTER_IGNORE] = "^f[12]$"}, false},
    {{[FILTER_HIDE] = "^f[124]$"}, false},
    {{[FILTER_SHOW] = "^f[03]$"}, false},
    {{[FILTER_SHOW_FROM] = "^f[15]$"}, false},
    {{[FILTER_PRUNE_FROM] = "^f[15]$"}, false},
    {{0}, true},
    {{[FILTER_COLLAPSE_MODULE] = "^liba"}, false},
    {{[FILTER_COLLAPSE_MODULE] = "^lib[ab]"}, true},
    {{[FILTER_HIDE] = "^f[14]$", [FILTER_COLLAPSE_MODULE] = "b.so$", [FILTER_PRUNE_FROM] = "^f2$"},
     false},
    {{[FILTER_FOCUS] = "^f1$", [FILTER_IGNORE] = "^f2$"}, false},
    {{[FILTER_HIDE] = "^f3$", [FILTER_SHOW] = "^f[0-3]$"}, true},
    {{[FILTER_HIDE] = "^f1$", [FILTER_SHOW_FROM] = "^f[12]$", [FILTER_PRUNE_FROM] = "^f[24]$"},
     true},
    {{"^f[012]$", "^f5$", "^f4$", "^f[0-4]$", "^f[12]$", "^f[03]$"}, true},
};

/* ---- a naive filter, stack by stack --------------------------------------------------------- */

/* Matches only the kinds of patterns that the settings use: "^f[12]$" and "f2". */
static bool naive_match(const char *pattern, struct slice name)
{
    struct buf why = {0};
    struct search *search;
    struct symbols symbols = {0};
    bool hit = false;

    if (!pattern)
        return false;
    search = search_new(slice_str(pattern), false, &why);
    symbols_add(&symbols, name, SYMBOL_USER);
    share_match(search, &symbols, &hit);
    symbols_release(&symbols);
    search_free(search);
    buf_release(&why);
    return hit;
}

struct naive {
    bool hit[FILTER_ROLES][8]; /* by the digit of the name */
    const char *module[8];     /* that its frames become, or NULL */
};

static void naive_init(struct naive *n, const struct setting *s)
{
    for (unsigned role = 0; role < FILTER_ROLES; role++)
        for (unsigned digit = 0; digit < 8; digit++) {
            char name[3] = {'f', (char)('0' + digit), 0};

            n->hit[role][digit] = naive_match(s->patterns[role], slice_str(name));
        }
    for (unsigned digit = 0; digit < 8; digit++) {
        const char *path = digit < MODULES ? modules[digit] : "";
        const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
        bool hit = *path && naive_match(s->patterns[FILTER_COLLAPSE_MODULE], slice_str(name));

        n->module[digit] = hit ? name : NULL;
    }
}

/* Returns whether a frame of the digit is drawn as one with the frame of `above`. */
static bool naive_joins(const struct naive *n, const struct setting *s, unsigned above,
                        unsigned digit)
{
    if (n->module[digit])
        return n->module[above] && strcmp(n->module[above], n->module[digit]) == 0;
    return s->collapse && above == digit;
}

/* Filters one stack in place. Returns the role that removes it, or FILTER_ROLES. */
static enum filter_role naive_filter(const struct naive *n, const struct setting *s,
                                     unsigned *frames, unsigned *count)
{
    bool focus = false, ignore = false;
    unsigned left = 0, from = 0;

    for (unsigned i = 0; i < *count; i++) {
        focus |= n->hit[FILTER_FOCUS][frames[i]];
        ignore |= n->hit[FILTER_IGNORE][frames[i]];
    }
    if (s->patterns[FILTER_FOCUS] && !focus)
        return FILTER_FOCUS;
    if (ignore)
        return FILTER_IGNORE;
    for (unsigned i = 0; i < *count; i++) {
        bool hidden = n->hit[FILTER_HIDE][frames[i]];
        bool shown = !s->patterns[FILTER_SHOW] || n->hit[FILTER_SHOW][frames[i]];

        if (shown && !hidden)
            frames[left++] = frames[i];
    }
    if (!left)
        return FILTER_HIDE;
    if (s->patterns[FILTER_SHOW_FROM]) {
        while (from < left && !n->hit[FILTER_SHOW_FROM][frames[from]])
            from++;
        if (from == left)
            return FILTER_SHOW_FROM;
        memmove(frames, frames + from, (left - from) * sizeof(*frames));
        left -= from;
    }
    for (unsigned i = left; s->patterns[FILTER_PRUNE_FROM] && i-- > 0;) {
        if (n->hit[FILTER_PRUNE_FROM][frames[i]]) {
            left = i + 1;
            break;
        }
    }
    *count = 0;
    for (unsigned i = 0; i < left; i++)
        if (!*count || !naive_joins(n, s, frames[*count - 1], frames[i]))
            frames[(*count)++] = frames[i];
    return FILTER_ROLES;
}

/* Appends the filtered lines, unmerged, as folded stacks. Sets `gone` to the removed weight. */
static void naive_run(const struct setting *s, struct slice folded, struct buf *out, uint64_t *gone)
{
    struct naive n;
    struct slice line;

    naive_init(&n, s);
    *out = (struct buf){0};
    while (slice_line(&folded, &line)) {
        size_t blank = slice_find_last(line, ' ');
        struct slice stack = slice_take(line, blank), name;
        unsigned frames[MOST_FRAMES], count = 0;
        uint64_t weight = strtoull(line.ptr + blank + 1, NULL, 10);

        while (slice_cut(&stack, ';', &name))
            frames[count++] = (unsigned)(name.ptr[1] - '0');
        if (naive_filter(&n, s, frames, &count) != FILTER_ROLES) {
            *gone += weight;
            continue;
        }
        for (unsigned i = 0; i < count; i++)
            if (n.module[frames[i]])
                buf_printf(out, "%s%s", i ? ";" : "", n.module[frames[i]]);
            else
                buf_printf(out, "%sf%u", i ? ";" : "", frames[i]);
        buf_printf(out, " %llu\n", (unsigned long long)weight);
    }
}

/* ---- comparing ------------------------------------------------ */

static bool take(void *context, struct slice bytes)
{
    buf_add_slice(context, bytes);
    return true;
}

static void fold(const struct profile *p, struct buf *out)
{
    *out = (struct buf){0};
    folded_write(p, (uint32_t)(p->series.count - 1), NULL, take, out);
}

static void make_filter(struct filter *f, const struct setting *s)
{
    struct buf why = {0};

    filter_init(f);
    f->collapse_recursion = s->collapse;
    for (unsigned role = 0; role < FILTER_ROLES; role++)
        if (s->patterns[role])
            cr_assert(
                filter_add(f, (enum filter_role)role, slice_str(s->patterns[role]), false, &why),
                "%s", buf_string(&why));
    buf_release(&why);
}

static uint64_t sum_gone(const struct series *s)
{
    uint64_t sum = 0;

    vec_each (const struct removal, r, &s->removals)
        sum += r->stayed ? 0 : r->weight;
    return sum;
}

static void set_modules(struct symbols *symbols)
{
    for (unsigned digit = 0; digit < MODULES; digit++) {
        const char name[] = {'f', (char)('0' + digit), 0};
        uint32_t symbol = symbols_find(symbols, slice_str(name), SYMBOL_USER);

        if (symbol != SYMBOL_NONE)
            symbols_set_module(symbols, symbol, slice_str(modules[digit]));
    }
}

static void compare(const struct setting *s, unsigned number, uint64_t seed)
{
    struct buf folded, naive, have, want;
    struct filter_matches matches;
    struct graph g, expected;
    struct filter f;
    uint64_t gone = 0, all;

    graph_random(&folded, seed, 40, 9, 6);
    graph_init(&g, buf_slice(&folded));
    all = tree_weight(&g.tree);
    naive_run(s, buf_slice(&folded), &naive, &gone);
    graph_init(&expected, buf_slice(&naive));
    make_filter(&f, s);
    set_modules(&g.profile.symbols);
    filter_run(&f, &g.profile, &matches);
    fold(&g.profile, &have);
    fold(&expected.profile, &want);
    cr_expect_str_eq(buf_string(&have) ? buf_string(&have) : "",
                     buf_string(&want) ? buf_string(&want) : "", "setting %u, seed %u", number,
                     (unsigned)seed);
    cr_expect_eq(sum_gone(&g.profile.series.items[0]), gone, "setting %u, seed %u", number,
                 (unsigned)seed);
    cr_expect_eq(reshape_whole(&g.profile.series.items[0]), all);
    filter_release(&f);
    graph_release(&expected);
    graph_release(&g);
    buf_release(&folded);
    buf_release(&naive);
    buf_release(&have);
    buf_release(&want);
}

Test(tree_filter, gives_up_and_leaves_the_profile)
{
    struct filter_matches matches;
    struct filter f;
    struct graph g;
    struct buf folded = {0}, why = {0}, have;

    for (int i = 0; i < 60; i++)
        buf_add_char(&folded, 'a');
    buf_add_str(&folded, "b 3\n");
    graph_init(&g, buf_slice(&folded));
    filter_init(&f);
    cr_assert(filter_add(&f, FILTER_FOCUS, SLICE("^b"), false, &why));
    cr_assert(filter_add(&f, FILTER_HIDE, SLICE("^(a+)+$"), false, &why));
    cr_expect_not(filter_run(&f, &g.profile, &matches));
    cr_assert(matches.given_up);
    cr_expect(slice_equal(matches.given_up->pattern, SLICE("^(a+)+$")));
    fold(&g.profile, &have);
    cr_expect_str_eq(buf_string(&have), buf_string(&folded));
    filter_release(&f);
    graph_release(&g);
    buf_release(&have);
    buf_release(&why);
    buf_release(&folded);
}

Test(tree_filter, does_what_it_does_stack_by_stack)
{
    for (unsigned i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
        for (uint64_t seed = 1; seed <= 20; seed++)
            compare(&settings[i], i, seed * 977);
}

/* ---- by hand ------------------------------------------------ */

static void expect_folded(const struct setting *s, enum group_by group, struct slice input,
                          const char *want)
{
    struct filter_matches matches;
    struct filter f;
    struct graph g;
    struct buf have;

    graph_init(&g, input);
    make_filter(&f, s);
    f.group = group;
    filter_run(&f, &g.profile, &matches);
    fold(&g.profile, &have);
    cr_expect_str_eq(buf_string(&have) ? buf_string(&have) : "", want);
    buf_release(&have);
    filter_release(&f);
    graph_release(&g);
}

Test(tree_filter, without_settings_changes_nothing)
{
    expect_folded(&(struct setting){0}, GROUP_NOT, SLICE("a;a;b 2\na 1\n"), "a 1\na;a;b 2\n");
}

Test(tree_filter, both_columns_of_a_differential_graph)
{
    expect_folded(&(struct setting){{[FILTER_IGNORE] = "b"}, false}, GROUP_NOT,
                  SLICE("a;b 1 2\na;c 5 0\na;d 0 3\n"), "a;c 5 0\na;d 0 3\n");
}

Test(tree_filter, the_pruned_frame_is_the_one_nearest_to_the_leaf)
{
    expect_folded(&(struct setting){{[FILTER_PRUNE_FROM] = "^lock$"}, false}, GROUP_NOT,
                  SLICE("main;lock;user;lock;spin 3\nmain;idle 1\n"),
                  "main;idle 1\nmain;lock;user;lock 3\n");
}

/* Keeps the stacks with main and hides b. `chosen` says that no reader asked for it. */
static const struct series *focus_main(struct graph *g, bool chosen, struct filter_matches *matches)
{
    static const struct setting s = {{[FILTER_FOCUS] = "main", [FILTER_HIDE] = "b"}, false};
    struct filter f;

    graph_init(g, SLICE("main;a;b 5\nmain;c 4\nidle 2\nb 1\n"));
    make_filter(&f, &s);
    f.chosen = chosen;
    filter_run(&f, &g->profile, matches);
    filter_release(&f);
    return &g->profile.series.items[0];
}

Test(tree_filter, says_what_went_and_what_is_shorter)
{
    struct filter_matches matches;
    struct graph g;
    const struct series *series = focus_main(&g, false, &matches);

    cr_expect_eq(series->total, 9);
    cr_expect_eq(series->samples, 0, "the number of remaining samples is unknown");
    cr_assert_eq(series->removals.count, 2);
    cr_expect_str_eq(series->removals.items[0].option, "--focus");
    cr_expect_eq(series->removals.items[0].weight, 3);
    cr_expect(!series->removals.items[0].stayed);
    cr_expect_str_eq(series->removals.items[1].option, "--hide");
    cr_expect_eq(series->removals.items[1].weight, 5);
    cr_expect(series->removals.items[1].stayed);
    cr_expect_eq(matches.symbols[FILTER_FOCUS], 1);
    cr_expect_eq(matches.symbols[FILTER_HIDE], 1);
    graph_release(&g);
}

/* Pictures of a finding have the stacks of a function, but their reader gave no option. */
Test(tree_filter, removals_of_a_chosen_focus_name_no_option)
{
    struct filter_matches matches;
    struct graph g;
    const struct series *series = focus_main(&g, true, &matches);

    cr_assert_eq(series->removals.count, 2);
    cr_expect_str_eq(series->removals.items[0].option, "");
    cr_expect_str_eq(reshape_removal_verb(&series->removals.items[0]), "in other stacks");
    cr_expect_str_eq(series->removals.items[1].option, "--hide");
    cr_expect_str_eq(reshape_removal_verb(&series->removals.items[1]), "shortened by ");
    graph_release(&g);
}

Test(tree_filter, samples_without_frames)
{
    struct filter_matches matches;
    struct filter f;
    struct graph g;

    graph_init(&g, SLICE("a;b 5\n"));
    cr_assert(profile_add(&g.profile, 0, STACK_ROOT, 7));
    make_filter(&f, &(struct setting){{[FILTER_HIDE] = "b"}, false});
    filter_run(&f, &g.profile, &matches);
    cr_expect_eq(g.profile.series.items[0].total, 12, "no weight was removed");
    filter_release(&f);
    make_filter(&f, &(struct setting){{[FILTER_FOCUS] = "a"}, false});
    filter_run(&f, &g.profile, &matches);
    cr_expect_eq(g.profile.series.items[0].total, 5);
    filter_release(&f);
    graph_release(&g);
}

Test(tree_filter, groups_are_merged_where_they_meet)
{
    expect_folded(&(struct setting){0}, GROUP_PACKAGE,
                  SLICE("app;std::sort;std::swap;db::get;std::swap 3\napp;plain;db::put 2\n"),
                  "app;plain;db 2\napp;std;db;std 3\n");
}

Test(tree_filter, a_frame_without_a_group_has_none_below_one_that_has)
{
    expect_folded(&(struct setting){0}, GROUP_PACKAGE, SLICE("app;std::sort;plain;odd 3\n"),
                  "app;std;[no package] 3\n");
}

Test(tree_filter, a_process_with_a_dot_is_no_package)
{
    for (unsigned processes = 0; processes < 2; processes++) {
        struct filter_matches matches;
        struct filter f;
        struct graph g;
        struct buf have;

        graph_init(&g, processes ? SLICE("ForkJoinPool.co_[o];java.lang.Thread.run;read 3\n")
                                 : SLICE("ForkJoinPool.co;java.lang.Thread.run;read 3\n"));
        symbols_set_module(&g.profile.symbols, 2, SLICE("libc.so.6"));
        make_filter(&f, &(struct setting){0});
        f.group = GROUP_PACKAGE;
        filter_run(&f, &g.profile, &matches);
        fold(&g.profile, &have);
        cr_expect_str_eq(buf_string(&have), processes ? "ForkJoinPool.co;java.lang;libc.so.6 3\n"
                                                      : "ForkJoinPool;java.lang;libc.so.6 3\n");
        buf_release(&have);
        filter_release(&f);
        graph_release(&g);
    }
}

Test(tree_filter, modules)
{
    struct filter_matches matches;
    struct filter f;
    struct graph g;
    struct buf have;

    graph_init(&g, SLICE("app;main;read;inl_[i];sys_read_[k];vfs_[k];-;odd 3\n"));
    symbols_set_module(&g.profile.symbols, 1, SLICE("app.bin"));
    symbols_set_module(&g.profile.symbols, 2, SLICE("/usr/lib/libc.so.6"));
    symbols_set_module(&g.profile.symbols, 4, SLICE("[kernel.kallsyms]"));
    make_filter(&f, &(struct setting){0});
    f.group = GROUP_MODULE;
    filter_run(&f, &g.profile, &matches);
    fold(&g.profile, &have);
    cr_expect_str_eq(buf_string(&have), "app;app.bin;libc.so.6;[kernel]_[k];-;[no module] 3\n");
    cr_expect_eq(matches.grouped, 4);
    buf_release(&have);
    filter_release(&f);
    graph_release(&g);
}

Test(tree_filter, frames_of_a_module_are_joined_with_inlined_functions_between_them)
{
    static const struct setting s = {{[FILTER_COLLAPSE_MODULE] = "^libc"}, false};
    struct filter_matches matches;
    struct filter f;
    struct graph g;
    struct buf have;

    graph_init(&g, SLICE("app;read;copy_[i];fill;work;fill;sys_[k];vfs_[k] 3\n"
                         "app;work;work;copy_[i] 2\n"));
    symbols_set_module(&g.profile.symbols, 1, SLICE("/usr/lib/libc.so.6"));
    symbols_set_module(&g.profile.symbols, 3, SLICE("/usr/lib/libc.so.6"));
    make_filter(&f, &s);
    filter_run(&f, &g.profile, &matches);
    fold(&g.profile, &have);
    cr_expect_str_eq(buf_string(&have), "app;libc.so.6;work;libc.so.6;sys_[k];vfs_[k] 3\n"
                                        "app;work;work;copy_[i] 2\n");
    cr_expect_eq(matches.symbols[FILTER_COLLAPSE_MODULE], 2);
    cr_assert_eq(g.profile.series.items[0].removals.count, 1);
    cr_expect_str_eq(g.profile.series.items[0].removals.items[0].option, "--collapse-module");
    cr_expect_eq(g.profile.series.items[0].removals.items[0].weight, 3);
    buf_release(&have);
    filter_release(&f);
    graph_release(&g);
}

Test(tree_filter, a_bad_pattern_is_reported)
{
    struct filter f;
    struct buf why = {0};

    filter_init(&f);
    cr_expect(!filter_add(&f, FILTER_FOCUS, SLICE("^a("), false, &why));
    cr_expect_str_eq(buf_string(&why), "missing closing parenthesis at offset 3");
    filter_release(&f);
    buf_release(&why);
}

Test(tree_filter, code_compiled_at_run_time_is_one_module)
{
    struct filter_matches matches;
    struct filter f;
    struct graph g;
    struct buf have;

    graph_init(&g, SLICE("app;f;g;h 3\n"));
    symbols_set_module(&g.profile.symbols, 1, SLICE("/tmp/perf-17.map"));
    symbols_set_module(&g.profile.symbols, 2, SLICE("jitted-17-3.so"));
    symbols_set_module(&g.profile.symbols, 3, SLICE("vmlinux"));
    make_filter(&f, &(struct setting){0});
    f.group = GROUP_MODULE;
    filter_run(&f, &g.profile, &matches);
    fold(&g.profile, &have);
    cr_expect_str_eq(buf_string(&have), "app;[jit];[kernel] 3\n");
    buf_release(&have);
    filter_release(&f);
    graph_release(&g);
}
