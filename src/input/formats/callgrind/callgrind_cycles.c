#include "input/formats/callgrind/callgrind_cycles.h"

static const struct {
    const char *event;
    int cycles;
} rows[] = {
    {"Ir", 1},     {"Bcm", 10},   {"Bim", 10},   {"I1mr", 10},  {"D1mr", 10},
    {"D1mw", 10},  {"Ge", 20},    {"I2mr", 100}, {"D2mr", 100}, {"D2mw", 100},
    {"ILmr", 100}, {"DLmr", 100}, {"DLmw", 100},
};

static int cycles_of(const struct callgrind_file *f, uint32_t event)
{
    struct slice word = intern_get(&f->names.texts, f->events.items[event].word);

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (slice_equal(word, slice_str(rows[i].event)))
            return rows[i].cycles;
    return 0;
}

/* Whether there are instructions and what makes them slow. */
static bool is_simulated(const struct callgrind_file *f)
{
    bool instructions = false, misses = false;

    for (uint32_t i = 0; i < f->events.count; i++) {
        int cycles = cycles_of(f, i);

        instructions |= cycles == 1;
        misses |= cycles > 1;
    }
    return instructions && misses;
}

/* Adds costs of one event times `cycles` to those of event `to`; false where that does not fit. */
static bool add_event(struct call_graph *g, uint32_t from, uint32_t to, int cycles)
{
    int64_t cost;

    for (uint32_t i = 0; from < g->events.count && i < g->events.items[from].self.count; i++)
        if (__builtin_mul_overflow(g->events.items[from].self.items[i], cycles, &cost) ||
            !call_graph_add_self(g, to, i, cost))
            return false;
    for (uint32_t i = 0; from < g->events.count && i < g->events.items[from].inclusive.count; i++)
        if (__builtin_mul_overflow(g->events.items[from].inclusive.items[i], cycles, &cost) ||
            !call_graph_add_calls(g, to, i, cost))
            return false;
    return true;
}

void callgrind_cycles_add(struct callgrind_file *f, struct text *t)
{
    uint32_t events = (uint32_t)f->events.count;

    if (!is_simulated(f))
        return;
    vec_each (struct callgrind_thread, thread, &f->threads)
        for (uint32_t i = 0; i < events; i++)
            if (cycles_of(f, i) && !add_event(&thread->graph, i, events, cycles_of(f, i))) {
                diag_add(t->diag, DIAG_WARNING, DIAG_AT_FILE,
                         "the " CALLGRIND_CYCLES " do not fit in 63 bits and are left out");
                return;
            }
    *vec_add(&f->events) = (struct callgrind_sums){
        .word = intern_add(&f->names.texts, SLICE(CALLGRIND_CYCLES)),
    };
    profile_add_fact(t->profile, SLICE(CALLGRIND_CYCLES),
                     SLICE("Ir + 10 (mispredicted branches + first-level misses) + 20 Ge + 100 "
                           "(second and last-level misses), as KCachegrind has them"));
}
