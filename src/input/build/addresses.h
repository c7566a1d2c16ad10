/*
 * Names for addresses of which an input knows only the binary: by its path, its build id or both.
 *
 * Each binary is looked for at the first of its addresses, as code_file.h says, and once.
 */
#ifndef INPUT_BUILD_ADDRESSES_H
#define INPUT_BUILD_ADDRESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/vec.h"
#include "input/build/code_file.h"

struct addresses {
    struct code_files files;
    struct intern keys;          /* paths and build ids */
    VEC(struct code_file) items; /* by key */
    VEC(bool) loaded;            /* by key */
    struct buf key;
};

enum addresses_kind {
    ADDRESSES_OFFSET,  /* of a byte in the file */
    ADDRESSES_VIRTUAL, /* as the binary itself counts */
    ADDRESSES_BASE,    /* from where the first of its segments is */
};

void addresses_init(struct addresses *a, const struct input_options *options, struct diag *diag);
void addresses_release(struct addresses *a);

/* A binary as an input knows it. */
struct addresses_binary {
    struct slice path, build_id; /* empty if unknown */
    struct binary_part code;     /* where the map with the address lies in the file */
};

/* Returns the name of the symbol at an address of a binary, or an empty slice. */
struct slice addresses_find(struct addresses *a, const struct addresses_binary *binary,
                            enum addresses_kind kind, uint64_t address);

/* Reports the addresses that have no name, as code_files_report() does. */
void addresses_report(struct addresses *a, struct profile *profile);

/* Appends the bytes of a build id that is written in hexadecimal; nothing if it is none. */
void addresses_add_id(struct buf *out, struct slice hex);

#endif
