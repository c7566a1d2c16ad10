#include "input/formats/perf/perf_inline.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "input/formats/perf/perf_elf.h"

struct Dwarf *perf_inline_open(const struct perf_elf *e)
{
    return dwarf_begin_elf(e->elf, DWARF_C_READ, NULL);
}

void perf_inline_close(struct Dwarf *dwarf)
{
    dwarf_end(dwarf);
}

static struct slice name_of(Dwarf_Die *die)
{
    static const unsigned names[] = {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name};
    Dwarf_Attribute attribute;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (dwarf_attr_integrate(die, names[i], &attribute))
            return slice_str(dwarf_formstring(&attribute));
    return slice_make(NULL, 0);
}

unsigned perf_inline_find(struct Dwarf *dwarf, uint64_t address,
                          struct slice names[PERF_INLINE_MOST])
{
    Dwarf_Die unit, *scopes = NULL, *around = NULL;
    unsigned count = 0;
    int most;

    if (!dwarf_addrdie(dwarf, address, &unit) || dwarf_getscopes(&unit, address, &scopes) <= 0)
        return 0;
    /* The scopes of an inlined function are those of its definition; wanted are its callers. */
    most = dwarf_getscopes_die(scopes, &around);
    for (int i = 0; i < most && count < PERF_INLINE_MOST; i++) {
        int tag = dwarf_tag(&around[i]);

        if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram)
            names[count++] = name_of(&around[i]);
        if (tag == DW_TAG_subprogram)
            break;
    }
    free(around);
    free(scopes);
    return count;
}
