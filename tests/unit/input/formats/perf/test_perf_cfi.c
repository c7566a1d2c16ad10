#include "input/formats/perf/perf_cfi.h"

#include <elf.h>

#include "base/buf.h"
#include "input/build/binary.h"
#include "unit/support/test.h"

enum { ADDRESS = 0x1000, TABLE = 0x800, SECTIONS = 4 };

/* Offsets of names. */
enum { EH_FRAME = 1, EH_FRAME_HDR = 11, DEBUG_FRAME = 25, NAMES = 38 };

static void add_word(struct buf *out, uint32_t word)
{
    buf_add(out, &word, sizeof(word));
}

/* An entry of `len` instructions; libdw would skip most of them as "nothing to do". */
static void add_entry(struct buf *out, size_t len, char instruction)
{
    add_word(out, (uint32_t)len);
    while (len--)
        buf_add_char(out, instruction);
}

/* .eh_frame_hdr, which finds one entry, at the offset `to`. */
static void add_table(struct buf *out, uint32_t to)
{
    add_word(out, 0x3b031b01);
    add_word(out, ADDRESS - TABLE - 4);
    add_word(out, 1);
    add_word(out, 0);
    add_word(out, ADDRESS - TABLE + to);
}

static void add_section(struct buf *out, uint32_t name, uint64_t address, size_t at, size_t size)
{
    Elf64_Shdr header = {.sh_name = name,
                         .sh_type = name == NAMES ? SHT_STRTAB
                                    : name        ? SHT_PROGBITS
                                                  : SHT_NULL,
                         .sh_addr = address,
                         .sh_offset = at,
                         .sh_size = size};

    buf_add(out, &header, sizeof(header));
}

/* `second` is the offset of the name of the section that is not .eh_frame. */
static bool read_rules(struct perf_cfi *c, struct slice entries, struct slice table,
                       uint32_t second)
{
    static const char names[] = "\0.eh_frame\0.eh_frame_hdr\0.debug_frame\0.names";
    size_t at = sizeof(Elf64_Ehdr) + SECTIONS * sizeof(Elf64_Shdr);
    Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                         .e_type = ET_DYN,
                         .e_machine = EM_X86_64,
                         .e_version = EV_CURRENT,
                         .e_shoff = sizeof(header),
                         .e_ehsize = sizeof(header),
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = SECTIONS,
                         .e_shstrndx = SECTIONS - 1};
    struct buf file = {0};
    struct binary binary;
    bool ok;

    buf_add(&file, &header, sizeof(header));
    add_section(&file, 0, 0, 0, 0);
    add_section(&file, 1, ADDRESS, at, entries.len);
    add_section(&file, second, TABLE, at + entries.len, table.len);
    add_section(&file, NAMES, 0, at + entries.len + table.len, sizeof(names));
    buf_add_slice(&file, entries);
    buf_add_slice(&file, table);
    buf_add(&file, names, sizeof(names));
    cr_assert(binary_open_memory(&binary, buf_slice(&file)));
    ok = perf_cfi_read(c, binary.elf);
    binary_release(&binary);
    buf_release(&file);
    return ok;
}

static bool is_bounded(struct slice entries, struct slice table, uint32_t second)
{
    struct perf_cfi c = {0};
    bool ok = read_rules(&c, entries, table, second);

    perf_cfi_release(&c);
    return ok;
}

Test(input_perf_cfi, entries)
{
    static const struct {
        size_t len;
        char instruction;
        uint32_t to; /* of the table */
        bool bounded;
    } cases[] = {
        {0x40, 0, 0x14, true},        {0x40, 0, 0x18, false},
        {0x40, 0, 0x7fffffff, false}, {1 << 19, 0, 0x14, true},
        {1 << 21, 0, 0x14, false},    {5000, 10, 0x14, true}, /* registers are remembered */
        {1 << 16, 10, 0x14, false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct buf entries = {0}, table = {0};

        add_entry(&entries, 0x10, 0);
        add_entry(&entries, cases[i].len, cases[i].instruction);
        add_word(&entries, 0);
        add_table(&table, cases[i].to);
        cr_expect_eq(is_bounded(buf_slice(&entries), buf_slice(&table), EH_FRAME_HDR),
                     cases[i].bounded, "case %zu", i);
        cr_expect_eq(
            is_bounded(slice_take(buf_slice(&entries), 0x14), buf_slice(&entries), DEBUG_FRAME),
            cases[i].bounded || cases[i].to != 0x14, "case %zu", i);
        cr_expect_not(is_bounded(buf_slice(&entries), buf_slice(&entries), EH_FRAME), "two");
        cr_expect_not(
            is_bounded(slice_take(buf_slice(&entries), 0x20), buf_slice(&table), EH_FRAME_HDR),
            "cut");
        buf_release(&entries);
        buf_release(&table);
    }
}

static void add_long(struct buf *out, uint64_t value)
{
    buf_add(out, &value, sizeof(value));
}

/* An entry of .debug_frame, with instructions that remember registers: each costs 101 steps. */
static void add_function(struct buf *out, uint64_t begin, uint64_t range, uint32_t remembered)
{
    add_word(out, 20 + remembered);
    add_word(out, 0);
    add_long(out, begin);
    add_long(out, range);
    while (remembered--)
        buf_add_char(out, 10);
}

static void expect_costs(const struct perf_cfi *c, const uint64_t (*costs)[2], size_t count)
{
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(perf_cfi_cost(c, costs[i][0]), costs[i][1], "%#lx: %lu for %lu", costs[i][0],
                     perf_cfi_cost(c, costs[i][0]), costs[i][1]);
}

Test(input_perf_cfi, costs_of_addresses)
{
    static const uint64_t costs[][2] = {
        {0x0ff, 0}, {0x100, 20 + 7 * 101}, {0x2ff, 20 + 7 * 101}, {0x300, 0}, {0x400, 20},
        {0x410, 0}, {UINT64_MAX, 0}};
    struct perf_cfi c = {0};
    struct buf functions = {0};

    add_function(&functions, 0x400, 0x10, 0);
    add_word(&functions, 16); /* a head */
    add_word(&functions, UINT32_MAX);
    add_long(&functions, 0x10);
    add_word(&functions, 0xfff);
    add_function(&functions, 0x1f0, 0x110, 7);
    add_function(&functions, 0x100, 0x100, 3);
    cr_assert(read_rules(&c, slice_make("", 0), buf_slice(&functions), DEBUG_FRAME));
    expect_costs(&c, costs, sizeof(costs) / sizeof(*costs));
    perf_cfi_release(&c);
    buf_release(&functions);
}

Test(input_perf_cfi, costs_by_the_table)
{
    enum { BEGIN = 12, REMEMBERED = 5, FUNCTION = TABLE + 0x100, RANGE = 0x40 };
    static const uint64_t usual[][2] = {{FUNCTION - 1, 0},
                                        {FUNCTION, BEGIN + REMEMBERED * 101},
                                        {FUNCTION + RANGE - 1, BEGIN + REMEMBERED * 101},
                                        {FUNCTION + RANGE, 0}};
    static const uint64_t unusual[][2] = {{FUNCTION - 1, 0},
                                          {FUNCTION, BEGIN + REMEMBERED * 101},
                                          {UINT64_MAX - 1, BEGIN + REMEMBERED * 101}};

    for (int same = 0; same <= 1; same++) {
        struct perf_cfi c = {0};
        struct buf entries = {0}, table = {0};

        add_word(&entries, BEGIN + REMEMBERED);
        add_word(&entries, 0);
        add_word(&entries, (uint32_t)(FUNCTION + !same - (ADDRESS + 8)));
        add_word(&entries, RANGE);
        for (int i = 0; i < REMEMBERED; i++)
            buf_add_char(&entries, 10);
        add_table(&table, 0);
        table.ptr[12] = 0;
        table.ptr[13] = 1; /* the function is 0x100 bytes after the table */
        cr_assert(read_rules(&c, buf_slice(&entries), buf_slice(&table), EH_FRAME_HDR));
        expect_costs(&c, same ? usual : unusual, same ? 4 : 3);
        perf_cfi_release(&c);
        cr_assert(read_rules(&c, buf_slice(&entries), slice_make("", 0), DEBUG_FRAME));
        cr_expect_eq(perf_cfi_cost(&c, 0), BEGIN + REMEMBERED * 101,
                     "libdw finds entries without the table");
        perf_cfi_release(&c);
        buf_release(&entries);
        buf_release(&table);
    }
}
