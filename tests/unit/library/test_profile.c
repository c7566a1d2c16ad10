#include "flamepress.h"

#include "unit/support/test.h"

static const char folded[] = "main;parse;read 3\nmain;draw 5\n";

static void set(struct flamepress_settings *s, const char *name, const char *value)
{
    struct flamepress_error error;

    cr_assert(flamepress_settings_set(s, name, value, &error), "%s", error.message);
}

static struct flamepress_profile *make(const struct flamepress_settings *s)
{
    struct flamepress_error error;
    struct flamepress_profile *p = flamepress_read_memory(folded, sizeof(folded) - 1, s, &error);

    cr_assert(p, "%s", error.message);
    cr_assert(flamepress_prepare(p, s, &error), "%s", error.message);
    return p;
}

Test(library_profile, folds_what_the_settings_leave)
{
    struct flamepress_settings *s = flamepress_settings_new();
    struct flamepress_bytes text;
    struct flamepress_error error;
    struct flamepress_profile *p;

    set(s, "hide", "^parse$");
    set(s, "ignore", "^draw$");
    p = make(s);
    cr_assert(flamepress_fold(p, &text, &error));
    cr_expect_str_eq(text.data, "main;read 3\n");
    cr_expect_eq(text.size, 12);
    flamepress_bytes_free(&text);
    flamepress_profile_free(p);
    flamepress_settings_free(s);
}

Test(library_profile, draws_with_one_set_of_fonts)
{
    struct flamepress_settings *s = flamepress_settings_new();
    struct flamepress_bytes first, second;
    struct flamepress_profile *p;

    set(s, "title", "Two drawings");
    set(s, "search", "reads=^read$");
    p = make(s);
    cr_assert(flamepress_draw(p, s, FLAMEPRESS_SVG, &first, NULL));
    cr_assert(flamepress_draw(p, s, FLAMEPRESS_SVG, &second, NULL));
    cr_expect_str_eq(first.data, second.data);
    cr_expect(strstr(first.data, "Two drawings") && strstr(first.data, "reads"));
    flamepress_bytes_free(&first);
    flamepress_bytes_free(&second);
    flamepress_profile_free(p);
    flamepress_settings_free(s);
}

Test(library_profile, reports_errors_once_and_leaves_nothing)
{
    struct flamepress_settings *s = flamepress_settings_new();
    struct flamepress_bytes bytes = {NULL, 0};
    struct flamepress_error error;
    struct flamepress_profile *p;

    set(s, "focus", "nowhere");
    p = flamepress_read_memory(folded, sizeof(folded) - 1, s, &error);
    cr_assert(!flamepress_prepare(p, s, &error));
    cr_expect_str_eq(error.message, "error: nothing is left to show: --focus takes all of it");
    cr_assert(!flamepress_draw(p, s, FLAMEPRESS_PNG, &bytes, &error));
    cr_expect_str_eq(error.message, "error: the profile is not prepared");
    cr_expect_null(bytes.data);
    flamepress_profile_free(p);
    set(s, "kind", "off-wake");
    p = flamepress_read_memory(folded, sizeof(folded) - 1, s, NULL);
    cr_assert(!flamepress_prepare(p, s, NULL));
    flamepress_profile_free(p);
    flamepress_profile_free(NULL);
    flamepress_settings_free(NULL);
    flamepress_settings_free(s);
}

/* The settings are the rows of the table of options that a library can have. */
Test(library_profile, refuses_settings_by_name)
{
    static const struct {
        const char *name, *value, *error;
    } rows[] = {
        {"widht", "800", "error: unknown setting 'widht'; did you mean width?"},
        {"output", "x.png", "error: 'output' is an option of the program, not a setting"},
        {"cp", "map", "error: 'cp' is an option of the program, not a setting"},
        {"width", "wide",
         "error: width: invalid value 'wide', expected a number from 100 to 20000"},
        {"sort", "size", "error: sort: invalid value 'size', expected one of: name weight"},
    };
    struct flamepress_settings *s = flamepress_settings_new();
    struct flamepress_error error;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cr_expect_not(flamepress_settings_set(s, rows[i].name, rows[i].value, &error));
        cr_expect_str_eq(error.message, rows[i].error);
    }
    flamepress_settings_free(s);
}

/* Settings that exclude each other are reported at their use, so their order does not matter. */
Test(library_profile, checks_what_excludes_what)
{
    struct flamepress_settings *s = flamepress_settings_new();
    struct flamepress_profile *p;
    struct flamepress_error error;

    set(s, "seed", "3");
    p = flamepress_read_memory(folded, sizeof(folded) - 1, s, &error);
    cr_assert(p, "%s", error.message);
    cr_expect_not(flamepress_prepare(p, s, &error));
    cr_expect_str_eq(error.message, "error: --seed needs --random");
    set(s, "random", "true");
    cr_expect(flamepress_prepare(p, s, &error), "%s", error.message);
    set(s, "flamechart", "true");
    set(s, "reverse", "true");
    cr_expect_not(flamepress_draw(p, s, FLAMEPRESS_SVG, &(struct flamepress_bytes){0}, &error));
    cr_expect_str_eq(error.message, "error: --flamechart cannot be combined with --reverse: a "
                                    "flame chart does not merge calls");
    flamepress_profile_free(p);
    flamepress_settings_free(s);
}

Test(library_profile, no_settings_are_the_defaults)
{
    struct flamepress_settings *s = flamepress_settings_new();
    struct flamepress_bytes with, without;
    struct flamepress_profile *a, *b;
    struct flamepress_error error;

    a = make(s);
    b = flamepress_read_memory(folded, sizeof(folded) - 1, NULL, &error);
    cr_assert(b && flamepress_prepare(b, NULL, &error), "%s", error.message);
    cr_assert(flamepress_draw(a, s, FLAMEPRESS_SVG, &with, &error));
    cr_assert(flamepress_draw(b, NULL, FLAMEPRESS_SVG, &without, &error));
    cr_expect_str_eq(with.data, without.data);
    cr_expect_not(flamepress_report("/nonexistent", "/nonexistent/out", NULL, &error));
    flamepress_bytes_free(&with);
    flamepress_bytes_free(&without);
    flamepress_profile_free(a);
    flamepress_profile_free(b);
    flamepress_settings_free(s);
}

/* The setting "command" says whether classes are read and page faults become bytes. */
Test(library_profile, folds_as_the_command_does)
{
    static const char script[] =
        "app 1 1.0: 1 page-faults:\n\tffffffff8100 fault ([kernel.kallsyms])"
        "\n\t4001 main (/bin/app)\n\n";
    static const char *const rows[][2] = {
        {"graph",
         "# flamepress: unit=bytes samples=1 event=page-faults total=4096 first_ns=1000000000 "
         "last_ns=1000000000\napp;main;fault_[k] 4096\n"},
        {"fold", "# flamepress: unit=page-faults samples=1 event=page-faults total=1 "
                 "first_ns=1000000000 last_ns=1000000000\napp;main;fault 1\n"},
    };

    for (size_t i = 0; i < 2; i++) {
        struct flamepress_settings *s = flamepress_settings_new();
        struct flamepress_profile *p;
        struct flamepress_bytes text;
        struct flamepress_error error;

        set(s, "command", rows[i][0]);
        p = flamepress_read_memory(script, sizeof(script) - 1, s, &error);
        cr_assert(p && flamepress_prepare(p, s, &error), "%s", error.message);
        cr_assert(flamepress_fold(p, &text, &error));
        cr_expect_str_eq(text.data, rows[i][1]);
        flamepress_bytes_free(&text);
        flamepress_profile_free(p);
        flamepress_settings_free(s);
    }
}

/* What depends on the data is refused by drawing, as by the program. */
Test(library_profile, refuses_what_the_graph_cannot_have)
{
    static const struct {
        const char *name, *value, *error;
    } rows[] = {
        {"triple", "true",
         "error: option --triple: the graph shows no change; it needs two "
         "profiles (flamepress diff) or stacks with two weights"},
        {"kind", "heatmap",
         "error: this folded input does not state when its samples were taken, "
         "which --kind=heatmap needs"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct flamepress_settings *s = flamepress_settings_new();
        struct flamepress_bytes bytes = {NULL, 0};
        struct flamepress_error error;
        struct flamepress_profile *p;

        set(s, rows[i].name, rows[i].value);
        p = make(s);
        cr_expect_not(flamepress_draw(p, s, FLAMEPRESS_PNG, &bytes, &error));
        cr_expect_str_eq(error.message, rows[i].error);
        flamepress_profile_free(p);
        flamepress_settings_free(s);
    }
}
