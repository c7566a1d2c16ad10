/*
 * The dependencies of a profile: what its reader looked for besides the input, such as the binaries
 * that a recording names, debug information, maps of compiled code, the kernel's symbols, and
 * further files of a recording.
 *
 * An input gives the same profile as long as its bytes and all its dependencies are unchanged. A
 * missing or unreadable file has a state, too. States are digests of contents (file_state.h), and
 * names are relative to directories that differ between machines, so two machines with the same
 * files record the same dependencies. For the kernel, questions and their answers are recorded:
 * machines with different kernels often give the same answers.
 *
 * A file is recorded before it is read, so a change while it is read counts as a change. The
 * functions below record only if the options of reading have a list.
 */
#ifndef INPUT_CORE_DEPENDENCIES_H
#define INPUT_CORE_DEPENDENCIES_H

#include <pthread.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/blake.h"
#include "base/intern.h"
#include "base/slice.h"
#include "base/vec.h"
#include "input/core/file_state.h"
#include "input/core/options.h"

enum dependency_kind {
    DEPENDENCY_NAMED,    /* a file that the input names (binary_file.h) */
    DEPENDENCY_FILE,     /* any other file; its state is a digest of its bytes */
    DEPENDENCY_LIST,     /* which further files a recording has (recording.h) */
    DEPENDENCY_KALLSYMS, /* the bytes of /proc/kallsyms */
    /* Questions, whether the kernel that runs has this build id, ... */
    DEPENDENCY_KERNEL_ID,
    DEPENDENCY_KERNEL_RELEASE,
    DEPENDENCY_VDSO_ID,
};

/* What the name of a file is relative to. */
enum dependency_root {
    DEPENDENCY_AS_NAMED,
    DEPENDENCY_IN_HOME, /* the user's home directory; without one, there is no such file */
    DEPENDENCY_BESIDE,  /* the directory of the input */
};

struct dependency {
    enum dependency_kind kind;
    enum dependency_root root;
    struct slice name;
    unsigned char state[BLAKE_SIZE]; /* all zeros if there is no such file, or for "no" */
};

/* If an input has more items, they are not compared: each takes at least one system call. */
enum { DEPENDENCIES_MOST = 1 << 16 };

struct dependency_state {
    struct file_identity identity;
    unsigned char state[BLAKE_SIZE];
    bool found, wanted; /* the state is known; a thread is about to find it */
};

/*
 * States that were found during a run, so that several threads find each of them once. They hold
 * while the file's identity is the same.
 */
struct dependencies_memo {
    pthread_mutex_t lock;
    pthread_cond_t found;
    struct intern names;
    VEC(struct dependency_state) files; /* by name */
};

void dependencies_memo_init(struct dependencies_memo *memo);
void dependencies_memo_release(struct dependencies_memo *memo);

/* Zeroed is empty. One thread uses it at a time. */
struct dependencies {
    const char *input;              /* the path of the input; NULL if it has none */
    struct dependencies_memo *memo; /* NULL to find each state anew */
    struct arena memory;
    VEC(struct dependency) items;
    uint64_t digested; /* bytes of files */
    bool unknown;      /* something was consulted whose state cannot be told, such as a server */
};

void dependencies_release(struct dependencies *c);

/* Returns the user's home directory, or "" if there is none. */
const char *dependencies_home(void);

/*
 * Open a file and add it: one that the input names, as the options say and as binary_file_open()
 * does, or any other regular file. `path` is below the directory that `root` means. They return a
 * descriptor that reads from the start, or -1.
 */
int dependencies_open_named(const struct input_options *o, enum dependency_root root,
                            const char *path);
int dependencies_open_file(const struct input_options *o, enum dependency_root root,
                           const char *path);

/* Adds a file, of one of the first two kinds, that is opened elsewhere after this. */
void dependencies_add(const struct input_options *o, enum dependency_kind kind,
                      enum dependency_root root, const char *path);

/* Adds the list of further files of the recording at `path`. */
void dependencies_add_list(const struct input_options *o, const char *path);

/* Adds /proc/kallsyms, with the bytes that were read; there are none if it cannot be read. */
void dependencies_add_kallsyms(const struct input_options *o, struct slice bytes);

/* Answers a question about the kernel that runs, and adds the answer. */
bool dependencies_ask(const struct input_options *o, enum dependency_kind question,
                      struct slice wanted);

/* Records a dependency whose state cannot be found. */
void dependencies_add_unknown(const struct input_options *o);

/*
 * Returns true if an item, which may have come from anywhere, is now in the state that it has. `c`
 * has the input, the memo and what was digested.
 */
bool dependencies_is_same(struct dependencies *c, const struct input_options *o,
                          const struct dependency *item);

#endif
