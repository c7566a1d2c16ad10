#include "output/areas.h"

#include "unit/support/drawn.h"
#include "unit/support/test.h"

/* Wide boxes of a picture of 1200 pixels; what templates/flame_tree.js makes of the same paths. */
static const struct {
    const char *folded, *title, *place;
} places[] = {
    {"a;b 30\na;c 20\nd 50\n", "a (50 samples, 50.00%)", "0j2box419idc1f"},
    {"a;b 30\na;c 20\nd 50\n", "b (30 samples, 30.00%)", "0jezqla1ltrosd"},
    {"a;b 30\na;c 20\nd 50\n", "c (20 samples, 20.00%)", "0oq5kqd1indp0b"},
    {"a;b 30\na;c 20\nd 50\n", "d (50 samples, 50.00%)", "0geao410nybahu"},
    {"\xc3\xa9\xe4\xb8\xad 1\n", "\xc3\xa9\xe4\xb8\xad (1 sample, 100%)", "0108mts0bmt1p5"},
    {"\xf0\x9f\x98\x80 1\n", "\xf0\x9f\x98\x80 (1 sample, 100%)", "1wdjq850e5ylrz"},
    {"std::vector<int>::push_back(int&&);malloc 7\n", "malloc (7 samples, 100%)", "06hn6yy1ifec3f"},
};

static const struct area *find(const struct areas *a, const char *title)
{
    for (size_t i = 0; i < a->items.count; i++) {
        const struct area *area = &a->items.items[i];
        struct slice rest = slice_str(title);

        if (!slice_starts(rest, area->name))
            continue;
        rest = slice_skip(rest, area->name.len);
        if (rest.len && slice_equal(slice_skip(rest, 1), area->share))
            return area;
    }
    return NULL;
}

Test(output_areas, places_are_those_of_the_script)
{
    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        const struct area *area;
        struct areas areas;
        struct drawn d;

        drawn_init(&d, slice_str(places[i].folded), NULL, 1);
        areas_init(&areas, &d.picture, 1, 100);
        area = find(&areas, places[i].title);
        cr_assert(area, "%s is missing", places[i].title);
        cr_expect_str_eq(area->place, places[i].place, "%s: %s", places[i].title, area->place);
        areas_release(&areas);
        drawn_release(&d);
    }
}

/* A path leads to the same frame in another profile that is drawn differently. */
Test(output_areas, a_place_outlives_the_drawing)
{
    struct picture_options inverted = picture_defaults;
    struct areas first, second;
    struct drawn one, other;

    inverted.look.inverted = true;
    inverted.look.width = 900;
    drawn_init(&one, SLICE("a;b;c 3\n"), NULL, 1);
    drawn_init(&other, SLICE("0;b;c 9\na;b;c 4\na;b;d 5\n"), &inverted, 1);
    areas_init(&first, &one.picture, 1, 100);
    areas_init(&second, &other.picture, 1, 100);
    cr_expect_str_eq(find(&first, "c (3 samples, 100%)")->place,
                     find(&second, "c (4 samples, 22.22%)")->place);
    cr_expect_str_neq(find(&second, "c (9 samples, 50.00%)")->place,
                      find(&second, "c (4 samples, 22.22%)")->place);
    areas_release(&second);
    areas_release(&first);
    drawn_release(&other);
    drawn_release(&one);
}

/* Each area is on its box; the root has none, since it leads nowhere. */
Test(output_areas, areas_are_the_boxes)
{
    struct areas areas;
    struct drawn d;

    drawn_init(&d, SLICE("a;b 30\na;c 20\nd 50\n"), NULL, 1);
    areas_init(&areas, &d.picture, 1, 100);
    cr_assert_eq(areas.items.count, 4);
    cr_assert_eq(d.picture.boxes.count, 5);
    for (size_t i = 0; i < areas.items.count; i++) {
        const struct rect *r = &areas.items.items[i].rect;
        const struct rect *box = &d.picture.boxes.items[i + 1].rect;

        cr_expect(r->x == box->x && r->y == box->y && r->width == box->width &&
                  r->height == box->height);
    }
    areas_release(&areas);
    drawn_release(&d);
}

Test(output_areas, narrow_boxes_and_those_beyond_the_most_are_left_out)
{
    static const char folded[] = "wide;a 500\nwide;b 480\nthin;c 20\n";
    static const struct {
        int32_t least;
        size_t most, want;
    } rows[] = {{1, 100, 5}, {100, 100, 3}, {2000, 100, 0}, {1, 2, 2}, {1, 0, 0}};
    struct drawn d;

    drawn_init(&d, slice_str(folded), NULL, 1);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct areas areas;

        areas_init(&areas, &d.picture, rows[i].least, rows[i].most);
        cr_expect_eq(areas.items.count, rows[i].want, "least %d, most %zu: %zu", (int)rows[i].least,
                     rows[i].most, areas.items.count);
        areas_release(&areas);
    }
    drawn_release(&d);
}

/* A stack that is drawn completely and one that is cut fit in the length of a path. */
Test(output_areas, deep_stacks_have_places)
{
    enum { DEPTH = 3000 };
    struct buf folded = {0};
    struct areas areas;
    struct drawn d;

    for (int i = 0; i < DEPTH; i++)
        buf_add_str(&folded, i ? ";a" : "a");
    buf_add_str(&folded, " 1\n");
    drawn_init(&d, buf_slice(&folded), NULL, 1);
    areas_init(&areas, &d.picture, 1, DEPTH);
    cr_expect_gt(areas.items.count, 900);
    for (size_t i = 1; i < areas.items.count; i++)
        cr_expect_str_neq(areas.items.items[i].place, areas.items.items[i - 1].place);
    areas_release(&areas);
    drawn_release(&d);
    buf_release(&folded);
}
