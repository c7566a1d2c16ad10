/*
 * Unwinds stacks that were copied into samples (perf record --call-graph dwarf), with libdwfl.
 *
 * A sample has the registers of the user and the bytes of the stack from the stack pointer on. The
 * rules of unwinding are in the binaries (.eh_frame), which perf_module.c finds; only they and the
 * sample are read. A stack ends where a rule or memory is missing. The unwinders of the spaces
 * used last are kept.
 */
#ifndef INPUT_FORMATS_PERF_PERF_UNWIND_H
#define INPUT_FORMATS_PERF_PERF_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "input/formats/perf/perf_module.h"
#include "input/formats/perf/perf_record.h"
#include "input/formats/perf/perf_rules.h"
#include "input/formats/perf/perf_space.h"

struct Dwfl;
struct perf_machine;

enum { PERF_UNWINDERS = 8 };

struct perf_unwind {
    struct perf_modules *modules;
    struct {
        struct Dwfl *dwfl;
        uint32_t version; /* of the space */
        bool attached;
        VEC(uint64_t) reported; /* starts of maps */
        struct perf_rules rules;
    } kept[PERF_UNWINDERS];
    unsigned next; /* to be replaced */
    /* The current sample. */
    const struct perf_sample *sample;
    const struct perf_space *space;
    unsigned current; /* of `kept` */
    const struct perf_machine *machine;
    bool swapped;
    bool first; /* no frame was unwound yet */
    uint64_t stack_pointer;
    VEC(uint64_t) frames;
};

void perf_unwind_init(struct perf_unwind *u, struct perf_modules *modules);
void perf_unwind_release(struct perf_unwind *u);

/*
 * Fills u->frames with the addresses of a sample's frames, leaf first; those of callers are within
 * the call, before the address to which it returns.
 */
void perf_unwind_sample(struct perf_unwind *u, const struct perf_sample *s,
                        const struct perf_space *space, const struct perf_header *h);

#endif
