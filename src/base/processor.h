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

/*
 * AVX-512's instructions, also for vectors of 32 bytes: what has VL has F. CPU_FEATURE_ACTIVE()
 * would shift a bit into the sign of an int.
 */
static inline bool processor_has_avx512(void)
{
#ifdef CPU_FEATURE_ACTIVE
    enum { WORD = 32, LEAF = 4 * WORD, BIT = x86_cpu_AVX512VL % LEAF };
    const struct cpuid_feature *leaf = __x86_get_cpuid_feature_leaf(x86_cpu_AVX512VL / LEAF);

    return leaf->active_array[BIT / WORD] >> BIT % WORD & 1;
#else
    return __builtin_cpu_supports("avx512vl");
#endif
}

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
