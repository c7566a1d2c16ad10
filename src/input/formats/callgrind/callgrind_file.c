#include "input/formats/callgrind/callgrind_file.h"

#include "base/ascii.h"
#include "base/num.h"
#include "input/formats/callgrind/callgrind_plain.h"

#define NONE CALLGRIND_NONE

/* ---- costs --------------------------------------------------------------------------------- */

/* A cost: digits, "0x" and hexadecimal digits, or, of memory, with a sign. */
static bool parse_cost(struct slice word, int64_t *cost)
{
    bool negative = word.len && word.ptr[0] == '-';
    uint64_t value;

    if (negative)
        word = slice_skip(word, 1);
    if (!(slice_starts(word, SLICE("0x")) ? num_parse_hex(slice_skip(word, 2), &value)
                                          : num_parse_u64(word, &value)) ||
        value > INT64_MAX)
        return false;
    *cost = negative ? -(int64_t)value : (int64_t)value;
    return true;
}

static bool too_large(struct text *t)
{
    diag_add(t->diag, DIAG_ERROR, DIAG_AT_LINE(t->line),
             "the costs up to here add up to more than 63 bits hold");
    return false;
}

static bool add_cost(struct text *t, struct callgrind_file *f, uint32_t event, int64_t cost)
{
    struct call_graph *graph = &f->threads.items[f->thread].graph;

    if (f->of_calls)
        return f->edge == NONE || call_graph_add_calls(graph, event, f->edge, cost) || too_large(t);
    if (f->xdebug)
        call_blocks_add_cost(&f->blocks, event, cost);
    return call_graph_add_self(graph, event, f->local.items[f->function], cost) || too_large(t);
}

static bool add_costs(struct text *t, struct callgrind_file *f)
{
    for (size_t i = 0; i < f->costs.count; i++)
        if (f->costs.items[i] && !add_cost(t, f, f->columns.items[i], f->costs.items[i]))
            return false;
    return true;
}

static bool read_costs(struct text *t, struct callgrind_file *f, struct slice line)
{
    struct slice rest = line, word;

    for (unsigned i = 0; i < f->positions; i++)
        if (!slice_word(&rest, &word))
            return text_skip_line(t, "a position is missing", line);
    if (f->function == NONE)
        return text_skip_line(t, "costs before any function", line);
    vec_clear(&f->costs);
    while (slice_word(&rest, &word)) {
        if (f->costs.count == f->columns.count)
            return text_skip_line(t, "more costs than there are events", line);
        if (!parse_cost(word, vec_add(&f->costs)))
            return text_skip_line(t, "a cost is no number", line);
    }
    return add_costs(t, f);
}

/* ---- keys --------------------------------------------------------------------------------- */

static uint32_t function_of(struct callgrind_file *f, struct slice name, uint32_t file,
                            uint32_t object)
{
    struct callgrind_function function = {
        .thread = f->thread,
        .name = callgrind_names_read(&f->names, CALLGRIND_FUNCTIONS, name),
        .file = file,
        .object = object,
    };
    uint32_t id = callgrind_names_function(&f->names, &function);

    if (id == f->frames.count) {
        uint32_t frame = callgrind_names_frame(&f->names, &function, f->xdebug, f->b);

        *vec_add(&f->frames) = frame;
        *vec_add(&f->local) = call_graph_add_function(&f->threads.items[f->thread].graph, frame);
    }
    return id;
}

/* Costs and calls belong to a function of the same thread: until it names one, there is none. */
static void enter_thread(struct callgrind_file *f, struct slice name)
{
    uint32_t text = intern_add(&f->names.texts, name);

    f->function = f->callee = f->edge = NONE;

    for (f->thread = 0; f->thread < f->threads.count; f->thread++)
        if (f->threads.items[f->thread].name == text)
            return;
    *vec_add(&f->threads) = (struct callgrind_thread){.name = text};
    call_graph_init(&f->threads.items[f->thread].graph);
}

static void read_events(struct callgrind_file *f, struct slice value)
{
    struct slice word;

    vec_clear(&f->columns);
    while (slice_word(&value, &word)) {
        uint32_t text = intern_add(&f->names.texts, word);
        uint32_t i = 0;

        while (i < f->events.count && f->events.items[i].word != text)
            i++;
        if (i == f->events.count)
            *vec_add(&f->events) = (struct callgrind_sums){.word = text};
        *vec_add(&f->columns) = i;
    }
    vec_reserve(&f->costs, f->columns.count);
}

/*
 * The sums that a part states of itself; those of several parts add up. Behind the costs, where
 * cachegrind has it, a summary is what others call totals.
 */
static void read_sums(struct callgrind_file *f, struct slice value, bool totals)
{
    struct slice word;
    uint64_t number;

    totals |= f->function != NONE && !f->has_totals;
    *(totals ? &f->has_totals : &f->has_summary) = true;
    for (size_t i = 0; i < f->columns.count && slice_word(&value, &word); i++) {
        struct callgrind_sums *s = &f->events.items[f->columns.items[i]];

        if (num_parse_u64(word, &number))
            *(totals ? &s->totals : &s->summary) += number;
    }
}

static void read_positions(struct callgrind_file *f, struct slice value)
{
    struct slice word;

    for (f->positions = 0; slice_word(&value, &word); f->positions++)
        ;
}

static void add_fact(struct text *t, struct slice key, struct slice value)
{
    if (value.len)
        profile_add_fact(t->profile, key, value);
}

/* Another part of the file, or of another run that was appended to it. */
static void enter_part(struct callgrind_file *f)
{
    if (f->xdebug)
        call_blocks_end_run(&f->blocks);
    f->object = f->file = NONE;
    enter_thread(f, SLICE(""));
}

static bool read_calls(struct text *t, struct callgrind_file *f, struct slice value)
{
    uint32_t callee = f->callee;

    f->callee = f->callee_file = f->callee_object = f->edge = NONE;
    f->of_calls = true;
    if (callee == NONE || f->function == NONE)
        return text_skip_line(t, "calls without a function", value);
    f->edge = call_graph_edge(&f->threads.items[f->thread].graph, f->local.items[f->function],
                              f->local.items[callee]);
    if (f->xdebug)
        call_blocks_add_call(&f->blocks, callee);
    return true;
}

static uint32_t read_text(struct callgrind_file *f, enum callgrind_table table, struct slice value)
{
    return callgrind_names_read(&f->names, table, value).text;
}

/* What the block of the function in hand is called, for callers that do not say its file. */
static void keep_name(struct callgrind_file *f, struct slice value)
{
    struct callgrind_name name = callgrind_names_read(&f->names, CALLGRIND_FUNCTIONS, value);

    if (name.number != NONE)
        return;
    while (f->named.count <= name.text)
        *vec_add(&f->named) = NONE;
    f->named.items[name.text] = f->function;
}

static void enter_function(struct callgrind_file *f, struct slice value)
{
    f->function = function_of(f, value, f->file, f->object);
    if (f->xdebug) {
        keep_name(f, value);
        call_blocks_open(&f->blocks, f->function);
    }
}

/* Xdebug's callees stand before their callers; until 2.2 neither file nor number was told. */
static bool find_named(struct callgrind_file *f, struct slice value)
{
    struct callgrind_name name;

    if (!f->xdebug || f->callee_file != NONE)
        return false;
    name = callgrind_names_read(&f->names, CALLGRIND_FUNCTIONS, value);
    if (name.number != NONE || name.text >= f->named.count || f->named.items[name.text] == NONE)
        return false;
    f->callee = f->named.items[name.text];
    return true;
}

static void enter_callee(struct callgrind_file *f, struct slice value)
{
    if (find_named(f, value))
        return;
    f->callee = function_of(f, value, f->callee_file == NONE ? f->file : f->callee_file,
                            f->callee_object == NONE ? f->object : f->callee_object);
}

enum key {
    KEY_UNKNOWN,
    KEY_PASSED_OVER,
    KEY_EVENTS,
    KEY_POSITIONS,
    KEY_SUMMARY,
    KEY_TOTALS,
    KEY_PART,
    KEY_THREAD,
    KEY_COMMAND,
    KEY_CREATOR,
    KEY_PID,
    KEY_FUNCTION,
    KEY_FILE,
    KEY_OBJECT,
    KEY_CALLEE,
    KEY_CALLEE_FILE,
    KEY_CALLEE_OBJECT,
    KEY_CALLS,
    KEY_JUMP_FILE,
    KEY_JUMP_FUNCTION,
    KEY_DESCRIPTION,
};

/* The key of a line, whose value is left in `*line`; one with a ':' need not be known. */
static enum key cut_key(struct slice *line)
{
    static const struct {
        struct slice word;
        enum key key;
    } keys[] = {
        {{"fn=", 3}, KEY_FUNCTION},       {{"fl=", 3}, KEY_FILE},
        {{"fi=", 3}, KEY_FILE},           {{"fe=", 3}, KEY_FILE},
        {{"ob=", 3}, KEY_OBJECT},         {{"cfn=", 4}, KEY_CALLEE},
        {{"cfl=", 4}, KEY_CALLEE_FILE},   {{"cfi=", 4}, KEY_CALLEE_FILE},
        {{"cob=", 4}, KEY_CALLEE_OBJECT}, {{"calls=", 6}, KEY_CALLS},
        {{"jump=", 5}, KEY_PASSED_OVER},  {{"jcnd=", 5}, KEY_PASSED_OVER},
        {{"events:", 7}, KEY_EVENTS},     {{"positions:", 10}, KEY_POSITIONS},
        {{"summary:", 8}, KEY_SUMMARY},   {{"totals:", 7}, KEY_TOTALS},
        {{"part:", 5}, KEY_PART},         {{"thread:", 7}, KEY_THREAD},
        {{"cmd:", 4}, KEY_COMMAND},       {{"creator:", 8}, KEY_CREATOR},
        {{"pid:", 4}, KEY_PID},           {{"==== ", 5}, KEY_PASSED_OVER},
        {{"jfi=", 4}, KEY_JUMP_FILE},     {{"jfn=", 4}, KEY_JUMP_FUNCTION},
        {{"desc:", 5}, KEY_DESCRIPTION},
    };

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (keys[i].word.ptr[0] == line->ptr[0] && slice_starts(*line, keys[i].word)) {
            *line = slice_trim(slice_skip(*line, keys[i].word.len));
            return keys[i].key;
        }
    return slice_find(*line, ':') < slice_find(*line, '=') ? KEY_PASSED_OVER : KEY_UNKNOWN;
}

static const struct slice fact_names[] = {
    [KEY_COMMAND] = {"command", 7},
    [KEY_CREATOR] = {"recorded with", 13},
    [KEY_PID] = {"pid", 3},
};

static bool read_key(struct text *t, struct callgrind_file *f, enum key key, struct slice value)
{
    switch (key) {
    case KEY_UNKNOWN:
        return text_skip_line(t, "neither costs nor a key that is known", value);
    case KEY_PASSED_OVER:
        break;
    case KEY_EVENTS:
        read_events(f, value);
        break;
    case KEY_POSITIONS:
        read_positions(f, value);
        break;
    case KEY_SUMMARY:
    case KEY_TOTALS:
        read_sums(f, value, key == KEY_TOTALS);
        break;
    case KEY_PART:
        enter_part(f);
        break;
    case KEY_THREAD:
        enter_thread(f, value);
        break;
    case KEY_COMMAND:
    case KEY_CREATOR:
    case KEY_PID:
        add_fact(t, fact_names[key], value);
        break;
    case KEY_FUNCTION:
        enter_function(f, value);
        break;
    case KEY_FILE:
        f->file = read_text(f, CALLGRIND_FILES, value);
        break;
    case KEY_OBJECT:
        f->object = read_text(f, CALLGRIND_OBJECTS, value);
        break;
    case KEY_CALLEE:
        enter_callee(f, value);
        break;
    case KEY_CALLEE_FILE:
        f->callee_file = read_text(f, CALLGRIND_FILES, value);
        break;
    case KEY_CALLEE_OBJECT:
        f->callee_object = read_text(f, CALLGRIND_OBJECTS, value);
        break;
    case KEY_CALLS:
        return read_calls(t, f, value);
    /* Jumps are of no use, but a name may be said here and its number alone behind it. */
    case KEY_JUMP_FILE:
    case KEY_JUMP_FUNCTION:
        read_text(f, key == KEY_JUMP_FILE ? CALLGRIND_FILES : CALLGRIND_FUNCTIONS, value);
        break;
    case KEY_DESCRIPTION:
        f->described = true;
        break;
    }
    return true;
}

/* ---- lines --------------------------------------------------------------------------------- */

void callgrind_file_init(struct callgrind_file *f, struct builder *b, bool xdebug)
{
    *f = (struct callgrind_file){.b = b, .xdebug = xdebug, .positions = 1};
    callgrind_names_init(&f->names);
    call_blocks_init(&f->blocks);
    f->object = f->file = f->function = NONE;
    f->callee_object = f->callee_file = f->callee = f->edge = NONE;
    enter_thread(f, SLICE(""));
}

void callgrind_file_release(struct callgrind_file *f)
{
    vec_each (struct callgrind_thread, thread, &f->threads)
        call_graph_release(&thread->graph);
    vec_release(&f->threads);
    vec_release(&f->local);
    vec_release(&f->frames);
    vec_release(&f->named);
    vec_release(&f->events);
    vec_release(&f->columns);
    vec_release(&f->costs);
    call_blocks_release(&f->blocks);
    callgrind_names_release(&f->names);
}

static bool begins_costs(char c)
{
    return ascii_is_digit(c) || c == '+' || c == '-' || c == '*';
}

static bool read_line(struct callgrind_file *f, struct text *t, struct slice line)
{
    enum key key;
    bool ok;

    line = slice_trim(line);
    if (!line.len || line.ptr[0] == '#')
        return true;
    t->profile->ledger.lines++;
    if (begins_costs(line.ptr[0])) {
        ok = read_costs(t, f, line);
        f->of_calls = false;
        return ok;
    }
    if (f->of_calls)
        text_skip_line(t, "the costs of calls are missing before", line);
    f->of_calls = false;
    key = cut_key(&line);
    return read_key(t, f, key, line);
}

/* ---- nearly all lines ----------------------------------------------------------------------- */

/* "calls=1 50" where a callee is known; NULL for any other line. */
static const char *take_calls(struct text *t, struct callgrind_file *f, const char *p,
                              const char *end)
{
    if (memcmp(p, "calls=", 6) != 0 || f->callee == NONE || f->function == NONE)
        return NULL;
    read_calls(t, f, SLICE(""));
    return text_line_end(p, end) + 1;
}

/* A line that is plain: returns where the next one begins, NULL where it is not. */
static inline const char *read_plain(struct text *t, struct callgrind_file *f, const char *p,
                                     const char *end, bool *ok)
{
    const char *next = NULL;

    if (begins_costs(*p)) {
        if (f->function == NONE || !(next = callgrind_plain_costs(f, p)))
            return NULL;
        *ok = add_costs(t, f);
        f->of_calls = false;
    } else if (!f->of_calls) {
        next = callgrind_plain_name(f, p, end);
        if (!next && *p == 'c')
            next = take_calls(t, f, p, end);
    }
    if (next)
        t->profile->ledger.lines++;
    return next;
}

bool callgrind_file_lines(struct callgrind_file *f, struct text *t, struct slice block)
{
    const char *p = block.ptr, *end = block.ptr + block.len, *next;
    bool ok = true;

    for (; ok && p < end; p = next) {
        t->line++;
        next = *p == '\n' ? p + 1 : read_plain(t, f, p, end, &ok);
        if (!next) {
            next = text_line_end(p, end) + 1;
            ok = read_line(f, t, slice_make(p, (size_t)(next - p)));
        }
    }
    return ok;
}
