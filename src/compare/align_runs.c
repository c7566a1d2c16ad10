#include "compare/align_runs.h"

#include <string.h>

#include "base/buf.h"
#include "compare/names.h"
#include "profile/reshape.h"

/* Returns the id of a name, which gets a key if it is new. */
static uint32_t add_name(struct align_runs *a, struct slice name)
{
    uint32_t id = intern_add(&a->names, name);
    struct buf key = {0};

    if (id == a->by_name.count) {
        compare_run_name_add(&key, name);
        *vec_add(&a->by_name) = (struct align_name){.key = intern_add(&a->keys, buf_slice(&key))};
        buf_release(&key);
    }
    return id;
}

/* Adds a function to the run with the last number. */
static void learn(struct align_runs *a, struct slice name)
{
    uint32_t id = add_name(a, name);
    struct align_name *known = &a->by_name.items[id];

    known->runs += known->last != a->runs;
    known->last = a->runs;
}

void align_runs_learn(struct align_runs *a, const struct profile *p)
{
    a->runs++;
    for (uint32_t id = 0; id < symbols_count(&p->symbols); id++)
        if (compare_is_generated(symbol_name(&p->symbols, id)))
            learn(a, symbol_name(&p->symbols, id));
}

/* Returns, by key, whether several names have it and some of these are not in every run. */
static bool *find_split(const struct align_runs *a)
{
    uint32_t *names = xcalloc((size_t)intern_count(&a->keys) + 1, sizeof(*names));
    bool *split = xcalloc((size_t)intern_count(&a->keys) + 1, sizeof(*split));

    vec_each (const struct align_name, name, &a->by_name) {
        names[name->key]++;
        split[name->key] |= name->runs < a->runs;
    }
    for (uint32_t key = 0; key < intern_count(&a->keys); key++)
        split[key] &= names[key] > 1;
    xfree(names);
    return split;
}

void align_runs_rename(const struct align_runs *a, struct profile *p)
{
    uint32_t count = symbols_count(&p->symbols);
    struct slice *names = xcalloc((size_t)count + 1, sizeof(*names));
    bool *split = find_split(a);

    for (uint32_t id = 0; id < count; id++) {
        uint32_t name = intern_find(&a->names, symbol_name(&p->symbols, id));
        uint32_t key = name == MAP_NONE ? MAP_NONE : a->by_name.items[name].key;

        if (key != MAP_NONE && split[key] && !symbol_class_is_owner(symbol_class(&p->symbols, id)))
            names[id] = intern_get(&a->keys, key);
    }
    reshape_rename(p, names);
    xfree(split);
    xfree(names);
}

void align_runs_release(struct align_runs *a)
{
    intern_release(&a->names);
    intern_release(&a->keys);
    vec_release(&a->by_name);
}

/* ---- a service ----------------------------------------------------------------------------- */

/* What is known of the symbols and stacks of a service. */
struct seen {
    bool *generated;  /* by symbol */
    uint32_t *stacks; /* number of the last run that has the stack */
};

/* Learns the generated functions in the stacks of a run. */
static void learn_series(struct align_runs *a, const struct profile *p, const struct series *run,
                         struct seen *seen)
{
    a->runs++;
    for (uint32_t i = 0; i < run->count; i++)
        for (uint32_t id = run->stack[i]; id != STACK_ROOT && seen->stacks[id] != a->runs;
             id = p->stacks.parent[id]) {
            uint32_t symbol = p->stacks.symbol[id];

            seen->stacks[id] = a->runs;
            if (seen->generated[symbol])
                learn(a, symbol_name(&p->symbols, symbol));
        }
}

void align_runs_of_service(struct service *s)
{
    struct profile *p = &s->profile;
    uint32_t count = symbols_count(&p->symbols), generated = 0;
    struct seen seen = {.generated = xcalloc((size_t)count + 1, sizeof(*seen.generated))};
    struct align_runs a = {0};

    for (uint32_t id = 0; id < count; id++)
        generated += seen.generated[id] = compare_is_generated(symbol_name(&p->symbols, id));
    if (generated > 1 && s->runs.count > 1) {
        seen.stacks = xcalloc(p->stacks.count, sizeof(*seen.stacks));
        vec_each (const struct run, run, &s->runs)
            learn_series(&a, p, &p->series.items[run->series], &seen);
        align_runs_rename(&a, p);
        align_runs_release(&a);
        xfree(seen.stacks);
    }
    xfree(seen.generated);
}
