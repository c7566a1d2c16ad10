#include "input/build/binary.h"

#include <gelf.h>
#include <lzma.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- opening --------------------------------------------------------------------------------- */

static bool finish_open(struct binary *e)
{
    if (e->elf && elf_kind(e->elf) == ELF_K_ELF)
        return true;
    binary_release(e);
    return false;
}

bool binary_open(struct binary *e, int fd)
{
    *e = (struct binary){.fd = fd};
    if (fd < 0)
        return false;
    elf_version(EV_CURRENT);
    e->elf = elf_begin(e->fd, ELF_C_READ_MMAP, NULL);
    return finish_open(e);
}

bool binary_open_memory(struct binary *e, struct slice bytes)
{
    *e = (struct binary){.fd = -1};
    elf_version(EV_CURRENT);
    /* libelf writes nothing to a binary that is only read. */
    e->elf = elf_memory((char *)(uintptr_t)bytes.ptr, bytes.len);
    return finish_open(e);
}

void binary_release(struct binary *e)
{
    if (e->elf)
        elf_end(e->elf);
    if (e->fd >= 0)
        close(e->fd);
    xfree(e->memory);
    *e = (struct binary){.fd = -1};
}

/* ---- sections -------------------------------------------------------------------------------- */

static Elf_Scn *find_section(const struct binary *e, const char *name, GElf_Shdr *header)
{
    Elf_Scn *section = NULL;
    size_t names;

    if (elf_getshdrstrndx(e->elf, &names) != 0)
        return NULL;
    while ((section = elf_nextscn(e->elf, section))) {
        const char *found;

        if (!gelf_getshdr(section, header))
            continue;
        found = elf_strptr(e->elf, names, header->sh_name);
        if (found && strcmp(found, name) == 0)
            return section;
    }
    return NULL;
}

struct slice binary_section(const struct binary *e, const char *name)
{
    GElf_Shdr header;
    Elf_Scn *section = find_section(e, name, &header);
    Elf_Data *data = section && header.sh_type != SHT_NOBITS ? elf_rawdata(section, NULL) : NULL;

    return data && data->d_buf ? slice_make(data->d_buf, data->d_size) : slice_make(NULL, 0);
}

struct slice binary_build_id(const struct binary *e)
{
    Elf_Scn *section = NULL;

    while ((section = elf_nextscn(e->elf, section))) {
        Elf_Data *data;
        GElf_Shdr header;
        GElf_Nhdr note;
        size_t at = 0, name, content;

        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE)
            continue;
        data = elf_getdata(section, NULL);
        while (data && (at = gelf_getnote(data, at, &note, &name, &content)) > 0)
            if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof("GNU") &&
                memcmp((char *)data->d_buf + name, "GNU", sizeof("GNU")) == 0)
                return slice_make((char *)data->d_buf + content, note.n_descsz);
    }
    return slice_make(NULL, 0);
}

struct slice binary_debuglink(const struct binary *e)
{
    struct slice bytes = binary_section(e, ".gnu_debuglink");

    return slice_take(bytes, slice_find(bytes, '\0'));
}

bool binary_is_swapped(const struct binary *e)
{
    enum { OURS = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB };
    const char *ident = elf_getident(e->elf, NULL);

    return ident && ident[EI_DATA] != OURS;
}

bool binary_has_symtab(const struct binary *e)
{
    GElf_Shdr header;

    return find_section(e, ".symtab", &header) && header.sh_type == SHT_SYMTAB;
}

/* ---- packed symbols -------------------------------------------------------------------------- */

bool binary_open_embedded(struct binary *e, const struct binary *outer)
{
    enum { MOST = 256 << 20 };
    struct slice packed = binary_section(outer, ".gnu_debugdata");
    lzma_stream z = LZMA_STREAM_INIT;
    size_t room = 64 * 1024, used = 0;
    lzma_ret state = LZMA_OK;
    char *bytes = NULL;

    *e = (struct binary){.fd = -1};
    if (!packed.len || lzma_stream_decoder(&z, MOST, 0) != LZMA_OK)
        return false;
    z.next_in = (const uint8_t *)packed.ptr;
    z.avail_in = packed.len;
    while (state == LZMA_OK && room < MOST) {
        room *= 2;
        bytes = xrealloc(bytes, room);
        z.next_out = (uint8_t *)bytes + used;
        z.avail_out = room - used;
        state = lzma_code(&z, LZMA_FINISH);
        used = room - z.avail_out;
    }
    lzma_end(&z);
    if (state != LZMA_STREAM_END || !binary_open_memory(e, slice_make(bytes, used))) {
        xfree(bytes);
        return false;
    }
    e->memory = bytes;
    return true;
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* Finds the segment in which `value` lies, as an offset of the file or as an address. */
static bool find_segment(const struct binary *e, uint64_t value, bool by_address, GElf_Phdr *out)
{
    size_t count;
    bool found = false;

    if (elf_getphdrnum(e->elf, &count) != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr p;
        uint64_t start, size;

        if (!gelf_getphdr(e->elf, (int)i, &p) || p.p_type != PT_LOAD)
            continue;
        start = by_address ? p.p_vaddr : p.p_offset;
        size = by_address ? p.p_memsz : p.p_filesz;
        if (value < start || value - start >= size || (found && !(p.p_flags & PF_X)))
            continue;
        *out = p;
        found = true;
    }
    return found;
}

bool binary_address(const struct binary *e, uint64_t offset, uint64_t *address)
{
    GElf_Phdr p;

    if (!find_segment(e, offset, false, &p))
        return false;
    *address = offset - p.p_offset + p.p_vaddr;
    return true;
}

bool binary_bias(const struct binary *e, uint64_t start, uint64_t offset, uint64_t *bias)
{
    uint64_t address;

    if (!binary_address(e, offset, &address))
        return false;
    *bias = start - address;
    return true;
}

/*
 * A map is of whole pages, or of a part of the code, which a program may map anew in parts. It may
 * be of the whole file: so the kernel tells of a program's first segment.
 */
static bool part_fits(const GElf_Phdr *p, struct binary_part code)
{
    enum { PAGE = 4096 };
    uint64_t page = p->p_align > PAGE ? p->p_align : PAGE;
    uint64_t start = p->p_offset - p->p_offset % page, end = p->p_offset + p->p_filesz;

    if (code.offset == 0 && code.size >= end)
        return true;
    if (code.offset < start || code.offset >= end)
        return false;
    return code.size < page || code.size - page < end - code.offset;
}

bool binary_fits(const struct binary *e, struct binary_part code)
{
    size_t count;

    if (!code.size || elf_getphdrnum(e->elf, &count) != 0)
        return true;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr p;

        if (gelf_getphdr(e->elf, (int)i, &p) && p.p_type == PT_LOAD && (p.p_flags & PF_X) &&
            p.p_filesz && p.p_offset <= UINT64_MAX - p.p_filesz && part_fits(&p, code))
            return true;
    }
    return false;
}

bool binary_base(const struct binary *e, uint64_t *base)
{
    size_t count;
    bool found = false;

    if (elf_getphdrnum(e->elf, &count) != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr p;

        if (!gelf_getphdr(e->elf, (int)i, &p) || p.p_type != PT_LOAD ||
            (found && p.p_vaddr >= *base))
            continue;
        *base = p.p_vaddr;
        found = true;
    }
    return found;
}

bool binary_code_end(const struct binary *e, uint64_t *end)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;

    *end = 0;
    while ((section = elf_nextscn(e->elf, section)))
        if (gelf_getshdr(section, &header) && (header.sh_flags & SHF_EXECINSTR) &&
            header.sh_addr <= UINT64_MAX - header.sh_size && header.sh_addr + header.sh_size > *end)
            *end = header.sh_addr + header.sh_size;
    return *end > 0;
}

/* ---- symbols --------------------------------------------------------------------------------- */

/* Names that assemblers for ARM give to the beginnings of code and data. */
static bool is_mapping_symbol(int machine, const char *name)
{
    return (machine == EM_ARM || machine == EM_AARCH64) && name[0] == '$' && name[1] &&
           strchr("adtx", name[1]) && (name[2] == '\0' || name[2] == '.');
}

static bool is_code_or_data(Elf *elf, size_t names, const GElf_Shdr *header)
{
    const char *name = elf_strptr(elf, names, header->sh_name);

    return name && (strstr(name, "text") || strstr(name, "data"));
}

struct adding {
    const struct binary *from, *image;
    struct symtab *table;
    size_t names;    /* of sections */
    GElf_Word texts; /* section of the symbols' names */
    int machine;
    GElf_Phdr segment; /* of the symbol before */
};

/* Adds a symbol if it is one that perf takes, which names code or data in memory. */
static void add_symbol(struct adding *a, const GElf_Sym *sym)
{
    const char *name = elf_strptr(a->from->elf, a->texts, sym->st_name);
    unsigned type = GELF_ST_TYPE(sym->st_info), bind = GELF_ST_BIND(sym->st_info);
    unsigned visibility = GELF_ST_VISIBILITY(sym->st_other);
    bool label = type == STT_NOTYPE;
    GElf_Shdr header;

    if (!name || !*name || sym->st_shndx == SHN_UNDEF || sym->st_shndx == SHN_ABS ||
        is_mapping_symbol(a->machine, name))
        return;
    if (!label && type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_OBJECT)
        return;
    if (label && (visibility == STV_HIDDEN || visibility == STV_INTERNAL))
        return;
    if (!gelf_getshdr(elf_getscn(a->from->elf, sym->st_shndx), &header) ||
        !(header.sh_flags & SHF_ALLOC) ||
        (label && !is_code_or_data(a->from->elf, a->names, &header)))
        return;
    if (sym->st_value - a->segment.p_vaddr >= a->segment.p_memsz &&
        !find_segment(a->image, sym->st_value, true, &a->segment))
        return;
    symtab_add(a->table, sym->st_value, sym->st_size, slice_str(name),
               bind == STB_WEAK     ? SYMTAB_WEAK
               : bind == STB_GLOBAL ? SYMTAB_GLOBAL
                                    : SYMTAB_LOCAL);
}

static void add_section(struct adding *a, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Sym sym;

    a->texts = header->sh_link;
    for (int i = 0; data && gelf_getsym(data, i, &sym); i++)
        add_symbol(a, &sym);
}

void binary_add_symbols(const struct binary *from, const struct binary *image, struct symtab *t)
{
    static const char *const sections[] = {".symtab", ".dynsym"};
    struct adding a = {.from = from, .image = image, .table = t};
    GElf_Ehdr file;

    if (!gelf_getehdr(from->elf, &file) || elf_getshdrstrndx(from->elf, &a.names) != 0)
        return;
    a.machine = file.e_machine;
    for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
        GElf_Shdr header;
        Elf_Scn *section = find_section(from, sections[i], &header);

        if (section && header.sh_type != SHT_NOBITS)
            add_section(&a, section, &header);
    }
}

/* ---- the PLT --------------------------------------------------------------------------------- */

/* Sizes of the head and of an entry of .plt. */
static void plt_sizes(int machine, const GElf_Shdr *plt, uint64_t *head, uint64_t *entry)
{
    *entry = machine == EM_ARM ? 12 : machine == EM_AARCH64 ? 16 : plt->sh_entsize;
    *head = machine == EM_ARM ? 20 : machine == EM_AARCH64 ? 32 : plt->sh_entsize;
}

/* A function that is called through the PLT. */
struct stub {
    uint64_t place;  /* of the address that the stub reads */
    uint64_t symbol; /* 0: a function that chooses the one to call, at `chooser` */
    uint64_t chooser;
};

struct stubs VEC_OF(struct stub);

static void read_stubs(Elf_Data *data, bool addends, struct stubs *out)
{
    GElf_Rela with;
    GElf_Rel without;

    if (addends)
        for (int i = 0; gelf_getrela(data, i, &with); i++)
            *vec_add(out) =
                (struct stub){with.r_offset, GELF_R_SYM(with.r_info), (uint64_t)with.r_addend};
    else
        for (int i = 0; gelf_getrel(data, i, &without); i++)
            *vec_add(out) = (struct stub){without.r_offset, GELF_R_SYM(without.r_info), 0};
}

static int compare_places(const void *left, const void *right)
{
    const struct stub *a = left, *b = right;

    return a->place < b->place ? -1 : a->place > b->place;
}

struct plt {
    const struct binary *e;
    Elf_Data *symbols;
    size_t texts;        /* the section of the symbols' names */
    struct symtab known; /* sorted symbols, if a stub has no symbol of its own */
};

/* The name of the function that a stub calls. Empty if it is unknown. */
static struct slice stub_name(struct plt *p, const struct symtab *all, const struct stub *stub)
{
    const struct binary_symbol *chooser;
    GElf_Sym sym;

    if (stub->symbol) {
        if (!p->symbols || stub->symbol > INT32_MAX ||
            !gelf_getsym(p->symbols, (int)stub->symbol, &sym))
            return SLICE("");
        return slice_str(elf_strptr(p->e->elf, p->texts, sym.st_name));
    }
    if (!p->known.symbols.count && all->symbols.count) {
        vec_each (struct binary_symbol, s, &all->symbols) {
            *vec_add(&p->known.symbols) = *s;
        }
        symtab_sort(&p->known);
    }
    chooser = symtab_find(&p->known, stub->chooser);
    return chooser && chooser->start == stub->chooser ? chooser->name : SLICE("");
}

/* Where the symbols of relocations are. */
static void find_symbols(struct plt *p, const GElf_Shdr *relocations)
{
    Elf_Scn *symbols = relocations->sh_link ? elf_getscn(p->e->elf, relocations->sh_link) : NULL;
    GElf_Shdr dynamic;

    if (!symbols || !gelf_getshdr(symbols, &dynamic))
        return;
    p->symbols = elf_getdata(symbols, NULL);
    p->texts = dynamic.sh_link;
}

static struct slice plt_name(struct arena *names, struct slice function)
{
    return slice_str(arena_printf(names, "%.*s@plt", SLICE_ARG(function)));
}

static void add_lazy_stubs(struct plt *p, int machine, struct arena *names, struct symtab *t)
{
    GElf_Shdr relocations, plt, second;
    Elf_Scn *section = find_section(p->e, ".rela.plt", &relocations);
    bool addends = section, has_second = find_section(p->e, ".plt.sec", &second);
    struct stubs stubs = {0};
    uint64_t head, size;
    Elf_Data *data;

    if (!section)
        section = find_section(p->e, ".rel.plt", &relocations);
    if (!section || !find_section(p->e, ".plt", &plt))
        return;
    find_symbols(p, &relocations);
    data = elf_getdata(section, NULL);
    if (data)
        read_stubs(data, addends, &stubs);
    plt_sizes(machine, &plt, &head, &size);
    /* Linkers put the relocations of functions that are chosen at run time last on x86. */
    if (stubs.items && (machine == EM_X86_64 || machine == EM_386))
        qsort(stubs.items, stubs.count, sizeof(*stubs.items), compare_places);
    /* Programs that are linked statically may have no head. */
    if (stubs.count * size == plt.sh_size)
        head = 0;
    for (size_t i = 0; i < stubs.count; i++) {
        struct slice name = stub_name(p, t, &stubs.items[i]), text;

        if (!name.len)
            continue;
        text = plt_name(names, name);
        symtab_add(t, plt.sh_addr + head + i * size, size, text, SYMTAB_GLOBAL);
        if (has_second)
            symtab_add(t, second.sh_addr + i * second.sh_entsize, second.sh_entsize, text,
                       SYMTAB_GLOBAL);
    }
    vec_release(&stubs);
}

/*
 * The place of the address to which an entry of .plt.got jumps, of `size` bytes at `address`. 0 if
 * the bytes are no such jump: `jmp *place(%rip)`, after `endbr64` and `bnd` if there are any.
 */
static uint64_t jump_place(const unsigned char *bytes, size_t size, uint64_t address)
{
    static const unsigned char landing[] = {0xf3, 0x0f, 0x1e, 0xfa}, jump[] = {0xff, 0x25};
    size_t at = size > sizeof(landing) && !memcmp(bytes, landing, sizeof(landing)) ? 4 : 0;
    const unsigned char *d;

    if (at < size && bytes[at] == 0xf2)
        at++;
    if (at + 6 > size || memcmp(bytes + at, jump, sizeof(jump)) != 0)
        return 0;
    d = bytes + at + 2;
    return address + at + 6 +
           (uint64_t)(int32_t)(d[0] | d[1] << 8 | d[2] << 16 | (uint32_t)d[3] << 24);
}

static const struct stub *find_stub(const struct stubs *stubs, uint64_t place)
{
    struct stub key = {.place = place};

    return stubs->items ? bsearch(&key, stubs->items, stubs->count, sizeof(key), compare_places)
                        : NULL;
}

/* Functions whose address the program also takes have their entries in .plt.got, in any order. */
static void add_bound_stubs(struct plt *p, struct arena *names, struct symtab *t)
{
    GElf_Shdr relocations, plt;
    Elf_Scn *bound = find_section(p->e, ".plt.got", &plt);
    Elf_Scn *section = bound ? find_section(p->e, ".rela.dyn", &relocations) : NULL;
    Elf_Data *code = section ? elf_getdata(bound, NULL) : NULL;
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
    uint64_t size = bound ? plt.sh_entsize : 0;
    struct stubs stubs = {0};

    if (!code || !code->d_buf || !data || !size)
        return;
    find_symbols(p, &relocations);
    read_stubs(data, true, &stubs);
    if (stubs.items)
        qsort(stubs.items, stubs.count, sizeof(*stubs.items), compare_places);
    for (uint64_t at = 0; at < code->d_size && code->d_size - at >= size; at += size) {
        const unsigned char *bytes = (const unsigned char *)code->d_buf + at;
        const struct stub *stub = find_stub(&stubs, jump_place(bytes, size, plt.sh_addr + at));
        struct slice name = stub && stub->symbol ? stub_name(p, t, stub) : SLICE("");

        if (name.len)
            symtab_add(t, plt.sh_addr + at, size, plt_name(names, name), SYMTAB_GLOBAL);
    }
    vec_release(&stubs);
}

void binary_add_plt(const struct binary *e, struct arena *names, struct symtab *t)
{
    struct plt p = {.e = e};
    GElf_Ehdr file;

    if (!gelf_getehdr(e->elf, &file))
        return;
    add_lazy_stubs(&p, file.e_machine, names, t);
    if (file.e_machine == EM_X86_64)
        add_bound_stubs(&p, names, t);
    symtab_release(&p.known);
}
