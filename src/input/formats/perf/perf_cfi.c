#include "input/formats/perf/perf_cfi.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/slice.h"

/* The longest entry that was seen in programs costs a third of this, which is 16 ms. */
enum { MOST_COST = 1 << 20, COPY_COST = 100, WORD = sizeof(uint32_t) };

/* Of a section that is packed. */
enum { MOST_BYTES = 64 << 20 };

/* A section of entries, or the table of them. */
struct part {
    struct slice bytes;
    uint64_t address;
    bool found;
};

static uint32_t word_at(struct slice bytes, size_t at)
{
    uint32_t word;

    memcpy(&word, bytes.ptr + at, WORD);
    return word;
}

/* At most what the entry costs, in bytes: an argument may look like the instruction that copies. */
static size_t cost_of(struct slice entry)
{
    size_t cost = entry.len;

    for (size_t i = 0; i < entry.len; i++)
        cost += entry.ptr[i] == DW_CFA_remember_state ? COPY_COST : 0;
    return cost;
}

/* Checks all entries, and sets a bit of `begins` for each, unless that is NULL. */
static bool check_entries(struct slice bytes, unsigned char *begins)
{
    size_t at = 0;

    while (bytes.len - at >= WORD) {
        size_t len = word_at(bytes, at);

        if (len > bytes.len - at - WORD ||
            cost_of(slice_take(slice_skip(bytes, at + WORD), len)) > MOST_COST)
            return false;
        if (begins)
            begins[at / 8] |= (unsigned char)(1 << at % 8);
        at += WORD + len;
    }
    return true;
}

/* Checks .eh_frame_hdr: all that it finds begins an entry. */
static bool check_table(const struct part *table, const struct part *entries,
                        const unsigned char *begins)
{
    enum { COUNT = 8, ROWS = 12, ROW = 8 };
    static const unsigned char usual[] = {1, DW_EH_PE_pcrel | DW_EH_PE_sdata4, DW_EH_PE_udata4,
                                          DW_EH_PE_datarel | DW_EH_PE_sdata4};
    struct slice bytes = table->bytes;
    uint32_t count;

    if (bytes.len >= WORD && (unsigned char)bytes.ptr[2] == DW_EH_PE_omit)
        return true;
    if (bytes.len < ROWS || memcmp(bytes.ptr, usual, sizeof(usual)) != 0 ||
        table->address + WORD + (uint64_t)(int32_t)word_at(bytes, WORD) != entries->address)
        return false;
    count = word_at(bytes, COUNT);
    if (count > (bytes.len - ROWS) / ROW)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        int32_t to = (int32_t)word_at(bytes, ROWS + i * ROW + WORD);
        uint64_t at = table->address + (uint64_t)to - entries->address;

        if (at >= entries->bytes.len || !(begins[at / 8] >> at % 8 & 1))
            return false;
    }
    return true;
}

/* Unpacks a section that is packed, as those of Go's programs are. */
static bool unpack(Elf_Scn *section, const GElf_Shdr *header)
{
    GElf_Chdr packed;

    if (!(header->sh_flags & SHF_COMPRESSED))
        return true;
    return gelf_getchdr(section, &packed) && packed.ch_size <= MOST_BYTES &&
           elf_compress(section, 0, 0) >= 0;
}

/* Takes a section, unless there are two of its name or its bytes are not in the file. */
static bool take_part(struct part *part, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data;

    if (part->found || header->sh_type == SHT_NOBITS || !unpack(section, header) ||
        !(data = elf_getdata(section, NULL)))
        return false;
    *part = (struct part){slice_make(data->d_buf, data->d_buf ? data->d_size : 0), header->sh_addr,
                          true};
    return true;
}

static bool take_section(struct part parts[static 3], Elf_Scn *section, Elf *elf, size_t names)
{
    static const char *const known[] = {".eh_frame", ".eh_frame_hdr", ".debug_frame"};
    GElf_Shdr memory, *header = gelf_getshdr(section, &memory);
    const char *name = header ? elf_strptr(elf, names, header->sh_name) : NULL;

    for (size_t i = 0; name && i < sizeof(known) / sizeof(*known); i++)
        if (strcmp(name, known[i]) == 0)
            return take_part(&parts[i], section, header);
    return !name || strcmp(name, ".zdebug_frame") != 0;
}

/* True if the segments say where entries are; libdw looks there without a section .eh_frame. */
static bool has_segment(Elf *elf)
{
    GElf_Phdr segment;
    size_t count;

    if (elf_getphdrnum(elf, &count) != 0)
        return true;
    for (int i = 0; i < (int)count; i++)
        if (!gelf_getphdr(elf, i, &segment) || segment.p_type == PT_GNU_EH_FRAME)
            return true;
    return false;
}

static bool check_parts(const struct part parts[static 3])
{
    unsigned char *begins = xcalloc(parts[0].bytes.len / 8 + 1, 1);
    bool ok;

    ok = check_entries(parts[0].bytes, begins) && check_entries(parts[2].bytes, NULL) &&
         (!parts[1].found || check_table(&parts[1], &parts[0], begins));
    free(begins);
    return ok;
}

bool perf_cfi_is_bounded(struct Elf *elf)
{
    struct part parts[3] = {0};
    Elf_Scn *section = NULL;
    size_t names;

    if (elf_getshdrstrndx(elf, &names) != 0 || elf_getident(elf, NULL)[EI_DATA] != ELFDATA2LSB)
        return false;
    while ((section = elf_nextscn(elf, section)))
        if (!take_section(parts, section, elf, names))
            return false;
    return (parts[0].found || !has_segment(elf)) && check_parts(parts);
}
