/*
 * From a frame as a profiler wrote it to its symbols.
 *
 * This is the one place where the text of a frame becomes a name, by the rules of
 * input/build/names.h. By its kind a name is cleaned; "module`function" and chains of
 * inlined functions are split; a missing name ("", "??", "[unknown]") is replaced by the
 * module or address; the class is found; and the result is made valid UTF-8 within --max-
 * name. So a function has one name, whichever profiler saw it.
 *
 * With --names=reference, a reader that has a reference converter makes the name by that
 * converter's rules and passes it in as FRAME_PLAIN.
 */
#ifndef INPUT_BUILD_FRAME_H
#define INPUT_BUILD_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/vec.h"
#include "input/core/options.h"
#include "profile/symbol.h"

/* How the text of a frame becomes a name. */
enum frame_kind {
    FRAME_NATIVE,    /* C, C++, Rust, Go, D: demangled, arguments, hashes and suffixes cut */
    FRAME_JAVA,      /* class and method: leading L, arguments */
    FRAME_PLAIN,     /* JavaScript, Python, PHP, ...: as written */
    FRAME_ANNOTATED, /* as folded stacks have it: mangled names are read, the suffix is the class */
    FRAME_OWNER,     /* a process or thread, as written; its class is SYMBOL_OWNER */
};

/* By a source file's ending: scripts are plain, Java's family is Java, all others are compiled. */
enum frame_kind frame_kind_of(struct slice file);

/* What is not known is empty or zero. */
struct frame {
    struct slice name;
    struct slice module; /* path of the binary or library */
    struct slice file;   /* of the source; part of the name with --srcline */
    uint64_t line;
    uint64_t address;
    bool has_address; /* names a frame that has no name */
    enum frame_kind kind;
    enum symbol_class class; /* SYMBOL_USER leaves it to the module's name, */
    bool has_class;          /* unless this says that it is known */
};

/* The class that a symbol gets by the options: one that they do not ask for is SYMBOL_USER. */
enum symbol_class frame_wanted_class(const struct input_options *options, enum symbol_class class);

/* Returns whether the name is missing: empty, "??", "[unknown]". */
bool frame_is_nameless(const struct frame *f);

struct frame_symbols VEC_OF(uint32_t);

/*
 * Appends the symbols of a frame to `out`: one, or several for a chain of inlined
 * functions, callers first. Overwrites `scratch`. Returns false if a name was cut at
 * --max-name.
 */
bool frame_resolve(const struct frame *f, const struct input_options *options,
                   struct symbols *symbols, struct buf *scratch, struct frame_symbols *out);

/* A place in the source. The text is that of the frame. */
struct frame_place {
    struct slice file; /* empty if it is unknown */
    uint64_t line;
};

/*
 * Writes a frame of folded stacks to `out` as the options want it: demangled, without the line that
 * Python's profilers add to names, which becomes the place, and without addresses. Returns false if
 * the frame needs no change.
 */
bool frame_rewrite(struct slice text, const struct input_options *options, struct buf *out,
                   struct frame_place *place);

#endif
