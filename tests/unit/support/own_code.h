/*
 * The map of this program's own code, as the kernel tells it.
 */
#ifndef UNIT_SUPPORT_OWN_CODE_H
#define UNIT_SUPPORT_OWN_CODE_H

#include <stdint.h>

struct own_code {
    char path[512];
    uint64_t start, offset, size; /* in memory; in the file; in bytes */
};

void own_code_find(struct own_code *c);

#endif
