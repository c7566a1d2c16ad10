#include "base/build_id.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

struct slice build_id_find(struct slice notes)
{
    ElfW(Nhdr) note;

    while (notes.len >= sizeof(note)) {
        size_t name, content;

        memcpy(&note, notes.ptr, sizeof(note));
        notes = slice_skip(notes, sizeof(note));
        name = ((size_t)note.n_namesz + 3) & ~(size_t)3;
        content = ((size_t)note.n_descsz + 3) & ~(size_t)3;
        if (name > notes.len || content > notes.len - name)
            break;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            memcmp(notes.ptr, "GNU", 4) == 0)
            return slice_take(slice_skip(notes, name), note.n_descsz);
        notes = slice_skip(notes, name + content);
    }
    return slice_make(NULL, 0);
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

/* Appends the id from the segments of notes of a binary that was loaded at `start`. */
static void add_id(const ElfW(Phdr) * segments, size_t count, ElfW(Addr) start, struct buf *out)
{
    struct slice id = {0};

    for (size_t i = 0; i < count && !id.len; i++)
        if (segments[i].p_type == PT_NOTE)
            id = build_id_find(
                slice_make((const char *)(start + segments[i].p_vaddr), segments[i].p_memsz));
    buf_add_slice(out, id);
}

static int look(struct dl_phdr_info *object, size_t size, void *out)
{
    (void)size;
    if (!contains(object, (ElfW(Addr)) & build_id_write))
        return 0;
    add_id(object->dlpi_phdr, object->dlpi_phnum, object->dlpi_addr, out);
    return 1;
}

void build_id_write(struct buf *out)
{
    dl_iterate_phdr(look, out);
}

void build_id_write_vdso(struct buf *out)
{
    ElfW(Addr) start = getauxval(AT_SYSINFO_EHDR);
    const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)start;

    /* The vdso is linked to be at address 0. */
    if (start)
        add_id((const ElfW(Phdr) *)(start + header->e_phoff), header->e_phnum, start, out);
}
