/*
 * The text of a trace point's sample, from the description that the kernel gives of it:
 *
 *     field:pid_t prev_pid;  offset:24;  size:4;  signed:1;
 *     print fmt: "prev_pid=%d prev_state=%s", REC->prev_pid, REC->prev_state ? "S" : "R"
 *
 * The arguments of the format are expressions of C over the fields, and they are compiled once.
 * What only the kernel knows (constants without a value, other functions) is 0 or empty. If the
 * format cannot be compiled, the text lists all fields. Descriptions and samples are hostile:
 * nothing outside of the sample is read, and the depth of expressions is bounded.
 *
 * Source: Documentation/trace/events.rst of Linux 6.1.
 */
#ifndef INPUT_FORMATS_PERF_PERF_PRINT_H
#define INPUT_FORMATS_PERF_PERF_PRINT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"
#include "base/vec.h"

/* A field of a sample. Where its bytes are may itself be in the sample. */
struct perf_field {
    struct slice name;
    uint32_t offset, size;
    bool is_signed, is_text;
    enum { PERF_FIELD_HERE, PERF_FIELD_AT, PERF_FIELD_AFTER } place;
};

struct perf_node;

/* A constant of __print_flags() or __print_symbolic(), and its name. */
struct perf_constant {
    uint32_t value, next; /* nodes; UINT32_MAX at the end */
    struct slice name;
};

/* A text and the argument that follows it. */
struct perf_piece {
    size_t text, text_len; /* in `format` */
    bool alternate, zeros;
    unsigned width, bytes; /* of the number */
    char conversion;       /* NUL at the end, and % without an argument */
    uint32_t node;
};

struct perf_print {
    VEC(struct perf_field) fields;
    VEC(struct perf_node) nodes;
    VEC(struct perf_constant) constants;
    VEC(struct perf_piece) pieces;
    struct buf format;
};

/* Compiles a description, which must outlive `p`. */
void perf_print_init(struct perf_print *p, struct slice description);
void perf_print_release(struct perf_print *p);

/* Appends the text of a sample; `swapped` says that its bytes are in the other order. */
void perf_print_add(const struct perf_print *p, struct slice sample, bool swapped, struct buf *out);

#endif
