#include "output/facts.h"

#include <criterion/criterion.h>

#include "layout/color_map.h"
#include "profile/reshape.h"
#include "tree/around.h"
#include "unit/support/drawn.h"

static const struct unit seconds = {.kind = UNIT_SECONDS, .exponent = -9};

#define PLAIN " \u00b7 " FACTS_PLAIN_COLORS

static void expect(const char *name, const char *folded, const struct picture_options *options,
                   const char *want)
{
    struct drawn d;
    struct buf facts = {0};

    drawn_init(&d, slice_str(folded), options, 1);
    facts_write(&d.picture, &facts);
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
    around_init(&t, &g.tree, around_find(&g.tree, SLICE("f")));
    layout_init(&l, &t, &layout);
    options.unit = unit_samples;
    picture_init(&p, &l, fonts, &options);
    facts_write(&p, &facts);
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
    facts_write(&d.picture, &facts);
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
    facts_write(&d.picture, &facts);
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
