/*
 * From the addresses of a sample to its frames: the modules at the addresses, their symbols, and
 * the names that become symbols of the profile. Each address of a module is resolved once.
 */
#ifndef INPUT_FORMATS_PERF_PERF_RESOLVE_H
#define INPUT_FORMATS_PERF_PERF_RESOLVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/vec.h"
#include "input/formats/perf/perf_module.h"
#include "input/formats/perf/perf_record.h"
#include "input/formats/perf/perf_samples.h"
#include "input/formats/perf/perf_space.h"
#include "input/formats/perf/perf_unwind.h"

/* An address that was resolved: `count` symbols, leaf first. */
struct perf_resolved {
    uint64_t offset;    /* in the module's file; without a module the address */
    uint32_t module;    /* UINT32_MAX for none */
    bool java, inlined; /* names are by the rule for Java; inlined functions are frames */
    bool another;       /* the file at the module's path is not the one that was recorded */
    uint32_t first, count;
    bool unnamed;       /* the module has no symbol at it */
    struct slice lines; /* "SYMBOL (MODULE)" of each frame, if the samples ask for whole names */
};

enum { PERF_RECENT = 8192 }; /* a power of two */

struct perf_recent {
    uint64_t address;
    uint32_t version; /* of the space; 0 for nothing */
    bool java, inlined;
    uint32_t entry;
};

struct perf_resolver {
    struct perf_modules *modules;
    struct perf_spaces *spaces;
    struct perf_samples *samples;
    struct perf_unwind unwind;
    bool inlined; /* inlined functions of the current addresses are frames */
    struct map index;
    VEC(struct perf_resolved) entries;
    VEC(uint32_t) symbols;
    struct arena texts; /* of entries */
    struct buf lines;   /* of the current entry */
    struct perf_recent recent[PERF_RECENT];
};

void perf_resolver_init(struct perf_resolver *r, struct perf_modules *modules,
                        struct perf_spaces *spaces, struct perf_samples *samples);
void perf_resolver_release(struct perf_resolver *r);

/* Pushes the frames of a sample, leaf first. `mode` is the CPU's, as PERF_RECORD_MISC_USER. */
void perf_resolver_push(struct perf_resolver *r, const struct perf_header *h,
                        const struct perf_sample *s, const struct perf_thread *t, unsigned mode);

/* Pushes the frames of a deferred call chain, leaf first. */
void perf_resolver_push_deferred(struct perf_resolver *r, const struct perf_header *h,
                                 const struct perf_calls *c, const struct perf_thread *t);

#endif
