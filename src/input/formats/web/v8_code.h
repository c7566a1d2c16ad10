/*
 * What V8's profiler says of a piece of code, and the frame it is.
 *
 *     LazyCompile, "*fib /opt/app/w.js:3:13"     a function: fib, in a file
 *     Script, "w.js"                             a file's own code
 *     Builtin, "ArrayMap"; Stub; LoadIC; ...     "Builtin:ArrayMap", as V8
 *                                                names it for perf
 *
 * How a function was compiled is a mark: "~" interpreted, "^" or "+" compiled
 * in haste, "*" optimised. It is the frame's class where that is asked for.
 */
#ifndef INPUT_FORMATS_WEB_V8_CODE_H
#define INPUT_FORMATS_WEB_V8_CODE_H

#include "input/build/builder.h"

struct v8_code {
    struct slice type; /* "LazyCompile", "Builtin", ... */
    struct slice name;
    char mark; /* 0 where there is none */
};

/* The builder's entry for it. */
uint32_t v8_code_entry(struct builder *b, const struct v8_code *code);

/* The entry for a library or the program itself, of which no more is known. */
uint32_t v8_code_library(struct builder *b, struct slice path);

/* The entry for an address where nothing is known to be. */
uint32_t v8_code_unknown(struct builder *b, uint64_t address);

#endif
