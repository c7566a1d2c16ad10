/*
 * The contents of a Very Sleepy file, symbols followed by stacks: "unzip -p
 * app.sleepy Symbols.txt Callstacks.txt".
 *
 *     sym4 "kernel32" "BaseThreadInitThunk" "[unknown]" 0
 *     sym1 "app" "main" "C:/src/app.c" 55
 *     0.074062 sym1 sym4
 *
 * A symbol line has an id, module, function, file and line; a stack line has
 * the seconds spent in the stack and the ids of its symbols, leaf first.
 *
 * Source: sample files; gprof2dot's parser.
 */
#include "base/num.h"
#include "input/build/builder.h"
#include "input/format.h"
#include "input/parse/records.h"

struct sleepy {
    struct builder b;
    struct intern ids;
    VEC(uint32_t) entries;  /* indexed by intern id */
    struct records records; /* by the symbols of a stack, as written */
};

/* Takes the next word, or the text between quotes. */
static bool take_word(struct slice *rest, struct slice *word)
{
    *rest = slice_trim_left(*rest);
    if (!slice_starts(*rest, SLICE("\"")))
        return slice_word(rest, word);
    *rest = slice_skip(*rest, 1);
    *word = slice_take(*rest, slice_find(*rest, '"'));
    *rest = slice_skip(*rest, word->len + 1);
    return true;
}

struct sleepy_symbol {
    struct slice id, module, function, file, line;
};

static bool split_symbol(struct slice line, struct sleepy_symbol *s)
{
    uint64_t number;

    return take_word(&line, &s->id) && slice_starts(slice_trim_left(line), SLICE("\"")) &&
           take_word(&line, &s->module) && take_word(&line, &s->function) &&
           take_word(&line, &s->file) && take_word(&line, &s->line) &&
           num_parse_u64(s->line, &number) && !slice_trim(line).len;
}

/* Takes the seconds off the front; the ids of symbols remain. */
static bool split_stack(struct slice *line, struct decimal *seconds)
{
    struct slice word;

    return slice_word(line, &word) && slice_find(word, '.') < word.len &&
           num_parse_decimal(word, seconds) && slice_trim(*line).len;
}

static struct slice known(struct slice text)
{
    return slice_equal(text, SLICE("[unknown]")) ? SLICE("") : text;
}

static void add_symbol(struct sleepy *s, const struct sleepy_symbol *symbol)
{
    bool reference = s->b.options->names == NAMES_REFERENCE;
    struct frame f = {.name = reference ? symbol->function : known(symbol->function),
                      .kind = reference ? FRAME_PLAIN : FRAME_NATIVE};
    uint32_t id = intern_add(&s->ids, symbol->id), entry;

    if (!reference) {
        f.module = known(symbol->module);
        f.file = known(symbol->file);
        num_parse_u64(symbol->line, &f.line);
    }
    entry = builder_entry(&s->b, &f);
    if (id == s->entries.count)
        *vec_add(&s->entries) = entry;
    if (s->entries.items[id] == entry)
        return;
    s->entries.items[id] = entry;
    records_clear(&s->records); /* the same ids mean another stack now */
}

/*
 * Pushes the symbols as the current stack. Returns false if one of them was reported as undefined.
 */
static bool push_symbols(struct sleepy *s, struct slice symbols, uint64_t line)
{
    struct slice word;
    bool known = true;

    builder_begin_leaf(&s->b);
    while (slice_word(&symbols, &word)) {
        uint32_t id = intern_find(&s->ids, word);

        if (id != MAP_NONE) {
            builder_push(&s->b, s->entries.items[id]);
            continue;
        }
        diag_warn_line(s->b.diag, line, "undefined symbol '%.*s'", SLICE_ARG(word));
        builder_name(&s->b, SLICE(""), FRAME_PLAIN);
        known = false;
    }
    return known;
}

static bool add_stack(struct sleepy *s, struct slice symbols, struct decimal seconds, uint64_t line)
{
    struct record r = {.series =
                           builder_series(&s->b, &(struct origin){0}, unit_named(SLICE("s")))};
    bool again = push_symbols(s, symbols, line);

    if (!builder_stack(&s->b, &r.stack))
        return false;
    if (again)
        records_add(&s->records, symbols, r);
    return builder_add_at(&s->b, r.series, r.stack, seconds);
}

static bool sleepy_line(struct text *t, void *state, struct slice line)
{
    struct sleepy *s = state;
    struct sleepy_symbol symbol;
    struct decimal seconds;
    struct slice rest = line;
    bool is_stack = split_stack(&rest, &seconds);
    const struct record *record = is_stack ? records_find(&s->records, rest) : NULL;

    if (!slice_trim(line).len)
        return true;
    if (record)
        return builder_add_at(&s->b, record->series, record->stack, seconds);
    if (split_symbol(line, &symbol)) {
        add_symbol(s, &symbol);
        return true;
    }
    if (is_stack)
        return add_stack(s, rest, seconds, t->line);
    return text_skip(t, "expected a symbol or a stack; line skipped");
}

STATE_RELEASE(sleepy, (vec, entries), (intern, ids), (records, records), (builder, b));

/* Claims lines of symbols; the first other line must be a stack. */
static bool sleepy_claims(const struct head *head)
{
    struct sleepy_symbol symbol;
    struct decimal seconds;
    size_t symbols = 0;

    head_each (line, head) {
        if (!split_symbol(line, &symbol))
            return symbols && split_stack(&line, &seconds);
        symbols++;
    }
    return symbols && !head->whole;
}

const struct format format_sleepy = {
    .name = "sleepy",
    .family = FORMAT_SYSTEMS,
    .description = "symbols and stacks of Very Sleepy",
    .recognised = "lines of 'sym1 \"module\" \"function\" \"file\" 7', then '0.07 sym1 sym2'",
    .example = "unzip -p app.sleepy Symbols.txt Callstacks.txt",
    .without_stacks = "Very Sleepy took no sample; record for longer",
    .claims = sleepy_claims,
    .text = {BUILDER_LINES(sleepy, b)},
};
