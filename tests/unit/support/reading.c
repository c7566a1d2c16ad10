#include "unit/support/reading.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/num.h"
#include "tree/top.h"
#include "unit/support/test.h"

void reading_path(struct reading *r, const char *path, const char *name,
                  const struct input_options *options, unsigned threads)
{
    struct input_options defaults = input_options_default();

    profile_init(&r->profile);
    diag_init(&r->diag, slice_str(name));
    r->result = input_read(path, options ? options : &defaults, threads, &r->profile, &r->diag);
}

void reading_text(struct reading *r, struct slice content, const struct input_options *options)
{
    char path[] = "/tmp/pending-XXXXXX";
    int fd = mkstemp(path);
    struct buf why = {0};

    cr_assert(fd >= 0 && file_write_fd(fd, content, &why), "no temporary file: %s",
              buf_string(&why));
    close(fd);
    reading_path(r, path, "in", options, 1);
    unlink(path);
    buf_release(&why);
}

void reading_release(struct reading *r)
{
    profile_release(&r->profile);
    diag_release(&r->diag);
}

static void write_stack(const struct profile *p, uint32_t stack, struct buf *out)
{
    uint32_t depth = stacks_depth(&p->stacks, stack);
    uint32_t *frames = xcalloc(depth + 1, sizeof(*frames));

    stacks_frames(&p->stacks, stack, frames, depth);
    for (uint32_t i = 0; i < depth; i++) {
        if (i > 0)
            buf_add_char(out, ';');
        buf_add_slice(out, symbol_name(&p->symbols, frames[i]));
        buf_add_slice(out, symbol_suffix(symbol_class(&p->symbols, frames[i])));
    }
    free(frames);
}

static int compare_lines(const void *a, const void *b)
{
    return slice_compare(*(const struct slice *)a, *(const struct slice *)b);
}

void reading_sort(struct slice lines, struct buf *out)
{
    VEC(struct slice) all = {0};
    struct slice line;

    while (slice_line(&lines, &line))
        *vec_add(&all) = line;
    if (all.count)
        qsort(all.items, all.count, sizeof(*all.items), compare_lines);
    vec_each (struct slice, each, &all) {
        buf_add_slice(out, *each);
        buf_add_char(out, '\n');
    }
    vec_release(&all);
}

void reading_fold(const struct reading *r, uint32_t series, struct buf *out)
{
    const struct profile *p = &r->profile;
    const struct series *s = &p->series.items[series];
    struct buf lines = {0};

    cr_assert(series < p->series.count, "there is no series %u", series);
    for (uint32_t i = 0; i < s->count; i++) {
        write_stack(p, s->stack[i], &lines);
        buf_add_char(&lines, ' ');
        num_write_decimal(&lines, s->weight[i], p->decimals);
        buf_add_char(&lines, '\n');
    }
    reading_sort(buf_slice(&lines), out);
    buf_release(&lines);
}

void reading_totals(const struct reading *r, struct buf *out)
{
    struct tree tree;
    struct top top;

    tree_init(&tree, &r->profile, 0, &(struct tree_options){0});
    top_init(&top, &tree);
    top_sort(&top, &r->profile.symbols, TOP_BY_TOTAL);
    vec_each (struct top_row, row, &top.rows)
        buf_printf(out, "%.*s %llu ", SLICE_ARG(symbol_name(&r->profile.symbols, row->symbol)),
                   (unsigned long long)row->total);
    top_release(&top);
    tree_release(&tree);
}

void reading_moments(struct reading *r, uint32_t series, struct buf *out)
{
    struct timed_samples *m = &r->profile.series.items[series].timed;
    bool timed = timed_samples_are_timed(m);

    timed_samples_sort(m);
    vec_each (const struct timed_sample, sample, &m->items) {
        if (timed)
            buf_printf(out, "%llu:", (unsigned long long)sample->ns);
        write_stack(&r->profile, sample->stack, out);
        buf_add_char(out, ' ');
        num_write_decimal(out, sample->weight, r->profile.decimals);
        buf_add_char(out, '\n');
    }
}

bool reading_recognised(const struct diag_message *m)
{
    return m->level == DIAG_NOTE && slice_starts(m->text, SLICE("read as "));
}

bool reading_unended(const struct diag_message *m)
{
    return m->level == DIAG_NOTE && slice_starts(m->text, SLICE("the last line has no line end"));
}

void reading_messages(const struct reading *r, struct buf *out)
{
    for (size_t i = 0; i < r->diag.messages.count; i++) {
        const struct diag_message *m = &r->diag.messages.items[i];

        if (!reading_recognised(m) && !reading_unended(m))
            diag_write_message(&r->diag, m, out, false);
    }
}

void reading_expect_fold(const struct reading *r, const char *name, uint32_t series,
                         const char *want)
{
    struct buf got = {0};

    cr_assert_neq(series, SERIES_NONE, "%s: no such series", name);
    reading_fold(r, series, &got);
    cr_expect_str_eq(buf_string(&got), want, "%s: %s", name, buf_string(&got));
    buf_release(&got);
}

const struct unit *reading_expect_series(const struct reading *r, const char *name,
                                         const char *series, const char *want)
{
    uint32_t id = profile_find_series(&r->profile, slice_str(series));

    cr_expect_eq(id != SERIES_NONE, want != NULL, "%s: %s", name, series);
    if (id == SERIES_NONE || !want)
        return NULL;
    reading_expect_fold(r, name, id, want);
    return &r->profile.series.items[id].unit;
}

void reading_expect_messages(const struct reading *r, const char *name, const char *want)
{
    struct buf got = {0};

    reading_messages(r, &got);
    cr_expect_str_eq(buf_string(&got), want, "%s: %s", name, buf_string(&got));
    buf_release(&got);
}

void reading_expect_message(const struct reading *r, const char *part)
{
    struct buf got = {0};

    reading_messages(r, &got);
    cr_expect(slice_search(buf_slice(&got), slice_str(part)) < got.len, "'%s' is not in: %s", part,
              buf_string(&got));
    buf_release(&got);
}

static bool same_series(const struct series *a, const struct series *b)
{
    return slice_equal(a->name, b->name) && a->count == b->count && a->total == b->total &&
           a->samples == b->samples && a->first_ns == b->first_ns && a->last_ns == b->last_ns &&
           memcmp(a->stack, b->stack, a->count * sizeof(*a->stack)) == 0 &&
           memcmp(a->weight, b->weight, a->count * sizeof(*a->weight)) == 0;
}

static bool same_symbols(const struct symbols *a, const struct symbols *b)
{
    if (symbols_count(a) != symbols_count(b))
        return false;
    for (uint32_t i = 0; i < symbols_count(a); i++) {
        uint32_t x = a->items.items[i].module, y = b->items.items[i].module;

        if (symbol_class(a, i) != symbol_class(b, i) ||
            !slice_equal(symbol_name(a, i), symbol_name(b, i)))
            return false;
        if ((x == SYMBOL_NONE) != (y == SYMBOL_NONE) ||
            (x != SYMBOL_NONE && !slice_equal(intern_get(&a->names, x), intern_get(&b->names, y))))
            return false;
    }
    return true;
}

bool reading_same(const struct profile *a, const struct profile *b)
{
    if (!same_symbols(&a->symbols, &b->symbols) || a->stacks.count != b->stacks.count ||
        memcmp(a->stacks.parent, b->stacks.parent, a->stacks.count * sizeof(uint32_t)) != 0 ||
        memcmp(a->stacks.symbol, b->stacks.symbol, a->stacks.count * sizeof(uint32_t)) != 0)
        return false;
    if (a->series.count != b->series.count || a->facts.count != b->facts.count ||
        memcmp(&a->ledger, &b->ledger, sizeof(a->ledger)) != 0 || a->decimals != b->decimals)
        return false;
    for (size_t i = 0; i < a->series.count; i++)
        if (!same_series(&a->series.items[i], &b->series.items[i]))
            return false;
    for (size_t i = 0; i < a->facts.count; i++)
        if (!slice_equal(a->facts.items[i].value, b->facts.items[i].value))
            return false;
    return true;
}

uint64_t reading_note(const struct reading *r, const char *name, enum ledger_note note)
{
    uint32_t id = profile_find_series(&r->profile, slice_str(name));

    return id == SERIES_NONE ? 0 : r->profile.series.items[id].notes[note];
}
