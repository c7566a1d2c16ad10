/*
 * Binaries: their build ids, the addresses of their bytes, and their symbols.
 *
 * The names of symbols point into the binary, so it must outlive its symbols. Damaged binaries
 * have what could be read of them.
 */
#ifndef INPUT_FORMATS_PERF_PERF_ELF_H
#define INPUT_FORMATS_PERF_PERF_ELF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/slice.h"
#include "input/formats/perf/perf_symtab.h"

struct Elf;

struct perf_elf {
    int fd; /* -1 if the binary is in memory */
    struct Elf *elf;
    void *memory; /* of a binary that was unpacked, else NULL */
};

/* Takes over a descriptor, or -1. Returns false if it is no binary's; `e` is then released. */
bool perf_elf_open(struct perf_elf *e, int fd);
/* Reads a binary from memory, which must outlive it. */
bool perf_elf_open_memory(struct perf_elf *e, struct slice bytes);
/* Opens the packed binary in .gnu_debugdata, which has further symbols. */
bool perf_elf_open_embedded(struct perf_elf *e, const struct perf_elf *outer);
void perf_elf_release(struct perf_elf *e);

/* The build id, empty if there is none. Points into the binary. */
struct slice perf_elf_build_id(const struct perf_elf *e);
/* The name of the file with debug information that .gnu_debuglink gives, or an empty slice. */
struct slice perf_elf_debuglink(const struct perf_elf *e);
bool perf_elf_has_symtab(const struct perf_elf *e);

/* The address of the byte at an offset of the file, in the part that is executed if possible. */
bool perf_elf_address(const struct perf_elf *e, uint64_t offset, uint64_t *address);
/* What the address of a byte in memory adds to the address in the binary, for a map of it. */
bool perf_elf_bias(const struct perf_elf *e, uint64_t start, uint64_t offset, uint64_t *bias);

/*
 * Adds the symbols of .symtab and .dynsym in `from`. `image` is the binary that runs, which
 * has the segments; it may be `from` itself.
 */
void perf_elf_add_symbols(const struct perf_elf *from, const struct perf_elf *image,
                          struct perf_symtab *t);
/* Adds the entries of the PLT as "NAME@plt", copied into `names`. */
void perf_elf_add_plt(const struct perf_elf *e, struct arena *names, struct perf_symtab *t);

#endif
