/*
 * Profiling logs of Papyrus, the script language of Bethesda's games: a line
 * when a function begins and one when it ends.
 *
 *     Script_quest log opened (PC)
 *     500:PUSH:3053:1:questObject (24021278):quest_script..onInit
 *     1500:POP:3053:1:questObject (24021278):quest_script..onInit
 *     Log closed
 *
 * The fields are milliseconds, event, stack, depth, object, and function, which
 * may contain colons. Stacks are the threads of scripts and run concurrently;
 * each is timed separately and is a first frame if there are several.
 * QUEUE_PUSH and QUEUE_POP are calls that wait and do not run; they are
 * skipped, and objects are not used. A function that is still running at the
 * end is counted up to the last line.
 *
 * The profiling of stacks adds a line START at the beginning and STOP at the end,
 * which have no function.
 *
 * Source: the samples of speedscope (github.com/jlfwong/speedscope), which
 * draws all stacks on one line of time instead.
 */
#include "base/num.h"
#include "input/build/builder.h"
#include "input/core/cut_off.h"
#include "input/format.h"
#include "input/build/owners.h"

struct papyrus_line {
    uint64_t at;
    struct slice event, stack, function;
};

struct papyrus_call {
    uint32_t stack; /* in the trie */
    uint32_t name;
};

/* A stack of scripts, with its open calls. */
struct papyrus_stack {
    VEC(struct papyrus_call) calls;
    uint64_t since; /* the time that is counted so far */
    uint32_t root;  /* in the trie */
    uint32_t series;
};

struct papyrus {
    struct builder b;
    struct intern ids, names;
    VEC(struct papyrus_stack) stacks; /* indexed by intern id */
    VEC(uint32_t) entries;            /* of the names, likewise */
    uint64_t now;
    bool closed;
};

/* ---- lines --------------------------------------------------------------------------------- */

static bool split_line(struct slice line, struct papyrus_line *out)
{
    struct slice rest = slice_trim(line), at, depth, object;
    uint64_t number;

    if (!slice_cut(&rest, ':', &at) || !num_parse_u64(at, &out->at))
        return false;
    if (!slice_cut(&rest, ':', &out->event) || !slice_cut(&rest, ':', &out->stack) ||
        !slice_cut(&rest, ':', &depth) || !slice_cut(&rest, ':', &object))
        return false;
    out->function = rest;
    return num_parse_u64(out->stack, &number) && num_parse_u64(depth, &number) && rest.len;
}

static bool is_event(struct slice event)
{
    return slice_is_any(event, "PUSH", "POP", "QUEUE_PUSH", "QUEUE_POP");
}

static bool is_opening(struct slice line)
{
    return slice_has(line, SLICE(" log opened"));
}

static bool is_closing(struct slice line)
{
    return slice_equal(slice_trim(line), SLICE("Log closed"));
}

/* Stack profiling begins with "500:START:..." and ends with "900:STOP:...". */
static bool is_marker(struct slice line, uint64_t *at)
{
    struct slice rest = slice_trim(line), time, event;

    return slice_cut(&rest, ':', &time) && num_parse_u64(time, at) &&
           slice_cut(&rest, ':', &event) &&
           (slice_equal(event, SLICE("START")) || slice_equal(event, SLICE("STOP")));
}

static bool papyrus_claims(const struct head *head)
{
    struct papyrus_line parts;
    uint64_t at;

    head_each (line, head)
        if (slice_trim(line).len && !is_opening(line) && !is_marker(line, &at))
            return split_line(line, &parts) && is_event(parts.event);
    return false;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Returns the stack of a number, made when first seen, or NULL after reporting an error. */
static struct papyrus_stack *get_stack(struct papyrus *p, struct slice number)
{
    uint32_t id = intern_add(&p->ids, number);
    struct papyrus_stack *s;
    struct buf name = {0};
    bool ok;

    if (id < p->stacks.count)
        return &p->stacks.items[id];
    s = vec_add(&p->stacks);
    *s = (struct papyrus_stack){.since = p->now};
    s->series = builder_series(&p->b, &(struct origin){.tid = number}, unit_named(SLICE("ms")));
    profile_uncount(p->b.profile, s->series); /* a call is added in parts */
    buf_printf(&name, "STACK %.*s", SLICE_ARG(number));
    ok = builder_child(&p->b, STACK_ROOT,
                       &(struct frame){.name = buf_slice(&name), .kind = FRAME_OWNER}, &s->root);
    buf_release(&name);
    return ok ? s : NULL;
}

/* Charges the time up to now to the function that a stack is in. */
static bool count_time(struct papyrus *p, struct papyrus_stack *s)
{
    const uint64_t ns_per_ms = 1000000;
    uint64_t elapsed = p->now - s->since, since = s->since;

    s->since = p->now;
    if (!s->calls.count || !elapsed)
        return true;
    builder_set_time(&p->b, s->series,
                     since > INT64_MAX / ns_per_ms ? INT64_MAX : (int64_t)(since * ns_per_ms));
    return builder_add_at(&p->b, s->series, s->calls.items[s->calls.count - 1].stack,
                          (struct decimal){.value = elapsed});
}

/* Returns the id of a function's name, whose entry in the builder it makes when first seen. */
static uint32_t get_name(struct papyrus *p, struct slice function)
{
    uint32_t name = intern_add(&p->names, function);

    if (name == p->entries.count)
        *vec_add(&p->entries) =
            builder_entry(&p->b, &(struct frame){.name = function, .kind = FRAME_PLAIN});
    return name;
}

static bool push(struct papyrus *p, struct papyrus_stack *s, struct slice function)
{
    struct papyrus_call call = {.name = get_name(p, function)};
    uint32_t parent = s->calls.count ? s->calls.items[s->calls.count - 1].stack : s->root;

    if (s->calls.count >= p->b.options->limits.max_depth)
        return diag_error(p->b.diag,
                          "more than %u calls are open (--max-frames N raises the limit)",
                          p->b.options->limits.max_depth);
    if (!builder_child_entry(&p->b, parent, p->entries.items[call.name], &call.stack))
        return false;
    *vec_add(&s->calls) = call;
    return true;
}

/*
 * Ends the latest call of a function and all of its callees. Returns false if the function is not
 * running.
 */
static bool pop(struct papyrus *p, struct papyrus_stack *s, struct slice function)
{
    uint32_t name = get_name(p, function);
    size_t at = s->calls.count;

    while (at > 0 && s->calls.items[at - 1].name != name)
        at--;
    if (!at)
        return false;
    s->calls.count = at - 1;
    if (!s->calls.count)
        vec_release(&s->calls);
    return true;
}

static bool unreadable(struct text *t, const char *why)
{
    return text_skip(t, "%s; line skipped", why);
}

/* A line that is no event. */
static bool other_line(struct text *t, struct papyrus *p, struct slice line)
{
    uint64_t at;

    p->closed = p->closed || is_closing(line);
    if (!slice_trim(line).len || is_opening(line) || is_closing(line))
        return true;
    if (!is_marker(line, &at))
        return unreadable(t, "expected 'TIME:PUSH|POP:STACK:DEPTH:OBJECT:FUNCTION'");
    p->now = at > p->now ? at : p->now;
    return true;
}

static bool papyrus_line(struct text *t, void *state, struct slice line)
{
    struct papyrus *p = state;
    struct papyrus_line parts;
    struct papyrus_stack *s;

    if (!split_line(line, &parts) || !is_event(parts.event))
        return other_line(t, p, line);
    if (parts.at < p->now)
        return unreadable(t, "the time is earlier than in the line before");
    p->now = parts.at;
    s = get_stack(p, parts.stack);
    if (!s || !count_time(p, s))
        return false;
    if (slice_equal(parts.event, SLICE("PUSH")))
        return push(p, s, parts.function);
    if (slice_equal(parts.event, SLICE("POP")) && !pop(p, s, parts.function))
        return unreadable(t, "end of a function that did not begin");
    return true;
}

static bool papyrus_end(struct text *t, void *state)
{
    struct papyrus *p = state;
    size_t open = 0;

    vec_each (struct papyrus_stack, s, &p->stacks) {
        open += s->calls.count;
        if (!count_time(p, s))
            return false;
    }
    if (!p->closed)
        cut_off(t, DIAG_AT_FILE, "the log ends without 'Log closed'; it may be truncated");
    else if (open)
        diag_count(
            t->diag, DIAG_NOTE, open,
            "# function{ did not end; it is|s did not end; they are} counted up to the last line");
    owners_strip(t->profile, 1);
    return true;
}

static void papyrus_release(void *state)
{
    struct papyrus *p = state;

    vec_each (struct papyrus_stack, s, &p->stacks)
        vec_release(&s->calls);
    release_each(p, (vec, stacks, entries), (intern, ids, names), (builder, b));
}

const struct format format_papyrus = {
    .name = "papyrus",
    .family = FORMAT_LANGUAGES,
    .description = "Papyrus script profiling log (Skyrim, Fallout)",
    .recognised = "lines of 'TIME:PUSH:STACK:DEPTH:OBJECT:FUNCTION'",
    .example = "StartScriptProfiling MyScript (in the console of the game)",
    .without_stacks = "no function of the script took a millisecond",
    .claims = papyrus_claims,
    .text = {BUILDER_READER(papyrus, b)},
};
