/*
 * The stacks of V8's ticks: where the program was, and who had called that.
 *
 * Addresses and the frames of ticks come again and again; what they were is
 * remembered until the maps of the code change, of which v8_stacks_changed()
 * must tell.
 */
#ifndef INPUT_FORMATS_WEB_V8_STACK_H
#define INPUT_FORMATS_WEB_V8_STACK_H

#include "input/formats/web/address_map.h"
#include "input/build/builder.h"
#include "input/core/line_memo.h"

enum { V8_STACKS_CACHED = 4096 };

/* What lies at an address, as long as `age` is that of the maps. */
struct v8_cached {
    uint64_t address, age;
    uint32_t entry;
};

struct v8_stacks {
    struct builder *b;
    struct address_map code, libraries;       /* to entries of the builder */
    VEC(bool) functions;                      /* by entry: it is JavaScript */
    uint64_t age;                             /* how often the maps changed, counted from 1 */
    struct v8_cached cache[V8_STACKS_CACHED]; /* by hash of the address */
    struct line_memo callers;                 /* stacks, by the frames of ticks */
};

struct v8_tick {
    uint64_t pc, time_us, top;
    bool has_time, external;
    uint64_t state;
    struct slice frames; /* to the end of the line, behind which TEXT_SLACK bytes can be read */
};

void v8_stacks_init(struct v8_stacks *s, struct builder *b);
void v8_stacks_release(struct v8_stacks *s);

/* What is known of addresses is void. */
void v8_stacks_changed(struct v8_stacks *s);

/* What follows "tick," in a line; false where it is none. */
bool v8_stack_read(struct slice rest, struct v8_tick *t);

/* Adds a tick, which counts 1. False where told. */
bool v8_stacks_add(struct v8_stacks *s, uint32_t series, const struct v8_tick *t);

#endif
