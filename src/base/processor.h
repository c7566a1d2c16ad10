/*
 * What the processor can do beyond the instructions that every processor of its kind has.
 *
 * The C library asks the processor when a program starts. GCC's __builtin_cpu_supports() asks again
 * at each start, used or not, which takes tens of microseconds in a virtual machine; so it is only
 * used with C libraries that do not pass their answer on.
 */
#ifndef BASE_PROCESSOR_H
#define BASE_PROCESSOR_H

#ifdef __x86_64__

#include <stdbool.h>

#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif

static inline bool processor_has_avx2(void)
{
#ifdef CPU_FEATURE_ACTIVE
    return CPU_FEATURE_ACTIVE(AVX2);
#else
    return __builtin_cpu_supports("avx2");
#endif
}

#endif

#endif
