/*
 * A record of DTrace's output: keys, a stack, and what it counts.
 */
#ifndef INPUT_FORMATS_KERNEL_DTRACE_RECORD_H
#define INPUT_FORMATS_KERNEL_DTRACE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "input/build/builder.h"
#include "input/formats/kernel/dtrace_frame.h"
#include "input/core/text.h"

struct dtrace_record {
    struct builder builder;
    struct dtrace_frames frames;
    struct dtrace_stack stack;      /* texts of `frames` */
    VEC(uint32_t) keys;             /* entries of the builder: the first frames */
    uint64_t line;                  /* of its first frame */
    bool sure;                      /* one of the frames could be nothing else */
    bool sample;                    /* it counts 1 without a count */
    uint32_t series, sample_series; /* SERIES_NONE before the first */
};

void dtrace_record_init(struct dtrace_record *r, struct text *t);
void dtrace_record_release(struct dtrace_record *r);

static inline void dtrace_record_frame(struct dtrace_record *r, uint64_t line, uint32_t text)
{
    if (!r->stack.count)
        r->line = line;
    *vec_add(&r->stack) = text;
}

/* Adds keys. Each word that more than a blank sets apart is a frame. */
void dtrace_record_keys(struct dtrace_record *r, struct slice text);
void dtrace_record_number(struct dtrace_record *r, int64_t number);

/* The record is a sample of that origin. */
void dtrace_record_sample(struct dtrace_record *r, const struct origin *origin);

/* Adds the record with its count and begins the next. False where told. */
bool dtrace_record_add(struct text *t, struct dtrace_record *r, int64_t count);

/*
 * The same where no count came: adds a sample, and tells of any other stack.
 * A probe's line, text and the end of the input are such places.
 */
bool dtrace_record_close(struct text *t, struct dtrace_record *r);

/* Drops what is in hand. */
void dtrace_record_clear(struct dtrace_record *r);

#endif
