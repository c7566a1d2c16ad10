#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/core/file_state.h"
#include "unit/support/test.h"

enum { ENOUGH = 1 << 20 };

/* A binary with few sections; the contents of each are 64 bytes. */
enum section { NONE, NOTES, CODE, SYMBOLS, STRINGS, LINK, DWARF, NAMES, COUNT };

struct made {
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    char contents[COUNT][64];
    Elf64_Shdr sections[COUNT];
};

static void make(struct made *m)
{
    static const uint32_t types[COUNT] = {SHT_NULL,   SHT_NOTE,     SHT_PROGBITS, SHT_SYMTAB,
                                          SHT_STRTAB, SHT_PROGBITS, SHT_PROGBITS, SHT_STRTAB};
    static const char names[] = "\0.gnu_debuglink\0.debug_info";
    const Elf64_Nhdr note = {4, 20, NT_GNU_BUILD_ID};

    memset(m, 0, sizeof(*m));
    memcpy(m->header.e_ident, ELFMAG, SELFMAG);
    m->header.e_ident[EI_CLASS] = ELFCLASS64;
    m->header.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB;
    m->header.e_phoff = offsetof(struct made, segment);
    m->header.e_phnum = 1;
    m->header.e_phentsize = sizeof(Elf64_Phdr);
    m->header.e_shoff = offsetof(struct made, sections);
    m->header.e_shnum = COUNT;
    m->header.e_shentsize = sizeof(Elf64_Shdr);
    m->header.e_shstrndx = NAMES;
    for (size_t i = 1; i < COUNT; i++) {
        memset(m->contents[i], (int)('0' + i), sizeof(m->contents[i]));
        m->sections[i].sh_type = types[i];
        m->sections[i].sh_offset = offsetof(struct made, contents) + i * 64;
        m->sections[i].sh_size = 64;
    }
    memcpy(m->contents[NAMES], names, sizeof(names));
    m->sections[LINK].sh_name = 1;
    m->sections[DWARF].sh_name = 16;
    m->sections[CODE].sh_flags = SHF_ALLOC;
    memcpy(m->contents[NOTES], &note, sizeof(note));
    memcpy(m->contents[NOTES] + sizeof(note), "GNU", 4);
    m->sections[NOTES].sh_size = sizeof(note) + 4 + 20;
}

static bool state_of(const void *bytes, size_t len, enum file_state_kind kind, uint64_t left,
                     unsigned char state[BLAKE_SIZE])
{
    int fd = memfd_create("test", MFD_CLOEXEC);
    bool ok;

    cr_assert(fd >= 0);
    cr_assert_eq(write(fd, bytes, len), (ssize_t)len);
    ok = file_state_find(fd, kind, &left, state);
    close(fd);
    return ok;
}

static void binary_state(const struct made *m, unsigned char state[BLAKE_SIZE])
{
    cr_expect(state_of(m, sizeof(*m), FILE_STATE_BINARY, ENOUGH, state));
}

static bool differs(const struct made *a, const struct made *b)
{
    unsigned char one[BLAKE_SIZE], two[BLAKE_SIZE];

    binary_state(a, one);
    binary_state(b, two);
    return memcmp(one, two, BLAKE_SIZE) != 0;
}

Test(input_file_state, what_readers_take_names_from_is_in_the_state_of_a_binary)
{
    static const bool wanted[COUNT] = {
        [NOTES] = true, [SYMBOLS] = true, [STRINGS] = true, [LINK] = true, [NAMES] = true};

    for (size_t i = 1; i < COUNT; i++) {
        struct made one, two;

        make(&one);
        make(&two);
        two.contents[i][30] ^= 1;
        cr_expect_eq(differs(&one, &two), wanted[i], "section %zu", i);
    }
}

Test(input_file_state, all_headers_are_in_the_state_of_a_binary)
{
    struct made one, two;

    make(&one);
    make(&two);
    cr_expect(!differs(&one, &two));
    two.header.e_entry = 1;
    cr_expect(differs(&one, &two));
    make(&two);
    two.segment.p_vaddr = 1;
    cr_expect(differs(&one, &two));
    make(&two);
    two.sections[DWARF].sh_size--;
    cr_expect(differs(&one, &two));
}

/* A change of the code, which is in the bytes alone. */
static bool is_by_bytes(const struct made *m)
{
    struct made other = *m;

    other.contents[CODE][7] ^= 1;
    return differs(m, &other);
}

Test(input_file_state, other_binaries_are_digested_whole)
{
    struct made m;

    make(&m);
    cr_expect(!is_by_bytes(&m));
    m.contents[NOTES][8] = 9; /* another type of note */
    cr_expect(is_by_bytes(&m));
    make(&m);
    m.header.e_ident[EI_CLASS] = ELFCLASS32;
    cr_expect(is_by_bytes(&m));
    make(&m);
    m.header.e_ident[EI_DATA] ^= ELFDATA2LSB ^ ELFDATA2MSB;
    cr_expect(is_by_bytes(&m));
    make(&m);
    m.header.e_shnum = 0;
    cr_expect(is_by_bytes(&m));
}

Test(input_file_state, damaged_binaries_are_digested_whole)
{
    const uint64_t bad[] = {sizeof(struct made), UINT64_MAX, UINT64_MAX - 63, 1ull << 63};
    struct made m;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        make(&m);
        m.sections[STRINGS].sh_offset = bad[i];
        cr_expect(is_by_bytes(&m), "offset %zu", i);
        make(&m);
        m.sections[STRINGS].sh_size = bad[i];
        cr_expect(is_by_bytes(&m), "size %zu", i);
        make(&m);
        m.header.e_shoff = bad[i];
        cr_expect(is_by_bytes(&m), "sections %zu", i);
        make(&m);
        m.header.e_phoff = bad[i];
        cr_expect(is_by_bytes(&m), "segments %zu", i);
    }
    make(&m);
    m.header.e_phnum = PN_XNUM;
    cr_expect(is_by_bytes(&m));
    make(&m);
    m.header.e_shstrndx = COUNT;
    cr_expect(is_by_bytes(&m));
    /* Sections that overlap have more bytes than the file. */
    make(&m);
    for (size_t i = SYMBOLS; i <= STRINGS; i++) {
        m.sections[i].sh_offset = 0;
        m.sections[i].sh_size = sizeof(m);
    }
    cr_expect(is_by_bytes(&m));
}

/* Any header may be any value; the sanitizers see what is read. */
Test(input_file_state, no_damage_of_a_header_does_harm)
{
    unsigned char state[BLAKE_SIZE];
    struct made m;

    for (size_t at = 0; at < sizeof(m); at++) {
        make(&m);
        ((unsigned char *)&m)[at] ^= 0xff;
        cr_expect(state_of(&m, sizeof(m), FILE_STATE_BINARY, ENOUGH, state), "byte %zu", at);
        cr_expect(state_of(&m, at, FILE_STATE_BINARY, ENOUGH, state), "%zu bytes", at);
    }
}

Test(input_file_state, bytes_of_a_binary)
{
    unsigned char one[BLAKE_SIZE], two[BLAKE_SIZE];
    struct made m;

    make(&m);
    cr_expect(state_of(&m, sizeof(m), FILE_STATE_BYTES, ENOUGH, one));
    m.contents[CODE][7] ^= 1;
    cr_expect(state_of(&m, sizeof(m), FILE_STATE_BYTES, ENOUGH, two));
    cr_expect(memcmp(one, two, BLAKE_SIZE) != 0);
}

Test(input_file_state, no_more_is_read_than_may_be)
{
    unsigned char state[BLAKE_SIZE], zero[BLAKE_SIZE] = {0};
    struct made m;

    make(&m);
    cr_expect(state_of(&m, sizeof(m), FILE_STATE_BYTES, sizeof(m), state));
    cr_expect(!state_of(&m, sizeof(m), FILE_STATE_BYTES, sizeof(m) - 1, state));
    cr_expect(memcmp(state, zero, BLAKE_SIZE) == 0);
    for (uint64_t left = 0; left < 600; left++)
        cr_expect(!state_of(&m, sizeof(m), FILE_STATE_BINARY, left, state), "%d bytes", (int)left);
}

static void name_state(const char *name, unsigned char state[BLAKE_SIZE])
{
    int fd = open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
    uint64_t left = ENOUGH;

    cr_assert_eq(prctl(PR_SET_NAME, name), 0);
    cr_assert(fd >= 0);
    cr_expect(file_state_find(fd, FILE_STATE_BYTES, &left, state));
    cr_expect_eq(left, ENOUGH - strlen(name) - 1); /* and a new line */
    close(fd);
}

Test(input_file_state, files_of_the_kernel_are_longer_than_they_say)
{
    unsigned char one[BLAKE_SIZE], two[BLAKE_SIZE];

    name_state("one", one);
    name_state("two", two);
    cr_expect(memcmp(one, two, BLAKE_SIZE) != 0);
}

Test(input_file_state, what_is_no_regular_file_has_no_state)
{
    uint64_t left = ENOUGH;
    unsigned char state[BLAKE_SIZE];
    int fd = open("/", O_RDONLY | O_CLOEXEC);

    cr_expect(!file_state_find(fd, FILE_STATE_BYTES, &left, state));
    close(fd);
}

Test(input_file_state, a_file_has_another_identity_after_each_change)
{
    char path[] = "/tmp/flamepress-test-XXXXXX";
    const struct timespec times[2] = {{1000, 5}, {1000, 6}}, later[2] = {{1000, 5}, {1000, 7}};
    struct file_identity seen[4];
    int fd = mkstemp(path);

    cr_assert(fd >= 0);
    futimens(fd, times);
    cr_expect(file_state_identify(path, &seen[0]));
    cr_assert_eq(write(fd, "x", 1), 1);
    futimens(fd, times);
    cr_expect(file_state_identify_open(fd, &seen[1]));
    futimens(fd, later);
    cr_expect(file_state_identify(path, &seen[2]));
    cr_assert_eq(unlink(path), 0);
    cr_expect(!file_state_identify(path, &seen[3]));
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < i; k++)
            cr_expect(memcmp(&seen[i], &seen[k], sizeof(seen[i])) != 0, "%zu and %zu", k, i);
    close(fd);
}
