#include <elf.h>

#include "base/build_id.h"

#include "unit/support/test.h"

Test(base_build_id, is_that_of_the_linker)
{
    struct buf id = {0};

    build_id_write(&id);
    cr_expect_eq(id.len, 20, "%zu", id.len);
    buf_release(&id);
}

Test(base_build_id, of_the_vdso_is_another_one)
{
    struct buf id = {0}, vdso = {0};

    build_id_write(&id);
    build_id_write_vdso(&vdso);
    cr_expect(!vdso.len || vdso.len == 20, "%zu", vdso.len);
    cr_expect(!slice_equal(buf_slice(&id), buf_slice(&vdso)));
    buf_release(&id);
    buf_release(&vdso);
}

/* A note with a name of four bytes and a content of `content` bytes, which are its type's digit. */
static void add_note(struct buf *out, const char *name, uint32_t type, uint32_t content)
{
    const Elf64_Nhdr note = {4, content, type};

    buf_add(out, (const char *)&note, sizeof(note));
    buf_add(out, name, 4);
    for (uint32_t i = 0; i < ((content + 3) & ~3u); i++)
        buf_add_char(out, (char)('0' + type));
}

Test(base_build_id, is_found_among_other_notes)
{
    struct buf notes = {0};
    size_t whole;

    add_note(&notes, "GNU", NT_GNU_ABI_TAG, 5);
    add_note(&notes, "XYZ", NT_GNU_BUILD_ID, 8);
    add_note(&notes, "GNU", NT_GNU_BUILD_ID, 7);
    whole = notes.len;
    add_note(&notes, "GNU", NT_GNU_BUILD_ID, 20);
    cr_expect(slice_equal(build_id_find(buf_slice(&notes)), SLICE("3333333")));
    for (size_t len = 0; len < whole; len++)
        cr_expect_eq(build_id_find(slice_take(buf_slice(&notes), len)).len, 0, "%zu bytes", len);
    buf_release(&notes);
}

Test(base_build_id, sizes_of_damaged_notes)
{
    const uint32_t bad[] = {UINT32_MAX, UINT32_MAX - 3, 1u << 31, 100};

    for (size_t i = 0; i < 4; i++) {
        const Elf64_Nhdr names = {bad[i], 4, NT_GNU_BUILD_ID}, content = {4, bad[i], 3};
        struct buf notes = {0};

        buf_add(&notes, (const char *)&names, sizeof(names));
        buf_add(&notes, "GNU\0aaaa", 8);
        cr_expect_eq(build_id_find(buf_slice(&notes)).len, 0, "%zu", i);
        buf_clear(&notes);
        buf_add(&notes, (const char *)&content, sizeof(content));
        buf_add(&notes, "GNU\0aaaa", 8);
        cr_expect_eq(build_id_find(buf_slice(&notes)).len, 0, "%zu", i);
        buf_release(&notes);
    }
}
