/*
 * speedscope's own files, which other profilers write too.
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
 * Frames are numbers in the table, root first. Each profile is a graph of its
 * own, the active one first. In an evented profile what passes between two
 * events belongs to the stack between them; a frame that is not closed runs to
 * the end. Times are kept to the nanosecond. Grammar: the schema named above.
 */
#include "base/num.h"
#include "input/builder.h"
#include "input/format.h"
#include "input/json.h"

typedef __int128 i128;

struct open_frame {
    uint64_t frame;
    uint32_t stack;
};

struct speedscope {
    struct builder b;
    const struct json_value *top;
    VEC(uint32_t) frames;     /* entries, by number */
    VEC(uint32_t) open_count; /* by number: how often it is among the open ones */
    VEC(struct open_frame) open;
    struct intern names;       /* of the profiles so far */
    VEC(uint32_t) name_counts; /* how often each was met */
    struct buf name;
    /* Of the profile in hand. */
    uint32_t series;
    unsigned decimals; /* of its numbers */
    bool timed;        /* these are nanoseconds */
    i128 last;         /* where the last event was, or the samples so far have come to */
    uint64_t unknown, backwards, unbalanced, negative;
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

/* Nanoseconds at the finest for times. */
static unsigned decimals_of(const struct unit *unit)
{
    if (unit->kind != UNIT_SECONDS || unit->exponent > 0)
        return NUM_MAX_DECIMALS;
    return unit->exponent < -9 ? 0 : (unsigned)(9 + unit->exponent);
}

/* A number in units of 10^-decimals, rounded half up. */
static bool read_number(const struct speedscope *s, const struct json_value *v, i128 *number)
{
    struct decimal d;
    bool negative;
    i128 value;

    if (!json_decimal(v, &d, &negative))
        return false;
    value = negative ? -(i128)d.value : (i128)d.value;
    if (d.decimals <= s->decimals) {
        *number = value * (i128)num_pow10(s->decimals - d.decimals);
    } else {
        i128 by = (i128)num_pow10(d.decimals - s->decimals);

        value += by / 2;
        *number = value / by - (value % by < 0);
    }
    return true;
}

/* Adds what passed from `begin` on. */
static bool add_weight(struct speedscope *s, uint32_t stack, i128 begin, i128 weight)
{
    unsigned decimals = s->decimals;
    int64_t ns = begin > INT64_MAX ? INT64_MAX : begin < 0 ? 0 : (int64_t)begin;

    if (!weight)
        return true;
    for (; decimals > 0 && weight % 10 == 0; decimals--)
        weight /= 10;
    if (s->timed)
        builder_moment(&s->b, s->series, ns);
    if (weight > (i128)UINT64_MAX)
        return diag_error(s->b.diag, "the sum of the weights does not fit in 64 bits");
    return builder_add_at(&s->b, s->series, stack,
                          (struct decimal){(uint64_t)weight, decimals, false});
}

static void read_frames(struct speedscope *s)
{
    const struct json_value *frames = json_at(s->top, "shared.frames");

    json_each(frame, frames)
    {
        struct frame f = {
            .name = json_text(json_get(frame, "name")),
            .file = json_text(json_get(frame, "file")),
            .kind = FRAME_PLAIN,
        };

        json_u64(json_get(frame, "line"), &f.line);
        *vec_add(&s->frames) = builder_entry(&s->b, &f);
        *vec_add(&s->open_count) = 0;
    }
}

static uint32_t entry_of(struct speedscope *s, const struct json_value *number, uint64_t *frame)
{
    if (json_u64(number, frame) && *frame < s->frames.count)
        return s->frames.items[*frame];
    *frame = UINT64_MAX;
    s->unknown++;
    return builder_entry(&s->b, &(struct frame){.kind = FRAME_PLAIN});
}

/* ---- sampled ------------------------------------------------------------------------------- */

static bool read_sampled(struct speedscope *s, const struct json_value *profile)
{
    const struct json_value *samples = json_get(profile, "samples");
    const struct json_value *weights = json_get(profile, "weights");
    const struct json_value *weight = json_first(weights);
    uint64_t frame;
    uint32_t stack;
    i128 number;

    s->last = 0;
    read_number(s, json_get(profile, "startValue"), &s->last);
    if (weights && samples && weights->count != samples->count)
        diag_add(s->b.diag, DIAG_WARNING, DIAG_AT_FILE,
                 "a profile has %u samples and %u weights; samples without a weight count nothing",
                 samples->count, weights->count);
    json_each(sample, samples)
    {
        builder_begin(&s->b);
        json_each(f, sample) builder_push(&s->b, entry_of(s, f, &frame));
        number = weights ? 0 : (i128)num_pow10(s->decimals);
        if (weight && (!read_number(s, weight, &number) || number < 0)) {
            s->negative++;
            number = 0;
        }
        weight = weight ? json_next(weights, weight) : NULL;
        s->b.profile->ledger.lines++;
        if (!builder_stack(&s->b, &stack) || !add_weight(s, stack, s->last, number))
            return false;
        s->last += s->timed ? number : 0;
    }
    return true;
}

/* ---- evented ------------------------------------------------------------------------------- */

static uint32_t stack_in_hand(const struct speedscope *s)
{
    return s->open.count ? s->open.items[s->open.count - 1].stack : STACK_ROOT;
}

/* Gives what passed since the last event to the stack in hand. */
static bool advance(struct speedscope *s, i128 at)
{
    i128 begin = s->last, weight = at - begin;

    if (weight < 0) {
        s->backwards++;
        return true;
    }
    s->last = at;
    return add_weight(s, stack_in_hand(s), begin, weight);
}

static void pop(struct speedscope *s)
{
    uint64_t frame = s->open.items[--s->open.count].frame;

    if (frame < s->open_count.count)
        s->open_count.items[frame]--;
}

/* Closes the frame, and those above it that should have been closed before. */
static void close_frame(struct speedscope *s, const struct json_value *number)
{
    uint64_t frame;

    entry_of(s, number, &frame);
    if (frame == UINT64_MAX || !s->open_count.items[frame]) {
        s->unbalanced++;
        return;
    }
    s->unbalanced += s->open.items[s->open.count - 1].frame != frame;
    while (s->open.items[s->open.count - 1].frame != frame)
        pop(s);
    pop(s);
}

static bool open_frame(struct speedscope *s, const struct json_value *number)
{
    struct open_frame open;
    uint32_t entry = entry_of(s, number, &open.frame);

    if (!builder_child_entry(&s->b, stack_in_hand(s), entry, &open.stack))
        return false;
    if (open.frame < s->open_count.count)
        s->open_count.items[open.frame]++;
    *vec_add(&s->open) = open;
    return true;
}

static bool read_event(struct speedscope *s, const struct json_value *event)
{
    struct slice type = json_text(json_get(event, "type"));
    const struct json_value *frame = json_get(event, "frame");
    i128 at;

    s->b.profile->ledger.lines++;
    if (!read_number(s, json_get(event, "at"), &at) ||
        (!slice_equal(type, SLICE("O")) && !slice_equal(type, SLICE("C")))) {
        s->b.profile->ledger.unreadable++;
        diag_add(s->b.diag, DIAG_WARNING, DIAG_AT_FILE,
                 "an event is neither of type O nor C, or has no 'at'");
        return true;
    }
    if (!advance(s, at))
        return false;
    if (slice_equal(type, SLICE("O")))
        return open_frame(s, frame);
    close_frame(s, frame);
    return true;
}

static bool read_evented(struct speedscope *s, const struct json_value *profile)
{
    const struct json_value *events = json_get(profile, "events");
    const struct json_value *first = json_first(events);
    i128 end;

    s->last = 0;
    if (!read_number(s, json_get(profile, "startValue"), &s->last))
        read_number(s, json_get(first, "at"), &s->last);
    json_each(event, events) if (!read_event(s, event)) return false;
    if (read_number(s, json_get(profile, "endValue"), &end) && end > s->last && !advance(s, end))
        return false;
    if (s->open.count)
        diag_add(s->b.diag, DIAG_WARNING, DIAG_AT_FILE,
                 "in a profile %zu frames are never closed; they run to its end", s->open.count);
    while (s->open.count)
        pop(s);
    return true;
}

/* ---- profiles ------------------------------------------------------------------------------ */

/* The name of a profile; a second one of that name is "NAME (2)". */
static struct slice name_of(struct speedscope *s, const struct json_value *profile)
{
    struct slice name = json_text(json_get(profile, "name"));
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
        {s->unknown, "frames are not in the table of frames and shown as unknown"},
        {s->backwards, "events are earlier than the one before; no time passes there"},
        {s->unbalanced, "frames are closed that are not on top, or not open"},
        {s->negative, "weights are no numbers, or negative, and count nothing"},
    };

    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        if (counts[i].count)
            diag_add(s->b.diag, DIAG_WARNING, DIAG_AT_FILE, "%llu %s",
                     (unsigned long long)counts[i].count, counts[i].what);
}

static bool read_profile(struct speedscope *s, const struct json_value *profile)
{
    struct slice type = json_text(json_get(profile, "type"));
    struct unit unit = unit_named(json_text(json_get(profile, "unit")));
    struct origin origin = {.event = name_of(s, profile)};

    s->series = builder_series(&s->b, &origin, unit);
    s->decimals = decimals_of(&unit);
    s->timed = unit.kind == UNIT_SECONDS && (int)s->decimals - unit.exponent == 9;
    if (slice_equal(type, SLICE("sampled")))
        return read_sampled(s, profile);
    if (slice_equal(type, SLICE("evented")))
        return read_evented(s, profile);
    diag_add(s->b.diag, DIAG_WARNING, DIAG_AT_FILE,
             "a profile is neither sampled nor evented but '%.*s'; left out", SLICE_ARG(type));
    return true;
}

static bool read_document(struct speedscope *s)
{
    const struct json_value *profiles = json_get(s->top, "profiles");
    struct slice exporter = json_text(json_get(s->top, "exporter"));
    uint64_t active = UINT64_MAX, i = 0;

    if (!profiles)
        return diag_error(s->b.diag, "the file has no 'profiles'");
    if (exporter.len)
        profile_add_fact(s->b.profile, SLICE("recorded with"), exporter);
    read_frames(s);
    json_u64(json_get(s->top, "activeProfileIndex"), &active);
    json_each(profile, profiles) if (i++ == active && !read_profile(s, profile)) return false;
    i = 0;
    json_each(profile, profiles) if (i++ != active && !read_profile(s, profile)) return false;
    tell(s);
    return true;
}

static bool speedscope_read(struct content *c)
{
    struct speedscope s = {0};
    struct json_document document;
    bool ok;

    builder_init(&s.b, c->profile, c->options, c->diag);
    intern_init(&s.names);
    buf_init(&s.name);
    ok = json_load(c, &document);
    if (ok) {
        s.top = document.values.items;
        ok = read_document(&s);
    }
    json_release(&document);
    vec_release(&s.frames);
    vec_release(&s.open_count);
    vec_release(&s.open);
    intern_release(&s.names);
    vec_release(&s.name_counts);
    buf_release(&s.name);
    builder_release(&s.b);
    return ok;
}

const struct format format_speedscope = {
    .name = "speedscope",
    .family = FORMAT_ANY,
    .description = "speedscope's files, sampled or evented, a graph for each profile",
    .recognised = "JSON whose '$schema' is speedscope's, or with its 'shared.frames'",
    .example = "py-spy record --format speedscope -o app.json -- python3 app.py",
    .in_order = true,
    .claims = speedscope_claims,
    .read = speedscope_read,
};
