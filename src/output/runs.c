#include "output/runs.h"

#include <stdlib.h>

#include "base/key_value.h"
#include "output/folded.h"
#include "output/pack.h"
#include "profile/run_text.h"

static void write_head(const struct service *s, struct buf *out)
{
    buf_add_str(out, "# flamepress-runs:");
    key_value_add_u64(out, SLICE("version"), 1);
    key_value_add(out, SLICE("service"), s->name);
    key_value_add(out, SLICE("event"), s->event);
    key_value_add(out, SLICE("unit"), unit_short_word(&s->unit));
    key_value_add_u64(out, SLICE("decimals"), s->profile.decimals);
    key_value_add(out, SLICE("exact"), s->exact ? SLICE("yes") : SLICE("no"));
    buf_add_char(out, '\n');
}

/* Marks the symbols in stacks of the runs. */
static bool *find_used(const struct service *s)
{
    const struct stacks *stacks = &s->profile.stacks;
    bool *used = xcalloc(symbols_count(&s->profile.symbols) + 1, sizeof(*used));
    bool *reached = xcalloc(stacks->count, sizeof(*reached));

    vec_each (const struct run, run, &s->runs) {
        const struct series *series = &s->profile.series.items[run->series];

        for (uint32_t i = 0; i < series->count; i++)
            reached[series->stack[i]] = true;
    }
    for (uint32_t id = stacks->count; id-- > 1;) {
        if (!reached[id])
            continue;
        reached[stacks->parent[id]] = true;
        used[stacks->symbol[id]] = true;
    }
    free(reached);
    return used;
}

struct known_module {
    struct slice module, symbol;
};

static int compare_modules(const void *a, const void *b)
{
    const struct known_module *x = a, *y = b;
    int order = slice_compare(x->module, y->module);

    return order ? order : slice_compare(x->symbol, y->symbol);
}

static void write_modules(const struct service *s, struct buf *out)
{
    const struct symbols *symbols = &s->profile.symbols;
    VEC(struct known_module) known = {0};
    bool *used = find_used(s);
    struct arena memory = {0};
    struct buf name = {0};

    for (uint32_t id = 0; id < symbols_count(symbols); id++) {
        struct slice module = symbol_module(symbols, id);

        if (!used[id] || !module.len)
            continue;
        buf_clear(&name);
        buf_add_slice(&name, symbol_name(symbols, id));
        buf_add_slice(&name, symbol_suffix(symbol_class(symbols, id)));
        *vec_add(&known) = (struct known_module){module, arena_copy(&memory, buf_slice(&name))};
    }
    if (known.count)
        qsort(known.items, known.count, sizeof(*known.items), compare_modules);
    vec_each (const struct known_module, k, &known) {
        buf_add_str(out, "# module:");
        key_value_add(out, SLICE("name"), k->module);
        key_value_add(out, SLICE("symbol"), k->symbol);
        buf_add_char(out, '\n');
    }
    buf_release(&name);
    arena_release(&memory);
    vec_release(&known);
    free(used);
}

static bool add_block(void *out, struct slice bytes)
{
    buf_add_slice(out, bytes);
    return true;
}

void runs_write(const struct service *s, struct buf *out)
{
    uint32_t *series = xreallocarray(NULL, s->runs.count + 1, sizeof(*series));

    write_head(s, out);
    for (size_t i = 0; i < s->runs.count; i++) {
        buf_add_str(out, "# run:");
        run_text_write(&s->runs.items[i], out);
        buf_add_char(out, '\n');
        series[i] = s->runs.items[i].series;
    }
    write_modules(s, out);
    folded_write_columns(&s->profile, series, s->runs.count, add_block, out);
    free(series);
}

void runs_compress(struct slice text, struct buf *out)
{
    pack(text, PACK_SMALL, out);
}
