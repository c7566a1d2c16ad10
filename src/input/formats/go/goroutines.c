/*
 * Reader of goroutine dumps: what a panic prints, and
 * /debug/pprof/goroutine?debug=2.
 *
 *     goroutine 7 [chan receive, 5 minutes, locked to thread]:
 *     main.(*Server).run(0xc000010018, {0x4124060, 0x2})
 *             /src/server.go:331 +0x3f2
 *     ...23 frames elided...
 *     created by main.main in goroutine 1
 *             /src/main.go:16 +0x45
 *     goroutine 8 [select (durable), synctest bubble 1] {endpoint: "/cart"}:
 *     [originating from goroutine 1]:
 *     main.main(...)
 *             /src/main.go:16 +0x45
 *
 * A stack is leaf first, with a line for the function and an indented one for
 * its source line. Each goroutine counts 1. Its creator is not its caller and
 * is not drawn, nor are its ancestors; a stack with elided frames counts as
 * truncated. The number of goroutines in each state is a fact; "(leaked)" is part
 * of the state. Labels, which Go 1.27 prints, are used as those of pprof are
 * (pprof.h). Other lines, as in a log, are ignored.
 *
 * Source: runtime/traceback.go of Go.
 */
#include "base/num.h"
#include "base/ascii.h"
#include "base/utf8.h"
#include "input/build/sample.h"
#include "input/core/cut_off.h"
#include "input/format.h"
#include "input/formats/go/pprof.h"

/* Meanings of repeated lines; `context` of a function is its name. */
enum { GO_FUNCTION = 1, GO_PLACE, GO_END };

#define NO_ENTRY UINT32_MAX

struct goroutines {
    struct sample sample;  /* the current goroutine; its texts are names of functions */
    bool ancestors;        /* the stacks of its ancestors have begun */
    bool waiting;          /* a function was read and its source line was not */
    bool creator;          /* that function is the creator */
    bool elided;           /* frames were elided */
    bool rooted;           /* its stack is complete: it ends in main.main, a creator or "elided" */
    bool stub;             /* the last line may be a truncated header of a goroutine */
    uint32_t function;     /* name of the waiting function */
    VEC(uint32_t) entries; /* by text: the builder's entry, NO_ENTRY until it is pushed */
    struct intern states;
    VEC(uint64_t) state_counts;
    struct pprof_labels labels;
    uint64_t ancestor_count;
};

/* ---- lines --------------------------------------------------------------------------------- */

struct header {
    struct slice number, state;
    struct slice labels; /* what is between the braces; empty if there are none */
};

/*
 * "goroutine 7 [sleep, 5 minutes]:"; newer versions have "gp=0x.. m=0 " before the bracket, and
 * ` {endpoint: "/cart"}` after it.
 */
static bool parse_header(struct slice line, struct header *h)
{
    const struct slice start = SLICE("goroutine "), brace = SLICE(" {"), end = SLICE("}:");
    struct slice rest = slice_trim_right(line), behind;
    uint64_t ignored;
    size_t open, close;

    if (!slice_starts(rest, start) || !slice_ends(rest, SLICE(":")))
        return false;
    rest = slice_skip(rest, start.len);
    open = slice_find(rest, '[');
    h->state = slice_skip(rest, open + 1);
    close = slice_find(h->state, ']');
    behind = slice_skip(h->state, close + 1);
    if (close == h->state.len || !slice_word(&rest, &h->number) ||
        !num_parse_u64(h->number, &ignored))
        return false;
    h->state = slice_take(h->state, close);
    h->state = slice_take(h->state, slice_find(h->state, ','));
    h->labels = slice_make(NULL, 0);
    if (slice_starts(behind, brace) && slice_ends(behind, end))
        h->labels = slice_skip(slice_take(behind, behind.len - end.len), brace.len);
    else if (behind.len != 1)
        return false;
    return true;
}

/* "main.(*T).f(0x1, {...})": the name ends where the last parenthesis was opened. */
static bool parse_function(struct slice line, struct slice *name)
{
    size_t depth = 0;

    line = slice_trim_right(line);
    if (!slice_ends(line, SLICE(")")))
        return false;
    for (size_t i = line.len; i-- > 1;) {
        depth += line.ptr[i] == ')';
        if (line.ptr[i] != '(' || --depth > 0)
            continue;
        *name = slice_take(line, i);
        return slice_find(*name, ' ') == name->len || slice_find(*name, '[') < name->len;
    }
    return false;
}

/* "\t/src/server.go:331 +0x3f2" */
static bool parse_place(struct slice line, struct slice *file, uint64_t *number)
{
    struct slice digits;
    size_t colon, n = 0;

    if (!slice_starts(line, SLICE("\t")) && !slice_starts(line, SLICE("    ")))
        return false;
    line = slice_trim(line);
    line = slice_take(line, slice_search(line, SLICE(" +0x")));
    line = slice_take(line, slice_search(line, SLICE(" fp=0x")));
    colon = slice_find_last(line, ':');
    digits = slice_skip(line, colon + 1);
    while (n < digits.len && ascii_is_digit(digits.ptr[n]))
        n++;
    *file = slice_take(line, colon);
    return n > 0 && n == digits.len && num_parse_u64(digits, number);
}

static bool is_created_by(struct slice line)
{
    return slice_starts(line, SLICE("created by "));
}

static bool is_ancestor(struct slice line)
{
    return slice_starts(line, SLICE("[originating from goroutine "));
}

static bool is_elided(struct slice line)
{
    return slice_starts(line, SLICE("...")) &&
           slice_ends(slice_trim_right(line), SLICE("elided..."));
}

/* "goroutine running on other thread; stack unavailable" */
static bool is_remark(struct slice line)
{
    return slice_starts(slice_trim(line), SLICE("goroutine running on other thread"));
}

/* Requires one goroutine, and that half of the lines belong to goroutines. */
static bool goroutines_claims(const struct head *head)
{
    struct header header;
    struct slice text;
    size_t lines = 0, headers = 0, ours = 0;
    uint64_t number;

    head_each (line, head) {
        if (!slice_trim(line).len)
            continue;
        lines++;
        if (parse_header(line, &header)) {
            headers++;
            ours++;
        } else if (headers) {
            ours += parse_function(line, &text) || parse_place(line, &text, &number) ||
                    is_created_by(line) || is_ancestor(line) || is_elided(line);
        }
    }
    return headers > 0 && ours * 2 >= lines;
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool goroutines_begin(struct text *t, void *state)
{
    struct goroutines *g = state;

    sample_init(&g->sample, t->profile, t->options, t->diag);
    g->sample.unit = (struct unit){.kind = UNIT_COUNT, .noun = SLICE("goroutines")};
    g->sample.origin.event = SLICE("goroutine");
    g->labels.options = t->options;
    return true;
}

STATE_RELEASE(goroutines, (sample, sample), (vec, entries, state_counts), (intern, states),
              (pprof_labels, labels));

static void push_function(struct goroutines *g, struct slice file, uint64_t line)
{
    struct slice name = intern_get(&g->sample.texts, g->function);
    struct frame frame = {.name = name, .file = file, .line = line, .kind = FRAME_NATIVE};
    uint32_t *entry = &g->entries.items[g->function];

    if (*entry == NO_ENTRY || g->sample.builder.options->srcline)
        *entry = builder_entry(&g->sample.builder, &frame);
    sample_push(&g->sample, *entry);
    g->rooted = slice_equal(name, SLICE("main.main"));
}

/* Pushes the waiting function, unless it is a creator or an ancestor's. */
static void settle(struct goroutines *g, struct slice file, uint64_t line)
{
    if (g->waiting && !g->ancestors && !g->creator)
        push_function(g, file, line);
    g->waiting = g->creator = false;
}

/* Adds the current goroutine, if any. Returns false after reporting an error. */
static bool finish(struct goroutines *g)
{
    if (!g->sample.open)
        return true;
    settle(g, SLICE(""), 0);
    g->sample.builder.profile->ledger.truncated += g->elided;
    return sample_close(&g->sample);
}

static bool open_goroutine(struct goroutines *g, const struct header *h)
{
    uint32_t id = intern_add(&g->states, h->state);
    struct slice labels = h->labels, key, value;

    if (!finish(g))
        return false;
    if (id == g->state_counts.count)
        *vec_add(&g->state_counts) = 0;
    g->state_counts.items[id]++;
    buf_clear(&g->sample.scratch);
    buf_add_slice(&g->sample.scratch, h->number);
    g->sample.origin = (struct origin){.event = g->sample.origin.event,
                                       .state = intern_get(&g->states, id),
                                       .tid = buf_slice(&g->sample.scratch),
                                       .tags = TAGS_OTHER};
    while (pprof_labels_next(&g->labels, &labels, &key, &value))
        pprof_labels_take(&g->labels, key, value, &g->sample.origin);
    g->ancestors = g->waiting = g->creator = g->elided = g->rooted = false;
    return sample_open(&g->sample, SLICE(""));
}

static void set_function(struct goroutines *g, uint32_t name, bool creator)
{
    settle(g, SLICE(""), 0);
    g->function = name;
    g->waiting = true;
    g->creator = creator;
}

static uint32_t name_of(struct goroutines *g, struct slice name)
{
    uint32_t id = intern_add(&g->sample.texts, name);

    while (g->entries.count <= id)
        *vec_add(&g->entries) = NO_ENTRY;
    return id;
}

/* Reads a line of the current goroutine. Returns false if the line is malformed. */
static bool read_stack_line(struct text *t, struct goroutines *g, struct slice line)
{
    struct slice text;
    uint64_t number;

    if (parse_place(line, &text, &number)) {
        settle(g, text, number);
        t->meaning.kind = t->options->srcline ? 0 : GO_PLACE;
    } else if (is_created_by(line)) {
        set_function(g, name_of(g, SLICE("")), true);
        g->rooted = true;
    } else if (is_ancestor(line)) {
        settle(g, SLICE(""), 0);
        g->ancestors = true;
        g->ancestor_count++;
    } else if (is_elided(line)) {
        g->elided |= !g->ancestors;
        g->rooted = true;
    } else if (parse_function(line, &text)) {
        t->meaning.kind = GO_FUNCTION;
        t->meaning.context = name_of(g, text);
        set_function(g, t->meaning.context, false);
    } else if (slice_equal(slice_trim(line), SLICE("non-Go function"))) {
        set_function(g, name_of(g, SLICE("non-Go function")), false);
    } else {
        return is_remark(line) || slice_starts(slice_trim(line), SLICE("pc=0x"));
    }
    return true;
}

static bool goroutines_line(struct text *t, void *state, struct slice line)
{
    const struct slice start = SLICE("goroutine ");
    struct goroutines *g = state;
    struct header header;

    g->stub = !g->sample.open && line.len && slice_starts(start, slice_take(line, start.len));
    if (parse_header(line, &header))
        return open_goroutine(g, &header);
    if (!line.len || slice_starts(line, SLICE("exit status "))) {
        t->meaning.kind = GO_END;
        return finish(g);
    }
    if (!slice_trim(line).len)
        return true;
    if (!g->sample.open)
        return !slice_starts(line, start) ||
               text_skip_line(t, "expected 'goroutine N [STATE]:'", line);
    return read_stack_line(t, g, line) ||
           text_skip_line(t, "malformed frame of a goroutine", slice_trim(line));
}

static enum text_again goroutines_again(struct text *t, void *state, const struct line_meaning *m)
{
    struct goroutines *g = state;

    (void)t;
    if (m->kind != GO_END && !g->sample.open)
        return TEXT_UNFIT;
    g->stub = false;
    if (m->kind == GO_END)
        return finish(g) ? TEXT_DONE : TEXT_FAILED;
    if (m->kind == GO_PLACE)
        settle(g, SLICE(""), 0);
    else
        set_function(g, m->context, false);
    return TEXT_DONE;
}

/* "chan receive 12, running 1" */
static void add_states(struct text *t, const struct goroutines *g)
{
    enum { SHOWN = 12 };
    struct buf text = {0};

    for (uint32_t i = 0; i < g->state_counts.count && i < SHOWN; i++) {
        buf_add_str(&text, i ? ", " : "");
        utf8_add_clean(&text, intern_get(&g->states, i));
        buf_printf(&text, " %llu", (unsigned long long)g->state_counts.items[i]);
    }
    if (text.len)
        profile_add_fact(t->profile, SLICE("states"), buf_slice(&text));
    pprof_labels_tell(&g->labels, t->profile);
    if (g->ancestor_count)
        profile_print_fact(t->profile, SLICE("ancestors not drawn"), "%llu",
                           (unsigned long long)g->ancestor_count);
    buf_release(&text);
}

static bool goroutines_end(struct text *t, void *state)
{
    struct goroutines *g = state;

    /* If other goroutines have no frames either, the last one is not truncated. */
    if (g->stub && !(g->sample.open && t->profile->ledger.without_frames))
        cut_off(t, DIAG_AT_FILE, "the dump is truncated at the start of a goroutine");
    if (g->sample.open && g->waiting)
        cut_off(t, DIAG_AT_FILE, "the dump is truncated: its last function has no source line");
    else if (g->sample.open && builder_depth(&g->sample.builder) && !g->rooted)
        cut_off(t, DIAG_AT_FILE,
                "the last goroutine ends neither in main.main nor with its creator; "
                "the dump may be truncated");
    add_states(t, g);
    return finish(g);
}

const struct format format_goroutines = {
    .name = "goroutines",
    .family = FORMAT_GO,
    .description = "Go's goroutine dumps: panics and debug=2",
    .recognised = "lines 'goroutine 7 [running]:' followed by functions and source lines",
    .example = "curl -o goroutines.txt 'localhost:6060/debug/pprof/goroutine?debug=2'",
    .without_stacks = "its goroutines have no frames; set GOTRACEBACK=all",
    .needs = "goroutine ",
    .claims = goroutines_claims,
    .text = {TEXT_READER(goroutines), .again = goroutines_again},
};
