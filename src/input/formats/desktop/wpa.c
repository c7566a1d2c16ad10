/*
 * Samples of a Windows trace as a table: a row per sample, the stack in one cell.
 *
 *     Process Name, Process, Stack, Module, Function, Thread ID, Weight, Count, TimeStamp
 *     a.exe, a.exe (4144), [Root]/ntdll.dll!Start/a.exe!main, a.exe, main, 5104, 1.001, 1, 9.771
 *
 * xperfview and WPA export this form; wpaexporter's has only the columns
 * Process, Thread ID and Stack. Columns are found by name. The first form
 * quotes nothing, and functions contain commas; so columns before the stack are
 * counted from the left and columns after it from the right, and the leaf that
 * the stack ends with decides what is module and function.
 *
 * "Weight" (milliseconds) becomes the series "CPU time", "Count" the series
 * "samples"; a row without a count is one sample. The process is the first
 * frame if there are several. A function that the stack does not end with is
 * appended to it. Rows of the idle process are skipped, as in every converter,
 * and counted in a fact. Grammar: sample files; gprof2dot's XPerfParser;
 * google/UIforETW.
 */
#include "input/build/builder.h"
#include "input/parse/csv.h"
#include "input/format.h"
#include "input/formats/desktop/windows.h"

enum wpa_column {
    WPA_NAME,
    WPA_PROCESS,
    WPA_STACK,
    WPA_MODULE,
    WPA_FUNCTION,
    WPA_THREAD,
    WPA_WEIGHT,
    WPA_COUNT,
    WPA_TIME,
    WPA_COLUMNS
};

enum { WPA_WEIGHTS = 2 }; /* the time and the count */

/* Headings of the columns; a final '*' matches anything. */
static const char *const headings[WPA_COLUMNS] = {
    [WPA_NAME] = "Process Name", [WPA_PROCESS] = "Process",   [WPA_STACK] = "Stack",
    [WPA_MODULE] = "Module",     [WPA_FUNCTION] = "Function", [WPA_THREAD] = "Thread ID",
    [WPA_WEIGHT] = "Weight*",    [WPA_COUNT] = "Count*",      [WPA_TIME] = "TimeStamp*",
};

/* Indices of the columns; a row may have more commas than the heading. */
struct wpa_table {
    size_t at[WPA_COLUMNS]; /* CSV_NONE if there is no such column */
    size_t count;
};

/* The result of a row's cells other than its weights. */
struct wpa_row {
    uint32_t series[WPA_WEIGHTS], stack;
    bool idle; /* the row is skipped */
    bool bare; /* no frames except the process */
};

struct wpa {
    struct builder builder;
    struct intern keys;       /* those cells, as one text */
    VEC(struct wpa_row) rows; /* indexed by key */
    struct buf key;
    struct wpa_table table;
    VEC(struct slice) cells; /* of the current row */
    struct buf scratch;
    uint64_t idle;
    bool headed;
};

/* Reads a heading. Returns false if it is not one of this format. */
static bool wpa_table_read(struct wpa_table *t, struct slice line)
{
    struct csv_row row = {0};

    csv_split(&row, line, ',');
    csv_columns(&row, headings, WPA_COLUMNS, t->at);
    t->count = row.cells.count;
    csv_release(&row);
    return t->at[WPA_STACK] != CSV_NONE &&
           (t->at[WPA_PROCESS] != CSV_NONE || t->at[WPA_NAME] != CSV_NONE) &&
           (t->at[WPA_THREAD] != CSV_NONE || t->at[WPA_WEIGHT] != CSV_NONE ||
            t->at[WPA_COUNT] != CSV_NONE);
}

static bool wpa_claims(const struct head *head)
{
    struct slice rest = head->bytes, line;
    struct wpa_table table;

    return head_line(head, &rest, &line) && wpa_table_read(&table, line);
}

/* Strips the quotes that wpaexporter puts around a cell with commas. */
static struct slice bare(struct slice cell)
{
    const struct slice quote = SLICE("\"");

    cell = slice_trim(cell);
    if (cell.len >= 2 && slice_starts(cell, quote) && slice_ends(cell, quote))
        cell = slice_take(slice_skip(cell, 1), cell.len - 2);
    return cell;
}

/* Removes `end` from the end of a text. Returns false if the text does not end with it. */
static bool cut_end(struct slice *text, struct slice end)
{
    if (!slice_ends(*text, end))
        return false;
    text->len -= end.len;
    return true;
}

/*
 * If the leaf's name contains commas, the module and the function counted from
 * the right are parts of it: finds those that the stack ends with.
 */
static void find_leaf(struct wpa *w, struct slice line)
{
    enum { MOST_COMMAS = 64 };
    size_t at = w->table.at[WPA_STACK], function = slice_find_last(line, ',');
    struct slice *cells = w->cells.items;

    for (int i = 0; i < MOST_COMMAS && function < line.len; i++) {
        size_t module = slice_find_last(slice_take(line, function), ',');
        struct slice stack = bare(slice_take(line, module)), rest = stack;
        struct slice names[] = {bare(slice_skip(slice_take(line, function), module + 1)),
                                bare(slice_skip(line, function + 1))};

        if (module >= function)
            return;
        if (cut_end(&rest, names[1]) && cut_end(&rest, SLICE("!")) && cut_end(&rest, names[0])) {
            cells[at] = stack;
            cells[w->table.at[WPA_MODULE]] = names[0];
            cells[w->table.at[WPA_FUNCTION]] = names[1];
            return;
        }
        function = module;
    }
}

/* Splits a row into the columns of the heading. Returns false if it has too few. */
static bool split_row(struct wpa *w, struct slice line)
{
    size_t before = w->table.at[WPA_STACK], behind = w->table.count - before - 1;
    bool leaf = w->table.at[WPA_MODULE] == before + 1 && w->table.at[WPA_FUNCTION] == before + 2;
    struct slice cell, stack = {0};

    vec_clear(&w->cells);
    for (size_t i = 0; i < before; i++) {
        if (!slice_cut(&line, ',', &cell))
            return false;
        *vec_add(&w->cells) = bare(cell);
    }
    vec_reserve(&w->cells, w->table.count);
    w->cells.count = w->table.count;
    for (size_t i = behind; i > 0; i--) {
        size_t comma = slice_find_last(line, ',');

        if (i == 2)
            stack = line;
        if (comma == line.len)
            return false;
        w->cells.items[before + i] = bare(slice_skip(line, comma + 1));
        line.len = comma;
    }
    w->cells.items[before] = bare(line);
    if (leaf)
        find_leaf(w, stack);
    return true;
}

static struct slice cell_of(const struct wpa *w, enum wpa_column column)
{
    size_t at = w->table.at[column];

    return at == CSV_NONE ? SLICE("") : w->cells.items[at];
}

/* Takes the next element of a stack; the slash of "operator/" belongs to a name. */
static bool next_element(struct slice *rest, struct slice *element)
{
    const struct slice operators[] = {SLICE("!operator"), SLICE("::operator")};
    struct slice all = *rest;
    bool joined;

    if (!slice_cut(rest, '/', element))
        return false;
    joined = slice_ends(*element, operators[0]) || slice_ends(*element, operators[1]);
    if (joined && element->len < all.len) {
        size_t from = element->len + 1, more = slice_find(slice_skip(all, from), '/');

        *element = slice_take(all, from + more);
        *rest = slice_skip(all, from + more + 1);
    }
    return true;
}

/* Returns true for the placeholder of an unknown stack or function. */
static bool is_no_stack(struct slice text)
{
    return !text.len || slice_equal(text, SLICE("?")) || slice_equal(text, SLICE("n/a"));
}

/* wpaexporter writes the commas within a cell as semicolons. */
static struct slice with_commas(struct slice element, struct buf *scratch)
{
    buf_clear(scratch);
    for (size_t i = 0; i < element.len; i++)
        buf_add_char(scratch, element.ptr[i] == ';' ? ',' : element.ptr[i]);
    return buf_slice(scratch);
}

static void push_stack(struct wpa *w, struct slice stack)
{
    struct slice module = cell_of(w, WPA_MODULE), function = cell_of(w, WPA_FUNCTION);
    struct slice element, last = {0};

    while (next_element(&stack, &element)) {
        struct frame f = windows_frame(with_commas(element, &w->scratch));

        if (slice_equal(element, SLICE("[Root]")))
            continue;
        builder_frame(&w->builder, &f);
        last = element;
    }
    if (is_no_stack(function))
        return;
    buf_clear(&w->scratch);
    buf_printf(&w->scratch, "%.*s!%.*s", SLICE_ARG(module), SLICE_ARG(function));
    if (!slice_equal(last, buf_slice(&w->scratch))) {
        struct frame f = windows_frame(buf_slice(&w->scratch));

        builder_frame(&w->builder, &f);
    }
}

/* Pushes the whole stack as the script for wpaexporter writes it. */
static void push_reference(struct wpa *w, const struct origin *origin, struct slice stack)
{
    const struct slice missing = SLICE("<PDB_not_found>");
    struct slice element;

    buf_clear(&w->scratch);
    buf_printf(&w->scratch, "%.*s", SLICE_ARG(origin->process));
    if (origin->pid.len)
        buf_printf(&w->scratch, "_%.*s", SLICE_ARG(origin->pid));
    buf_printf(&w->scratch, "_%.*s", SLICE_ARG(origin->tid));
    builder_name(&w->builder, buf_slice(&w->scratch), FRAME_OWNER);
    while (slice_cut(&stack, '/', &element)) {
        buf_clear(&w->scratch);
        windows_add_reference(&w->scratch,
                              slice_equal(element, missing) ? SLICE("Unknown") : element);
        builder_name(&w->builder, buf_slice(&w->scratch), FRAME_PLAIN);
    }
}

/* ---- rows ---------------------------------------------------------------------------------- */

static const struct {
    const char *event;
    struct unit unit;
} weights[WPA_WEIGHTS] = {
    {"CPU time", {.kind = UNIT_SECONDS, .exponent = -3}},
    {"samples", {.kind = UNIT_COUNT, .noun = {"samples", 7}}},
};

/* Returns one text of all cells that decide where the weights of the row go. */
static struct slice row_key(struct wpa *w)
{
    static const enum wpa_column columns[] = {WPA_NAME,   WPA_PROCESS,  WPA_STACK,
                                              WPA_MODULE, WPA_FUNCTION, WPA_THREAD};

    buf_clear(&w->key);
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
        buf_add_slice(&w->key, cell_of(w, columns[i]));
        buf_add_char(&w->key, '\n');
    }
    return buf_slice(&w->key);
}

/* Makes the stack and the series of the current row. */
static bool understand_row(struct wpa *w, struct wpa_row *row)
{
    bool weighed = w->table.at[WPA_WEIGHT] != CSV_NONE;
    struct slice stack = cell_of(w, WPA_STACK);
    struct origin origin = {.tid = cell_of(w, WPA_THREAD)};

    *row = (struct wpa_row){.series = {BUILDER_LEFT_OUT, BUILDER_LEFT_OUT}};
    windows_process(cell_of(w, w->table.at[WPA_PROCESS] == CSV_NONE ? WPA_NAME : WPA_PROCESS),
                    &origin);
    row->idle = windows_idle(&origin);
    if (row->idle)
        return true;
    row->bare = is_no_stack(stack) && is_no_stack(cell_of(w, WPA_FUNCTION));
    if (is_no_stack(stack))
        stack = SLICE("");
    builder_begin(&w->builder);
    if (w->builder.options->names == NAMES_REFERENCE) {
        push_reference(w, &origin, stack);
    } else {
        windows_push_process(&w->builder, &origin, &w->scratch);
        push_stack(w, stack);
    }
    for (unsigned i = weighed ? 0 : 1; i < WPA_WEIGHTS; i++) {
        origin.event = slice_str(weights[i].event);
        row->series[i] = builder_series(&w->builder, &origin, weights[i].unit);
    }
    return builder_stack(&w->builder, &row->stack);
}

/* Makes the stack and the series of the current row, or finds those of an equal earlier row. */
static bool find_row(struct wpa *w, struct wpa_row *row)
{
    uint32_t id = intern_add(&w->keys, row_key(w));

    if (id == w->rows.count) {
        struct wpa_row added;

        if (!understand_row(w, &added))
            return false;
        *vec_add(&w->rows) = added;
    }
    *row = w->rows.items[id];
    return true;
}

/* Returns the time of a sample, given in seconds; 0 if there is none. */
static uint64_t row_time(const struct wpa *w)
{
    struct decimal seconds = {0};

    csv_decimal(cell_of(w, WPA_TIME), &seconds);
    if (!num_mul(seconds.value, num_pow10(NUM_MAX_DECIMALS - seconds.decimals), &seconds.value))
        return 0;
    return seconds.value;
}

/* Parses the weight of a row; an empty cell is none. */
static bool parse_weight(const struct wpa *w, enum wpa_column column, struct decimal *weight)
{
    return cell_of(w, column).len && csv_decimal(cell_of(w, column), weight);
}

static bool add_row(struct text *t, struct wpa *w, struct slice line)
{
    bool counted = w->table.at[WPA_COUNT] != CSV_NONE;
    bool weighed = w->table.at[WPA_WEIGHT] != CSV_NONE;
    struct decimal weight[WPA_WEIGHTS] = {{0}, {.value = 1}};
    struct wpa_row row;
    uint64_t time;

    if (!find_row(w, &row))
        return false;
    w->idle += row.idle;
    if (row.idle)
        return true;
    if ((weighed && !parse_weight(w, WPA_WEIGHT, &weight[0])) ||
        (counted && !parse_weight(w, WPA_COUNT, &weight[1])))
        return text_skip_line(t, "the weight is not a number", line);
    time = row_time(w);
    for (unsigned i = weighed ? 0 : 1; i < WPA_WEIGHTS; i++) {
        if (time)
            builder_time(&w->builder, row.series[i], time);
        if (row.bare)
            builder_note_bare(&w->builder, row.series[i], 1);
        if (!builder_add_at(&w->builder, row.series[i], row.stack, weight[i]))
            return false;
    }
    return true;
}

static bool wpa_line(struct text *t, void *state, struct slice line)
{
    struct wpa *w = state;

    if (!w->headed) {
        w->headed = true;
        return wpa_table_read(&w->table, line) ||
               diag_error(t->diag, "the heading has no column 'Stack'");
    }
    if (!slice_trim(line).len)
        return true;
    return split_row(w, line) ? add_row(t, w, line)
                              : text_skip_line(t, "fewer columns than the heading has", line);
}

static bool wpa_end(struct text *t, void *state)
{
    struct wpa *w = state;

    windows_strip_process(&w->builder);
    windows_add_idle(t->profile, w->idle);
    return true;
}

STATE_RELEASE(wpa, (builder, builder), (intern, keys), (vec, rows, cells), (buf, key, scratch));

const struct format format_wpa = {
    .name = "wpa",
    .family = FORMAT_SYSTEMS,
    .description = "CPU samples of a Windows trace, as CSV of WPA, xperfview or wpaexporter",
    .recognised = "a heading with the columns Process, Stack, and Thread ID, Weight or Count",
    .example = "wpaexporter trace.etl -profile ExportCPUUsageSampled.wpaProfile -symbols",
    .without_stacks = "record with stacks: xperf -on Latency -stackwalk profile",
    .claims = wpa_claims,
    .text = {BUILDER_READER(wpa, builder)},
};
