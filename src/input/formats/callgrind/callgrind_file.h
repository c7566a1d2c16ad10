/*
 * Reads the lines of callgrind's format (see callgrind.c) into call graphs: one
 * graph for each thread, with the costs of all events.
 */
#ifndef INPUT_FORMATS_CALLGRIND_CALLGRIND_FILE_H
#define INPUT_FORMATS_CALLGRIND_CALLGRIND_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/vec.h"
#include "input/build/builder.h"
#include "input/core/text.h"
#include "input/formats/callgrind/call_blocks.h"
#include "input/build/call_graph.h"

/* ---- names --------------------------------------------------------------------------------- */

/*
 * A name is defined once, "(1) main", and then written "(1)"; objects, files and
 * functions are numbered separately. A function is identified by its number
 * or, in files without numbers, by name, file and object.
 */

#define CALLGRIND_NONE UINT32_MAX

enum callgrind_table { CALLGRIND_OBJECTS, CALLGRIND_FILES, CALLGRIND_FUNCTIONS, CALLGRIND_TABLES };

/* A name in a line. */
struct callgrind_name {
    uint32_t text;   /* in callgrind_names.texts */
    uint32_t number; /* CALLGRIND_NONE if it has none */
};

struct callgrind_function {
    uint32_t thread; /* equal functions of different threads are distinct */
    struct callgrind_name name;
    uint32_t file, object; /* texts, or CALLGRIND_NONE */
};

/* The function that a number referred to last. */
struct callgrind_recent {
    uint32_t text, thread, function;
};

struct callgrind_names {
    struct intern texts;
    struct intern large[CALLGRIND_TABLES];    /* numbers too large for an index */
    VEC(uint32_t) numbered[CALLGRIND_TABLES]; /* by number: the text, or CALLGRIND_NONE */
    VEC(struct callgrind_recent) recent;      /* by number */
    struct intern functions;
};

/* Fast path for "(N)", N below SMALL_NUMBERS. Returns false if N is not defined as a function. */
static inline bool callgrind_names_recent(const struct callgrind_names *n, uint32_t thread,
                                          uint32_t number, uint32_t *function)
{
    const struct callgrind_recent *recent;

    if (number >= n->recent.count || number >= n->numbered[CALLGRIND_FUNCTIONS].count)
        return false;
    recent = &n->recent.items[number];
    if (recent->text != n->numbered[CALLGRIND_FUNCTIONS].items[number] ||
        recent->text == CALLGRIND_NONE || recent->thread != thread)
        return false;
    *function = recent->function;
    return true;
}

/* Returns the text of a number, CALLGRIND_NONE if it is not defined. */
static inline uint32_t callgrind_names_numbered(const struct callgrind_names *n,
                                                enum callgrind_table table, uint32_t number)
{
    return number < n->numbered[table].count ? n->numbered[table].items[number] : CALLGRIND_NONE;
}

/* Returns the text of a function's name. */
uint32_t callgrind_names_function_text(const struct callgrind_names *n, uint32_t function);

/* ---- lines --------------------------------------------------------------------------------- */

struct callgrind_thread {
    uint32_t name; /* in callgrind_names.texts */
    struct call_graph graph;
};

/* An event, and its sums over all parts as stated by the file. */
struct callgrind_sums {
    uint32_t word; /* in callgrind_names.texts */
    uint64_t summary, totals;
};

struct callgrind_file {
    struct builder *b;
    bool xdebug; /* blocks are calls, in the order of their returns */
    struct callgrind_names names;
    struct call_blocks blocks;
    VEC(uint32_t) local;  /* by function: its index in its thread's graph */
    VEC(uint32_t) frames; /* by function: the builder's entry */
    VEC(uint32_t) named;  /* Xdebug, by text: the function of that name with the latest block */
    VEC(struct callgrind_thread) threads;
    VEC(struct callgrind_sums) events;
    bool has_summary, has_totals;
    bool described; /* has "desc:", so it is Valgrind's and must end with its sums */
    /* The current position; CALLGRIND_NONE before the first. */
    VEC(uint32_t) columns; /* events of this part */
    VEC(int64_t) costs;    /* of the current line, or of the one before */
    bool relative;         /* positions are relative to those before, and costs with a sign, too */
    unsigned positions;
    uint32_t thread, object, file, function;
    uint32_t callee_object, callee_file, callee;
    bool of_calls; /* the next line has the costs of the calls `edge` */
    uint32_t edge; /* CALLGRIND_NONE if the calls were malformed */
};

void callgrind_file_init(struct callgrind_file *f, struct builder *b, bool xdebug);
void callgrind_file_release(struct callgrind_file *f);

/* Reads complete lines. Returns false after reporting an error: costs beyond 63 bits. */
bool callgrind_file_lines(struct callgrind_file *f, struct text *t, struct slice block);

#endif
