#include "compare/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/key_value.h"
#include "base/utf8.h"
#include "compare/functions.h"
#include "compare/names.h"
#include "profile/run_text.h"

#define MARK "# flamepress-functions:"
#define SAME '=' /* no word is this character: it is always escaped */

enum { RUNS_MOST = 10000 };

static const struct {
    char letter;
    enum symbol_class class;
} classes[] = {{'u', SYMBOL_USER},
               {'k', SYMBOL_KERNEL},
               {'w', SYMBOL_WAKER},
               {'h', SYMBOL_ON_CPU},
               {'c', SYMBOL_OFF_CPU},
               {'G', SYMBOL_DEVICE},
               {'g', SYMBOL_DEVICE_INSTRUCTION}};

enum { CLASSES = sizeof(classes) / sizeof(*classes) };

/* ---- of a service ---------------------------------------------------------------------------- */

static struct fact copy_fact(struct arena *memory, const struct fact *f)
{
    return (struct fact){arena_copy(memory, f->key), arena_copy(memory, f->value)};
}

static void copy_run(struct run *out, const struct run *run, struct arena *memory)
{
    *out = (struct run){
        .name = arena_copy(memory, run->name),
        .samples = run->samples,
        .effective = run->effective,
        .duration_ns = run->duration_ns,
        .lost = run->lost,
    };
    vec_each (const struct fact, f, &run->facts)
        *vec_add(&out->facts) = copy_fact(memory, f);
}

static void describe(struct function_table *out, const struct service *s, struct arena *memory)
{
    *out = (struct function_table){
        .service = arena_copy(memory, s->name),
        .event = arena_copy(memory, s->event),
        .owner = arena_copy(memory, s->owner),
        .unit = unit_named(arena_copy(memory, unit_short_word(&s->unit))),
        .decimals = s->profile.decimals,
        .exact = s->exact,
    };
    vec_each (const struct run, run, &s->runs) {
        copy_run(vec_add(&out->runs), run, memory);
        *vec_add(&out->weights) = s->profile.series.items[run->series].total;
    }
}

static int by_key(const void *a, const void *b, void *context)
{
    const struct functions *f = context;

    return slice_compare(intern_get(&f->keys, *(const uint32_t *)a),
                         intern_get(&f->keys, *(const uint32_t *)b));
}

static uint32_t *sort_functions(struct functions *f)
{
    uint32_t *order = xreallocarray(NULL, f->items.count + 1, sizeof(*order));

    for (uint32_t i = 0; i < f->items.count; i++)
        order[i] = i;
    if (f->items.count)
        qsort_r(order, f->items.count, sizeof(*order), by_key, f);
    return order;
}

/* Adds the functions that any run has. */
static void add_functions(struct function_table *out, struct functions *f, struct arena *memory)
{
    size_t count = f->items.count, runs = f->run_count;
    uint64_t *self = xcalloc(runs * count + 1, sizeof(*self));
    uint64_t *total = xcalloc(runs * count + 1, sizeof(*total));
    uint32_t *order = sort_functions(f);

    for (size_t run = 0; run < runs; run++)
        functions_weights(f, run, &self[run * count], &total[run * count]);
    for (size_t i = 0; i < count; i++) {
        const struct function *function = &f->items.items[order[i]];
        bool met = false;

        for (size_t run = 0; run < runs; run++)
            met |= total[run * count + order[i]] > 0;
        if (!met)
            continue;
        *vec_add(&out->functions) = (struct table_function){
            arena_copy(memory, function->key), arena_copy(memory, function->name),
            arena_copy(memory, function->module), function->class};
        for (size_t run = 0; run < runs; run++) {
            *vec_add(&out->counts) = self[run * count + order[i]];
            *vec_add(&out->counts) = total[run * count + order[i]];
        }
    }
    free(order);
    free(self);
    free(total);
}

void compare_tables_add(struct function_tables *t, const struct service *s)
{
    const struct rename_list none = {0};
    struct compare_run *runs = xcalloc(s->runs.count + 1, sizeof(*runs));
    struct function_table *out = vec_add(&t->items);
    struct functions f;

    describe(out, s, &t->memory);
    for (size_t i = 0; i < s->runs.count; i++)
        runs[i] = (struct compare_run){
            .profile = &s->profile,
            .series = s->runs.items[i].series,
            .run = {.side = STATS_HISTORY},
        };
    functions_init(&f, runs, s->runs.count, KERNEL_COMPARED, FUNCTIONS_NO_ROWS, &none);
    add_functions(out, &f, &t->memory);
    functions_release(&f);
    free(runs);
}

/* Returns the number of the function among those met, which counts up from 0. */
static uint32_t meet(struct intern *met, const struct table_function *f)
{
    struct buf text = {0};
    uint32_t number;

    buf_add_char(&text, (char)('0' + f->class));
    buf_add_slice(&text, f->key);
    number = intern_add(met, buf_slice(&text));
    buf_release(&text);
    return number;
}

/* Returns the number of a run in a table, or RUNS_MOST if the table does not have the run. */
static size_t find_run(const struct function_table *t, const struct service *s,
                       const struct run *run)
{
    for (size_t i = 0; i < t->runs.count; i++) {
        const struct run *own = &t->runs.items[i];

        if (slice_equal(own->name, run->name) && own->samples == run->samples &&
            own->duration_ns == run->duration_ns && t->decimals == s->profile.decimals &&
            t->weights.items[i] == s->profile.series.items[run->series].total)
            return i;
    }
    return RUNS_MOST;
}

static bool has_runs(const struct function_table *t, const struct service *s)
{
    vec_each (const struct run, run, &s->runs)
        if (find_run(t, s, run) == RUNS_MOST)
            return false;
    return true;
}

/*
 * Returns true if the functions of a service have the self weights of the table. Runs of equal
 * length often agree in everything else. Totals may differ: renaming a table adds them up.
 */
static bool has_weights(const struct function_table *t, const struct service *s)
{
    struct function_tables own = {0};
    const struct function_table *made;
    struct intern met = {0};
    uint64_t *left;
    size_t runs, all;
    bool same = true;

    compare_tables_add(&own, s);
    made = own.items.items;
    runs = made->runs.count;
    all = (made->functions.count + t->functions.count) * runs;
    left = xcalloc(all + 1, sizeof(*left));
    for (size_t i = 0; i < made->functions.count; i++)
        for (size_t run = 0, f = meet(&met, &made->functions.items[i]) * runs; run < runs; run++)
            left[f + run] += function_table_count(made, i, run, false);
    for (size_t run = 0; run < runs; run++) {
        size_t from = find_run(t, s, &s->runs.items[run]);

        for (size_t i = 0; i < t->functions.count; i++)
            left[meet(&met, &t->functions.items[i]) * runs + run] -=
                function_table_count(t, i, from, false);
    }
    for (size_t i = 0; i < all; i++)
        same &= !left[i];
    free(left);
    intern_release(&met);
    compare_tables_release(&own);
    return same;
}

bool compare_tables_hold(const struct function_tables *t, const struct service *services,
                         size_t count)
{
    size_t runs = 0;

    for (size_t i = 0; i < count; i++) {
        const struct function_table *own = NULL;

        vec_each (const struct function_table, table, &t->items)
            if (slice_equal(table->service, services[i].name) &&
                slice_equal(table->event, services[i].event))
                own = table;
        runs += services[i].runs.count;
        if (!services[i].runs.count)
            continue;
        if (!own || !has_runs(own, &services[i]) || !has_weights(own, &services[i]))
            return false;
    }
    return runs > 0;
}

void compare_tables_release(struct function_tables *t)
{
    vec_each (struct function_table, table, &t->items) {
        vec_each (struct run, run, &table->runs)
            vec_release(&run->facts);
        release_all(table, vec, runs, weights, functions, counts);
    }
    vec_release(&t->items);
    buf_release(&t->text);
    arena_release(&t->memory);
}

/* ---- written --------------------------------------------------------------------------------- */

static void write_head(const struct function_table *t, struct buf *out)
{
    buf_add_str(out, "# service:");
    key_value_add(out, SLICE("name"), t->service);
    key_value_add(out, SLICE("event"), t->event);
    key_value_add(out, SLICE("unit"), unit_short_word(&t->unit));
    key_value_add_u64(out, SLICE("decimals"), t->decimals);
    key_value_add(out, SLICE("exact"), t->exact ? SLICE("yes") : SLICE("no"));
    key_value_add(out, SLICE("owner"), t->owner);
    buf_add_char(out, '\n');
    for (size_t i = 0; i < t->runs.count; i++) {
        buf_add_str(out, "# run:");
        key_value_add_u64(out, SLICE("weight"), t->weights.items[i]);
        run_text_write(&t->runs.items[i], out);
        buf_add_char(out, '\n');
    }
}

static void write_word(struct slice word, bool same, struct buf *out)
{
    if (same)
        buf_add_char(out, SAME);
    else
        key_value_encode(out, word);
    buf_add_char(out, ' ');
}

static char letter_of(enum symbol_class class)
{
    for (size_t i = 0; i < CLASSES; i++)
        if (classes[i].class == class)
            return classes[i].letter;
    return classes[0].letter;
}

void compare_tables_write(const struct function_tables *t, struct buf *out)
{
    buf_add_str(out, MARK);
    key_value_add_u64(out, SLICE("version"), 1);
    buf_add_char(out, '\n');
    vec_each (const struct function_table, table, &t->items) {
        const uint64_t *count = table->counts.items;

        write_head(table, out);
        vec_each (const struct table_function, f, &table->functions) {
            write_word(f->key, !f->key.len, out);
            write_word(f->name, slice_equal(f->name, f->key), out);
            write_word(f->module, !f->module.len, out);
            buf_add_char(out, letter_of(f->class));
            for (size_t i = 0; i < 2 * table->runs.count; i++) {
                buf_add_char(out, ' ');
                buf_add_u64(out, *count++);
            }
            buf_add_char(out, '\n');
        }
    }
}

/* ---- read ------------------------------------------------------------------------------------ */

struct table_reader {
    struct function_tables *tables;
    struct function_table *table; /* the last one; NULL before the first */
    struct buf key, value;
};

static bool fail(struct buf *why, const char *what)
{
    buf_add_str(why, what);
    return false;
}

static bool read_version(struct table_reader *r, struct slice words, struct buf *why)
{
    if (!key_value_next(&words, &r->key, &r->value) ||
        !slice_equal(buf_slice(&r->key), SLICE("version")))
        return fail(why, "the table of functions has no version");
    if (!slice_equal(buf_slice(&r->value), SLICE("1")))
        return fail(why, "the version of the table of functions is not known; a newer flamepress "
                         "wrote it");
    return true;
}

static bool read_service(struct table_reader *r, struct slice words, struct buf *why)
{
    struct arena *memory = &r->tables->memory;
    struct function_table *t = vec_add(&r->tables->items);
    uint64_t decimals = 0;

    *t = (struct function_table){.unit = unit_samples};
    r->table = t;
    while (key_value_next(&words, &r->key, &r->value)) {
        struct slice key = buf_slice(&r->key), value = arena_copy(memory, buf_slice(&r->value));

        if (slice_equal(key, SLICE("name")))
            t->service = value;
        else if (slice_equal(key, SLICE("event")))
            t->event = value;
        else if (slice_equal(key, SLICE("unit")))
            t->unit = unit_named(value);
        else if (slice_equal(key, SLICE("owner")))
            t->owner = value;
        else if (slice_equal(key, SLICE("exact")))
            t->exact = slice_equal(value, SLICE("yes"));
        else if (slice_equal(key, SLICE("decimals")) &&
                 (!num_parse_u64(value, &decimals) || decimals > NUM_MAX_DECIMALS))
            return fail(why, "the decimals of a service are not a number from 0 to 9");
    }
    t->decimals = (unsigned)decimals;
    return t->service.len || fail(why, "a service has no name");
}

static bool read_run(struct table_reader *r, struct slice words, struct buf *why)
{
    struct function_table *t = r->table;
    struct slice rest = words;
    uint64_t weight = 0;
    struct run run;

    if (!t || t->functions.count || t->runs.count == RUNS_MOST)
        return fail(why, "a run is not between its service and the functions");
    if (!key_value_next(&rest, &r->key, &r->value) ||
        !slice_equal(buf_slice(&r->key), SLICE("weight")) ||
        !num_parse_u64(buf_slice(&r->value), &weight))
        return fail(why, "a run has no weight");
    *vec_add(&t->weights) = weight;
    run_text_read(&run, rest, &t->runs, &r->tables->memory, &r->key, &r->value);
    *vec_add(&t->runs) = run;
    return true;
}

/* Reads a word without its escapes; "=" becomes `same`. */
static bool read_word(struct table_reader *r, struct slice *line, struct slice same,
                      struct slice *out)
{
    if (!slice_word(line, out))
        return false;
    if (out->len == 1 && out->ptr[0] == SAME) {
        *out = same;
    } else if (slice_find(*out, '%') < out->len || !utf8_valid(*out)) {
        buf_clear(&r->key);
        buf_clear(&r->value);
        key_value_decode(&r->value, *out);
        utf8_add_clean(&r->key, buf_slice(&r->value));
        *out = arena_copy(&r->tables->memory, buf_slice(&r->key));
    }
    return true;
}

static bool read_class(struct slice *line, enum symbol_class *class)
{
    struct slice word;

    if (!slice_word(line, &word) || word.len != 1)
        return false;
    for (size_t i = 0; i < CLASSES; i++)
        if (classes[i].letter == word.ptr[0]) {
            *class = classes[i].class;
            return true;
        }
    return false;
}

/* Reads the weights of a function; no part is more than the whole. */
static bool read_counts(struct function_table *t, struct slice *line)
{
    for (size_t run = 0; run < t->runs.count; run++) {
        uint64_t count[2];

        for (int i = 0; i < 2; i++) {
            struct slice word;

            if (!slice_word(line, &word) || !num_parse_u64(word, &count[i]))
                return false;
            *vec_add(&t->counts) = count[i];
        }
        if (count[0] > count[1] || count[1] > t->weights.items[run])
            return false;
    }
    return true;
}

static bool read_function(struct table_reader *r, struct slice line, struct buf *why)
{
    struct function_table *t = r->table;
    struct slice none = SLICE("");
    struct table_function f;

    if (!t || !t->runs.count || !read_word(r, &line, none, &f.key) ||
        !read_word(r, &line, f.key, &f.name) || !read_word(r, &line, none, &f.module) ||
        !read_class(&line, &f.class) || !read_counts(t, &line) || line.len)
        return fail(why, "a function lacks words, or has a larger weight than its run");
    *vec_add(&t->functions) = f;
    return true;
}

static bool read_line(struct table_reader *r, struct slice line, struct buf *why)
{
    static const struct {
        const char *mark;
        bool (*read)(struct table_reader *r, struct slice words, struct buf *why);
    } kinds[] = {{MARK, read_version}, {"# service:", read_service}, {"# run:", read_run}};

    if (!slice_starts(line, SLICE("# ")))
        return read_function(r, line, why);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (slice_starts(line, slice_str(kinds[i].mark)))
            return kinds[i].read(r, slice_skip(line, strlen(kinds[i].mark)), why);
    return true;
}

bool compare_tables_read(struct function_tables *t, struct buf *text, struct buf *why)
{
    struct table_reader r = {.tables = t};
    struct slice rest, line;
    size_t number = 0;
    bool ok;

    *t = (struct function_tables){.text = *text};
    *text = (struct buf){0};
    rest = buf_slice(&t->text);
    ok = slice_starts(rest, SLICE(MARK)) || fail(why, "this is no table of functions");
    while (ok && slice_line(&rest, &line)) {
        number++;
        ok = read_line(&r, line, why);
        if (!ok)
            buf_printf(why, " (line %zu)", number);
    }
    buf_release(&r.key);
    buf_release(&r.value);
    return ok;
}

/* ---- renaming -------------------------------------------------------------------------------- */

/* Adds the counts of function `from` to those of `to`, which comes before it or is the same. */
static void add_counts(struct function_table *t, size_t to, size_t from)
{
    uint64_t *counts = t->counts.items;

    for (size_t run = 0; run < t->runs.count; run++)
        for (int total = 0; total < 2; total++) {
            uint64_t *sum = &counts[(to * t->runs.count + run) * 2 + (size_t)total];
            uint64_t more = counts[(from * t->runs.count + run) * 2 + (size_t)total];
            uint64_t most = t->weights.items[run];

            *sum = *sum > most || more > most - *sum ? most : *sum + more;
        }
}

static void move_counts(struct function_table *t, size_t to, size_t from)
{
    size_t size = t->runs.count * 2;

    if (size)
        memmove(&t->counts.items[to * size], &t->counts.items[from * size],
                size * sizeof(*t->counts.items));
}

static void rename_function(struct table_function *f, struct rename_pass *pass,
                            struct arena *memory)
{
    struct slice now = rename_apply(pass, f->name);
    struct buf key = {0};

    if (slice_equal(now, f->name))
        return;
    f->name = arena_copy(memory, now);
    compare_name_add(&key, f->name);
    f->key = arena_copy(memory, buf_slice(&key));
    buf_release(&key);
}

static void rename_table(struct function_table *t, struct rename_pass *pass, struct arena *memory)
{
    struct intern met = {0};
    size_t kept = 0;

    for (size_t i = 0; i < t->functions.count; i++) {
        struct table_function f = t->functions.items[i];
        size_t number;

        rename_function(&f, pass, memory);
        number = meet(&met, &f);
        if (number < kept) {
            add_counts(t, number, i);
            continue;
        }
        t->functions.items[kept] = f;
        move_counts(t, kept++, i);
    }
    t->functions.count = kept;
    t->counts.count = kept * t->runs.count * 2;
    intern_release(&met);
}

void compare_tables_rename(struct function_tables *t, const struct rename_list *renames)
{
    struct rename_pass pass;

    if (!renames->count)
        return;
    rename_pass_init(&pass, renames);
    vec_each (struct function_table, table, &t->items)
        rename_table(table, &pass, &t->memory);
    rename_pass_release(&pass);
}
