#include "compare/functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/keys.h"
#include "compare/names.h"
#include "compare/table.h"
#include "tree/walk.h"

/* Classes that a comparison tells apart. Code is the same function however it was compiled. */
static enum symbol_class family(enum symbol_class class)
{
    switch (class) {
    case SYMBOL_KERNEL:
    case SYMBOL_WAKER:
    case SYMBOL_ON_CPU:
    case SYMBOL_OFF_CPU:
    case SYMBOL_DEVICE:
    case SYMBOL_DEVICE_INSTRUCTION:
        return class;
    default:
        return SYMBOL_USER;
    }
}

static bool is_unknown(struct slice name)
{
    return slice_equal(name, SLICE("[unknown]")) || slice_equal(name, SLICE("unknown"));
}

static bool is_function(const struct symbols *symbols, uint32_t symbol)
{
    enum symbol_class class = symbol_class(symbols, symbol);

    return symbol_class_is_function(class) && !is_unknown(symbol_name(symbols, symbol));
}

/* ---- functions of symbols -------------------------------------------------------------------- */

/* How symbols become functions. */
struct naming {
    struct compare_keys keys;
    struct rename_pass renamer; /* of the settings */
};

/* Adds what one more symbol says of its function. The newest runs are read first. */
static void note_names(struct functions *f, struct function *function, struct slice name,
                       const struct symbols *symbols, uint32_t symbol)
{
    struct slice module = symbol_module(symbols, symbol), file = symbol_file(symbols, symbol);

    if (!function->name.len)
        function->name = arena_copy(&f->memory, name);
    else if (!function->other.len && !slice_equal(function->name, name))
        function->other = arena_copy(&f->memory, name);
    if (module.len)
        function->module = arena_copy(&f->memory, module);
    if (file.len && !function->file.len) {
        function->file = arena_copy(&f->memory, file);
        function->line = symbols->items.items[symbol].line;
    }
}

/* Returns the id of the function that is compared as `key`, which is added if it is new. */
static uint32_t add_key(struct functions *f, struct slice key, enum symbol_class class)
{
    struct buf text = {0};
    uint32_t id;

    buf_add_slice(&text, key);
    buf_add_char(&text, '\0');
    buf_add_char(&text, (char)('0' + class));
    id = intern_add(&f->keys, buf_slice(&text));
    buf_release(&text);
    if (id == f->items.count)
        *vec_add(&f->items) = (struct function){.class = class, .row = FUNCTION_NONE};
    f->items.items[id].key = slice_take(intern_get(&f->keys, id), key.len);
    return id;
}

/* Returns the function of a symbol. */
static uint32_t add_function(struct functions *f, const struct symbols *symbols, uint32_t symbol,
                             struct naming *naming)
{
    struct slice shown, to, name = symbol_name(symbols, symbol);
    struct buf key = {0};
    uint32_t id;

    compare_keys_add(&naming->keys, symbols, symbol, &key);
    shown = arena_copy(&f->memory, buf_slice(&key));
    to = rename_apply(&naming->renamer, shown);
    id = add_key(f, to, family(symbol_class(symbols, symbol)));
    if (!slice_equal(f->items.items[id].key, shown)) {
        f->items.items[id].renamed_from = shown;
        name = f->items.items[id].key;
    }
    note_names(f, &f->items.items[id], name, symbols, symbol);
    buf_release(&key);
    return id;
}

/* ---- nodes of a profile ---------------------------------------------------------------------- */

/* Marks the nodes that have no caller of the same function. */
static void find_outermost(struct functions_part *part, size_t functions)
{
    const struct stacks *stacks = &part->profile->stacks;
    uint64_t *ones = xmalloc(stacks->count * sizeof(*ones));
    uint32_t *open = xcalloc(functions, sizeof(*open));
    struct tree whole = {.profile = part->profile,
                         .count = stacks->count,
                         .parent = stacks->parent,
                         .symbol = stacks->symbol,
                         .total = ones};
    struct tree_walk walk;

    for (uint32_t id = 0; id < stacks->count; id++)
        ones[id] = 1; /* so that the walk enters all nodes */
    tree_walk_init(&walk, &whole);
    while (tree_walk_next(&walk)) {
        uint32_t function = part->function[walk.node];

        if (function == FUNCTION_NONE)
            continue;
        if (walk.leaving)
            open[function]--;
        else
            part->outermost[walk.node] =
                open[function]++ == 0 && !(part->hidden && part->hidden[walk.node]);
    }
    tree_walk_release(&walk);
    free(open);
    free(ones);
}

/* Sets stacks of the kernel apart, or gives their samples to what called the kernel. */
static void use_kernel(struct functions_part *part, enum kernel_use use)
{
    const struct stacks *stacks = &part->profile->stacks;
    bool *kernel = use == KERNEL_COMPARED ? NULL : kernel_nodes(part->profile);

    if (use == KERNEL_OF_CALLERS) {
        part->hidden = kernel;
        for (uint32_t id = 1; id < stacks->count; id++)
            if (kernel[id])
                part->leaf[id] = part->leaf[stacks->parent[id]];
    } else if (kernel) {
        part->apart = kernel;
        for (uint32_t id = 1; id < stacks->count; id++)
            kernel[id] = kernel_is_apart(use, kernel[id]);
    }
}

static void add_part(struct functions *f, const struct profile *p, struct naming *naming)
{
    uint32_t symbols = symbols_count(&p->symbols), nodes = p->stacks.count;
    uint32_t *of_symbol = xreallocarray(NULL, symbols, sizeof(*of_symbol));
    struct functions_part part = {.profile = p};

    for (uint32_t i = 0; i < symbols; i++)
        of_symbol[i] =
            is_function(&p->symbols, i) ? add_function(f, &p->symbols, i, naming) : FUNCTION_NONE;
    part.function = xreallocarray(NULL, nodes, sizeof(*part.function));
    part.leaf = xreallocarray(NULL, nodes, sizeof(*part.leaf));
    part.outermost = xcalloc(nodes, sizeof(*part.outermost));
    part.function[STACK_ROOT] = part.leaf[STACK_ROOT] = FUNCTION_NONE;
    for (uint32_t id = 1; id < nodes; id++) {
        uint32_t symbol = p->stacks.symbol[id];

        part.function[id] = of_symbol[symbol];
        part.leaf[id] = symbol_class_is_owner(symbol_class(&p->symbols, symbol))
                            ? part.leaf[p->stacks.parent[id]]
                            : of_symbol[symbol];
    }
    use_kernel(&part, f->kernel);
    find_outermost(&part, f->items.count);
    *vec_add(&f->parts) = part;
    free(of_symbol);
}

static struct functions_part *find_part(const struct functions *f, const struct profile *p)
{
    vec_each (struct functions_part, part, &f->parts)
        if (part->profile == p)
            return part;
    return NULL;
}

/* Adds the functions of a table. What profiles say of a function stays. */
static void add_listing(struct functions *f, const struct function_table *table,
                        struct rename_pass *renamer)
{
    struct functions_listing *l = vec_add(&f->listings);
    struct buf key = {0};

    l->table = table;
    l->function = xreallocarray(NULL, table->functions.count + 1, sizeof(*l->function));
    for (size_t i = 0; i < table->functions.count; i++) {
        const struct table_function *from = &table->functions.items[i];
        struct function *to;

        buf_clear(&key);
        compare_name_add(&key, from->key);
        l->function[i] = add_key(f, rename_apply(renamer, buf_slice(&key)), from->class);
        to = &f->items.items[l->function[i]];
        to->name = to->name.len ? to->name : from->name;
        to->module = to->module.len ? to->module : from->module;
    }
    buf_release(&key);
}

static const struct functions_listing *find_listing(const struct functions *f,
                                                    const struct function_table *table)
{
    vec_each (const struct functions_listing, l, &f->listings)
        if (l->table == table)
            return l;
    return NULL;
}

const struct functions_part *functions_part_of(const struct functions *f, size_t run)
{
    return find_part(f, f->runs[run].profile);
}

static void add_parts(struct functions *f, const struct rename_list *renames)
{
    struct naming naming = {0};

    rename_pass_init(&naming.renamer, renames);
    for (size_t run = 0; run < f->run_count; run++) {
        const struct profile *p = f->runs[run].profile;

        if (p && (run == 0 || p != f->runs[run - 1].profile))
            compare_keys_learn(&naming.keys, p);
    }
    for (size_t run = 0; run < f->run_count; run++)
        if (f->runs[run].profile && !find_part(f, f->runs[run].profile))
            add_part(f, f->runs[run].profile, &naming);
    for (size_t run = 0; run < f->run_count; run++)
        if (f->runs[run].table && !find_listing(f, f->runs[run].table))
            add_listing(f, f->runs[run].table, &naming.renamer);
    rename_pass_release(&naming.renamer);
    compare_keys_release(&naming.keys);
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* The weights of one run by function; each is at most the weight of the run. */
struct sums {
    uint64_t *self, *total;
    uint64_t known; /* self weight of all functions */
};

/* Adds up a run that has a table. Functions that are one by a setting are that at most. */
static void sum_column(const struct functions *f, size_t run, struct sums *sums)
{
    const struct function_table *t = f->runs[run].table;
    const struct functions_listing *l = find_listing(f, t);
    uint64_t whole = compare_run_weight(&f->runs[run]);

    for (size_t i = 0; i < t->functions.count; i++) {
        uint64_t self = function_table_count(t, i, f->runs[run].series, false);
        uint64_t total = function_table_count(t, i, f->runs[run].series, true);
        uint64_t *s = &sums->self[l->function[i]], *all = &sums->total[l->function[i]];

        if (f->kernel != KERNEL_COMPARED &&
            (t->functions.items[i].class == SYMBOL_KERNEL) != (f->kernel == KERNEL_ALONE))
            continue;
        *s = self < whole - *s ? *s + self : whole;
        *all = total < whole - *all ? *all + total : whole;
    }
}

/* Adds up a run that has a profile. If `outside` is given, only stacks with other leaves count. */
static void sum_stacks(const struct functions *f, size_t run, const bool *outside,
                       struct sums *sums)
{
    const struct functions_part *part = functions_part_of(f, run);
    const struct stacks *stacks = &part->profile->stacks;
    const struct series *s = &part->profile->series.items[f->runs[run].series];
    uint64_t *below = xcalloc(stacks->count, sizeof(*below));

    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t leaf = part->leaf[s->stack[i]];

        if (leaf != FUNCTION_NONE && outside && outside[leaf])
            continue;
        below[s->stack[i]] = functions_part_weight(part, s, i);
        if (leaf != FUNCTION_NONE) {
            sums->self[leaf] += below[s->stack[i]];
            sums->known += below[s->stack[i]];
        }
    }
    for (uint32_t id = stacks->count; id-- > 1;) {
        if (part->outermost[id])
            sums->total[part->function[id]] += below[id];
        below[stacks->parent[id]] += below[id];
    }
    free(below);
}

static void sum_run(const struct functions *f, size_t run, const bool *outside, struct sums *sums)
{
    memset(sums->self, 0, f->items.count * sizeof(*sums->self));
    memset(sums->total, 0, f->items.count * sizeof(*sums->total));
    sums->known = 0;
    if (f->runs[run].profile)
        sum_stacks(f, run, outside, sums);
    else
        sum_column(f, run, sums);
}

void functions_weights(const struct functions *f, size_t run, uint64_t *self, uint64_t *total)
{
    struct sums sums = {.self = self, .total = total};

    sum_run(f, run, NULL, &sums);
}

static void sums_init(struct sums *sums, const struct functions *f)
{
    sums->self = xcalloc(f->items.count, sizeof(*sums->self));
    sums->total = xcalloc(f->items.count, sizeof(*sums->total));
}

static void sums_release(struct sums *sums)
{
    free(sums->self);
    free(sums->total);
}

uint64_t compare_run_whole(const struct compare_run *run)
{
    return run->profile ? run->profile->series.items[run->series].total
                        : run->table->weights.items[run->series];
}

uint64_t compare_run_weight(const struct compare_run *run)
{
    return compare_run_whole(run) - run->apart;
}

double compare_run_scale(const struct compare_run *run)
{
    uint64_t weight = compare_run_weight(run);

    return weight ? run->samples / (double)weight : 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The samples of each function in the runs compared and in all runs. */
struct pooled {
    double *compared, *all; /* totals, by function */
    double samples[2];
};

/* Adds up all runs; sets the unknown parts of base and new. */
static void pool_runs(struct functions *f, struct pooled *pooled, struct sums *sums)
{
    double samples[2] = {0}, known[2] = {0};

    for (size_t run = 0; run < f->run_count; run++) {
        const struct compare_run *r = &f->runs[run];
        double scale = compare_run_scale(r);
        bool compared = r->run.side != STATS_HISTORY;

        sum_run(f, run, NULL, sums);
        for (size_t id = 0; id < f->items.count; id++) {
            pooled->all[id] += (double)sums->total[id] * scale;
            pooled->compared[id] += compared ? (double)sums->total[id] * scale : 0;
        }
        pooled->samples[1] += r->samples;
        pooled->samples[0] += compared ? r->samples : 0;
        if (compared) {
            samples[r->run.side] += r->samples;
            known[r->run.side] += (double)sums->known * scale;
        }
    }
    for (int side = 0; side < 2; side++)
        f->unknown[side] = samples[side] > 0 ? 1 - known[side] / samples[side] : 0;
}

struct order {
    const struct functions *functions;
    const double *weights;
};

static int heavier_first(const void *a, const void *b, void *context)
{
    const struct order *o = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    if (o->weights[x] != o->weights[y])
        return o->weights[x] > o->weights[y] ? -1 : 1;
    return slice_compare(intern_get(&o->functions->keys, x), intern_get(&o->functions->keys, y));
}

static int by_name(const void *a, const void *b, void *context)
{
    const struct functions *f = context;

    return slice_compare(intern_get(&f->keys, *(const uint32_t *)a),
                         intern_get(&f->keys, *(const uint32_t *)b));
}

static void choose_rows(struct functions *f, const struct pooled *pooled, double least_share)
{
    struct order order = {f, pooled->all};

    f->rows = xreallocarray(NULL, f->items.count, sizeof(*f->rows));
    for (uint32_t id = 0; id < f->items.count; id++)
        if (pooled->compared[id] >= least_share * pooled->samples[0] ||
            pooled->all[id] >= least_share * pooled->samples[1])
            f->rows[f->row_count++] = id;
    qsort_r(f->rows, f->row_count, sizeof(*f->rows), heavier_first, &order);
    if (f->row_count > FUNCTIONS_MOST)
        f->row_count = FUNCTIONS_MOST;
    qsort_r(f->rows, f->row_count, sizeof(*f->rows), by_name, f);
    for (uint32_t row = 0; row < f->row_count; row++)
        f->items.items[f->rows[row]].row = row;
}

/* Writes a column of the rows: one run. Either array may be NULL. */
static void fill_run(const struct functions *f, size_t run, const struct sums *sums, double *self,
                     double *total)
{
    double scale = compare_run_scale(&f->runs[run]);

    for (size_t row = 0; row < f->row_count; row++) {
        if (self)
            self[row * f->run_count + run] = (double)sums->self[f->rows[row]] * scale;
        total[row * f->run_count + run] = (double)sums->total[f->rows[row]] * scale;
    }
}

void functions_total_inside(const struct functions *f, const bool *outside, double *total)
{
    struct sums sums;

    sums_init(&sums, f);
    for (size_t run = 0; run < f->run_count; run++) {
        if (!f->runs[run].profile)
            continue;
        sum_run(f, run, outside, &sums);
        fill_run(f, run, &sums, NULL, total);
    }
    sums_release(&sums);
}

void functions_init(struct functions *f, const struct compare_run *runs, size_t count,
                    enum kernel_use kernel, double least_share, const struct rename_list *renames)
{
    struct pooled pooled;
    struct sums sums;

    *f = (struct functions){.runs = runs, .run_count = count, .kernel = kernel};
    add_parts(f, renames);
    sums_init(&sums, f);
    pooled = (struct pooled){.compared = xcalloc(f->items.count, sizeof(*pooled.compared)),
                             .all = xcalloc(f->items.count, sizeof(*pooled.all))};
    pool_runs(f, &pooled, &sums);
    choose_rows(f, &pooled, least_share);
    f->self = xcalloc(f->row_count, count * sizeof(*f->self));
    f->total = xcalloc(f->row_count, count * sizeof(*f->total));
    for (size_t run = 0; run < count; run++) {
        sum_run(f, run, NULL, &sums);
        fill_run(f, run, &sums, f->self, f->total);
    }
    sums_release(&sums);
    free(pooled.compared);
    free(pooled.all);
}

void functions_release(struct functions *f)
{
    vec_each (struct functions_part, part, &f->parts) {
        free(part->function);
        free(part->frames);
        free(part->leaf);
        free(part->outermost);
        free(part->apart);
        free(part->hidden);
    }
    vec_each (struct functions_listing, l, &f->listings)
        free(l->function);
    release_all(f, vec, parts, listings, items);
    free(f->rows);
    free(f->self);
    free(f->total);
    intern_release(&f->keys);
    arena_release(&f->memory);
}

uint64_t functions_weight(const struct functions *f, size_t run, const bool *chosen)
{
    const struct functions_part *part = functions_part_of(f, run);
    const struct stacks *stacks = &part->profile->stacks;
    const struct series *s = &part->profile->series.items[f->runs[run].series];
    const uint32_t *function = part->frames ? part->frames : part->function;
    bool *inside = xcalloc(stacks->count, sizeof(*inside));
    uint64_t weight = 0;

    for (uint32_t id = 1; id < stacks->count; id++)
        inside[id] =
            inside[stacks->parent[id]] || (function[id] != FUNCTION_NONE && chosen[function[id]]);
    for (uint32_t i = 0; i < s->count; i++)
        weight += inside[s->stack[i]] ? s->weight[i] : 0;
    free(inside);
    return weight;
}

void functions_join(struct functions *f, uint32_t gone, uint32_t now)
{
    struct function *from = &f->items.items[gone], *to = &f->items.items[now];
    size_t first = from->row * f->run_count, second = to->row * f->run_count;

    for (size_t run = 0; run < f->run_count; run++) {
        f->self[second + run] += f->self[first + run];
        f->total[second + run] += f->total[first + run];
        f->self[first + run] = f->total[first + run] = 0;
    }
    to->renamed_from = from->name;
    vec_each (struct functions_part, part, &f->parts)
        for (uint32_t id = 1; id < part->profile->stacks.count; id++) {
            if (part->function[id] == gone)
                part->function[id] = now;
            if (part->leaf[id] == gone)
                part->leaf[id] = now;
        }
}

/* ---- inlined functions ----------------------------------------------------------------------- */

static uint32_t *copy_functions(const struct functions_part *part)
{
    size_t bytes = part->profile->stacks.count * sizeof(*part->function);

    return memcpy(xmalloc(bytes), part->function, bytes);
}

void functions_inline(struct functions *f, uint32_t inlined, uint32_t into, bool beside,
                      enum stats_side with)
{
    struct function *from = &f->items.items[inlined];
    size_t first = from->row * f->run_count, second = f->items.items[into].row * f->run_count;

    from->inlined = true;
    from->inlined_into = into;
    from->apart = with;
    for (size_t run = 0; run < f->run_count; run++) {
        from->samples += f->runs[run].run.side == with ? f->self[first + run] : 0;
        f->self[second + run] += f->self[first + run];
        if (beside)
            f->total[second + run] =
                fmin(f->total[second + run] + f->total[first + run], f->runs[run].samples);
        f->self[first + run] = f->total[first + run] = 0;
    }
    vec_each (struct functions_part, part, &f->parts) {
        if (!part->frames)
            part->frames = copy_functions(part);
        for (uint32_t id = 1; id < part->profile->stacks.count; id++) {
            uint32_t caller = part->leaf[part->profile->stacks.parent[id]];
            uint32_t to = beside || caller == FUNCTION_NONE ? into : caller;

            if (part->leaf[id] == inlined)
                part->leaf[id] = to;
            if (part->function[id] == inlined)
                part->function[id] = to;
        }
    }
}

void functions_recount(struct functions *f)
{
    struct sums sums;
    bool inlined = false;

    vec_each (const struct function, function, &f->items)
        inlined |= function->inlined;
    if (!inlined)
        return;
    vec_each (struct functions_part, part, &f->parts)
        find_outermost(part, f->items.count);
    sums_init(&sums, f);
    for (size_t run = 0; run < f->run_count; run++) {
        if (!f->runs[run].profile)
            continue;
        sum_run(f, run, NULL, &sums);
        fill_run(f, run, &sums, f->self, f->total);
    }
    sums_release(&sums);
}

double functions_sum_side(const struct functions *f, const double *counts, enum stats_side side)
{
    double sum = 0;

    for (size_t run = 0; run < f->run_count; run++)
        sum += f->runs[run].run.side == side ? counts[run] : 0;
    return sum;
}
