#include "input/formats/perf/perf_rules.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>

enum { MOST_RULES = 1 << 16 };

void perf_rules_release(struct perf_rules *r)
{
    map_release(&r->index);
    vec_release(&r->items);
}

static bool same_address(const void *context, uint32_t index, const void *key)
{
    return ((const struct perf_rules *)context)->items.items[index].address ==
           *(const uint64_t *)key;
}

const struct perf_rule *perf_rules_find(const struct perf_rules *r, uint64_t address)
{
    uint32_t at =
        map_find(&r->index, map_hash_pair(&r->index, address, 0), same_address, r, &address);

    return at == MAP_NONE ? NULL : &r->items.items[at];
}

/* The begin of the caller's frame, as a register and an offset. */
static bool take_base(struct perf_rule *rule, Dwarf_Frame *frame)
{
    Dwarf_Op *ops;
    size_t count;

    if (dwarf_frame_cfa(frame, &ops, &count) != 0 || count != 1 || ops->atom != DW_OP_bregx ||
        ops->number >= PERF_RULE_REGISTERS)
        return false;
    rule->base = (uint8_t)ops->number;
    rule->base_offset = (int64_t)ops->number2;
    return true;
}

/*
 * libdw gives an offset from the begin of the frame. If DW_OP_stack_value comes last, the sum is
 * the register's value, else its address in memory.
 */
static bool take_register(struct perf_rule *rule, Dwarf_Frame *frame, int number)
{
    Dwarf_Op memory[3], *ops;
    size_t count, at = 1;

    if (dwarf_frame_register(frame, number, memory, &ops, &count) != 0)
        return false;
    rule->offsets[number] = 0;
    if (!count) {
        rule->kinds[number] = ops == memory ? PERF_RULE_LOST : PERF_RULE_SAME;
        return true;
    }
    if (ops[0].atom != DW_OP_call_frame_cfa)
        return false;
    if (at < count && ops[at].atom == DW_OP_plus_uconst)
        rule->offsets[number] = (int64_t)ops[at++].number;
    rule->kinds[number] =
        at < count && ops[at].atom == DW_OP_stack_value ? PERF_RULE_VALUE : PERF_RULE_MEMORY;
    at += rule->kinds[number] == PERF_RULE_VALUE;
    return at == count;
}

static bool take_rule(struct perf_rule *rule, Dwfl *dwfl)
{
    Dwfl_Module *module = dwfl_addrmodule(dwfl, rule->address);
    Dwarf_Addr bias;
    Dwarf_CFI *cfi = module ? dwfl_module_eh_cfi(module, &bias) : NULL;
    Dwarf_Frame *frame;
    bool signal, simple;

    if (!cfi || dwarf_cfi_addrframe(cfi, rule->address - bias, &frame) != 0)
        return false;
    simple = dwarf_frame_info(frame, NULL, NULL, &signal) == PERF_RULE_RETURN && !signal &&
             take_base(rule, frame);
    for (int i = 0; simple && i < PERF_RULE_REGISTERS; i++)
        simple = take_register(rule, frame, i);
    free(frame);
    return simple && rule->kinds[PERF_RULE_RETURN] != PERF_RULE_SAME;
}

const struct perf_rule *perf_rules_add(struct perf_rules *r, Dwfl *dwfl, uint64_t address)
{
    struct perf_rule *rule;

    if (r->items.count == MOST_RULES)
        return NULL;
    map_add(&r->index, map_hash_pair(&r->index, address, 0), (uint32_t)r->items.count);
    rule = vec_add(&r->items);
    *rule = (struct perf_rule){.address = address};
    rule->simple = take_rule(rule, dwfl);
    return rule;
}
