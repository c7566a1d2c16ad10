#include "cli/counters.h"

#include <criterion/criterion.h>

Test(cli_counters, are_told_apart_by_their_names)
{
    static const struct {
        const char *name;
        enum counter counter;
    } rows[] = {
        {"cycles", COUNTER_CYCLES},
        {"estimated cycles", COUNTER_CYCLES},
        {"Ir", COUNTER_INSTRUCTIONS},
        {"app-insn.folded", COUNTER_INSTRUCTIONS},
        {"cycles:u", COUNTER_CYCLES},
        {"cpu-cycles", COUNTER_CYCLES},
        {"cpu_core/cycles/", COUNTER_CYCLES},
        {"CPU_CLK_UNHALTED.THREAD_P", COUNTER_CYCLES},
        {"unhalted-cycles", COUNTER_CYCLES},
        {"ls_not_halted_cyc", COUNTER_CYCLES},
        {"instructions", COUNTER_INSTRUCTIONS},
        {"instructions:uppp", COUNTER_INSTRUCTIONS},
        {"INST_RETIRED.ANY_P", COUNTER_INSTRUCTIONS},
        {"inst-retired", COUNTER_INSTRUCTIONS},
        {"ex_ret_instr", COUNTER_INSTRUCTIONS},
        {"stalled-cycles-frontend", COUNTER_STALLS},
        {"stalled-cycles-backend:u", COUNTER_STALLS},
        {"RESOURCE_STALLS.ANY", COUNTER_STALLS},
        {"cycle_activity.stalls_total", COUNTER_STALLS},
        {"stall_backend", COUNTER_STALLS},
        {"cache-misses", COUNTER_OTHER},
        {"cpu-clock", COUNTER_OTHER},
        {"", COUNTER_OTHER},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(counters_role(slice_str(rows[i].name)), rows[i].counter, "%s", rows[i].name);
}

static struct profile *profile_of(struct profile *p, const char *const *events, size_t count)
{
    profile_init(p);
    for (size_t i = 0; i < count; i++) {
        uint32_t series = profile_series(p, slice_str(events[i]), unit_samples);
        uint32_t stack =
            stacks_push(&p->stacks, STACK_ROOT, symbols_add(&p->symbols, SLICE("f"), SYMBOL_USER));

        cr_assert(profile_add(p, series, stack, 1 + i));
    }
    return p;
}

Test(cli_counters, instructions_and_cycles_become_a_pair)
{
    static const char *const events[] = {"stalled-cycles-backend", "instructions", "cache-misses",
                                         "cycles"};
    struct options o;
    struct profile p;
    uint32_t series;

    options_init(&o);
    series = counters_join(&o, profile_of(&p, events, 4));
    cr_assert_eq(series, 3);
    cr_expect_eq(p.series.items[3].base, 1);
    cr_expect(p.series.items[1].before);
    cr_expect_eq(pair_kind(&p, 3), PAIR_INSTRUCTIONS);
    profile_release(&p);

    *vec_add(&o.events) = "cycles";
    *vec_add(&o.events) = "stalled-cycles-backend";
    series = counters_join(&o, profile_of(&p, events, 4));
    cr_assert_eq(series, 3);
    cr_expect_eq(pair_kind(&p, 3), PAIR_STALLS);
    profile_release(&p);
    options_release(&o);
}

Test(cli_counters, one_counter_is_none)
{
    static const char *const one[] = {"cycles"}, *const no_cycles[] = {"instructions", "stalls"};
    struct options o;
    struct profile p;
    struct diag diag;

    options_init(&o);
    diag_init(&diag, SLICE("flamepress"));
    cr_expect_eq(counters_join(&o, profile_of(&p, one, 1)), SERIES_NONE);
    cr_expect_not(counters_tell_missing(&p, &diag));
    cr_expect_eq(diag.counts[DIAG_ERROR], 1);
    profile_release(&p);
    cr_expect_eq(counters_join(&o, profile_of(&p, no_cycles, 2)), SERIES_NONE);
    profile_release(&p);
    diag_release(&diag);
    options_release(&o);
}
