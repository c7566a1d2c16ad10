
#include "output/paint.h"
#include "output/picture_pair.h"
#include "output/svg.h"
#include "unit/support/drawn.h"
#include "unit/support/test.h"

/* There are so few colours that none is changed. */
static void expect_part(const struct paint *stack, uint32_t top, const struct picture *p,
                        unsigned ratio)
{
    struct picture alone = *p;
    struct paint paint;
    unsigned wrong = 0;

    alone.below = NULL;
    cr_assert(paint_init(&paint, &alone, ratio));
    cr_assert_eq(stack->pixmap.width, paint.pixmap.width);
    for (uint32_t y = 0; y < paint.pixmap.height; y++)
        for (uint32_t x = 0; x < paint.pixmap.width; x++)
            wrong += paint_color(stack, pixmap_row(&stack->pixmap, top + y)[x]) !=
                     paint_color(&paint, pixmap_row(&paint.pixmap, y)[x]);
    cr_expect_eq(wrong, 0, "ratio %u: %u pixels", ratio, wrong);
    paint_release(&paint);
}

Test(output_stack, each_picture_is_as_if_it_were_alone)
{
    struct picture_options flat = picture_defaults;
    struct drawn first, second;

    flat.background = &picture_pair_ground;
    drawn_init(&first, SLICE("a;b 3\na;c 2\n"), &flat, 1);
    drawn_init(&second, SLICE("a;b 3\nd;e;f 2\n"), &flat, 1);
    first.picture.below = &second.picture;
    cr_expect_eq(picture_stack_height(&first.picture),
                 first.picture.geometry.height + second.picture.geometry.height);
    for (unsigned ratio = 1; ratio <= 2; ratio++) {
        struct paint stack;

        cr_assert(paint_init(&stack, &first.picture, ratio));
        cr_expect_eq(stack.pixmap.height, picture_stack_height(&first.picture) * ratio);
        expect_part(&stack, 0, &first.picture, ratio);
        expect_part(&stack, first.picture.geometry.height * ratio, &second.picture, ratio);
        paint_release(&stack);
    }
    drawn_release(&first);
    drawn_release(&second);
}

static unsigned count(struct slice text, struct slice what)
{
    unsigned n = 0;

    for (size_t at; (at = slice_search(text, what)) < text.len; n++)
        text = slice_skip(text, at + what.len);
    return n;
}

Test(output_stack, the_svg_holds_a_graph_for_each)
{
    struct drawn first, second;
    struct buf svg = {0};

    drawn_init(&first, SLICE("a;b 3\na;c 2\n"), NULL, 1);
    drawn_init(&second, SLICE("a;b 3\nd;e;f 2\n"), NULL, 1);
    first.picture.below = &second.picture;
    svg_write(&first.picture, &svg);
    cr_expect_eq(count(buf_slice(&svg), SLICE("<?xml ")), 1);
    cr_expect_eq(count(buf_slice(&svg), SLICE("<svg ")), 3);
    cr_expect_eq(count(buf_slice(&svg), SLICE("</svg>")), 3);
    cr_expect_eq(count(buf_slice(&svg), SLICE("data-flame=\"data\"")), 2);
    buf_release(&svg);
    drawn_release(&first);
    drawn_release(&second);
}

Test(output_stack, height_limit)
{
    struct drawn one;
    struct paint paint;

    drawn_init(&one, SLICE("a;b 3\n"), &picture_defaults, 1);
    one.picture.geometry.height = PIXMAP_MAX_SIDE;
    cr_expect(paint_init(&paint, &one.picture, 1));
    paint_release(&paint);
    one.picture.geometry.height = PIXMAP_MAX_SIDE + 1;
    cr_expect_not(paint_init(&paint, &one.picture, 1));
    drawn_release(&one);
}
