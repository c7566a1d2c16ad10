#include "input/build/processes.h"

#include "input/build/names.h"

void processes_init(struct processes *p, const struct input_options *options, struct diag *diag)
{
    *p = (struct processes){0};
    addresses_init(&p->binaries, options, diag);
}

void processes_release(struct processes *p)
{
    vec_each (struct process, process, &p->items) {
        symtab_release(&process->maps);
        symtab_release(&process->names);
    }
    release_each(p, (vec, items), (intern, pids), (arena, texts), (addresses, binaries));
}

uint32_t processes_number(struct processes *p, int64_t pid)
{
    uint32_t number = intern_add(&p->pids, slice_make((const char *)&pid, sizeof(pid)));

    if (number == p->items.count)
        *vec_add(&p->items) = (struct process){.pid = pid, .parent = MAP_NONE};
    return number;
}

/* Returns a process, valid until another one is added. */
static struct process *get(struct processes *p, int64_t pid)
{
    uint32_t number = processes_number(p, pid);

    return &p->items.items[number];
}

void processes_name(struct processes *p, int64_t pid, struct slice command)
{
    struct process *process = get(p, pid);
    struct slice word;

    if (slice_word(&command, &word))
        process->name = arena_copy(&p->texts, names_module_base(word));
}

void processes_fork(struct processes *p, int64_t parent, int64_t child)
{
    uint32_t from = processes_number(p, parent), to = processes_number(p, child);

    if (from != to)
        p->items.items[to].parent = from;
}

void processes_add_map(struct processes *p, int64_t pid, uint64_t start, uint64_t end,
                       uint64_t offset, struct slice path)
{
    struct process_map *map;

    if (end <= start)
        return;
    map = arena_alloc(&p->texts, sizeof(*map));
    *map = (struct process_map){start, {offset, end - start}, arena_copy(&p->texts, path)};
    symtab_add(&get(p, pid)->maps, start, end - start, slice_make((const char *)map, sizeof(*map)),
               SYMTAB_GLOBAL);
}

void processes_add_symbol(struct processes *p, int64_t pid, uint64_t start, uint64_t end,
                          struct slice name)
{
    if (end > start && name.len)
        symtab_add(&get(p, pid)->names, start, end - start, arena_copy(&p->texts, name),
                   SYMTAB_GLOBAL);
}

void processes_sort(struct processes *p)
{
    vec_each (struct process, process, &p->items) {
        symtab_sort_latest(&process->maps);
        symtab_sort(&process->names);
    }
}

/* Returns the process whose maps a process has: its own, or those of the process it forked from. */
static const struct process *with_maps(const struct processes *p, uint32_t number)
{
    enum { MOST = 16 };
    const struct process *process = &p->items.items[number];

    for (int i = 0; i < MOST && !process->maps.symbols.count && process->parent != MAP_NONE; i++)
        process = &p->items.items[process->parent];
    return process;
}

bool processes_frame(struct processes *p, uint32_t number, uint64_t address, struct frame *f)
{
    const struct process *mapped = with_maps(p, number);
    const struct binary_symbol *name = symtab_find(&p->items.items[number].names, address);
    const struct binary_symbol *place = symtab_find(&mapped->maps, address);
    const struct process_map *map = place ? (const void *)place->name.ptr : NULL;

    *f = (struct frame){.address = address, .has_address = true, .kind = FRAME_NATIVE};
    if (map)
        f->module = map->path;
    if (name)
        f->name = name->name;
    else if (map && slice_starts(map->path, SLICE("/")))
        f->name = addresses_find(&p->binaries,
                                 &(struct addresses_binary){.path = map->path, .code = map->part},
                                 ADDRESSES_OFFSET, address - map->start + map->part.offset);
    return name || map || !mapped->maps.symbols.count;
}
