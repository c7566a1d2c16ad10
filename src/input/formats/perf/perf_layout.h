/*
 * Where the fields of a trace point are in its samples, from the description that the kernel gives:
 *
 *     field:pid_t prev_pid;  offset:24;  size:4;  signed:1;
 *     print fmt: "prev_pid=%d prev_state=%s", REC->prev_pid, REC->prev_state ? "S" : "R"
 *
 * The fields are read as numbers. Only the state of a thread is written as the format says, which
 * alone names the bits: its expressions of C over the fields are compiled once. What only the
 * kernel knows (constants without a value) is 0. If the expressions cannot be compiled, the state
 * is empty. Descriptions and samples are hostile: nothing outside of the sample is read, and the
 * depth of expressions is bounded.
 *
 * Source: Documentation/trace/events.rst of Linux 6.1.
 */
#ifndef INPUT_FORMATS_PERF_PERF_LAYOUT_H
#define INPUT_FORMATS_PERF_PERF_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"
#include "base/vec.h"
#include "input/formats/perf/perf_fields.h"

/* The place of a field in a sample; `size` is 0 for an array or a text. */
struct perf_slot {
    struct slice name;
    uint32_t offset, size;
    bool is_signed;
};

struct perf_node;

/* A constant of __print_flags(), and its name. */
struct perf_constant {
    uint32_t value, next; /* nodes; UINT32_MAX at the end */
    struct slice name;
};

enum { PERF_STATE_TEXTS = 2 };

struct perf_layout {
    VEC(struct perf_slot) fields;
    VEC(struct perf_node) nodes;
    VEC(struct perf_constant) constants;
    uint32_t state[PERF_STATE_TEXTS]; /* nodes, whose texts are the state */
    unsigned state_count;
    struct buf text;
};

/* Reads a description, which must outlive `l`. */
void perf_layout_init(struct perf_layout *l, struct slice description);
void perf_layout_release(struct perf_layout *l);

/*
 * Replaces the fields by those of a sample; `swapped` says that its bytes are in the other order.
 * The state is valid until the next call.
 */
void perf_layout_read(struct perf_layout *l, struct slice sample, bool swapped,
                      struct perf_fields *out);

#endif
