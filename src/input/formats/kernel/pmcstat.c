/*
 * Reader of FreeBSD's pmcstat -G: inverted call trees in a section for each counter and CPU.
 *
 *     @ CPU_CLK_UNHALTED.THREAD_P [600 samples]
 *
 *     66.67%  [400]      bcopy @ /boot/kernel/kernel
 *      75.00%  [300]       uiomove
 *
 * The number of blanks before the percentage is the depth. The root of a tree
 * is the sampled function, its descendants are callers. A line without an
 * object has the object of the line before. Each counter is a series; the
 * sections of all CPUs are added up.
 *
 * The percentage is relative to the parent and redundant. A chain may end
 * early: samples of a node that its callers do not account for are a stack
 * that ends there (stackcollapse-pmc.pl drops these). Comments ("#", "//") are
 * ignored. The unit is samples.
 *
 * Source: usr.sbin/pmcstat/pmcpl_callgraph.c of FreeBSD.
 */
#include "base/num.h"
#include "base/utf8.h"
#include "input/build/builder.h"
#include "input/format.h"
#include "input/build/nested.h"

struct pmcstat {
    struct builder builder;
    struct nested tree;
    struct buf counter;
    struct intern objects;
    uint32_t object;      /* of the previous line */
    uint64_t stated, met; /* samples stated by the section's heading, and found in its trees */
    uint64_t headline;    /* line number of the heading, 0 before the first */
    bool reference;
};

/* Meanings of repeated lines; `context` is the object, which may be that of an earlier line. */
enum { PMCSTAT_BLANK = 1, PMCSTAT_OBJECT, PMCSTAT_NODE };

/* A line of a tree. */
struct pmcstat_line {
    uint32_t depth;
    struct slice count, symbol, object;
};

static uint32_t span(struct slice s, const char *bytes)
{
    uint32_t n = 0;

    while (n < s.len && n < UINT32_MAX && s.ptr[n] && strchr(bytes, s.ptr[n]))
        n++;
    return n;
}

/* "@ NAME [123 samples]". Returns false for any other line. */
static bool parse_headline(struct slice line, struct slice *name, uint64_t *samples)
{
    const struct slice end = SLICE(" samples]");
    size_t bracket;

    line = slice_trim_right(line);
    if (!slice_starts(line, SLICE("@ ")) || !slice_ends(line, end))
        return false;
    line = slice_skip(slice_take(line, line.len - end.len), 2);
    bracket = slice_find_last(line, '[');
    if (bracket == line.len || !num_parse_u64(slice_skip(line, bracket + 1), samples))
        return false;
    *name = slice_trim(slice_take(line, bracket));
    return true;
}

/* " 75.00%  [300]       uiomove @ /boot/kernel/kernel". Returns false for a line without "% [". */
static bool parse_line(struct slice line, struct pmcstat_line *l)
{
    const struct slice mark = SLICE(" @ ");
    struct slice rest;
    size_t digits, close;

    l->depth = span(line, " ");
    rest = slice_skip(line, l->depth);
    digits = span(rest, "0123456789.");
    rest = slice_skip(rest, digits);
    if (!digits || !slice_starts(rest, SLICE("%")))
        return false;
    rest = slice_trim_left(slice_skip(rest, 1));
    close = slice_find(rest, ']');
    if (!slice_starts(rest, SLICE("[")) || close == rest.len)
        return false;
    l->count = slice_skip(slice_take(rest, close), 1);
    rest = slice_trim(slice_skip(rest, close + 1));
    l->symbol = slice_take(rest, slice_search(rest, mark));
    l->object = slice_skip(rest, l->symbol.len + mark.len);
    return true;
}

static bool pmcstat_begin(struct text *t, void *state)
{
    struct pmcstat *p = state;

    builder_init(&p->builder, t->profile, t->options, t->diag);
    nested_init(&p->tree, &p->builder, true, false);
    p->object = intern_add(&p->objects, SLICE(""));
    p->reference = t->options->names == NAMES_REFERENCE;
    return true;
}

STATE_RELEASE(pmcstat, (nested, tree), (builder, builder), (buf, counter), (intern, objects));

/* Ends a section and warns if its trees have fewer samples than its heading states. */
static bool end_section(struct text *t, struct pmcstat *p)
{
    if (!nested_end(&p->tree))
        return false;
    if (p->headline && p->met < p->stated)
        diag_warn_line(
            t->diag, p->headline, "the heading states %llu sample%s, but its call graph has %llu",
            (unsigned long long)p->stated, diag_s(p->stated), (unsigned long long)p->met);
    p->met = p->stated = 0;
    return true;
}

static struct frame frame_of(struct pmcstat *p, const struct pmcstat_line *l)
{
    struct frame f = {.name = l->symbol, .module = intern_get(&p->objects, p->object)};

    if (p->reference) {
        f.kind = FRAME_PLAIN;
        f.name = slice_take(f.name, slice_find(f.name, ' '));
        return f;
    }
    if (slice_starts(f.module, SLICE("/boot/")))
        f.class = SYMBOL_KERNEL;
    return f;
}

static bool add_node(struct text *t, struct pmcstat *p, const struct line_meaning *m)
{
    struct origin origin = {.event = buf_slice(&p->counter)};
    uint32_t series = builder_series(&p->builder, &origin, unit_samples);

    if (m->depth == 0 && !num_add(p->met, m->weight.value, &p->met))
        p->met = UINT64_MAX;
    return nested_add_entry(&p->tree, series, m->depth, t->line, m->entry, m->weight);
}

static bool add_line(struct text *t, struct pmcstat *p, const struct pmcstat_line *l)
{
    bool own = l->object.len || l->depth == 0;
    uint64_t count;
    struct frame f;

    if (!num_parse_u64(l->count, &count))
        return text_skip(t, "the count in brackets is not a number; line skipped");
    if (!l->symbol.len)
        return text_skip(t, "no function after the count; line skipped");
    if (own)
        p->object = intern_add(&p->objects, l->object);
    f = frame_of(p, l);
    t->meaning = (struct line_meaning){
        .kind = own ? PMCSTAT_OBJECT : PMCSTAT_NODE,
        .entry = builder_entry(&p->builder, &f),
        .depth = l->depth,
        .context = p->object,
        .weight = {.value = count},
    };
    return add_node(t, p, &t->meaning);
}

static bool pmcstat_line(struct text *t, void *state, struct slice line)
{
    struct pmcstat *p = state;
    struct pmcstat_line l;
    struct slice name;
    uint64_t samples;

    if (!slice_trim(line).len) {
        t->meaning.kind = PMCSTAT_BLANK;
        return nested_end(&p->tree);
    }
    if (parse_headline(line, &name, &samples)) {
        if (!end_section(t, p))
            return false;
        p->stated = samples;
        p->headline = t->line;
        buf_clear(&p->counter);
        utf8_add_clean(&p->counter, name);
        return true;
    }
    if (parse_line(line, &l))
        return add_line(t, p, &l);
    line = slice_trim_left(line);
    if (slice_starts(line, SLICE("#")) || slice_starts(line, SLICE("//")))
        return true;
    return text_skip(t, "neither a counter's heading nor a line of a call graph; line skipped");
}

static enum text_again pmcstat_again(struct text *t, void *state, const struct line_meaning *m)
{
    struct pmcstat *p = state;

    if (m->kind == PMCSTAT_BLANK)
        return nested_end(&p->tree) ? TEXT_DONE : TEXT_FAILED;
    if (m->kind == PMCSTAT_NODE && m->context != p->object)
        return TEXT_UNFIT;
    p->object = m->context;
    return add_node(t, p, m) ? TEXT_DONE : TEXT_FAILED;
}

static bool pmcstat_end(struct text *t, void *state)
{
    return end_section(t, state);
}

/* Requires a heading followed by a line of a tree or by nothing. */
static bool pmcstat_claims(const struct head *head)
{
    struct slice name;
    bool headline = false, other = false;
    struct pmcstat_line l;
    uint64_t samples;

    head_each (line, head) {
        if (parse_headline(line, &name, &samples))
            headline = true;
        else if (headline && parse_line(line, &l))
            return true;
        else if (slice_trim(line).len && !strchr("#/", line.ptr[0]))
            other = true;
    }
    return headline && head->whole && !other;
}

const struct format format_pmcstat = {
    .name = "pmcstat",
    .family = FORMAT_SYSTEMS,
    .description = "FreeBSD's pmcstat: call graphs of performance counters",
    .recognised = "lines '@ COUNTER [N samples]' above inverted call trees with percentages",
    .example = "pmcstat -S CPU_CLK_UNHALTED.THREAD_P -O out.pmc COMMAND && "
               "pmcstat -R out.pmc -z 32 -G app.pmcstat",
    .without_stacks = "print the call graph: pmcstat -R out.pmc -z 32 -G app.pmcstat",
    .needs = " samples]",
    .of_events = true,
    .claims = pmcstat_claims,
    .text = {TEXT_READER(pmcstat), .again = pmcstat_again},
};
