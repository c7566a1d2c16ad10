/*
 * Profiles of TAU, profile.NODE.CONTEXT.THREAD.
 *
 *     23 templated_functions_MULTI_TIME
 *     # Name Calls Subrs Excl Incl ProfileCalls #
 *     "main()" 1 2 449 51781 0 GROUP="TAU_DEFAULT"
 *     "MPI_Init()" 1 0 17983 17983 0 GROUP="MPI"
 *     "main() => MPI_Init()" 1 0 17983 17983 0 GROUP="TAU_CALLPATH|MPI"
 *     0 aggregates
 *
 * The weight is the exclusive value: microseconds for times, else counts. A function has a row of
 * its own and, with TAU_CALLPATH=1, a row for each path that leads to it. Of its own row only what
 * the paths do not have is added, as a stack of one frame. Numbers of calls, and all after the
 * functions, are dropped.
 *
 * Source: TAU User Guide, "Profile Data Format"; hatchet's reader of TAU.
 */
#include <math.h>

#include "base/num.h"
#include "input/build/builder.h"
#include "input/format.h"

struct function {
    uint64_t own, paths; /* exclusive: of its row, of all paths to it */
};

struct tau {
    struct builder b;
    uint32_t series;
    double factor; /* from the file's number to the weight */
    bool over;     /* the functions have ended */
    struct intern names;
    VEC(struct function) functions; /* by name */
};

/* Takes "23 templated_functions_MULTI_TIME" apart; the metric is empty for a file of one clock. */
static bool parse_head(struct slice line, struct slice *metric)
{
    const struct slice word = SLICE("templated_functions"), multi = SLICE("_MULTI_");
    struct slice number;
    uint64_t count;

    if (!slice_word(&line, &number) || !num_parse_u64(number, &count))
        return false;
    *metric = slice_trim(line);
    if (!slice_starts(*metric, word))
        return false;
    *metric = slice_skip(*metric, word.len);
    if (slice_starts(*metric, multi))
        *metric = slice_skip(*metric, multi.len);
    return true;
}

static bool tau_claims(const struct head *head)
{
    struct slice rest = head->bytes, line, metric;

    return head_line(head, &rest, &line) && parse_head(line, &metric);
}

static void begin_series(struct tau *p, struct slice metric)
{
    bool time = !metric.len || slice_search(metric, SLICE("TIME")) < metric.len ||
                slice_search(metric, SLICE("USECS")) < metric.len;
    struct origin origin = {.event = metric.len ? metric : SLICE("TIME")};

    p->factor = time ? 1000 : 1;
    p->series = builder_series(&p->b, &origin, unit_named(time ? SLICE("ns") : SLICE("events")));
}

static bool tau_begin(struct text *t, void *state)
{
    struct tau *p = state;

    builder_init(&p->b, t->profile, t->options, t->diag);
    p->series = BUILDER_LEFT_OUT;
    return true;
}

/* "f() [{a.c} {3,1}-{9,1}]" without what is in brackets, and without blanks around it. */
static struct slice clean_name(struct slice name)
{
    name = slice_trim(name);
    if (slice_find(name, '[') == name.len)
        return name;
    return slice_trim(slice_take(name, slice_search(name, SLICE(" [{"))));
}

static struct function *function_of(struct tau *p, struct slice name)
{
    uint32_t id = intern_add(&p->names, name);

    if (id == p->functions.count)
        *vec_add(&p->functions) = (struct function){0};
    return &p->functions.items[id];
}

/* Adds a path "main() => f()" with its weight. */
static bool add_path(struct tau *p, struct slice path, uint64_t weight)
{
    const struct slice arrow = SLICE(" => ");
    struct frame frame = {.kind = FRAME_NATIVE};
    struct function *f;
    size_t end;

    builder_begin(&p->b);
    for (struct slice rest = path; rest.len; rest = slice_skip(rest, end + arrow.len)) {
        end = slice_search(rest, arrow);
        frame.name = clean_name(slice_take(rest, end));
        builder_frame(&p->b, &frame);
    }
    f = function_of(p, frame.name);
    return num_add(f->paths, weight, &f->paths) &&
           (!weight || builder_add(&p->b, p->series, weight));
}

/* Parses the numbers after the name; `weight` is the exclusive one. */
static bool parse_numbers(const struct tau *p, struct slice rest, uint64_t *weight,
                          struct slice *group)
{
    enum { CALLS, SUBROUTINES, EXCLUSIVE, INCLUSIVE, PROFILED, NUMBERS };
    const double most = 9e18;
    double number, value = 0;
    struct slice word;
    uint64_t whole;
    struct decimal d;

    for (int i = 0; i < NUMBERS; i++) {
        if (!slice_word(&rest, &word))
            return false;
        if (num_parse_u64(word, &whole))
            number = (double)whole;
        else if (num_parse_decimal(word, &d))
            number = (double)d.value / (double)num_pow10(d.decimals);
        else if (!num_parse_double(word, &number))
            return false;
        if (i == EXCLUSIVE)
            value = number * p->factor;
    }
    *group = slice_trim(rest);
    *weight = value > 0 && value < most ? (uint64_t)llround(value) : 0;
    return value < most && slice_starts(*group, SLICE("GROUP="));
}

static bool tau_line(struct text *t, void *state, struct slice line)
{
    struct tau *p = state;
    struct slice metric, name, group, rest = slice_skip(line, 1), word;
    size_t end = slice_find(rest, '"');
    uint64_t weight;

    if (t->line == 1 && parse_head(line, &metric)) {
        begin_series(p, metric);
        return true;
    }
    if (!slice_starts(line, SLICE("\""))) {
        rest = line;
        p->over = p->over || (slice_word(&rest, &word) && slice_word(&rest, &word) &&
                              slice_equal(word, SLICE("aggregates")));
        return true;
    }
    if (p->over)
        return true;
    name = slice_take(rest, end);
    if (end >= rest.len || !clean_name(name).len ||
        !parse_numbers(p, slice_skip(rest, end + 1), &weight, &group))
        return text_skip_line(t, "expected '\"NAME\" CALLS SUBRS EXCL INCL PROFILED GROUP='", line);
    if (slice_search(group, SLICE("TAU_CALLPATH")) < group.len)
        return add_path(p, name, weight) || text_fail(t, PROFILE_TOO_HEAVY);
    function_of(p, clean_name(name))->own = weight;
    return true;
}

/* Adds what functions have beyond the paths to them: functions that nobody called. */
static bool tau_end(struct text *t, void *state)
{
    struct tau *p = state;

    (void)t;
    for (uint32_t i = 0; i < p->functions.count; i++) {
        const struct function *f = &p->functions.items[i];
        struct frame frame = {.name = intern_get(&p->names, i), .kind = FRAME_NATIVE};

        if (f->own <= f->paths)
            continue;
        builder_begin(&p->b);
        builder_frame(&p->b, &frame);
        if (!builder_add(&p->b, p->series, f->own - f->paths))
            return false;
    }
    return true;
}

STATE_RELEASE(tau, (intern, names), (vec, functions), (builder, b));

const struct format format_tau = {
    .name = "tau",
    .family = FORMAT_SYSTEMS,
    .description = "profiles of TAU, by call path",
    .recognised = "'COUNT templated_functions' in the first line",
    .example = "TAU_CALLPATH=1 tau_exec ./app   # writes profile.0.0.0",
    .without_stacks = "no function has taken any time",
    .claims = tau_claims,
    .text = {TEXT_READER(tau)},
};
