#include "batch/stage_same.h"

#include <fcntl.h>
#include <fts.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "batch/stage_link.h"

enum { PERMISSIONS = 07777 };

bool stage_same_holds(struct stage *s)
{
    bool holds;

    pthread_mutex_lock(&s->lock);
    holds = s->same.holds;
    pthread_mutex_unlock(&s->lock);
    return holds;
}

bool stage_same_keep(struct stage *s, const char *path, const struct stat *st)
{
    bool kept;

    pthread_mutex_lock(&s->lock);
    kept = s->same.holds;
    if (kept)
        *vec_add(&s->same.files) = (struct stage_kept){arena_strdup(&s->memory, slice_str(path)),
                                                       st->st_dev,
                                                       st->st_ino,
                                                       st->st_size,
                                                       st->st_mtim,
                                                       st->st_ctim};
    pthread_mutex_unlock(&s->lock);
    return kept;
}

static bool is_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* Linking changes ctime, so ctime is not compared. */
static bool is_file(const struct stage_kept *kept, const struct stat *st)
{
    return st->st_dev == kept->device && st->st_ino == kept->inode && st->st_size == kept->size &&
           is_time(st->st_mtim, kept->written);
}

/* ---- the first difference -------------------------------------------------------------------- */

/* Links a file that is still the one that was read, or copies it if another run has linked it. */
static void link_kept(struct stage *s, const struct stage_kept *kept)
{
    struct stat st;
    int fd = stage_link_look(s, kept->path, &st);

    if (fd >= 0 && is_file(kept, &st)) {
        stage_link_or_copy(s, kept->path, fd, &st);
        return;
    }
    if (fd >= 0)
        close(fd);
    stage_fail(s, kept->path, STAGE_CHANGED);
}

/* Links all files; with `ending` locked. */
static void link_all(struct stage *s)
{
    struct stage_kept_files files;

    pthread_mutex_lock(&s->lock);
    files = s->same.files;
    s->same.files = (struct stage_kept_files){.count = 0};
    s->same.holds = false;
    pthread_mutex_unlock(&s->lock);
    vec_each (const struct stage_kept, kept, &files)
        link_kept(s, kept);
    vec_release(&files);
}

void stage_same_end(struct stage *s)
{
    if (!stage_same_holds(s) || pthread_mutex_trylock(&s->same.ending) != 0)
        return;
    link_all(s);
    pthread_mutex_unlock(&s->same.ending);
}

void stage_same_settle(struct stage *s)
{
    pthread_mutex_lock(&s->same.ending);
    link_all(s);
    pthread_mutex_unlock(&s->same.ending);
}

/* ---- no difference --------------------------------------------------------------------------- */

/* Returns true if the manifest of the place lists exactly the files of the stage. */
static bool lists_same(struct stage *s)
{
    struct buf path = {0}, wanted = {0}, found = {0}, why = {0};
    bool same;

    manifest_write(&wanted, s->files.items, s->files.count);
    buf_printf(&path, "%s/" MANIFEST_NAME, s->place);
    same = file_read(buf_string(&path), wanted.len, &found, &why) &&
           slice_equal(buf_slice(&wanted), buf_slice(&found)) &&
           manifest_look(s->place, &why) == MANIFEST_REPORT;
    buf_release(&path);
    buf_release(&wanted);
    buf_release(&found);
    buf_release(&why);
    return same;
}

/* Returns true if nobody has touched the files since they were read. */
static bool are_untouched(const struct stage *s)
{
    int place = open(s->place, O_PATH | O_DIRECTORY | O_CLOEXEC);
    bool same = place >= 0;

    for (size_t i = 0; same && i < s->same.files.count; i++) {
        const struct stage_kept *kept = &s->same.files.items[i];
        struct stat st;

        same = fstatat(place, kept->path, &st, AT_SYMLINK_NOFOLLOW) == 0 && is_file(kept, &st) &&
               is_time(st.st_ctim, kept->changed);
    }
    if (place >= 0)
        close(place);
    return same;
}

/* Returns true if the place has this directory of the stage, for the same users. */
static bool has_directory(const struct stage *s, const char *below, const struct stat *wanted)
{
    struct buf path = {0};
    struct stat st;
    bool same;

    buf_printf(&path, "%s%s", s->place, below);
    same = lstat(buf_string(&path), &st) == 0 && S_ISDIR(st.st_mode) &&
           (st.st_mode & PERMISSIONS) == (wanted->st_mode & PERMISSIONS) &&
           st.st_uid == wanted->st_uid && st.st_gid == wanted->st_gid;
    buf_release(&path);
    return same;
}

/* Returns true if the stage has nothing but directories, and the place has them, too. */
static bool has_directories(const struct stage *s)
{
    struct buf root = {0}; /* fts takes no const string */
    FTSENT *entry;
    bool same;
    FTS *walk;

    buf_add_str(&root, s->directory);
    walk = fts_open((char *const[]){root.ptr, NULL}, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    same = walk != NULL;
    while (same && (entry = fts_read(walk)))
        same = entry->fts_info == FTS_DP ||
               (entry->fts_info == FTS_D &&
                has_directory(s, entry->fts_path + root.len, entry->fts_statp));
    if (walk)
        fts_close(walk);
    buf_release(&root);
    return same;
}

bool stage_same_is_made(struct stage *s)
{
    return stage_same_holds(s) && s->same.files.count == s->files.count && lists_same(s) &&
           has_directories(s) && are_untouched(s);
}
