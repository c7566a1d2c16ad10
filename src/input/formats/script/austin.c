#include "input/formats/script/austin.h"

#include "input/build/owners.h"
#include "input/build/python.h"

void austin_init(struct austin *a, struct profile *profile, const struct input_options *options,
                 struct diag *diag)
{
    *a = (struct austin){.reference = options->names == NAMES_REFERENCE};
    builder_init(&a->b, profile, options, diag);
    buf_init(&a->text);
}

void austin_release(struct austin *a)
{
    builder_release(&a->b);
    buf_release(&a->text);
}

void austin_header(struct austin *a, struct slice key, struct slice value)
{
    static const struct {
        struct slice word;
        enum austin_mode mode;
    } modes[] = {
        {{"wall", 4}, AUSTIN_WALL},
        {{"cpu", 3}, AUSTIN_CPU},
        {{"memory", 6}, AUSTIN_MEMORY},
        {{"full", 4}, AUSTIN_FULL},
    };
    bool micros = slice_equal(key, SLICE("interval")) || slice_equal(key, SLICE("duration"));

    if (slice_equal(key, SLICE("mode")))
        for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
            if (slice_equal(value, modes[i].word))
                a->mode = modes[i].mode;
    buf_clear(&a->text);
    buf_printf(&a->text, "%.*s%s", SLICE_ARG(value), micros ? " us" : "");
    profile_add_fact(a->b.profile, key, buf_slice(&a->text));
}

/* ---- stacks -------------------------------------------------------------------------------- */

static uint32_t owner_entry(struct austin *a, const char *word, struct slice name)
{
    buf_clear(&a->text);
    buf_add_str(&a->text, word);
    buf_add_slice(&a->text, name);
    return builder_entry(&a->b, &(struct frame){.name = buf_slice(&a->text), .kind = FRAME_PLAIN});
}

struct austin_owner austin_owner_of(struct austin *a, struct slice pid, struct slice tid,
                                    struct slice thread)
{
    struct austin_owner o = {.origin = {.pid = pid, .tid = tid, .thread = thread}};

    o.entries[0] = owner_entry(a, a->reference ? "P" : "Process ", pid);
    if (a->reference)
        o.entries[1] = owner_entry(a, "T", tid.len ? tid : thread);
    else
        o.entries[1] = owner_entry(a, thread.len ? "" : "Thread ", thread.len ? thread : tid);
    return o;
}

void austin_begin_of(struct austin *a, const struct austin_owner *owner)
{
    a->origin = owner->origin;
    a->frames = false;
    a->stack = AUSTIN_NO_STACK;
    builder_begin(&a->b);
    builder_push(&a->b, owner->entries[0]);
    builder_push(&a->b, owner->entries[1]);
}

void austin_begin_at(struct austin *a, struct slice pid, struct slice tid, uint32_t stack,
                     bool frames)
{
    a->origin = (struct origin){.pid = pid, .tid = tid};
    a->stack = stack;
    a->frames = frames;
}

void austin_begin(struct austin *a, struct slice pid, struct slice tid, struct slice thread)
{
    struct austin_owner owner = austin_owner_of(a, pid, tid, thread);

    austin_begin_of(a, &owner);
}

uint32_t austin_entry(struct austin *a, struct slice file, struct slice function, uint64_t line)
{
    struct frame f = {.kind = FRAME_PLAIN};

    if (a->reference) {
        buf_clear(&a->text);
        buf_printf(&a->text, "%.*s:%.*s:%llu", SLICE_ARG(file), SLICE_ARG(function),
                   (unsigned long long)line);
        f.name = buf_slice(&a->text);
    } else {
        f.name = python_name(function, file, &a->text);
        f.file = file;
        f.line = line;
    }
    return builder_entry(&a->b, &f);
}

void austin_push(struct austin *a, uint32_t entry)
{
    a->frames = true;
    builder_push(&a->b, entry);
}

void austin_frame(struct austin *a, struct slice file, struct slice function, uint64_t line)
{
    austin_push(a, austin_entry(a, file, function, line));
}

void austin_special(struct austin *a, struct slice name, enum symbol_class class)
{
    a->frames = true;
    builder_frame(&a->b, &(struct frame){.name = name, .kind = FRAME_PLAIN, .class = class});
}

/* ---- weights ------------------------------------------------------------------------------- */

static bool add(struct austin *a, const char *event, bool bytes, uint64_t weight)
{
    struct unit unit = unit_named(bytes ? SLICE("bytes") : SLICE("us"));

    uint32_t series;

    a->origin.event = slice_str(event);
    series = builder_series(&a->b, &a->origin, unit);
    if (a->stack == AUSTIN_NO_STACK)
        return builder_add(&a->b, series, weight);
    return builder_add_at(&a->b, series, a->stack, (struct decimal){.value = weight});
}

static bool add_memory(struct austin *a, int64_t bytes)
{
    if (bytes < 0)
        return add(a, "memory freed", true, 0 - (uint64_t)bytes);
    return add(a, "memory", true, (uint64_t)bytes);
}

bool austin_add(struct austin *a, const struct austin_metrics *m)
{
    static const char *const events[] = {
        [AUSTIN_TIME] = "",
        [AUSTIN_WALL] = "wall",
        [AUSTIN_CPU] = "cpu",
    };

    a->b.profile->ledger.without_frames += !a->frames;
    if (a->mode == AUSTIN_MEMORY)
        return add_memory(a, m->memory);
    if (a->mode != AUSTIN_FULL)
        return add(a, events[a->mode], false, m->time);
    return (m->idle || add(a, "cpu", false, m->time)) && add(a, "wall", false, m->time) &&
           (!m->memory || add_memory(a, m->memory));
}

void austin_end(struct austin *a)
{
    const struct profile *p = a->b.profile;

    if (profile_fact(p, SLICE("austin")).len && !profile_fact(p, SLICE("duration")).len)
        diag_add(a->b.diag, DIAG_WARNING, DIAG_AT_FILE,
                 "the duration that Austin writes last is not there; the end may be cut off");
    if (!a->reference)
        owners_strip(a->b.profile, 2);
}
