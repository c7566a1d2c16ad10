#include "prepare/kind_needs.h"

#include <string.h>

#include "unit/support/reading.h"
#include "unit/support/test.h"

/* The events of an input, --kind, --event, and whether they can be combined. */
static const struct {
    const char *what, *events[3], *unit, *kind, *event;
    bool ok;
} rows[] = {
    {"the counter is there", {"cycles", "cache-misses"}, "misses", "cache-misses", NULL, true},
    {"it is not", {"cycles"}, "cycles", "cache-misses", NULL, false},
    {"nor is it any other", {"instructions"}, "instructions", "cache-misses", NULL, false},
    {"it is not what is asked for",
     {"cycles", "cache-misses"},
     "n",
     "cache-misses",
     "cycles",
     false},
    {"a counter that has no name", {"r01c4"}, "r01c4", "cache-misses", NULL, true},
    {"one that has none among others", {"r01c4", "cycles"}, "n", "cache-misses", NULL, false},
    {"which is asked for", {"r01c4", "cycles"}, "n", "cache-misses", "r01c4", true},
    {"stacks that say nothing", {""}, "samples", "cache-misses", NULL, true},
    {"no event", {NULL}, "samples", "cache-misses", NULL, true},
    {"time off the CPU for the disk", {"off-cpu"}, "ns", "io-time", NULL, true},
    {"time off the CPU is no hold", {"off-cpu"}, "ns", "lock-hold", NULL, false},
    {"what is alive may be a leak", {"inuse_space"}, "bytes", "leak", NULL, true},
    {"what is allocated is none", {"alloc_space"}, "bytes", "leak", NULL, false},
    {"any kind may be called a CPU's", {"off-cpu"}, "ns", "cpu", NULL, true},
    {"and stacks", {"cycles"}, "cycles", "stacks", NULL, true},
    {"and nothing is asked for", {"cycles"}, "cycles", NULL, NULL, true},
};

Test(prepare_kind_needs, what_contradicts_the_input)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct recipe recipe;
        struct profile p;
        struct diag diag;
        bool ok;

        recipe_init(&recipe);
        profile_init(&p);
        diag_init(&diag, SLICE("in"));
        p.format = "perf-script";
        recipe.kind = rows[i].kind ? kind_find(slice_str(rows[i].kind)) : NULL;
        if (rows[i].event)
            *vec_add(&recipe.events) = slice_str(rows[i].event);
        for (int e = 0; e < 3 && rows[i].events[e]; e++)
            profile_add(&p,
                        profile_series(&p, slice_str(rows[i].events[e]),
                                       unit_named(slice_str(rows[i].unit))),
                        STACK_ROOT, 1);
        ok = kind_needs_check(&recipe, &p, &diag);
        cr_expect_eq(ok, rows[i].ok, "%s", rows[i].what);
        cr_expect_eq(diag.counts[DIAG_ERROR] == 0, rows[i].ok, "%s", rows[i].what);
        diag_release(&diag);
        profile_release(&p);
        recipe_release(&recipe);
    }
}

Test(prepare_kind_needs, what_is_empty_is_named)
{
    struct reading r;
    struct recipe recipe;
    struct diag diag;

    recipe_init(&recipe);
    recipe.kind = &kinds[KIND_LEAK];
    diag_init(&diag, SLICE("in"));
    reading_text(&r,
                 SLICE("a 1/1 1.5: probe_libc:malloc: (7f) size=4\n\t1 f (m)\n\n"
                       "a 1/1 1.5: probe_libc:malloc__return: (7f <- 7f) ptr=0x4\n\t1 f (m)\n\n"
                       "a 1/1 1.5: probe_libc:free: (7f) ptr=0x4\n\t1 f (m)\n\n"),
                 NULL);
    cr_expect_not(kind_needs_check(&recipe, &r.profile, &diag));
    cr_assert_eq(diag.counts[DIAG_ERROR], 1);
    diag_release(&diag);
    reading_release(&r);
    recipe_release(&recipe);
}
