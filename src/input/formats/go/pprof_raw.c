/*
 * Reader of the text that pprof -raw prints.
 *
 *     PeriodType: cpu nanoseconds
 *     Period: 10000000
 *     Time: 2015-09-10 13:53:30.696637683 -0700 PDT
 *     Duration: 3s
 *     Samples:
 *     samples/count cpu/nanoseconds[dflt]
 *               1   10000000: 1 2 3
 *                     bytes:[48] thread:[main]
 *     Locations
 *          1: 0x206f M=1 main.inlined /src/fib.go:5:0 s=3
 *                   main.fib /src/fib.go:9:0 s=0
 *     Mappings
 *     1: 0x400000/0x8e1000/0x0 /usr/bin/fib  [FN][FL]
 *
 * A row has a value for each type and the ids of its locations, leaf first;
 * its labels follow. The first line of a location is the innermost function;
 * all lines but the last are inlined. A location without a function is named
 * by mapping and address; a location that is not listed, by its id.
 *
 * Reference names are those of stackcollapse-go.pl: the first word after the
 * address, of a location's first line only.
 *
 * Source: Profile.String() in github.com/google/pprof/profile/profile.go.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/ascii.h"
#include "base/num.h"
#include "base/slice.h"
#include "base/vec.h"
#include "input/core/cut_off.h"
#include "input/format.h"
#include "input/formats/go/pprof.h"

/* ---- rows, kept until their locations have been read --------------------------------------- */

struct pprof_raw_row {
    size_t first, count; /* in `locations` */
    size_t origin;       /* index in raw.origins + 1; 0 for none */
    uint64_t times;      /* number of equal rows in the file */
};

/* Ids from this value on are stored in `large`; the excess is their index there. */
#define PPROF_RAW_LARGE 0x80000000u

struct pprof_raw_rows {
    VEC(struct pprof_raw_row) items;
    size_t last;         /* index of the row read last */
    bool repeated;       /* that row equals an earlier one and is stored only once */
    VEC(int64_t) values; /* one for each column, row after row */
    VEC(uint32_t) locations;
    VEC(uint64_t) large;
};

static inline uint64_t pprof_raw_rows_location(const struct pprof_raw_rows *r, size_t at)
{
    uint32_t number = r->locations.items[at];

    return number < PPROF_RAW_LARGE ? number : r->large.items[number - PPROF_RAW_LARGE];
}

static void pprof_raw_rows_release(struct pprof_raw_rows *r)
{
    release_all(r, vec, items, values, locations, large);
}

/* Reads blanks and a number of up to 19 digits. Returns its end, or NULL for any other text. */
static const char *take_number(const char *p, const char *end, uint64_t *number)
{
    enum { SAFE_DIGITS = 19 };
    unsigned digits;

    while (p < end && slice_is_blank(*p))
        p++;
    digits = p < end ? num_take_digits(p, number) : 0;
    for (p += digits; digits >= 8 && digits < SAFE_DIGITS && ascii_is_digit(*p); digits++)
        *number = *number * 10 + (uint64_t)(*p++ - '0');
    return digits && !ascii_is_digit(*p) ? p : NULL;
}

/* Reads the values of a row and the ':'. Returns their end, NULL if their number is wrong. */
static const char *take_values(struct pprof_raw_rows *r, const char *p, const char *end,
                               size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        uint64_t number;
        bool negative;

        while (p < end && slice_is_blank(*p))
            p++;
        negative = p < end && *p == '-';
        if (negative && (++p == end || slice_is_blank(*p)))
            return NULL;
        p = take_number(p, end, &number);
        if (!p || number > INT64_MAX || p == end || (!slice_is_blank(*p) && *p != ':'))
            return NULL;
        *vec_add(&r->values) = negative ? -(int64_t)number : (int64_t)number;
    }
    while (p < end && slice_is_blank(*p))
        p++;
    return p < end && *p == ':' ? p + 1 : NULL;
}

static void push_number(struct pprof_raw_rows *r, uint64_t number)
{
    if (number >= PPROF_RAW_LARGE) {
        *vec_add(&r->large) = number;
        number = PPROF_RAW_LARGE | (r->large.count - 1);
    }
    *vec_add(&r->locations) = (uint32_t)number;
}

/*
 * Adds the row of a line; eight bytes after the line must be readable. Returns
 * false and adds nothing if the line is no row with a value for each column.
 */
static bool pprof_raw_rows_read(struct pprof_raw_rows *r, struct slice line, size_t columns)
{
    size_t values = r->values.count, locations = r->locations.count;
    const char *end, *p;
    uint64_t number;

    line = slice_trim_right(line);
    end = line.ptr + line.len;
    p = take_values(r, line.ptr, end, columns);
    while (p && p < end && (slice_is_blank(*p) || p[-1] == ':')) {
        p = take_number(p, end, &number);
        if (p)
            push_number(r, number);
    }
    if (p != end) {
        r->values.count = values;
        r->locations.count = locations;
        return false;
    }
    r->last = r->items.count;
    r->repeated = false;
    *vec_add(&r->items) = (struct pprof_raw_row){locations, r->locations.count - locations, 0, 1};
    return true;
}

/* Adds a copy of an earlier row. Returns false if that row has labels. */
static bool pprof_raw_rows_again(struct pprof_raw_rows *r, size_t row)
{
    if (r->items.items[row].origin)
        return false;
    r->items.items[row].times++;
    r->last = row;
    r->repeated = true;
    return true;
}

/* Returns the row read last, after splitting it from the earlier rows it equals. */
static struct pprof_raw_row *pprof_raw_rows_own(struct pprof_raw_rows *r, size_t columns)
{
    struct pprof_raw_row row = r->items.items[r->last];

    if (!r->repeated)
        return &r->items.items[r->last];
    r->items.items[r->last].times--;
    vec_reserve(&r->values, r->values.count + columns);
    for (size_t i = 0; i < columns; i++)
        r->values.items[r->values.count++] = r->values.items[r->last * columns + i];
    r->last = r->items.count;
    r->repeated = false;
    row.times = 1;
    *vec_add(&r->items) = row;
    return &r->items.items[r->last];
}

enum section { SECTION_HEADING, SECTION_TYPES, SECTION_ROWS, SECTION_LOCATIONS, SECTION_MAPPINGS };

/* Meaning of a repeated line: `context` is the index of the first equal row. */
enum { RAW_ROW = 1 };

struct raw_line {
    struct slice name, file;
    uint64_t line;
};

struct raw_location {
    uint64_t address, mapping;
    size_t first_line, line_count;
    size_t first_symbol, symbol_count; /* in raw.symbols, outermost function first */
};

struct raw {
    struct builder builder;
    struct pprof_columns columns;
    struct pprof_labels labels;
    struct arena texts;
    enum section section;
    struct pprof_raw_rows rows;
    VEC(struct origin) origins;
    VEC(struct raw_line) lines;
    VEC(struct raw_location) locations;
    struct frame_symbols symbols;
    VEC(struct pprof_map) mappings;
    struct pprof_ids location_ids, mapping_ids;
    uint64_t duration; /* in nanoseconds */
    struct buf name;
};

static bool raw_claims(const struct head *head)
{
    struct slice rest = head->bytes, line;
    bool type = false;

    for (int i = 0; i < 100 && head_line(head, &rest, &line); i++) {
        if (slice_starts(line, SLICE("PeriodType: ")))
            type = true;
        else if (slice_equal(slice_trim_right(line), SLICE("Samples:")))
            return type && (!head_line(head, &rest, &line) || slice_find(line, '/') < line.len);
    }
    return false;
}

STATE_RELEASE(raw, (builder, builder), (pprof_columns, columns), (pprof_labels, labels),
              (arena, texts), (pprof_raw_rows, rows),
              (vec, origins, lines, locations, symbols, mappings),
              (pprof_ids, location_ids, mapping_ids), (buf, name));

/* ---- the heading --------------------------------------------------------------------------- */

static void read_heading(struct text *t, struct raw *r, struct slice line)
{
    const struct slice duration = SLICE("Duration:");
    struct pprof_amount amount;

    static const struct {
        struct slice start;
        const char *key;
    } facts[] = {
        {{"PeriodType:", 11}, "period type"}, {{"Period:", 7}, "period"},
        {{"Time:", 5}, "captured on"},        {{"Duration:", 9}, "duration"},
        {{"Comment:", 8}, "comment"},
    };

    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
        if (slice_starts(line, facts[i].start))
            pprof_facts_add(t->profile, facts[i].key,
                            slice_trim(slice_skip(line, facts[i].start.len)));
    if (slice_starts(line, duration) &&
        pprof_amount_parse(slice_trim(slice_skip(line, duration.len)), &amount) &&
        amount.unit.kind == UNIT_SECONDS && !amount.negative)
        r->duration = amount.value;
}

/* "samples/count cpu/nanoseconds[dflt]" */
static void read_types(struct raw *r, struct slice line)
{
    const struct slice mark = SLICE("[dflt]");
    struct slice word, name;

    while (slice_word(&line, &word)) {
        bool first = slice_ends(word, mark);

        if (first)
            word.len -= mark.len;
        slice_cut(&word, '/', &name);
        pprof_columns_add(&r->columns, name, word, first);
    }
}

/* ---- rows ---------------------------------------------------------------------------------- */

static bool read_row(struct text *t, struct raw *r, struct slice line)
{
    if (!pprof_raw_rows_read(&r->rows, line, r->columns.items.count))
        return false;
    t->meaning.kind = RAW_ROW;
    t->meaning.context = (uint32_t)r->rows.last;
    return true;
}

/* "thread:[main] bytes:[48]", the labels of the row read last. */
static bool read_row_labels(struct raw *r, struct slice line)
{
    const struct slice open = SLICE(":["), close = SLICE("]");
    struct pprof_raw_row *row;

    r->labels.options = r->builder.options;
    line = slice_trim(line);
    if (!r->rows.items.count || !slice_has(line, open) || !slice_ends(line, close))
        return false;
    row = pprof_raw_rows_own(&r->rows, r->columns.items.count);
    if (!row->origin) {
        *vec_add(&r->origins) = (struct origin){.tags = TAGS_OTHER};
        row->origin = r->origins.count;
    }
    while (line.len) {
        size_t at = slice_search(line, open), end;
        struct slice key = slice_take(line, at), value = slice_skip(line, at + open.len);

        end = slice_search(value, SLICE("] "));
        line = slice_skip(value, end + 2);
        value = slice_take(value, end);
        if (!line.len && slice_ends(value, close))
            value.len--;
        pprof_labels_take(&r->labels, key, arena_copy(&r->texts, value),
                          &r->origins.items[row->origin - 1]);
    }
    return true;
}

/* ---- locations ----------------------------------------------------------------------------- */

/* Takes ":12" off the end of `*text`. */
static bool cut_number(struct slice *text, uint64_t *number)
{
    size_t colon = slice_find_last(*text, ':');
    struct slice digits = slice_skip(*text, colon + 1);

    if (slice_starts(digits, SLICE("-"))) {
        *number = 0;
    } else if (!num_parse_u64(digits, number)) {
        return false;
    }
    *text = slice_take(*text, colon);
    return true;
}

/* "main.fib /src/fib.go:9:0 s=0(system_name)"; file, line, column and start may be missing. */
static void read_function(struct text *t, struct raw *r, struct slice text)
{
    struct raw_line *line = vec_add(&r->lines);
    struct slice start;
    uint64_t column;
    size_t at;

    *line = (struct raw_line){0};
    r->locations.items[r->locations.count - 1].line_count++;
    text = slice_trim(text);
    for (at = text.len; at > 0; at--)
        if (slice_starts(slice_skip(text, at - 1), SLICE(" s=")))
            break;
    start = slice_take(text, at ? at - 1 : text.len);
    if (cut_number(&start, &line->line)) {
        column = line->line;
        if (!cut_number(&start, &line->line))
            line->line = column;
        at = slice_find_last(start, ' ');
        line->file = arena_copy(&r->texts, slice_skip(start, at + 1));
        start = slice_take(start, at);
    }
    if (t->options->names == NAMES_REFERENCE)
        start = slice_take(text, slice_find(text, ' '));
    line->name = arena_copy(&r->texts, slice_equal(start, SLICE("??")) ? SLICE("") : start);
}

/* "1: 0x206f M=1 main.fib ...", or a further line of the last location. */
static bool read_location(struct text *t, struct raw *r, struct slice line)
{
    const struct slice hex = SLICE("0x"), mapping = SLICE("M=");
    struct raw_location location = {.first_line = r->lines.count};
    struct slice rest = slice_trim(line), number, word, behind;
    uint64_t id;

    if (slice_cut(&rest, ':', &number) && num_parse_u64(number, &id) && slice_word(&rest, &word) &&
        slice_starts(word, hex) && num_parse_hex(slice_skip(word, hex.len), &location.address)) {
        behind = rest;
        if (slice_word(&behind, &word) && slice_starts(word, mapping) &&
            num_parse_u64(slice_skip(word, mapping.len), &location.mapping))
            rest = behind;
        behind = rest;
        if (slice_word(&behind, &word) && slice_equal(word, SLICE("[F]")))
            rest = behind;
        pprof_ids_add(&r->location_ids, id);
        *vec_add(&r->locations) = location;
        if (slice_trim(rest).len)
            read_function(t, r, rest);
        return true;
    }
    if (!r->locations.count || !slice_starts(line, SLICE("  ")))
        return false;
    if (t->options->names == NAMES_CLEAN)
        read_function(t, r, line);
    return true;
}

static bool is_build_id(struct slice word)
{
    enum { LEAST = 8 };

    for (size_t i = 0; i < word.len; i++)
        if (!ascii_is_hex(word.ptr[i]))
            return false;
    return word.len >= LEAST;
}

/* Returns the file of "/usr/bin/fib  [FN][FL]" or, with a build id, "[vdso] 5fc30a12 [FN]". */
static struct slice mapped_file(struct slice rest)
{
    static const char *const marks[] = {" [FN]", " [FL]", " [LN]", " [IN]"};
    size_t blank;

    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
        rest = slice_take(rest, slice_search(rest, slice_str(marks[i])));
    blank = slice_find_last(rest, ' ');
    if (blank < rest.len && is_build_id(slice_skip(rest, blank + 1)))
        rest = slice_take(rest, blank);
    return slice_trim(rest);
}

/* "1: 0x400000/0x8e1000/0x0 /usr/bin/fib 5fc30a12 [FN][FL]" */
static bool read_mapping(struct raw *r, struct slice line)
{
    struct slice rest = slice_trim(line), number, part;
    struct pprof_map map = {0};
    uint64_t *const parts[] = {&map.start, &map.limit, &map.offset};
    uint64_t id;

    if (!slice_cut(&rest, ':', &number) || !num_parse_u64(number, &id) ||
        !slice_word(&rest, &number))
        return false;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (!slice_cut(&number, '/', &part) || !slice_starts(part, SLICE("0x")) ||
            !num_parse_hex(slice_skip(part, 2), parts[i]))
            return false;
    map.file = arena_copy(&r->texts, mapped_file(rest));
    pprof_ids_add(&r->mapping_ids, id);
    *vec_add(&r->mappings) = map;
    return true;
}

/* Enters the section whose heading the line is. Returns false for any other line. */
static bool next_section(struct raw *r, struct slice line)
{
    static const struct {
        struct slice heading;
        enum section section, from, to; /* allowed from section `from` to section `to` */
    } headings[] = {
        {{"Samples:", 8}, SECTION_TYPES, SECTION_HEADING, SECTION_HEADING},
        {{"Locations", 9}, SECTION_LOCATIONS, SECTION_ROWS, SECTION_ROWS},
        {{"Mappings", 8}, SECTION_MAPPINGS, SECTION_ROWS, SECTION_LOCATIONS},
    };

    for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++) {
        if (!slice_equal(line, headings[i].heading) || r->section < headings[i].from ||
            r->section > headings[i].to)
            continue;
        r->section = headings[i].section;
        return true;
    }
    return false;
}

static bool raw_line(struct text *t, void *state, struct slice line)
{
    struct raw *r = state;
    struct slice trimmed = slice_trim(line);

    if (!trimmed.len)
        return true;
    if (next_section(r, trimmed))
        return true;
    switch (r->section) {
    case SECTION_HEADING:
        read_heading(t, r, trimmed);
        return true;
    case SECTION_TYPES:
        read_types(r, trimmed);
        r->section = SECTION_ROWS;
        return true;
    case SECTION_ROWS:
        return read_row(t, r, line) || read_row_labels(r, line) ||
               text_skip_line(t, "malformed sample", trimmed);
    case SECTION_LOCATIONS:
        return read_location(t, r, line) || text_skip_line(t, "malformed location", trimmed);
    case SECTION_MAPPINGS:
        return read_mapping(r, line) || text_skip_line(t, "malformed mapping", trimmed);
    }
    BUG("section %d", (int)r->section);
}

static enum text_again raw_again(struct text *t, void *state, const struct line_meaning *m)
{
    struct raw *r = state;

    (void)t;
    return r->section == SECTION_ROWS && pprof_raw_rows_again(&r->rows, m->context) ? TEXT_DONE
                                                                                    : TEXT_UNFIT;
}

/* ---- the end ------------------------------------------------------------------------------- */

static void add_symbols(struct raw *r, const struct frame *frame)
{
    struct stack_path path = builder_symbols(&r->builder, builder_entry(&r->builder, frame));

    for (uint32_t i = 0; i < path.count; i++)
        *vec_add(&r->symbols) = path.symbols[i];
}

/* Makes the frames of a location; call it after all mappings were read. */
static void resolve(struct raw *r, struct raw_location *location)
{
    uint32_t index = pprof_ids_find(&r->mapping_ids, location->mapping);
    const struct pprof_map *map = index == PPROF_IDS_NONE ? NULL : &r->mappings.items[index];
    struct frame frame;

    location->first_symbol = r->symbols.count;
    for (size_t i = location->line_count; i-- > 0;) {
        const struct raw_line *line = &r->lines.items[location->first_line + i];

        frame = pprof_frame_named(r->builder.options, line->name, line->file, line->line);
        if (!line->name.len)
            frame = pprof_frame_address(&r->name, map, location->address);
        frame.module = map ? map->file : SLICE("");
        if (i + 1 < location->line_count)
            frame.class = SYMBOL_INLINED;
        add_symbols(r, &frame);
    }
    if (!location->line_count) {
        frame = pprof_frame_address(&r->name, map, location->address);
        add_symbols(r, &frame);
    }
    location->symbol_count = r->symbols.count - location->first_symbol;
}

static void push_location(struct raw *r, uint64_t id, uint64_t *unlisted)
{
    uint32_t index = pprof_ids_find(&r->location_ids, id);
    const struct raw_location *location;

    if (index == PPROF_IDS_NONE) {
        ++*unlisted;
        buf_clear(&r->name);
        buf_add_u64(&r->name, id);
        builder_name(&r->builder, buf_slice(&r->name), FRAME_PLAIN);
        return;
    }
    location = &r->locations.items[index];
    for (size_t i = 0; i < location->symbol_count; i++)
        builder_push_symbol(&r->builder, r->symbols.items[location->first_symbol + i]);
}

static bool raw_end(struct text *t, void *state)
{
    struct raw *r = state;
    const struct origin *unlabelled = NULL;
    uint64_t unlisted = 0;

    if (r->section < SECTION_LOCATIONS)
        return diag_error(t->diag, "the file is truncated: its locations are missing");
    vec_each (struct raw_location, location, &r->locations)
        resolve(r, location);
    pprof_columns_open(&r->columns, &r->builder);
    if (origin_needs_tags(t->options))
        unlabelled = &(struct origin){.tags = TAGS_OTHER};
    for (size_t i = 0; i < r->rows.items.count; i++) {
        const struct pprof_raw_row *row = &r->rows.items.items[i];
        uint64_t missing = 0;

        builder_begin(&r->builder);
        for (size_t k = row->count; k-- > 0;)
            push_location(r, pprof_raw_rows_location(&r->rows, row->first + k), &missing);
        unlisted += missing * row->times;
        if (!pprof_columns_sample(&r->columns, &r->builder,
                                  row->origin ? &r->origins.items[row->origin - 1] : unlabelled,
                                  r->rows.values.items + i * r->columns.items.count, row->times))
            return false;
    }
    if (!pprof_columns_settle(&r->columns, &r->builder))
        return false;
    pprof_facts_times(t->profile, 0, r->duration);
    if (unlisted)
        diag_warn_count(
            t->diag, unlisted,
            "# frame{ refers to a location that is not listed and is|s refer to locations "
            "that are not listed; they are} named by location id");
    else if (r->section < SECTION_MAPPINGS)
        cut_off(t, DIAG_AT_FILE, "the file is truncated: its mappings are missing");
    pprof_labels_tell(&r->labels, t->profile);
    return true;
}

const struct format format_pprof_raw = {
    .name = "pprof-raw",
    .family = FORMAT_GO,
    .description = "output of pprof -raw",
    .recognised = "lines 'PeriodType: ...' and 'Samples:', then types such as 'samples/count'",
    .example = "go tool pprof -raw cpu.pb.gz > cpu.raw",
    .without_stacks = "its samples have no locations; record with stacks",
    .claims = raw_claims,
    .text = {BUILDER_READER(raw, builder), .again = raw_again},
};
