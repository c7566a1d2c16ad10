#include "input/formats/perf/perf_inline.h"

#include <dwarf.h>
#include <fcntl.h>
#include <link.h>

#include "base/buf.h"
#include "input/build/binary.h"
#include "unit/support/patience.h"
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

/* ---- a binary made here ---------------------------------------------------------------------- */

static void add_bytes(struct buf *b, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        buf_add_char(b, i < sizeof(value) ? (char)(value >> 8 * i) : '\0');
}

/* Abbreviations: 1 a unit, 2 a block, whose entry is one byte, 3 a function. */
static void make_abbreviations(struct buf *b)
{
    static const unsigned char bytes[] = {
        1,
        DW_TAG_compile_unit,
        1,
        DW_AT_low_pc,
        DW_FORM_addr,
        DW_AT_high_pc,
        DW_FORM_data8,
        0,
        0,
        2,
        DW_TAG_lexical_block,
        1,
        0,
        0,
        3,
        DW_TAG_subprogram,
        0,
        DW_AT_low_pc,
        DW_FORM_addr,
        DW_AT_high_pc,
        DW_FORM_data8,
        DW_AT_linkage_name,
        DW_FORM_string,
        0,
        0,
        0,
    };

    buf_add(b, (const char *)bytes, sizeof(bytes));
}

static void add_function(struct buf *b, uint64_t address, const char *name)
{
    buf_add_char(b, 3);
    add_bytes(b, address, 8);
    add_bytes(b, 0x10, 8);
    buf_add(b, name, strlen(name) + 1);
}

/*
 * A unit with `depth` blocks, each in the one before it; functions are in the last and after all.
 */
static void make_unit(struct buf *b, unsigned depth)
{
    struct buf entries = {0};

    buf_add_char(&entries, 1);
    add_bytes(&entries, 0x1000, 8);
    add_bytes(&entries, 0x1000, 8);
    for (unsigned i = 0; i < depth; i++)
        buf_add_char(&entries, 2);
    add_function(&entries, 0x1100, "inside");
    for (unsigned i = 0; i < depth; i++)
        buf_add_char(&entries, 0);
    add_function(&entries, 0x1200, "behind");
    buf_add_char(&entries, 0);
    add_bytes(b, 7 + entries.len, 4);
    add_bytes(b, 4, 2); /* the version of DWARF */
    add_bytes(b, 0, 4); /* where the abbreviations begin */
    add_bytes(b, 8, 1); /* the size of an address */
    buf_add_slice(b, buf_slice(&entries));
    buf_release(&entries);
}

/* Adds the header of a section; its bytes are at `offset`. */
static void add_header(struct buf *b, unsigned name, unsigned type, size_t offset, size_t size)
{
    const uint64_t values[] = {0, 0, offset, size};

    add_bytes(b, name, 4);
    add_bytes(b, type, 4);
    for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
        add_bytes(b, values[i], 8);
    add_bytes(b, 0, 8); /* links */
    add_bytes(b, 1, 8);
    add_bytes(b, 0, 8);
}

/* An ELF file of two sections with debug information, and their names. */
static void make_binary(struct buf *b, unsigned depth)
{
    static const char names[] = "\0.debug_info\0.debug_abbrev\0.names";
    struct buf unit = {0}, abbreviations = {0};
    size_t at = 64 + 4 * 64;

    make_unit(&unit, depth);
    make_abbreviations(&abbreviations);
    buf_add(b, "\177ELF\2\1\1\0\0\0\0\0\0\0\0", 16);
    add_bytes(b, ET_EXEC, 2);
    add_bytes(b, EM_X86_64, 2);
    add_bytes(b, 1, 4);
    add_bytes(b, 0, 16);
    add_bytes(b, 64, 8); /* where the headers of sections begin */
    add_bytes(b, 0, 4);
    add_bytes(b, 64, 2);
    add_bytes(b, 56, 2);
    add_bytes(b, 0, 2);
    add_bytes(b, 64, 2);
    add_bytes(b, 4, 2);
    add_bytes(b, 3, 2);
    add_header(b, 0, SHT_NULL, 0, 0);
    add_header(b, 1, SHT_PROGBITS, at, unit.len);
    add_header(b, 13, SHT_PROGBITS, at + unit.len, abbreviations.len);
    add_header(b, 27, SHT_STRTAB, at + unit.len + abbreviations.len, sizeof(names));
    buf_add_slice(b, buf_slice(&unit));
    buf_add_slice(b, buf_slice(&abbreviations));
    buf_add(b, names, sizeof(names));
    buf_release(&abbreviations);
    buf_release(&unit);
}

static void expect_found(struct perf_inline *p, uint64_t address, const char *name)
{
    struct perf_function found[PERF_INLINE_MOST];
    struct perf_place place;

    cr_assert_eq(perf_inline_find(p, address, &place, found), 1, "%s", name);
    cr_expect(slice_equal(found[0].name, slice_str(name)), "%.*s", SLICE_ARG(found[0].name));
}

/* By siblings, libdw would make 50 million steps here. */
Test(input_perf_inline, nested_blocks_cost_one_step_each)
{
    enum { DEPTH = 10000 };
    struct perf_inline *p;
    struct binary e;
    struct buf bytes = {0};

    patience(20);
    make_binary(&bytes, DEPTH);
    cr_assert(binary_open_memory(&e, buf_slice(&bytes)));
    p = perf_inline_new(&e);
    cr_assert_not_null(p);
    expect_found(p, 0x1105, "inside");
    expect_found(p, 0x1205, "behind");
    cr_expect_lt(perf_inline_steps(p), 4 * DEPTH);
    perf_inline_free(p);
    binary_release(&e);
    buf_release(&bytes);
}
