#include "input/formats/dotnet/nettrace_universal.h"

#include <stdlib.h>

#include "base/budget.h"
#include "input/formats/dotnet/nettrace_file.h"

void nettrace_universal_init(struct universal *u, const struct input_options *options,
                             struct diag *diag)
{
    *u = (struct universal){0};
    processes_init(&u->processes, options, diag);
}

void nettrace_universal_release(struct universal *u)
{
    release_each(u, (vec, mappings, symbols), (processes, processes));
}

static struct slice take_text(struct bytes *b)
{
    return bytes_take(b, bytes_u16(b));
}

bool nettrace_universal_read_process(struct universal *u, int64_t pid, struct slice payload)
{
    struct bytes b = bytes_make_little(payload);
    struct slice name;

    dotnet_varint(&b);
    name = take_text(&b);
    if (!b.failed)
        processes_name(&u->processes, pid, name);
    return !b.failed;
}

bool nettrace_universal_read_mapping(struct universal *u, int64_t pid, struct slice payload)
{
    struct bytes b = bytes_make_little(payload);
    uint64_t id = dotnet_varint(&b), start = dotnet_varint(&b), end = dotnet_varint(&b);
    uint64_t offset = dotnet_varint(&b);
    struct slice file = take_text(&b);

    if (b.failed)
        return false;
    processes_add_map(&u->processes, pid, start, end, offset, file);
    *vec_add(&u->mappings) = (struct universal_mapping){id, pid};
    return true;
}

/* Appends "Namespace.Class.Method", or the text itself if it is not the name of a method. */
static struct slice clean_name(struct arena *texts, struct slice name)
{
    struct slice method = name, class;
    size_t module = slice_search(name, SLICE(" [")), end;

    if (!slice_ends(name, SLICE("]")) || module == name.len)
        return arena_copy(texts, name);
    method = slice_skip(name, module);
    end = slice_search(method, SLICE("] "));
    if (end == method.len)
        return arena_copy(texts, name);
    method = slice_skip(method, end + 2);
    method = slice_take(method, slice_find(method, '('));
    end = slice_search(method, SLICE("::"));
    class = slice_take(method, end);
    method = slice_skip(method, end < method.len ? end + 2 : end);
    if (!class.len || !method.len)
        return arena_copy(texts, name);
    return slice_str(arena_printf(texts, "%.*s.%.*s", SLICE_ARG(class), SLICE_ARG(method)));
}

bool nettrace_universal_read_symbol(struct universal *u, struct slice payload)
{
    struct bytes b = bytes_make_little(payload);
    struct universal_symbol symbol;

    dotnet_varint(&b);
    symbol.mapping = dotnet_varint(&b);
    symbol.start = dotnet_varint(&b);
    symbol.end = dotnet_varint(&b);
    symbol.name = take_text(&b);
    if (b.failed)
        return false;
    symbol.name = clean_name(&u->processes.texts, symbol.name);
    *vec_add(&u->symbols) = symbol;
    return true;
}

static int compare_mappings(const void *left, const void *right)
{
    const struct universal_mapping *a = left, *b = right;

    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return (a->pid > b->pid) - (a->pid < b->pid);
}

/* Adds a symbol to each process that has its mapping. */
static void add_symbol(struct universal *u, const struct universal_symbol *symbol)
{
    size_t low = 0, high = u->mappings.count;
    const struct universal_mapping *at;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (u->mappings.items[middle].id < symbol->mapping)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < u->mappings.count && !budget_is_over(); low++) {
        budget_work(1);
        at = &u->mappings.items[low];
        if (at->id != symbol->mapping)
            break;
        if (low && at[-1].id == at->id && at[-1].pid == at->pid)
            continue;
        processes_add_symbol(&u->processes, at->pid, symbol->start, symbol->end, symbol->name);
    }
}

void nettrace_universal_sort(struct universal *u)
{
    if (u->mappings.count)
        qsort(u->mappings.items, u->mappings.count, sizeof(*u->mappings.items), compare_mappings);
    for (size_t i = 0; i < u->symbols.count && !budget_is_over(); i++)
        add_symbol(u, &u->symbols.items[i]);
    processes_sort(&u->processes);
}

struct frame nettrace_universal_frame(struct universal *u, uint32_t process, uint64_t address)
{
    const uint64_t kernel = UINT64_C(0xffff800000000000);
    struct frame f;

    processes_frame(&u->processes, process, address, &f);
    if (address >= kernel) {
        f.class = SYMBOL_KERNEL;
        f.has_class = true;
    }
    if (!slice_starts(f.module, SLICE("/")) || slice_starts(f.module, SLICE("/memfd:")))
        f.kind = FRAME_PLAIN;
    if (!f.module.len)
        f.has_address = false;
    return f;
}
