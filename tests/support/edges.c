/*
 * Counts, for libFuzzer, which code runs. gcc calls __sanitizer_cov_trace_pc() at the start of each
 * block of code that it compiles with -fsanitize-coverage=trace-pc; libFuzzer reads the counters
 * that clang's code has.
 */
#include <stdint.h>

enum { COUNTER_BITS = 16 };

static uint8_t counters[1 << COUNTER_BITS];

void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *end);

__attribute__((constructor)) static void edges_begin(void)
{
    __sanitizer_cov_8bit_counters_init(counters, counters + sizeof(counters));
}

__attribute__((no_sanitize("address", "undefined"))) void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    uint64_t place = (uintptr_t)__builtin_return_address(0);

    counters[place * 0x9e3779b97f4a7c15 >> (64 - COUNTER_BITS)]++;
}

/* Calls for comparisons of floating-point numbers, which only gcc makes. */
void __sanitizer_cov_trace_cmpf(float a, float b);
void __sanitizer_cov_trace_cmpf(float a, float b)
{
    (void)a;
    (void)b;
}

void __sanitizer_cov_trace_cmpd(double a, double b);
void __sanitizer_cov_trace_cmpd(double a, double b)
{
    (void)a;
    (void)b;
}
