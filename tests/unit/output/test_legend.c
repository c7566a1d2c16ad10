#include "output/legend.h"

#include <stdlib.h>

#include "output/picture_color.h"
#include "match/search.h"
#include "unit/support/drawn.h"
#include "unit/support/test.h"

/* Writes the legend of a picture in reading order, with "; " between its lines. */
static void read_legend(const struct picture *p, struct buf *out)
{
    buf_clear(out);
    vec_each (const struct picture_line, line, &p->lines) {
        if (line->role != PICTURE_LEGEND)
            continue;
        if (out->len)
            buf_add_str(out, "; ");
        buf_add_slice(out, picture_slice(p, line->text));
    }
}

static void expect_legend(const char *folded, const struct picture_options *options,
                          const char *want)
{
    struct drawn d;
    struct buf got = {0};

    drawn_init(&d, slice_str(folded), options, 1);
    read_legend(&d.picture, &got);
    cr_expect(slice_equal(buf_slice(&got), slice_str(want)), "%.*s: %.*s, not %s",
              SLICE_ARG(slice_str(options->colors.palette->name)), SLICE_ARG(buf_slice(&got)),
              want);
    cr_expect_eq(d.picture.swatches.count > 0, want[0] != '\0');
    drawn_release(&d);
    buf_release(&got);
}

/* Shares are of self weight: 8 of 40 in the kernel, 20 + 2 in Java, and so on. */
Test(output_legend, shares)
{
    static const char folded[] = "start;java/A.run_[j] 20\n"
                                 "start;java/A.run_[j];inline_[i] 5\n"
                                 "start;java/A.run_[j];JavaThread::go 4\n"
                                 "start;java/A.run_[j];sys_read_[k] 8\n"
                                 "start;-;java.B.x 2\n"
                                 "start 1\n";
    static const struct {
        const char *palette, *want;
    } cases[] = {
        {"hot", ""},
        {"red", ""},
        {"wakeup", ""},
        {"java", "Java 55.0%; inlined 12.5%; C++ 10.0%; kernel 20.0%; native 2.5%"},
        {"js", "JavaScript 50.0%; C++ 10.0%; kernel 20.0%; native 20.0%"},
        {"rust", "Rust 10.0%; other code 90.0%"},
        {"chain", "who waits"},
        {"safe", "user 17.5%; kernel 20.0%; inlined 12.5%; jit 50.0%"},
        {"module", "unknown module 80.0%; kernel 20.0%"},
        {"self", "0% self; 50% self; 100% self"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct picture_options options = picture_defaults;

        options.colors.palette = palette_find(slice_str(cases[i].palette));
        expect_legend(folded, &options, cases[i].want);
    }
}

/* Roles are those of the graph; the profile has further stacks, of other events. */
Test(output_legend, roles_of_other_events_are_not_named)
{
    struct picture_options options = picture_defaults;

    options.colors.palette = palette_find(SLICE("gpu"));
    expect_legend("app;launch;-;gemm_[G] 5\napp;sys_read_[k] 0\n", &options, "device; other");
    expect_legend("app;launch;-;gemm_[G] 5\napp;sys_read_[k] 1\n", &options,
                  "device; kernel; other");
}

/* The weight of a class is that of its own functions, whatever the tree is merged from. */
Test(output_legend, reversed)
{
    struct picture_options options = picture_defaults;
    struct tree_options leaf_first = {.reverse = true};
    struct layout_options layout = {.width = 1180, .max_depth = 100};
    struct drawn d;
    struct tree tree;
    struct layout l;
    struct picture p;
    struct buf got = {0};

    options.colors.palette = &palette_safe;
    drawn_init(&d, SLICE("a;b_[k] 3\na;c_[j];b_[k] 2\na 5\n"), &options, 1);
    tree_init(&tree, d.graph.tree.profile, d.graph.tree.series, &leaf_first);
    layout_init(&l, &tree, &layout);
    picture_init(&p, &l, d.fonts, &options);
    read_legend(&d.picture, &got);
    cr_expect_str_eq(buf_string(&got), "user 50.0%; kernel 50.0%");
    read_legend(&p, &got);
    cr_expect_str_eq(buf_string(&got), "user 50.0%; kernel 50.0%");
    picture_release(&p);
    layout_release(&l);
    tree_release(&tree);
    drawn_release(&d);
    buf_release(&got);
}

/* More modules than the legend names, some of one colour: no colour means one of them alone. */
Test(output_legend, modules_that_share_a_colour)
{
    enum { MODULES = 30, NAMED = 12 };
    struct picture_options options = picture_defaults;
    struct buf folded = {0}, name = {0}, got = {0};
    struct picture p;
    struct drawn d;

    options.colors.palette = &palette_module;
    for (unsigned i = 0; i < MODULES; i++)
        buf_printf(&folded, "f%u %u\n", i, 100 - i);
    drawn_init(&d, buf_slice(&folded), &options, 1);
    for (unsigned i = 0; i < MODULES; i++) {
        buf_clear(&name);
        buf_printf(&name, "lib%u.so", i);
        symbols_set_module(&d.graph.profile.symbols, i, buf_slice(&name));
    }
    picture_init(&p, &d.layout, d.fonts, &options);
    read_legend(&p, &got);
    cr_expect(slice_search(buf_slice(&got), SLICE("; other modules, in the same colours ")) <
              got.len);
    for (unsigned i = 0; i < MODULES; i++) {
        buf_clear(&name);
        buf_printf(&name, "lib%u.so ", i);
        cr_expect_eq(slice_search(buf_slice(&got), buf_slice(&name)) < got.len, i < NAMED, "%s: %s",
                     buf_string(&name), buf_string(&got));
    }
    cr_expect_lt(p.swatches.count, NAMED + 1, "some of them share: %s", buf_string(&got));
    for (size_t i = 0; i < p.swatches.count; i++)
        for (size_t k = 0; k < i; k++)
            cr_expect_neq(p.swatches.items[i].color, p.swatches.items[k].color, "%s",
                          buf_string(&got));
    picture_release(&p);
    drawn_release(&d);
    buf_release(&folded);
    buf_release(&name);
    buf_release(&got);
}

/* A share below 0.05 % is left out. */
Test(output_legend, crumbs)
{
    struct picture_options options = picture_defaults;

    options.colors.palette = &palette_safe;
    expect_legend("a 99951\nb_[k] 49\n", &options, "user 100.0%");
    expect_legend("a 99950\nb_[k] 50\n", &options, "user 100.0%; kernel 0.1%");
}

/* Entries that do not fit in a row go into the next one, and the picture becomes higher. */
Test(output_legend, rows)
{
    static const char folded[] = "a_[j] 1\nb_[i] 1\nc::d 1\ne_[k] 1\nf 1\n";
    struct picture_options options = picture_defaults;
    struct drawn wide, narrow;

    options.colors.palette = &palette_java;
    drawn_init(&wide, slice_str(folded), &options, 1);
    options.look.width = 200;
    drawn_init(&narrow, slice_str(folded), &options, 1);
    cr_expect_eq(wide.picture.swatches.count, narrow.picture.swatches.count);
    cr_expect_gt(narrow.picture.geometry.height, wide.picture.geometry.height);
    vec_each (const struct picture_swatch, s, &narrow.picture.swatches)
        cr_expect(s->rect.x + s->rect.width <= 190 &&
                  s->rect.y + s->rect.height <= (int32_t)narrow.picture.geometry.height);
    drawn_release(&wide);
    drawn_release(&narrow);
}

/* Returns the distance from the last line of facts to the first swatch. */
static int32_t below_facts(const struct picture *p)
{
    int32_t y = 0;

    vec_each (const struct picture_line, line, &p->lines)
        if (line->role == PICTURE_FACTS)
            y = line->baseline;
    return p->swatches.items[0].rect.y - y;
}

/* An entry that is wider than the picture is in the first row: no empty row comes before it. */
Test(output_legend, an_entry_that_is_too_wide)
{
    struct picture_options options = picture_defaults;
    struct drawn wide, narrow;

    options.colors.palette = &palette_safe;
    options.look.width = 400;
    drawn_init(&wide, SLICE("a 1\n"), &options, 1);
    options.look.width = 60;
    drawn_init(&narrow, SLICE("a 1\n"), &options, 1);
    cr_expect_eq(narrow.picture.swatches.count, 1);
    /* Baselines are rounded to pixels. */
    cr_expect_leq(abs(below_facts(&narrow.picture) - below_facts(&wide.picture)), 1);
    drawn_release(&wide);
    drawn_release(&narrow);
}

static palette_color color_of(const struct picture *p, const char *name)
{
    vec_each (const struct picture_box, b, &p->boxes)
        if (slice_equal(picture_name(p, &p->layout->boxes.items[b->box]), slice_str(name)))
            return b->color;
    cr_assert_fail("no box is called %s", name);
    return 0;
}

Test(output_legend, searches)
{
    struct picture_options options = picture_defaults;
    static const char *const names[2] = {"gc", "io"}, *const patterns[2] = {"^gc", "read|gc_io"};
    struct share searches[2] = {{.weight = 3}, {.weight = 4}};
    struct search *compiled[2];
    struct drawn d;
    struct buf got = {0};

    for (size_t i = 0; i < 2; i++) {
        searches[i].search = compiled[i] = search_new(slice_str(patterns[i]), false, &got);
        compiled[i]->name = slice_str(names[i]);
    }
    options.colors.palette = &palette_search;
    options.searches = searches;
    options.search_count = 2;
    drawn_init(&d, SLICE("main;gc_mark 2\nmain;gc_io 1\nmain;read 3\nmain 4\n"), &options, 1);
    read_legend(&d.picture, &got);
    cr_expect_str_eq(buf_string(&got), "gc 30.0%; io 40.0%; no match");
    cr_expect_neq(color_of(&d.picture, "gc_mark"), color_of(&d.picture, "read"));
    cr_expect_neq(color_of(&d.picture, "read"), color_of(&d.picture, "main"));
    cr_expect_eq(color_of(&d.picture, "gc_io") & 0xf00000,
                 color_of(&d.picture, "gc_mark") & 0xf00000, "the first search has it");
    for (size_t i = 0; i < 2; i++)
        search_free(compiled[i]);
    drawn_release(&d);
    buf_release(&got);
}

Test(output_legend, colours_by_self_weight)
{
    struct picture_options options = picture_defaults;
    struct drawn d;

    options.colors.palette = palette_find(SLICE("self"));
    drawn_init(&d, SLICE("a;b 3\na 1\n- 1\n"), &options, 1);
    cr_expect_eq(color_of(&d.picture, "b"), palette_self(options.colors.palette, 1, 1));
    cr_expect_eq(color_of(&d.picture, "a"), palette_self(options.colors.palette, 1, 4));
    cr_expect_eq(color_of(&d.picture, "all"), palette_self(options.colors.palette, 0, 5));
    cr_expect_eq(color_of(&d.picture, "-"), PALETTE_DASH);
    drawn_release(&d);
}
