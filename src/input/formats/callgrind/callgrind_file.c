#include "input/formats/callgrind/callgrind_file.h"

#include "base/ascii.h"
#include "base/num.h"

/* ---- names --------------------------------------------------------------------------------- */

/* Numbers below index an array; programs count from 1. */
enum { SMALL_NUMBERS = 1 << 22 };

static void callgrind_names_release(struct callgrind_names *n)
{
    release_each(n, (intern, texts, functions), (vec, recent));
    for (int i = 0; i < CALLGRIND_TABLES; i++) {
        intern_release(&n->large[i]);
        vec_release(&n->numbered[i]);
    }
}

/* Takes "(12)" off the front. Returns false if the text does not begin with it. */
static bool cut_number(struct slice *s, struct slice *digits, uint64_t *value)
{
    size_t close = 1;

    if (!s->len || s->ptr[0] != '(')
        return false;
    while (close < s->len && ascii_is_digit(s->ptr[close]))
        close++;
    if (close == s->len || s->ptr[close] != ')')
        return false;
    *digits = slice_take(slice_skip(*s, 1), close - 1);
    *s = slice_skip(*s, close + 1);
    return num_parse_u64(*digits, value);
}

static struct callgrind_name callgrind_names_read(struct callgrind_names *n,
                                                  enum callgrind_table table, struct slice s)
{
    struct callgrind_name name = {.number = CALLGRIND_NONE};
    struct slice rest = s, digits;
    uint32_t *text;
    uint64_t value;

    if (!cut_number(&rest, &digits, &value)) {
        name.text = intern_add(&n->texts, s);
        return name;
    }
    name.number = value < SMALL_NUMBERS ? (uint32_t)value
                                        : SMALL_NUMBERS + intern_add(&n->large[table], digits);
    while (n->numbered[table].count <= name.number)
        *vec_add(&n->numbered[table]) = CALLGRIND_NONE;
    rest = slice_trim_left(rest);
    text = &n->numbered[table].items[name.number];
    if (*text == CALLGRIND_NONE || (rest.len && !slice_equal(rest, intern_get(&n->texts, *text))))
        *text = intern_add(&n->texts, rest);
    name.text = *text;
    return name;
}

/* Returns the text; it is empty for CALLGRIND_NONE and "???". */
static struct slice callgrind_names_text(const struct callgrind_names *n, uint32_t text)
{
    struct slice s = text == CALLGRIND_NONE ? SLICE("") : intern_get(&n->texts, text);

    return slice_equal(s, SLICE("???")) ? SLICE("") : s;
}

/* Functions with equal keys are the same. */
struct function_key {
    uint32_t text, thread, number, file, object;
};

static uint32_t add_key(struct callgrind_names *n, const struct function_key *key)
{
    return intern_add(&n->functions, slice_make((const char *)key, sizeof(*key)));
}

static uint32_t numbered_function(struct callgrind_names *n, const struct callgrind_function *f)
{
    struct function_key key = {f->name.text, f->thread, f->name.number, CALLGRIND_NONE,
                               CALLGRIND_NONE};
    struct callgrind_recent *recent;

    while (n->recent.count <= f->name.number)
        *vec_add(&n->recent) = (struct callgrind_recent){CALLGRIND_NONE, 0, 0};
    recent = &n->recent.items[f->name.number];
    if (recent->text != f->name.text || recent->thread != f->thread)
        *recent = (struct callgrind_recent){f->name.text, f->thread, add_key(n, &key)};
    return recent->function;
}

/* Returns the index of a function, counted from 0 in the order of the file. */
static uint32_t callgrind_names_function(struct callgrind_names *n,
                                         const struct callgrind_function *f)
{
    struct function_key key = {f->name.text, f->thread, CALLGRIND_NONE, f->file, f->object};

    return f->name.number == CALLGRIND_NONE ? add_key(n, &key) : numbered_function(n, f);
}

uint32_t callgrind_names_function_text(const struct callgrind_names *n, uint32_t function)
{
    struct function_key key;

    memcpy(&key, intern_get(&n->functions, function).ptr, sizeof(key));
    return key.text;
}

/* Removes the recursion level: "fib'2" is the second level of fib. */
static struct slice without_level(struct slice name)
{
    size_t at = slice_find_last(name, '\'');
    uint64_t level;

    return at > 0 && num_parse_u64(slice_skip(name, at + 1), &level) ? slice_take(name, at) : name;
}

/* Removes the file after ':', which Xdebug may add although "fl=" names it. */
static struct slice without_file(struct slice name, struct slice file)
{
    struct slice base = slice_take(name, name.len - file.len);

    if (file.len && slice_ends(name, file) && base.len > 1 && slice_ends(base, SLICE(":")) &&
        !slice_ends(base, SLICE("::")))
        return slice_take(base, base.len - 1);
    return name;
}

/* Removes Xdebug's mark of PHP's internal functions. */
static struct slice without_mark(struct slice name)
{
    static const struct slice mark = {"php::", 5};

    return slice_starts(name, mark) ? slice_skip(name, mark.len) : name;
}

/* Returns the builder's entry for a function; `xdebug` selects Xdebug's rules for names. */
static uint32_t callgrind_names_frame(const struct callgrind_names *n,
                                      const struct callgrind_function *f, bool xdebug,
                                      struct builder *b)
{
    struct slice name = callgrind_names_text(n, f->name.text);
    struct frame frame = {
        .name = name,
        .module = callgrind_names_text(n, f->object),
        .file = callgrind_names_text(n, f->file),
        .kind = FRAME_PLAIN,
    };

    if (xdebug)
        frame.name = without_file(name, frame.file);
    if (b->options->names == NAMES_REFERENCE)
        return builder_entry(b, &frame);
    if (frame.module.len)
        frame.kind = FRAME_NATIVE;
    else if (frame.file.len && !xdebug)
        frame.kind = frame_kind_of(frame.file);
    frame.name = xdebug ? without_mark(frame.name) : without_level(name);
    frame.has_address =
        slice_starts(name, SLICE("0x")) && num_parse_hex(slice_skip(name, 2), &frame.address);
    if (frame.has_address)
        frame.name = SLICE("");
    return builder_entry(b, &frame);
}

#define NONE CALLGRIND_NONE

/* ---- fast paths ---------------------------------------------------------------------------- */

/*
 * Decimal costs and numbered names, nearly all lines, are read without
 * splitting words. Each function returns the start of the next line, or NULL
 * for any other line without side effects. TEXT_SLACK bytes after the block
 * are readable.
 */

/* Returns the number of bytes before the first blank or control character, 0 if more than 7. */
static unsigned graph_length(const char *p)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t word = hash_load((const unsigned char *)p, 8);
    uint64_t blank = (word - ones * ('!')) & ~word & ones * 0x80;

    return blank ? (unsigned)__builtin_ctzll(blank) / 8 : 0;
}

/* Reads positions and costs, separated by single blanks, into f->costs. */
static const char *callgrind_plain_costs(struct callgrind_file *f, const char *p)
{
    enum { SAFE_DIGITS = 18 };
    size_t count = 0;

    for (unsigned i = 0; i < f->positions; i++) {
        p += graph_length(p);
        if (*p++ != ' ')
            return NULL;
    }
    for (; count < f->columns.count; p++) {
        uint64_t cost;
        unsigned digits = num_take_digits(p, &cost);

        for (p += digits; digits >= 8 && digits < SAFE_DIGITS && ascii_is_digit(*p); digits++)
            cost = cost * 10 + (uint64_t)(*p++ - '0');
        if (!digits)
            return NULL;
        f->costs.items[count++] = (int64_t)cost;
        if (*p == '\n') {
            f->costs.count = count;
            return p + 1;
        }
        if (*p != ' ')
            return NULL;
    }
    return NULL;
}

/*
 * Reads "(12)", or "(12) main" if 12 is defined as main, up to the end of the
 * line.
 */
static const char *take_number(const struct callgrind_file *f, enum callgrind_table table,
                               const char *p, const char *end, uint32_t *number)
{
    struct slice text;
    uint64_t value = (uint64_t)(*++p - '0');
    unsigned digits = 1;

    if (value > 9 || p[1] != ')')
        digits = num_take_digits(p, &value);
    *number = (uint32_t)value;
    p += digits;
    if (!digits || *p++ != ')')
        return NULL;
    if (*p == '\n')
        return p + 1;
    value = callgrind_names_numbered(&f->names, table, *number);
    if (*p++ != ' ' || value == NONE)
        return NULL;
    text = intern_get(&f->names.texts, (uint32_t)value);
    if (text.len >= (size_t)(end - p) || p[text.len] != '\n' || memcmp(p, text.ptr, text.len) != 0)
        return NULL;
    return p + text.len + 1;
}

/* Enters the function of a number. Returns false if the number is not defined. */
static bool take_function(struct callgrind_file *f, bool callee, uint32_t number)
{
    uint32_t id;

    if (!callgrind_names_recent(&f->names, f->thread, number, &id))
        return false;
    *(callee ? &f->callee : &f->function) = id;
    if (f->xdebug && !callee)
        call_blocks_open(&f->blocks, id);
    return true;
}

/* Makes the file or object of a number the current one. Returns false if it is not defined. */
static bool take_text(struct callgrind_file *f, enum callgrind_table table, bool callee,
                      uint32_t number)
{
    uint32_t id = callgrind_names_numbered(&f->names, table, number);

    if (id == NONE)
        return false;
    if (table == CALLGRIND_OBJECTS)
        *(callee ? &f->callee_object : &f->object) = id;
    else
        *(callee ? &f->callee_file : &f->file) = id;
    return true;
}

/* Four characters as a number, the first one lowest. */
#define WORD(a, b, c, d)                                                                           \
    ((uint64_t)(a) | (uint64_t)(b) << 8 | (uint64_t)(c) << 16 | (uint64_t)(d) << 24)

/* Returns the table of a key with its '(', or CALLGRIND_TABLES for any other text. */
static enum callgrind_table table_of(const char *key, bool callee)
{
    switch (hash_load((const unsigned char *)key, 4)) {
    case WORD('f', 'n', '=', '('):
        return CALLGRIND_FUNCTIONS;
    case WORD('f', 'l', '=', '('):
    case WORD('f', 'i', '=', '('):
        return CALLGRIND_FILES;
    case WORD('f', 'e', '=', '('):
        return callee ? CALLGRIND_TABLES : CALLGRIND_FILES;
    case WORD('o', 'b', '=', '('):
        return CALLGRIND_OBJECTS;
    default:
        return CALLGRIND_TABLES;
    }
}

/* Reads "fn=(12)", "cfl=(12) a.c" and so on, if the number is defined. */
static const char *callgrind_plain_name(struct callgrind_file *f, const char *p, const char *end)
{
    bool callee = p[0] == 'c', ok;
    enum callgrind_table table = table_of(p + callee, callee);
    uint32_t number;

    if (table == CALLGRIND_TABLES)
        return NULL;
    p = take_number(f, table, p + callee + 3, end, &number);
    ok = p && (table == CALLGRIND_FUNCTIONS ? take_function(f, callee, number)
                                            : take_text(f, table, callee, number));
    return ok ? p : NULL;
}

#define NONE CALLGRIND_NONE

/* ---- costs --------------------------------------------------------------------------------- */

/* A cost: decimal or, with "0x", hexadecimal; memory may be negative. */
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
    diag_add(t->diag, DIAG_ERROR, DIAG_AT_LINE(t->line), "the sum of the costs exceeds 63 bits");
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

/*
 * Reads the cost of a column, whose cost in the line before was `before`: "12" or, relative to
 * that, "+12", "-12" and "*", the same. The format's description has relative numbers for positions
 * only, but some writers use them for costs, too. In files whose positions are not relative a
 * negative cost is one: released memory.
 */
static bool read_cost(const struct callgrind_file *f, struct slice word, int64_t before,
                      int64_t *cost)
{
    bool plus = slice_starts(word, SLICE("+"));

    if (slice_equal(word, SLICE("*"))) {
        *cost = before;
        return true;
    }
    if (!parse_cost(slice_skip(word, plus), cost))
        return false;
    if (plus || (f->relative && slice_starts(word, SLICE("-"))))
        return !__builtin_add_overflow(before, *cost, cost) && *cost >= 0;
    return true;
}

static bool read_costs(struct text *t, struct callgrind_file *f, struct slice line)
{
    struct slice rest = line, word;
    size_t known = f->costs.count;
    int64_t *cost, before;

    for (unsigned i = 0; i < f->positions; i++) {
        if (!slice_word(&rest, &word))
            return text_skip_line(t, "missing position", line);
        f->relative |= strchr("+-*", word.ptr[0]) != NULL;
    }
    if (f->function == NONE)
        return text_skip_line(t, "costs before any function", line);
    vec_clear(&f->costs);
    while (slice_word(&rest, &word)) {
        if (f->costs.count == f->columns.count)
            return text_skip_line(t, "more costs than events", line);
        cost = vec_add(&f->costs); /* it still has the cost of the line before */
        before = f->costs.count <= known ? *cost : 0;
        if (!read_cost(f, word, before, cost))
            return text_skip_line(t, "cost is not a number", line);
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

/* Enters a thread; there is no current function until the thread names one. */
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
    vec_clear(&f->costs);
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

/* Adds the sums that a part states. Cachegrind's summary, after the costs, is its totals. */
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

/* Enters a part of the file, maybe of another run. */
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

/* Keeps the name of the current function for callers that do not name its file. */
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

/* Finds the callee by name: up to version 2.2, Xdebug writes neither its file nor a number. */
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

/* Takes the key off a line. Unknown keys that end in ':' are ignored. */
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
        return text_skip_line(t, "neither costs nor a known key", value);
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
    /* Jumps are ignored, but they may define names. */
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
    call_blocks_init(&f->blocks);
    f->object = f->file = f->function = NONE;
    f->callee_object = f->callee_file = f->callee = f->edge = NONE;
    enter_thread(f, SLICE(""));
}

void callgrind_file_release(struct callgrind_file *f)
{
    vec_each (struct callgrind_thread, thread, &f->threads)
        call_graph_release(&thread->graph);
    release_each(f, (vec, threads, local, frames, named, events, columns, costs),
                 (call_blocks, blocks), (callgrind_names, names));
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
    if (begins_costs(line.ptr[0])) {
        ok = read_costs(t, f, line);
        f->of_calls = false;
        return ok;
    }
    if (f->of_calls)
        text_skip_line(t, "costs of calls are missing before this line", line);
    f->of_calls = false;
    key = cut_key(&line);
    return read_key(t, f, key, line);
}

/* Fast path for "calls=1 50" after a callee. Returns NULL for any other line. */
static const char *take_calls(struct text *t, struct callgrind_file *f, const char *p,
                              const char *end)
{
    if (memcmp(p, "calls=", 6) != 0 || f->callee == NONE || f->function == NONE)
        return NULL;
    read_calls(t, f, SLICE(""));
    return text_line_end(p, end) + 1;
}

/* Fast path for most lines. Returns the start of the next line, or NULL for any other line. */
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
