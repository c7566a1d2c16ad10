#include "convert/otlp_tables.h"

#include <string.h>

#include "convert/values.h"

struct function {
    uint32_t name, file; /* strings */
};

struct location {
    uint32_t mapping, function, line;
    uint32_t type; /* 0, or the attribute that says what code it is */
};

#define IS_NUMBER UINT32_MAX

struct attribute {
    uint32_t key, text; /* strings; `text` is IS_NUMBER if the value is `number` */
    uint64_t number;
};

/* ---- entries ---- */

static uint32_t add_entry(struct intern *table, const void *entry, size_t size)
{
    return intern_add(table, slice_make(entry, size));
}

static void get_entry(const struct intern *table, uint32_t number, void *entry, size_t size)
{
    memcpy(entry, intern_get(table, number).ptr, size);
}

uint32_t otlp_tables_string(struct otlp_tables *t, struct slice text)
{
    return intern_add(&t->strings, text);
}

uint32_t otlp_tables_text(struct otlp_tables *t, struct slice key, struct slice value)
{
    struct attribute a = {.key = otlp_tables_string(t, key)};

    a.text = otlp_tables_string(t, value);
    return add_entry(&t->attributes, &a, sizeof(a));
}

uint32_t otlp_tables_integer(struct otlp_tables *t, struct slice key, uint64_t value)
{
    struct attribute a = {.key = otlp_tables_string(t, key), IS_NUMBER, value};

    return add_entry(&t->attributes, &a, sizeof(a));
}

/* Entry 0 of each table. */
static void add_zeros(struct otlp_tables *t)
{
    static const uint64_t zeros[4];

    otlp_tables_string(t, SLICE(""));
    add_entry(&t->mappings, zeros, sizeof(uint32_t));
    add_entry(&t->functions, zeros, sizeof(struct function));
    add_entry(&t->locations, zeros, sizeof(struct location));
    add_entry(&t->attributes, zeros, sizeof(struct attribute));
}

/* ---- stacks ---- */

/* Takes the roots off the stacks, so that the same frames below two of them are one stack. */
static void take_roots(struct otlp_tables *t)
{
    const struct stacks *stacks = &t->profile->stacks;
    const struct symbols *symbols = &t->profile->symbols;

    for (uint32_t node = 1; node < stacks->count; node++) {
        uint32_t parent = stacks->parent[node], symbol = stacks->symbol[node];

        if (parent == STACK_ROOT && symbol_class(symbols, symbol) == SYMBOL_OWNER) {
            *vec_add(&t->roots) = symbol;
            t->root[node] = (uint32_t)t->roots.count;
            continue;
        }
        t->root[node] = t->root[parent];
        t->below[node] = stacks_push(&t->trie, t->below[parent], symbol);
    }
    stacks_forget_index(&t->trie);
}

void otlp_tables_init(struct otlp_tables *t, const struct profile *p)
{
    *t = (struct otlp_tables){.profile = p};
    add_zeros(t);
    t->root = xcalloc(p->stacks.count, sizeof(*t->root));
    t->below = xcalloc(p->stacks.count, sizeof(*t->below));
    t->location = xcalloc((size_t)symbols_count(&p->symbols) + 1, sizeof(*t->location));
    stacks_init(&t->trie);
    take_roots(t);
    t->stack = xcalloc(t->trie.count, sizeof(*t->stack));
}

void otlp_tables_release(struct otlp_tables *t)
{
    release_each(t, (intern, strings, mappings, functions, locations, attributes), (vec, roots),
                 (stacks, trie), (buf, text));
    xfree(t->root);
    xfree(t->below);
    xfree(t->stack);
    xfree(t->location);
}

void otlp_tables_use(struct otlp_tables *t, uint32_t node)
{
    t->stack[t->below[node]] = 1;
}

/* Returns the number of a symbol's location. */
static uint32_t locate(struct otlp_tables *t, uint32_t symbol)
{
    const struct symbols *symbols = &t->profile->symbols;
    struct slice module = symbol_module(symbols, symbol);
    struct location location = {.line = symbols->items.items[symbol].line};
    struct function function = {0};

    buf_clear(&t->text);
    values_add_name(&t->text, symbols, symbol);
    function.name = otlp_tables_string(t, buf_slice(&t->text));
    function.file = otlp_tables_string(t, symbol_file(symbols, symbol));
    location.function = add_entry(&t->functions, &function, sizeof(function));
    if (module.len) {
        uint32_t file = otlp_tables_string(t, module);

        location.mapping = add_entry(&t->mappings, &file, sizeof(file));
    }
    if (symbol_class(symbols, symbol) == SYMBOL_KERNEL)
        location.type = otlp_tables_text(t, SLICE("profile.frame.type"), SLICE("kernel"));
    return add_entry(&t->locations, &location, sizeof(location));
}

void otlp_tables_number(struct otlp_tables *t)
{
    bool *used = xcalloc(t->trie.count, sizeof(*used));
    uint32_t stacks = 0;

    for (uint32_t node = t->trie.count; node-- > 1;) {
        used[node] |= t->stack[node] != 0;
        used[t->trie.parent[node]] |= used[node];
    }
    t->stack[STACK_ROOT] = 0;
    for (uint32_t node = 1; node < t->trie.count; node++) {
        uint32_t symbol = t->trie.symbol[node];

        if (used[node] && !t->location[symbol])
            t->location[symbol] = locate(t, symbol);
        if (t->stack[node])
            t->stack[node] = ++stacks;
    }
    xfree(used);
}

/* ---- the dictionary ---- */

static void write_mappings(const struct otlp_tables *t, struct otlp_out *o)
{
    otlp_out_list(o, "mappingTable");
    for (uint32_t i = 0; i < intern_count(&t->mappings); i++) {
        uint32_t file;

        get_entry(&t->mappings, i, &file, sizeof(file));
        otlp_out_open(o, 1, NULL);
        otlp_out_number(o, 4, "filenameStrindex", file);
        otlp_out_close(o);
    }
    otlp_out_end_list(o);
}

static void write_location(struct otlp_out *o, const struct location *l)
{
    otlp_out_open(o, 2, NULL);
    otlp_out_number(o, 1, "mappingIndex", l->mapping);
    if (l->function) {
        otlp_out_list(o, "lines");
        otlp_out_open(o, 3, NULL);
        otlp_out_number(o, 1, "functionIndex", l->function);
        if (l->line)
            otlp_out_wide(o, 2, "line", l->line);
        otlp_out_close(o);
        otlp_out_end_list(o);
    }
    if (l->type) {
        otlp_out_packed(o, 4, "attributeIndices");
        otlp_out_add(o, l->type);
        otlp_out_end_packed(o);
    }
    otlp_out_close(o);
}

static void write_locations(const struct otlp_tables *t, struct otlp_out *o)
{
    otlp_out_list(o, "locationTable");
    for (uint32_t i = 0; i < intern_count(&t->locations); i++) {
        struct location location;

        get_entry(&t->locations, i, &location, sizeof(location));
        write_location(o, &location);
    }
    otlp_out_end_list(o);
}

static void write_functions(const struct otlp_tables *t, struct otlp_out *o)
{
    otlp_out_list(o, "functionTable");
    for (uint32_t i = 0; i < intern_count(&t->functions); i++) {
        struct function function;

        get_entry(&t->functions, i, &function, sizeof(function));
        otlp_out_open(o, 3, NULL);
        otlp_out_number(o, 1, "nameStrindex", function.name);
        otlp_out_number(o, 3, "filenameStrindex", function.file);
        otlp_out_close(o);
    }
    otlp_out_end_list(o);
}

/* No sample has a link to a span. Readers of other kinds may expect ids of full length. */
static void write_links(struct otlp_out *o)
{
    static const char zeros[16];
    static const char digits[] = "00000000000000000000000000000000";

    otlp_out_list(o, "linkTable");
    otlp_out_open(o, 4, NULL);
    otlp_out_text(o, 1, "traceId", o->json ? slice_make(digits, 32) : slice_make(zeros, 16));
    otlp_out_text(o, 2, "spanId", o->json ? slice_make(digits, 16) : slice_make(zeros, 8));
    otlp_out_close(o);
    otlp_out_end_list(o);
}

static void write_strings(const struct otlp_tables *t, struct otlp_out *o)
{
    otlp_out_list(o, "stringTable");
    for (uint32_t i = 0; i < intern_count(&t->strings) && !o->stream->stopped; i++)
        otlp_out_text(o, 5, NULL, intern_get(&t->strings, i));
    otlp_out_end_list(o);
}

void otlp_tables_write_value(struct otlp_out *o, const struct slice *text, uint64_t number)
{
    otlp_out_open(o, 2, "value");
    if (text)
        otlp_out_text(o, 1, "stringValue", *text);
    else
        otlp_out_wide(o, 3, "intValue", number);
    otlp_out_close(o);
}

static void write_attributes(const struct otlp_tables *t, struct otlp_out *o)
{
    otlp_out_list(o, "attributeTable");
    for (uint32_t i = 0; i < intern_count(&t->attributes); i++) {
        struct attribute a;
        struct slice text;

        get_entry(&t->attributes, i, &a, sizeof(a));
        otlp_out_open(o, 6, NULL);
        otlp_out_number(o, 1, "keyStrindex", a.key);
        text = a.text == IS_NUMBER ? SLICE("") : intern_get(&t->strings, a.text);
        if (a.key)
            otlp_tables_write_value(o, a.text == IS_NUMBER ? NULL : &text, a.number);
        otlp_out_close(o);
    }
    otlp_out_end_list(o);
}

static void write_stacks(const struct otlp_tables *t, struct otlp_out *o)
{
    otlp_out_list(o, "stackTable");
    otlp_out_open(o, 7, NULL);
    otlp_out_close(o);
    for (uint32_t node = 1; node < t->trie.count && !o->stream->stopped; node++) {
        if (!t->stack[node])
            continue;
        otlp_out_open(o, 7, NULL);
        otlp_out_packed(o, 1, "locationIndices");
        for (uint32_t i = node; i != STACK_ROOT; i = t->trie.parent[i])
            otlp_out_add(o, t->location[t->trie.symbol[i]]);
        otlp_out_end_packed(o);
        otlp_out_close(o);
    }
    otlp_out_end_list(o);
}

void otlp_tables_write(const struct otlp_tables *t, struct otlp_out *o)
{
    otlp_out_open(o, 2, "dictionary");
    write_mappings(t, o);
    write_locations(t, o);
    write_functions(t, o);
    write_links(o);
    write_strings(t, o);
    write_attributes(t, o);
    write_stacks(t, o);
    otlp_out_close(o);
}
