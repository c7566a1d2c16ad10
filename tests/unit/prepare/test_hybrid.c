#include "prepare/prepare.h"

#include "unit/support/reading.h"
#include "unit/support/test.h"

#define HEADER(event) "# event : name = " event ", , id = { 1 }, type = 0 (x), size = 136\n"
#define SAMPLE(weight, event) "a 1/1 1.0: " weight " " event ": \n\t1 f (m)\n\n"
#define ATOM SAMPLE("3", "cpu_atom/cycles/P")
#define CORE SAMPLE("40", "cpu_core/cycles/P")
#define NOTE(event, parts)                                                                         \
    "flamepress: note: " event " is the sum of what the kinds of cores counted: " parts            \
    " (--event takes one)\n"
#define CYCLES_NOTE NOTE("cycles", "cpu_atom/cycles/P, cpu_core/cycles/P")

/* The graphs as "EVENT TOTAL", those that other commands would name, and the notes. */
static void expect_graphs(const char *content, const char *event, bool one_graph, const char *want,
                          const char *notes)
{
    struct reading r;
    struct prepared made;
    struct recipe recipe;
    struct buf text = {0};
    struct diag diag;

    recipe_init(&recipe);
    recipe.one_graph = one_graph;
    if (event)
        *vec_add(&recipe.events) = slice_str(event);
    reading_text(&r, slice_str(content), NULL);
    cr_assert_eq(r.result, INPUT_READ);
    diag_init(&diag, SLICE("flamepress"));
    prepared_init(&made);
    cr_assert(prepare(&r.profile, &recipe, &made, &diag), "%s", event ? event : "");
    vec_each (const uint32_t, id, &made.graphs) {
        const struct series *s = &r.profile.series.items[*id];

        buf_printf(&text, "%s%.*s %llu", text.len ? ", " : "", SLICE_ARG(s->name),
                   (unsigned long long)s->total);
        cr_expect_eq(s->samples, s->total == 43 ? 2 : 1, "%s", content);
    }
    cr_expect_str_eq(buf_string(&text), want, "%s", content);
    buf_clear(&text);
    diag_write(&diag, &text, false);
    cr_expect_str_eq(buf_string(&text), notes, "%s", content);
    buf_release(&text);
    prepared_release(&made);
    diag_release(&diag);
    reading_release(&r);
    recipe_release(&recipe);
}

Test(hybrid, kinds_of_cores_are_one_event)
{
    expect_graphs(ATOM CORE, NULL, true, "cycles 43", CYCLES_NOTE);
    expect_graphs(CORE ATOM, NULL, false, "cycles 43", CYCLES_NOTE);
    expect_graphs(ATOM CORE, "cycles", true, "cycles 43", CYCLES_NOTE);
    expect_graphs(ATOM CORE, "all", true, "cycles 43", CYCLES_NOTE);
    expect_graphs(SAMPLE("3", "cpu_atom/cycles/uP") SAMPLE("40", "cpu_core/cycles/u"), NULL, true,
                  "cycles:u 43", NOTE("cycles:u", "cpu_atom/cycles/uP, cpu_core/cycles/u"));
}

Test(hybrid, one_kind_can_be_taken)
{
    expect_graphs(ATOM CORE, "cpu_core/cycles/P", true, "cpu_core/cycles/P 40", "");
    expect_graphs(ATOM CORE, "cpu_core/cycles/", true, "cpu_core/cycles/P 40", "");
    expect_graphs(ATOM CORE, "cpu_atom/cycles/", false, "cpu_atom/cycles/P 3", "");
}

/* If the recording counted on both, the event is one wherever the program ran. */
Test(hybrid, a_listed_event_is_one_event_with_one_kind_of_samples)
{
    expect_graphs(HEADER("cpu_atom/cycles/P") HEADER("cpu_core/cycles/P") CORE, NULL, true,
                  "cycles 40", CYCLES_NOTE);
    expect_graphs(HEADER("cpu_core/cycles/P") CORE, NULL, true, "cpu_core/cycles/P 40", "");
    expect_graphs(CORE, NULL, true, "cpu_core/cycles/P 40", "");
}

Test(hybrid, other_events_stay_apart)
{
    expect_graphs(SAMPLE("3", "cpu_atom/cycles:u/") CORE, NULL, true, "cpu_core/cycles/P 40", "");
    expect_graphs(SAMPLE("3", "cpu_atom/event=0x3c/") SAMPLE("1", "cpu_core/event=0x3c/"), NULL,
                  true, "cpu_atom/event=0x3c/ 3", "");
    expect_graphs(SAMPLE("3", "cpu_atom/cycles/") CORE SAMPLE("5", "cycles"), NULL, false,
                  "cpu_atom/cycles/ 3, cpu_core/cycles/P 40, cycles 5", "");
}
