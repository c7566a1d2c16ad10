/*
 * The lines of callgrind's files, read into call graphs: one graph for each
 * thread, with the costs of all events.
 *
 * The grammar is told in input/callgrind.c.
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
#include "input/formats/callgrind/call_graph.h"

/*
 * Names and functions of callgrind's files.
 *
 * A name is written out once, "(1) main", and later meant by "(1)"; objects,
 * files and functions count apart. A function is known by its number, for
 * which the file and the object that stand beside it are of no account, or,
 * where names are not numbered, by name, file and object.
 */

#define CALLGRIND_NONE UINT32_MAX

enum callgrind_table { CALLGRIND_OBJECTS, CALLGRIND_FILES, CALLGRIND_FUNCTIONS, CALLGRIND_TABLES };

/* A name as it stands in a line. */
struct callgrind_name {
    uint32_t text;   /* of names->texts */
    uint32_t number; /* CALLGRIND_NONE where it has none */
};

/* All that is known of a function. */
struct callgrind_function {
    uint32_t thread; /* of its own world: other threads' functions are others */
    struct callgrind_name name;
    uint32_t file, object; /* texts, or CALLGRIND_NONE */
};

/* The function that a numbered name meant last. */
struct callgrind_recent {
    uint32_t text, thread, function;
};

struct callgrind_names {
    struct intern texts;
    struct intern large[CALLGRIND_TABLES];    /* numbers too large to count up to */
    VEC(uint32_t) numbered[CALLGRIND_TABLES]; /* texts, by number; or CALLGRIND_NONE */
    VEC(struct callgrind_recent) recent;      /* by number */
    struct intern functions;
};

void callgrind_names_init(struct callgrind_names *n);
void callgrind_names_release(struct callgrind_names *n);

struct callgrind_name callgrind_names_read(struct callgrind_names *n, enum callgrind_table table,
                                           struct slice s);
/* The text; empty for none and for "???". */
struct slice callgrind_names_text(const struct callgrind_names *n, uint32_t text);

/* The number of a function, counted from 0 as they are met. */
uint32_t callgrind_names_function(struct callgrind_names *n, const struct callgrind_function *f);

/* The same for a name that is a number below SMALL; false where it has not been met as it is. */
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

/* The text of a number, CALLGRIND_NONE where it has none. */
static inline uint32_t callgrind_names_numbered(const struct callgrind_names *n,
                                                enum callgrind_table table, uint32_t number)
{
    return number < n->numbered[table].count ? n->numbered[table].items[number] : CALLGRIND_NONE;
}

/* The text of its name. */
uint32_t callgrind_names_function_text(const struct callgrind_names *n, uint32_t function);

/* The builder's entry for a function; `xdebug`: its names are made by Xdebug's rules. */
uint32_t callgrind_names_frame(const struct callgrind_names *n, const struct callgrind_function *f,
                               bool xdebug, struct builder *b);

struct callgrind_thread {
    uint32_t name; /* text */
    struct call_graph graph;
};

/* An event, and what the file says of its sum over all parts. */
struct callgrind_sums {
    uint32_t word; /* text */
    uint64_t summary, totals;
};

struct callgrind_file {
    struct builder *b;
    bool xdebug; /* blocks are calls in the order of their ends */
    struct callgrind_names names;
    struct call_blocks blocks;
    VEC(uint32_t) local;  /* by function: its number in its thread's graph */
    VEC(uint32_t) frames; /* by function: the builder's entry */
    VEC(uint32_t) named;  /* by text: the function of that name whose block came last; Xdebug's */
    VEC(struct callgrind_thread) threads;
    VEC(struct callgrind_sums) events;
    bool has_summary, has_totals;
    bool described; /* as Valgrind does, whose files end in their sums */
    /* Where we are; CALLGRIND_NONE for nowhere. */
    VEC(uint32_t) columns; /* events of this part */
    VEC(int64_t) costs;    /* of the line in hand */
    unsigned positions;
    uint32_t thread, object, file, function;
    uint32_t callee_object, callee_file, callee;
    bool of_calls; /* the next line has the costs of calls, */
    uint32_t edge; /* namely of these; of none where they were not understood */
};

void callgrind_file_init(struct callgrind_file *f, struct builder *b, bool xdebug);
void callgrind_file_release(struct callgrind_file *f);

/* Whole lines. False where told: costs beyond 63 bits. */
bool callgrind_file_lines(struct callgrind_file *f, struct text *t, struct slice block);

#endif
