#include "output/picture.h"

#include "unit/support/drawn.h"
#include "unit/support/markup.h"
#include "unit/support/test.h"

static const char deep[] = "parse_arguments;read_config;open_file;quickly 90\nparse_arguments 10\n";

/* Labels in the rows of the SVG. */
static unsigned count_labels(const struct drawn *d)
{
    unsigned count = 0;
    struct markup m;
    struct buf why = {0};

    cr_assert(markup_init(&m, buf_slice(&d->svg), &why), "%s", buf_string(&why));
    vec_each (struct markup_element, e, &m.elements)
        count += slice_equal(e->name, SLICE("text")) && e->depth > 4;
    markup_release(&m);
    buf_release(&why);
    return count;
}

Test(output_picture_text, boxes_have_labels_that_can_be_read)
{
    static const struct {
        double font;
        uint32_t height;
        bool labels;
    } rows[] = {
        {12, 16, true}, {12, 12, true}, {12, 11, false}, {12, 4, false}, {8, 8, true},
        {6, 6, true},   {6, 16, true},  {5, 16, false},  {4, 8, false},  {40, 60, true},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct picture_options options = picture_defaults;
        unsigned fitted = 0, want = rows[i].labels ? 5 : 0;
        struct drawn d;

        options.look.font_size = rows[i].font;
        options.look.frame_height = rows[i].height;
        drawn_init(&d, slice_str(deep), &options, 1);
        vec_each (struct picture_box, b, &d.picture.boxes)
            fitted += b->label.len > 0;
        cr_expect_eq(fitted, want, "font %g in %u: %u labels", rows[i].font,
                     (unsigned)rows[i].height, fitted);
        cr_expect_eq(count_labels(&d), want, "font %g in %u: %u labels in the SVG", rows[i].font,
                     (unsigned)rows[i].height, count_labels(&d));
        cr_expect_eq(slice_search(buf_slice(&d.svg), SLICE(" data-label=\"none\"")) < d.svg.len,
                     !rows[i].labels);
        drawn_release(&d);
    }
}
