/*
 * Symbols that a recording has with it: what simpleperf record adds to perf.data in sections of its
 * own, because the binaries of the device are rarely where the recording is read.
 *
 * Each file of the recording has its symbols and says which address is at which offset of the file.
 *
 * Source: record_file_format.h and record_file.proto of system/extras/simpleperf in Android.
 */
#ifndef INPUT_FORMATS_PERF_PERF_RECORDED_H
#define INPUT_FORMATS_PERF_PERF_RECORDED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "input/build/symtab.h"
#include "input/parse/bytes.h"

enum perf_recorded_kind {
    PERF_RECORDED_KERNEL,
    PERF_RECORDED_KERNEL_MODULE,
    PERF_RECORDED_ELF,
    PERF_RECORDED_DEX,
    PERF_RECORDED_MAP, /* of code compiled at run time */
};

struct perf_recorded_file {
    struct slice path;
    uint32_t kind;           /* enum perf_recorded_kind, or greater for a file that is not known */
    uint64_t address, place; /* an address in the file and the offset of its byte */
    bool is_message;         /* the symbols are fields of a protobuf message */
    uint32_t count;          /* of symbols, else */
    struct bytes symbols;
};

struct perf_recorded {
    struct map index; /* by path */
    VEC(struct perf_recorded_file) files;
};

void perf_recorded_release(struct perf_recorded *r);

/* Reads the files of a section, of the old or the new form. The bytes must outlive `r`. */
void perf_recorded_read(struct perf_recorded *r, struct bytes section, bool of_messages);

/* The first file with a path, or NULL. */
const struct perf_recorded_file *perf_recorded_find(const struct perf_recorded *r,
                                                    struct slice path);

/* Adds the symbols of a file, at their addresses in the file. */
void perf_recorded_add_symbols(const struct perf_recorded_file *f, struct symtab *t);

/* Returns the address in the file of the byte at `offset`, which is at `in_memory` in memory. */
uint64_t perf_recorded_address(const struct perf_recorded_file *f, uint64_t offset,
                               uint64_t in_memory);

#endif
