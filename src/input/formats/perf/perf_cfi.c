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

/* The entry at an offset, without its length. The length was checked. */
static struct slice entry_at(struct slice bytes, size_t at)
{
    return slice_take(slice_skip(bytes, at + WORD), word_at(bytes, at));
}

/* Checks all entries, and sets a bit of `begins` for each. `longest` is what the dearest costs. */
static bool check_entries(struct slice bytes, unsigned char *begins, size_t *longest)
{
    size_t at = 0;

    *longest = 0;
    while (bytes.len - at >= WORD) {
        size_t len = word_at(bytes, at);
        size_t cost = len > bytes.len - at - WORD ? SIZE_MAX : cost_of(entry_at(bytes, at));

        if (cost > MOST_COST)
            return false;
        *longest = cost > *longest ? cost : *longest;
        begins[at / 8] |= (unsigned char)(1 << at % 8);
        at += WORD + len;
    }
    return true;
}

static void add_span(struct perf_cfi *c, uint64_t begin, uint64_t end, uint64_t cost)
{
    *vec_add(&c->spans) = (struct perf_cfi_span){begin, end < begin ? UINT64_MAX : end, cost};
}

/* Adds an entry that the table finds. What is not encoded as usual may reach anywhere. */
static void add_found(struct perf_cfi *c, const struct part *entries, size_t at, uint64_t begin)
{
    enum { BEGIN = WORD, RANGE = 2 * WORD, END = 3 * WORD }; /* after the offset of the head */
    struct slice entry = entry_at(entries->bytes, at);
    uint64_t end = UINT64_MAX;

    if (entry.len >= END &&
        entries->address + at + WORD + BEGIN + (uint64_t)(int32_t)word_at(entry, BEGIN) == begin)
        end = begin + word_at(entry, RANGE);
    add_span(c, begin, end, cost_of(entry));
}

/* Checks .eh_frame_hdr, and adds what it finds: all begins an entry. */
static bool read_table(struct perf_cfi *c, const struct part *table, const struct part *entries,
                       size_t longest, const unsigned char *begins)
{
    enum { COUNT = 8, ROWS = 12, ROW = 8 };
    static const unsigned char usual[] = {1, DW_EH_PE_pcrel | DW_EH_PE_sdata4, DW_EH_PE_udata4,
                                          DW_EH_PE_datarel | DW_EH_PE_sdata4};
    struct slice bytes = table->bytes;
    uint32_t count;

    if (bytes.len >= WORD && (unsigned char)bytes.ptr[2] == DW_EH_PE_omit) {
        add_span(c, 0, UINT64_MAX, longest);
        return true;
    }
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
        add_found(c, entries, (size_t)at,
                  table->address + (uint64_t)(int32_t)word_at(bytes, ROWS + i * ROW));
    }
    return true;
}

/* Adds the entries of .debug_frame, which libdw finds by going through them once. */
static void add_all(struct perf_cfi *c, struct slice bytes, bool wide)
{
    const uint32_t head = UINT32_MAX; /* in place of the offset of a head */
    size_t word = wide ? sizeof(uint64_t) : WORD;

    for (size_t at = 0; bytes.len - at >= WORD; at += WORD + word_at(bytes, at)) {
        struct slice entry = entry_at(bytes, at);
        uint64_t begin = 0, range = 0;

        if (entry.len < WORD + 2 * word || word_at(entry, 0) == head)
            continue;
        memcpy(&begin, entry.ptr + WORD, word);
        memcpy(&range, entry.ptr + WORD + word, word);
        add_span(c, begin, begin + range, cost_of(entry));
    }
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

static bool read_parts(struct perf_cfi *c, const struct part parts[static 3], bool wide)
{
    struct slice entries = parts[0].bytes, others = parts[2].bytes;
    unsigned char *begins =
        xcalloc((entries.len > others.len ? entries.len : others.len) / 8 + 1, 1);
    size_t longest;
    bool ok = check_entries(others, begins, &longest);

    if (ok)
        add_all(c, others, wide);
    memset(begins, 0, entries.len / 8 + 1);
    ok = ok && check_entries(entries, begins, &longest) &&
         (!parts[1].found || read_table(c, &parts[1], &parts[0], longest, begins));
    if (ok && entries.len && !parts[1].found)
        add_span(c, 0, UINT64_MAX, longest);
    free(begins);
    return ok;
}

static int compare_spans(const void *a, const void *b)
{
    uint64_t x = ((const struct perf_cfi_span *)a)->begin;
    uint64_t y = ((const struct perf_cfi_span *)b)->begin;

    return (x > y) - (x < y);
}

/* Sorts the spans, and makes one of those that overlap. */
static void join_spans(struct perf_cfi *c)
{
    size_t count = 0;

    if (c->spans.count)
        qsort(c->spans.items, c->spans.count, sizeof(*c->spans.items), compare_spans);
    vec_each (struct perf_cfi_span, s, &c->spans) {
        struct perf_cfi_span *last = &c->spans.items[count - (count > 0)];

        if (!count || s->begin >= last->end) {
            c->spans.items[count++] = *s;
            continue;
        }
        last->end = s->end > last->end ? s->end : last->end;
        last->cost = s->cost > last->cost ? s->cost : last->cost;
    }
    c->spans.count = count;
}

bool perf_cfi_read(struct perf_cfi *c, struct Elf *elf)
{
    struct part parts[3] = {0};
    const char *ident = elf_getident(elf, NULL);
    Elf_Scn *section = NULL;
    size_t names;
    bool ok;

    if (elf_getshdrstrndx(elf, &names) != 0 || ident[EI_DATA] != ELFDATA2LSB)
        return false;
    while ((section = elf_nextscn(elf, section)))
        if (!take_section(parts, section, elf, names))
            return false;
    ok = (parts[0].found || !has_segment(elf)) &&
         read_parts(c, parts, ident[EI_CLASS] == ELFCLASS64);
    c->spans.count = ok ? c->spans.count : 0;
    join_spans(c);
    return ok;
}

void perf_cfi_release(struct perf_cfi *c)
{
    vec_release(&c->spans);
}

uint64_t perf_cfi_cost(const struct perf_cfi *c, uint64_t address)
{
    size_t from = 0, to = c->spans.count;

    while (from < to) {
        size_t middle = from + (to - from) / 2;

        if (c->spans.items[middle].begin > address)
            to = middle;
        else
            from = middle + 1;
    }
    return from && address < c->spans.items[from - 1].end ? c->spans.items[from - 1].cost : 0;
}
