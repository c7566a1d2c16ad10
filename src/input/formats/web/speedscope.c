/*
 * speedscope's file format, which other profilers write, too.
 *
 *     {"$schema": "https://www.speedscope.app/file-format-schema.json",
 *      "shared": {"frames": [{"name": "main", "file": "a.c", "line": 3}, ...]},
 *      "profiles": [
 *       {"type": "sampled", "name": "cpu", "unit": "milliseconds",
 *        "samples": [[0, 1], ...], "weights": [2.5, ...]},
 *       {"type": "evented", "name": "main", "unit": "none", "startValue": 0, "endValue": 14,
 *        "events": [{"type": "O", "frame": 0, "at": 0}, {"type": "C", "frame": 0, "at": 3}]}],
 *      "activeProfileIndex": 0}
 *
 * Stacks are indices into the table of frames, root first. Each profile becomes
 * a graph; the active one is first. In an evented profile the time between two
 * events belongs to the stack between them; a frame that is never closed lasts
 * until the end. Times are kept to the nanosecond. Grammar: the schema named
 * above.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/num.h"
#include "base/version.h"
#include "input/build/builder.h"
#include "input/format.h"
#include "input/parse/json.h"
#include "input/parse/number_list.h"
#include "profile/stack.h"

/* ---- parts --------------------------------------------------------------------------------- */

/*
 * A profile in compact form. Its samples and events are kept until the end of
 * the file, because the unit and the table of frames may follow them.
 */

__extension__ typedef __int128 i128;

struct speedscope_part {
    struct slice type, name, unit;
    bool has_samples, has_weights;
    uint64_t weight_count;
    struct number_list samples;    /* indices into speedscope_document.stacks */
    struct number_list weights;    /* amounts */
    struct number_list events;     /* of each event: its type, frame index + 1, amount */
    struct number_list start, end; /* an amount, or empty */
};

/* The type of an event. */
enum speedscope_type { SPEEDSCOPE_NEITHER, SPEEDSCOPE_OPEN, SPEEDSCOPE_CLOSE };

struct speedscope_event {
    enum speedscope_type type;
    uint64_t frame; /* UINT64_MAX if missing */
    bool has_time;
    i128 time;
};

static void speedscope_part_release(struct speedscope_part *p)
{
    release_all(p, number_list, samples, weights, events, start, end);
}

/*
 * Encodes an amount: 0 if it is not a number, else 1 + sign + 2 * decimals, then the digits.
 * Returns whether it is a number; `negative` says whether that is below 0.
 */
static bool speedscope_part_add_amount(struct number_list *list, const struct json_value *v,
                                       bool *negative)
{
    struct decimal d;

    *negative = false;
    if (!json_decimal(v, &d, negative)) {
        number_list_add(list, 0);
        return false;
    }
    number_list_add(list, 1 + *negative + 2 * (uint64_t)d.decimals);
    number_list_add(list, d.value);
    return true;
}

/*
 * Reads the next amount in units of 10^-decimals, rounded half up. Returns false if it is not a
 * number.
 */
static bool speedscope_part_amount(const struct number_list *list, size_t *at, unsigned decimals,
                                   i128 *number)
{
    uint64_t head = 0, digits = 0;
    unsigned own;
    i128 value;

    if (!number_list_next(list, at, &head) || !head)
        return false;
    number_list_next(list, at, &digits);
    own = (unsigned)(head - 1) / 2;
    value = (head - 1) % 2 ? -(i128)digits : (i128)digits;
    if (own <= decimals) {
        *number = value * (i128)num_pow10(decimals - own);
    } else {
        i128 by = (i128)num_pow10(own - decimals);

        value += by / 2;
        *number = value / by - (value % by < 0);
    }
    return true;
}

static void speedscope_part_add_event(struct speedscope_part *p, struct builder *b,
                                      const struct json_value *event)
{
    const struct json_value *at = NULL;
    enum speedscope_type type = SPEEDSCOPE_NEITHER;
    uint64_t frame = UINT64_MAX;
    bool negative;

    if (event->type == JSON_OBJECT)
        json_each(v, event)
        {
            if (json_key_is(v, SLICE("type"))) {
                type = slice_equal(json_text(v), SLICE("O"))   ? SPEEDSCOPE_OPEN
                       : slice_equal(json_text(v), SLICE("C")) ? SPEEDSCOPE_CLOSE
                                                               : SPEEDSCOPE_NEITHER;
            } else if (json_key_is(v, SLICE("frame"))) {
                if (!json_u64(v, &frame))
                    frame = UINT64_MAX;
            } else if (json_key_is(v, SLICE("at"))) {
                at = v;
            }
        }
    number_list_add(&p->events, type);
    number_list_add(&p->events, frame + 1);
    if (!speedscope_part_add_amount(&p->events, at, &negative) || type == SPEEDSCOPE_NEITHER)
        builder_skip(b, DIAG_AT_FILE,
                     "an event has a type other than 'O' and 'C', or no 'at': %s; skipped",
                     json_quoted(event).text);
}

/* Adds the weight of a sample, which counts 0 if it is not a number or is negative. */
static void speedscope_part_add_weight(struct speedscope_part *p, const struct builder *b,
                                       const struct json_value *v)
{
    bool negative, good = speedscope_part_add_amount(&p->weights, v, &negative);

    p->weight_count++;
    if (!good || negative)
        builder_skip(b, DIAG_AT_FILE, "a weight is not a number or is negative: %s; it counts 0",
                     json_quoted(v).text);
}

/* Reads the next event. Returns false at the end. */
static bool speedscope_part_event(const struct speedscope_part *p, size_t *at, unsigned decimals,
                                  struct speedscope_event *event)
{
    uint64_t type, frame;

    if (!number_list_next(&p->events, at, &type))
        return false;
    number_list_next(&p->events, at, &frame);
    event->type = (enum speedscope_type)type;
    event->frame = frame - 1;
    event->has_time = speedscope_part_amount(&p->events, at, decimals, &event->time);
    return true;
}

/* ---- the document -------------------------------------------------------------------------- */

/* A document: its profiles, the table of frames and the rest, in any order. */

/* The place of a value in the file. */
enum speedscope_place {
    SPEEDSCOPE_TOP,
    SPEEDSCOPE_SHARED,
    SPEEDSCOPE_FRAMES,
    SPEEDSCOPE_PROFILES,
    SPEEDSCOPE_PROFILE,
    SPEEDSCOPE_SAMPLES,
    SPEEDSCOPE_WEIGHTS,
    SPEEDSCOPE_EVENTS,
};

struct speedscope_document {
    struct builder *b;
    VEC(uint32_t) frames; /* entries of the builder, by frame index */
    VEC(struct speedscope_part) parts;
    bool has_parts;
    struct stacks stacks; /* samples, as stacks of frame indices */
    uint64_t active;      /* index of the profile to show first, or UINT64_MAX */
    struct slice exporter;
    bool has_states;
    VEC(enum speedscope_place) places; /* of the open containers */
    struct arena texts;
};

#define NONE UINT32_MAX

/*
 * dotnet-trace writes what a thread was doing as a leaf: managed code, or native code, which may
 * wait. Such a leaf is the state of its caller and no function. Their entries are STATES + i.
 */
static const struct slice states[] = {{"CPU_TIME", 8}, {"UNMANAGED_CODE_TIME", 19}};
enum { STATE_COUNT = sizeof(states) / sizeof(states[0]) };
#define STATES (NONE - STATE_COUNT)

static void read_frame(struct speedscope_document *d, const struct json_value *frame)
{
    struct frame f = {
        .name = json_text(json_get(frame, "name")),
        .file = json_text(json_get(frame, "file")),
        .kind = FRAME_PLAIN,
    };

    if (slice_equal(d->exporter, SLICE(FLAMEPRESS_MARK)))
        f.kind = FRAME_ANNOTATED;
    json_u64(json_get(frame, "line"), &f.line);
    for (uint32_t i = 0; i < STATE_COUNT; i++)
        if (slice_equal(f.name, states[i])) {
            *vec_add(&d->frames) = STATES + i;
            d->has_states = true;
            return;
        }
    *vec_add(&d->frames) = builder_entry(d->b, &f);
}

/* Keeps a sample as a stack of frame indices. */
static bool add_sample(struct speedscope_document *d, struct speedscope_part *part,
                       const struct json_value *sample)
{
    uint32_t most = d->b->options->limits.max_stacks, stack = STACK_ROOT;
    uint64_t frame;

    json_each(v, sample)
    {
        if (d->stacks.count > most || d->stacks.count == STACKS_MOST)
            return diag_error(
                d->b->diag, "more than %u different stacks; --max-stacks N raises the limit", most);
        if (!json_u64(v, &frame) || frame >= NONE)
            frame = NONE - 1;
        stack = stacks_push(&d->stacks, stack, (uint32_t)frame);
    }
    number_list_add(&part->samples, stack);
    return true;
}

static enum speedscope_place innermost(const struct speedscope_document *d)
{
    return d->places.count ? d->places.items[d->places.count - 1] : SPEEDSCOPE_TOP;
}

static struct speedscope_part *part_in_hand(struct speedscope_document *d)
{
    return &d->parts.items[d->parts.count - 1];
}

static void add_part(struct speedscope_document *d)
{
    *vec_add(&d->parts) = (struct speedscope_part){0};
}

static void drop_parts(struct speedscope_document *d, size_t count)
{
    while (d->parts.count > count)
        speedscope_part_release(&d->parts.items[--d->parts.count]);
}

/* Begins a list of the current profile; a value that is not a list counts as empty. */
static enum speedscope_place begin_list(struct speedscope_document *d, struct slice key)
{
    struct speedscope_part *part = part_in_hand(d);

    if (slice_equal(key, SLICE("events"))) {
        number_list_clear(&part->events);
        return SPEEDSCOPE_EVENTS;
    }
    if (slice_equal(key, SLICE("samples"))) {
        part->has_samples = true;
        number_list_clear(&part->samples);
        return SPEEDSCOPE_SAMPLES;
    }
    if (!slice_equal(key, SLICE("weights")))
        return SPEEDSCOPE_PROFILE;
    part->has_weights = true;
    part->weight_count = 0;
    number_list_clear(&part->weights);
    return SPEEDSCOPE_WEIGHTS;
}

static enum speedscope_place begin_member(struct speedscope_document *d, struct slice key)
{
    if (slice_equal(key, SLICE("shared")))
        return SPEEDSCOPE_SHARED;
    if (!slice_equal(key, SLICE("profiles")))
        return SPEEDSCOPE_TOP;
    drop_parts(d, 0);
    d->has_parts = true;
    return SPEEDSCOPE_PROFILES;
}

/* Returns true if the elements of a container are to be passed one by one. */
static bool open_container(void *context, struct slice key)
{
    struct speedscope_document *d = context;
    enum speedscope_place outer = innermost(d), place = outer;

    if (outer == SPEEDSCOPE_TOP) {
        place = begin_member(d, key);
    } else if (outer == SPEEDSCOPE_SHARED && slice_equal(key, SLICE("frames"))) {
        vec_clear(&d->frames);
        place = SPEEDSCOPE_FRAMES;
    } else if (outer == SPEEDSCOPE_PROFILES) {
        add_part(d);
        place = SPEEDSCOPE_PROFILE;
    } else if (outer == SPEEDSCOPE_PROFILE) {
        place = begin_list(d, key);
    }
    if (place == outer)
        return false;
    *vec_add(&d->places) = place;
    return true;
}

static bool close_container(void *context)
{
    struct speedscope_document *d = context;

    d->places.count--;
    return true;
}

static void read_setting(struct speedscope_document *d, const struct json_value *v)
{
    struct speedscope_part *part = part_in_hand(d);
    bool negative;

    if (json_key_is(v, SLICE("type"))) {
        part->type = arena_copy(&d->texts, json_text(v));
    } else if (json_key_is(v, SLICE("name"))) {
        part->name = arena_copy(&d->texts, json_text(v));
    } else if (json_key_is(v, SLICE("unit"))) {
        part->unit = arena_copy(&d->texts, json_text(v));
    } else if (json_key_is(v, SLICE("startValue"))) {
        number_list_clear(&part->start);
        speedscope_part_add_amount(&part->start, v, &negative);
    } else if (json_key_is(v, SLICE("endValue"))) {
        number_list_clear(&part->end);
        speedscope_part_add_amount(&part->end, v, &negative);
    } else {
        begin_list(d, v->key);
    }
}

static void read_member(struct speedscope_document *d, const struct json_value *v)
{
    if (json_key_is(v, SLICE("exporter")))
        d->exporter = arena_copy(&d->texts, json_text(v));
    else if (json_key_is(v, SLICE("activeProfileIndex")) && !json_u64(v, &d->active))
        d->active = UINT64_MAX;
    else
        begin_member(d, v->key);
}

static bool read_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct speedscope_document *d = context;

    (void)parent;
    (void)at;
    switch (innermost(d)) {
    case SPEEDSCOPE_TOP:
        read_member(d, v);
        break;
    case SPEEDSCOPE_SHARED:
        break;
    case SPEEDSCOPE_FRAMES:
        read_frame(d, v);
        break;
    case SPEEDSCOPE_PROFILES:
        add_part(d);
        break;
    case SPEEDSCOPE_PROFILE:
        read_setting(d, v);
        break;
    case SPEEDSCOPE_SAMPLES:
        return add_sample(d, part_in_hand(d), v);
    case SPEEDSCOPE_WEIGHTS:
        speedscope_part_add_weight(part_in_hand(d), d->b, v);
        break;
    case SPEEDSCOPE_EVENTS:
        speedscope_part_add_event(part_in_hand(d), d->b, v);
        break;
    }
    return true;
}

static void speedscope_document_init(struct speedscope_document *d, struct builder *b)
{
    *d = (struct speedscope_document){.b = b, .active = UINT64_MAX};
    stacks_init(&d->stacks);
}

static void speedscope_document_release(struct speedscope_document *d)
{
    drop_parts(d, 0);
    release_each(d, (vec, parts, places, frames), (stacks, stacks), (arena, texts));
}

/* Reads the content. Returns false after reporting an error. */
static bool speedscope_document_read(struct speedscope_document *d, struct content *c)
{
    struct json_handler handler = {.context = d,
                                   .one_document = true,
                                   .open = open_container,
                                   .close = close_container,
                                   .value = read_value};
    bool ok = json_read(c, &handler);

    /* In a truncated file the last profile is incomplete; it is dropped. */
    if (d->places.count > 1 && d->places.items[1] == SPEEDSCOPE_PROFILE)
        drop_parts(d, d->parts.count - 1);
    return ok;
}

struct open_frame {
    uint64_t frame;
    uint32_t stack;
    uint32_t series; /* of the time in it, by its state */
};

struct speedscope {
    struct builder b;
    struct speedscope_document document;
    VEC(uint32_t) stack_ids; /* indexed by the document's stacks: the profile's stack, or NONE */
    VEC(uint32_t) path;
    VEC(uint32_t) open_count; /* indexed by frame: how many open frames have it */
    VEC(struct open_frame) open;
    struct intern names;       /* of the profiles so far */
    VEC(uint32_t) name_counts; /* how often each name was used */
    struct buf name;
    /* Of the current profile: */
    uint32_t series;
    uint32_t of_state[STATE_COUNT]; /* its series for samples of a state */
    unsigned decimals;              /* of its amounts */
    bool timed;                     /* amounts are nanoseconds */
    i128 last;                      /* time of the last event, or the sum of the samples so far */
    uint64_t unknown, backwards, unbalanced;
};

static bool speedscope_claims(const struct head *h)
{
    static const struct slice schema = {"speedscope.app/file-format-schema", 33};

    if (slice_search(head_text(h, "$schema"), schema) < head_text(h, "$schema").len)
        return true;
    if (head_has(h, "shared.frames[].name") && (!h->whole || head_has(h, "profiles[].type")))
        return true;
    return head_has(h, "profiles[].events[].frame") && head_has(h, "profiles[].events[].at");
}

/* ---- numbers and frames -------------------------------------------------------------------- */

/* At most 9 decimals for seconds: nanoseconds. */
static unsigned decimals_of(const struct unit *unit)
{
    if (unit->kind != UNIT_SECONDS || unit->exponent > 0)
        return NUM_MAX_DECIMALS;
    return unit->exponent < -9 ? 0 : (unsigned)(9 + unit->exponent);
}

/* Adds the amount from `begin` to a stack. */
static bool add_weight(struct speedscope *s, uint32_t series, uint32_t stack, i128 begin,
                       i128 weight)
{
    unsigned decimals = s->decimals;
    int64_t ns = begin > INT64_MAX ? INT64_MAX : begin < 0 ? 0 : (int64_t)begin;

    if (!weight)
        return true;
    for (; decimals > 0 && weight % 10 == 0; decimals--)
        weight /= 10;
    if (s->timed)
        builder_set_time(&s->b, series, ns);
    if (weight > (i128)UINT64_MAX)
        return diag_error(s->b.diag, PROFILE_TOO_HEAVY);
    return builder_add_at(&s->b, series, stack,
                          (struct decimal){(uint64_t)weight, decimals, false});
}

/* Returns the series for the time in a frame: by its state, or that of its caller. */
static uint32_t series_in(const struct speedscope *s, uint64_t frame, uint32_t series)
{
    uint32_t entry = frame < s->document.frames.count ? s->document.frames.items[frame] : 0;

    return entry >= STATES ? s->of_state[entry - STATES] : series;
}

/* Returns the entry of a frame index; sets `*frame` to UINT64_MAX if the table does not have it. */
static uint32_t entry_of(struct speedscope *s, uint64_t *frame)
{
    if (*frame < s->document.frames.count)
        return s->document.frames.items[*frame];
    *frame = UINT64_MAX;
    s->unknown++;
    return builder_entry(&s->b, &(struct frame){.kind = FRAME_PLAIN});
}

/* ---- sampled ------------------------------------------------------------------------------- */

/*
 * Returns the profile's stack for a stack of indices; stacks with unknown frames, or truncated, are
 * made anew each time.
 */
static bool get_stack(struct speedscope *s, uint32_t id, uint32_t *stack)
{
    uint64_t unknown = s->unknown, truncated = s->b.profile->ledger.truncated, frame;
    uint32_t depth;

    while (s->stack_ids.count < s->document.stacks.count)
        *vec_add(&s->stack_ids) = NONE;
    *stack = s->stack_ids.items[id];
    if (*stack != NONE)
        return true;
    depth = stacks_depth(&s->document.stacks, id);
    vec_reserve(&s->path, depth);
    stacks_frames(&s->document.stacks, id, s->path.items, depth);
    builder_begin(&s->b);
    for (uint32_t i = 0; i < depth; i++) {
        uint32_t entry;

        frame = s->path.items[i];
        entry = entry_of(s, &frame);
        if (entry < STATES)
            builder_push(&s->b, entry);
    }
    if (!builder_stack(&s->b, stack))
        return false;
    if (s->unknown == unknown && s->b.profile->ledger.truncated == truncated)
        s->stack_ids.items[id] = *stack;
    return true;
}

/* Sets the clock to the stated start. Returns false if there is none. */
static bool start_of(struct speedscope *s, const struct speedscope_part *part)
{
    size_t at = 0;

    return speedscope_part_amount(&part->start, &at, s->decimals, &s->last);
}

static bool read_sampled(struct speedscope *s, const struct speedscope_part *part)
{
    size_t at = 0, weight_at = 0;
    uint64_t sample;
    uint32_t stack, series;
    i128 number;

    s->last = 0;
    start_of(s, part);
    if (part->has_weights && part->has_samples && part->weight_count != part->samples.count)
        diag_warn(s->b.diag,
                  "a profile has %llu sample%s but %llu weight%s; samples without a weight count "
                  "nothing",
                  (unsigned long long)part->samples.count, diag_s(part->samples.count),
                  (unsigned long long)part->weight_count, diag_s(part->weight_count));
    while (number_list_next(&part->samples, &at, &sample)) {
        number = part->has_weights ? 0 : (i128)num_pow10(s->decimals);
        if (weight_at < part->weights.bytes.len &&
            (!speedscope_part_amount(&part->weights, &weight_at, s->decimals, &number) ||
             number < 0))
            number = 0;
        s->b.profile->ledger.lines++;
        series = sample ? series_in(s, s->document.stacks.symbol[sample], s->series) : s->series;
        if (!get_stack(s, (uint32_t)sample, &stack) ||
            !add_weight(s, series, stack, s->last, number))
            return false;
        s->last += s->timed ? number : 0;
    }
    return true;
}

/* ---- evented ------------------------------------------------------------------------------- */

/* The innermost open frame, or the root. */
static struct open_frame frame_in_hand(const struct speedscope *s)
{
    if (!s->open.count)
        return (struct open_frame){.stack = STACK_ROOT, .series = s->series};
    return s->open.items[s->open.count - 1];
}

/* Adds the time since the last event to the current stack. */
static bool advance(struct speedscope *s, i128 at)
{
    struct open_frame in = frame_in_hand(s);
    i128 begin = s->last, weight = at - begin;

    if (weight < 0) {
        s->backwards++;
        return true;
    }
    s->last = at;
    return add_weight(s, in.series, in.stack, begin, weight);
}

static void pop(struct speedscope *s)
{
    uint64_t frame = s->open.items[--s->open.count].frame;

    if (frame < s->open_count.count)
        s->open_count.items[frame]--;
}

/* Closes a frame, and the frames above it that are still open. */
static void close_frame(struct speedscope *s, uint64_t frame)
{
    entry_of(s, &frame);
    if (frame == UINT64_MAX || !s->open_count.items[frame]) {
        s->unbalanced++;
        return;
    }
    s->unbalanced += s->open.items[s->open.count - 1].frame != frame;
    while (s->open.items[s->open.count - 1].frame != frame)
        pop(s);
    pop(s);
}

static bool open_frame(struct speedscope *s, uint64_t frame)
{
    struct open_frame open = frame_in_hand(s);
    uint32_t entry;

    open.frame = frame;
    entry = entry_of(s, &open.frame);
    open.series = series_in(s, open.frame, open.series);
    if (entry < STATES && !builder_child_entry(&s->b, open.stack, entry, &open.stack))
        return false;
    if (open.frame < s->open_count.count)
        s->open_count.items[open.frame]++;
    *vec_add(&s->open) = open;
    return true;
}

static bool read_event(struct speedscope *s, const struct speedscope_event *event)
{
    s->b.profile->ledger.lines++;
    if (!event->has_time || event->type == SPEEDSCOPE_NEITHER)
        return true;
    if (!advance(s, event->time))
        return false;
    if (event->type == SPEEDSCOPE_OPEN)
        return open_frame(s, event->frame);
    close_frame(s, event->frame);
    return true;
}

static bool read_evented(struct speedscope *s, const struct speedscope_part *part)
{
    struct speedscope_event event;
    size_t at = 0, end_at = 0;
    i128 end;

    s->last = 0;
    if (!start_of(s, part) && speedscope_part_event(part, &at, s->decimals, &event) &&
        event.has_time)
        s->last = event.time;
    for (at = 0; speedscope_part_event(part, &at, s->decimals, &event);)
        if (!read_event(s, &event))
            return false;
    if (speedscope_part_amount(&part->end, &end_at, s->decimals, &end) && end > s->last &&
        !advance(s, end))
        return false;
    diag_warn_count(s->b.diag, s->open.count,
                    "# frame{ of a profile is never closed; it lasts|s of a profile are never "
                    "closed; they last} until its end");
    while (s->open.count)
        pop(s);
    return true;
}

/* ---- profiles ------------------------------------------------------------------------------ */

/* Returns the name of a profile; the second one of a name is "NAME (2)". */
static struct slice name_of(struct speedscope *s, struct slice name)
{
    uint32_t known = intern_count(&s->names), id = intern_add(&s->names, name);

    buf_clear(&s->name);
    buf_add_slice(&s->name, name);
    while (id < known) {
        buf_clear(&s->name);
        buf_printf(&s->name, "%.*s (%u)", SLICE_ARG(name), ++s->name_counts.items[id]);
        if (intern_add(&s->names, buf_slice(&s->name)) == known)
            break;
    }
    *vec_add(&s->name_counts) = 1;
    return buf_slice(&s->name);
}

static void tell(const struct speedscope *s)
{
    const struct {
        uint64_t count;
        const char *what;
    } counts[] = {
        {s->unknown, "# frame{ is not in the frame table and is|s are not in the frame table; they "
                     "are} shown as unknown"},
        {s->backwards,
         "# event{ is|s are} earlier than the previous event; no time passes between {both|them}"},
        {s->unbalanced,
         "# closing event{ names|s name} a frame that is not open or not the innermost one"},
    };

    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        diag_warn_count(s->b.diag, counts[i].count, counts[i].what);
    if (s->document.has_states && !s->b.options->state_count)
        diag_add(s->b.diag, DIAG_NOTE, DIAG_AT_FILE,
                 "threads that wait count like those that work: their state is "
                 "UNMANAGED_CODE_TIME, and --state CPU_TIME leaves them out");
}

static bool read_part(struct speedscope *s, const struct speedscope_part *part)
{
    struct unit unit = unit_named(part->unit);
    struct origin origin = {.event = name_of(s, part->name)};

    s->series = builder_series(&s->b, &origin, unit);
    for (uint32_t i = 0; i < STATE_COUNT; i++) {
        s->of_state[i] = s->series;
        if (s->document.has_states) {
            origin.state = states[i];
            s->of_state[i] = builder_series(&s->b, &origin, unit);
        }
    }
    s->decimals = decimals_of(&unit);
    s->timed = unit.kind == UNIT_SECONDS && (int)s->decimals - unit.exponent == 9;
    if (slice_equal(part->type, SLICE("sampled")))
        return read_sampled(s, part);
    if (slice_equal(part->type, SLICE("evented"))) {
        profile_uncount(s->b.profile, s->series); /* a call is added in parts */
        return read_evented(s, part);
    }
    builder_skip(&s->b, DIAG_AT_FILE,
                 "unknown profile type '%.*s', expected 'sampled' or 'evented'; profile skipped",
                 SLICE_ARG(part->type));
    return true;
}

static bool add_parts(struct speedscope *s)
{
    const struct speedscope_document *d = &s->document;

    if (!d->has_parts)
        return diag_error(s->b.diag, "the file contains no 'profiles'");
    if (d->exporter.len && !slice_equal(d->exporter, SLICE(FLAMEPRESS_MARK)))
        profile_add_fact(s->b.profile, SLICE("recorded with"), d->exporter);
    for (size_t i = 0; i < d->frames.count; i++)
        *vec_add(&s->open_count) = 0;
    if (d->active < d->parts.count && !read_part(s, &d->parts.items[d->active]))
        return false;
    for (size_t i = 0; i < d->parts.count; i++)
        if (i != d->active && !read_part(s, &d->parts.items[i]))
            return false;
    tell(s);
    return true;
}

static bool speedscope_read(struct content *c)
{
    struct speedscope s = {0};
    bool ok;

    builder_init(&s.b, c->profile, c->options, c->diag);
    speedscope_document_init(&s.document, &s.b);
    ok = speedscope_document_read(&s.document, c) && add_parts(&s);
    release_each(&s, (speedscope_document, document),
                 (vec, open_count, open, stack_ids, path, name_counts), (intern, names),
                 (buf, name), (builder, b));
    return ok;
}

const struct format format_speedscope = {
    .name = "speedscope",
    .family = FORMAT_ANY,
    .description = "speedscope files, sampled or evented; one graph per profile",
    .recognised = "JSON with speedscope's '$schema' or 'shared.frames'",
    .example = "py-spy record --format speedscope -o app.json -- python3 app.py",
    .in_order = true,
    .claims = speedscope_claims,
    .read = speedscope_read,
};
