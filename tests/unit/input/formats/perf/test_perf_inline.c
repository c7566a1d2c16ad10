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

/* The lines of what is after the first brace of each function. */
enum { INNER_LINE = __LINE__ + 6, MIDDLE_LINE = INNER_LINE + 6, OUTER_LINE = MIDDLE_LINE + 5 };

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

static void expect_function(const struct perf_function *f, const char *name, uint32_t line)
{
    cr_expect(slice_equal(f->name, slice_str(name)), "%.*s, not %s", SLICE_ARG(f->name), name);
    cr_expect(slice_ends(f->place.file, SLICE("/tests/unit/input/formats/perf/test_perf_inline.c")),
              "%s: '%.*s'", name, SLICE_ARG(f->place.file));
    cr_expect(slice_starts(f->place.file, SLICE("/")), "'%.*s'", SLICE_ARG(f->place.file));
    cr_expect_eq(f->place.line, line, "%s: line %u, not %u", name, f->place.line, line);
}

Test(input_perf_inline, functions_and_lines_at_an_address)
{
    struct perf_function found[PERF_INLINE_MOST];
    struct perf_place place;
    struct perf_inline *p;
    struct binary e;
    uint64_t bias = 0, address = outer();

    if (!address)
        cr_skip_test("no way to get an address on this machine");
    dl_iterate_phdr(take_bias, &bias);
    cr_assert(binary_open(&e, open("/proc/self/exe", O_RDONLY | O_CLOEXEC)));
    p = perf_inline_new(&e);
    cr_assert_not_null(p);
    cr_expect_eq(perf_inline_find(p, address - bias, &place, NULL), 0);
    cr_expect_eq(place.line, INNER_LINE);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(perf_inline_find(p, address - bias, &place, found), 3);
        expect_function(&found[0], "inner", INNER_LINE);
        expect_function(&found[1], "middle", MIDDLE_LINE);
        expect_function(&found[2], "outer", OUTER_LINE);
        cr_expect_eq(place.line, INNER_LINE);
    }
    cr_expect_eq(perf_inline_find(p, UINT64_MAX - 1, &place, found), 0);
    cr_expect_eq(place.file.len, 0);
    perf_inline_free(p);
    binary_release(&e);
}
