/*
 * A call tree copied from Xcode Instruments (Edit > Deep Copy): a table with tabs.
 *
 *     Weight TAB Self Weight TAB TAB Symbol Name
 *     96.08 Gc  100.0% TAB - TAB blank TAB main
 *     47.82 Gc   49.7% TAB 404.75 Mc TAB blank TAB  render
 *
 * The first column is the total of the row with its share. The last column is
 * the name, indented by a blank per level. The self value of a row is its total
 * minus its children's; this adds up to the first row whatever was collapsed or
 * rounded, so the column with the self weight is not used for sums. It only
 * shows a truncated copy: then the last row has callees, which is recognised by
 * its self weight. Older versions write "120.0 ms  100.0%" in that column and
 * name bytes and counts.
 *
 * Units: us, ms, s, min and h become milliseconds; Kc, Mc and Gc cycles; KB,
 * MB, GB and TB bytes (by 1,024), all with the decimals written. A number
 * without a unit is a count. Source of the grammar: copies from Instruments 7.3
 * and 13.4, stackcollapse-instruments.pl, speedscope's importer.
 */
#include "base/ascii.h"
#include "base/num.h"
#include "input/build/builder.h"
#include "input/core/cut_off.h"
#include "input/format.h"
#include "input/build/nested.h"

struct instruments {
    struct builder builder;
    struct nested tree;
    bool headed; /* the heading was read */
    bool owns;   /* its second column is the self weight */
    bool open;   /* the last row has callees that were not read yet */
    bool leads;  /* a row was read; `margin` is the indentation of the first one */
    uint32_t margin;
    uint32_t series;
    int measure; /* what the rows measure; -1 before the first */
};

enum instruments_measure { MEASURE_TIME, MEASURE_CYCLES, MEASURE_BYTES, MEASURE_COUNT };

/* A unit as written; one is `times` / 10^`decimals` of the series' unit. */
static const struct instruments_unit {
    struct slice word;
    enum instruments_measure measure;
    uint64_t times;
    unsigned decimals;
} units[] = {
    {{"ns", 2}, MEASURE_TIME, 1, 6},
    {{"us", 2}, MEASURE_TIME, 1, 3},
    {{"\302\265s", 3}, MEASURE_TIME, 1, 3},
    {{"\316\274s", 3}, MEASURE_TIME, 1, 3},
    {{"ms", 2}, MEASURE_TIME, 1, 0},
    {{"s", 1}, MEASURE_TIME, 1000, 0},
    {{"min", 3}, MEASURE_TIME, 60000, 0},
    {{"h", 1}, MEASURE_TIME, 3600000, 0},
    {{"cycles", 6}, MEASURE_CYCLES, 1, 0},
    {{"Kc", 2}, MEASURE_CYCLES, 1000, 0},
    {{"Mc", 2}, MEASURE_CYCLES, 1000000, 0},
    {{"Gc", 2}, MEASURE_CYCLES, 1000000000, 0},
    {{"Tc", 2}, MEASURE_CYCLES, 1000000000000, 0},
    {{"Bytes", 5}, MEASURE_BYTES, 1, 0},
    {{"bytes", 5}, MEASURE_BYTES, 1, 0},
    {{"B", 1}, MEASURE_BYTES, 1, 0},
    {{"KB", 2}, MEASURE_BYTES, 1024, 0},
    {{"KiB", 3}, MEASURE_BYTES, 1024, 0},
    {{"MB", 2}, MEASURE_BYTES, 1048576, 0},
    {{"MiB", 3}, MEASURE_BYTES, 1048576, 0},
    {{"GB", 2}, MEASURE_BYTES, 1073741824, 0},
    {{"GiB", 3}, MEASURE_BYTES, 1073741824, 0},
    {{"TB", 2}, MEASURE_BYTES, 1099511627776, 0},
    {{"TiB", 3}, MEASURE_BYTES, 1099511627776, 0},
    {{"", 0}, MEASURE_COUNT, 1, 0},
};

static struct unit unit_of(enum instruments_measure measure)
{
    switch (measure) {
    case MEASURE_TIME:
        return unit_named(SLICE("ms"));
    case MEASURE_CYCLES:
        return unit_named(SLICE("cycles"));
    case MEASURE_BYTES:
        return unit_named(SLICE("bytes"));
    case MEASURE_COUNT:
        return unit_named(SLICE("count"));
    }
    BUG("no such measure");
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* "Running Time<TAB>Self (ms)<TAB><TAB>Symbol Name" */
static bool is_header(struct slice line)
{
    size_t tab = slice_find_last(line, '\t');
    struct slice last = slice_trim(slice_skip(line, tab + 1));

    return tab < line.len &&
           (slice_equal(last, SLICE("Symbol Name")) || slice_equal(last, SLICE("Symbol Names")));
}

/*
 * Converts to the series' unit, exactly, and drops trailing zeros of the fraction. Returns false if
 * the number does not fit in 64 bits.
 */
static bool scale(struct decimal *d, const struct instruments_unit *unit)
{
    d->decimals += unit->decimals;
    if (!num_mul(d->value, unit->times, &d->value) || d->decimals > NUM_MAX_DECIMALS)
        return false;
    while (d->decimals && d->value % 10 == 0) {
        d->value /= 10;
        d->decimals--;
    }
    return true;
}

static size_t count_digits(struct slice s)
{
    size_t n = 0;

    while (n < s.len && ascii_is_digit(s.ptr[n]))
        n++;
    return n;
}

/*
 * Parses the number at the front of a cell. A comma before exactly three digits
 * separates thousands; any other comma is a decimal point, as in some locales.
 * Returns the length of the number, 0 if there is none.
 */
static size_t parse_number(struct slice cell, struct decimal *number)
{
    enum { GROUP = 3, MOST_DIGITS = 32 };
    char digits[MOST_DIGITS];
    size_t n = 0, at = 0;

    for (; at < cell.len && n < MOST_DIGITS; at++) {
        char c = cell.ptr[at];

        if (c == ',' && count_digits(slice_skip(cell, at + 1)) == GROUP)
            continue;
        if (c == ',')
            c = '.';
        if ((c < '0' || c > '9') && c != '.')
            break;
        digits[n++] = c;
    }
    return num_parse_decimal(slice_make(digits, n), number) ? at : 0;
}

/* Parses "96.08 Gc  100.0%", "4273.0ms   99.9%", "1,024 Bytes". Returns the unit, or NULL. */
static const struct instruments_unit *parse_weight(struct slice cell, struct decimal *weight)
{
    struct slice word;
    size_t at;

    cell = slice_trim(cell);
    at = parse_number(cell, weight);
    if (!at)
        return NULL;
    word = slice_trim_left(slice_skip(cell, at));
    /* The share follows a count directly. */
    if (word.len && ascii_is_digit(word.ptr[0]))
        word.len = 0;
    word = slice_take(word, slice_find(word, ' '));
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (slice_equal(word, units[i].word))
            return scale(weight, &units[i]) ? &units[i] : NULL;
    return NULL;
}

static bool refuse_line(struct text *t, struct slice what)
{
    enum { SHOWN = 60 };

    return text_skip(
        t, "'%.*s': expected a weight with a known unit, the same in all rows; line skipped",
        SLICE_ARG(slice_take(slice_trim(what), SHOWN)));
}

static uint32_t leading_blanks(struct slice s)
{
    uint32_t n = 0;

    while (n < s.len && n < UINT32_MAX && s.ptr[n] == ' ')
        n++;
    return n;
}

/* Returns true if the row measures the same as the first row; the first row defines the series. */
static bool same_measure(struct instruments *in, enum instruments_measure measure)
{
    const struct origin origin = {.event = {NULL, 0}};

    if (in->measure < 0) {
        in->measure = (int)measure;
        in->series = builder_series(&in->builder, &origin, unit_of(measure));
    }
    return in->measure == (int)measure;
}

/*
 * Returns true if callees have most of a row's weight, judged by its self
 * weight: "0", "-", "12.0 ms", or "693" in the row's unit.
 */
static bool has_callees(const struct instruments *in, struct slice line, struct decimal weight,
                        const struct instruments_unit *unit)
{
    struct slice cell = line;
    const struct instruments_unit *own_unit;
    struct decimal own;

    if (!in->owns || !weight.value || !slice_cut(&line, '\t', &cell) ||
        !slice_cut(&line, '\t', &cell))
        return false;
    cell = slice_trim(cell);
    if (slice_equal(cell, SLICE("-")))
        return true;
    own_unit = parse_weight(cell, &own);
    if (!own_unit)
        return false;
    if (own_unit->measure == MEASURE_COUNT && !scale(&own, unit))
        return false;
    return (double)own.value / (double)num_pow10(own.decimals) <
           (double)weight.value / (double)num_pow10(weight.decimals) / 2;
}

static bool add_node(struct text *t, struct instruments *in, const struct line_meaning *m)
{
    in->open = m->context;
    return nested_add_entry(&in->tree, in->series, m->depth, t->line, m->entry, m->weight);
}

/* The name of a process without its number: "app (4017)". */
static struct slice without_number(struct slice name)
{
    size_t open = slice_find_last(name, '(');
    struct slice digits = slice_skip(name, open + 1);
    uint64_t number;

    if (!open || open >= name.len || name.ptr[open - 1] != ' ' || !slice_ends(digits, SLICE(")")) ||
        !num_parse_u64(slice_take(digits, digits.len - 1), &number))
        return name;
    return slice_trim_right(slice_take(name, open));
}

static bool add_row(struct text *t, struct instruments *in, struct slice line)
{
    size_t tab = slice_find_last(line, '\t');
    struct slice cell = slice_take(line, slice_find(line, '\t'));
    struct slice name = slice_skip(line, tab + 1);
    const struct instruments_unit *unit;
    struct decimal weight;
    struct frame f = {0};
    uint32_t blanks;

    unit = tab < line.len ? parse_weight(cell, &weight) : NULL;
    if (!unit || !same_measure(in, unit->measure))
        return refuse_line(t, cell);
    blanks = leading_blanks(name);
    if (!in->leads)
        in->margin = blanks;
    in->leads = true;
    f.name = slice_trim(name);
    if (t->options->names == NAMES_REFERENCE)
        f.kind = FRAME_PLAIN;
    else if (slice_equal(f.name, SLICE("<Unknown Address>")))
        f.name = slice_make(NULL, 0);
    else if (blanks <= in->margin && !t->options->pid)
        f.name = without_number(f.name);
    t->meaning = (struct line_meaning){
        .kind = 1,
        .entry = builder_entry(&in->builder, &f),
        .depth = blanks > in->margin ? blanks - in->margin : 0,
        .context = has_callees(in, line, weight, unit),
        .weight = weight,
    };
    return add_node(t, in, &t->meaning);
}

static bool instruments_begin(struct text *t, void *state)
{
    struct instruments *in = state;

    builder_init(&in->builder, t->profile, t->options, t->diag);
    nested_init(&in->tree, &in->builder, false, true);
    in->measure = -1;
    return true;
}

static bool instruments_line(struct text *t, void *state, struct slice line)
{
    struct instruments *in = state;

    if (!slice_trim(line).len)
        return true;
    if (!in->headed) {
        in->headed = is_header(line);
        in->owns = slice_starts(slice_skip(line, slice_find(line, '\t')), SLICE("\tSelf"));
        return true;
    }
    return add_row(t, in, line);
}

static enum text_again instruments_again(struct text *t, void *state, const struct line_meaning *m)
{
    return add_node(t, state, m) ? TEXT_DONE : TEXT_FAILED;
}

static bool instruments_end(struct text *t, void *state)
{
    struct instruments *in = state;

    if (in->open)
        cut_off(t, DIAG_AT_FILE, "the callees of the last row are missing: the copy is truncated");
    return nested_end(&in->tree);
}

STATE_RELEASE(instruments, (nested, tree), (builder, builder));

/* The heading must be the first line that is not blank. */
static bool instruments_claims(const struct head *head)
{
    return is_header(head_first(head));
}

const struct format format_instruments = {
    .name = "instruments",
    .family = FORMAT_SYSTEMS,
    .description = "call trees copied from Xcode Instruments",
    .recognised = "a first line with tabs whose last column is 'Symbol Name'",
    .example = "in Instruments: select the root of the call tree, Edit > Deep Copy, "
               "then pbpaste > app.instruments.txt",
    .claims = instruments_claims,
    .text = {TEXT_READER(instruments), .again = instruments_again},
};
