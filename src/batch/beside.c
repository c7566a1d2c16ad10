#include "batch/beside.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "report/graph_codec.h"

enum { MOST_BYTES = 1 << 30 };

void beside_init(struct beside *b)
{
    pthread_mutex_init(&b->lock, NULL);
    b->kernel = (struct consulted){0};
}

void beside_release(struct beside *b)
{
    consulted_release(&b->kernel);
    pthread_mutex_destroy(&b->lock);
}

/* Who looks: other users may open other files, and have another cache. */
static void add_viewer(struct buf *out)
{
    const char *home = getenv("HOME");

    buf_printf(out, "%lu:%s", (unsigned long)geteuid(), home ? home : "");
}

void beside_write(const struct consulted *c, struct buf *out)
{
    struct buf viewer = {0};

    graph_codec_write_number(out, c->files.count);
    if (!c->files.count)
        return;
    add_viewer(&viewer);
    graph_codec_write_text(out, buf_slice(&viewer));
    vec_each (const struct consulted_file, file, &c->files) {
        graph_codec_write_text(out, slice_str(file->path));
        graph_codec_write_number(out, file->by_bytes);
        buf_add(out, file->state, BLAKE_SIZE);
    }
    buf_release(&viewer);
}

/* The state of a file of the kernel, which is read once. The lock is held. */
static const unsigned char *kernel_state(struct beside *b, const char *path)
{
    struct buf bytes = {0}, why = {0};

    vec_each (const struct consulted_file, file, &b->kernel.files)
        if (strcmp(file->path, path) == 0)
            return file->state;
    if (!consulted_is_of_kernel(path) || !file_read(path, MOST_BYTES, &bytes, &why))
        buf_clear(&bytes);
    consulted_add_bytes(&b->kernel, path, buf_slice(&bytes));
    buf_release(&bytes);
    buf_release(&why);
    return b->kernel.files.items[b->kernel.files.count - 1].state;
}

static bool is_same(struct beside *b, const char *path, bool by_bytes, struct slice state)
{
    unsigned char now[BLAKE_SIZE];

    if (by_bytes) {
        pthread_mutex_lock(&b->lock);
        memcpy(now, kernel_state(b, path), BLAKE_SIZE);
        pthread_mutex_unlock(&b->lock);
    } else {
        consulted_find_state(path, now);
    }
    return slice_equal(slice_make((const char *)now, BLAKE_SIZE), state);
}

bool beside_read(struct beside *b, struct slice *in)
{
    struct buf path = {0}, viewer = {0};
    struct slice text;
    uint64_t count, by_bytes;
    bool ok;

    if (!graph_codec_read_number(in, &count) || count > in->len)
        return false;
    if (!count)
        return true;
    add_viewer(&viewer);
    ok = graph_codec_read_text(in, &text) && (!b || slice_equal(text, buf_slice(&viewer)));
    for (uint64_t i = 0; ok && i < count; i++) {
        ok = graph_codec_read_text(in, &text) && graph_codec_read_number(in, &by_bytes) &&
             in->len >= BLAKE_SIZE;
        if (!ok)
            break;
        buf_clear(&path);
        buf_add_slice(&path, text);
        ok = !b || is_same(b, buf_string(&path), by_bytes, slice_take(*in, BLAKE_SIZE));
        *in = slice_skip(*in, BLAKE_SIZE);
    }
    buf_release(&path);
    buf_release(&viewer);
    return ok;
}
