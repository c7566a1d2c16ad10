/*
 * Binaries: their build ids, the addresses of their bytes, and their symbols.
 *
 * The names of symbols point into the binary, so it must outlive its symbols. Of a damaged
 * binary, the readable parts are used.
 */
#ifndef INPUT_BUILD_BINARY_H
#define INPUT_BUILD_BINARY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/slice.h"
#include "input/build/symtab.h"

struct Elf;

struct binary {
    int fd; /* -1 if the binary is in memory */
    struct Elf *elf;
    void *memory; /* of a binary that was unpacked, else NULL */
};

/* A part of a file that was mapped. */
struct binary_part {
    uint64_t offset, size; /* in bytes; a size of 0 means that it is unknown */
};

/* Takes over a descriptor, or -1. Returns false if it is no binary's; `e` is then released. */
bool binary_open(struct binary *e, int fd);
/* Reads a binary from memory, which must outlive it. */
bool binary_open_memory(struct binary *e, struct slice bytes);
/* Opens the packed binary in .gnu_debugdata, which has further symbols. */
bool binary_open_embedded(struct binary *e, const struct binary *outer);
void binary_release(struct binary *e);

/* The build id, empty if there is none. Points into the binary. */
struct slice binary_build_id(const struct binary *e);
/* The name of the file with debug information that .gnu_debuglink gives, or an empty slice. */
struct slice binary_debuglink(const struct binary *e);
/* The bytes of a section, empty if there is none. Points into the binary. */
struct slice binary_section(const struct binary *e, const char *name);
/* Whether its numbers are not in this machine's byte order. */
bool binary_is_swapped(const struct binary *e);
bool binary_has_symtab(const struct binary *e);

/* The address of the byte at an offset of the file, in the part that is executed if possible. */
bool binary_address(const struct binary *e, uint64_t offset, uint64_t *address);
/* The address of the first part that is in memory. Returns false if none is. */
bool binary_base(const struct binary *e, uint64_t *base);
/* The address after the last code: what linkers call `etext`. Returns false without sections. */
bool binary_code_end(const struct binary *e, uint64_t *end);
/* Whether a map of that part of the file, which has code, can be one of this binary. */
bool binary_fits(const struct binary *e, struct binary_part code);
/* What the address of a byte in memory adds to the address in the binary, for a map of it. */
bool binary_bias(const struct binary *e, uint64_t start, uint64_t offset, uint64_t *bias);

/*
 * Adds the symbols of .symtab and .dynsym in `from`. `image` is the binary that runs, which
 * has the segments; it may be `from` itself.
 */
void binary_add_symbols(const struct binary *from, const struct binary *image, struct symtab *t);
/*
 * Adds the entries of the PLT as "NAME@plt", copied into `names`. An entry without a symbol calls a
 * function that another one chooses at run time, and has the name of that one in `t`, to which the
 * symbols must have been added. Entries of .plt.got are added for x86-64 alone.
 */
void binary_add_plt(const struct binary *e, struct arena *names, struct symtab *t);

#endif
