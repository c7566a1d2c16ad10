#include "output/facts.h"

#include "layout/color_map.h"
#include "profile/reshape.h"
#include "tree/sandwich.h"
#include "unit/support/drawn.h"
#include "unit/support/test.h"

static const struct unit seconds = {.kind = UNIT_SECONDS, .exponent = -9};

#define PLAIN " \u00b7 " FACTS_PLAIN_COLORS

static void write_all(const struct picture *p, struct buf *out)
{
    struct facts facts;

    facts_init(&facts, p, 1180);
    facts_write(&facts, out);
    facts_release(&facts);
}

static void expect(const char *name, const char *folded, const struct picture_options *options,
                   const char *want)
{
    struct drawn d;
    struct buf facts = {0};

    drawn_init(&d, slice_str(folded), options, 1);
    write_all(&d.picture, &facts);
    cr_expect_str_eq(buf_string(&facts), want, "%s: %s", name, buf_string(&facts));
    buf_release(&facts);
    drawn_release(&d);
}

Test(output_facts, line)
{
    struct picture_options timed = picture_defaults, named = picture_defaults;

    timed.unit = (struct unit){seconds.kind, seconds.exponent, SLICE("s")};
    timed.samples = 1234;
    named.count_name = SLICE("ticks");
    named.factor = 10;
    expect("plain", "a 1000\n", NULL, "1,000 samples" PLAIN);
    expect("time", "a 2000000000\n", &timed, "2.00 s in 1,234 samples" PLAIN);
    expect("count name and factor", "a 1000\n", &named, "10,000 ticks" PLAIN);
    expect("classes by self weight", "a;b_[k] 100\na 200\na;b_[k];c_[i] 700\n", NULL,
           "1,000 samples \u00b7 10.0% kernel \u00b7 70.0% inlined" PLAIN);
    expect("what ends waits", "a;w_[k] 100\na;w_[k];--;x_[k];y_[w] 300\n", NULL,
           "400 samples \u00b7 25.0% without a waker" PLAIN);
    expect("one class has it all", "a;b_[k] 9996\na 4\n", NULL, "10,000 samples" PLAIN);
    expect("and nearly", "a;b_[k] 9990\na 10\n", NULL, "10,000 samples \u00b7 99.9% kernel" PLAIN);
    expect("thin", "a 100000\nb 8\nc 8\nd 8\ne 8\nf 8\ng 8\nh 8\n", NULL,
           "100,056 samples \u00b7 0.1% in frames too thin to draw" PLAIN);
    expect("change", "a 50 100\n", NULL,
           "100 samples \u00b7 base 50 samples \u00b7 change +50 samples (+100.0%): "
           "grown +50");
    expect("less", "a 200 100\n", NULL,
           "100 samples \u00b7 base 200 samples \u00b7 change -100 samples (-50.0%): "
           "shrunk -100");
    expect("from nothing", "a 0 100\n", NULL,
           "100 samples \u00b7 base 0 samples \u00b7 change +100 samples: only in new "
           "+100");
}

/* In a graph of one function, classes are shares of the function, as in the legend. */
Test(output_facts, around_a_function)
{
    struct layout_options layout = {.width = 1180, .max_depth = 100};
    struct picture_options options = picture_defaults;
    struct fonts *fonts;
    struct picture p;
    struct layout l;
    struct graph g;
    struct tree t;
    struct diag diag;
    struct buf facts = {0};

    graph_init(&g, SLICE("a;f;x_[k] 10\na;f;y 30\nb;z_[k] 60\n"));
    diag_init(&diag, SLICE("test"));
    fonts = fonts_new(&(struct fonts_options){.system = false}, &diag);
    sandwich_init(&t, &g.tree, sandwich_find(&g.tree, SLICE("f")));
    layout_init(&l, &t, &layout);
    options.unit = unit_samples;
    picture_init(&p, &l, fonts, &options);
    write_all(&p, &facts);
    cr_expect_str_eq(buf_string(&facts), "40 samples, 40.0% of all \u00b7 25.0% kernel" PLAIN, "%s",
                     buf_string(&facts));
    buf_release(&facts);
    picture_release(&p);
    layout_release(&l);
    tree_release(&t);
    fonts_free(fonts);
    graph_release(&g);
    diag_release(&diag);
}

Test(output_facts, an_estimate)
{
    struct picture_options timed = picture_defaults;
    struct drawn d;
    struct buf facts = {0};

    timed.unit = (struct unit){seconds.kind, seconds.exponent, SLICE("s")};
    timed.samples = 1234;
    drawn_init(&d, SLICE("a 2000000000\n"), &timed, 1);
    profile_add_fact(&d.graph.profile, SLICE("estimated"), SLICE("from the calls"));
    write_all(&d.picture, &facts);
    cr_expect_str_eq(buf_string(&facts), "2.00 s \u00b7 stacks estimated from calls" PLAIN, "%s",
                     buf_string(&facts));
    buf_release(&facts);
    drawn_release(&d);
}

Test(output_facts, what_filters_took)
{
    struct drawn d;
    struct buf facts = {0};
    struct series *s;

    drawn_init(&d, SLICE("a 60\n"), NULL, 1);
    s = &d.graph.profile.series.items[0];
    reshape_add_removal(s, "--focus", 40, false);
    reshape_add_removal(s, "--hide", 12, true);
    write_all(&d.picture, &facts);
    cr_expect_str_eq(
        buf_string(&facts),
        "60 samples \u00b7 40.0% left out by --focus \u00b7 12.0% shortened by --hide" PLAIN, "%s",
        buf_string(&facts));
    buf_release(&facts);
    drawn_release(&d);
}

/* Colours with a meaning have a legend, and those of a user's map may have one. */
Test(output_facts, colours_without_a_meaning)
{
    struct color_map map = {0};
    struct picture_options classes = picture_defaults, self = picture_defaults,
                           mapped = picture_defaults, io = picture_defaults;

    classes.colors.palette = palette_find(SLICE("safe"));
    self.colors.palette = palette_find(SLICE("self"));
    mapped.color_map = &map;
    io.colors.palette = palette_find(SLICE("io"));
    expect("classes", "a 10\n", &classes, "10 samples");
    expect("self", "a 10\n", &self, "10 samples");
    expect("map", "a 10\n", &mapped, "10 samples");
    expect("one class", "a 10\n", &io, "10 samples" PLAIN);
    color_map_release(&map);
}

/* The frames that only the base has are a part of the width, but not of the new total. */
Test(output_facts, hidden_frames_of_a_change_are_shares_of_the_width)
{
    struct layout_options layout = {.width = 1180, .max_depth = 2};
    struct picture_options options = picture_defaults;
    struct buf facts = {0};
    struct picture p;
    struct layout l;
    struct graph g;
    struct fonts *fonts;
    struct diag diag;

    graph_init(&g, SLICE("a;b 0 10\na;c 30 0\n"));
    diag_init(&diag, SLICE("test"));
    fonts = fonts_new(&(struct fonts_options){.system = false}, &diag);
    layout_init(&l, &g.tree, &layout);
    options.unit = unit_samples;
    picture_init(&p, &l, fonts, &options);
    write_all(&p, &facts);
    cr_expect(slice_ends(buf_slice(&facts), SLICE(" \u00b7 100.0% above the last row")), "%s",
              buf_string(&facts));
    buf_release(&facts);
    picture_release(&p);
    layout_release(&l);
    fonts_free(fonts);
    graph_release(&g);
    diag_release(&diag);
}

static const char stacks[] = "a;b_[k] 100\na 200\na;b_[k];c_[i] 700\n";
static const struct {
    int32_t room;
    const char *part, *lines[FACTS_LINES];
    bool complete;
} narrow[] = {
    {700, "", {"1,000 samples \u00b7 10.0% kernel \u00b7 70.0% inlined" PLAIN}, true},
    {250, "", {"1,000 samples \u00b7 10.0% kernel \u00b7 70.0% inlined", FACTS_PLAIN_COLORS}, true},
    {160, "", {"1,000 samples \u00b7 10.0% kernel", "70.0% inlined", FACTS_PLAIN_COLORS}, true},
    {160,
     "by module",
     {"1,000 samples \u00b7 by module", "10.0% kernel \u00b7 70.0% inlined", FACTS_PLAIN_COLORS},
     true},
    {160,
     "processes first, second, third and fourth",
     {"1,000 samples", "processes first, second, third and", "fourth \u00b7 10.0% kernel"},
     false},
    {160,
     "process /usr/lib/a/very/long/path/of/a/program",
     {"1,000 samples", "process", "/usr/lib/a/very/long/path/of/a/program"},
     false},
};

Test(output_facts, lines)
{
    for (size_t i = 0; i < sizeof(narrow) / sizeof(narrow[0]); i++) {
        struct picture_options options = picture_defaults;
        struct facts facts;
        struct drawn d;

        options.part = slice_str(narrow[i].part);
        drawn_init(&d, slice_str(stacks), &options, 1);
        facts_init(&facts, &d.picture, narrow[i].room);
        for (size_t j = 0; j < FACTS_LINES; j++) {
            struct slice line = j < facts.lines.count ? facts_line(&facts, j) : SLICE("");
            const char *want = narrow[i].lines[j] ? narrow[i].lines[j] : "";

            cr_expect(slice_equal(line, slice_str(want)), "row %zu, line %zu: '%.*s', not '%s'", i,
                      j, SLICE_ARG(line), want);
        }
        cr_expect_eq(facts.complete, narrow[i].complete, "row %zu", i);
        facts_release(&facts);
        drawn_release(&d);
    }
}

/* What a narrow picture has no room for is in its files. */
Test(output_facts, a_description_has_what_the_lines_lack)
{
    struct picture_options options = picture_defaults;
    struct drawn d;

    options.look.width = 180;
    options.look.subtitle = SLICE("app.perf");
    options.part = SLICE("processes first, second and third");
    drawn_init(&d, slice_str(stacks), &options, 1);
    cr_expect(slice_equal(picture_slice(&d.picture, d.picture.description),
                          SLICE("app.perf \u00b7 1,000 samples \u00b7 processes first, second and "
                                "third \u00b7 10.0% kernel \u00b7 70.0% inlined" PLAIN)));
    drawn_release(&d);
    options.look.width = 1200;
    drawn_init(&d, slice_str(stacks), &options, 1);
    cr_expect_eq(d.picture.description.len, 0);
    drawn_release(&d);
}
