/*
 * SVGs of flamegraph.pl, inferno (cargo flamegraph, py-spy), Deno and async-profiler 1.x.
 *
 *     <g ...>
 *     <title>main (1,234 samples, 12.34%)</title><rect x="10.0" y="37" width="45.4" height="15.0"/>
 *     </g>
 *
 * A frame is a <g> or <a> with a title and a box. Before 2013 the title was the argument in
 * onmouseover="s('...')", of the box itself. In differential graphs the title ends in "; +1.23%":
 * the change of the self weight, in per cent of the total. Titles have the exact weight, rounded to
 * an integer after --factor; inferno's boxes also have left edge and width in samples (fg:x, fg:w),
 * from which the weights are computed without rounding. The text on a box is shortened and not
 * read. Links (href of --nameattr, NYTProf) are an <a> within the <g>. Frames that were too thin to
 * be drawn are not in the file, so their weight is that of their callers. If the picture is merged
 * from the leaves, so are the stacks: the file does not say it. Deno's names end in the place of
 * the function, "main (app.js:3)", which is taken off; it leaves out functions without a name.
 *
 * Grammar: flamegraph.pl (github.com/brendangregg/FlameGraph) of 2011 to 2024, inferno's
 * src/flamegraph (github.com/jonhoo/inferno).
 */
#include "base/budget.h"
#include "base/num.h"
#include "input/format.h"
#include "input/formats/pictures/box_tree.h"
#include "input/parse/xml.h"

/* In the script of Deno's pictures, which have a place in each name. */
#define DENO "the Deno authors. MIT license."

enum {
    PROLOG = 1024,        /* bytes in which <svg begins */
    PLACES = 4,           /* decimals of coordinates that are kept */
    COORDINATE = 1 << 30, /* the largest one, in pixels or samples, before the decimals */
    MOST_FACTOR_PLACES = 3,
    ROUNDED_FROM = 10000, /* a change in per cent, with two decimals, is exact below this total */
};

struct flamegraph_svg {
    struct builder b;
    struct box_tree tree;
    struct buf title;                  /* of the current group */
    bool has_title, has_box, has_rect; /* has_rect: a box, even without a place */
    bool in_link;                      /* within an <a> of the current group */
    struct box box;                    /* of the current group */
    bool exact;                        /* it has fg:x and fg:w */
    uint64_t width;                    /* fg:w */
    bool inexact;                      /* a box has none */
    struct slice unit;
    struct buf number;
    uint64_t one; /* the least weight that a frame can have */
    bool places;  /* names end in " (FILE:LINE)" */
};

static bool flamegraph_svg_claims(const struct head *head)
{
    struct slice start = slice_take(slice_trim_left(head->bytes), PROLOG);

    if (!slice_starts(start, SLICE("<")) || !slice_has(start, SLICE("<svg ")))
        return false;
    return slice_has_any(head->bytes, "class=\"func_g\"", "onmouseover=\"s('",
                         "Flame graph stack visualization. See http", DENO);
}

/* ---- titles -------------------------------------------------------------------------------- */

/* What a title says. */
struct title {
    struct slice name, unit;
    uint64_t weight;
    int64_t change; /* in hundredths of a per cent */
    bool has_change, has_weight;
};

/* Reads "1,234". Returns false for anything else. */
static bool read_count(struct flamegraph_svg *s, struct slice text, uint64_t *count)
{
    buf_clear(&s->number);
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] != ',')
            buf_add_char(&s->number, text.ptr[i]);
    return num_parse_u64(buf_slice(&s->number), count);
}

/* Reads "+1.23%" in hundredths. */
static bool read_change(struct slice text, int64_t *change)
{
    struct decimal number;
    bool negative = slice_starts(text, SLICE("-"));

    if (negative || slice_starts(text, SLICE("+")))
        text = slice_skip(text, 1);
    if (!slice_ends(text, SLICE("%")) ||
        !num_parse_decimal(slice_take(text, text.len - 1), &number) || number.decimals > 2 ||
        number.value > COORDINATE)
        return false;
    *change = (int64_t)(number.value * (number.decimals == 2 ? 1 : number.decimals ? 10 : 100));
    if (negative)
        *change = -*change;
    return true;
}

/* Reads "1,234 samples, 12.34%" or "1,234 samples, 12.34%; +0.12%". */
static bool read_numbers(struct flamegraph_svg *s, struct slice text, struct title *t)
{
    const struct slice early = SLICE(" sample weight, ");
    size_t weight = slice_search(text, early), end, semicolon;
    struct slice share, first;

    if (weight < text.len) /* a differential graph of 2011, whose changes have another meaning */
        text = slice_skip(text, weight + early.len);
    end = text.len;
    while (end > 0 && !slice_starts(slice_skip(text, end - 1), SLICE(", ")))
        end--;
    if (!end)
        return false;
    share = slice_skip(text, end + 1);
    semicolon = slice_find(share, ';');
    if (semicolon < share.len)
        t->has_change = read_change(slice_trim(slice_skip(share, semicolon + 1)), &t->change);
    if (!slice_ends(slice_take(share, semicolon), SLICE("%")))
        return false;
    text = slice_take(text, end - 1);
    end = slice_find(text, ' ');
    first = slice_take(text, end);
    t->unit = slice_trim(slice_skip(text, end));
    t->has_weight = read_count(s, first, &t->weight);
    return t->has_weight;
}

/* A title without numbers is one that the user gave (--nameattr). */
static void read_title(struct flamegraph_svg *s, struct slice text, struct title *t)
{
    size_t open = text.len;

    *t = (struct title){.name = text};
    if (!slice_ends(text, SLICE(")")))
        return;
    while (open > 0 && !slice_starts(slice_skip(text, open - 1), SLICE("(")))
        open--;
    if (open && read_numbers(s, slice_take(slice_skip(text, open), text.len - open - 1), t))
        t->name = slice_trim(slice_take(text, open - 1));
}

/* ---- boxes --------------------------------------------------------------------------------- */

/* Reads "12.3" or "1.5%" with PLACES decimals. */
static bool read_coordinate(struct slice text, int64_t *value)
{
    struct decimal number;
    bool negative = slice_starts(text, SLICE("-"));

    if (slice_ends(text, SLICE("%")))
        text.len--;
    if (!num_parse_decimal(slice_skip(text, negative), &number))
        return false;
    for (; number.decimals > PLACES; number.decimals--)
        number.value /= 10;
    if (number.value / num_pow10(number.decimals) > COORDINATE)
        return false;
    *value = (int64_t)(number.value * num_pow10(PLACES - number.decimals));
    if (negative)
        *value = -*value;
    return true;
}

static void read_box(struct flamegraph_svg *s, const struct xml_element *e)
{
    struct slice left = xml_attribute(e, "fg:x"), width = xml_attribute(e, "fg:w");
    uint64_t x = 0, w = 0;

    s->has_rect = true;
    s->has_box = read_coordinate(xml_attribute(e, "x"), &s->box.left) &&
                 read_coordinate(xml_attribute(e, "width"), &s->box.width) &&
                 read_coordinate(xml_attribute(e, "y"), &s->box.row) && s->box.width >= 0;
    s->exact = num_parse_u64(left, &x) && num_parse_u64(width, &w) && x <= INT64_MAX / 8 &&
               w <= INT64_MAX / 8;
    s->width = w;
    if (!s->exact)
        return;
    s->box.left = (int64_t)x;
    s->box.width = (int64_t)w;
}

/* Takes " (FILE:LINE)" off the name of a function of JavaScript. */
static void take_place(struct frame *f)
{
    size_t open = slice_find_last(f->name, '('), colon;
    struct slice place = slice_skip(f->name, open + 1);

    f->kind = FRAME_PLAIN;
    colon = slice_find_last(place, ':');
    if (!slice_ends(place, SLICE(")")) || open < 2 || colon == place.len ||
        !num_parse_u64(slice_take(slice_skip(place, colon + 1), place.len - colon - 2), &f->line))
        return;
    f->file = slice_take(place, colon);
    f->name = slice_trim(slice_take(f->name, open));
}

/* Adds the current frame, whose title is `text`. */
static bool add_frame(struct flamegraph_svg *s, struct slice text)
{
    struct frame f = {.kind = FRAME_ANNOTATED};
    struct title t;

    read_title(s, text, &t);
    if (!s->has_box || (!t.has_weight && !s->exact)) {
        builder_skip_text(&s->b, "a frame has no weight or no place", text, "skipped");
        return true;
    }
    if (t.unit.len && !s->unit.len)
        s->unit = arena_copy(&s->b.profile->strings, t.unit);
    f.name = t.name;
    if (s->places)
        take_place(&f);
    s->box.entry = builder_entry(&s->b, &f);
    s->box.weight = t.weight;
    s->box.change = t.change;
    s->tree.differential |= t.has_change;
    s->inexact |= !s->exact;
    *vec_add(&s->tree.boxes) = s->box;
    s->tree.boxes.items[s->tree.boxes.count - 1].self = s->width;
    return budget_allows(s->b.diag, DIAG_AT_FILE);
}

/* Returns the text in "s('TEXT')", or an empty slice. */
static struct slice spoken(const struct xml_element *e)
{
    const struct slice start = SLICE("s('"), end = SLICE("')");
    struct slice text = xml_attribute(e, "onmouseover");

    if (!slice_starts(text, start) || !slice_ends(text, end) || text.len < start.len + end.len)
        return slice_make(NULL, 0);
    return slice_take(slice_skip(text, start.len), text.len - start.len - end.len);
}

static bool is_group(struct slice name)
{
    return slice_equal(name, SLICE("g")) || slice_equal(name, SLICE("a"));
}

static void begin_group(struct flamegraph_svg *s, struct slice text)
{
    buf_clear(&s->title);
    buf_add_slice(&s->title, text);
    s->has_title = text.ptr != NULL;
    s->has_box = s->has_rect = s->in_link = false;
}

static bool open_element(void *context, const struct xml_element *e)
{
    struct flamegraph_svg *s = context;
    struct slice text;

    if (s->has_title && slice_equal(e->name, SLICE("a")))
        s->in_link = true;
    else if (is_group(e->name))
        begin_group(s, spoken(e));
    if (!slice_equal(e->name, SLICE("rect")))
        return true;
    text = spoken(e);
    read_box(s, e);
    if (!text.ptr)
        return true;
    /* flamegraph.pl of 2012 puts a comma before the frames of the first row. */
    if (!add_frame(s, slice_skip(text, slice_starts(text, SLICE(",")))))
        return false;
    begin_group(s, slice_make(NULL, 0));
    return true;
}

static bool close_element(void *context, struct slice name, struct slice text)
{
    struct flamegraph_svg *s = context;
    bool ok = true;

    if (slice_equal(name, SLICE("title"))) {
        buf_clear(&s->title);
        buf_add_slice(&s->title, text);
        s->has_title = true;
    }
    if (!is_group(name))
        return true;
    if (s->in_link && slice_equal(name, SLICE("a"))) {
        s->in_link = false;
        return true;
    }
    if (s->has_title && s->has_rect)
        ok = add_frame(s, buf_slice(&s->title));
    begin_group(s, slice_make(NULL, 0));
    return ok;
}

/* ---- weights ------------------------------------------------------------------------------- */

/*
 * Takes the weights from fg:w, times the factor by which the root's title differs from it. `self`
 * of each box has its fg:w. Returns false if the factor is not a decimal number of few places.
 */
static bool weigh_exactly(struct box_tree *t, uint64_t *one)
{
    unsigned __int128 total = 0, widths = 0, scale = 1;
    int64_t root;

    box_tree_total(t);
    root = t->boxes.items[0].row;
    vec_each (const struct box, box, &t->boxes) {
        total += box->row == root ? box->weight : 0;
        widths += box->row == root ? (uint64_t)box->self : 0;
    }
    if (!widths || !total)
        return false;
    for (t->decimals = 0; total * scale % widths; scale *= 10)
        if (++t->decimals > MOST_FACTOR_PLACES)
            return false;
    scale = total * scale / widths;
    vec_each (struct box, box, &t->boxes) {
        if ((unsigned __int128)box->self * scale > UINT64_MAX)
            return false;
        box->weight = (uint64_t)((unsigned __int128)box->self * scale);
    }
    *one = scale > UINT64_MAX ? UINT64_MAX : (uint64_t)scale;
    return true;
}

static void choose_weights(struct flamegraph_svg *s)
{
    struct box_tree *t = &s->tree;

    if (s->inexact || !t->boxes.count || weigh_exactly(t, &s->one))
        return;
    t->decimals = 0;
    vec_each (struct box, box, &t->boxes)
        box->weight = (uint64_t)box->self;
    s->unit = SLICE("samples");
    diag_add(s->b.diag, DIAG_NOTE, DIAG_AT_FILE,
             "the picture shows weights times a factor; the numbers of samples are read");
}

/* Warns that frames may be missing, unless there are frames of the least weight, one sample. */
static void warn_thin(const struct flamegraph_svg *s, uint64_t total)
{
    const struct box_tree *t = &s->tree;
    uint64_t least = UINT64_MAX;

    vec_each (const struct box, box, &t->boxes)
        if (box->weight && box->weight < least)
            least = box->weight;
    if (total && least > s->one && least != UINT64_MAX)
        diag_warn(
            s->b.diag,
            "frames that were too thin to draw may be missing in the picture; their weight is "
            "that of their callers");
}

static void tell(const struct flamegraph_svg *s, uint64_t total)
{
    const struct box_tree *t = &s->tree;
    struct diag *diag = s->b.diag;

    diag_warn_count(diag, t->cut,
                    "# frame{ is heavier than its caller|s are heavier than their callers} because "
                    "the picture rounds weights; "
                    "{it is|they are} cut");
    diag_warn_count(
        diag, t->negative,
        "# self value{|s} of the base {is|are} negative because the picture rounds changes; "
        "taken as 0");
    if (t->differential && total >= ROUNDED_FROM)
        diag_warn(diag,
                  "the picture states changes in hundredths of a per cent; the weights of the base "
                  "are rounded");
}

static bool add_graph(struct flamegraph_svg *s)
{
    struct profile *p = s->b.profile;
    struct box_tree *t = &s->tree;
    uint32_t series, base = SERIES_NONE;
    uint64_t total;
    bool ok;

    box_tree_find_root(t);
    choose_weights(s);
    total = box_tree_total(t) / num_pow10(t->decimals);
    if (t->differential) {
        series = profile_series_pair(p, SLICE("base"), SLICE("new"), unit_named(s->unit));
        base = p->series.items[series].base;
    } else {
        series = builder_series(&s->b, &(struct origin){.event = SLICE("")}, unit_named(s->unit));
    }
    if (series == BUILDER_LEFT_OUT)
        return true;
    ok = box_tree_add(t, series, base);
    warn_thin(s, total);
    tell(s, total);
    return ok;
}

static bool flamegraph_svg_read(struct content *c)
{
    struct flamegraph_svg s = {.one = 1, .places = slice_has(c->head->bytes, SLICE(DENO))};
    const struct xml_handler handler = {
        .context = &s, .open = open_element, .close = close_element};
    bool ok;

    builder_init(&s.b, c->profile, c->options, c->diag);
    s.tree.builder = &s.b;
    ok = xml_read(c, &handler) && (!s.tree.boxes.count || add_graph(&s));
    release_each(&s, (buf, title, number), (box_tree, tree), (builder, b));
    return ok;
}

const struct format format_flamegraph_svg = {
    .name = "flamegraph-svg",
    .family = FORMAT_PICTURES,
    .description = "SVGs of flamegraph.pl, inferno, cargo flamegraph, py-spy, bcc, Deno and "
                   "async-profiler 1.x",
    .recognised = "an SVG with 'class=\"func_g\"' or 'Flame graph stack visualization'",
    .example = "perf script | stackcollapse-perf.pl | flamegraph.pl > app.svg",
    .claims = flamegraph_svg_claims,
    .read = flamegraph_svg_read,
    .picture = true,
};
