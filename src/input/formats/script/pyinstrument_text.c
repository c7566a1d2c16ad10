/*
 * The text of pyinstrument, as it prints it.
 *
 *       _     ._   __/__   _ _  _  _ _/_   Recorded: 22:39:23  Samples:  736
 *      /_//_/// /_\ / //_// / //_'/ //     Duration: 1.073     CPU time: 0.814
 *     /   _/                      v5.1.3
 *
 *     Program: app.py
 *
 *     1.071 <module>  app.py:1
 *     ├─ 1.015 main  app.py:36
 *     │  └─ 0.355 run  asyncio/runners.py:170
 *     │        [6 frames hidden]  asyncio, selectors
 *     │           0.300 Handle._run  asyncio/events.py:92
 *     │           ├─ 0.200 leaf  app.py:11
 *     │           └─ 0.100 [self]  asyncio/events.py
 *     └─ 0.054 <module>  logging/__init__.py:1
 *
 * A level is three columns. The time of a row is in seconds and includes the rows below it. A row
 * "[self]" is no frame. Kept: function, file and line; dropped: the number of hidden frames.
 *
 * Source: pyinstrument/renderers/console.py of github.com/joerick/pyinstrument, by its output.
 */
#include "base/num.h"
#include "input/build/nested.h"
#include "input/build/python.h"
#include "input/format.h"

enum { LEVEL = 3 }; /* columns */

struct pyinstrument_text {
    struct builder builder;
    struct nested nested;
    struct buf scratch;
    bool in_tree;
};

struct row {
    uint64_t depth;
    struct decimal time;
    struct slice name, file;
    uint64_t line;
    bool hidden; /* "[6 frames hidden]" */
};

/* Takes the lines and blanks before a row off `*line`. Returns how many columns they take. */
static size_t take_indent(struct slice *line)
{
    static const char *const parts[] = {" ", "│", "├", "└", "─"};
    size_t columns = 0, i;

    do {
        for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
            if (slice_starts(*line, slice_str(parts[i])))
                break;
        if (i < sizeof(parts) / sizeof(parts[0])) {
            *line = slice_skip(*line, strlen(parts[i]));
            columns++;
        }
    } while (i < sizeof(parts) / sizeof(parts[0]));
    return columns;
}

/* Parses "1.015 main  app.py:36" after its lines. Returns false if it is no row. */
static bool parse_row(struct slice line, struct row *row)
{
    const struct slice gap = SLICE("  ");
    size_t columns, end, colon;
    struct slice time;

    *row = (struct row){.depth = 0};
    columns = take_indent(&line);
    row->depth = columns / LEVEL;
    row->hidden = slice_starts(line, SLICE("[")) && slice_has(line, SLICE(" hidden]"));
    if (row->hidden || columns % LEVEL)
        return row->hidden;
    time = slice_take(line, slice_find(line, ' '));
    line = slice_skip(line, time.len + 1);
    end = slice_search(line, gap);
    row->name = slice_trim(slice_take(line, end));
    row->file = slice_trim(slice_skip(line, end));
    colon = slice_find_last(row->file, ':');
    if (colon < row->file.len && num_parse_u64(slice_skip(row->file, colon + 1), &row->line))
        row->file = slice_take(row->file, colon);
    return num_parse_decimal(time, &row->time) && row->name.len;
}

static bool pyinstrument_text_claims(const struct head *head)
{
    enum { FIRST_LINES = 10 };
    bool recorded = false;

    head_each_of (line, head, FIRST_LINES) {
        line = slice_trim_left(line);
        recorded =
            recorded || slice_starts(line, SLICE("_     ._   __/__   _ _  _  _ _/_   Recorded: "));
        if (recorded && slice_starts(line, SLICE("/_//_/// /_\\ / //_// / //_'/ //")))
            return true;
    }
    return false;
}

static bool text_begin(struct text *t, void *state)
{
    struct pyinstrument_text *p = state;

    builder_init(&p->builder, t->profile, t->options, t->diag);
    nested_init(&p->nested, &p->builder, false, true);
    return true;
}

static bool add_row(struct pyinstrument_text *p, const struct row *row)
{
    uint32_t entry = NESTED_NO_FRAME, series;
    struct frame f = {.file = row->file, .line = row->line, .kind = FRAME_PLAIN};

    if (row->hidden)
        return true;
    if (!slice_equal(row->name, SLICE("[self]"))) {
        f.name = python_name(row->name, row->file, &p->scratch);
        entry = builder_entry(&p->builder, &f);
    }
    series = builder_series(&p->builder, &(struct origin){0}, unit_named(SLICE("s")));
    return nested_add_entry(&p->nested, series, row->depth, 0, entry, row->time);
}

static bool text_line(struct text *t, void *state, struct slice line)
{
    const struct slice program = SLICE("Program: ");
    struct pyinstrument_text *p = state;
    struct row row;

    if (slice_starts(line, program)) {
        profile_add_fact(t->profile, SLICE("command"), slice_trim(slice_skip(line, program.len)));
        return true;
    }
    if (slice_trim(line).len && parse_row(line, &row)) {
        p->in_tree = true;
        return add_row(p, &row);
    }
    if (!p->in_tree)
        return true;
    p->in_tree = slice_trim(line).len > 0;
    return !p->in_tree || text_skip_line(t, "expected 'SECONDS FUNCTION  FILE:LINE'", line);
}

static bool text_end(struct text *t, void *state)
{
    struct pyinstrument_text *p = state;

    (void)t;
    return nested_end(&p->nested);
}

static void text_release(void *state)
{
    struct pyinstrument_text *p = state;

    release_each(p, (nested, nested), (buf, scratch), (builder, builder));
}

const struct format format_pyinstrument_text = {
    .name = "pyinstrument-text",
    .family = FORMAT_LANGUAGES,
    .description = "the text of pyinstrument",
    .recognised = "the letters of pyinstrument, with 'Recorded:' beside them",
    .example = "pyinstrument app.py > app.txt",
    .needs = "Recorded: ",
    .claims = pyinstrument_text_claims,
    .text = {.state_size = STATE_SIZE(struct pyinstrument_text, builder),
             .begin = text_begin,
             .line = text_line,
             .end = text_end,
             .release = text_release},
};
