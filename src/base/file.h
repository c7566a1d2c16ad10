/*
 * Reads files and directories, and replaces them atomically.
 *
 * On failure, a function appends one clause for the user to `why` ("cannot
 * open: No such file or directory") and returns false. A file is completed
 * before it gets its name, so a reader sees the old file or the new one, never
 * half; file_exchange() does so for directories. System calls that a signal
 * interrupts are repeated.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/slice.h"

enum file_kind { FILE_ABSENT, FILE_REGULAR, FILE_DIRECTORY, FILE_OTHER };

/* Returns what `path` is, following links; FILE_ABSENT also if stat() fails. */
enum file_kind file_kind(const char *path);

/*
 * Appends the path that `path` leads to: the end of its chain of symbolic links,
 * or `path` itself if it is no link. Fails if the chain leads nowhere.
 */
bool file_follow(const char *path, struct buf *out, struct buf *why);

/* True if `path` is `directory` or below it. Links are followed in both. */
bool file_is_inside(const char *path, const char *directory);

/* Appends the whole file to `out`. Fails if it is larger than `limit` bytes. */
bool file_read(const char *path, size_t limit, struct buf *out, struct buf *why);

/* Appends what an open descriptor gives, as file_read() does. */
bool file_read_fd(int fd, size_t limit, struct buf *out, struct buf *why);

/* Writes all bytes to an open descriptor. */
bool file_write_fd(int fd, struct slice bytes, struct buf *why);

/*
 * Shortens two paths to the names of their files or, if these are equal, to what follows the
 * directories at the start of both: "w1/app.perf" and "w2/app.perf".
 */
void file_names_apart(struct slice *a, struct slice *b);

/* Returns the part of a path after its last slash: the name of the file. */
static inline struct slice file_name_of(struct slice path)
{
    size_t slash = slice_find_last(path, '/');

    return slash < path.len ? slice_skip(path, slash + 1) : path;
}

/* True if `path` is "-": standard input or output. False if it is NULL. */
static inline bool file_is_standard(const char *path)
{
    return path && path[0] == '-' && !path[1];
}

enum { FILE_RANDOM_DIGITS = 16 };

/* Appends FILE_RANDOM_DIGITS random hexadecimal digits, for names that must be free. */
void file_add_random(struct buf *out);

/*
 * The new content of `path`. It is written to a file without a name, or, if the
 * file system has none, to one with a random name beside `path`; at the end it
 * gets the name `path` in one step. If `path` is a symbolic link, the file it
 * leads to is replaced. If `path` is not a regular file (/dev/null, a pipe), it
 * is written directly.
 *
 * Every successful file_draft_begin() needs a file_draft_end(). It keeps what
 * was added; if `keep` is false or something fails, `path` stays as it was.
 */
struct file_draft {
    struct buf place, temporary; /* both empty if `path` is written directly */
    bool nameless;               /* the file has no name yet */
    bool replaces;               /* there was a file at `place` */
    int fd;
};

bool file_draft_begin(struct file_draft *d, const char *path, struct buf *why);
bool file_draft_add(struct file_draft *d, struct slice bytes, struct buf *why);
bool file_draft_end(struct file_draft *d, bool keep, struct buf *why);

/* Writes `bytes` to `path`: begin, add and end in one call. */
bool file_replace(const char *path, struct slice bytes, struct buf *why);

/*
 * Creates `path` and writes `bytes`, without a temporary name: for directories that no reader sees
 * yet. Fails if the file exists.
 */
bool file_create(const char *path, struct slice bytes, struct buf *why);

/* Writes `bytes` after those of a file that file_create() made. */
bool file_append(const char *path, struct slice bytes, struct buf *why);

/* Creates a directory and its parents. Succeeds if it exists already. */
bool file_make_directory(const char *path, struct buf *why);

/* Removes a file, or a directory and its content. Never follows links. */
bool file_remove_tree(const char *path, struct buf *why);

/*
 * Moves the directory `fresh` to `place`. If `place` exists, the two are
 * exchanged in one step (renameat2 with RENAME_EXCHANGE; two renames if the
 * file system lacks it), and `fresh` then names the old directory.
 */
bool file_exchange(const char *fresh, const char *place, struct buf *why);

/* Appends "WHAT: reason" for the current errno and preserves errno. Always returns false. */
bool file_say(struct buf *why, const char *what);

#endif
