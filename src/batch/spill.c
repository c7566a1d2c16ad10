#include "batch/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"

void spill_init(struct spill *s, const char *directory)
{
    *s = (struct spill){.directory = directory, .fd = -1};
    pthread_mutex_init(&s->lock, NULL);
}

void spill_release(struct spill *s)
{
    if (s->fd >= 0)
        close(s->fd);
    pthread_mutex_destroy(&s->lock);
}

/* Reserves room. Returns the file, which becomes one at the first call, or -1. */
static int reserve(struct spill *s, size_t size, uint64_t *at)
{
    int fd;

    pthread_mutex_lock(&s->lock);
    if (!s->opened)
        s->fd = open(s->directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    s->opened = true;
    *at = s->end;
    s->end += size;
    fd = s->fd;
    pthread_mutex_unlock(&s->lock);
    return fd;
}

static bool write_all(int fd, struct slice bytes, uint64_t at)
{
    while (bytes.len) {
        ssize_t n = pwrite(fd, bytes.ptr, bytes.len, (off_t)at);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes = slice_skip(bytes, (size_t)n);
        at += (size_t)n;
    }
    return true;
}

void spill_put(struct spill *s, struct slice bytes, struct spilled *out)
{
    int fd;

    *out = (struct spilled){.size = bytes.len};
    if (!bytes.len)
        return;
    fd = reserve(s, bytes.len, &out->at);
    if (fd >= 0 && write_all(fd, bytes, out->at))
        return;
    out->kept = xmalloc(bytes.len);
    memcpy(out->kept, bytes.ptr, bytes.len);
}

bool spill_get(const struct spill *s, const struct spilled *bytes, struct buf *out)
{
    size_t before = out->len, got = 0;

    if (bytes->kept) {
        buf_add(out, bytes->kept, bytes->size);
        return true;
    }
    while (got < bytes->size) {
        char block[4096];
        size_t left = bytes->size - got;
        ssize_t n = pread(s->fd, block, left < sizeof(block) ? left : sizeof(block),
                          (off_t)(bytes->at + got));

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            buf_cut(out, before);
            return false;
        }
        buf_add(out, block, (size_t)n);
        got += (size_t)n;
    }
    return true;
}

void spill_drop(struct spilled *bytes)
{
    xfree(bytes->kept);
    *bytes = (struct spilled){0};
}
