#include "base/build_id.h"

#include <elf.h>
#include <link.h>
#include <string.h>

/* Appends the id from a segment of notes. */
static void find_note(const char *notes, size_t size, struct buf *out)
{
    ElfW(Nhdr) note;

    while (size >= sizeof(note)) {
        size_t name, content;

        memcpy(&note, notes, sizeof(note));
        name = (note.n_namesz + 3u) & ~3u;
        content = (note.n_descsz + 3u) & ~3u;
        if (name > size - sizeof(note) || content > size - sizeof(note) - name)
            return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            memcmp(notes + sizeof(note), "GNU", 4) == 0 && !out->len)
            buf_add(out, notes + sizeof(note) + name, note.n_descsz);
        notes += sizeof(note) + name + content;
        size -= sizeof(note) + name + content;
    }
}

static bool contains(const struct dl_phdr_info *object, ElfW(Addr) address)
{
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];

        if (segment->p_type == PT_LOAD &&
            address - object->dlpi_addr - segment->p_vaddr < segment->p_memsz)
            return true;
    }
    return false;
}

static int look(struct dl_phdr_info *object, size_t size, void *out)
{
    (void)size;
    if (!contains(object, (ElfW(Addr)) & build_id_write))
        return 0;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];

        if (segment->p_type == PT_NOTE)
            find_note((const char *)(object->dlpi_addr + segment->p_vaddr), segment->p_memsz, out);
    }
    return 1;
}

void build_id_write(struct buf *out)
{
    dl_iterate_phdr(look, out);
}
