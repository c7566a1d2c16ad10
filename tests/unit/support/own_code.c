#include "unit/support/own_code.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "unit/support/test.h"

void own_code_find(struct own_code *c)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[1024], path[512];
    ssize_t len;

    *c = (struct own_code){.size = 0};
    len = readlink("/proc/self/exe", c->path, sizeof(c->path) - 1);
    cr_assert(maps && len > 0);
    while (!c->size && fgets(line, sizeof(line), maps)) {
        unsigned long long start, end, offset;
        char rights[5];

        if (sscanf(line, "%llx-%llx %4s %llx %*s %*s %511s", &start, &end, rights, &offset, path) !=
                5 ||
            rights[2] != 'x' || strcmp(path, c->path) != 0)
            continue;
        c->start = start;
        c->offset = offset;
        c->size = end - start;
    }
    fclose(maps);
    cr_assert(c->size);
}
