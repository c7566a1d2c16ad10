#include "output/notes.h"

#include <math.h>
#include <stdlib.h>

#include "output/picture.h"

enum {
    GAP = 8,  /* between two notes of a row, in CSS pixels */
    EDGE = 4, /* from the sides of a box to the line */
};

/* Space from one row of notes to the next, in font sizes; and from the last one to the frames. */
static const double row_height = 1.5, below_rows = 0.75;

static bool hits(const struct picture *p, const struct picture_note *note, const struct box *box)
{
    uint32_t symbol = box->node == LAYOUT_LANE ? SYMBOL_NONE : picture_symbol(p, box);

    return symbol != SYMBOL_NONE && note->hit[symbol];
}

/* Whether the frame of a box is pointed out. */
static bool is_noted(const struct picture *p, const struct box *box)
{
    for (size_t i = 0; i < p->options.note_count; i++)
        if (hits(p, &p->options.notes[i], box))
            return true;
    return false;
}

/* Returns the widest box that a note is about, or NULL if there is none of half a pixel. */
static const struct box *widest(const struct picture *p, const struct picture_note *note)
{
    const struct box *found = NULL;

    vec_each (const struct box, box, &p->layout->boxes)
        if (hits(p, note, box) && (!found || box->weight > found->weight))
            found = box;
    return found && geometry_box(&p->geometry, found).width > 0 ? found : NULL;
}

bool notes_are_seen(const struct picture *p, const struct picture_note *note)
{
    return widest(p, note) != NULL;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Whether a note could be in a row: no other one is in its place. */
static bool is_free(const struct picture *p, const struct picture_leader *n, uint32_t row)
{
    vec_each (const struct picture_leader, other, &p->leaders)
        if (other != n && other->row == row && n->left < other->right + GAP &&
            other->left < n->right + GAP)
            return false;
    return true;
}

/* Whether no line of one note would meet the text of another one. */
static bool is_clear(const struct picture *p, const struct picture_leader *n, uint32_t row)
{
    vec_each (const struct picture_leader, other, &p->leaders) {
        const struct picture_leader *upper = other->row > row ? other : n;
        const struct picture_leader *lower = upper == n ? other : n;

        if (other != n && other->row != NOTE_UNPLACED && other->row != row &&
            upper->x >= lower->left && upper->x < lower->right)
            return false;
    }
    return true;
}

static void choose_row(struct picture *p, struct picture_leader *n)
{
    uint32_t most = (uint32_t)p->leaders.count, row = 0;

    while (row < most && !(is_free(p, n, row) && is_clear(p, n, row)))
        row++;
    for (row = row < most ? row : 0; !is_free(p, n, row);)
        row++;
    n->row = row;
}

/* Whether a note is placed before another one: below it, if they cannot be in one row. */
static bool is_before(const struct picture_leader *a, const struct picture_leader *b)
{
    bool moved_a = a->left < a->x, moved_b = b->left < b->x;

    if (moved_a != moved_b)
        return moved_b;
    return moved_a ? a->x < b->x : a->x > b->x;
}

/*
 * The next note without a row. Those that begin at their lines go first, from right to left, then
 * those that end there, from left to right: so no note is in the way of a later one's line.
 */
static struct picture_leader *next_unplaced(struct picture *p)
{
    struct picture_leader *next = NULL;

    vec_each (struct picture_leader, n, &p->leaders)
        if (n->row == NOTE_UNPLACED && (!next || is_before(n, next)))
            next = n;
    return next;
}

/*
 * Returns where the line to a box crosses the fewest boxes above it, as near as possible to the
 * middle.
 */
static int32_t line_position(const struct picture *p, struct rect target)
{
    int32_t *steps = xcalloc((size_t)target.width + 1, sizeof(*steps));
    int32_t middle = target.width / 2, best = middle, crossed = 0, least = INT32_MAX;

    vec_each (const struct box, box, &p->layout->boxes) {
        struct rect r = geometry_box(&p->geometry, box);
        int32_t left = r.x - target.x, right = left + r.width;

        if (r.y >= target.y || right <= 0 || left >= target.width)
            continue;
        steps[left > 0 ? left : 0]++;
        steps[right < target.width ? right : target.width]--;
    }
    for (int32_t x = 0; x < target.width; x++) {
        bool edge = x < EDGE || x >= target.width - EDGE;

        crossed += steps[x];
        if ((edge && target.width > 2 * EDGE) || crossed > least ||
            (crossed == least && abs(x - middle) >= abs(best - middle)))
            continue;
        least = crossed;
        best = x;
    }
    xfree(steps);
    return target.x + best;
}

/* Returns where a text begins: at its line or, if there is not enough room, where it ends there. */
static int32_t text_position(int32_t line, int32_t width, int32_t left, int32_t right)
{
    if (line + width <= right)
        return line;
    return line - width + 1 >= left ? line - width + 1 : right - width;
}

static void add_note(struct picture *p, const struct picture_note *note, const struct box *box)
{
    struct rect rect = geometry_box(&p->geometry, box);
    int32_t left = (int32_t)p->geometry.pad_x, right = (int32_t)p->geometry.width - left;
    struct picture_leader *n;
    struct picture_text text = picture_text_add(p, PICTURE_NOTE, note->text, right - left);
    int32_t width = (text.width + 63) / 64;

    if (!text.len)
        return;
    n = vec_add(&p->leaders);
    *n = (struct picture_leader){.x = line_position(p, rect), .row = NOTE_UNPLACED, .box = box};
    n->text = text;
    n->left = text_position(n->x, width, left, right);
    n->right = n->left + width;
}

uint32_t notes_place(struct picture *p)
{
    struct picture_leader *n;
    uint32_t rows = 0;

    for (size_t i = 0; i < p->options.note_count; i++) {
        const struct picture_note *note = &p->options.notes[i];
        const struct box *box = note->text.len ? widest(p, note) : NULL;

        if (box)
            add_note(p, note, box);
    }
    while ((n = next_unplaced(p))) {
        choose_row(p, n);
        rows = n->row + 1 > rows ? n->row + 1 : rows;
    }
    return rows ? (uint32_t)lround((rows * row_height + below_rows) * p->options.look.font_size)
                : 0;
}

void notes_add(struct picture *p)
{
    double font = p->options.look.font_size;
    int32_t frames = (int32_t)p->geometry.pad_top;

    vec_each (struct picture_leader, n, &p->leaders) {
        double above = n->row * row_height + below_rows + 0.25;
        int32_t baseline = frames - (int32_t)lround(above * font);

        *vec_add(&p->lines) = (struct picture_line){PICTURE_NOTE, n->left, baseline, n->text};
        n->top = baseline + (int32_t)lround(0.25 * font);
        n->bottom = geometry_box(&p->geometry, n->box).y;
    }
    vec_each (const struct picture_box, b, &p->boxes)
        if (is_noted(p, &p->layout->boxes.items[b->box]))
            *vec_add(&p->outlines) = b->rect;
}
