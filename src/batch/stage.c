#include "batch/stage.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/num.h"
#include "report/manifest.h"

#define STAGE_MARK ".flamepress-"

/* Splits "a/b/out" into "a/b/" and "out". */
static void split_path(const char *path, struct slice *parent, struct slice *name)
{
    struct slice whole = slice_str(path);
    size_t slash = slice_find_last(whole, '/');

    *parent = slash < whole.len ? slice_take(whole, slash + 1) : slice_take(whole, 0);
    *name = slice_skip(whole, parent->len);
}

/* The pid in ".NAME.flamepress-PID", or 0. */
static pid_t stage_owner(const char *entry, struct slice name)
{
    struct slice rest = slice_str(entry);
    uint64_t pid;

    if (!slice_starts(rest, SLICE(".")))
        return 0;
    rest = slice_skip(rest, 1);
    if (!slice_starts(rest, name))
        return 0;
    rest = slice_skip(rest, name.len);
    if (!slice_starts(rest, SLICE(STAGE_MARK)))
        return 0;
    rest = slice_skip(rest, strlen(STAGE_MARK));
    return num_parse_u64(rest, &pid) && pid > 0 && pid < INT32_MAX ? (pid_t)pid : 0;
}

/*
 * True where the run that made the directory is over: it holds no lock any
 * more, and its process is gone, or the directory is not so new that it may not
 * be locked yet. The lock comes first: in containers that share a directory, a
 * number tells nothing of the others' processes.
 */
static bool is_abandoned(const char *directory, pid_t owner)
{
    enum { SETTLED_SECONDS = 10 };
    struct stat st;
    bool free;
    int fd;

    fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return false;
    free = (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) && fstat(fd, &st) == 0 &&
           (owner == getpid() || (kill(owner, 0) != 0 && errno == ESRCH) ||
            time(NULL) - st.st_mtime >= SETTLED_SECONDS);
    close(fd);
    return free;
}

/* Removes the directories of runs that are no more. */
static void tidy(struct stage *s, struct slice parent, struct slice name)
{
    DIR *directory = opendir(parent.len ? arena_strdup(&s->memory, parent) : ".");
    struct dirent *entry;
    struct buf ignored;

    if (!directory)
        return;
    buf_init(&ignored);
    while ((entry = readdir(directory))) {
        pid_t pid = stage_owner(entry->d_name, name);
        const char *path = arena_printf(&s->memory, "%.*s%s", SLICE_ARG(parent), entry->d_name);

        /* Ours is not made yet: one that has our number is another process's. */
        if (pid && is_abandoned(path, pid))
            file_remove_tree(path, &ignored);
    }
    buf_release(&ignored);
    closedir(directory);
}

/* What the user named without slashes at the end, and without being a link. */
static const char *clean_place(struct arena *memory, const char *place, struct buf *why)
{
    struct slice path = slice_str(place);
    const char *clean = NULL;
    struct buf end;

    while (path.len > 1 && path.ptr[path.len - 1] == '/')
        path.len--;
    buf_init(&end);
    if (file_follow(arena_strdup(memory, path), &end, why))
        clean = arena_strdup(memory, buf_slice(&end));
    buf_release(&end);
    return clean;
}

/* Makes and locks the directory to build in, under the first number that is free. */
static bool make_directory(struct stage *s, struct slice parent, struct slice name, struct buf *why)
{
    enum { ATTEMPTS = 100 };

    for (long i = 0; i < ATTEMPTS; i++) {
        s->directory = arena_printf(&s->memory, "%.*s.%.*s" STAGE_MARK "%ld", SLICE_ARG(parent),
                                    SLICE_ARG(name), (long)getpid() + i);
        if (mkdir(s->directory, 0777) == 0) {
            s->lock_fd = open(s->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            if (s->lock_fd >= 0)
                flock(s->lock_fd, LOCK_EX | LOCK_NB);
            return true;
        }
        if (errno != EEXIST)
            break;
    }
    return file_say(why, "cannot create the directory");
}

bool stage_open(struct stage *s, const char *place, bool force)
{
    struct buf *why = &s->failure;
    struct slice parent, name;

    *s = (struct stage){.lock_fd = -1};
    arena_init(&s->memory);
    buf_init(&s->failure);
    pthread_mutex_init(&s->lock, NULL);
    s->place = clean_place(&s->memory, place, why);
    if (!s->place)
        return false;
    if (manifest_look(s->place, why) == MANIFEST_OTHER &&
        (!force || file_kind(s->place) == FILE_REGULAR)) {
        if (!force)
            buf_add_str(why, "; name another place, or --force to replace it");
        return false;
    }
    buf_clear(why);
    split_path(s->place, &parent, &name);
    if (!name.len || slice_equal(name, SLICE(".")) || slice_equal(name, SLICE(".."))) {
        buf_printf(why, "'%s' cannot be replaced by a report; name a directory of its own", place);
        return false;
    }
    if (parent.len && !file_make_directory(arena_strdup(&s->memory, parent), why))
        return false;
    tidy(s, parent, name);
    if (!make_directory(s, parent, name, why))
        return false;
    s->open = true;
    return file_make_directory(arena_printf(&s->memory, "%s/graphs", s->directory), why);
}

bool stage_failed(struct stage *s)
{
    bool failed;

    pthread_mutex_lock(&s->lock);
    failed = s->failure.len > 0;
    pthread_mutex_unlock(&s->lock);
    return failed;
}

bool stage_write(struct stage *s, const char *path, struct slice bytes)
{
    struct buf full, why;
    bool ok;

    if (stage_failed(s))
        return false;
    buf_init(&full);
    buf_init(&why);
    buf_printf(&full, "%s/%s", s->directory, path);
    ok = file_create(full.ptr, bytes, &why);
    pthread_mutex_lock(&s->lock);
    if (ok)
        *vec_add(&s->files) = arena_copy(&s->memory, slice_str(path));
    else if (!s->failure.len)
        buf_printf(&s->failure, "%s: %s", path, why.ptr);
    pthread_mutex_unlock(&s->lock);
    buf_release(&full);
    buf_release(&why);
    return ok;
}

void stage_remove(struct stage *s, struct slice path)
{
    struct buf full;

    buf_init(&full);
    buf_printf(&full, "%s/%.*s", s->directory, SLICE_ARG(path));
    unlink(full.ptr);
    buf_release(&full);
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->files.count; i++) {
        if (slice_equal(s->files.items[i], path)) {
            s->files.items[i] = s->files.items[--s->files.count];
            break;
        }
    }
    pthread_mutex_unlock(&s->lock);
}

bool stage_commit(struct stage *s)
{
    struct buf manifest, ignored;
    bool ok;

    buf_init(&manifest);
    manifest_write(&manifest, s->files.items, s->files.count);
    ok = stage_write(s, MANIFEST_NAME, buf_slice(&manifest)) &&
         file_exchange(s->directory, s->place, &s->failure);
    buf_release(&manifest);
    if (!ok)
        return false;
    /* Now the earlier report, if there was one, is under the hidden name. */
    s->open = false;
    buf_init(&ignored);
    if (file_kind(s->directory) != FILE_ABSENT)
        file_remove_tree(s->directory, &ignored);
    buf_release(&ignored);
    return true;
}

void stage_close(struct stage *s)
{
    struct buf ignored;

    buf_init(&ignored);
    if (s->open)
        file_remove_tree(s->directory, &ignored);
    if (s->lock_fd >= 0)
        close(s->lock_fd);
    buf_release(&ignored);
    buf_release(&s->failure);
    vec_release(&s->files);
    pthread_mutex_destroy(&s->lock);
    arena_release(&s->memory);
}
