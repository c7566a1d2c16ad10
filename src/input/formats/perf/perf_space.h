/*
 * Processes, threads and the maps of their address spaces, followed through the records of a
 * recording in the order of time.
 *
 * A thread is found by its number. Threads of a process share a space; a forked process shares
 * the space of its parent until one of them maps something. A space holds maps that do not
 * overlap, in the order of addresses: a new map replaces what it covers. Space 0 is the
 * kernel's. The number of maps in all spaces together is bounded by PERF_MAPS_MOST, and
 * perf_spaces_map() returns false beyond it.
 */
#ifndef INPUT_FORMATS_PERF_PERF_SPACE_H
#define INPUT_FORMATS_PERF_PERF_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/slice.h"
#include "base/vec.h"

enum { PERF_KERNEL_SPACE = 0 };
#define PERF_MAPS_MOST (8u << 20)
/* Maps are moved to make room for others; a recording that asks for more of that is hostile. */
#define PERF_MOVES_MOST (UINT64_C(1) << 30)

/* A module mapped at addresses [start, end), beginning with the byte `offset` of its file. */
struct perf_map {
    uint64_t start, end, offset;
    uint32_t module;
};

/*
 * New maps mostly lie beside the one before, whether the kernel assigns addresses upwards or
 * downwards. So the maps above that place are a list of their own, in falling order: to add a map
 * there moves nothing.
 */
struct perf_space {
    VEC(struct perf_map) below, above;
    uint32_t users;   /* processes that share it */
    uint32_t version; /* changes with the maps; unique among all spaces, above 1 */
};

struct perf_thread {
    uint32_t pid, tid;
    uint32_t process;  /* index into `processes` */
    struct slice comm; /* in `texts` */
};

struct perf_fork {
    uint32_t pid, parent_pid, tid, parent_tid;
};

struct perf_spaces {
    struct arena texts;
    struct buf scratch;
    VEC(struct perf_space) spaces;
    VEC(struct perf_thread) threads;
    struct map thread_index; /* by tid */
    VEC(uint32_t) processes; /* their spaces */
    VEC(uint32_t) pids;
    struct map process_index; /* by pid */
    VEC(uint32_t) free_spaces;
    uint64_t map_count, moves;
    uint32_t version;
};

void perf_spaces_init(struct perf_spaces *s);
void perf_spaces_release(struct perf_spaces *s);

/* The thread with a number, added if it is new; valid until the next call that adds one. */
struct perf_thread *perf_spaces_thread(struct perf_spaces *s, uint32_t pid, uint32_t tid);

/*
 * A thread's new name. If the process has begun another program, the maps of the old one stay
 * until others cover them: a call of exec() still has its caller.
 */
void perf_spaces_comm(struct perf_spaces *s, uint32_t pid, uint32_t tid, struct slice comm);
/*
 * A thread or process that another one has begun, with its name and, if `shares`, its maps: a
 * record that perf made of a process that was running lists the maps later.
 */
void perf_spaces_fork(struct perf_spaces *s, const struct perf_fork *fork, bool shares);

/* Maps a module. Returns false if there are too many maps. */
bool perf_spaces_map(struct perf_spaces *s, uint32_t pid, const struct perf_map *map);
bool perf_spaces_map_kernel(struct perf_spaces *s, const struct perf_map *map);

static inline const struct perf_space *perf_spaces_of(const struct perf_spaces *s,
                                                      const struct perf_thread *t)
{
    return &s->spaces.items[s->processes.items[t->process]];
}

/* The map at an address, or NULL. */
const struct perf_map *perf_space_find(const struct perf_space *space, uint64_t address);

#endif
