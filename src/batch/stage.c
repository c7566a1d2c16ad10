#include "batch/stage.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/file.h"
#include "batch/mounts.h"
#include "batch/stage_link.h"
#include "batch/stage_same.h"

#define STAGE_MARK MANIFEST_WRITING

/* Ending of the name of an old report that was moved aside (base/file.h). */
#define STAGE_OLD ".old"

/* ---- what earlier runs left ------------------------------------------------------------------ */

/*
 * Location of the staging directories of a report: beside the place, with names
 * that begin with ".NAME", or inside the place, without that prefix.
 */
struct surroundings {
    const char *directory;
    const char *prefix; /* start of their names: ".out.flamepress-" */
};

/* Returns true for PREFIX, digits and an optional ending; `base` is the name without the ending. */
static bool is_staging(const char *entry, const char *prefix, struct slice *base,
                       struct slice *ending)
{
    struct slice name = slice_str(entry), rest;
    size_t digits = 0;

    if (!slice_starts(name, slice_str(prefix)))
        return false;
    rest = slice_skip(name, strlen(prefix));
    while (digits < rest.len && ascii_is_hex(rest.ptr[digits]))
        digits++;
    *base = slice_take(name, strlen(prefix) + digits);
    *ending = slice_skip(rest, digits);
    return digits == FILE_RANDOM_DIGITS && (!ending->len || slice_equal(*ending, SLICE(STAGE_OLD)));
}

/* Returns true if a running process has locked the directory. */
static bool is_locked(const char *directory)
{
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool locked;

    if (fd < 0)
        return false;
    locked = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(fd);
    return locked;
}

/*
 * Removes one directory of a dead run. If the run had moved the old report aside
 * and not replaced it, moves the old report back.
 */
static void tidy_one(struct stage *s, const struct surroundings *around, struct slice base,
                     struct slice ending)
{
    const char *fresh = arena_printf(&s->memory, "%s/%.*s", around->directory, SLICE_ARG(base));
    const char *path = arena_printf(&s->memory, "%s%.*s", fresh, SLICE_ARG(ending));
    struct buf ignored = {0};

    if (is_locked(fresh) || is_locked(path))
        return;
    if (slice_equal(ending, SLICE(STAGE_OLD))) {
        if (is_locked(s->place))
            return;
        if (file_kind(s->place) == FILE_ABSENT && rename(path, s->place) == 0)
            return;
    }
    file_remove_tree(path, &ignored);
    buf_release(&ignored);
}

static void tidy(struct stage *s, const struct surroundings *around)
{
    DIR *directory = opendir(around->directory);
    struct slice base, ending;
    struct dirent *entry;

    if (!directory)
        return;
    while ((entry = readdir(directory)))
        if (is_staging(entry->d_name, around->prefix, &base, &ending))
            tidy_one(s, around, base, ending);
    closedir(directory);
}

/* ---- the place ------------------------------------------------------------------------------- */

/* Splits "a/b/out" into "a/b/" and "out". */
static void split_path(const char *path, struct slice *parent, struct slice *name)
{
    struct slice whole = slice_str(path);
    size_t slash = slice_find_last(whole, '/');

    *parent = slash < whole.len ? slice_take(whole, slash + 1) : slice_take(whole, 0);
    *name = slice_skip(whole, parent->len);
}

/* Returns the path without slashes at its end; a link is replaced by its target. */
static const char *clean_place(struct arena *memory, const char *place, struct buf *why)
{
    struct slice path = slice_str(place);
    const char *clean = NULL;
    struct buf end = {0};

    while (path.len > 1 && path.ptr[path.len - 1] == '/')
        path.len--;
    if (file_follow(arena_strdup(memory, path), &end, why))
        clean = arena_strdup(memory, buf_slice(&end));
    buf_release(&end);
    return clean;
}

/*
 * Returns true if nothing is mounted below the place. A directory that contains a mount
 * point can be renamed, but not removed afterwards.
 */
static bool holds_no_mount(struct stage *s)
{
    struct buf path = {0};
    bool found = mounts_find_below(s->place, &path);

    if (found)
        buf_printf(&s->failure, "a file system is mounted at '%s'; unmount it first",
                   buf_string(&path));
    buf_release(&path);
    return !found;
}

/* Returns true if the place exists and no other directory can be renamed to it. */
static bool is_fixed(const char *place, const char *parent)
{
    return file_kind(place) == FILE_DIRECTORY &&
           (mounts_has(place) || access(parent, W_OK | X_OK) != 0);
}

/*
 * Locks the parent of the place while directories are tidied and made, so that
 * no other run finds a directory that is not locked yet. Waits at most a second
 * for a lock that another process holds, then goes on without it. Returns the
 * descriptor to close, or -1 if the parent cannot be opened.
 */
static int lock_parent(const char *parent)
{
    enum { ATTEMPTS = 100, PAUSE_NS = 10 * 1000 * 1000 };
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    int fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    for (int i = 0; fd >= 0 && i < ATTEMPTS; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            break;
        nanosleep(&pause, NULL);
    }
    return fd;
}

static bool is_at(int directory, const char *place)
{
    struct stat open, named;

    return fstat(directory, &open) == 0 && stat(place, &named) == 0 &&
           open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

/*
 * Opens the earlier report and locks it, so that another run that replaces it does not remove it.
 * Returns -1 if it cannot be locked: nothing is taken over unread then.
 */
static int hold_earlier(const char *place)
{
    enum { ATTEMPTS = 8 }; /* it may be replaced before it is locked */

    for (int i = 0; i < ATTEMPTS; i++) {
        int fd = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        bool locked = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) == 0;

        if (locked && is_at(fd, place))
            return fd;
        if (fd >= 0)
            close(fd);
        if (!locked)
            break;
    }
    return -1;
}

/* Creates and locks the directory to build in. */
static bool make_directory(struct stage *s, const struct surroundings *around)
{
    struct buf name = {0};
    struct stat st;

    buf_printf(&name, "%s/%s", around->directory, around->prefix);
    file_add_random(&name);
    s->directory = arena_strdup(&s->memory, buf_slice(&name));
    buf_release(&name);
    if (mkdir(s->directory, 0777) != 0)
        return file_say(&s->failure, "cannot create the directory");
    s->open = true;
    if (stat(s->directory, &st) == 0)
        s->mode = st.st_mode & 0666;
    s->lock_fd = open(s->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (s->lock_fd >= 0)
        flock(s->lock_fd, LOCK_EX | LOCK_NB);
    return true;
}

/*
 * Returns true if the report may replace what is at its place; else s->failure says why not.
 * `report` says whether that is an earlier report.
 */
static bool may_replace(struct stage *s, bool force, bool *report)
{
    bool file = file_kind(s->place) == FILE_REGULAR;
    enum manifest_place found = manifest_look(s->place, &s->failure);
    bool ok = found != MANIFEST_OTHER || (force && !file);

    *report = found == MANIFEST_REPORT;
    if (ok)
        buf_clear(&s->failure);
    else
        buf_add_str(&s->failure, file ? "; name another place"
                                      : "; name another place, or --force to replace it");
    return ok;
}

/* Where staging directories beside the place are. */
static struct surroundings find_beside(struct stage *s)
{
    struct slice parent, name;

    split_path(s->place, &parent, &name);
    return (struct surroundings){
        parent.len ? arena_strdup(&s->memory, parent) : ".",
        arena_printf(&s->memory, ".%.*s" STAGE_MARK, SLICE_ARG(name)),
    };
}

bool stage_open(struct stage *s, const char *place, bool force, bool durable)
{
    struct surroundings beside, inside;
    struct slice parent, name;
    bool ok, report = false;
    int parent_fd;

    *s = (struct stage){
        .lock_fd = -1, .earlier = -1, .force = force, .durable = durable, .owner = geteuid()};
    s->shown = arena_strdup(&s->memory, slice_str(place));
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_init(&s->same.ending, NULL);
    stage_link_open(s);
    s->place = clean_place(&s->memory, place, &s->failure);
    if (!s->place)
        return false;
    split_path(s->place, &parent, &name);
    if (!name.len || slice_equal(name, SLICE(".")) || slice_equal(name, SLICE(".."))) {
        buf_printf(&s->failure, "'%s' cannot be replaced by a report; name a directory of its own",
                   place);
        return false;
    }
    beside = find_beside(s);
    inside = (struct surroundings){s->place, STAGE_MARK};
    parent_fd = lock_parent(beside.directory);
    tidy(s, &beside);
    ok = may_replace(s, force, &report);
    if (ok)
        tidy(s, &inside);
    ok = ok && file_make_directory(beside.directory, &s->failure);
    s->inside = ok && is_fixed(s->place, beside.directory);
    ok = ok && (s->inside || holds_no_mount(s)) && make_directory(s, s->inside ? &inside : &beside);
    if (parent_fd >= 0)
        close(parent_fd);
    if (ok && report && !s->inside)
        s->earlier = hold_earlier(s->place);
    s->same.holds = s->earlier >= 0;
    return ok;
}

/* ---- writing --------------------------------------------------------------------------------- */

void stage_fail(struct stage *s, const char *path, const char *why)
{
    pthread_mutex_lock(&s->lock);
    if (!s->failure.len)
        buf_printf(&s->failure, "%s: %s", path, why);
    pthread_mutex_unlock(&s->lock);
}

bool stage_failed(struct stage *s)
{
    bool failed;

    pthread_mutex_lock(&s->lock);
    failed = s->failure.len > 0;
    pthread_mutex_unlock(&s->lock);
    return failed;
}

bool stage_add_directory(struct stage *s, const char *name)
{
    return file_make_directory(arena_printf(&s->memory, "%s/%s", s->directory, name), &s->failure);
}

static void add_file(struct stage *s, const char *path)
{
    pthread_mutex_lock(&s->lock);
    *vec_add(&s->files) = arena_copy(&s->memory, slice_str(path));
    pthread_mutex_unlock(&s->lock);
}

/* Creates a file, or writes at its end if it is there already. */
static bool write_part(struct stage *s, const char *path, struct slice bytes, bool first)
{
    struct buf full = {0}, why = {0};
    bool ok;

    if (stage_failed(s))
        return false;
    stage_same_end(s);
    buf_printf(&full, "%s/%s", s->directory, path);
    ok = first ? file_create(buf_string(&full), bytes, &why)
               : file_append(buf_string(&full), bytes, &why);
    if (ok && first)
        add_file(s, path);
    else if (!ok)
        stage_fail(s, path, buf_string(&why));
    buf_release(&full);
    buf_release(&why);
    return ok;
}

bool stage_write(struct stage *s, const char *path, struct slice bytes)
{
    if (stage_failed(s) || !stage_link_same(s, path, bytes))
        return write_part(s, path, bytes, true);
    add_file(s, path);
    return true;
}

bool stage_take_over(struct stage *s, const char *path, struct slice bytes, int read)
{
    if (!stage_failed(s) && stage_link_read(s, path, read)) {
        add_file(s, path);
        return true;
    }
    close(read);
    return write_part(s, path, bytes, true);
}

static void begin_parts(struct stage_file *f)
{
    f->begun = true;
    f->earlier = stage_same_holds(f->stage) ? stage_link_find(f->stage, f->path, &f->state) : -1;
    if (f->earlier < 0)
        write_part(f->stage, f->path, SLICE(""), true);
}

/* Writes the parts that were the same as the earlier report's. */
static void write_same(struct stage_file *f)
{
    struct buf bytes = {0}, why = {0};

    if (lseek(f->earlier, 0, SEEK_SET) != 0 || !file_read_fd(f->earlier, SIZE_MAX, &bytes, &why) ||
        bytes.len < f->same)
        stage_fail(f->stage, f->path, STAGE_CHANGED);
    else
        write_part(f->stage, f->path, slice_take(buf_slice(&bytes), f->same), true);
    close(f->earlier);
    f->earlier = -1;
    buf_release(&bytes);
    buf_release(&why);
}

void stage_file_take(void *file, struct slice part)
{
    struct stage_file *f = file;

    if (!f->begun)
        begin_parts(f);
    if (f->earlier >= 0) {
        if (stage_link_has(f->earlier, part)) {
            f->same += part.len;
            return;
        }
        write_same(f);
    }
    write_part(f->stage, f->path, part, false);
}

void stage_file_end(struct stage_file *f, struct slice part)
{
    stage_file_take(f, part);
    if (f->earlier < 0)
        return;
    if (f->same == (size_t)f->state.st_size &&
        stage_link_file(f->stage, f->path, f->earlier, &f->state))
        add_file(f->stage, f->path);
    else
        write_same(f);
}

void stage_remove(struct stage *s, struct slice path)
{
    struct buf full = {0};

    stage_link_settle(s);
    buf_printf(&full, "%s/%.*s", s->directory, SLICE_ARG(path));
    unlink(buf_string(&full));
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

/* ---- publishing ------------------------------------------------------------------------------ */

/* Writes everything below a directory to the disk. Errors are ignored. */
static void flush(const char *directory)
{
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0)
        return;
    syncfs(fd);
    close(fd);
}

/* Writes the manifest of a directory, which lists `files`. */
static bool put_manifest(struct stage *s, const char *directory, const struct manifest_files *files)
{
    const char *path = arena_printf(&s->memory, "%s/" MANIFEST_NAME, directory);
    struct buf text = {0};
    bool ok;

    manifest_write(&text, files->items, files->count);
    ok = file_replace(path, buf_slice(&text), &s->failure);
    buf_release(&text);
    return ok;
}

/* Moves one file of the stage to the same path below the place. */
static bool move_file(struct stage *s, struct slice path)
{
    const char *from = arena_printf(&s->memory, "%s/%.*s", s->directory, SLICE_ARG(path));
    const char *to = arena_printf(&s->memory, "%s/%.*s", s->place, SLICE_ARG(path));
    size_t slash = slice_find_last(slice_str(to), '/');

    if (!file_make_directory(arena_strdup(&s->memory, slice_take(slice_str(to), slash)),
                             &s->failure))
        return false;
    return rename(from, to) == 0 || file_say(&s->failure, "cannot rename into place");
}

/* Moves those of the files that are in a subdirectory, or those that are not. */
static bool move_files(struct stage *s, const struct manifest_files *files, bool in_folder)
{
    vec_each (const struct slice, path, files)
        if ((slice_find(*path, '/') < path->len) == in_folder && !move_file(s, *path))
            return false;
    return true;
}

static int compare_paths(const void *a, const void *b)
{
    return slice_compare(*(const struct slice *)a, *(const struct slice *)b);
}

/* Removes files of the old report that the new one does not have, and empty directories. */
static void remove_stale(struct stage *s, const struct manifest_files *old,
                         const struct manifest_files *files)
{
    vec_each (const struct slice, path, old) {
        const char *full = arena_printf(&s->memory, "%s/%.*s", s->place, SLICE_ARG(*path));
        bool kept = bsearch(path, files->items, files->count, sizeof(*path), compare_paths);

        if (!kept && unlink(full) == 0)
            rmdir(arena_strdup(&s->memory,
                               slice_take(slice_str(full), slice_find_last(slice_str(full), '/'))));
    }
}

/* Publishes file by file, while no other run does; see the top of batch/stage.h. */
static bool publish_in_place(struct stage *s, const struct manifest_files *files)
{
    int fd = open(s->place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct manifest_files old = {0}, both = {0};
    struct buf ignored = {0};
    bool ok;

    if (fd >= 0)
        flock(fd, LOCK_EX);

    if (s->durable)
        flush(s->directory);
    manifest_read(s->place, &s->memory, &old);
    vec_each (const struct slice, path, &old)
        *vec_add(&both) = *path;
    vec_each (const struct slice, path, files)
        *vec_add(&both) = *path;
    ok = put_manifest(s, s->place, &both) && move_files(s, files, true) &&
         move_files(s, files, false);
    if (ok) {
        remove_stale(s, &old, files);
        ok = put_manifest(s, s->place, files);
    }
    if (ok)
        file_remove_tree(s->directory, &ignored);
    buf_release(&ignored);
    vec_release(&both);
    vec_release(&old);
    if (fd >= 0)
        close(fd);
    return ok;
}

/* Whether what was at the place may go; it may have appeared while the report was made. */
static bool may_remove(struct stage *s)
{
    struct buf why = {0};
    bool ok;

    ok = s->force || manifest_look(s->directory, &why) != MANIFEST_OTHER;
    if (!ok)
        buf_printf(&s->failure, STAGE_CHANGED ": %s", buf_string(&why));
    buf_release(&why);
    return ok;
}

/* Exchanges the directories, then removes the old report, if there was one. */
static bool exchange(struct stage *s)
{
    struct buf ignored = {0};

    if (s->durable)
        flush(s->directory);
    if (!file_exchange(s->directory, s->place, &s->failure))
        return false;
    if (s->lock_fd >= 0)
        flock(s->lock_fd, LOCK_UN); /* it is a report now, and may be replaced */
    if (!may_remove(s)) {
        file_exchange(s->directory, s->place, &s->failure);
        errno = 0;
        return false;
    }
    if (file_kind(s->directory) != FILE_ABSENT && !is_locked(s->directory))
        file_remove_tree(s->directory, &ignored);
    buf_release(&ignored);
    return true;
}

/* If a directory cannot be renamed, renaming its files may still work. */
static bool publish(struct stage *s, const struct manifest_files *files)
{
    if (s->inside)
        return publish_in_place(s, files);
    if (exchange(s))
        return true;
    if ((errno != EXDEV && errno != EBUSY) || file_kind(s->place) != FILE_DIRECTORY)
        return false;
    buf_clear(&s->failure);
    return publish_in_place(s, files);
}

/*
 * Unlocks the earlier report, of which nothing is needed any more. Returns whether another run has
 * replaced that report meanwhile.
 */
static bool let_go(struct stage *s)
{
    bool left = s->earlier >= 0 && !is_at(s->earlier, s->place);

    if (s->earlier >= 0)
        flock(s->earlier, LOCK_UN);
    return left;
}

/* Removes earlier reports that no run needs any more. */
static void tidy_beside(struct stage *s)
{
    struct surroundings beside = find_beside(s);
    int parent_fd = lock_parent(beside.directory);

    tidy(s, &beside);
    if (parent_fd >= 0)
        close(parent_fd);
}

bool stage_publish(struct stage *s)
{
    struct manifest_files files = {0};
    bool ok = s->open && manifest_read(s->directory, &s->memory, &files), left = let_go(s);

    if (!ok)
        buf_add_str(&s->failure, "the list of its files cannot be read");
    ok = ok && publish(s, &files);
    if (ok)
        s->open = false;
    if (ok && s->durable)
        flush(s->place);
    if (left)
        tidy_beside(s);
    vec_release(&files);
    return ok;
}

static void remove_directory(struct stage *s)
{
    enum { ATTEMPTS = 8 };
    struct buf ignored = {0};

    /* Threads may still be writing; they fail once their directory is removed. */
    for (int i = 0; i < ATTEMPTS && file_kind(s->directory) != FILE_ABSENT; i++)
        file_remove_tree(s->directory, &ignored);
    buf_release(&ignored);
}

/* Gives a file of the place the time of now. Errors are ignored. */
static void touch(const struct stage *s, struct slice name)
{
    struct buf path = {0};

    buf_printf(&path, "%s/%.*s", s->place, SLICE_ARG(name));
    utimensat(AT_FDCWD, buf_string(&path), NULL, AT_SYMLINK_NOFOLLOW);
    buf_release(&path);
}

void stage_renew(struct stage *s)
{
    struct manifest_files files = {0};

    if (!s->open)
        return;
    let_go(s);
    if (!is_locked(s->place)) { /* a run that needs it will renew or replace it */
        manifest_read(s->place, &s->memory, &files);
        vec_each (const struct slice, path, &files)
            if (slice_find(*path, '/') == path->len)
                touch(s, *path);
        touch(s, SLICE(MANIFEST_NAME));
        touch(s, SLICE("."));
    }
    remove_directory(s);
    s->open = false;
    if (s->durable)
        flush(s->place);
    vec_release(&files);
}

/* Writes the manifest and puts the report into place, unless it failed or was abandoned. */
static bool put_into_place(struct stage *s)
{
    return s->open && !s->failure.len && put_manifest(s, s->directory, &s->files) &&
           (s->publish ? s->publish(s->publisher, &s->failure) : stage_publish(s));
}

/* Leaves the earlier report in place, which is the same. */
static bool leave_in_place(struct stage *s)
{
    if (!s->open || s->failure.len)
        return false;
    if (s->renew)
        s->renew(s->publisher);
    else
        stage_renew(s);
    return true;
}

bool stage_commit(struct stage *s)
{
    bool same = stage_same_is_made(s), ok;

    if (!same)
        stage_link_settle(s);
    pthread_mutex_lock(&s->lock);
    ok = same ? leave_in_place(s) : put_into_place(s);
    s->open = s->open && !ok;
    pthread_mutex_unlock(&s->lock);
    return ok;
}

void stage_abandon(struct stage *s)
{
    pthread_mutex_lock(&s->lock);
    if (s->open && !s->publish)
        remove_directory(s);
    s->open = false;
    pthread_mutex_unlock(&s->lock);
}

void stage_close(struct stage *s)
{
    stage_abandon(s);
    if (s->lock_fd >= 0)
        close(s->lock_fd);
    if (s->earlier >= 0)
        close(s->earlier);
    stage_link_close(s);
    vec_release(&s->same.files);
    buf_release(&s->failure);
    vec_release(&s->files);
    pthread_mutex_destroy(&s->links.settling);
    pthread_mutex_destroy(&s->same.ending);
    pthread_mutex_destroy(&s->lock);
    arena_release(&s->memory);
}
