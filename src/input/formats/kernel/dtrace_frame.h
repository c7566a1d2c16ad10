/*
 * The frames of DTrace's stacks, each distinct text parsed once.
 *
 *     module`function+0x1f        named by function; --names=reference keeps the module
 *     module`0x7fa4, 0x7fa4       no symbol: named by module or address
 *     0x7fa4 LazyCompile:*f a.js  named by a JIT compiler's symbol map
 *     [ site.py:16 (main) ]       a Python function, from a helper of ustack()
 *     (anon) as f at x.js         any other note of a helper, unchanged
 *
 * Few frames make up most lines, mostly in the same order. So each text keeps
 * the two texts that followed it last; comparing a line with those also finds
 * its end, without hash or search.
 */
#ifndef INPUT_FORMATS_KERNEL_DTRACE_FRAME_H
#define INPUT_FORMATS_KERNEL_DTRACE_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/slice.h"
#include "base/vec.h"
#include "input/build/builder.h"

/* A distinct text and its frames, entries of the builder, leaf first. */
struct dtrace_text {
    const char *text; /* padded with zeros to a multiple of eight bytes */
    uint64_t hash;
    uint32_t len;
    uint32_t first, count; /* range of `entries` */
    uint32_t next[2];      /* texts that followed last, latest first */
    bool plain;            /* a frame only among other frames */
    bool needs_offset;     /* the line without an offset would be another text */
};

struct dtrace_stack VEC_OF(uint32_t); /* indexes of texts, leaf first */

struct dtrace_frames {
    struct builder *builder;
    bool reference;
    struct arena copies;
    VEC(struct dtrace_text) texts; /* the first one represents the start of the input */
    uint32_t last;                 /* index of the last text */
    VEC(uint32_t) entries;
    uint64_t *slots; /* upper half of the hash and index of the text; 0 if free */
    size_t mask;
    uint64_t key; /* of the hashes in `slots` */
    struct buf name;
};

void dtrace_frames_init(struct dtrace_frames *f, struct builder *b);
void dtrace_frames_release(struct dtrace_frames *f);

/*
 * Returns the text of a trimmed line: without its offset or, in reference mode,
 * up to its last "+", as in the script.
 */
struct slice dtrace_frames_strip(const struct dtrace_frames *f, struct slice line);

enum { DTRACE_SLACK = 16 }; /* number of bytes after a text that must be readable */

/* Returns the index of a text, or UINT32_MAX if it is new. */
uint32_t dtrace_frames_find(const struct dtrace_frames *f, struct slice text);
/*
 * Reads lines from `at` on, each ended by LF, while they are expected texts,
 * and appends these to `stack`. Returns the start of the next line and sets
 * `*indent` to the indent of the last line read.
 */
const char *dtrace_frames_expect(struct dtrace_frames *f, const char *at, const char *end,
                                 struct dtrace_stack *stack, size_t *indent);
/* Records that a text (not a plain one) followed the last text. */
void dtrace_frames_expected(struct dtrace_frames *f, uint32_t index);

/* Returns the index of a text, after adding it if it is new. */
uint32_t dtrace_frames_add(struct dtrace_frames *f, struct slice text, bool plain);

#endif
