/*
 * What a reader looked for beside its input: the binaries that a recording names, debug
 * information, maps of compiled code, the kernel's symbols, further files of a recording.
 *
 * What was read from an input is read again in the same way as long as its bytes are the same and
 * all of these are as they were. That a file is not there, or cannot be opened, is a state of it,
 * too. States are those of contents (file_state.h), and names are relative to what may be elsewhere
 * on another machine, so that two machines with the same files note the same. The kernel is
 * asked questions, since machines with different kernels often give the same answers.
 *
 * A file is noted before it is read: then one that changes meanwhile counts as changed. Functions
 * that add do so only if the options have a list.
 */
#ifndef INPUT_CORE_CONSULTED_H
#define INPUT_CORE_CONSULTED_H

#include <pthread.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/blake.h"
#include "base/intern.h"
#include "base/slice.h"
#include "base/vec.h"
#include "input/core/file_state.h"
#include "input/core/options.h"

enum consulted_kind {
    CONSULTED_NAMED,    /* a file that the input names (binary_file.h) */
    CONSULTED_FILE,     /* any other file; its state is a digest of its bytes */
    CONSULTED_LIST,     /* which further files a recording has (recording.h) */
    CONSULTED_KALLSYMS, /* the bytes of /proc/kallsyms */
    /* Questions, whether the kernel that runs has this build id, ... */
    CONSULTED_KERNEL_ID,
    CONSULTED_KERNEL_RELEASE,
    CONSULTED_VDSO_ID,
};

/* What the name of a file is relative to. */
enum consulted_root {
    CONSULTED_AS_NAMED,
    CONSULTED_IN_HOME, /* the user's home directory; without one, there is no such file */
    CONSULTED_BESIDE,  /* the directory of the input */
};

struct consulted_item {
    enum consulted_kind kind;
    enum consulted_root root;
    struct slice name;
    unsigned char state[BLAKE_SIZE]; /* all zeros if there is no such file, or for "no" */
};

/* If an input has more items, they are not compared: each takes at least one system call. */
enum { CONSULTED_MOST = 1 << 16 };

struct consulted_known {
    struct file_identity identity;
    unsigned char state[BLAKE_SIZE];
    bool found, wanted; /* the state is known; a thread is about to find it */
};

/*
 * States that were found during a run, so that several threads find each of them once. They hold
 * while the file's identity is the same.
 */
struct consulted_memo {
    pthread_mutex_t lock;
    pthread_cond_t found;
    struct intern names;
    VEC(struct consulted_known) files; /* by name */
};

void consulted_memo_init(struct consulted_memo *memo);
void consulted_memo_release(struct consulted_memo *memo);

/* Zeroed is empty. One thread uses it at a time. */
struct consulted {
    const char *input;           /* the path of the input; NULL if it has none */
    struct consulted_memo *memo; /* NULL to find each state anew */
    struct arena memory;
    VEC(struct consulted_item) items;
    uint64_t digested; /* bytes of files */
    bool unknown;      /* something was consulted whose state cannot be told, such as a server */
};

void consulted_release(struct consulted *c);

/* Returns the user's home directory, or "" if there is none. */
const char *consulted_home(void);

/*
 * Open a file and add it: one that the input names, as the options say and as binary_file_open()
 * does, or any other regular file. `path` is below the directory that `root` means. They return a
 * descriptor that reads from the start, or -1.
 */
int consulted_open_named(const struct input_options *o, enum consulted_root root, const char *path);
int consulted_open_file(const struct input_options *o, enum consulted_root root, const char *path);

/* Adds a file, of one of the first two kinds, that is opened elsewhere after this. */
void consulted_add(const struct input_options *o, enum consulted_kind kind,
                   enum consulted_root root, const char *path);

/* Adds the list of further files of the recording at `path`. */
void consulted_add_list(const struct input_options *o, const char *path);

/* Adds /proc/kallsyms, with the bytes that were read; there are none if it cannot be read. */
void consulted_add_kallsyms(const struct input_options *o, struct slice bytes);

/* Answers a question about the kernel that runs, and adds the answer. */
bool consulted_ask(const struct input_options *o, enum consulted_kind question,
                   struct slice wanted);

/* Notes that something else was consulted. */
void consulted_add_unknown(const struct input_options *o);

/*
 * Returns true if an item, which may have come from anywhere, is now in the state that it has. `c`
 * has the input, the memo and what was digested.
 */
bool consulted_is_same(struct consulted *c, const struct input_options *o,
                       const struct consulted_item *item);

#endif
