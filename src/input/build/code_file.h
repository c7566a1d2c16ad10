/*
 * The binaries that an input names, and the files that have their symbols.
 *
 * A binary is used only if its build id is that of the input; of an input without one, if its code
 * is where the input's map has it. It is looked for in perf's cache below the user's home directory
 * by build id, and at its path (below --symfs, if that is given); its debug information by build id
 * or debug link, where packages install it.
 * Nothing comes from the network, unless --debuginfod is given: then binaries and debug
 * information that are not here are fetched by build id.
 */
#ifndef INPUT_BUILD_CODE_FILE_H
#define INPUT_BUILD_CODE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "input/build/binary.h"
#include "input/build/symbol_server.h"
#include "input/build/symtab.h"
#include "input/core/options.h"
#include "profile/profile.h"

struct code_file {
    struct slice path;       /* of the input */
    struct slice build_id;   /* empty if the input does not have it */
    struct binary_part code; /* which ran, of a file without a build id */
    const char *remedy;      /* what would name its addresses, besides its file; or NULL */
    bool has_image;          /* `image` is the binary */
    bool is_another;         /* the file at its path is not the one that ran */
    bool has_debug;          /* `debug` has symbols that `image` lacks */
    struct binary image, debug;
    struct symtab symbols;
    uint64_t frames, unnamed; /* of all samples; those without a symbol */
};

/* What the files of an input share. Texts are those of its files. */
struct code_files {
    const struct input_options *options;
    struct diag *diag;
    struct arena texts;
    struct buf path, text;
    struct symbol_server server;
};

void code_files_release(struct code_files *m);
void code_file_release(struct code_file *f);

/* Whether a path of an input may be opened: below its root, and no file of the system. */
bool code_file_is_allowed(struct slice path);

/* Opens the binary in perf's cache, where it has that name ("/elf"), or at its path. */
bool code_file_open_cached(struct code_files *m, struct code_file *f, const char *name);
bool code_file_open(struct code_files *m, struct code_file *f);
/* Warns that the binary at the file's path is not the one of which the input has a map. */
void code_file_tell_another(struct code_files *m, const struct code_file *f);
/* Fetches the binary from servers, if that is allowed. */
bool code_file_fetch(struct code_files *m, struct code_file *f);
/* Fetches the debug information alone. */
bool code_file_fetch_debug(struct code_files *m, struct code_file *f);
/* Finds the file with the binary's debug information. */
bool code_file_find_debug(struct code_files *m, struct code_file *f);
/* Adds all symbols that the binary and its debug information have; the binary may be missing. */
void code_file_add_symbols(struct code_files *m, struct code_file *f);

/* Opens what is at a path of the input. Returns a descriptor, or -1. */
int code_file_open_path(struct code_files *m, struct slice path);
/* Returns the place in perf's cache of what belongs to a build id, or NULL if there is no cache. */
const char *code_file_cached(struct code_files *m, struct slice id, const char *name);
/* Writes "ROOT/FOLDER/.build-id/12/3456...ENDING", valid until the next path. */
const char *code_file_place_by_id(struct code_files *m, const char *root, struct slice id,
                                  const char *ending);

/*
 * Reports how many of `what` ("frames") have no symbol, of which files most of them are, and what
 * would help; the profile keeps it as a fact. Reports what servers do not have. Sorts `files`.
 */
void code_files_report(struct code_files *m, const struct code_file **files, size_t count,
                       const char *what, struct profile *profile);

#endif
