/*
 * Takes away the rights that a run does not need, so that hostile input that finds
 * a fault in a reader reaches nothing.
 *
 * After sandbox_enter() the thread, and all threads that it creates, read only the
 * files and directories of the sandbox, write only below its one directory, and
 * use no network, start no program and reach no other process (cli/syscalls.h).
 * Descriptors that are open stay usable. Files are restricted by Landlock, Linux
 * 5.13 or later. On a kernel without Landlock or without filters for system calls
 * that part is left out silently. Rights never come back, so a process enters at
 * most one sandbox; the library never does.
 */
#ifndef CLI_SANDBOX_H
#define CLI_SANDBOX_H

#include <stdbool.h>

#include "options/options.h"

struct sandbox {
    struct strings readable; /* files and directories; those that do not exist are ignored */
    const char *writable;    /* a directory that is also readable; NULL for none */
};

/* True if the kernel has Landlock, so that a sandbox restricts files. */
bool sandbox_restricts_files(void);

/* Why files, or system calls, are not restricted although the kernel could; or NULL. */
struct sandbox_obstacles {
    const char *files, *calls;
};

struct sandbox_obstacles sandbox_enter(const struct sandbox *s);

#endif
