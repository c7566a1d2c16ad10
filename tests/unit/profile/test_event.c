#include "profile/event.h"

#include "unit/support/test.h"

Test(event, base_and_counted)
{
    static const struct event_case {
        const char *name, *base, *counted;
    } cases[] = {
        {"cycles", "cycles", "cycles"},
        {"cycles:ppp", "cycles", "cycles"},
        {"cpu_core/cycles/P", "cpu_core/cycles/", "cycles"},
        {"cpu_atom/cycles/", "cpu_atom/cycles/", "cycles"},
        {"armv8_cortex_a72/cpu_cycles/u", "armv8_cortex_a72/cpu_cycles/", "cpu_cycles"},
        {"cpu/mem-loads,ldlat=30/P", "cpu/mem-loads,ldlat=30/", "mem-loads,ldlat=30"},
        /* A code means something else in each unit. */
        {"cpu_core/event=0x3c/u", "cpu_core/event=0x3c/", "cpu_core/event=0x3c/"},
        {"cpu_core/r1a8/", "cpu_core/r1a8/", "cpu_core/r1a8/"},
        /* No cores: words that are no events, and other events than those of cores. */
        {"ibs_op/l3missonly/", "ibs_op/l3missonly/", "ibs_op/l3missonly/"},
        {"uncore_imc_0/cas_count_read/", "uncore_imc_0/cas_count_read/",
         "uncore_imc_0/cas_count_read/"},
        {"intel_pt//u", "intel_pt//u", "intel_pt//u"},
        {"sched:sched_switch", "sched:sched_switch", "sched:sched_switch"},
        {"cpu_core/cycles", "cpu_core/cycles", "cpu_core/cycles"},
        {"", "", ""},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct slice name = slice_str(cases[i].name);

        cr_expect(slice_equal(event_base(name), slice_str(cases[i].base)), "%s", cases[i].name);
        cr_expect(slice_equal(event_counted(name), slice_str(cases[i].counted)), "%s",
                  cases[i].name);
    }
}
