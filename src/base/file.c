#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"
#include "base/hash.h"
#include "base/num.h"
#include "base/release.h"

bool file_say(struct buf *why, const char *what)
{
    int error = errno;

    buf_printf(why, "%s: %s", what, strerror(error));
    errno = error;
    return false;
}

enum file_kind file_kind(const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return FILE_ABSENT;
    return S_ISREG(st.st_mode) ? FILE_REGULAR : S_ISDIR(st.st_mode) ? FILE_DIRECTORY : FILE_OTHER;
}

bool file_follow(const char *path, struct buf *out, struct buf *why)
{
    struct stat st;
    char *end;

    if (lstat(path, &st) != 0 || !S_ISLNK(st.st_mode)) {
        buf_add_str(out, path);
        return true;
    }
    end = realpath(path, NULL);
    if (!end)
        return file_say(why, "it is a link that leads nowhere");
    buf_add_str(out, end);
    free(end);
    return true;
}

bool file_is_inside(const char *path, const char *directory)
{
    char *inner = realpath(path, NULL), *outer = realpath(directory, NULL);
    bool inside = false;

    if (inner && outer) {
        struct slice rest = slice_str(inner), front = slice_str(outer);

        inside = slice_starts(rest, front);
        rest = slice_skip(rest, inside ? front.len : 0);
        inside = inside && (!rest.len || rest.ptr[0] == '/' || front.len == 1);
    }
    free(inner);
    free(outer);
    return inside;
}

bool file_read_fd(int fd, size_t limit, struct buf *out, struct buf *why)
{
    enum { STEP = 64 * 1024 };
    size_t before = out->len;
    bool ok = true;
    ssize_t n;

    do {
        n = read(fd, buf_reserve(out, STEP), STEP);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            ok = file_say(why, "cannot read");
        else
            out->len += (size_t)n;
        if (out->len - before > limit) {
            buf_printf(why, "larger than %zu bytes", limit);
            ok = false;
        }
    } while (ok && n != 0);
    out->ptr[out->len] = '\0';
    return ok;
}

bool file_read(const char *path, size_t limit, struct buf *out, struct buf *why)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool ok;

    if (fd < 0)
        return file_say(why, "cannot open");
    ok = file_read_fd(fd, limit, out, why);
    close(fd);
    return ok;
}

bool file_write_fd(int fd, struct slice bytes, struct buf *why)
{
    while (bytes.len) {
        ssize_t n = write(fd, bytes.ptr, bytes.len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return file_say(why, "cannot write");
        bytes = slice_skip(bytes, (size_t)n);
    }
    return true;
}

/* Writes `bytes` and closes `fd`. Also fails if close() reports an error. */
static bool write_and_close(int fd, struct slice bytes, struct buf *why)
{
    bool ok = file_write_fd(fd, bytes, why);

    if (close(fd) != 0 && ok)
        ok = file_say(why, "cannot write");
    return ok;
}

bool file_create(const char *path, struct slice bytes, struct buf *why)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    if (fd < 0)
        return file_say(why, "cannot create");
    return write_and_close(fd, bytes, why);
}

bool file_append(const char *path, struct slice bytes, struct buf *why)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);

    if (fd < 0)
        return file_say(why, "cannot open");
    return write_and_close(fd, bytes, why);
}

void file_add_random(struct buf *out)
{
    uint64_t number = 0;
    struct timespec now;

    if (getrandom(&number, sizeof(number), GRND_NONBLOCK) != (ssize_t)sizeof(number)) {
        clock_gettime(CLOCK_REALTIME, &now);
        number = hash_mix((uint64_t)now.tv_sec << 32 | (uint64_t)now.tv_nsec, (uint64_t)getpid());
    }
    buf_printf(out, "%016llx", (unsigned long long)number);
}

/* Opens a nameless file in the directory of `place`; a killed run leaves nothing of it. */
static int open_nameless(const struct file_draft *d)
{
    struct slice place = buf_slice(&d->place);
    size_t slash = slice_find_last(place, '/');
    struct buf directory = {0};
    int fd;

    if (slash < place.len)
        buf_add_slice(&directory, slice_take(place, slash + 1));
    else
        buf_add_str(&directory, ".");
    fd = open(buf_string(&directory), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    buf_release(&directory);
    return fd;
}

/* Calls `make` with random names beside `place` until one is free. */
static bool make_temporary(struct file_draft *d, bool (*make)(struct file_draft *d))
{
    enum { ATTEMPTS = 16 };

    for (int i = 0; i < ATTEMPTS; i++) {
        buf_clear(&d->temporary);
        buf_printf(&d->temporary, "%s.", buf_string(&d->place));
        file_add_random(&d->temporary);
        buf_add_str(&d->temporary, ".tmp");
        if (make(d))
            return true;
        if (errno != EEXIST)
            break;
    }
    buf_clear(&d->temporary);
    return false;
}

static bool create_temporary(struct file_draft *d)
{
    d->fd = open(buf_string(&d->temporary), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return d->fd >= 0;
}

/* True if the kernel gives nameless files of this process a name without /proc: Linux 6.10. */
static bool links_descriptors(void)
{
    uint64_t major, minor;
    struct slice rest, word;
    struct utsname system;

    if (uname(&system) != 0)
        return false;
    rest = slice_str(system.release);
    if (!slice_cut(&rest, '.', &word) || !num_parse_u64(word, &major) ||
        !slice_cut(&rest, '.', &word) || !num_parse_u64(word, &minor))
        return false;
    return major > 6 || (major == 6 && minor >= 10);
}

/* Gives the nameless file a free name. */
static bool link_to(const struct file_draft *d, const char *path)
{
    char self[64];

    if (linkat(d->fd, "", AT_FDCWD, path, AT_EMPTY_PATH) == 0)
        return true;
    if (errno == EEXIST)
        return false;
    snprintf(self, sizeof(self), "/proc/self/fd/%d", d->fd);
    return linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
}

static bool link_temporary(struct file_draft *d)
{
    return link_to(d, buf_string(&d->temporary));
}

/* Gives the nameless file its name, or, if that is taken, one that is renamed to it. */
static bool name(struct file_draft *d)
{
    if (!d->replaces && link_to(d, buf_string(&d->place)))
        return true;
    return (d->replaces || errno == EEXIST) && make_temporary(d, link_temporary);
}

/*
 * Opens a file beside `place`, which is no link. If the file system allows it,
 * the file gets no name until it is complete, so that a killed run leaves nothing.
 */
static bool open_beside(struct file_draft *d, struct buf *why)
{
    bool links = links_descriptors() || access("/proc/self/fd", X_OK) == 0;

    d->fd = links ? open_nameless(d) : -1;
    d->nameless = d->fd >= 0;
    return d->nameless || make_temporary(d, create_temporary) || file_say(why, "cannot create");
}

static bool open_in_place(struct file_draft *d, const char *path, struct buf *why)
{
    d->fd = open(path, O_WRONLY | O_CLOEXEC);
    return d->fd >= 0 || file_say(why, "cannot open");
}

bool file_draft_begin(struct file_draft *d, const char *path, struct buf *why)
{
    enum file_kind kind = file_kind(path);
    bool ok;

    *d = (struct file_draft){.fd = -1, .replaces = kind == FILE_REGULAR};
    if (kind != FILE_ABSENT && kind != FILE_REGULAR)
        ok = open_in_place(d, path, why);
    else
        ok = file_follow(path, &d->place, why) && open_beside(d, why);
    if (!ok) {
        release_all(d, buf, place, temporary);
    }
    return ok;
}

bool file_draft_add(struct file_draft *d, struct slice bytes, struct buf *why)
{
    return file_write_fd(d->fd, bytes, why);
}

bool file_draft_end(struct file_draft *d, bool keep, struct buf *why)
{
    bool ok = keep, beside;

    if (ok && d->nameless)
        ok = name(d) || file_say(why, "cannot create");
    beside = d->temporary.len > 0;
    if (close(d->fd) != 0 && ok)
        ok = file_say(why, "cannot write");
    if (ok && beside && rename(buf_string(&d->temporary), buf_string(&d->place)) != 0)
        ok = file_say(why, "cannot rename into place");
    if (!ok && beside)
        unlink(buf_string(&d->temporary));
    release_all(d, buf, place, temporary);
    return ok;
}

bool file_replace(const char *path, struct slice bytes, struct buf *why)
{
    struct file_draft draft;

    return file_draft_begin(&draft, path, why) &&
           file_draft_end(&draft, file_draft_add(&draft, bytes, why), why);
}

bool file_make_directory(const char *path, struct buf *why)
{
    struct buf prefix = {0};
    bool ok = true;

    for (const char *p = path; ok; p++) {
        if ((*p == '/' && p > path) || !*p) {
            buf_clear(&prefix);
            buf_add(&prefix, path, (size_t)(p - path));
            if (mkdir(buf_string(&prefix), 0777) != 0 &&
                (errno != EEXIST || file_kind(buf_string(&prefix)) != FILE_DIRECTORY))
                ok = file_say(why, "cannot create the directory");
        }
        if (!*p)
            break;
    }
    buf_release(&prefix);
    return ok;
}

/* Removes what a walk found. Directories are found twice, and removed when they are empty. */
static bool remove_entry(const FTSENT *entry)
{
    switch (entry->fts_info) {
    case FTS_D:
        return true;
    case FTS_DP:
    case FTS_DNR:
        return rmdir(entry->fts_accpath) == 0 || errno == ENOENT;
    default:
        return unlink(entry->fts_accpath) == 0 || errno == ENOENT;
    }
}

bool file_remove_tree(const char *path, struct buf *why)
{
    struct buf root = {0}; /* fts takes no const string */
    FTSENT *entry;
    bool ok = true;
    FTS *walk;

    buf_add_str(&root, path);
    walk = fts_open((char *const[]){root.ptr, NULL},
                    FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT | FTS_XDEV, NULL);
    buf_release(&root);
    if (!walk)
        return file_say(why, "cannot remove");
    while (ok && (entry = fts_read(walk)))
        ok = remove_entry(entry) || file_say(why, "cannot remove");
    if (ok && errno != 0)
        ok = file_say(why, "cannot remove");
    fts_close(walk);
    return ok;
}

/* For file systems without RENAME_EXCHANGE: renames the old directory first. */
static bool exchange_in_two_steps(const char *fresh, const char *place, struct buf *why)
{
    struct buf aside = {0};
    bool ok = false;

    buf_printf(&aside, "%s.old", fresh);
    if (rename(place, buf_string(&aside)) != 0)
        file_say(why, "cannot rename the old directory");
    else if (rename(fresh, place) != 0) {
        file_say(why, "cannot rename into place");
        rename(buf_string(&aside), place);
    } else {
        ok = rename(buf_string(&aside), fresh) == 0 ||
             file_say(why, "cannot rename the old directory");
    }
    buf_release(&aside);
    return ok;
}

bool file_exchange(const char *fresh, const char *place, struct buf *why)
{
    if (renameat2(AT_FDCWD, fresh, AT_FDCWD, place, RENAME_NOREPLACE) == 0)
        return true;
    if (errno == EINVAL && file_kind(place) == FILE_ABSENT && rename(fresh, place) == 0)
        return true;
    if (renameat2(AT_FDCWD, fresh, AT_FDCWD, place, RENAME_EXCHANGE) == 0)
        return true;
    if (errno == EINVAL || errno == ENOSYS)
        return exchange_in_two_steps(fresh, place, why);
    return file_say(why, "cannot put into place");
}

void file_names_apart(struct slice *a, struct slice *b)
{
    struct slice name_a = file_name_of(*a), name_b = file_name_of(*b);
    size_t same = 0, start = 0;

    if (slice_equal(name_a, name_b)) {
        for (; same < a->len && same < b->len && a->ptr[same] == b->ptr[same]; same++)
            start = a->ptr[same] == '/' ? same + 1 : start;
        name_a = slice_skip(*a, start);
        name_b = slice_skip(*b, start);
    }
    *a = name_a;
    *b = name_b;
}
