#include "input/core/consulted.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

void consulted_release(struct consulted *c)
{
    if (!c)
        return;
    arena_release(&c->memory);
    vec_release(&c->files);
    c->unknown = false;
}

static struct consulted_file *add(struct consulted *c, const char *path, bool by_bytes)
{
    struct consulted_file *file = vec_add(&c->files);

    file->path = arena_strdup(&c->memory, slice_str(path));
    file->by_bytes = by_bytes;
    return file;
}

void consulted_add(struct consulted *c, const char *path)
{
    if (c)
        consulted_find_state(path, add(c, path, false)->state);
}

bool consulted_is_of_kernel(const char *path)
{
    static const char *const files[] = {"/proc/kallsyms", "/proc/sys/kernel/osrelease",
                                        "/sys/kernel/notes"};

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        if (strcmp(path, files[i]) == 0)
            return true;
    return false;
}

void consulted_add_bytes(struct consulted *c, const char *path, struct slice bytes)
{
    if (c)
        consulted_find_state_of_bytes(bytes, add(c, path, true)->state);
}

void consulted_add_unknown(struct consulted *c)
{
    if (c)
        c->unknown = true;
}

void consulted_find_state(const char *path, unsigned char state[BLAKE_SIZE])
{
    struct blake digest;
    struct stat st;

    memset(state, 0, BLAKE_SIZE);
    if (stat(path, &st) != 0)
        return;
    const uint64_t numbers[] = {
        st.st_dev,
        st.st_ino,
        (uint64_t)st.st_size,
        (uint64_t)st.st_mtim.tv_sec,
        (uint64_t)st.st_mtim.tv_nsec,
        (uint64_t)st.st_ctim.tv_sec,
        (uint64_t)st.st_ctim.tv_nsec,
    };

    blake_init(&digest);
    blake_add(&digest, slice_make((const char *)numbers, sizeof(numbers)));
    blake_end(&digest, state);
}

void consulted_find_state_of_bytes(struct slice bytes, unsigned char state[BLAKE_SIZE])
{
    struct blake digest;

    blake_init(&digest);
    blake_add_text(&digest, bytes);
    blake_end(&digest, state);
}
