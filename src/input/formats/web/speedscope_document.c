#include "input/formats/web/speedscope_document.h"

#define NONE UINT32_MAX

static void read_frame(struct speedscope_document *d, const struct json_value *frame)
{
    struct frame f = {
        .name = json_text(json_get(frame, "name")),
        .file = json_text(json_get(frame, "file")),
        .kind = FRAME_PLAIN,
    };

    json_u64(json_get(frame, "line"), &f.line);
    *vec_add(&d->frames) = builder_entry(d->b, &f);
}

/* Keeps a sample as a stack of numbers. */
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
    speedscope_part_init(vec_add(&d->parts));
}

static void drop_parts(struct speedscope_document *d, size_t count)
{
    while (d->parts.count > count)
        speedscope_part_release(&d->parts.items[--d->parts.count]);
}

/* A list of the profile in hand begins, or what is none stands in its place. */
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

/* Says whether what is in a container is handed over one by one. */
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

    if (json_key_is(v, SLICE("type"))) {
        part->type = arena_copy(&d->texts, json_text(v));
    } else if (json_key_is(v, SLICE("name"))) {
        part->name = arena_copy(&d->texts, json_text(v));
    } else if (json_key_is(v, SLICE("unit"))) {
        part->unit = arena_copy(&d->texts, json_text(v));
    } else if (json_key_is(v, SLICE("startValue"))) {
        number_list_clear(&part->start);
        speedscope_part_add_amount(&part->start, v);
    } else if (json_key_is(v, SLICE("endValue"))) {
        number_list_clear(&part->end);
        speedscope_part_add_amount(&part->end, v);
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
        part_in_hand(d)->weight_count++;
        speedscope_part_add_amount(&part_in_hand(d)->weights, v);
        break;
    case SPEEDSCOPE_EVENTS:
        speedscope_part_add_event(part_in_hand(d), v);
        break;
    }
    return true;
}

void speedscope_document_init(struct speedscope_document *d, struct builder *b)
{
    *d = (struct speedscope_document){.b = b, .active = UINT64_MAX};
    arena_init(&d->texts);
    stacks_init(&d->stacks);
}

void speedscope_document_release(struct speedscope_document *d)
{
    drop_parts(d, 0);
    vec_release(&d->parts);
    vec_release(&d->places);
    vec_release(&d->frames);
    stacks_release(&d->stacks);
    arena_release(&d->texts);
}

bool speedscope_document_read(struct speedscope_document *d, struct content *c)
{
    struct json_handler handler = {.context = d,
                                   .one_document = true,
                                   .open = open_container,
                                   .close = close_container,
                                   .value = read_value};
    bool ok = json_read(c, &handler);

    /* Of a file that was cut the profile in hand goes. */
    if (d->places.count > 1 && d->places.items[1] == SPEEDSCOPE_PROFILE)
        drop_parts(d, d->parts.count - 1);
    return ok;
}
