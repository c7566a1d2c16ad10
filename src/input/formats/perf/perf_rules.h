/*
 * Rules of unwinding, kept by address, if they are as simple as compilers write them: the caller's
 * frame begins at a register plus an offset, and each register is as it was, is in memory at an
 * offset from there, or is lost.
 *
 * Samples meet the same addresses again and again; libdw works out a rule each time. Whatever is
 * not simple (expressions, signal frames, rules outside .eh_frame) is left to libdwfl.
 */
#ifndef INPUT_FORMATS_PERF_PERF_RULES_H
#define INPUT_FORMATS_PERF_PERF_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

struct Dwfl;

/* DWARF's registers of x86_64; the last one has the address to return to. */
enum { PERF_RULE_REGISTERS = 17, PERF_RULE_RETURN = PERF_RULE_REGISTERS - 1 };

enum perf_rule_kind {
    PERF_RULE_SAME,
    PERF_RULE_LOST,
    PERF_RULE_VALUE,  /* the frame's begin plus the offset */
    PERF_RULE_MEMORY, /* what is there */
};

struct perf_rule {
    uint64_t address;
    bool simple; /* else all that follows is unknown */
    uint8_t base;
    int64_t base_offset; /* of the begin of the caller's frame from the register `base` */
    uint8_t kinds[PERF_RULE_REGISTERS];
    int64_t offsets[PERF_RULE_REGISTERS];
};

/* Zeroed, there are none. */
struct perf_rules {
    struct map index;
    VEC(struct perf_rule) items;
};

void perf_rules_release(struct perf_rules *r);

/*
 * Returns the rule at an address, or NULL if the address is new: perf_rules_add() then makes it, of
 * the modules that `dwfl` has. It returns NULL if there are too many. Valid until the next is made.
 */
const struct perf_rule *perf_rules_find(const struct perf_rules *r, uint64_t address);
const struct perf_rule *perf_rules_add(struct perf_rules *r, struct Dwfl *dwfl, uint64_t address);

#endif
