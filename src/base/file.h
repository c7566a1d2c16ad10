/*
 * Files and directories, whole or not at all.
 *
 * Every function that can fail takes `why`, to which it appends one clause for
 * the user ("cannot open: No such file or directory") and returns false. A
 * file is written under a temporary name beside its place and renamed, so a
 * reader sees the old one or the new one; the same holds for a directory with
 * file_exchange(). Interrupted calls are repeated.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/slice.h"

enum file_kind { FILE_ABSENT, FILE_REGULAR, FILE_DIRECTORY, FILE_OTHER };

/* What `path` is, links followed. FILE_ABSENT also where it cannot be looked at. */
enum file_kind file_kind(const char *path);

/*
 * Appends what `path` stands for: itself, or the end of the chain of links that
 * it begins. Fails where that chain leads nowhere.
 */
bool file_follow(const char *path, struct buf *out, struct buf *why);

/* True where `path` is `directory` or lies below it, links followed in both. */
bool file_is_inside(const char *path, const char *directory);

/* Appends the whole file to `out`; fails where it is larger than `limit` bytes. */
bool file_read(const char *path, size_t limit, struct buf *out, struct buf *why);

/* Writes all bytes to an open descriptor. */
bool file_write_fd(int fd, struct slice bytes, struct buf *why);

/* Appends 16 random hexadecimal digits, for names that must be free. */
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
    int fd;
};

bool file_draft_begin(struct file_draft *d, const char *path, struct buf *why);
bool file_draft_add(struct file_draft *d, struct slice bytes, struct buf *why);
bool file_draft_end(struct file_draft *d, bool keep, struct buf *why);

/* Writes `bytes` to `path`: begin, add and end in one call. */
bool file_replace(const char *path, struct slice bytes, struct buf *why);

/* Creates a file in a directory that nobody else sees yet: no temporary name. */
bool file_create(const char *path, struct slice bytes, struct buf *why);

/* Creates a directory and its parents; an existing one is fine. */
bool file_make_directory(const char *path, struct buf *why);

/* Removes a file or a directory with all that is in it, never following links. */
bool file_remove_tree(const char *path, struct buf *why);

/*
 * Puts the directory `fresh` where `place` is. An existing `place` is swapped
 * with it in one step (renameat2 with RENAME_EXCHANGE; two renames where the
 * file system has none), after which `fresh` names the old one.
 */
bool file_exchange(const char *fresh, const char *place, struct buf *why);

/* Appends "WHAT: reason" for the present errno, which it keeps. Always returns false. */
bool file_say(struct buf *why, const char *what);

#endif
