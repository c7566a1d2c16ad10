#include "input/formats/java/jfr_jdk8_types.h"

#include <stdlib.h>

#include "base/budget.h"

/* Structures within structures; the JVM's have three levels. */
enum { MOST_LEVELS = 8 };

static struct slice take_text(struct bytes *b)
{
    return bytes_take(b, bytes_u16(b));
}

/* Takes the count of an array, each element of which has at least `size` bytes. */
static uint32_t take_count(struct bytes *b, size_t size)
{
    uint32_t count = bytes_u32(b);

    if (count > b->rest.len / size) {
        b->failed = true;
        return 0;
    }
    return count;
}

/* ---- metadata ------------------------------------------------------------------------------ */

static void take_structure(struct jfr_jdk8_types *t, struct bytes *b, uint32_t base)
{
    enum { LEAST = 20 };
    uint32_t count = take_count(b, LEAST);

    *vec_add(&t->structures) = (struct jfr_jdk8_structure){(uint32_t)t->fields.count, count};
    for (uint32_t i = 0; i < count; i++) {
        struct jfr_jdk8_field f = {.name = take_text(b)};

        take_text(b); /* name and description for people */
        take_text(b);
        bytes_u8(b); /* transition */
        f.type = bytes_u8(b);
        f.content = bytes_u32(b);
        f.structure = bytes_u32(b);
        bytes_u32(b);
        f.structure = f.structure < UINT32_MAX - base ? base + f.structure : JFR_JDK8_NONE;
        *vec_add(&t->fields) = f;
    }
}

static void take_event(struct jfr_jdk8_types *t, struct bytes *b, uint32_t base)
{
    struct jfr_jdk8_event e = {.id = bytes_u32(b)};

    take_text(b);
    take_text(b);
    e.path = take_text(b);
    e.has_start = bytes_u8(b);
    e.has_thread = bytes_u8(b);
    e.has_stack = bytes_u8(b);
    bytes_u8(b); /* whether the JVM is asked for it */
    e.structure = base + bytes_u32(b);
    bytes_u32(b);
    *vec_add(&t->events) = e;
}

static void take_content(struct jfr_jdk8_types *t, struct bytes *b, uint32_t base)
{
    struct jfr_jdk8_content c = {.id = bytes_u32(b)};

    take_text(b);
    take_text(b);
    c.key = bytes_u8(b);
    c.structure = base + bytes_u32(b);
    *vec_add(&t->contents) = c;
}

static void take_producer(struct jfr_jdk8_types *t, struct bytes *b)
{
    enum { LEAST_TEXT = 2, LEAST_STRUCTURE = 4, LEAST_EVENT = 22, LEAST_CONTENT = 13 };
    uint32_t base = (uint32_t)t->structures.count;

    bytes_u32(b);
    for (int i = 0; i < 3; i++)
        take_text(b);
    for (uint32_t n = take_count(b, LEAST_TEXT); n > 0; n--)
        take_text(b);
    for (uint32_t n = take_count(b, LEAST_STRUCTURE); n > 0; n--)
        take_structure(t, b, base);
    for (uint32_t n = take_count(b, LEAST_EVENT); n > 0; n--)
        take_event(t, b, base);
    for (uint32_t n = take_count(b, LEAST_CONTENT); n > 0; n--)
        take_content(t, b, base);
}

static int compare_events(const void *a, const void *b)
{
    const struct jfr_jdk8_event *x = a, *y = b;

    return x->id < y->id ? -1 : x->id > y->id;
}

static int compare_contents(const void *a, const void *b)
{
    const struct jfr_jdk8_content *x = a, *y = b;

    return x->id < y->id ? -1 : x->id > y->id;
}

bool jfr_jdk8_types_read(struct jfr_jdk8_types *t, struct bytes *b)
{
    enum { LEAST_PRODUCER = 26 };

    for (uint32_t n = take_count(b, LEAST_PRODUCER); n > 0 && !b->failed; n--)
        take_producer(t, b);
    t->start_ms = bytes_u64(b);
    bytes_u64(b);
    t->start_ticks = bytes_u64(b);
    t->ticks = bytes_u64(b);
    if (t->events.count)
        qsort(t->events.items, t->events.count, sizeof(*t->events.items), compare_events);
    if (t->contents.count)
        qsort(t->contents.items, t->contents.count, sizeof(*t->contents.items), compare_contents);
    return !b->failed;
}

void jfr_jdk8_types_release(struct jfr_jdk8_types *t)
{
    release_all(t, vec, fields, structures, events, contents);
}

const struct jfr_jdk8_event *jfr_jdk8_types_event(const struct jfr_jdk8_types *t, uint32_t id)
{
    struct jfr_jdk8_event key = {.id = id};

    return t->events.count
               ? bsearch(&key, t->events.items, t->events.count, sizeof(key), compare_events)
               : NULL;
}

const struct jfr_jdk8_content *jfr_jdk8_types_content(const struct jfr_jdk8_types *t, uint32_t id)
{
    struct jfr_jdk8_content key = {.id = id};

    return t->contents.count
               ? bsearch(&key, t->contents.items, t->contents.count, sizeof(key), compare_contents)
               : NULL;
}

/* ---- values -------------------------------------------------------------------------------- */

uint64_t jfr_jdk8_types_number(struct bytes *b, unsigned type)
{
    /* boolean, byte, u1, short, u2, int, u4, long, u8, float, double */
    static const unsigned char sizes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

    if (type >= sizeof(sizes)) {
        b->failed = true;
        return 0;
    }
    return bytes_number(b, sizes[type]);
}

/* Structures that are being skipped, from the outermost one. */
struct level {
    uint32_t field, end;  /* of `fields` */
    uint32_t first, more; /* elements of an array that follow */
};

static bool open_level(const struct jfr_jdk8_types *t, uint32_t structure, uint32_t elements,
                       struct level *l)
{
    const struct jfr_jdk8_structure *s;

    if (structure >= t->structures.count)
        return false;
    s = &t->structures.items[structure];
    *l = (struct level){s->first, s->first + s->count, s->first, elements - 1};
    return s->count > 0;
}

/*
 * Skips elements of a structure. A structure without content could take steps and no bytes, so
 * steps are bounded by the bytes taken.
 */
static void skip_structures(const struct jfr_jdk8_types *t, uint32_t structure, uint32_t elements,
                            struct bytes *b)
{
    struct level levels[MOST_LEVELS];
    const size_t before = b->rest.len, some = 64, for_each = 8;
    size_t depth = 0, steps = 0;

    if (!elements || !open_level(t, structure, elements, &levels[depth++]))
        return;
    while (depth && !b->failed) {
        struct level *l = &levels[depth - 1];
        const struct jfr_jdk8_field *f;

        if (++steps > some + for_each * (before - b->rest.len))
            b->failed = true;
        if (l->field == l->end) {
            l->field = l->first;
            depth -= l->more-- == 0;
            continue;
        }
        f = &t->fields.items[l->field++];
        if (f->type == JFR_JDK8_UTF8) {
            take_text(b);
        } else if (f->type == JFR_JDK8_UTF8 + 1) {
            bytes_take(b, (uint64_t)bytes_u32(b) * 2);
        } else if (f->type == JFR_JDK8_STRUCT || f->type == JFR_JDK8_STRUCTS) {
            elements = f->type == JFR_JDK8_STRUCT ? 1 : take_count(b, 1);
            if (depth == MOST_LEVELS)
                b->failed = true;
            else if (elements)
                depth += open_level(t, f->structure, elements, &levels[depth]);
        } else {
            jfr_jdk8_types_number(b, f->type);
        }
    }
}

/* Takes the value of a field. */
static void take_value(const struct jfr_jdk8_types *t, const struct jfr_jdk8_field *f,
                       struct bytes *b, struct jfr_jdk8_value *v)
{
    *v = (struct jfr_jdk8_value){.present = true, .content = f->content, .structure = f->structure};
    if (f->type == JFR_JDK8_UTF8) {
        v->text = take_text(b);
    } else if (f->type == JFR_JDK8_UTF8 + 1) {
        bytes_take(b, (uint64_t)bytes_u32(b) * 2);
    } else if (f->type == JFR_JDK8_STRUCT || f->type == JFR_JDK8_STRUCTS) {
        v->number = f->type == JFR_JDK8_STRUCT ? 1 : take_count(b, 1);
        v->rest = *b;
        skip_structures(t, f->structure, (uint32_t)v->number, b);
    } else {
        v->number = jfr_jdk8_types_number(b, f->type);
    }
}

void jfr_jdk8_types_take(const struct jfr_jdk8_types *t, uint32_t structure, struct bytes *b,
                         const char *const *names, struct jfr_jdk8_value *values, size_t count)
{
    const struct jfr_jdk8_structure *s;

    for (size_t k = 0; k < count; k++)
        values[k] = (struct jfr_jdk8_value){0};
    if (structure >= t->structures.count)
        return;
    s = &t->structures.items[structure];
    budget_work(s->count);
    for (uint32_t i = 0; i < s->count && !b->failed; i++) {
        const struct jfr_jdk8_field *f = &t->fields.items[s->first + i];
        struct jfr_jdk8_value value;

        take_value(t, f, b, &value);
        for (size_t k = 0; k < count && !b->failed; k++)
            if (slice_equal(f->name, slice_str(names[k])))
                values[k] = value;
    }
}
