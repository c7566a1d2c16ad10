#include "output/notes.h"

#include <stdlib.h>

#include "unit/support/drawn.h"
#include "unit/support/test.h"

enum { NOTES = 12, NAMES = 40 };

/* A picture with notes at functions of random stacks: f0, f1, ... */
struct pointed {
    struct drawn drawn;
    struct picture_options options;
    struct picture_note notes[NOTES];
    bool hit[NOTES][NAMES + 1];
};

static const char *const texts[] = {
    "short", "a longer note about a function", "x",
    "a note that is nearly as long as a picture of seven hundred pixels is wide, and then some"};

static void point(struct pointed *p, const char *folded, uint32_t width, unsigned count,
                  unsigned seed)
{
    *p = (struct pointed){.options = picture_defaults};
    for (unsigned i = 0; i < count; i++) {
        p->hit[i][(i * 7 + seed) % 16] = true;
        p->notes[i] = (struct picture_note){p->hit[i], slice_str(texts[(i + seed) % 4])};
    }
    p->options.look.width = width;
    p->options.notes = p->notes;
    p->options.note_count = count;
    drawn_init(&p->drawn, slice_str(folded), &p->options, 1);
}

static const char *const stacks =
    "a;b;c 30\na;b;d 10\na;e 15\na;e;f;g 5\nh;i 12\nh;j;k 9\nh;j;l;m;n 4\no;p 15\n";

/* Whether two notes are drawn over each other. */
static bool overlap(const struct picture_leader *a, const struct picture_leader *b)
{
    return a->row == b->row && a->left < b->right && b->left < a->right;
}

Test(output_notes, cover_neither_each_other_nor_frames)
{
    static const uint32_t widths[] = {200, 700, 1200};

    for (unsigned seed = 0; seed < 60; seed++) {
        struct pointed p;
        const struct geometry *g = &p.drawn.picture.geometry;

        point(&p, stacks, widths[seed % 3], 1 + seed % NOTES, seed);
        cr_expect_gt(p.drawn.picture.leaders.count, 0);
        vec_each (struct picture_leader, n, &p.drawn.picture.leaders) {
            struct rect target = geometry_box(g, n->box);

            cr_expect_geq(n->left, (int32_t)g->pad_x);
            cr_expect_leq(n->right, (int32_t)(g->width - g->pad_x));
            cr_expect_lt(n->top, (int32_t)g->pad_top);
            cr_expect_gt(n->top, 3 * (int32_t)p.options.look.font_size, "below the title");
            cr_expect_eq(n->bottom, target.y);
            cr_expect(n->x >= target.x && n->x < target.x + target.width, "seed %u", seed);
            vec_each (struct picture_leader, other, &p.drawn.picture.leaders)
                cr_expect(other == n || !overlap(n, other), "seed %u", seed);
        }
        drawn_release(&p.drawn);
    }
}

/* Whether the line of one note meets the text of another one. */
static bool meet(const struct picture *p)
{
    bool met = false;

    vec_each (struct picture_leader, n, &p->leaders)
        vec_each (struct picture_leader, other, &p->leaders)
            met |= other->row < n->row && n->x >= other->left && n->x < other->right;
    return met;
}

/* Notes that all begin at their lines, and notes that all end there. */
Test(output_notes, lines_meet_no_note)
{
    static const char *const rows[] = {
        "a 10\nb 10\nc 10\nd 10\ne 500\n",
        "a 500\nb 10\nc 10\nd 10\ne 10\n",
        "a 100\nb 100\nc 100\nd 100\ne 100\n",
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct picture_options options = picture_defaults;
        struct picture_note notes[5];
        bool hit[5][8] = {{false}};
        struct drawn d;

        for (unsigned k = 0; k < 5; k++) {
            hit[k][k] = true;
            notes[k] = (struct picture_note){hit[k], slice_str(texts[1])};
        }
        options.notes = notes;
        options.note_count = 5;
        drawn_init(&d, slice_str(rows[i]), &options, 1);
        cr_expect_eq(d.picture.leaders.count, 5);
        cr_expect_not(meet(&d.picture), "row %zu", i);
        drawn_release(&d);
    }
}

/* b is under c (30) and d (10), which leave 20 of 60 free at its right end. */
Test(output_notes, a_line_crosses_the_fewest_frames)
{
    struct picture_options options = picture_defaults;
    bool hit[8] = {[1] = true};
    struct picture_note note = {hit, SLICE("note")};
    struct drawn d;
    struct rect target;

    options.notes = &note;
    options.note_count = 1;
    drawn_init(&d, SLICE("a;b;c 30\na;b;d 10\na;b 20\n"), &options, 1);
    cr_assert_eq(d.picture.leaders.count, 1);
    target = geometry_box(&d.picture.geometry, d.picture.leaders.items[0].box);
    cr_expect_geq(d.picture.leaders.items[0].x, target.x + target.width * 2 / 3);
    cr_expect_leq(d.picture.leaders.items[0].x, target.x + target.width * 2 / 3 + 2);
    drawn_release(&d);
}

Test(output_notes, outlines_are_around_all_frames_and_notes_at_the_widest)
{
    struct picture_options options = picture_defaults;
    bool hit[8] = {[1] = true};
    struct picture_note notes[] = {{hit, SLICE("")}, {hit, SLICE("note")}};
    struct drawn d;

    options.notes = notes;
    options.note_count = 2;
    drawn_init(&d, SLICE("a;b 10\nc;b 30\nd;e 5\n"), &options, 1);
    cr_expect_eq(d.picture.outlines.count, 2);
    cr_assert_eq(d.picture.leaders.count, 1);
    cr_expect_eq(d.picture.leaders.items[0].box->weight, 30);
    cr_expect(notes_are_seen(&d.picture, &notes[0]));
    hit[1] = false;
    cr_expect_not(notes_are_seen(&d.picture, &notes[0]));
    drawn_release(&d);
}

/* Without notes, nothing changes. */
Test(output_notes, take_no_room_if_there_are_none)
{
    struct drawn with, without;
    struct picture_options options = picture_defaults;
    bool hit[8] = {false};
    struct picture_note note = {hit, SLICE("note")};

    drawn_init(&without, slice_str("a;b 10\n"), &options, 1);
    options.notes = &note;
    options.note_count = 1;
    drawn_init(&with, slice_str("a;b 10\n"), &options, 1);
    cr_expect_eq(with.picture.geometry.height, without.picture.geometry.height);
    cr_expect(slice_equal(buf_slice(&with.png), buf_slice(&without.png)));
    drawn_release(&with);
    drawn_release(&without);
}
