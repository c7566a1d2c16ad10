/*
 * Work of accelerators in a trace: the stacks that launched it.
 *
 * Kineto, PyTorch's tracer, writes the work of a device (kernels, copies, fills) as slices of the
 * category "kernel" and others, with the device as process and the stream as thread; Nsight Systems
 * has tables of it. The slice of the call that queued the work, such as cudaLaunchKernel, has the
 * same "correlation". The stack of the work is what encloses the launch at its begin, a separator,
 * and the kernel:
 *
 *     GPU 0;thread 12;train.py(9): step;aten::mm;cudaLaunchKernel;-;gemm
 *
 * Threads are the first frames if there are several, and devices before them if there are several.
 * Work without a launch in the recording is below "[unknown launch]".
 *
 * The events of a file come in any order: launches and work are sorted by correlation, in bounded
 * memory (trace_sort.h); then each piece of work is a question to the slices, at the time and in
 * the thread of its launch (trace_slices.h). A piece of work counts at the time of its launch.
 * Memory follows the distinct stacks and names.
 *
 * Source: libkineto/src/output_json.cpp of pytorch/kineto, and its traces.
 */
#ifndef INPUT_BUILD_TRACE_DEVICE_H
#define INPUT_BUILD_TRACE_DEVICE_H

#include "input/build/trace_slices.h"

#define TRACE_DEVICE_NONE UINT32_MAX
/* The event of the slices of threads, in a trace that has work of a device. */
#define TRACE_DEVICE_CPU_TIME "CPU time"

/* What an event of a category is. */
enum trace_device_role {
    TRACE_OTHER,
    TRACE_KERNEL, /* work of a device */
    TRACE_COPY,   /* work of a device that is no kernel: a copy, a fill */
    TRACE_LAUNCH, /* a call that may have queued work */
    TRACE_SPAN,   /* contains idle time, and must not count */
};

/* Work that counts for the same frames, except for the stack of its launch. */
struct trace_work {
    uint32_t stream; /* thread of the device, or TRACE_DEVICE_NONE for memory */
    uint32_t device; /* process */
    uint32_t entry;  /* of the builder: the kernel */
    uint32_t launch; /* entry of a launch that takes no time, or TRACE_DEVICE_NONE */
    bool is_kernel;
    uint64_t lost_ns, lost; /* without a launch */
    bool ready;             /* the series are known: */
    uint32_t time, kernels;
};

/* The stacks below a device: indexed by the stack without it, 0 if it was not made. */
struct trace_moved VEC_OF(uint32_t);

struct trace_device {
    struct builder *builder;
    struct trace_threads *threads;
    struct trace_slices *slices;
    struct trace_sort pairs; /* launches and work by correlation */
    struct trace_sort times; /* work by device and time */
    struct intern keys;      /* of works, without lost_ns and what follows */
    VEC(struct trace_work) works;
    VEC(struct trace_moved) moved; /* indexed by device */
    bool several;                  /* devices: each is a first frame */
    VEC(uint32_t) climb;
    uint32_t count, launches; /* events of work, and launches */
    int64_t first, last;      /* the range of the recording, ns */
    uint64_t ns, communication_ns;
    uint64_t bad; /* work and launches with impossible times */
};

void trace_device_init(struct trace_device *d, struct builder *builder,
                       struct trace_threads *threads, struct trace_slices *slices);
void trace_device_release(struct trace_device *d);

/* Returns what an event of a category is; `pid` is as written. */
enum trace_device_role trace_device_role(struct slice category, struct slice pid);

/* Notes that something happened from `ns` on, for `length` ns. */
void trace_device_note(struct trace_device *d, int64_t ns, int64_t length);

/*
 * Add an event, times in nanoseconds: work of a device; the launch in a slice that was added, or
 * would have been if it took time; and memory that a thread allocates on a device. `correlation`
 * is NULL if it is unknown. Return false after reporting an error.
 */
bool trace_device_work(struct trace_device *d, uint32_t stream, int64_t ns, int64_t length,
                       struct slice name, bool is_kernel, const int64_t *correlation);
bool trace_device_launch(struct trace_device *d, uint32_t thread, int64_t ns, int64_t length,
                         const struct frame *frame, int64_t correlation);
bool trace_device_memory(struct trace_device *d, uint32_t thread, int64_t ns, struct slice device,
                         uint64_t bytes);

/* True if the trace has work or memory of a device. */
static inline bool trace_device_any(const struct trace_device *d)
{
    return d->works.count > 0;
}

/* Before slices are nested: makes each piece of work a question. Returns false after an error. */
bool trace_device_ask(struct trace_device *d);
/* After it: adds work without a launch, facts, and the order of the series. */
bool trace_device_finish(struct trace_device *d);

#endif
