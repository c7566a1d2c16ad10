#include "output/svg_boxes.h"

#include <string.h>

#include "output/writer.h"
#include "unit/support/drawn.h"
#include "unit/support/test.h"

enum { STACKS = 300 };

/* Branches of different weights, three frames high; the lighter ones are drawn as strokes. */
static void draw_branches(struct drawn *d, const struct picture_options *options)
{
    struct buf folded = {0};

    for (unsigned i = 1; i <= STACKS; i++)
        buf_printf(&folded, "a%u;b%u;c%u %u\n", i, i, i, i);
    drawn_init(d, buf_slice(&folded), options, 1);
    buf_release(&folded);
}

static size_t count_text(const struct buf *text, const char *what)
{
    size_t count = 0;

    for (const char *at = buf_string(text); (at = strstr(at, what)); at += strlen(what))
        count++;
    return count;
}

static bool has_title(const struct buf *text, char name, unsigned number)
{
    char title[32];

    snprintf(title, sizeof(title), "<title>%c%u (", name, number);
    return strstr(buf_string(text), title) != NULL;
}

Test(output_svg_boxes, all_of_them_where_there_is_room)
{
    struct drawn d;
    struct buf all = {0}, same = {0};

    draw_branches(&d, NULL);
    cr_expect_eq(svg_boxes_write(&d.picture, SIZE_MAX, &all), 0);
    cr_expect_eq(count_text(&all, "v15"), d.picture.boxes.count);
    cr_expect_eq(svg_boxes_write(&d.picture, all.len, &same), 0);
    cr_expect(slice_equal(buf_slice(&all), buf_slice(&same)));
    buf_release(&all);
    buf_release(&same);
    drawn_release(&d);
}

Test(output_svg_boxes, the_thinnest_are_left_out)
{
    static const unsigned parts[] = {100, 99, 90, 50, 20, 5, 2};
    struct drawn d;
    struct buf all = {0}, some = {0};

    draw_branches(&d, NULL);
    svg_boxes_write(&d.picture, SIZE_MAX, &all);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        size_t most = all.len * parts[i] / 100 - 1, boxes;
        uint32_t left;

        buf_clear(&some);
        left = svg_boxes_write(&d.picture, most, &some);
        boxes = count_text(&some, "v15");
        cr_expect_leq(some.len, most, "%u%%", parts[i]);
        cr_expect_geq(some.len + 400, most, "%u%%: no more than has to be", parts[i]);
        cr_expect_gt(left, 0, "%u%%", parts[i]);
        cr_expect_eq(boxes + left, d.picture.boxes.count, "%u%%: each is there or counted",
                     parts[i]);
        for (unsigned n = 1; n <= STACKS; n++) {
            cr_expect(!has_title(&some, 'c', n) || has_title(&some, 'b', n), "a parent of %u", n);
            cr_expect(!has_title(&some, 'a', n) || has_title(&some, 'a', n + 1) ||
                          !has_title(&all, 'a', n + 1),
                      "the heavier one next to %u", n);
        }
    }
    buf_release(&all);
    buf_release(&some);
    drawn_release(&d);
}

Test(output_svg_boxes, one_stays)
{
    struct drawn d;
    struct buf text = {0};

    draw_branches(&d, NULL);
    cr_expect_eq(svg_boxes_write(&d.picture, 0, &text), d.picture.boxes.count - 1);
    cr_expect(strstr(buf_string(&text), "<title>all ("));
    buf_release(&text);
    drawn_release(&d);
}

Test(output_svg_boxes, a_file_obeys_its_bound_and_tells_what_that_took)
{
    static const size_t bounds[] = {90000, 95000, 110000, 120000};
    struct picture_options options = picture_defaults;
    struct buf text = {0}, why = {0};

    for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
        struct drawn d;

        options.look.svg_max_size = bounds[i];
        draw_branches(&d, &options);
        buf_clear(&text);
        cr_expect(writer_find(SLICE("svg"))->write(&d.picture, 1, &text, &why), "%s",
                  buf_string(&why));
        cr_expect_leq(text.len, bounds[i]);
        cr_expect(strstr(buf_string(&text), ">left out to limit the file's size: "), "%zu",
                  bounds[i]);
        cr_expect(strstr(buf_string(&text), " thin boxes</text>"), "%zu", bounds[i]);
        drawn_release(&d);
    }
    buf_release(&text);
    buf_release(&why);
}

Test(output_svg_boxes, a_bound_below_what_has_to_be_there_is_told)
{
    struct picture_options options = picture_defaults;
    struct drawn d;
    struct buf text = {0}, why = {0};

    options.look.svg_max_size = 20000;
    draw_branches(&d, &options);
    cr_expect_not(writer_find(SLICE("svg"))->write(&d.picture, 1, &text, &why));
    cr_expect(strstr(buf_string(&why), "--svg-max-size allows 20,000"), "%s", buf_string(&why));
    drawn_release(&d);

    options.look.svg_script = SVG_SCRIPT_NONE;
    draw_branches(&d, &options);
    buf_clear(&text);
    cr_expect(writer_find(SLICE("svg"))->write(&d.picture, 1, &text, &why));
    cr_expect_leq(text.len, 20000);
    cr_expect(strstr(buf_string(&text), "<title>all ("));
    drawn_release(&d);
    buf_release(&text);
    buf_release(&why);
}
