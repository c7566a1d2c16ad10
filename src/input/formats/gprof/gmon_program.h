/*
 * The functions of the program that wrote a gmon.out file.
 *
 * The file has addresses only. The program is the file of --program, or a file beside gmon.out:
 * the one with the first part of its name ("app" for app.gmon.out and for app.1234, which
 * GMON_OUT_PREFIX=app writes), or a.out. It is used if its code ends where the recorded addresses
 * end. As in gprof, a function extends to the next one.
 */
#ifndef INPUT_FORMATS_GPROF_GMON_PROGRAM_H
#define INPUT_FORMATS_GPROF_GMON_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "input/build/binary.h"
#include "input/core/options.h"

struct gmon_function {
    uint64_t start;
    struct slice name; /* lives as long as the program */
};

struct gmon_program {
    struct binary binary;
    struct arena names;
    VEC(struct gmon_function) functions; /* ascending */
    bool found;
};

/* Finds the program of the recording at `path` (NULL if it has none), whose addresses end there. */
void gmon_program_init(struct gmon_program *p, const struct input_options *options,
                       const char *path, uint64_t end, struct diag *diag);
void gmon_program_release(struct gmon_program *p);

/*
 * Without a program: sorts the addresses, and takes the code from each to the next as a function,
 * which may be several.
 */
struct gmon_addresses VEC_OF(uint64_t);
void gmon_program_guess(struct gmon_program *p, struct gmon_addresses *starts);

/* Returns the number of the function at an address, from 1, or 0 if none begins before it. */
uint32_t gmon_program_find(const struct gmon_program *p, uint64_t address);

#endif
