/*
 * The tables of a pprof profile: what its numbers stand for.
 *
 * Strings, mappings, functions and locations refer to each other by number,
 * and a location may stand before the function it names. So the first three
 * are collected first, then the locations, each made the frames it stands for,
 * and the samples last. A reference to what is not there, which a profile that
 * was cut has, is an error.
 */
#ifndef INPUT_FORMATS_GO_PPROF_TABLES_H
#define INPUT_FORMATS_GO_PPROF_TABLES_H

#include "input/build/builder.h"
#include "input/formats/go/pprof_frame.h"
#include "input/formats/go/pprof_ids.h"
#include "input/formats/go/pprof_proto.h"

/* A location: its frames among `symbols`, the outermost function first. */
struct pprof_symbols {
    size_t first, count;
};

struct pprof_tables {
    struct builder *builder;
    struct slice content; /* the profile, which the strings are part of */
    VEC(struct slice) strings;
    VEC(struct pprof_mapping) mappings;
    VEC(struct pprof_function) functions;
    VEC(struct pprof_symbols) locations;
    VEC(uint32_t) symbols;
    struct pprof_ids mapping_ids, function_ids, location_ids;
    struct buf name;
};

void pprof_tables_init(struct pprof_tables *t, struct builder *builder);
void pprof_tables_release(struct pprof_tables *t);

/* Takes a string, mapping or function; other fields are left alone. False where told. */
bool pprof_tables_add(struct pprof_tables *t, struct pprof_proto *proto,
                      const struct pprof_field *field);
/* Makes the frames of a location, when all that it refers to is known. False where told. */
bool pprof_tables_add_location(struct pprof_tables *t, struct pprof_proto *proto,
                               struct slice location);

/* Makes the stack of a sample the one in the builder's hand. False where told. */
bool pprof_tables_push(struct pprof_tables *t, const struct pprof_sample *sample,
                       struct slice bytes);

/* Whether there is such a string; number 0 is the empty one in any case. */
bool pprof_tables_has(const struct pprof_tables *t, int64_t string);
/* One that there is. */
struct slice pprof_tables_string(const struct pprof_tables *t, int64_t string);

/* Tells an error at the place in the content where `bytes` are; returns false. */
bool pprof_tables_broken(const struct pprof_tables *t, struct slice bytes, const char *what);

#endif
