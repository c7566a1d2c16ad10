/*
 * The processes and threads of a trace: numbers as the events write them, and
 * names, which may come at any time.
 *
 * If a graph has stacks of several threads, their first frames are the names of
 * the process, the thread or both, as far as these differ.
 */
#ifndef INPUT_BUILD_TRACE_THREADS_H
#define INPUT_BUILD_TRACE_THREADS_H

#include "input/build/builder.h"

struct trace_thread {
    struct slice pid, tid; /* as written; empty if missing */
    uint32_t process;
    struct slice name;
    bool covered; /* its slices repeat the time of others: trace_threads_cover() */
};

struct trace_process {
    struct slice name, label; /* the label tells a device: "GPU 0" */
    bool seen;                /* scratch of trace_threads_mix() and trace_threads_cover() */
};

struct trace_threads {
    struct intern keys;  /* a pid, a NUL and a tid; the intern id is the thread's index */
    struct intern pids;  /* the intern id is the process's index */
    struct intern texts; /* names */
    struct buf key;
    uint32_t last; /* the thread returned last */
    VEC(struct trace_thread) threads;
    VEC(struct trace_process) processes;
};

/* Which names are the first frames of a graph. */
struct trace_mix {
    bool processes, threads;
};

void trace_threads_release(struct trace_threads *t);

/* Returns the index of a thread, added if it is new. */
uint32_t trace_threads_get(struct trace_threads *t, struct slice pid, struct slice tid);

void trace_threads_name(struct trace_threads *t, uint32_t thread, struct slice name);
void trace_threads_label_process(struct trace_threads *t, uint32_t thread, struct slice label);
void trace_threads_name_process(struct trace_threads *t, uint32_t thread, struct slice name);

/*
 * Finds the threads whose slices must not count: XLA, which JAX and TensorFlow use, writes the time
 * of a device by step, by module and by operation, each as a thread of a process "/device:TPU:0".
 * Only the operations count.
 */
void trace_threads_cover(struct trace_threads *t);

/* Decides on the first frames of a graph with the threads for which `in` is true. */
struct trace_mix trace_threads_mix(struct trace_threads *t, const bool *in,
                                   const struct input_options *options);
/* Makes the stack of these first frames. Returns false after reporting an error. */
bool trace_threads_root(const struct trace_threads *t, uint32_t thread, struct trace_mix mix,
                        struct builder *b, uint32_t *stack);

/* Appends a frame to a stack: the name, or "WHAT NUMBER". Returns false after an error. */
bool trace_threads_frame(struct builder *b, struct slice name, const char *what,
                         struct slice number, uint32_t *stack);

/* Returns the origin of a thread's samples. */
struct origin trace_threads_origin(const struct trace_threads *t, uint32_t thread,
                                   struct slice event);

#endif
