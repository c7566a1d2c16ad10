#include "base/hash.h"

#include <sys/auxv.h>
#include <time.h>

#include "base/die.h"

uint64_t hash_key(void)
{
    /* 16 random bytes that the kernel gives each process. */
    const void *random = (const void *)getauxval(AT_RANDOM);
    uint64_t words[2];
    struct timespec now;

    if (random) {
        memcpy(words, random, sizeof(words));
    } else {
        clock_gettime(CLOCK_MONOTONIC, &now);
        words[0] = (uint64_t)now.tv_nsec;
        words[1] = (uint64_t)(uintptr_t)&now;
    }
    return hash_mix(words[0], words[1]);
}
