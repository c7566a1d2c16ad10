/*
 * Line tables of DWARF, .debug_line of versions 2 to 5: the place in the source of an address.
 *
 * A table belongs to one unit of a binary. It is a program that makes rows, which is run once. Rows
 * after damaged bytes are missing. Rows and names of files are bounded by what the caller allows
 * for all tables of a binary, so that small hostile sections cannot take much memory or time. That
 * is why libdw does not read them: it keeps every row in full, and has no bound.
 */
#ifndef INPUT_BUILD_LINE_TABLE_H
#define INPUT_BUILD_LINE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"
#include "base/vec.h"

/* The sections of a binary, decompressed. They must outlive the tables. */
struct line_sections {
    struct slice lines;             /* .debug_line */
    struct slice line_texts, texts; /* .debug_line_str, .debug_str; may be empty */
    bool swapped;                   /* the binary's byte order is not this machine's */
};

/* A place from an address on. */
struct line_row {
    uint32_t offset; /* from the start of the sequence */
    uint32_t file;   /* number in the table */
    uint32_t line;   /* 0 if the code is of no line */
};

/* Code without gaps: the rows from `first` on have rising offsets, of which two may be equal. */
struct line_sequence {
    uint64_t start, end;
    uint32_t first, count;
};

struct line_file {
    struct slice name;
    uint64_t directory;
};

struct line_table {
    bool
        counts_from_one; /* files and directories; 0 is the unit itself and where it was compiled */
    VEC(struct slice) directories;
    VEC(struct line_file) files;
    VEC(struct line_row) rows;
    VEC(struct line_sequence) sequences; /* by address */
};

/* What all tables of a binary may still take. */
struct line_budget {
    uint64_t steps; /* instructions and names */
    uint64_t kept;  /* rows; a name counts as two */
};

/*
 * Reads the table at an offset of the section into `t`, which is zero before. `budget` is less
 * afterwards. Of a damaged table, or if nothing is left, `t` has the beginning.
 */
void line_table_read(struct line_table *t, const struct line_sections *s, uint64_t offset,
                     struct line_budget *budget);
void line_table_release(struct line_table *t);

/* The row of an address, or NULL; of several, the last one, as debuggers take it. */
const struct line_row *line_table_find(const struct line_table *t, uint64_t address);
/* The first row of an address: where a function begins, before what is moved to its first code. */
const struct line_row *line_table_find_start(const struct line_table *t, uint64_t address);

/*
 * Appends the path of a file, relative to `folder`, where the unit was compiled, which may be
 * empty. Returns false if the table has no such file, or none with a usable path.
 */
bool line_table_add_path(const struct line_table *t, uint32_t file, struct slice folder,
                         struct buf *out);

#endif
