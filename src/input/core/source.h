/*
 * The bytes of an input, decompressed and decoded.
 *
 * A source opens a file or standard input and detects by the first bytes, never by the
 * file's name, whether they are compressed (gzip, zstd, xz, lz4, bzip2) or UTF-16. It then
 * gives the content: decompressed, as UTF-8, without a byte order mark, and text whose
 * lines end in CR alone with LF. Concatenated
 * compressed members are one content. Checksums are verified: a member that is cut or
 * damaged is an error, data after the last member a warning. Content is streamed: memory
 * does not grow with the file.
 *
 * source_head() shows the first bytes without consuming them. Each error is reported
 * through the diag once.
 */
#ifndef INPUT_CORE_SOURCE_H
#define INPUT_CORE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/slice.h"

enum {
    SOURCE_HEAD = 64 * 1024,     /* bytes of content to recognise a format by */
    SOURCE_HEAD_MOST = 64 << 20, /* at most, if the first ones do not tell */
    SOURCE_BLOCK = 256 * 1024,   /* bytes read at a time */
};

enum source_encoding { SOURCE_BYTES, SOURCE_UTF16_LE, SOURCE_UTF16_BE };

struct archive;
struct gunzip;

struct source {
    const char *path; /* of the file; NULL if it is standard input or not known */
    int fd;
    bool owns_fd;
    bool failed;    /* an error was reported, or input_read() will report a spent budget */
    bool ended;     /* all content was taken from the file */
    bool cut;       /* the file goes on with data that cannot be decompressed */
    uint64_t taken; /* bytes of content so far, before any change of encoding */
    uint64_t max_size;
    struct diag *diag;
    struct gunzip *gunzip;   /* NULL if the file is not compressed with gzip */
    struct archive *archive; /* NULL if the content needs no other decompressor */
    uint64_t fed;            /* bytes given to `archive` */
    const char *compression; /* "gzip", ...; NULL */
    struct buf prefix;       /* what was read to find the compression, then the archive's input */
    size_t prefix_used;
    enum source_encoding encoding;
    bool mac_lines;      /* lines end in CR */
    struct buf pending;  /* bytes of UTF-16 that wait for their second half */
    struct buf head;     /* content read ahead */
    size_t head_used;    /* of it, given out */
    uint64_t file_start; /* content of a plain file starts here (after a byte order mark) */
    uint64_t file_size;  /* of a regular file that is not wrapped in anything; else 0 */
};

/*
 * Opens `path`; "-" is standard input. Returns false after reporting an error. Release the
 * source in either case.
 */
bool source_open(struct source *s, const char *path, uint64_t max_size, struct diag *diag);
/* Reads from an open file, which stays open. */
bool source_open_fd(struct source *s, int fd, uint64_t max_size, struct diag *diag);
/* Reads bytes that are content already; they are copied. */
void source_open_memory(struct source *s, struct slice bytes, struct diag *diag);
void source_release(struct source *s);

/* Returns true if a file that begins with these bytes is compressed; eight bytes tell. */
bool source_is_compressed(struct slice first);

/* Returns the first SOURCE_HEAD bytes of content. `whole` says that they are all of it. */
struct slice source_head(const struct source *s, bool *whole);

/*
 * Makes the head four times as long, before anything is read: for a JSON file whose first members
 * do not tell its format, or a text with a long first line. Returns false at the end of the
 * content, at SOURCE_HEAD_MOST bytes, or after reporting an error. Slices of the old head become
 * invalid.
 */
bool source_extend_head(struct source *s);

/*
 * Reads the content without copying it, if the head has all of it: returns the head's bytes, with
 * `slack` zeros after them, which are valid as long as the source. Returns NULL if a part was read
 * before, or if there is more.
 */
char *source_take_whole(struct source *s, size_t slack);

/* True if the content has ended, without an error, and all of it was given out. */
bool source_is_over(const struct source *s);

/* Reads up to `room` bytes (at least SOURCE_BLOCK). Returns 0 at the end or if s->failed. */
size_t source_read(struct source *s, char *to, size_t room);

/*
 * For files that several threads read in parallel. source_is_plain() returns whether the
 * file is regular, uncompressed and UTF-8. If so, source_read_at() reads `len` bytes at an
 * offset between file_start and file_size. It returns false after reporting an error.
 */
bool source_is_plain(const struct source *s);
bool source_read_at(const struct source *s, uint64_t offset, char *to, size_t len,
                    struct diag *diag);

#endif
