#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/hash.h"

enum {
    SERIES_FIRST = 64,
    SERIES_RANKS = 64, /* the highest rank that profile_order_series() accepts */
};

void profile_init(struct profile *p)
{
    *p = (struct profile){0};
    stacks_init(&p->stacks);
}

void profile_release_runs(struct runs *runs)
{
    vec_each (struct run, run, runs)
        vec_release(&run->facts);
    vec_release(runs);
}

static void release_series(struct series *s)
{
    xfree(s->stack);
    xfree(s->weight);
    xfree(s->slots);
    vec_release(&s->removals);
    timed_samples_release(&s->timed);
    reported_release(&s->reported);
}

void profile_release(struct profile *p)
{
    vec_each (struct series, s, &p->series)
        release_series(s);
    release_all(p, vec, series, events, facts);
    map_release(&p->series_index);
    profile_release_runs(&p->runs);
    stacks_release(&p->stacks);
    symbols_release(&p->symbols);
    arena_release(&p->strings);
}

size_t profile_memory(const struct profile *p)
{
    size_t bytes = p->stacks.count * (sizeof(*p->stacks.parent) + sizeof(*p->stacks.symbol));

    vec_each (const struct series, s, &p->series)
        bytes += s->count * (sizeof(*s->stack) + sizeof(*s->weight)) +
                 s->timed.items.count * sizeof(*s->timed.items.items);
    return bytes;
}

static bool same_name(const void *context, uint32_t id, const void *key)
{
    return slice_equal(((const struct profile *)context)->series.items[id].name,
                       *(const struct slice *)key);
}

static void index_series(struct profile *p, uint32_t id)
{
    struct slice name = p->series.items[id].name;

    map_add(&p->series_index, map_hash_bytes(&p->series_index, name), id);
}

uint32_t profile_find_series(const struct profile *p, struct slice name)
{
    uint32_t id =
        map_find(&p->series_index, map_hash_bytes(&p->series_index, name), same_name, p, &name);

    return id == MAP_NONE ? SERIES_NONE : id;
}

uint32_t profile_series_of(struct profile *p, struct slice name, struct slice event,
                           struct unit unit)
{
    uint32_t id = profile_find_series(p, name);
    struct series *s;

    if (id != SERIES_NONE)
        return id;
    unit.noun = arena_copy(&p->strings, unit.noun);
    s = vec_add(&p->series);
    *s = (struct series){
        .name = arena_copy(&p->strings, name),
        .event = arena_copy(&p->strings, event),
        .unit = unit,
        .base = SERIES_NONE,
        .first_ns = UINT64_MAX,
        .key = p->series_index.key,
    };
    id = (uint32_t)(p->series.count - 1);
    index_series(p, id);
    return id;
}

uint32_t profile_series(struct profile *p, struct slice name, struct unit unit)
{
    return profile_series_of(p, name, name, unit);
}

uint32_t profile_series_pair(struct profile *p, struct slice before, struct slice name,
                             struct unit unit)
{
    uint32_t base = profile_series(p, before, unit);
    uint32_t id = profile_series(p, name, unit);

    p->series.items[base].before = true;
    p->series.items[id].base = base;
    return id;
}

static struct series *series_get(struct profile *p, uint32_t series)
{
    BUG_ON(series >= p->series.count);
    return &p->series.items[series];
}

void profile_rename_series(struct profile *p, uint32_t series, struct slice name)
{
    series_get(p, series)->name = arena_copy(&p->strings, name);
    index_series(p, series); /* the old name's entry stays, but equals no name from now on */
}

void profile_empty_series(struct profile *p, uint32_t series)
{
    struct series *s = series_get(p, series);
    struct series empty = {.name = s->name,
                           .event = s->event,
                           .unit = s->unit,
                           .base = SERIES_NONE,
                           .first_ns = UINT64_MAX,
                           .key = s->key};

    release_series(s);
    *s = empty;
}

static uint32_t series_append(struct series *s, uint32_t stack)
{
    const size_t entry = sizeof(*s->stack) + sizeof(*s->weight);
    size_t cap;

    if (s->count == s->cap) {
        BUG_ON(s->cap > STACKS_MOST);
        cap = budget_growth(s->cap * entry, (size_t)(s->cap + 1) * entry) / entry;
        s->cap = s->cap ? (uint32_t)cap : SERIES_FIRST;
        s->stack = xreallocarray(s->stack, s->cap, sizeof(*s->stack));
        s->weight = xreallocarray(s->weight, s->cap, sizeof(*s->weight));
    }
    s->stack[s->count] = stack;
    s->weight[s->count] = 0;
    if (stack > s->highest)
        s->highest = stack;
    return s->count++;
}

static uint32_t series_place(const struct series *s, uint32_t stack)
{
    return (uint32_t)(hash_keyed(s->key, stack, 0) >> 32) & s->mask;
}

/* Adds new entries to the index. A slot holds an entry's index + 1, or 0 if it is free. */
static void series_update_index(struct series *s)
{
    if (map_grow_slots(&s->slots, &s->mask, s->count))
        s->indexed = 0;
    for (; s->indexed < s->count; s->indexed++) {
        uint32_t at = series_place(s, s->stack[s->indexed]);

        while (s->slots[at])
            at = (at + 1) & s->mask;
        s->slots[at] = s->indexed + 1;
    }
}

/* Returns the entry of a stack, which is added with a weight of 0 if it is new. */
static uint32_t series_entry(struct series *s, uint32_t stack)
{
    uint32_t at, entry;

    if (!s->count || stack > s->highest)
        return series_append(s, stack);
    if (s->stack[s->count - 1] == stack)
        return s->count - 1;
    if (s->indexed < s->count)
        series_update_index(s);
    for (at = series_place(s, stack); (entry = s->slots[at]); at = (at + 1) & s->mask)
        if (s->stack[entry - 1] == stack)
            return entry - 1;
    return series_append(s, stack);
}

bool profile_add(struct profile *p, uint32_t series, uint32_t stack, uint64_t weight)
{
    struct series *s = series_get(p, series);
    uint64_t total;
    uint32_t entry;

    BUG_ON(stack >= p->stacks.count);
    if (!num_add(s->total, weight, &total))
        return false;
    s->total = total;
    s->squares += (unsigned __int128)weight * weight; /* at most total^2: it cannot overflow */
    s->latest = weight;
    s->samples++;
    entry = series_entry(s, stack); /* may move s->weight */
    s->weight[entry] += weight;
    if (p->keep_timed)
        timed_samples_add(&s->timed, stack, weight);
    return true;
}

bool profile_rescale(struct profile *p, unsigned decimals)
{
    uint64_t factor, total;

    if (decimals <= p->decimals)
        return true;
    factor = num_pow10(decimals - p->decimals);
    vec_each (struct series, s, &p->series) {
        if (!num_mul(s->total, factor, &total) || !num_mul(s->unscaled, factor, &total))
            return false;
        vec_each (struct removal, r, &s->removals)
            if (!num_mul(r->weight, factor, &total))
                return false;
    }
    vec_each (struct series, s, &p->series) {
        s->total *= factor;
        s->squares *= (unsigned __int128)factor * factor;
        s->latest *= factor;
        s->unscaled *= factor;
        reported_scale(&s->reported, factor);
        vec_each (struct removal, r, &s->removals)
            r->weight *= factor;
        for (uint32_t i = 0; i < s->count; i++)
            s->weight[i] *= factor;
        vec_each (struct timed_sample, m, &s->timed.items)
            m->weight *= factor;
    }
    p->decimals = decimals;
    return true;
}

bool profile_add_decimal(struct profile *p, uint32_t series, uint32_t stack, struct decimal weight)
{
    uint64_t scaled;

    if (weight.decimals == p->decimals)
        return profile_add(p, series, stack, weight.value);
    if (!profile_rescale(p, weight.decimals))
        return false;
    if (!num_mul(weight.value, num_pow10(p->decimals - weight.decimals), &scaled))
        return false;
    return profile_add(p, series, stack, scaled);
}

void profile_count(struct profile *p, uint32_t series, uint64_t more)
{
    struct series *s = series_get(p, series);
    unsigned __int128 square = (unsigned __int128)s->latest * s->latest;

    s->samples += more;
    s->squares -= square - square / ((unsigned __int128)more + 1); /* of parts of one size */
    s->latest = 0;
}

/* Whether the records of a series are samples: not sums, not parts of calls, not estimates. */
static bool has_samples(const struct profile *p, const struct series *s)
{
    return p->format && !profile_is_estimated(p) && !s->uncounted &&
           (p->in_order || p->counted || s->timed.now);
}

/* Returns the number of samples by the weight if the weight is one, else 0. */
static uint64_t count_weight(const struct profile *p, const struct series *s)
{
    if (!unit_counts_records(&s->unit) || profile_is_estimated(p))
        return 0;
    return (s->unscaled ? s->unscaled : s->total) / num_pow10(p->decimals);
}

uint64_t profile_samples(const struct profile *p, uint32_t series)
{
    const struct series *s = &p->series.items[series];

    if (unit_counts_records(&s->unit))
        return count_weight(p, s);
    return has_samples(p, s) ? s->samples : 0;
}

static struct slice records_of(const struct series *s)
{
    if (unit_counts_records(&s->unit))
        return s->unit.noun;
    return s->records.len ? s->records : unit_samples.noun;
}

struct slice profile_records(const struct profile *p, uint32_t series)
{
    return records_of(&p->series.items[series]);
}

static const struct fact *find_fact(const struct profile *p, struct slice key)
{
    for (size_t i = 0; i < p->facts.count; i++)
        if (slice_equal(p->facts.items[i].key, key))
            return &p->facts.items[i];
    return NULL;
}

void profile_add_dumps(const struct profile *p, uint32_t series, struct buf *out)
{
    const struct fact *dumps = find_fact(p, SLICE("dumps"));
    uint64_t count;

    if (dumps && !p->inputs && num_parse_u64(dumps->value, &count) && count > 1 &&
        slice_equal(p->series.items[series].unit.noun, unit_threads.noun))
        buf_printf(out, " in %llu dumps", (unsigned long long)count);
}

void profile_call_records(struct profile *p, uint32_t series, struct slice noun)
{
    if (series < p->series.count)
        p->series.items[series].records = noun;
}

void profile_uncount(struct profile *p, uint32_t series)
{
    if (series < p->series.count)
        p->series.items[series].uncounted = true;
    profile_call_records(p, series, SLICE("calls"));
}

/* Returns "samples and waits" for these two in either order; "records" for a third kind. */
static struct slice join_nouns(struct profile *p, struct slice a, struct slice b)
{
    static const struct slice and = {" and ", 5};
    bool first = slice_compare(a, b) < 0;

    if (slice_has(a, b))
        return a;
    if (slice_has(b, a))
        return arena_copy(&p->strings, b);
    if (slice_has(a, and) || slice_has(b, and))
        return SLICE("records");
    return slice_str(arena_printf(&p->strings, "%.*s and %.*s", SLICE_ARG(first ? a : b),
                                  SLICE_ARG(first ? b : a)));
}

void profile_join_records(struct profile *p, struct series *to, const struct series *from)
{
    if (!to->samples)
        to->records = arena_copy(&p->strings, from->records);
    else if (from->samples && !slice_equal(records_of(to), records_of(from)))
        to->records = join_nouns(p, records_of(to), records_of(from));
}

double profile_sample_weight(const struct profile *p, uint32_t series)
{
    const struct series *s = &p->series.items[series];
    uint64_t samples = count_weight(p, s);

    if (samples)
        return (double)s->total / (double)samples;
    return has_samples(p, s) && s->total ? (double)s->squares / (double)s->total : 0;
}

double profile_effective_samples(const struct profile *p, uint32_t series)
{
    const struct series *s = &p->series.items[series];
    uint64_t samples = profile_samples(p, series);
    double total = (double)s->total, effective;

    if (!samples || !s->squares || unit_counts_records(&s->unit))
        return (double)samples;
    effective = total * total / (double)s->squares;
    return effective < (double)samples ? effective : (double)samples;
}

void profile_add_time(struct profile *p, uint32_t series, uint64_t ns)
{
    struct series *s = series_get(p, series);

    if (ns < s->first_ns)
        s->first_ns = ns;
    if (ns > s->last_ns)
        s->last_ns = ns;
    timed_samples_meet(&s->timed, ns);
}

void profile_set_time(struct profile *p, uint32_t series, uint64_t ns)
{
    timed_samples_meet(&series_get(p, series)->timed, ns);
}

bool profile_add_span(struct profile *p, uint32_t series, uint32_t stack, uint64_t since_ns,
                      uint64_t ns)
{
    timed_samples_begin(&series_get(p, series)->timed, since_ns);
    return profile_add_decimal(p, series, stack, (struct decimal){.value = ns});
}

void profile_arrange_series(struct profile *p, const uint32_t *order)
{
    struct series *arranged = xcalloc(p->series.count + 1, sizeof(*arranged));

    for (uint32_t id = 0; id < p->series.count; id++) {
        BUG_ON(p->series.items[id].base != SERIES_NONE);
        arranged[id] = p->series.items[order[id]];
    }
    if (p->series.count)
        memcpy(p->series.items, arranged, p->series.count * sizeof(*arranged));
    xfree(arranged);
    map_release(&p->series_index);
    for (uint32_t id = 0; id < p->series.count; id++)
        index_series(p, id);
}

void profile_order_series(struct profile *p, unsigned (*rank)(const struct series *s))
{
    uint32_t *order = xcalloc(p->series.count + 1, sizeof(*order));
    uint32_t done = 0;

    for (unsigned r = 0; done < p->series.count; r++) {
        BUG_ON(r > SERIES_RANKS);
        for (uint32_t id = 0; id < p->series.count; id++)
            if (rank(&p->series.items[id]) == r)
                order[done++] = id;
    }
    profile_arrange_series(p, order);
    xfree(order);
}

void profile_list_event(struct profile *p, struct slice name)
{
    enum { MOST = 1024 };

    vec_each (const struct slice, event, &p->events)
        if (slice_equal(*event, name))
            return;
    if (name.len && p->events.count < MOST)
        *vec_add(&p->events) = arena_copy(&p->strings, name);
}

void profile_add_fact(struct profile *p, struct slice key, struct slice value)
{
    if (find_fact(p, key))
        return;
    *vec_add(&p->facts) =
        (struct fact){arena_copy(&p->strings, key), arena_copy(&p->strings, value)};
}

void profile_print_fact(struct profile *p, struct slice key, const char *format, ...)
{
    struct buf value = {0};
    va_list args;

    va_start(args, format);
    buf_vprintf(&value, format, args);
    va_end(args);
    profile_add_fact(p, key, buf_slice(&value));
    buf_release(&value);
}

void profile_set_fact(struct profile *p, struct slice key, struct slice value)
{
    profile_add_fact(p, key, value);
    vec_each (struct fact, fact, &p->facts)
        if (slice_equal(fact->key, key) && !slice_equal(fact->value, value))
            fact->value = arena_copy(&p->strings, value);
}

struct slice profile_fact(const struct profile *p, struct slice key)
{
    const struct fact *fact = find_fact(p, key);

    return fact ? fact->value : (struct slice){0};
}

/* Whether a run has the fact, with that value. */
static bool has_fact(const struct run *run, const struct fact *fact)
{
    vec_each (const struct fact, f, &run->facts)
        if (slice_equal(f->key, fact->key))
            return slice_equal(f->value, fact->value);
    return false;
}

void profile_share_facts(struct profile *p, const struct runs *runs)
{
    const struct run *first = runs->items;

    for (size_t i = 0; runs->count && i < first->facts.count; i++) {
        const struct fact *fact = &first->facts.items[i];
        size_t same = 0;

        vec_each (const struct run, run, runs)
            same += has_fact(run, fact);
        if (same == runs->count)
            profile_add_fact(p, fact->key, fact->value);
    }
}

bool profile_is_exact(const struct profile *p)
{
    static const char *const formats[] = {"callgrind", "dhat", "heaptrack"};

    if (p->exact)
        return true;
    for (size_t i = 0; p->format && i < sizeof(formats) / sizeof(*formats); i++)
        if (strcmp(formats[i], p->format) == 0)
            return true;
    return false;
}
