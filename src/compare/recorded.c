#include "compare/recorded.h"

#include <stdlib.h>
#include <string.h>

#include "base/percent.h"

/* Differences that a warning is given for. */
static const double least_cut = 0.05, least_ratio = 1.25, deeper = 2, least_busier = 0.01;

enum { LEAST_LIMIT = 64 }; /* frames: no tool cuts off stacks that are less deep */

/* What the runs of a side are like. */
struct recorded {
    struct slice event, unwinding; /* of its first run */
    double samples, frames;        /* frames of all samples */
    double cut;                    /* samples whose stack is as deep as the deepest, a limit */
    double each;                   /* weight of a sample; 0: samples weigh differently */
    bool periods;                  /* the period of its runs is known */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '=' || c == ',' || c == '\0';
}

/* Returns how perf record unwound stacks, by its command; empty if that is not known. */
static struct slice unwinding_of(const struct run *run)
{
    struct slice command = service_fact(run, SLICE(RUN_COMMAND));
    struct slice option = SLICE("--call-graph");
    size_t at = slice_search(command, option), length = 0;

    if (at < command.len) {
        struct slice method = slice_skip(command, at + option.len + 1);

        while (length < method.len && !is_blank(method.ptr[length]))
            length++;
        return slice_take(method, length);
    }
    return slice_has(command, SLICE(" -g ")) ? SLICE("fp") : SLICE("");
}

static uint32_t *depths_of(const struct stacks *stacks)
{
    uint32_t *depth = xcalloc(stacks->count, sizeof(*depth));

    for (uint32_t id = 1; id < stacks->count; id++)
        depth[id] = depth[stacks->parent[id]] + 1;
    return depth;
}

static void add_stacks(struct recorded *r, const struct functions_part *part,
                       const struct compare_run *run)
{
    const struct series *s = &part->profile->series.items[run->series];
    uint32_t *depth = depths_of(&part->profile->stacks), most = 0;
    double scale = compare_run_scale(run), cut = 0;

    for (uint32_t i = 0; i < s->count; i++)
        most = depth[s->stack[i]] > most ? depth[s->stack[i]] : most;
    for (uint32_t i = 0; i < s->count; i++) {
        double samples = (double)functions_part_weight(part, s, i) * scale;

        r->frames += samples * depth[s->stack[i]];
        cut += depth[s->stack[i]] == most ? samples : 0;
    }
    r->cut += most >= LEAST_LIMIT ? cut : 0;
    free(depth);
}

static void add_run(struct recorded *r, const struct trial *t, size_t i, const struct run *run)
{
    const struct compare_run *compared = &t->runs[i];
    double whole = (double)compare_run_whole(compared), samples = (double)run->samples;
    bool even = run->samples && run->effective >= samples * (1 - 1e-9);

    if (!r->event.len) {
        r->event = compared->event;
        r->unwinding = unwinding_of(run);
        r->each = even ? whole / samples : 0;
    }
    r->each = even ? r->each : 0;
    r->periods |= service_fact(run, SLICE(RUN_PERIOD)).len > 0;
    r->samples += compared->samples;
    add_stacks(r, functions_part_of(&t->functions, i), compared);
}

/* ---- sentences ------------------------------------------------------------------------------- */

static void add(struct compared_service *s, struct arena *memory, struct buf *text)
{
    if (text->len)
        *vec_add(&s->warnings) = arena_copy(memory, buf_slice(text));
    buf_clear(text);
}

static void add_differing(struct buf *text, const char *what, struct slice base, struct slice new)
{
    if (base.len && new.len && !slice_equal(base, new))
        buf_printf(text, "%s: %.*s in the base, %.*s in the new runs", what, SLICE_ARG(base),
                   SLICE_ARG(new));
}

static void add_rights(struct buf *text, const struct rights *r)
{
    static const char *const left_out[] = {
        [KERNEL_LEFT_OUT] = "samples in the kernel are left out",
        [KERNEL_OF_CALLERS] = "samples in the kernel are those of the functions that called it",
        [KERNEL_ALONE] = "samples outside of the kernel are left out",
    };

    if (r->kernel == KERNEL_COMPARED)
        return;
    buf_printf(text, "%s, because only the %s such samples (", left_out[r->kernel],
               r->with == STATS_BASE ? "base has" : "new runs have");
    percent_write(text, r->part, PERCENT_CAPTION);
    buf_add_str(text, " % of all)");
}

static void add_rate(struct buf *text, const struct recorded sides[2])
{
    double ratio = sides[STATS_BASE].each > 0 && sides[STATS_NEW].each > 0
                       ? sides[STATS_NEW].each / sides[STATS_BASE].each
                       : 1;
    bool periods = sides[STATS_BASE].periods && sides[STATS_NEW].periods;

    if (!periods && (ratio > least_ratio || ratio < 1 / least_ratio))
        buf_printf(text,
                   "the sampling rate differs: a sample stands for %.1f times as much in the %s",
                   ratio > 1 ? ratio : 1 / ratio, ratio > 1 ? "new runs" : "base");
}

static void add_depths(struct buf *text, const struct recorded sides[2])
{
    double base = sides[STATS_BASE].frames / sides[STATS_BASE].samples;
    double new = sides[STATS_NEW].frames / sides[STATS_NEW].samples;

    if (base > deeper * new || new > deeper * base)
        buf_printf(text,
                   "stacks are unwound otherwise: they have %.1f frames on average in the base, "
                   "%.1f in the new runs",
                   base, new);
}

static void add_cut(struct buf *text, const struct recorded sides[2])
{
    double base = sides[STATS_BASE].cut / sides[STATS_BASE].samples;
    double new = sides[STATS_NEW].cut / sides[STATS_NEW].samples;

    if (new - base < least_cut && base - new < least_cut)
        return;
    buf_add_str(text, "stacks are cut off in ");
    percent_write(text, base, PERCENT_CAPTION);
    buf_add_str(text, " % of the base and ");
    percent_write(text, new, PERCENT_CAPTION);
    buf_add_str(text, " % of the new runs");
}

/* Interrupts are no part of what was recorded otherwise, but of how busy the machine was. */
static void add_interrupts(struct buf *text, const double parts[2])
{
    double more = parts[STATS_NEW] - parts[STATS_BASE];

    if (more < least_busier && -more < least_busier)
        return;
    buf_add_str(text, "the machine was busier during the ");
    buf_add_str(text, more > 0 ? "new runs" : "runs of the base");
    buf_add_str(text, ": interrupts have ");
    percent_write(text, parts[STATS_BASE], PERCENT_CAPTION);
    buf_add_str(text, " % of the base and ");
    percent_write(text, parts[STATS_NEW], PERCENT_CAPTION);
    buf_add_str(text, " % of the new runs; their functions are not tested");
}

void recorded_add(struct compared_service *s, const struct sided_run *runs, const struct trial *t,
                  struct arena *memory)
{
    struct recorded sides[2];
    struct buf text = {0};

    memset(sides, 0, sizeof(sides));
    for (size_t i = 0; i < t->run_count; i++)
        if (runs[i].side != STATS_HISTORY)
            add_run(&sides[runs[i].side], t, i, runs[i].run);
    add_differing(&text, "the event differs", sides[STATS_BASE].event, sides[STATS_NEW].event);
    add(s, memory, &text);
    add_rights(&text, &t->rights);
    add(s, memory, &text);
    if (!t->exact && sides[STATS_BASE].samples > 0 && sides[STATS_NEW].samples > 0) {
        add_rate(&text, sides);
        add(s, memory, &text);
        add_differing(&text, "stacks are unwound otherwise", sides[STATS_BASE].unwinding,
                      sides[STATS_NEW].unwinding);
        if (!text.len)
            add_depths(&text, sides);
        add(s, memory, &text);
        add_cut(&text, sides);
        add(s, memory, &text);
        add_interrupts(&text, t->functions.interrupts);
        add(s, memory, &text);
    }
    buf_release(&text);
}
