/*
 * The modules that a recording names, and the files that have their symbols.
 *
 * A module is a path of the recording's maps with its build id: a binary, the vdso, the kernel or
 * one of its modules, or code compiled at run time, whose symbols are in perf-PID.map. A module
 * is read at the first address that is looked up in it, and once. Its binary is used only if its
 * build id is that of the recording, if the recording has one.
 *
 * Files are opened for reading alone, and only these: the paths of the maps (below --symfs, if
 * that is given); what holds the debug information of these by build id or debug link, in the
 * folders of perf_module_folders(); perf-PID.map in /tmp and beside the recording; the kernel's
 * symbols. Nothing comes from the network, unless --debuginfod is given: then binaries and debug
 * information that are not here are fetched by build id. A file that is missing leaves addresses
 * without symbols.
 */
#ifndef INPUT_FORMATS_PERF_PERF_MODULE_H
#define INPUT_FORMATS_PERF_PERF_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/vec.h"
#include "input/core/options.h"
#include "input/build/code_file.h"
#include "input/formats/perf/perf_header.h"
#include "input/formats/perf/perf_cfi.h"
#include "input/formats/perf/perf_inline.h"
#include "input/formats/perf/perf_space.h"
#include "input/build/symtab.h"
#include "profile/profile.h"

enum perf_module_kind {
    PERF_BINARY,
    PERF_VDSO,
    PERF_JIT,      /* code compiled at run time, described by perf-PID.map */
    PERF_KERNEL,   /* the kernel and its modules */
    PERF_PROGRAM,  /* one function that the kernel was given: BPF, trampolines */
    PERF_RECORDED, /* a file whose symbols are in the recording (perf_recorded.h) */
    PERF_NO_FILE,  /* the stack and other memory that no file describes */
};

struct perf_module {
    enum perf_module_kind kind;
    struct code_file file;
    struct slice name;   /* as perf script prints it */
    uint64_t reference;  /* of the kernel: the address of `anchor` when it was recorded */
    struct slice anchor; /* the name of a symbol of the kernel, or empty */
    const struct perf_recorded_file *recorded; /* of PERF_RECORDED */
    bool loaded;
    struct binary_part checked; /* the map of which `is_another` tells; size 0 for none */
    bool is_another;            /* the map is not one of the file here */
    bool told_another;
    bool tried_cfi, has_cfi; /* libdw may unwind by the binary, once that is tried */
    struct perf_cfi cfi;
    bool tried_dwarf; /* `inlines` is known; NULL if there is no DWARF */
    struct perf_inline *inlines;
};

struct perf_modules {
    struct code_files files;
    const struct perf_header *header;
    struct slice folder; /* of the recording, with its last slash or empty */
    bool has_folder;     /* the recording is a file with a name */
    struct map index;    /* by path and build id */
    VEC(struct perf_module) items;
    struct symtab kernel; /* at the addresses of the recording */
    struct buf kernel_text;
    bool kernel_loaded;
    uint64_t kernel_moved; /* from the addresses in its file to those of the recording */
};

void perf_modules_init(struct perf_modules *m, const struct input_options *options,
                       const struct perf_header *header, struct slice recording, struct diag *diag);
void perf_modules_release(struct perf_modules *m);

/*
 * The module of a map's record. `pid` is that of the process, `build_id` may be empty,
 * `executable` says that its memory may be executed.
 */
uint32_t perf_modules_add(struct perf_modules *m, struct slice path, uint32_t pid,
                          struct slice build_id, bool executable);
/* The kernel or one of its modules; `reference` is the record's offset. */
uint32_t perf_modules_add_kernel(struct perf_modules *m, struct slice path, uint64_t reference);
/* A function that the kernel was given while it ran. */
uint32_t perf_modules_add_program(struct perf_modules *m, struct slice name);

/*
 * Whether the file at a map's path is not the one that was recorded: of a file without a build id,
 * the place of its code tells. Containers have other files at the same paths.
 */
bool perf_modules_is_another(struct perf_modules *m, const struct perf_map *map);

/*
 * Finds the symbol at an address of a map, and the address in the module's binary. Returns NULL
 * if there is none.
 */
const struct binary_symbol *perf_modules_find(struct perf_modules *m, const struct perf_map *map,
                                              uint64_t address, uint64_t *in_binary);

/*
 * The functions inlined at an address of a module's binary, and its place in the source, as
 * perf_inline_find() gives them.
 */
unsigned perf_modules_inlined(struct perf_modules *m, uint32_t module, uint64_t in_binary,
                              struct perf_place *place,
                              struct perf_function found[PERF_INLINE_MOST]);
/* Where the function begins that begins at an address of a module's binary. */
struct perf_place perf_modules_start(struct perf_modules *m, uint32_t module, uint64_t in_binary);

/*
 * Reports how many frames have no symbol, and of which modules most are, with what would help; the
 * profile keeps it as a fact. Reports what servers do not have.
 */
void perf_modules_report(struct perf_modules *m, struct profile *profile);

/* The binary that a module runs, or NULL if it is not there. */
const struct binary *perf_modules_image(struct perf_modules *m, const struct perf_map *map);

#endif
