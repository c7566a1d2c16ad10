#include "batch/stage_link.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 64 << 10, PERMISSIONS = 07777 };

/* Returns true for a file that may be linked: it has no names outside the report. */
static bool is_own(const struct stat *st)
{
    return S_ISREG(st->st_mode) && st->st_nlink == 1 && st->st_uid == geteuid();
}

static bool is_name(struct slice name)
{
    return name.len && name.ptr[0] != '.' && slice_find(name, '/') == name.len &&
           slice_find(name, '\0') == name.len;
}

/* Opens a directory of a report, or the report's own if `folder` is empty; -1 on failure. */
static int open_folder(const char *report, const char *folder)
{
    int fd = open(report, O_PATH | O_DIRECTORY | O_CLOEXEC), inner;

    if (fd < 0 || !folder[0])
        return fd;
    inner = openat(fd, folder, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    close(fd);
    return inner;
}

/* Links the file between two directories, which may be -1. */
static bool link_name(int from, int to, const char *name)
{
    struct stat st;

    return from >= 0 && to >= 0 && fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
           is_own(&st) && linkat(from, name, to, name, 0) == 0;
}

void stage_link_close(struct stage *s)
{
    struct stage_folder *f = &s->folder;

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
    stage_link_close(s);
    buf_add_slice(&f->name, name);
    f->from = open_folder(s->place, buf_string(&f->name));
    f->to = open_folder(s->directory, buf_string(&f->name));
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
    ok = link_name(s->folder.from, s->folder.to, buf_string(&name));
    pthread_mutex_unlock(&s->lock);
    buf_release(&name);
    return ok;
}

/* Returns true if the open file has exactly these bytes. */
static bool has_bytes(int fd, struct slice bytes)
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

/* Links the file whose state is `st`. If another took its place meanwhile, removes the link. */
static bool link_file(struct stage *s, const char *path, const struct stat *st)
{
    struct buf full = {0};
    struct stat linked;
    bool ok;

    ok = s->link ? s->link(s->publisher, path) : stage_link(s, slice_str(path));
    if (!ok)
        return false;
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
    return is_own(st) && (st->st_mode & PERMISSIONS) == s->mode;
}

bool stage_link_same(struct stage *s, const char *path, struct slice bytes)
{
    struct buf full = {0};
    struct stat st;
    bool ok = false;
    int fd;

    buf_printf(&full, "%s/%s", s->place, path);
    fd = open(buf_string(&full), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    buf_release(&full);
    if (fd < 0)
        return false;
    ok = fstat(fd, &st) == 0 && is_fit(s, &st) && (size_t)st.st_size == bytes.len &&
         has_bytes(fd, bytes) && link_file(s, path, &st);
    close(fd);
    return ok;
}

bool stage_link_read(struct stage *s, const char *path, const struct stat *read)
{
    return is_fit(s, read) && link_file(s, path, read);
}
