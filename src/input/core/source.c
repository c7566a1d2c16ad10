#include "input/core/source.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <archive.h>
#include <archive_entry.h>

#include "base/budget.h"
#include "base/file.h"
#include "base/num.h"
#include "base/utf8.h"
#include "input/core/gunzip.h"
#include "input/core/recording.h"

static const struct {
    struct slice magic;
    const char *name;
} compressions[] = {
    {{"\x1f\x8b", 2}, "gzip"},
    {{"\x28\xb5\x2f\xfd", 4}, "zstd"},
    {{"\xfd"
      "7zXZ\0",
      6},
     "xz"},
    {{"\x04\x22\x4d\x18", 4}, "lz4"},
    {{"BZh", 3}, "bzip2"},
};

/* read(2), repeated if a signal interrupted it; -1 with errno. */
static ssize_t read_fd(int fd, char *to, size_t room)
{
    ssize_t n;

    do
        n = read(fd, to, room);
    while (n < 0 && errno == EINTR);
    return n;
}

static size_t fail(struct source *s)
{
    s->failed = s->ended = true;
    return 0;
}

static size_t fail_errno(struct source *s, const char *what)
{
    const char *hint = errno == EISDIR ? "; name its profiles, or run: flamepress report DIR" : "";

    diag_add(s->diag, DIAG_ERROR, DIAG_AT_FILE, "%s: %s%s", what, strerror(errno), hint);
    return fail(s);
}

/* Reads the file, without its outermost compression if that is gzip. */
static ssize_t pull(struct source *s, char *to, size_t room)
{
    return s->gunzip ? gunzip_read(s->gunzip, to, room) : read_fd(s->fd, to, room);
}

/* Reports why pull() failed. */
static size_t fail_pull(struct source *s)
{
    const char *why = s->gunzip ? gunzip_error(s->gunzip) : NULL;

    if (!why)
        return fail_errno(s, "cannot read");
    diag_add(s->diag, DIAG_ERROR, DIAG_AT_FILE, "cannot decompress (gzip): %s", why);
    return fail(s);
}

/* Gives the archive the bytes read to find the compression, then the rest of the file. */
static la_ssize_t feed_archive(struct archive *a, void *context, const void **bytes)
{
    struct source *s = context;
    ssize_t n;

    if (s->prefix_used < s->prefix.len) {
        *bytes = s->prefix.ptr + s->prefix_used;
        n = (ssize_t)(s->prefix.len - s->prefix_used);
        s->prefix_used = s->prefix.len;
    } else {
        buf_clear(&s->prefix);
        n = pull(s, buf_reserve(&s->prefix, SOURCE_BLOCK), SOURCE_BLOCK);
        s->prefix_used = 0;
        *bytes = s->prefix.ptr;
    }
    if (n < 0) {
        const char *why = s->gunzip ? gunzip_error(s->gunzip) : NULL;

        archive_set_error(a, errno, "%s", why ? why : strerror(errno));
    } else {
        s->fed += (uint64_t)n;
    }
    return n;
}

static size_t fail_archive(struct source *s)
{
    const char *why = archive_error_string(s->archive);

    /* liblzma's word for an input that ends before its data does */
    if (why && strstr(why, "No progress is possible"))
        why = "truncated xz input";
    diag_add(s->diag, DIAG_ERROR, DIAG_AT_FILE, "cannot decompress (%s): %s", s->compression,
             why ? why : "damaged data");
    return fail(s);
}

/*
 * Warns if the compressed file goes on after its last complete member: the next
 * one is cut or damaged in its first bytes, or the data is no member at all.
 */
static void check_end(struct source *s)
{
    bool rest = s->gunzip && gunzip_has_rest(s->gunzip);
    char byte;

    if (s->archive)
        rest = rest || s->fed > (uint64_t)archive_filter_bytes(s->archive, -1) ||
               pull(s, &byte, 1) != 0;
    s->cut = rest;
    if (rest)
        diag_warn(s->diag,
                  "the data after the last complete %s member cannot be decompressed; the file may "
                  "be truncated or damaged",
                  s->compression);
}

/*
 * Charges content that a decompressor made of nearly nothing. Profiles shrink to a hundredth at
 * most, so a few bytes that become gigabytes are there to keep the machine busy.
 */
static void charge_growth(const struct source *s, uint64_t bytes)
{
    enum { HONEST = 1000, STEPS = 32 };

    if (s->archive && s->taken / HONEST > s->fed)
        budget_work(bytes * STEPS);
}

/* Counts `n` bytes of content. Returns their number; 0 after reporting that there are too many. */
static size_t count_taken(struct source *s, size_t n)
{
    s->taken += n;
    charge_growth(s, n);
    if (s->taken > s->max_size) {
        diag_add(s->diag, DIAG_ERROR, DIAG_AT_FILE,
                 "larger than %llu bytes%s; --max-size N raises the limit",
                 (unsigned long long)s->max_size, s->compression ? " after decompression" : "");
        return fail(s);
    }
    return n;
}

/* Reads up to `room` bytes of decompressed content. Returns their number, 0 at the end. */
static size_t take(struct source *s, char *to, size_t room)
{
    ssize_t n;

    if (s->ended)
        return 0;
    if (budget_is_over())
        return fail(s); /* input_read() reports it: the messages of a lane may be dropped */
    if (s->archive) {
        n = archive_read_data(s->archive, to, room);
        if (n < 0)
            return fail_archive(s);
    } else if (s->prefix_used < s->prefix.len) {
        n = (ssize_t)(s->prefix.len - s->prefix_used);
        if ((size_t)n > room)
            n = (ssize_t)room;
        memcpy(to, s->prefix.ptr + s->prefix_used, (size_t)n);
        s->prefix_used += (size_t)n;
    } else {
        n = pull(s, to, room);
        if (n < 0)
            return fail_pull(s);
    }
    if (n == 0) {
        s->ended = true;
        check_end(s);
    }
    return count_taken(s, (size_t)n);
}

/* Takes the prefix, if it is content, without copying it. */
static void take_prefix(struct source *s, struct buf *out)
{
    if (s->archive || s->ended || budget_is_over())
        return;
    *out = s->prefix;
    s->prefix = (struct buf){0};
    count_taken(s, out->len);
}

/* Appends content to `b` until it has `len` bytes or the content ends. */
static void take_up_to(struct source *s, struct buf *b, size_t len)
{
    while (b->len < len) {
        size_t n = take(s, buf_reserve(b, len - b->len), len - b->len);

        if (n == 0)
            break;
        b->len += n;
    }
}

static bool open_archive(struct source *s)
{
    struct archive_entry *entry;
    int status;

    s->archive = archive_read_new();
    if (!s->archive)
        die("out of memory");
    archive_read_support_filter_gzip(s->archive);
    archive_read_support_filter_zstd(s->archive);
    archive_read_support_filter_xz(s->archive);
    archive_read_support_filter_bzip2(s->archive);
    archive_read_support_filter_lz4(s->archive);
    archive_read_support_format_raw(s->archive);
    archive_read_support_format_empty(s->archive);
    if (archive_read_open(s->archive, s, NULL, feed_archive, NULL) != ARCHIVE_OK)
        return fail_archive(s);
    /* One filter is none at all. Text may begin with "BZh", but not with the other magics. */
    if (archive_filter_count(s->archive) < 2 && strcmp(s->compression, "bzip2") != 0) {
        diag_add(s->diag, DIAG_ERROR, DIAG_AT_FILE,
                 "cannot decompress (%s): the file is cut or damaged in its first bytes",
                 s->compression);
        return fail(s);
    }
    status = archive_read_next_header(s->archive, &entry);
    if (status == ARCHIVE_EOF)
        s->ended = true;
    else if (status != ARCHIVE_OK)
        return fail_archive(s);
    return true;
}

/* Reads the first bytes into `prefix`. */
static bool read_prefix(struct source *s)
{
    while (s->prefix.len < SOURCE_HEAD) {
        size_t room = SOURCE_HEAD - s->prefix.len;
        ssize_t n = pull(s, buf_reserve(&s->prefix, room), room);

        if (n < 0)
            return fail_pull(s);
        if (n == 0)
            break;
        s->prefix.len += (size_t)n;
    }
    return true;
}

/*
 * Finds the compression by the first bytes and opens its decompressor. gzip is
 * decompressed here, since libarchive ignores its checksums; content that is
 * compressed once more is left to libarchive.
 */
bool source_is_compressed(struct slice first)
{
    for (size_t i = 0; i < sizeof(compressions) / sizeof(compressions[0]); i++)
        if (slice_starts(first, compressions[i].magic))
            return true;
    return false;
}

static bool detect_compression(struct source *s)
{
    struct slice first;

    if (!read_prefix(s))
        return false;
    first = buf_slice(&s->prefix);
    if (slice_starts(first, compressions[0].magic)) {
        s->compression = compressions[0].name;
        s->gunzip = gunzip_new(s->fd, first);
        buf_clear(&s->prefix);
        if (!read_prefix(s))
            return false;
        first = buf_slice(&s->prefix);
    }
    for (size_t i = 0; i < sizeof(compressions) / sizeof(compressions[0]); i++)
        if (slice_starts(first, compressions[i].magic)) {
            s->compression = compressions[i].name;
            return open_archive(s);
        }
    return true;
}

/*
 * UTF-16 without a byte order mark: among the first characters every second
 * byte is NUL and the others are printable. Text of other scripts comes with a
 * mark in practice.
 */
static bool looks_like_utf16(struct slice s, size_t low)
{
    enum { CHARACTERS = 32, LEAST = 4 };
    size_t n = s.len / 2 < CHARACTERS ? s.len / 2 : CHARACTERS;

    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s.ptr[2 * i + low];

        if (s.ptr[2 * i + 1 - low] != '\0')
            return false;
        if (!(c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c < 0x7f)))
            return false;
    }
    return n >= LEAST;
}

/* The encoding by mark or by look; `mark` is the length of the mark. */
static enum source_encoding detect_encoding(struct slice s, size_t *mark)
{
    *mark = 2;
    if (slice_starts(s, SLICE("\xff\xfe")))
        return SOURCE_UTF16_LE;
    if (slice_starts(s, SLICE("\xfe\xff")))
        return SOURCE_UTF16_BE;
    *mark = slice_starts(s, SLICE("\xef\xbb\xbf")) ? 3 : 0;
    if (looks_like_utf16(s, 0))
        return SOURCE_UTF16_LE;
    if (looks_like_utf16(s, 1))
        return SOURCE_UTF16_BE;
    return SOURCE_BYTES;
}

/* Appends UTF-16 `bytes` to `out` as UTF-8; keeps half a character for the next call. */
static void decode(struct source *s, struct buf *out, struct slice bytes)
{
    bool big = s->encoding == SOURCE_UTF16_BE;
    size_t len;

    buf_add_slice(&s->pending, bytes);
    len = s->pending.len;
    if (!len)
        return;
    if (!s->ended) {
        len &= ~(size_t)1;
        /* A high surrogate waits for its low one. */
        if (len >= 2 && ((unsigned char)s->pending.ptr[len - (big ? 2 : 1)] & 0xfc) == 0xd8)
            len -= 2;
    }
    utf8_add_utf16(out, slice_take(buf_slice(&s->pending), len), big);
    memmove(s->pending.ptr, s->pending.ptr + len, s->pending.len - len);
    s->pending.len -= len;
}

/* Text whose lines end in CR: without LF, and without characters of control but tabs. */
static bool has_mac_lines(struct slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] < ' ' && s.ptr[i] != '\r' && s.ptr[i] != '\t')
            return false;
    return slice_find(s, '\r') < s.len;
}

static void end_mac_lines(const struct source *s, char *bytes, size_t len)
{
    for (size_t i = 0; s->mac_lines && i < len; i++)
        if (bytes[i] == '\r')
            bytes[i] = '\n';
}

static void fill_head(struct source *s)
{
    struct buf raw = {0};
    struct slice content;
    size_t mark;

    take_prefix(s, &raw);
    take_up_to(s, &raw, SOURCE_HEAD);
    s->encoding = detect_encoding(buf_slice(&raw), &mark);
    content = slice_skip(buf_slice(&raw), mark);
    s->file_start += mark;
    if (s->encoding != SOURCE_BYTES) {
        decode(s, &s->head, content);
    } else if (mark) {
        buf_add_slice(&s->head, content);
    } else {
        s->head = raw;
        raw = (struct buf){0};
    }
    buf_release(&raw);
    s->mac_lines = has_mac_lines(buf_slice(&s->head));
    end_mac_lines(s, s->head.ptr, s->head.len);
}

/* Notes the size of a file whose bytes are the content. */
static void note_plain(struct source *s, int64_t start)
{
    struct stat st;

    if (start < 0 || s->compression || s->encoding != SOURCE_BYTES || s->mac_lines)
        return;
    if (fstat(s->fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > start)
        s->file_size = (uint64_t)st.st_size;
}

static void init(struct source *s, uint64_t max_size, struct diag *diag)
{
    *s = (struct source){.fd = -1, .max_size = max_size, .diag = diag};
}

/* Reads the first bytes of s->fd and finds out what they are wrapped in. */
static bool begin(struct source *s)
{
    int64_t start = lseek(s->fd, 0, SEEK_CUR);

    if (!detect_compression(s))
        return false;
    if (start > 0)
        s->file_start = (uint64_t)start;
    fill_head(s);
    note_plain(s, start);
    return !s->failed;
}

/* Opens a file, or the file with the header if the path is a recording in a directory. */
static int open_path(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY), data;
    struct stat st;

    if (fd < 0 || fstat(fd, &st) != 0 || !S_ISDIR(st.st_mode))
        return fd;
    data = recording_open_data(fd);
    if (data < 0)
        return fd;
    close(fd);
    return data;
}

bool source_open(struct source *s, const char *path, uint64_t max_size, struct diag *diag)
{
    init(s, max_size, diag);
    if (file_is_standard(path)) {
        s->fd = STDIN_FILENO;
    } else {
        s->path = path;
        s->fd = open_path(path);
        s->owns_fd = true;
    }
    return s->fd < 0 ? fail_errno(s, "cannot open") : begin(s);
}

bool source_open_fd(struct source *s, int fd, uint64_t max_size, struct diag *diag)
{
    init(s, max_size, diag);
    s->fd = fd;
    return begin(s);
}

void source_open_memory(struct source *s, struct slice bytes, struct diag *diag)
{
    init(s, UINT64_MAX, diag);
    buf_add_slice(&s->head, bytes);
    s->ended = true;
}

void source_release(struct source *s)
{
    if (s->archive)
        archive_read_free(s->archive);
    gunzip_free(s->gunzip);
    if (s->owns_fd && s->fd >= 0)
        close(s->fd);
    release_all(s, buf, prefix, pending, head);
    *s = (struct source){.fd = -1};
}

bool source_extend_head(struct source *s)
{
    size_t had = s->head.len;
    struct buf raw = {0};

    if (s->failed || s->ended || had >= SOURCE_HEAD_MOST)
        return false;
    take_up_to(s, &raw, 3 * had);
    if (s->encoding == SOURCE_BYTES)
        buf_add_slice(&s->head, buf_slice(&raw));
    else
        decode(s, &s->head, buf_slice(&raw));
    buf_release(&raw);
    end_mac_lines(s, s->head.ptr, s->head.len);
    return !s->failed && s->head.len > had;
}

struct slice source_head(const struct source *s, bool *whole)
{
    *whole = s->ended;
    return buf_slice(&s->head);
}

bool source_is_over(const struct source *s)
{
    return s->ended && !s->failed && s->head_used == s->head.len && !s->pending.len;
}

char *source_take_whole(struct source *s, size_t slack)
{
    if (!s->ended || s->failed || s->pending.len || s->head_used || !s->head.len ||
        s->head.cap - s->head.len < slack)
        return NULL;
    memset(s->head.ptr + s->head.len, 0, slack);
    s->head_used = s->head.len;
    return s->head.ptr;
}

size_t source_read(struct source *s, char *to, size_t room)
{
    size_t n = s->head.len - s->head_used;

    BUG_ON(room < SOURCE_BLOCK);
    if (s->failed)
        return 0;
    if (n == 0 && s->encoding == SOURCE_BYTES) {
        n = take(s, to, room);
        end_mac_lines(s, to, n);
        return n;
    }
    while (n == 0) {
        struct buf raw = {0};

        if (s->ended && s->pending.len == 0)
            return 0;
        take_up_to(s, &raw, SOURCE_HEAD);
        buf_clear(&s->head);
        s->head_used = 0;
        decode(s, &s->head, buf_slice(&raw));
        end_mac_lines(s, s->head.ptr, s->head.len);
        buf_release(&raw);
        n = s->head.len;
        if (s->failed)
            return 0;
    }
    if (n > room)
        n = room;
    memcpy(to, s->head.ptr + s->head_used, n);
    s->head_used += n;
    return n;
}

bool source_is_plain(const struct source *s)
{
    return s->file_size > 0 && s->file_size - s->file_start <= s->max_size;
}

bool source_read_at(const struct source *s, uint64_t offset, char *to, size_t len,
                    struct diag *diag)
{
    while (len > 0) {
        ssize_t n = pread(s->fd, to, len, (off_t)offset);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return diag_error(diag, "cannot read: %s", strerror(errno));
        if (n == 0)
            return diag_error(diag, "became shorter while it was read");
        to += n;
        len -= (size_t)n;
        offset += (uint64_t)n;
    }
    return true;
}
