/*
 * The runs of a service, as a report or a history of this program keeps them: folded stacks with a
 * weight for each run, after lines with the facts of each run (output/runs.h).
 *
 *     # flamepress-runs: version=1 service=orders event=cpu-clock unit=ns decimals=0 exact=no
 *     # run: name=orders.1.perf.gz samples=1125 effective=1125 .hostname=web1
 *     # run: name=orders.2.perf.gz samples=1130 effective=1130
 *     # module: name=libc.so.6 symbol=malloc
 *     orders_[o];main;parse 12000000 0
 *
 * The runs become one series, the sum, or a series each if the options ask for it (by_run). Kept:
 * everything. Counted: malformed lines.
 */
#include <string.h>

#include "base/budget.h"
#include "base/intern.h"
#include "base/key_value.h"
#include "input/build/builder.h"
#include "input/core/text.h"
#include "input/format.h"
#include "profile/run_text.h"

#define MARK "# flamepress-runs:"

enum { RUNS_MOST = 10000 };

struct runs_reader {
    struct builder builder;
    struct intern names; /* of runs */
    VEC(struct decimal) weights;
    struct slice event;
    struct unit unit;
    unsigned decimals;
    uint64_t samples; /* of all runs */
    bool counted;     /* the samples of all runs are known */
    struct buf key, value, frame;
};

static bool runs_claims(const struct head *head)
{
    return slice_starts(head->bytes, SLICE(MARK));
}

static bool runs_begin(struct text *t, void *state)
{
    struct runs_reader *r = state;

    builder_init(&r->builder, t->profile, t->options, t->diag);
    r->unit = unit_samples;
    r->counted = true;
    return true;
}

STATE_RELEASE(runs_reader, (builder, builder), (intern, names), (vec, weights),
              (buf, key, value, frame));

/* ---- facts of the runs --------------------------------------------------------------------- */

static bool read_head(struct text *t, struct runs_reader *r, struct slice rest)
{
    struct profile *p = t->profile;
    uint64_t number = 0;

    while (key_value_next(&rest, &r->key, &r->value)) {
        struct slice key = buf_slice(&r->key),
                     value = arena_copy(&p->strings, buf_slice(&r->value));

        if (slice_equal(key, SLICE("version")) && (!num_parse_u64(value, &number) || number != 1))
            return text_fail(t,
                             "version '%.*s' of the format is not known; a newer flamepress "
                             "wrote it",
                             SLICE_ARG(value));
        if (slice_equal(key, SLICE("decimals")) &&
            (!num_parse_u64(value, &number) || number > NUM_MAX_DECIMALS))
            return text_fail(t, "invalid value '%.*s' of decimals, expected 0 to %d",
                             SLICE_ARG(value), NUM_MAX_DECIMALS);
        if (slice_equal(key, SLICE("decimals")))
            r->decimals = (unsigned)number;
        else if (slice_equal(key, SLICE("service")))
            profile_add_fact(p, key, value);
        else if (slice_equal(key, SLICE("event")))
            r->event = value;
        else if (slice_equal(key, SLICE("unit")))
            r->unit = unit_named(value);
        else if (slice_equal(key, SLICE("exact")))
            p->exact = slice_equal(value, SLICE("yes"));
    }
    return true;
}

static bool read_run(struct text *t, struct runs_reader *r, struct slice rest)
{
    struct profile *p = t->profile;
    struct run run;

    run_text_read(&run, rest, &p->runs, &p->strings, &r->key, &r->value);
    if (!run.name.len || intern_find(&r->names, run.name) != MAP_NONE ||
        p->runs.count == RUNS_MOST) {
        vec_release(&run.facts);
        return text_fail(t, "expected at most %d runs, each with a name of its own", RUNS_MOST);
    }
    intern_add(&r->names, run.name);
    run.series = profile_series_of(p, t->options->by_run ? run.name : r->event, r->event, r->unit);
    r->counted &= run.samples > 0;
    if (!num_add(r->samples, run.samples, &r->samples))
        r->counted = false;
    *vec_add(&p->runs) = run;
    return true;
}

static bool read_module(struct text *t, struct runs_reader *r, struct slice rest)
{
    struct symbols *symbols = &t->profile->symbols;
    struct slice module = {0};

    while (key_value_next(&rest, &r->key, &r->value)) {
        struct slice value = buf_slice(&r->value);

        if (slice_equal(buf_slice(&r->key), SLICE("name")))
            module = arena_copy(&t->profile->strings, value);
        else if (slice_equal(buf_slice(&r->key), SLICE("symbol")) && module.len)
            symbols_set_module(symbols, symbols_add_annotated(symbols, value), module);
    }
    return true;
}

/* ---- stacks -------------------------------------------------------------------------------- */

/* Cuts the weights off the end of a line. Returns false if they are not numbers or not enough. */
static bool cut_weights(const struct runs_reader *r, struct slice *line, struct decimal *weights,
                        size_t count)
{
    while (count-- > 0) {
        size_t blank = slice_find_last(*line, ' ');

        if (blank == line->len ||
            !num_parse_decimal(slice_skip(*line, blank + 1), &weights[count]) ||
            weights[count].decimals)
            return false;
        weights[count].decimals = r->decimals;
        line->len = blank;
    }
    return true;
}

/* Pushes the current frame. An owner ends in a mark that no class of functions has. */
static void push_frame(struct runs_reader *r)
{
    const struct slice owner = SLICE("_[o]");
    struct slice name = buf_slice(&r->frame);

    if (slice_ends(name, owner))
        builder_name(&r->builder, slice_take(name, name.len - owner.len), FRAME_OWNER);
    else
        builder_name(&r->builder, name, FRAME_ANNOTATED);
    buf_clear(&r->frame);
}

/* Pushes the frames of a stack, undoing escapes. */
static void push_frames(struct runs_reader *r, struct slice stack)
{
    buf_clear(&r->frame);
    for (size_t i = 0; i < stack.len; i++) {
        char c = stack.ptr[i];

        if (c == ';') {
            push_frame(r);
            continue;
        }
        if (c == '\\' && i + 1 < stack.len) {
            c = stack.ptr[++i];
            c = c == 'n' ? '\n' : c == 'r' ? '\r' : c;
        }
        buf_add_char(&r->frame, c);
    }
    if (stack.len)
        push_frame(r);
}

static bool add_weights(struct text *t, struct runs_reader *r)
{
    const struct runs *runs = &t->profile->runs;

    for (size_t i = 0; i < runs->count; i++)
        if (r->weights.items[i].value &&
            !builder_add_decimal(&r->builder, runs->items[i].series, r->weights.items[i]))
            return false;
    return true;
}

static bool read_stack(struct text *t, struct runs_reader *r, struct slice line)
{
    size_t count = t->profile->runs.count;

    vec_reserve(&r->weights, count + 1);
    if (!cut_weights(r, &line, r->weights.items, count))
        return text_skip(t, "expected a stack and %zu weights; line skipped", count);
    builder_begin(&r->builder);
    push_frames(r, line);
    return add_weights(t, r);
}

static bool runs_line(struct text *t, void *state, struct slice line)
{
    static const struct {
        const char *mark;
        bool (*read)(struct text *t, struct runs_reader *r, struct slice rest);
    } kinds[] = {{MARK, read_head}, {"# run:", read_run}, {"# module:", read_module}};
    struct runs_reader *r = state;

    if (!slice_starts(line, SLICE("# ")))
        return !line.len || read_stack(t, r, line);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (slice_starts(line, slice_str(kinds[i].mark)))
            return kinds[i].read(t, r, slice_skip(line, strlen(kinds[i].mark)));
    return true;
}

/* The facts of the first run are looked for in all runs. */
static bool share_facts(struct text *t)
{
    struct profile *p = t->profile;
    uint64_t facts = 0;

    vec_each (const struct run, run, &p->runs)
        facts += run->facts.count;
    if (p->runs.count)
        budget_work(facts * p->runs.items[0].facts.count);
    if (!budget_allows(t->diag, DIAG_AT_FILE))
        return false;
    profile_share_facts(p, &p->runs);
    return true;
}

static bool runs_end(struct text *t, void *state)
{
    struct runs_reader *r = state;
    struct profile *p = t->profile;

    vec_each (const struct run, run, &p->runs) {
        struct series *s = &p->series.items[run->series];

        if (s->count && r->counted)
            s->samples = t->options->by_run ? run->samples : r->samples;
    }
    p->in_order = r->counted;
    return share_facts(t);
}

const struct format format_runs = {
    .name = "runs",
    .family = FORMAT_ANY,
    .description = "the runs of a service, kept by a report or a history of flamepress",
    .recognised = "'" MARK "' at the start",
    .example = "flamepress report profiles/ -o report/; zstd -d report/graphs/app.runs.zst",
    .claims = runs_claims,
    .text = {.state_size = sizeof(struct runs_reader),
             .begin = runs_begin,
             .line = runs_line,
             .end = runs_end,
             .release = runs_reader_release},
};
