/*
 * What a reader looked for beside its input: the binaries that a recording names, debug
 * information, maps of compiled code, the kernel's symbols, further files of a recording.
 *
 * What was read from an input is read again in the same way as long as its bytes are the same and
 * all of these files are as they were. That a file is not there is a state of it, too. A file has
 * changed if its device, inode, size or times have; those that the kernel makes, such as
 * /proc/kallsyms, always have new times and are compared by their bytes.
 *
 * Readers note a file before they open it: then one that changes meanwhile counts as changed. The
 * functions that take a list do nothing if it is NULL.
 */
#ifndef INPUT_CORE_CONSULTED_H
#define INPUT_CORE_CONSULTED_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/blake.h"
#include "base/slice.h"
#include "base/vec.h"

struct consulted_file {
    const char *path;
    bool by_bytes;                   /* the state is a digest of the bytes */
    unsigned char state[BLAKE_SIZE]; /* all zeros if there is no such file */
};

/* Zeroed is empty. One thread adds at a time. */
struct consulted {
    struct arena memory;
    VEC(struct consulted_file) files;
    bool unknown; /* something was consulted whose state cannot be told, such as a server */
};

void consulted_release(struct consulted *c);

/* Adds the file, or the directory, at `path` in the state in which it is now. */
void consulted_add(struct consulted *c, const char *path);

/* Returns true for the few files of the kernel that readers read. Others may never end. */
bool consulted_is_of_kernel(const char *path);

/* Adds one of them, with the bytes that were read; there are none if it is not there. */
void consulted_add_bytes(struct consulted *c, const char *path, struct slice bytes);

/* Notes that something else was consulted. */
void consulted_add_unknown(struct consulted *c);

/* Finds the state of a file that consulted_add() adds. */
void consulted_find_state(const char *path, unsigned char state[BLAKE_SIZE]);

/* Finds the state of a file that consulted_add_bytes() adds. */
void consulted_find_state_of_bytes(struct slice bytes, unsigned char state[BLAKE_SIZE]);

#endif
