#include "cli/library_places.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "base/die.h"

void library_places_add(struct strings *places, struct arena *memory)
{
    void *program = dlopen(NULL, RTLD_NOW);
    Dl_serinfo size, *info;

    if (!program || dlinfo(program, RTLD_DI_SERINFOSIZE, &size) != 0)
        return;
    info = xcalloc(1, size.dls_size);
    info->dls_size = size.dls_size;
    info->dls_cnt = size.dls_cnt;
    if (dlinfo(program, RTLD_DI_SERINFO, info) == 0)
        for (unsigned i = 0; i < info->dls_cnt; i++)
            *vec_add(places) = arena_strdup(memory, slice_str(info->dls_serpath[i].dls_name));
    free(info);
    *vec_add(places) = "/etc/ld.so.cache";
}
