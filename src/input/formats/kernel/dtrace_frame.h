/*
 * The frames of DTrace's stacks, each distinct text understood once.
 *
 * Few frames make most lines, mostly in the same order. So each text remembers
 * which ones followed it last: comparing a line with those finds its end too,
 * and neither hash nor search is needed. That changes nothing but the speed.
 *
 *     module`function+0x1f        the module leaves the name; --names=reference keeps it
 *     module`0x7fa4, 0x7fa4       no symbol: named by module or address
 *     0x7fa4 LazyCompile:*f a.js  named by the symbol map of a compiler at run time
 *     [ site.py:16 (main) ]       a function of Python, below the interpreter's
 *     (anon) as f at x.js         what a helper of ustack() said, kept whole
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

/* What one text stands for: entries of the builder, leaf first. */
struct dtrace_text {
    const char *text; /* zeroes up to a multiple of eight behind it */
    uint64_t hash;
    uint32_t len;
    uint32_t first, count; /* in `entries` */
    uint32_t next[2];      /* the texts that followed last, the latest first */
    bool plain;            /* it is a frame only where frames are around it */
    bool needs_offset;     /* without one the line would be another text */
};

struct dtrace_stack VEC_OF(uint32_t); /* of texts, leaf first */

struct dtrace_frames {
    struct builder *builder;
    bool reference;
    struct arena copies;
    VEC(struct dtrace_text) texts; /* the first stands for the start of the input */
    uint32_t last;                 /* the text that came last */
    VEC(uint32_t) entries;
    uint64_t *slots; /* upper half of the hash, index of the text; 0 where free */
    size_t mask;
    uint64_t key; /* of the hashes in `slots` */
    struct buf name;
};

void dtrace_frames_init(struct dtrace_frames *f, struct builder *b);
void dtrace_frames_release(struct dtrace_frames *f);

/*
 * The text of a trimmed line: without its offset. In reference mode it is, as
 * in the script, without its last "+" and what is behind that.
 */
struct slice dtrace_frames_strip(const struct dtrace_frames *f, struct slice line);

enum { DTRACE_SLACK = 16 }; /* readable bytes that must follow a text */

/*
 * A text as an index of `texts`; UINT32_MAX
 * where it is new.
 */
uint32_t dtrace_frames_find(const struct dtrace_frames *f, struct slice text);
/*
 * Reads lines from `at` on, each ended by LF, as long as they are the texts
 * that were expected; adds these to `stack` and returns where the next line
 * begins. `indent` is that of the last one.
 */
const char *dtrace_frames_expect(struct dtrace_frames *f, const char *at, const char *end,
                                 struct dtrace_stack *stack, size_t *indent);
/* Says which text, not a plain one, came when another had been expected. */
void dtrace_frames_expected(struct dtrace_frames *f, uint32_t index);

/* The same as dtrace_frames_find(), added if it is new. */
uint32_t dtrace_frames_add(struct dtrace_frames *f, struct slice text, bool plain);

#endif
