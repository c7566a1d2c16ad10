#include "batch/stage_link.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/resource.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "batch/stage_same.h"

enum { BLOCK = 64 << 10, PERMISSIONS = 07777 };

/* Returns true for a file that may be linked: it has no names outside the report. */
static bool is_own(const struct stage *s, const struct stat *st)
{
    return S_ISREG(st->st_mode) && st->st_nlink == 1 && st->st_uid == s->owner;
}

static bool is_name(struct slice name)
{
    return name.len && name.ptr[0] != '.' && slice_find(name, '/') == name.len &&
           slice_find(name, '\0') == name.len;
}

/*
 * Opens a directory of a report, or the report's own if `folder` is empty; -1 on failure. `held` is
 * the open report, or -1.
 */
static int open_folder(int held, const char *report, const char *folder)
{
    int fd = held >= 0 ? openat(held, ".", O_PATH | O_DIRECTORY | O_CLOEXEC)
                       : open(report, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int inner;

    if (fd < 0 || !folder[0])
        return fd;
    inner = openat(fd, folder, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    close(fd);
    return inner;
}

/* Hard-links a file of the current folder. */
static bool link_name(const struct stage *s, const char *name)
{
    int from = s->folder.from, to = s->folder.to;
    struct stat st;

    return from >= 0 && to >= 0 && fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
           is_own(s, &st) && linkat(from, name, to, name, 0) == 0;
}

static void close_folder(struct stage_folder *f)
{
    if (f->open && f->from >= 0)
        close(f->from);
    if (f->open && f->to >= 0)
        close(f->to);
    buf_release(&f->name);
    *f = (struct stage_folder){.open = false};
}

/* Opens a folder of the earlier report and of the stage, unless it was the last one, too. */
static void use_folder(struct stage *s, struct slice name)
{
    struct stage_folder *f = &s->folder;

    if (f->open && slice_equal(buf_slice(&f->name), name))
        return;
    close_folder(f);
    buf_add_slice(&f->name, name);
    f->from = open_folder(s->earlier, s->place, buf_string(&f->name));
    f->to = open_folder(-1, s->directory, buf_string(&f->name));
    f->open = true;
}

bool stage_link(struct stage *s, struct slice path)
{
    size_t slash = slice_find(path, '/');
    bool inside = slash < path.len, ok;
    struct slice file = inside ? slice_skip(path, slash + 1) : path;
    struct buf name = {0};

    if (!is_name(file) || (inside && !is_name(slice_take(path, slash))))
        return false;
    buf_add_slice(&name, file);
    pthread_mutex_lock(&s->lock);
    use_folder(s, slice_take(path, inside ? slash : 0));
    ok = link_name(s, buf_string(&name));
    pthread_mutex_unlock(&s->lock);
    buf_release(&name);
    return ok;
}

bool stage_link_has(int fd, struct slice bytes)
{
    char block[BLOCK];

    while (bytes.len) {
        size_t most = bytes.len < BLOCK ? bytes.len : BLOCK;
        ssize_t got = read(fd, block, most);

        if (got <= 0 || memcmp(block, bytes.ptr, (size_t)got) != 0)
            return false;
        bytes = slice_skip(bytes, (size_t)got);
    }
    return true;
}

/* Returns true if the stage has this very file at `path`; a file that is another is removed. */
static bool has_file(const struct stage *s, const char *path, const struct stat *st)
{
    struct buf full = {0};
    struct stat linked;
    bool ok;

    buf_printf(&full, "%s/%s", s->directory, path);
    ok = lstat(buf_string(&full), &linked) == 0 && linked.st_dev == st->st_dev &&
         linked.st_ino == st->st_ino;
    if (!ok)
        unlink(buf_string(&full));
    buf_release(&full);
    return ok;
}

/* Returns true if a report may have this file as its own, with the permissions of a new one. */
static bool is_fit(const struct stage *s, const struct stat *st)
{
    return is_own(s, st) && (st->st_mode & PERMISSIONS) == s->mode;
}

/* ---- links that are put off ------------------------------------------------------------------ */

/* Files that wait to be linked are kept open. */
enum { MOST_FILES = 32, SHARE = 32 }; /* the part of all open files that may wait: one of SHARE */
enum { MOST_PATHS = 4000 };           /* bytes of paths: one message has room for them */

void stage_link_open(struct stage *s)
{
    struct rlimit limit;
    uint64_t most = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur / SHARE : 0;

    s->links.most = most < MOST_FILES ? (size_t)most : MOST_FILES;
    pthread_mutex_init(&s->links.settling, NULL);
}

/* Adds an open file to those that wait. Returns false if there are as many as one message takes. */
static bool add_waiting(struct stage_links *l, const char *path, int fd)
{
    size_t size = strlen(path) + 1;

    if (l->files.count >= l->most || l->paths.len + size > MOST_PATHS)
        return false;
    buf_add(&l->paths, path, size);
    *vec_add(&l->files) = fd;
    return true;
}

/* Copies the open file, for one that could not be linked. */
static void copy_file(struct stage *s, const char *path, int fd)
{
    struct buf full = {0}, bytes = {0}, why = {0};
    bool ok;

    buf_printf(&full, "%s/%s", s->directory, path);
    ok = lseek(fd, 0, SEEK_SET) == 0 && file_read_fd(fd, SIZE_MAX, &bytes, &why) &&
         file_create(buf_string(&full), buf_slice(&bytes), &why);
    pthread_mutex_lock(&s->lock);
    s->links.refused = true;
    pthread_mutex_unlock(&s->lock);
    if (!ok)
        stage_fail(s, path, buf_string(&why));
    buf_release(&full);
    buf_release(&bytes);
    buf_release(&why);
}

/* Links what was taken off the list: paths, and a file for each. */
static void link_all(struct stage *s, struct slice paths, const int *files)
{
    struct slice path;

    s->link(s->publisher, paths);
    while (slice_cut(&paths, '\0', &path)) {
        int fd = *files++;
        struct stat st;

        if (fstat(fd, &st) != 0 || !has_file(s, path.ptr, &st))
            copy_file(s, path.ptr, fd);
        close(fd);
    }
}

static void link_waiting(struct stage *s)
{
    struct stage_files files;
    struct buf paths;

    pthread_mutex_lock(&s->links.settling);
    pthread_mutex_lock(&s->lock);
    files = s->links.files;
    paths = s->links.paths;
    s->links.files = (struct stage_files){.count = 0};
    s->links.paths = (struct buf){0};
    pthread_mutex_unlock(&s->lock);
    if (files.count)
        link_all(s, buf_slice(&paths), files.items);
    pthread_mutex_unlock(&s->links.settling);
    vec_release(&files);
    buf_release(&paths);
}

/* Lets the open file wait to be linked. Returns false if it has to be linked now. */
static bool put_off(struct stage *s, const char *path, int fd)
{
    bool later = s->link && s->links.most && strlen(path) < MOST_PATHS, added = false;

    while (later && !added) {
        pthread_mutex_lock(&s->lock);
        later = !s->links.refused;
        added = later && add_waiting(&s->links, path, fd);
        pthread_mutex_unlock(&s->lock);
        if (later && !added)
            link_waiting(s);
    }
    return added;
}

void stage_link_settle(struct stage *s)
{
    stage_same_settle(s);
    link_waiting(s);
}

static void forget_links(struct stage_links *l)
{
    vec_each (int, fd, &l->files)
        close(*fd);
    vec_release(&l->files);
    buf_release(&l->paths);
}

/* ---- linking --------------------------------------------------------------------------------- */

bool stage_link_file(struct stage *s, const char *path, int fd, const struct stat *st)
{
    bool ok;

    if (stage_same_keep(s, path, st)) {
        close(fd);
        return true;
    }
    if (put_off(s, path, fd))
        return true;
    ok = s->link ? s->link(s->publisher, slice_make(path, strlen(path) + 1))
                 : stage_link(s, slice_str(path));
    ok = ok && has_file(s, path, st);
    if (ok)
        close(fd);
    return ok;
}

void stage_link_or_copy(struct stage *s, const char *path, int fd, const struct stat *st)
{
    if (is_fit(s, st) && stage_link_file(s, path, fd, st))
        return;
    copy_file(s, path, fd);
    close(fd);
}

int stage_link_look(const struct stage *s, const char *path, struct stat *st)
{
    const int how = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    struct buf full = {0};
    int fd;

    buf_printf(&full, "%s/%s", s->place, path);
    fd = s->earlier >= 0 ? openat(s->earlier, path, how) : open(buf_string(&full), how);
    buf_release(&full);
    if (fd >= 0 && fstat(fd, st) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

int stage_link_find(const struct stage *s, const char *path, struct stat *st)
{
    int fd = stage_link_look(s, path, st);

    if (fd >= 0 && !is_fit(s, st)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

bool stage_link_same(struct stage *s, const char *path, struct slice bytes)
{
    struct stat st;
    int fd = stage_link_find(s, path, &st);

    if (fd < 0)
        return false;
    if ((size_t)st.st_size == bytes.len && stage_link_has(fd, bytes) &&
        stage_link_file(s, path, fd, &st))
        return true;
    close(fd);
    return false;
}

bool stage_link_read(struct stage *s, const char *path, int read)
{
    struct stat st, held;

    if (fstat(read, &st) != 0 || !is_fit(s, &st))
        return false;
    if (s->earlier >= 0 && (fstatat(s->earlier, path, &held, AT_SYMLINK_NOFOLLOW) != 0 ||
                            held.st_dev != st.st_dev || held.st_ino != st.st_ino))
        return false; /* of a report that has replaced the earlier one */
    return stage_link_file(s, path, read, &st);
}

void stage_link_close(struct stage *s)
{
    close_folder(&s->folder);
    forget_links(&s->links);
}
