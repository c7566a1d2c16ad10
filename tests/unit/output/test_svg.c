#include "output/svg.h"

#include "assets/asset.h"
#include "output/facts.h"
#include "unit/support/drawn.h"
#include "unit/support/markup.h"
#include "unit/support/test.h"

static const char small[] = "a;b 30\na;c 20\na_[k] 1\nd 9\n";

static void read_svg(struct markup *m, const struct drawn *d)
{
    struct buf why = {0};

    cr_assert(markup_init(m, buf_slice(&d->svg), &why), "%s", buf_string(&why));
    buf_release(&why);
}

static const struct markup_element *by_attribute(const struct markup *m, const char *name,
                                                 const char *value)
{
    for (size_t i = 0; i < m->elements.count; i++)
        if (slice_equal(markup_get(m, &m->elements.items[i], name), slice_str(value)))
            return &m->elements.items[i];
    return NULL;
}

static const struct markup_element *by_class(const struct markup *m, const char *class)
{
    return by_attribute(m, "class", class);
}

Test(output_svg, document)
{
    struct picture_options options = picture_defaults;
    const struct markup_element *root;
    struct drawn d;
    struct markup m;

    options.look.title = SLICE("A & B <c> \"d\"");
    options.look.subtitle = SLICE("sub & title");
    drawn_init(&d, slice_str(small), &options, 1);
    read_svg(&m, &d);
    root = m.elements.items;
    cr_expect(slice_equal(markup_get(&m, root, "role"), SLICE("img")));
    cr_expect(slice_equal(markup_get(&m, root, "aria-label"), options.look.title));
    cr_expect(slice_equal(markup_get(&m, root, "viewBox"), SLICE("0 0 1200 136")), "%.*s",
              SLICE_ARG(markup_get(&m, root, "viewBox")));
    cr_expect(slice_equal(m.elements.items[1].name, SLICE("title")),
              "the document's title comes before all others");
    cr_expect(slice_equal(m.elements.items[1].text, options.look.title));
    cr_expect(slice_equal(by_class(&m, "title")->text, options.look.title));
    cr_expect(slice_equal(by_class(&m, "muted subtitle")->text, options.look.subtitle));
    markup_release(&m);
    drawn_release(&d);
}

Test(output_svg, titles)
{
    static const char *const want[] = {"all (60 samples, 100%)", "a (50 samples, 83.33%)",
                                       "a (1 sample, 1.67%)",    "d (9 samples, 15.00%)",
                                       "b (30 samples, 50.00%)", "c (20 samples, 33.33%)"};
    struct drawn d;
    struct markup m;
    size_t n = 0;

    drawn_init(&d, slice_str(small), NULL, 1);
    read_svg(&m, &d);
    vec_each (struct markup_element, e, &m.elements) {
        if (!slice_equal(e->name, SLICE("title")) || e->depth != 5)
            continue;
        cr_assert_lt(n, 6);
        cr_expect(slice_equal(e->text, slice_str(want[n])), "title %zu: %.*s", n,
                  SLICE_ARG(e->text));
        n++;
    }
    cr_expect_eq(n, 6);
    markup_release(&m);
    drawn_release(&d);
}

/* A strict content security policy allows them by one pair of hashes, and nothing else inline. */
Test(output_svg, script_and_style_are_the_same_in_every_file)
{
    static const char *const graphs[] = {small, "x 1\n", "a 1 2\nb 3 4\n"};
    struct slice style, script, program;

    cr_assert(asset_find(SLICE("graph/script"), &script));
    cr_assert(asset_find(SLICE("graph/program"), &program));
    cr_assert(asset_find(SLICE("graph/style"), &style));
    cr_expect_eq(slice_search(script, SLICE("]]>")), script.len, "would end its CDATA section");
    cr_expect_eq(slice_search(script, SLICE("eval(")), script.len);
    cr_expect_eq(slice_search(program, SLICE("eval(")), program.len);
    cr_expect_lt(script.len, program.len / 2, "it is compressed");
    cr_expect_eq(slice_find(style, '<') + slice_find(style, '&'), 2 * style.len);
    for (size_t i = 0; i < 3; i++) {
        unsigned scripts = 0, styles = 0;
        struct drawn d;
        struct markup m;

        drawn_init(&d, slice_str(graphs[i]), NULL, 1);
        read_svg(&m, &d);
        vec_each (struct markup_element, e, &m.elements) {
            if (slice_equal(e->name, SLICE("script"))) {
                scripts++;
                cr_expect(slice_equal(e->text, script));
            }
            if (slice_equal(e->name, SLICE("style"))) {
                styles++;
                cr_expect(slice_equal(e->text, style));
            }
        }
        vec_each (struct markup_attribute, a, &m.attributes)
            cr_expect(!slice_equal(a->name, SLICE("style")) && !slice_starts(a->name, SLICE("on")),
                      "inline %.*s", SLICE_ARG(a->name));
        cr_expect(scripts == 1 && styles == 1);
        markup_release(&m);
        drawn_release(&d);
    }
}

static void expect_colors(const char *sheet, enum theme_page page)
{
    struct slice style;
    struct theme theme;
    palette_color colors[2];

    cr_assert(asset_find(slice_str(sheet), &style));
    theme_init(&theme, page, &backgrounds[0]);
    colors[0] = theme.ink;
    colors[1] = theme.muted;
    for (size_t c = 0; c < 2; c++) {
        struct buf text = {0};

        buf_printf(&text, "fill: #%06x;", colors[c]);
        cr_expect_lt(slice_search(style, buf_slice(&text)), style.len, "%s: %s", sheet,
                     buf_string(&text));
        buf_release(&text);
    }
}

/*
 * The style sheets repeat the colours of the picture's texts for dark ground; attributes in the
 * file have the colours for light ground.
 */
Test(output_svg, style_has_the_colours_of_the_theme)
{
    expect_colors("templates/flame.css", THEME_DARK);
    expect_colors("templates/flame_controls.css", THEME_DARK);
    expect_colors("templates/flame_controls.css", THEME_LIGHT);
}

/* The bytes are decoded by the tests of svg_tree.c and by a browser. */
Test(output_svg, data_is_there)
{
    const struct markup_element *data;
    struct drawn d;
    struct markup m;

    drawn_init(&d, SLICE("a;b 3000\na;thin 3\nz 4\n"), NULL, 1);
    read_svg(&m, &d);
    data = by_attribute(&m, "data-flame", "data");
    cr_assert_not_null(data);
    cr_expect_gt(data->text.len, 40);
    cr_expect(slice_equal(markup_get(&m, data, "data-total"), SLICE("3007")));
    cr_expect(slice_equal(markup_get(&m, data, "data-left-out"), SLICE("0")));
    cr_expect(slice_equal(markup_get(&m, data, "data-fills"), SLICE("symbols")));
    markup_release(&m);
    drawn_release(&d);
}

Test(output_svg, same_bytes_again)
{
    struct drawn first, second;

    drawn_init(&first, slice_str(small), NULL, 1);
    drawn_init(&second, slice_str(small), NULL, 1);
    cr_expect(slice_equal(buf_slice(&first.svg), buf_slice(&second.svg)));
    cr_expect(slice_equal(buf_slice(&first.png), buf_slice(&second.png)));
    drawn_release(&first);
    drawn_release(&second);
}

Test(output_svg, no_weight_no_frames)
{
    struct drawn d;
    struct markup m;

    drawn_init(&d, SLICE(""), NULL, 1);
    read_svg(&m, &d);
    cr_expect(slice_equal(by_class(&m, "muted facts")->text,
                          SLICE("0 samples \u00b7 " FACTS_PLAIN_COLORS)));
    cr_expect_eq(d.picture.boxes.count, 0);
    cr_expect_gt(d.png.len, 100);
    markup_release(&m);
    drawn_release(&d);
}
