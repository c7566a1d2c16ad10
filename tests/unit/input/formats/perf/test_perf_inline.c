#include "input/formats/perf/perf_inline.h"

#include <fcntl.h>
#include <link.h>

#include "input/build/binary.h"
#include "unit/support/test.h"

/* Functions of this program, which has DWARF. */

#if defined(__x86_64__)
#define PLACE(address) __asm__ volatile("lea -1(%%rip), %0" : "=r"(address))
#elif defined(__aarch64__)
#define PLACE(address) __asm__ volatile("adr %0, ." : "=r"(address))
#else
#define PLACE(address) ((address) = 0)
#endif

static inline __attribute__((always_inline)) uint64_t inner(void)
{
    uint64_t address;

    PLACE(address);
    return address;
}

static inline __attribute__((always_inline)) uint64_t middle(void)
{
    return inner();
}

static __attribute__((noinline)) uint64_t outer(void)
{
    return middle();
}

static int take_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
    (void)size;
    *(uint64_t *)bias = info->dlpi_addr;
    return 1; /* the program is the first one */
}

Test(input_perf_inline, functions_at_an_address)
{
    static const char *const want[] = {"inner", "middle", "outer"};
    struct slice names[PERF_INLINE_MOST];
    struct perf_inline *p;
    struct binary e;
    uint64_t bias = 0, address = outer();

    if (!address)
        cr_skip_test("no way to get an address on this machine");
    dl_iterate_phdr(take_bias, &bias);
    cr_assert(binary_open(&e, open("/proc/self/exe", O_RDONLY | O_CLOEXEC)));
    p = perf_inline_new(&e);
    cr_assert_not_null(p);
    for (int i = 0; i < 2; i++) {
        unsigned count = perf_inline_find(p, address - bias, names);

        cr_assert_eq(count, sizeof(want) / sizeof(want[0]), "%u", count);
        for (unsigned k = 0; k < count; k++)
            cr_expect(slice_equal(names[k], slice_str(want[k])), "%.*s, not %s",
                      SLICE_ARG(names[k]), want[k]);
    }
    cr_expect_eq(perf_inline_find(p, UINT64_MAX - 1, names), 0);
    perf_inline_free(p);
    binary_release(&e);
}
