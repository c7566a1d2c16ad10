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
static bool is_bounded(struct slice entries, struct slice table, uint32_t second)
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
    bool bounded;

    buf_add(&file, &header, sizeof(header));
    add_section(&file, 0, 0, 0, 0);
    add_section(&file, 1, ADDRESS, at, entries.len);
    add_section(&file, second, TABLE, at + entries.len, table.len);
    add_section(&file, NAMES, 0, at + entries.len + table.len, sizeof(names));
    buf_add_slice(&file, entries);
    buf_add_slice(&file, table);
    buf_add(&file, names, sizeof(names));
    cr_assert(binary_open_memory(&binary, buf_slice(&file)));
    bounded = perf_cfi_is_bounded(binary.elf);
    binary_release(&binary);
    buf_release(&file);
    return bounded;
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
