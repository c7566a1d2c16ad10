#include "draw/caption.h"

#include "unit/support/test.h"

/* Checks the captions of a profile. */
static void expect(const struct look *look, const struct recipe *recipe, const char *title,
                   uint32_t inputs, const char *form, const char *view, const char *part)
{
    struct profile p;
    struct buf text = {0};

    profile_init(&p);
    profile_series(&p, SLICE("cycles"), unit_samples);
    p.inputs = inputs;
    p.has_processes = p.has_states = true;
    caption_write_form(look, recipe, false, &text);
    cr_expect_str_eq(buf_string(&text), form);
    buf_clear(&text);
    caption_write_view(look, recipe, slice_str(title), &text);
    cr_expect_str_eq(buf_string(&text), view, "%s, not %s", buf_string(&text), view);
    buf_clear(&text);
    caption_write_part(recipe, &p, 0, slice_str(title), &text);
    cr_expect_str_eq(buf_string(&text), part, "%s, not %s", buf_string(&text), part);
    buf_release(&text);
    profile_release(&p);
}

#define LOOK(...) (&(struct look){__VA_ARGS__})
#define RECIPE(...) (&(struct recipe){__VA_ARGS__})
#define SECONDS(s) ((struct recipe_time){true, (uint64_t)((s)*1e9)})
#define NAMES(...)                                                                                 \
    {                                                                                              \
        .items = (struct slice[]){__VA_ARGS__},                                                    \
        .count = sizeof((struct slice[]){__VA_ARGS__}) / sizeof(struct slice)                      \
    }

Test(draw_caption, says_how_a_picture_was_made)
{
    const struct look plain = look_defaults;
    const struct recipe all = {.factor = 1};

    expect(&plain, &all, "", 1, "Flame graph", "", "");
    expect(LOOK(.sort = LAYOUT_BY_WEIGHT), &all, "CPU", 0, "Flame graph", "", "");
    expect(&plain, RECIPE(.reverse = true), "CPU", 1, "Flame graph", "merged from the leaves", "");
    expect(LOOK(.picture.inverted = true), RECIPE(.reverse = true), "CPU", 1, "Icicle graph",
           "merged from the leaves, root at the top", "");
    expect(&plain, RECIPE(.around = SLICE("f")), "CPU", 1, "Flame graph",
           "callers and callees of f", "");
    expect(&plain, RECIPE(.around = SLICE("f")), "Callers and callees of f", 1, "Flame graph", "",
           "");
    expect(LOOK(.flamechart = true), RECIPE(.from = SECONDS(3)), "", 1, "Flame chart",
           "in the order of time", "from 3 s");
    expect(LOOK(.picture.inverted = true), RECIPE(.kind = &kinds[KIND_HEATMAP], .to = SECONDS(1.5)),
           "", 1, "Heat map", "", "up to 1.5 s");
    expect(&plain,
           RECIPE(.filter = {.group = GROUP_MODULE, .collapse_recursion = true}, .from = SECONDS(1),
                  .to = SECONDS(2)),
           "", 2, "Flame graph", "",
           "by module, recursion collapsed, from 1 s to 2 s, 2 profiles merged");
    expect(
        &plain,
        RECIPE(.processes = NAMES(SLICE("a"), SLICE("b"), SLICE("7")), .states = NAMES(SLICE("D"))),
        "", 1, "Flame graph", "", "processes a, b and 7, state D");
    expect(&plain, RECIPE(.processes = NAMES(SLICE("b"))), "CPU Flame Graph (b)", 1, "Flame graph",
           "", "");
    /* The input does not say which thread a sample belongs to. */
    expect(&plain, RECIPE(.threads = NAMES(SLICE("t"))), "", 1, "Flame graph", "", "");
}

Test(draw_caption, says_what_time_off_the_cpu_is)
{
    const struct unit ns = {.kind = UNIT_SECONDS, .exponent = -9};
    struct recipe recipe = {.factor = 1, .from = SECONDS(1)};
    struct profile p;
    struct buf text = {0};
    uint32_t cpu, off;

    profile_init(&p);
    p.has_states = p.keep_timed = true;
    cpu = profile_series(&p, SLICE("cpu-clock"), ns);
    off = profile_series(&p, SLICE("off-cpu"), ns);
    p.ledger.off_ns = 400;
    p.ledger.preempted_ns = 50;
    cr_assert(profile_add_span(&p, off, STACK_ROOT, 100, 400));
    caption_write_part(&recipe, &p, off, SLICE(""), &text);
    cr_expect_str_eq(buf_string(&text),
                     "from 1 s, longer intervals clipped, 12.5% of all off-CPU time preempted");
    buf_clear(&text);
    caption_write_part(&recipe, &p, cpu, SLICE(""), &text);
    cr_expect_str_eq(buf_string(&text), "from 1 s");
    buf_clear(&text);
    p.series.items[off].base = cpu;
    caption_write_part(&recipe, &p, off, SLICE(""), &text);
    cr_expect_str_eq(buf_string(&text), "from 1 s, longer intervals clipped, preempted in base and "
                                        "new: 12.5% of all off-CPU time");
    buf_clear(&text);
    recipe = (struct recipe){.factor = 1, .states = NAMES(SLICE("S"))};
    caption_write_part(&recipe, &p, off, SLICE(""), &text);
    cr_expect_str_eq(buf_string(&text), "state S");
    buf_release(&text);
    profile_release(&p);
}

Test(draw_caption, names_the_form_of_differences)
{
    const struct recipe all = {.factor = 1};
    struct buf text = {0};

    caption_write_form(&look_defaults, &all, true, &text);
    cr_expect_str_eq(buf_string(&text), "Differential flame graph");
    buf_release(&text);
}
