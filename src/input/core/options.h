/*
 * What the user may change about reading.
 *
 * The limits keep a hostile file from taking the machine. Their defaults are
 * such that no honest profile meets them, and a message that a limit was met
 * names the option that raises it.
 */
#ifndef INPUT_CORE_OPTIONS_H
#define INPUT_CORE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum input_names {
    NAMES_CLEAN,     /* names as a person would write them */
    NAMES_REFERENCE, /* exactly as the format's reference converter prints them */
};

/* Whether inlined functions are looked up in the binaries of a recording. */
enum input_inlining {
    INLINING_AUTO, /* for stacks that are unwound, as perf script does */
    INLINING_ON,
    INLINING_OFF,
};

struct input_limits {
    uint64_t max_size;   /* bytes of a file after decompression (--max-size) */
    uint64_t max_memory; /* bytes of memory in use while one file is read (--max-memory) */
    uint64_t held;       /* bytes of `max_memory` that earlier inputs of the same graph take */
    uint64_t max_work;   /* steps of work that building its stacks takes (--max-work) */
    uint64_t max_line;   /* bytes of one line (--max-line) */
    uint32_t max_name;   /* bytes of one function name; what is longer is cut (--max-name) */
    uint32_t max_depth;  /* frames of one stack; those nearest the leaf stay (--max-frames) */
    uint32_t max_stacks; /* nodes of the trie of all stacks (--max-stacks) */
};

struct dependencies;

struct input_options {
    enum input_names names;
    bool no_demangling;   /* mangled names stay as they are; reference names always do */
    bool strip_addresses; /* "0x7fa4" in a name becomes "0x..." */
    bool pid, tid;        /* the first frame is "comm-PID", "comm-PID/TID" */
    /* Frames get their class. It is part of a symbol's identity: with it, a name that the kernel
     * and a program share is two symbols. */
    bool kernel, jit, inlined;
    bool join_states;     /* except for the ways in which a virtual machine ran it */
    bool addrs;           /* the address is kept if there is no symbol: "[libc.so.6 <7f1e>]" */
    const char *symfs;    /* directory below which binaries of a recording are; NULL for / */
    const char *program;  /* the program that wrote a gmon.out file; NULL to look beside the file */
    bool debuginfod;      /* files that are missing may be fetched (input/build/symbol_server.h) */
    const char *kallsyms; /* file with the kernel's symbols, as /proc/kallsyms; NULL for none */
    enum input_inlining inlining;
    bool srcline;     /* ":file:line" is part of a name if the input has it */
    bool keeps_lines; /* lines that are part of names in the input stay there; with srcline, too */
    /* Names or numbers of the processes and threads to read; no filter reads all of them. */
    const char *const *processes, *const *threads;
    size_t process_count, thread_count;
    const char *const *states; /* states of threads to read (input/build/thread_state.h) */
    size_t state_count;
    const char *const *tags; /* "KEY=VALUE": labels of samples to read (input/build/origin.h) */
    size_t tag_count;
    bool chains;  /* from a scheduler's trace, the wakers' wakers as well */
    bool wakeups; /* time by waker alone as well */
    bool split_process, split_thread, split_cpu, split_cgroup; /* a series for each */
    const char *split_tag; /* a series for each value of this label; or NULL */
    bool by_run;           /* a series for each run of an input that keeps several */
    bool pictures;         /* pictures of profiles are read; else they are no profiles */
    bool mark_idle;        /* stacks that the input says are idle end in a frame "(idle)" */
    bool timed;            /* the samples are kept one by one (profile/timed_sample.h) */
    /*
     * Opens a file that an input names, such as a binary. If this is NULL, readers call
     * binary_file_open() instead.
     */
    int (*open_named)(void *context, const char *path);
    /* Asks the servers of debuginfod. If it is NULL, readers call symbol_server_fetch() instead. */
    int (*fetch)(void *context, bool executable, struct slice build_id, struct buf *out_why);
    void *open_context;
    struct dependencies
        *dependencies; /* what is looked for beside the input; NULL to note nothing */
    struct input_limits limits;
};

/* Clean names, no annotation, every event, the default limits. */
struct input_options input_options_default(void);

#endif
