#include "input/core/gunzip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include "base/buf.h"
#include "input/core/source.h"

enum { MAGIC = 0x1f }; /* first byte of a member */

struct gunzip {
    z_stream z;
    int fd;
    struct buf in;
    size_t used;      /* bytes of `in` that were decompressed */
    bool in_member;   /* a member has begun and not ended */
    bool in_ended;    /* `fd` is at its end */
    bool ended, rest; /* no more content; data that is no member follows */
    const char *error;
};

struct gunzip *gunzip_new(int fd, struct slice first)
{
    enum { GZIP_ONLY = 16 };
    struct gunzip *g = xcalloc(1, sizeof(*g));

    g->fd = fd;
    g->in_ended = fd < 0;
    g->in_member = true;
    buf_add_slice(&g->in, first);
    if (inflateInit2(&g->z, MAX_WBITS + GZIP_ONLY) != Z_OK)
        die("out of memory");
    return g;
}

void gunzip_free(struct gunzip *g)
{
    if (!g)
        return;
    inflateEnd(&g->z);
    buf_release(&g->in);
    xfree(g);
}

const char *gunzip_error(const struct gunzip *g)
{
    return g->error;
}

bool gunzip_has_rest(const struct gunzip *g)
{
    return g->rest;
}

static ssize_t fail(struct gunzip *g, const char *why)
{
    g->error = why;
    return -1;
}

/* Refills `in` if all of it was used. Returns false after a read error. */
static bool refill(struct gunzip *g)
{
    ssize_t n;

    if (g->used < g->in.len || g->in_ended)
        return true;
    buf_clear(&g->in);
    g->used = 0;
    do
        n = read(g->fd, buf_reserve(&g->in, SOURCE_BLOCK), SOURCE_BLOCK);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return false;
    g->in.len = (size_t)n;
    g->in_ended = n == 0;
    return true;
}

/* Between members: skips padding and begins the next member, or ends. */
static void begin_member(struct gunzip *g)
{
    while (g->used < g->in.len && g->in.ptr[g->used] == '\0')
        g->used++;
    if (g->used == g->in.len) {
        g->ended = g->in_ended;
        return;
    }
    g->ended = g->rest = (unsigned char)g->in.ptr[g->used] != MAGIC;
    g->in_member = !g->ended && inflateReset(&g->z) == Z_OK;
}

/* Decompresses what `in` has. Returns the number of bytes, or -1. */
static ssize_t inflate_member(struct gunzip *g, char *to, size_t room)
{
    const uInt most = 1u << 30;
    size_t left = g->in.len - g->used;
    int status;

    g->z.next_in = (unsigned char *)g->in.ptr + g->used;
    g->z.avail_in = (uInt)left;
    g->z.next_out = (unsigned char *)to;
    g->z.avail_out = room < most ? (uInt)room : most;
    status = inflate(&g->z, Z_NO_FLUSH);
    g->used += left - g->z.avail_in;
    g->in_member = status != Z_STREAM_END;
    if (status == Z_BUF_ERROR && g->in_ended && g->z.total_in == 1) {
        /* One byte is too little for the start of another member: data after the last one. */
        g->ended = g->rest = true;
        return 0;
    }
    if (status == Z_BUF_ERROR && g->in_ended)
        return fail(g, "truncated gzip input");
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
        return fail(g, g->z.msg ? g->z.msg : "damaged data");
    return (char *)g->z.next_out - to;
}

ssize_t gunzip_read(struct gunzip *g, char *to, size_t room)
{
    ssize_t n = 0;

    while (n == 0 && !g->ended) {
        if (!refill(g))
            return fail(g, strerror(errno));
        if (g->in_member)
            n = inflate_member(g, to, room);
        else
            begin_member(g);
    }
    return n;
}
