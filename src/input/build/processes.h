/*
 * The processes of a recording, with what gives names to their addresses.
 *
 * A process has maps, places in memory where files are, and names that the recording itself gives
 * to addresses. Maps and names are added first, in any order; frames are made after
 * processes_sort(). An address has the name that the recording gives, else that of the binary at
 * its map, which is looked for as input/build/addresses.h says. A map that was added later hides
 * earlier ones.
 */
#ifndef INPUT_BUILD_PROCESSES_H
#define INPUT_BUILD_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/vec.h"
#include "input/build/addresses.h"
#include "input/build/frame.h"
#include "input/build/symtab.h"

struct process {
    int64_t pid;
    uint32_t parent;     /* whose maps it has until it has its own; MAP_NONE for none */
    struct slice name;   /* empty if it is not known */
    struct symtab maps;  /* the text of each is a struct process_map */
    struct symtab names; /* of addresses */
};

struct process_map {
    uint64_t start;
    struct binary_part part; /* of the file, which begins with the byte at `start` */
    struct slice path;
};

struct processes {
    struct addresses binaries;
    struct arena texts;
    struct intern pids;
    VEC(struct process) items; /* by number in `pids` */
};

void processes_init(struct processes *p, const struct input_options *options, struct diag *diag);
void processes_release(struct processes *p);

/* Returns the number of a process, which is added if it is new. */
uint32_t processes_number(struct processes *p, int64_t pid);
/* Names a process by its command: "/usr/bin/app --option" is "app". Copies the text. */
void processes_name(struct processes *p, int64_t pid, struct slice command);
void processes_fork(struct processes *p, int64_t parent, int64_t child);
/* Adds a map or a name, whose text is copied. An end that is not after the start is ignored. */
void processes_add_map(struct processes *p, int64_t pid, uint64_t start, uint64_t end,
                       uint64_t offset, struct slice path);
void processes_add_symbol(struct processes *p, int64_t pid, uint64_t start, uint64_t end,
                          struct slice name);

/* Call it after the last of these, and before processes_frame(). */
void processes_sort(struct processes *p);
/*
 * Sets `f` to the frame of an address. Returns false if the process has maps, and the address is in
 * none of them and has no name.
 */
bool processes_frame(struct processes *p, uint32_t number, uint64_t address, struct frame *f);

#endif
