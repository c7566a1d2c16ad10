#include "input/core/file_state.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/build_id.h"
#include "base/die.h"

enum { BLOCK = 64 << 10, MOST_SECTIONS = BLOCK / sizeof(Elf64_Shdr), MOST_NOTES = 4 << 10 };

/* ---- identities ------------------------------------------------------------------------------ */

static void identify(const struct stat *st, struct file_identity *out)
{
    *out = (struct file_identity){{
        st->st_dev,
        st->st_ino,
        (uint64_t)st->st_size,
        (uint64_t)st->st_mtim.tv_sec,
        (uint64_t)st->st_mtim.tv_nsec,
        (uint64_t)st->st_ctim.tv_sec,
        (uint64_t)st->st_ctim.tv_nsec,
    }};
}

bool file_state_identify(const char *path, struct file_identity *out)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return false;
    identify(&st, out);
    return true;
}

bool file_state_identify_open(int fd, struct file_identity *out)
{
    struct stat st;

    if (fstat(fd, &st) != 0)
        return false;
    identify(&st, out);
    return true;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

struct state {
    int fd;
    uint64_t size;
    uint64_t *left; /* bytes that may be read */
    struct blake digest;
    char *block, *sections; /* BLOCK bytes each */
};

static bool is_inside(const struct state *s, uint64_t offset, uint64_t len)
{
    return offset <= s->size && len <= s->size - offset;
}

/* Reads `len` bytes, at most BLOCK. Returns false if the file does not have them. */
static bool read_at(const struct state *s, uint64_t offset, void *out, size_t len)
{
    size_t done = 0;

    if (!is_inside(s, offset, len) || len > *s->left)
        return false;
    *s->left -= len;
    while (done < len) {
        ssize_t got = pread(s->fd, (char *)out + done, len - done, (off_t)(offset + done));

        if (got <= 0 && !(got < 0 && errno == EINTR))
            return false;
        if (got > 0)
            done += (size_t)got;
    }
    return true;
}

static bool add_range(struct state *s, uint64_t offset, uint64_t len)
{
    if (!is_inside(s, offset, len) || len > *s->left)
        return false;
    while (len) {
        size_t part = len < BLOCK ? (size_t)len : BLOCK;

        if (!read_at(s, offset, s->block, part))
            return false;
        blake_add(&s->digest, slice_make(s->block, part));
        offset += part;
        len -= part;
    }
    return true;
}

static void begin(struct state *s, const char *kind)
{
    blake_init(&s->digest);
    blake_add_text(&s->digest, slice_str(kind));
    blake_add_text(&s->digest, slice_make((const char *)&s->size, sizeof(s->size)));
}

/* Digests all bytes that can be read: files of the kernel say that their size is 0. */
static bool add_bytes(struct state *s)
{
    uint64_t offset = 0;

    if (s->size > *s->left)
        return false;
    begin(s, "bytes");
    for (;;) {
        ssize_t got = pread(s->fd, s->block, BLOCK, (off_t)offset);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0 || (uint64_t)got > *s->left)
            return got == 0;
        blake_add(&s->digest, slice_make(s->block, (size_t)got));
        offset += (uint64_t)got;
        *s->left -= (uint64_t)got;
    }
}

/* ---- binaries -------------------------------------------------------------------------------- */

static Elf64_Shdr section_at(const struct state *s, size_t index)
{
    Elf64_Shdr section;

    memcpy(&section, s->sections + index * sizeof(section), sizeof(section));
    return section;
}

/* Reads the headers. Returns false if it is no binary of this kind of machine, or a strange one. */
static bool read_headers(const struct state *s, Elf64_Ehdr *header)
{
    enum { OURS = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB };

    return read_at(s, 0, header, sizeof(*header)) &&
           memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == OURS &&
           header->e_shentsize == sizeof(Elf64_Shdr) &&
           (!header->e_phnum || header->e_phentsize == sizeof(Elf64_Phdr)) &&
           header->e_phnum < PN_XNUM && header->e_shnum <= MOST_SECTIONS &&
           header->e_shstrndx < header->e_shnum &&
           read_at(s, header->e_shoff, s->sections, header->e_shnum * sizeof(Elf64_Shdr));
}

static bool has_build_id(const struct state *s, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Elf64_Shdr section = section_at(s, i);

        if (section.sh_type == SHT_NOTE && section.sh_size <= MOST_NOTES &&
            read_at(s, section.sh_offset, s->block, section.sh_size) &&
            build_id_find(slice_make(s->block, section.sh_size)).len)
            return true;
    }
    return false;
}

/* Whether readers take names from a section. `names` has the names of all sections. */
static bool has_names(const struct state *s, const Elf64_Shdr *section, const Elf64_Shdr *names)
{
    static const char wanted[] = ".gnu_debug"; /* link, altlink and data */
    char name[sizeof(wanted) - 1];

    switch (section->sh_type) {
    case SHT_SYMTAB:
    case SHT_DYNSYM:
    case SHT_STRTAB:
    case SHT_NOTE:
        return true;
    case SHT_PROGBITS:
        return !(section->sh_flags & SHF_ALLOC) && section->sh_name < names->sh_size &&
               is_inside(s, names->sh_offset, names->sh_size) &&
               read_at(s, names->sh_offset + section->sh_name, name, sizeof(name)) &&
               memcmp(name, wanted, sizeof(name)) == 0;
    default:
        return false;
    }
}

/*
 * Digests the headers of a binary and the sections with names. Returns false if its bytes are to be
 * digested instead.
 */
static bool add_binary(struct state *s)
{
    Elf64_Ehdr header;
    Elf64_Shdr names;
    uint64_t total = 0;

    if (!read_headers(s, &header) || !has_build_id(s, header.e_shnum))
        return false;
    begin(s, "binary");
    blake_add(&s->digest, slice_make((const char *)&header, sizeof(header)));
    blake_add(&s->digest, slice_make(s->sections, header.e_shnum * sizeof(Elf64_Shdr)));
    if (!add_range(s, header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr)))
        return false;
    names = section_at(s, header.e_shstrndx);
    for (size_t i = 0; i < header.e_shnum; i++) {
        Elf64_Shdr section = section_at(s, i);

        if (!has_names(s, &section, &names))
            continue;
        /* Sections that overlap would have it read over and over. */
        if (section.sh_size > s->size - total || !add_range(s, section.sh_offset, section.sh_size))
            return false;
        total += section.sh_size;
    }
    return true;
}

bool file_state_find(int fd, enum file_state_kind kind, uint64_t *left,
                     unsigned char state[BLAKE_SIZE])
{
    struct state s = {.fd = fd, .left = left};
    struct file_identity before, after;
    struct stat st;
    bool ok;

    memset(state, 0, BLAKE_SIZE);
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size < 0)
        return false;
    identify(&st, &before);
    s.size = (uint64_t)st.st_size;
    s.block = xmalloc(BLOCK);
    s.sections = xmalloc(BLOCK);
    ok = ((kind == FILE_STATE_BINARY && add_binary(&s)) || add_bytes(&s)) &&
         file_state_identify_open(fd, &after) && memcmp(&before, &after, sizeof(before)) == 0;
    if (ok)
        blake_end(&s.digest, state);
    xfree(s.block);
    xfree(s.sections);
    return ok;
}
