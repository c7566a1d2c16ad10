/*
 * FreeBSD's pmcstat -G: a section for each counter and CPU, inverted call trees in it.
 *
 *     @ CPU_CLK_UNHALTED.THREAD_P [600 samples]
 *
 *     66.67%  [400]      bcopy @ /boot/kernel/kernel
 *      75.00%  [300]       uiomove
 *
 * As many blanks stand before the percentage as the line is deep. The root of
 * a tree is the function that was sampled, what is below it are its callers.
 * The object is told where it is not that of the line before. Sections of one
 * counter are added up, whatever CPU they come from; each counter is a series.
 *
 * The percentage is relative to the parent and says nothing more than the
 * count. A chain may end early: the samples that a node has and its callers
 * have not are a stack that ends there (stackcollapse-pmc.pl drops them).
 * Comments ("#", "//") are skipped. Unit: samples.
 *
 * Source of the grammar: pmcpl_callgraph.c of FreeBSD.
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
    uint32_t object;    /* of the line before */
    uint64_t told, met; /* samples: of the section's headline, of its trees */
    uint64_t headline;  /* its line, 0 before the first */
    bool reference;
};

/* Lines met before. Those of a tree may stand below lines of another object: `context`. */
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

/* "@ NAME [123 samples]"; false for any other line. */
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

/* " 75.00%  [300]       uiomove @ /boot/kernel/kernel"; false where it has not even "% [". */
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
    buf_init(&p->counter);
    intern_init(&p->objects);
    p->object = intern_add(&p->objects, SLICE(""));
    p->reference = t->options->names == NAMES_REFERENCE;
    return true;
}

static void pmcstat_release(void *state)
{
    struct pmcstat *p = state;

    nested_release(&p->tree);
    builder_release(&p->builder);
    buf_release(&p->counter);
    intern_release(&p->objects);
}

/* A file that was cut lacks samples which its headlines still tell. */
static bool end_section(struct text *t, struct pmcstat *p)
{
    if (!nested_end(&p->tree))
        return false;
    if (p->headline && p->met < p->told)
        diag_warn_line(t->diag, p->headline,
                       "%llu samples are told here, and the call graph that follows has %llu",
                       (unsigned long long)p->told, (unsigned long long)p->met);
    p->met = p->told = 0;
    return true;
}

static bool refuse_line(struct text *t, const char *what)
{
    text_skip(t, "%s; line skipped", what);
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
        return refuse_line(t, "the count in brackets is not a number");
    if (!l->symbol.len)
        return refuse_line(t, "there is no function behind the count");
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
        p->told = samples;
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
    return refuse_line(t, "neither a counter's headline nor a line of a call graph");
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

/* A headline, and a line of a tree behind it unless there is nothing behind it at all. */
static bool pmcstat_claims(const struct head *head)
{
    struct slice rest = head->bytes, line, name;
    bool headline = false, other = false;
    struct pmcstat_line l;
    uint64_t samples;

    while (head_line(head, &rest, &line)) {
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
    .description = "call graphs of FreeBSD's performance counters",
    .recognised = "lines of '@ COUNTER [N samples]', inverted call trees with percentages",
    .example = "pmcstat -S CPU_CLK_UNHALTED.THREAD_P -O out.pmc COMMAND && "
               "pmcstat -R out.pmc -z 32 -G app.pmcstat",
    .without_stacks = "print the call graph: pmcstat -R out.pmc -z 32 -G app.pmcstat",
    .claims = pmcstat_claims,
    .text =
        {
            .state_size = sizeof(struct pmcstat),
            .begin = pmcstat_begin,
            .line = pmcstat_line,
            .again = pmcstat_again,
            .end = pmcstat_end,
            .release = pmcstat_release,
        },
};
