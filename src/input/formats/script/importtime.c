/*
 * What `python -X importtime` prints: the time of each import, and the imports within it.
 *
 *     import time: self [us] | cumulative | imported package
 *     import time:       199 |        199 |   _io
 *     import time:       414 |        613 | _frozen_importlib_external
 *
 * Two blanks a level; the imports that a module makes come before it. The weight is the time of
 * the module itself, in microseconds. Dropped: the cumulative time, which rounds the same numbers,
 * and all other lines, which the program wrote. Rows with "cached" for both times, which
 * `-X importtime=2` prints for modules that were imported before, are counted as a fact. Each
 * header begins a new process.
 *
 * Source: import_find_and_load() in Python/import.c of CPython.
 */
#include "input/build/builder.h"
#include "input/format.h"

/* An import whose importer has not come yet. */
struct row {
    uint64_t depth, self;
    uint32_t entry; /* of the module, the builder's */
    uint32_t stack;
};

struct importtime {
    struct builder b;
    VEC(struct row) rows;
    VEC(size_t) path; /* rows that import the current one */
    uint64_t cached;  /* imports of modules that were imported before, which have no time */
};

static const struct slice importtime_words = {"import time:", 12};

static bool is_header(struct slice line)
{
    return slice_starts(line, SLICE("import time: self [us] | cumulative | imported package"));
}

static bool importtime_claims(const struct head *h)
{
    head_each (line, h)
        if (is_header(line))
            return true;
    return false;
}

/* Takes the text up to the next '|', without blanks. */
static bool take_cell(struct slice *rest, struct slice *cell)
{
    size_t bar = slice_find(*rest, '|');

    *cell = slice_trim(slice_take(*rest, bar));
    *rest = slice_skip(*rest, bar + 1);
    return cell->len > 0;
}

static bool is_cached(struct slice rest)
{
    const struct slice word = SLICE("cached");
    struct slice self, all;

    rest = slice_skip(rest, importtime_words.len);
    return take_cell(&rest, &self) && take_cell(&rest, &all) && slice_equal(self, word) &&
           slice_equal(all, word);
}

static bool parse_row(struct slice rest, struct row *row, struct slice *name)
{
    struct slice self, all;
    uint64_t cumulative;

    rest = slice_skip(rest, importtime_words.len);
    if (!take_cell(&rest, &self) || !take_cell(&rest, &all) || !num_parse_u64(self, &row->self) ||
        !num_parse_u64(all, &cumulative))
        return false;
    *name = slice_trim_left(rest);
    row->depth = (rest.len - name->len) / 2;
    *name = slice_trim_right(*name);
    return name->len > 0;
}

/* Adds the rows of a process, the last one first, so that importers come before imports. */
static bool add_rows(struct importtime *m)
{
    uint32_t series = builder_series(&m->b, &(struct origin){0}, unit_named(SLICE("us")));

    vec_clear(&m->path);
    for (size_t i = m->rows.count; i-- > 0;) {
        struct row *row = &m->rows.items[i];
        uint32_t parent = STACK_ROOT;

        while (m->path.count && m->rows.items[m->path.items[m->path.count - 1]].depth >= row->depth)
            m->path.count--;
        if (m->path.count)
            parent = m->rows.items[m->path.items[m->path.count - 1]].stack;
        if (!builder_child_entry(&m->b, parent, row->entry, &row->stack) ||
            (row->self &&
             !builder_add_at(&m->b, series, row->stack, (struct decimal){.value = row->self})))
            return false;
        *vec_add(&m->path) = i;
    }
    vec_clear(&m->rows);
    return true;
}

static bool importtime_line(struct text *t, void *state, struct slice line)
{
    struct importtime *m = state;
    struct row row = {0};
    struct slice name;

    if (!slice_starts(line, importtime_words))
        return true;
    if (is_header(line))
        return add_rows(m);
    if (is_cached(line)) {
        m->cached++;
        return true;
    }
    if (!parse_row(line, &row, &name))
        return text_skip_line(t, "expected 'import time: SELF | CUMULATIVE | MODULE'", line);
    row.entry = builder_entry(&m->b, &(struct frame){.name = name, .kind = FRAME_PLAIN});
    t->meaning = (struct line_meaning){
        .kind = 1, .entry = row.entry, .depth = (uint32_t)row.depth, .weight.value = row.self};
    *vec_add(&m->rows) = row;
    return true;
}

static enum text_again importtime_again(struct text *t, void *state, const struct line_meaning *m)
{
    struct importtime *i = state;

    (void)t;
    *vec_add(&i->rows) =
        (struct row){.entry = m->entry, .depth = m->depth, .self = m->weight.value};
    return TEXT_DONE;
}

static bool importtime_end(struct text *t, void *state)
{
    const struct importtime *m = state;

    if (m->cached)
        profile_print_fact(t->profile, SLICE("cached imports"), "%llu",
                           (unsigned long long)m->cached);
    return add_rows(state);
}

STATE_RELEASE(importtime, (vec, rows, path), (builder, b));

const struct format format_importtime = {
    .name = "importtime",
    .family = FORMAT_LANGUAGES,
    .description = "the import times of python -X importtime",
    .recognised = "a line 'import time: self [us] | cumulative | imported package'",
    .example = "python3 -X importtime app.py 2> app.imports",
    .needs = "import time: self [us]",
    .claims = importtime_claims,
    .text = {BUILDER_READER(importtime, b), .again = importtime_again},
};
