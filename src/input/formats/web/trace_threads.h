/*
 * The processes and threads of a trace: numbers as the events write them, and
 * names that may come at any time.
 *
 * Where stacks of several threads are in one graph, the name of the process,
 * the thread or both comes first, as far as it tells them apart.
 */
#ifndef INPUT_FORMATS_WEB_TRACE_THREADS_H
#define INPUT_FORMATS_WEB_TRACE_THREADS_H

#include "input/build/builder.h"

struct trace_thread {
    struct slice pid, tid; /* as written; empty where not */
    uint32_t process;
    struct slice name;
};

struct trace_process {
    struct slice name;
    bool seen; /* while the threads of a graph are counted */
};

struct trace_threads {
    struct intern keys;  /* a pid, a NUL and a tid; its number is the thread's index */
    struct intern pids;  /* its number is the process's index */
    struct intern texts; /* names */
    struct buf key;
    uint32_t last; /* the thread that was asked for last */
    VEC(struct trace_thread) threads;
    VEC(struct trace_process) processes;
};

/* Which names come first in the stacks of a graph. */
struct trace_mix {
    bool processes, threads;
};

void trace_threads_init(struct trace_threads *t);
void trace_threads_release(struct trace_threads *t);

/* The index of a thread. */
uint32_t trace_threads_get(struct trace_threads *t, struct slice pid, struct slice tid);

void trace_threads_name(struct trace_threads *t, uint32_t thread, struct slice name);
void trace_threads_name_process(struct trace_threads *t, uint32_t thread, struct slice name);

/* What to put first where those threads for which `in` is true are in one graph. */
struct trace_mix trace_threads_mix(struct trace_threads *t, const bool *in,
                                   const struct input_options *options);
/* The stack of those first frames. False where told. */
bool trace_threads_root(const struct trace_threads *t, uint32_t thread, struct trace_mix mix,
                        struct builder *b, uint32_t *stack);

/* Whose samples those of a thread are. */
struct origin trace_threads_origin(const struct trace_threads *t, uint32_t thread,
                                   struct slice event);

#endif
