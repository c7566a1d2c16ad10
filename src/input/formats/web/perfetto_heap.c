#include "input/formats/web/perfetto_heap.h"

#include "base/budget.h"
#include "input/parse/proto.h"

void perfetto_heap_release(struct perfetto_heap *h)
{
    vec_each (struct perfetto_heap_dump, dump, &h->dumps)
        vec_release(dump);
    release_all(h, vec, dumps, totals);
    release_all(h, intern, heaps, keys);
}

/* ---- dumps --------------------------------------------------------------------------------- */

/* malloc's heap needs no name. */
static uint32_t heap_of(struct perfetto_heap *h, struct slice dump)
{
    enum { HEAP = 11 };
    struct slice name = {0};

    perfetto_items_bytes(dump, HEAP, &name);
    return intern_add(&h->heaps, slice_equal(name, SLICE("libc.malloc")) ? SLICE("") : name);
}

static uint32_t process_of(struct perfetto_heap *h, struct slice dump)
{
    uint64_t pid = 0;
    char text[24];

    perfetto_items_number(dump, 1, &pid);
    snprintf(text, sizeof(text), "%llu", (unsigned long long)pid);
    return trace_threads_get(h->threads, slice_str(text), SLICE(""));
}

/* Writers older than the field of the interval got the number of objects at the peak wrong. */
static void read_dump(struct perfetto_heap *h, struct perfetto_heap_dump *out, struct slice dump)
{
    enum { SAMPLES = 2, INTERVAL = 13 };
    static const uint8_t fields[HEAP_COUNTERS] = {2, 3, 5, 6, 8, 9};
    uint32_t process = process_of(h, dump), heap = heap_of(h, dump);
    uint64_t interval = 0;
    struct proto_field f;

    perfetto_items_number(dump, INTERVAL, &interval);
    while (!budget_is_over() && proto_next(&dump, &f)) {
        struct perfetto_heap_sample sample = {.process = process, .heap = heap};

        if (f.number != SAMPLES || f.wire != PROTO_BYTES)
            continue;
        perfetto_items_number(f.bytes, 1, &sample.stack);
        for (size_t i = 0; i < HEAP_COUNTERS; i++)
            perfetto_items_number(f.bytes, fields[i], &sample.counters[i]);
        if (!interval)
            sample.counters[HEAP_PEAK_OBJECTS] = 0;
        *vec_add(out) = sample;
    }
}

static bool add_up(struct perfetto_heap *h, const struct perfetto_sequence *s,
                   const struct perfetto_heap_sample *sample)
{
    struct perfetto_heap_total total = {.process = sample->process, .heap = sample->heap};
    uint64_t key[] = {s->id, sample->stack, sample->process, sample->heap, 0};
    uint32_t id;

    if (!perfetto_items_stack(h->items, h->b, s, sample->stack, &total.stack))
        return false;
    h->unknown += total.stack == STACK_ROOT;
    key[4] = total.stack;
    id = intern_add(&h->keys, slice_make((const char *)key, sizeof(key)));
    if (id == h->totals.count)
        *vec_add(&h->totals) = total;
    for (size_t i = 0; i < HEAP_COUNTERS; i++)
        if (sample->counters[i] < h->totals.items[id].counters[i]) {
            builder_skip(h->b, DIAG_AT_FILE,
                         "a sample of the heap with stack %llu is left out: it counts less than "
                         "the one before",
                         (unsigned long long)sample->stack);
            return true;
        }
    memcpy(h->totals.items[id].counters, sample->counters, sizeof(sample->counters));
    return true;
}

/* The stacks of a dump may be explained as late as in its last packet. */
static bool finish_dump(struct perfetto_heap *h, size_t sequence)
{
    const struct perfetto_sequence *s = &h->items->sequences.items[sequence];
    struct perfetto_heap_dump *dump = &h->dumps.items[sequence];

    vec_each (struct perfetto_heap_sample, sample, dump)
        if (!add_up(h, s, sample) || !budget_allows(h->b->diag, DIAG_AT_FILE))
            return false;
    vec_clear(dump);
    return true;
}

bool perfetto_heap_read(struct perfetto_heap *h, const struct perfetto_sequence *s,
                        struct slice message)
{
    enum { DUMPS = 5, CONTINUED = 6 };
    size_t sequence = (size_t)(s - h->items->sequences.items);
    uint64_t continued = 0;
    struct proto_field f;

    while (h->dumps.count <= sequence)
        *vec_add(&h->dumps) = (struct perfetto_heap_dump){0};
    perfetto_items_read_heap(h->items, s, message);
    perfetto_items_number(message, CONTINUED, &continued);
    while (proto_next(&message, &f))
        if (f.number == DUMPS && f.wire == PROTO_BYTES)
            read_dump(h, &h->dumps.items[sequence], f.bytes);
    return continued || finish_dump(h, sequence);
}

/* ---- series -------------------------------------------------------------------------------- */

static const struct measure {
    const char *name;
    struct unit unit;
    uint8_t counter, less; /* `less` is subtracted, unless it is HEAP_COUNTERS */
} measures[] = {
    {"inuse_space", {.kind = UNIT_BYTES}, HEAP_ALLOCATED, HEAP_FREED},
    {"inuse_objects", {.noun = {"objects", 7}}, HEAP_ALLOCATIONS, HEAP_RELEASES},
    {"alloc_space", {.kind = UNIT_BYTES}, HEAP_ALLOCATED, HEAP_COUNTERS},
    {"alloc_objects", {.noun = {"objects", 7}}, HEAP_ALLOCATIONS, HEAP_COUNTERS},
    {"peak_space", {.kind = UNIT_BYTES}, HEAP_PEAK, HEAP_COUNTERS},
    {"peak_objects", {.noun = {"objects", 7}}, HEAP_PEAK_OBJECTS, HEAP_COUNTERS},
};

static bool add_measure(struct perfetto_heap *h, const struct perfetto_heap_total *total,
                        const struct measure *m)
{
    struct slice heap = intern_get(&h->heaps, total->heap);
    uint64_t weight = total->counters[m->counter];
    bool left = m->less < HEAP_COUNTERS;
    uint64_t less = left ? total->counters[m->less] : 0;
    struct buf event = {0};
    struct origin origin;
    bool good;

    if (less > weight)
        builder_skip(h->b, DIAG_AT_FILE,
                     "a sample of the heap is left out: %llu were freed of %llu allocated (%s)",
                     (unsigned long long)less, (unsigned long long)weight, m->name);
    if (weight <= less || (left && slice_equal(heap, SLICE("com.android.art"))))
        return true;
    buf_add_str(&event, m->name);
    if (heap.len)
        buf_printf(&event, ", %.*s", SLICE_ARG(heap));
    origin = trace_threads_origin(h->threads, total->process, buf_slice(&event));
    good = builder_add_at(h->b, builder_series(h->b, &origin, m->unit), total->stack,
                          (struct decimal){.value = weight - less});
    buf_release(&event);
    return good;
}

/* Puts the frames of a stack on top of those of its process. */
static bool put_on(struct perfetto_heap *h, uint32_t root, uint32_t *stack)
{
    const struct stacks *stacks = &h->b->profile->stacks;
    VEC(uint32_t) symbols = {0};
    uint32_t depth = stacks_depth(stacks, *stack);
    bool good = true;

    vec_reserve(&symbols, depth);
    stacks_frames(stacks, *stack, symbols.items, depth);
    *stack = root;
    for (uint32_t i = 0; good && i < depth; i++)
        good = builder_child_symbol(h->b, *stack, symbols.items[i], stack);
    vec_release(&symbols);
    return good;
}

/* Puts the process at the root of each stack if there are several. */
static bool add_processes(struct perfetto_heap *h)
{
    bool *in = xcalloc(h->threads->threads.count + 1, sizeof(*in)), good = true;
    struct trace_mix mix;
    uint32_t root;

    vec_each (struct perfetto_heap_total, total, &h->totals)
        in[total->process] = true;
    mix = trace_threads_mix(h->threads, in, h->b->options);
    xfree(in);
    if (!mix.processes)
        return true;
    vec_each (struct perfetto_heap_total, total, &h->totals)
        good = good && trace_threads_root(h->threads, total->process, mix, h->b, &root) &&
               put_on(h, root, &total->stack);
    return good;
}

static void tell(const struct perfetto_heap *h)
{
    diag_warn_count(
        h->b->diag, h->unknown,
        "# sample{ of the heap has|s of the heap have} a stack that the file does not explain");
}

bool perfetto_heap_finish(struct perfetto_heap *h)
{
    bool good = true;

    for (size_t i = 0; good && i < h->dumps.count; i++)
        good = finish_dump(h, i);
    good = good && add_processes(h);
    for (size_t i = 0; i < sizeof(measures) / sizeof(measures[0]); i++)
        vec_each (struct perfetto_heap_total, total, &h->totals)
            good = good && add_measure(h, total, &measures[i]);
    tell(h);
    return good;
}
