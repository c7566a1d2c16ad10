/*
 * From a frame as a profiler wrote it to the symbols it stands for.
 *
 * The one place where the text of a frame becomes a name, with the rules of
 * input/build/names.h: by its kind a name is cleaned, "module`function" and chains of
 * inlined functions taken apart, a missing name ("", "??", "[unknown]")
 * replaced by its module or address, the class found, and the whole made valid
 * UTF-8 within --max-name. So a function has one name, whoever saw it.
 *
 * In --names=reference mode a reader that has a reference converter makes the
 * name by that converter's rules itself and hands it in as FRAME_PLAIN.
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

/* Whether the name is none, or stands for none: "??", "[unknown]". */
bool frame_is_nameless(const struct frame *f);

struct frame_symbols VEC_OF(uint32_t);

/*
 * Appends the symbols of a frame to `out`, the caller before what is inlined
 * into it: one, or several for a chain. `scratch` is overwritten. Returns
 * false where a name was cut at --max-name.
 */
bool frame_resolve(const struct frame *f, const struct input_options *options,
                   struct symbols *symbols, struct buf *scratch, struct frame_symbols *out);

/*
 * Makes `out` the text of a frame of folded stacks as the options want it:
 * demangled, without addresses. Returns false where it stays as it is.
 */
bool frame_rewrite(struct slice text, const struct input_options *options, struct buf *out);

#endif
