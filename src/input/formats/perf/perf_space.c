#include "input/formats/perf/perf_space.h"

void perf_spaces_init(struct perf_spaces *s)
{
    *s = (struct perf_spaces){.version = 1};
    *vec_add(&s->spaces) = (struct perf_space){.users = 1, .version = ++s->version};
}

void perf_spaces_release(struct perf_spaces *s)
{
    vec_each (struct perf_space, space, &s->spaces) {
        release_all(space, vec, below, above);
    }
    release_each(s, (vec, spaces, threads, processes, pids, free_spaces),
                 (map, thread_index, process_index), (buf, scratch), (arena, texts));
}

/* ---- spaces ---------------------------------------------------------------------------------- */

static size_t count_maps(const struct perf_space *space)
{
    return space->below.count + space->above.count;
}

/* The map at an index, by rising addresses. */
static const struct perf_map *map_at(const struct perf_space *space, size_t i)
{
    return i < space->below.count ? &space->below.items[i]
                                  : &space->above.items[count_maps(space) - 1 - i];
}

static uint32_t add_space(struct perf_spaces *s)
{
    uint32_t id = (uint32_t)s->spaces.count;

    if (s->free_spaces.count)
        id = s->free_spaces.items[--s->free_spaces.count];
    else
        *vec_add(&s->spaces) = (struct perf_space){0};
    s->spaces.items[id].users = 1;
    s->spaces.items[id].version = ++s->version;
    return id;
}

static void leave_space(struct perf_spaces *s, uint32_t id)
{
    struct perf_space *space = &s->spaces.items[id];

    if (--space->users)
        return;
    s->map_count -= count_maps(space);
    release_all(space, vec, below, above);
    *vec_add(&s->free_spaces) = id;
}

/* The space of a process for a change: its own, not shared. */
static struct perf_space *own_space(struct perf_spaces *s, uint32_t process)
{
    uint32_t old = s->processes.items[process], id = old;

    if (s->spaces.items[old].users > 1) {
        struct perf_space *from, *to;

        id = add_space(s);
        from = &s->spaces.items[old];
        to = &s->spaces.items[id];
        vec_reserve(&to->below, count_maps(from));
        for (size_t i = 0; i < count_maps(from); i++)
            *vec_add(&to->below) = *map_at(from, i);
        s->map_count += count_maps(from);
        from->users--;
        s->processes.items[process] = id;
    }
    s->spaces.items[id].version = ++s->version;
    return &s->spaces.items[id];
}

/* Index of the first map that ends after an address. */
static size_t find_end(const struct perf_space *space, uint64_t address)
{
    size_t low = 0, high = count_maps(space);

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (map_at(space, middle)->end > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

const struct perf_map *perf_space_find(const struct perf_space *space, uint64_t address)
{
    size_t at = find_end(space, address);

    return at < count_maps(space) && map_at(space, at)->start <= address ? map_at(space, at) : NULL;
}

/* Moves maps between `below` and `above` until `below` has `at` maps. Returns how many moved. */
static size_t divide(struct perf_space *space, size_t at)
{
    size_t before = space->below.count;

    while (space->below.count > at)
        *vec_add(&space->above) = space->below.items[--space->below.count];
    while (space->below.count < at)
        *vec_add(&space->below) = space->above.items[--space->above.count];
    return before > at ? before - at : at - before;
}

static bool add_map(struct perf_spaces *s, struct perf_space *space, const struct perf_map *map)
{
    size_t at = find_end(space, map->start), end = at, count = 0;
    size_t before = count_maps(space);
    struct perf_map parts[3];

    if (map->end <= map->start)
        return true;
    while (end < before && map_at(space, end)->start < map->end)
        end++;
    if (at < end && map_at(space, at)->start < map->start) {
        parts[count] = *map_at(space, at);
        parts[count++].end = map->start;
    }
    parts[count++] = *map;
    if (at < end && map_at(space, end - 1)->end > map->end) {
        parts[count] = *map_at(space, end - 1);
        parts[count].offset += map->end - parts[count].start;
        parts[count++].start = map->end;
    }
    s->moves += divide(space, at);
    space->above.count -= end - at;
    for (size_t i = 0; i < count; i++)
        *vec_add(&space->below) = parts[i];
    s->map_count += count_maps(space) - before;
    return s->map_count <= PERF_MAPS_MOST && s->moves <= PERF_MOVES_MOST;
}

/* ---- processes and threads ------------------------------------------------------------------- */

static bool same_pid(const void *context, uint32_t id, const void *key)
{
    return ((const struct perf_spaces *)context)->pids.items[id] == *(const uint32_t *)key;
}

static uint32_t find_process(struct perf_spaces *s, uint32_t pid)
{
    uint64_t hash = map_hash_pair(&s->process_index, pid, 0);
    uint32_t id = map_find(&s->process_index, hash, same_pid, s, &pid);

    if (id != MAP_NONE)
        return id;
    id = (uint32_t)s->pids.count;
    *vec_add(&s->pids) = pid;
    *vec_add(&s->processes) = add_space(s);
    map_add(&s->process_index, hash, id);
    return id;
}

static bool same_tid(const void *context, uint32_t id, const void *key)
{
    return ((const struct perf_spaces *)context)->threads.items[id].tid == *(const uint32_t *)key;
}

static void set_comm(struct perf_spaces *s, struct perf_thread *t, struct slice comm)
{
    comm = slice_trim(comm);
    if (!slice_equal(t->comm, comm))
        t->comm = arena_copy(&s->texts, comm);
}

/* The name of a thread that the recording does not name, as perf prints it. */
static void set_unknown_comm(struct perf_spaces *s, struct perf_thread *t)
{
    struct buf name = {0};

    if (t->tid)
        buf_printf(&name, ":%d", (int32_t)t->tid);
    else
        buf_add_str(&name, "swapper");
    set_comm(s, t, buf_slice(&name));
    buf_release(&name);
}

struct perf_thread *perf_spaces_thread(struct perf_spaces *s, uint32_t pid, uint32_t tid)
{
    uint64_t hash = map_hash_pair(&s->thread_index, tid, 0);
    uint32_t id = map_find(&s->thread_index, hash, same_tid, s, &tid);
    struct perf_thread *t;

    if (id != MAP_NONE && s->threads.items[id].pid == pid)
        return &s->threads.items[id];
    if (id == MAP_NONE) {
        id = (uint32_t)s->threads.count;
        *vec_add(&s->threads) = (struct perf_thread){0};
        map_add(&s->thread_index, hash, id);
    }
    t = &s->threads.items[id];
    *t = (struct perf_thread){.pid = pid, .tid = tid, .process = find_process(s, pid)};
    set_unknown_comm(s, t);
    return t;
}

void perf_spaces_comm(struct perf_spaces *s, uint32_t pid, uint32_t tid, struct slice comm)
{
    struct perf_thread *t = perf_spaces_thread(s, pid, tid);

    if (slice_trim(comm).len)
        set_comm(s, t, comm);
}

void perf_spaces_fork(struct perf_spaces *s, const struct perf_fork *fork, bool shares)
{
    const struct perf_thread *parent = perf_spaces_thread(s, fork->parent_pid, fork->parent_tid);
    uint32_t process = parent->process;
    struct slice comm = parent->comm;
    struct perf_thread *t = perf_spaces_thread(s, fork->pid, fork->tid);

    set_comm(s, t, comm);
    if (t->process == process || !shares)
        return;
    leave_space(s, s->processes.items[t->process]);
    s->processes.items[t->process] = s->processes.items[process];
    s->spaces.items[s->processes.items[process]].users++;
}

bool perf_spaces_map(struct perf_spaces *s, uint32_t pid, const struct perf_map *map)
{
    return add_map(s, own_space(s, find_process(s, pid)), map);
}

bool perf_spaces_map_kernel(struct perf_spaces *s, const struct perf_map *map)
{
    struct perf_space *space = &s->spaces.items[PERF_KERNEL_SPACE];

    space->version = ++s->version;
    return add_map(s, space, map);
}
