/*
 * Writes profiles of pprof field by field, for tests of code that reads them.
 */
#ifndef SUPPORT_WIRE_H
#define SUPPORT_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* Fields of a profile. */
enum { WIRE_TYPE = 1, WIRE_SAMPLE, WIRE_MAPPING, WIRE_LOCATION, WIRE_FUNCTION, WIRE_STRING };

void wire_varint(struct buf *out, uint64_t value);
void wire_number(struct buf *out, unsigned field, uint64_t value);
void wire_bytes(struct buf *out, unsigned field, struct slice bytes);
void wire_packed(struct buf *out, unsigned field, const uint64_t *values, size_t count);

/* A message of numbers in the fields 1, 2, ...; 0 leaves one out. */
void wire_numbers(struct buf *out, unsigned field, const uint64_t *values, size_t count);
#define WIRE(out, field, ...)                                                                      \
    wire_numbers(out, field, (const uint64_t[]){__VA_ARGS__},                                      \
                 sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* A sample with up to three locations, leaf first, and two values. */
void wire_sample(struct buf *out, bool packed, const uint64_t ids[3], uint64_t first,
                 uint64_t second, struct slice label);
/* A location with lines for the functions, innermost first; 0 ends them. */
void wire_location(struct buf *out, uint64_t id, uint64_t mapping, uint64_t address,
                   const uint64_t functions[3]);

/* The types samples/count and cpu/nanoseconds. */
void wire_types(struct buf *out);
/* Strings 0 to 12. */
void wire_strings(struct buf *out);
/* Locations 1 (main), 2 (do with inl inlined into it), 3 (no name), as functions 1 to 3. */
void wire_tables(struct buf *out);

#endif
