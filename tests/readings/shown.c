#include "shown.h"

#include <stdio.h>
#include <stdlib.h>

#include "input/read.h"
#include "profile/pair.h"

struct way {
    const char *name;
    struct input_options
        options; /* show_reading() sets the limits, and where files of this machine are */
};

/* Names of processes and threads that many files of the corpora have. */
static const char *const chosen[] = {"app", "main", "1"};

static const struct way ways[WAYS] = {
    {"plain", {.pictures = true, .timed = true}},
    {"annotated",
     {.pictures = true,
      .pid = true,
      .tid = true,
      .kernel = true,
      .jit = true,
      .inlined = true,
      .addrs = true,
      .srcline = true,
      .no_demangling = true}},
    {"split",
     {.names = NAMES_REFERENCE,
      .split_process = true,
      .split_thread = true,
      .split_cpu = true,
      .split_cgroup = true,
      .by_run = true}},
    {"waking",
     {.strip_addresses = true,
      .kernel = true,
      .join_states = true,
      .chains = true,
      .wakeups = true,
      .timed = true}},
    {"chosen",
     {.pictures = true,
      .tid = true,
      .inlined = true,
      .processes = chosen,
      .process_count = 3,
      .threads = chosen,
      .thread_count = 3}},
};

/* ---- stacks ---- */

struct line {
    struct slice text;
    uint32_t entry; /* of the series */
};

struct lines VEC_OF(struct line);

static int compare_lines(const void *a, const void *b)
{
    return slice_compare(((const struct line *)a)->text, ((const struct line *)b)->text);
}

static void write_frames(const struct profile *p, uint32_t stack, struct buf *out)
{
    uint32_t depth = stacks_depth(&p->stacks, stack);
    uint32_t *frames = xcalloc(depth + 1, sizeof(*frames));

    stacks_frames(&p->stacks, stack, frames, depth);
    for (uint32_t i = 0; i < depth; i++) {
        buf_add_slice(out, symbol_name(&p->symbols, frames[i]));
        buf_add_slice(out, symbol_suffix(symbol_class(&p->symbols, frames[i])));
        buf_add_char(out, ';');
    }
    free(frames);
}

/* Sorts the stacks of a series; the lines refer to `text`. */
static void sort_stacks(const struct profile *p, const struct series *s, struct buf *text,
                        struct lines *lines)
{
    size_t *ends = xcalloc(s->count + 1, sizeof(*ends));

    for (uint32_t i = 0; i < s->count; i++) {
        write_frames(p, s->stack[i], text);
        ends[i] = text->len;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        size_t begin = i ? ends[i - 1] : 0;

        *vec_add(lines) = (struct line){slice_make(text->ptr + begin, ends[i] - begin), i};
    }
    if (lines->count)
        qsort(lines->items, lines->count, sizeof(*lines->items), compare_lines);
    free(ends);
}

/* Writes a stack; a number stands for the frames at its root that `before` has, too. */
static void write_after(struct slice before, struct slice stack, struct buf *out)
{
    size_t same = 0, frames = 0;

    for (size_t i = 0; i < stack.len && i < before.len && stack.ptr[i] == before.ptr[i]; i++)
        if (stack.ptr[i] == ';') {
            same = i + 1;
            frames++;
        }
    if (frames)
        buf_printf(out, "+%zu ", frames);
    buf_add(out, stack.ptr + same, stack.len - same);
}

static void write_stacks(const struct profile *p, const struct series *s, struct buf *out)
{
    struct slice before = {0};
    struct lines lines = {0};
    struct buf text = {0};

    sort_stacks(p, s, &text, &lines);
    buf_printf(out, "stacks of '%.*s'\n", SLICE_ARG(s->name));
    vec_each (struct line, line, &lines) {
        num_write_decimal(out, s->weight[line->entry], p->decimals);
        buf_add_char(out, ' ');
        write_after(before, line->text, out);
        buf_add_char(out, '\n');
        before = line->text;
    }
    vec_release(&lines);
    buf_release(&text);
}

static void write_moments(const struct profile *p, struct series *s, struct buf *out)
{
    if (!s->timed.items.count)
        return;
    timed_samples_sort(&s->timed);
    buf_printf(out, "moments of '%.*s', %zu timed\n", SLICE_ARG(s->name), s->timed.timed);
    vec_each (struct timed_sample, m, &s->timed.items) {
        uint32_t symbol = p->stacks.symbol[m->stack];
        struct slice leaf = symbol == SYMBOL_NONE ? SLICE("-") : symbol_name(&p->symbols, symbol);

        buf_printf(out, "%llu%s ", (unsigned long long)m->ns, m->span ? " span" : "");
        num_write_decimal(out, m->weight, p->decimals);
        buf_printf(out, " %.*s at %u\n", SLICE_ARG(leaf), stacks_depth(&p->stacks, m->stack));
    }
}

/* ---- series, facts, symbols ---- */

/* Writes " WORD NUMBER", unless the number is 0. */
static void write_count(struct buf *out, const char *word, uint64_t count)
{
    if (count)
        buf_printf(out, ", %s %llu", word, (unsigned long long)count);
}

static void write_flag(struct buf *out, const char *word, bool on)
{
    if (on)
        buf_printf(out, ", %s", word);
}

static void write_notes(struct buf *out, const uint64_t *notes)
{
    for (int i = 0; i < LEDGER_NOTES; i++)
        if (notes[i])
            buf_printf(out, ", note %d %llu", i, (unsigned long long)notes[i]);
}

static void write_stated(const struct profile *p, const struct series *s, struct buf *out)
{
    for (size_t i = 0; i < s->reported.totals.count; i++) {
        struct slice name = symbol_name(&p->symbols, (uint32_t)i);
        uint64_t total = s->reported.totals.items[i];

        if (total == REPORTED_AMBIGUOUS)
            buf_printf(out, "  stated: %.*s ambiguous\n", SLICE_ARG(name));
        else if (total)
            buf_printf(out, "  stated: %.*s %llu\n", SLICE_ARG(name), (unsigned long long)total);
    }
}

static void write_series(const struct profile *p, uint32_t id, struct buf *out)
{
    const struct series *s = &p->series.items[id];
    struct slice word = unit_short_word(&s->unit);

    buf_printf(out, "series '%.*s'", SLICE_ARG(s->name));
    if (!slice_equal(s->event, s->name))
        buf_printf(out, " of '%.*s'", SLICE_ARG(s->event));
    buf_add_str(out, ": total ");
    num_write_decimal(out, s->total, p->decimals);
    buf_printf(out, " %.*s", SLICE_ARG(word));
    if (s->unit.kind == UNIT_SECONDS)
        buf_printf(out, ", exponent %d", s->unit.exponent);
    if (s->kind.len)
        buf_printf(out, ", kind %.*s", SLICE_ARG(s->kind));
    if (s->each)
        buf_printf(out, ", each %llu %.*s", (unsigned long long)s->each, SLICE_ARG(s->things.noun));
    if (s->base != SERIES_NONE)
        buf_printf(out, ", base '%.*s', %.*s", SLICE_ARG(p->series.items[s->base].name),
                   SLICE_ARG(pair_word(pair_kind(p, id))));
    write_flag(out, "is a base", s->before);
    write_flag(out, "counts samples", s->of_samples);
    write_flag(out, "no unit", s->unitless);
    write_flag(out, "exact", profile_is_exact(p));
    buf_printf(out, ", %llu %.*s", (unsigned long long)profile_samples(p, id),
               SLICE_ARG(profile_records(p, id)));
    buf_printf(out, " of %.6g, effective %.6g", profile_sample_weight(p, id),
               profile_effective_samples(p, id));
    write_count(out, "without frames", s->without_frames);
    write_count(out, "truncated", s->truncated);
    write_notes(out, s->notes);
    if (s->first_ns <= s->last_ns)
        buf_printf(out, ", from %llu to %llu ns", (unsigned long long)s->first_ns,
                   (unsigned long long)s->last_ns);
    buf_add_char(out, '\n');
    write_stated(p, s, out);
}

static void write_about(const struct profile *p, struct buf *out)
{
    const struct read_ledger *l = &p->ledger;

    buf_printf(out, "%s, decimals %u, lines %llu", p->format ? p->format : "no format", p->decimals,
               (unsigned long long)l->lines);
    write_count(out, "unreadable", l->unreadable);
    write_count(out, "distributions", l->distributions);
    write_count(out, "without frames", l->without_frames);
    write_count(out, "truncated", l->truncated);
    write_count(out, "lost", l->lost);
    write_count(out, "left out", l->left_out);
    write_count(out, "off the CPU", l->off_ns);
    write_count(out, "preempted", l->preempted_ns);
    write_notes(out, l->notes);
    write_flag(out, "processes", p->has_processes);
    write_flag(out, "threads", p->has_threads);
    write_flag(out, "CPUs", p->has_cpus);
    write_flag(out, "control groups", p->has_cgroups);
    write_flag(out, "states", p->has_states);
    write_flag(out, "in order", p->in_order);
    write_flag(out, "counted", p->counted);
    write_count(out, "duration", p->duration_ns);
    buf_add_char(out, '\n');
    vec_each (const struct fact, f, &p->facts)
        buf_printf(out, "fact %.*s: %.*s\n", SLICE_ARG(f->key), SLICE_ARG(f->value));
    for (uint32_t i = 0; i < p->series.count; i++)
        write_series(p, i, out);
}

/* Symbols of which more is known than the name and what its suffix says. */
static void write_symbols(const struct profile *p, struct buf *out)
{
    for (uint32_t i = 0; i < symbols_count(&p->symbols); i++) {
        const struct symbol *s = &p->symbols.items.items[i];
        struct slice word = symbol_class_word(s->class), module = symbol_module(&p->symbols, i);
        struct slice file = symbol_file(&p->symbols, i);

        if (s->class == SYMBOL_USER && !module.len && !file.len)
            continue;
        buf_printf(out, "symbol %.*s: %.*s", SLICE_ARG(symbol_name(&p->symbols, i)),
                   SLICE_ARG(word));
        if (module.len)
            buf_printf(out, ", module %.*s", SLICE_ARG(module));
        if (file.len)
            buf_printf(out, ", %.*s:%u", SLICE_ARG(file), s->line);
        buf_add_char(out, '\n');
    }
}

/* ---- files ---- */

const char *show_way(unsigned way)
{
    return ways[way].name;
}

struct input_limits show_limits(unsigned number)
{
    enum { LIMITS = 6 };
    struct input_limits limits = input_options_default().limits;
    unsigned step = number / LIMITS;

    switch (number % LIMITS) {
    case 0:
        limits.max_depth = step + 1;
        break;
    case 1:
        limits.max_name = 2 * step + 4;
        break;
    case 2:
        limits.max_line = 12 * step + 20;
        break;
    case 3:
        limits.max_stacks = 3 * step + 2;
        break;
    case 4:
        limits.max_size = (uint64_t)256 << step;
        break;
    default:
        limits.max_work = (uint64_t)8 << 2 * step;
    }
    return limits;
}

/*
 * Ends the program if a reading contradicts itself: weights that do not add up to the total, a
 * failure without an error, a profile without stacks.
 */
static void check(const struct profile *p, enum input_result result, const struct diag *diag)
{
    const char *wrong = NULL;
    uint32_t stacks = 0;

    vec_each (const struct series, s, &p->series) {
        uint64_t sum = 0;

        for (uint32_t i = 0; i < s->count; i++)
            sum += s->weight[i];
        stacks += s->count;
        if (sum != s->total)
            wrong = "the weights of a series do not add up to its total";
    }
    if (result == INPUT_READ && !stacks)
        wrong = "a profile without stacks was read";
    if (result == INPUT_FAILED && !diag->counts[DIAG_ERROR])
        wrong = "reading failed without an error";
    if (wrong) {
        fprintf(stderr, "readings: %s\n", wrong);
        exit(1);
    }
}

void show_reading(const char *path, struct slice bytes, unsigned way,
                  const struct input_limits *limits, struct buf parts[PARTS])
{
    static const char *const results[] = {
        [INPUT_READ] = "read",     [INPUT_UNKNOWN] = "unknown", [INPUT_EMPTY] = "empty",
        [INPUT_FAILED] = "failed", [INPUT_LARGE] = "large",
    };
    struct input_options options = ways[way].options;
    enum input_result result;
    struct profile p;
    struct diag diag;

    options.limits = limits ? *limits : input_options_default().limits;
    options.symfs = options.kallsyms = "/nowhere";
    profile_init(&p);
    diag_init(&diag, (struct slice){0});
    result = path ? input_read(path, &options, 1, &p, &diag)
                  : input_read_memory(bytes, &options, 1, &p, &diag);
    check(&p, result, &diag);
    buf_printf(&parts[ABOUT], "%s: ", results[result]);
    write_about(&p, &parts[ABOUT]);
    vec_each (struct series, s, &p.series) {
        write_stacks(&p, s, &parts[STACKS]);
        write_moments(&p, s, &parts[MOMENTS]);
    }
    write_symbols(&p, &parts[SYMBOLS]);
    diag_write(&diag, &parts[MESSAGES], false);
    diag_release(&diag);
    profile_release(&p);
}
