/*
 * Replacing a report as a whole.
 *
 * A report is built in a hidden directory beside its place,
 * ".NAME.flamepress-RANDOM", and exchanged with the place in one step at the
 * end (base/file.h): readers see the old report or the new one, never half of
 * each. Killed at any moment, a run leaves the old report, or a state that the
 * next run's stage_open() repairs; that call also removes what dead runs left.
 * The directory is locked (flock) while its run lives. So is the earlier report, by each run that
 * takes over what has not changed: a run that replaces it meanwhile leaves it, under the name of
 * what was built, to the runs that need it, and the last report stays.
 *
 * Some places cannot be exchanged: a mount point, a directory whose parent is read-only, a
 * directory in a lower layer of overlayfs. Their report is published in place: each file is renamed
 * over the old one, pages after the graphs they show, files of the old report are removed, the
 * manifest comes last. Until then a manifest lists the files of both reports, so that the next run
 * still recognises the directory. A mount point and a read-only parent are detected before the
 * work, and such a report is built inside its place.
 */
#ifndef BATCH_STAGE_H
#define BATCH_STAGE_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/slice.h"
#include "base/vec.h"
#include "report/manifest.h"

/* A folder of reports, open in the earlier one and in the stage; a descriptor may be -1. */
struct stage_folder {
    struct buf name;
    int from, to;
    bool open;
};

/* Why a run fails whose earlier report is changed by another. */
#define STAGE_CHANGED "it changed while the report was made"

struct stage_files VEC_OF(int);

/* Files of the earlier report that wait to be linked together (batch/stage_link.h). */
struct stage_links {
    struct buf paths;         /* each with a NUL after it */
    struct stage_files files; /* descriptors, in the same order */
    size_t most;              /* files that may wait; 0 if none */
    bool refused;             /* a link was refused, so no more is put off */
    pthread_mutex_t settling; /* held while links are made */
};

/* A file of the earlier report that the new one has, too, with its state before it was compared. */
struct stage_kept {
    const char *path;
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec written, changed;
};

struct stage_kept_files VEC_OF(struct stage_kept);

/* What the earlier report has, too (batch/stage_same.h). */
struct stage_same {
    bool holds; /* no file differs so far */
    struct stage_kept_files files;
    pthread_mutex_t ending; /* held while `files` are linked */
};

struct stage {
    struct arena memory;
    const char *shown;           /* the place as it was named, for messages */
    const char *place;           /* where the report goes: no link, no slash at the end */
    const char *directory;       /* where it is built */
    bool open;                   /* `directory` exists and is not published yet */
    bool inside;                 /* `directory` is inside `place` */
    bool force;                  /* whatever is at the place may be replaced */
    bool durable;                /* everything is on the disk before it is published */
    unsigned mode;               /* permissions of new files */
    unsigned owner;              /* the user of new files */
    int lock_fd;                 /* of `directory`, locked while the run lives; -1 for none */
    int earlier;                 /* the earlier report, locked while files are taken; or -1 */
    pthread_mutex_t lock;        /* guards `files` to `same`, and the end of `open` */
    struct manifest_files files; /* written so far, relative; in no order */
    struct buf failure;          /* why the report cannot be written; empty if it can */
    struct stage_folder folder;  /* the one that stage_link() used last */
    struct stage_links links;
    struct stage_same same;

    /* Calls stage_publish() in the process that may, and appends why it failed; or NULL. */
    bool (*publish)(void *publisher, struct buf *failure);
    /* Calls stage_renew() there. */
    void (*renew)(void *publisher);
    /* Calls stage_link() there for paths, each with a NUL after it. */
    bool (*link)(void *publisher, struct slice paths);
    void *publisher;
};

/*
 * Repairs and tidies what earlier runs left, then creates the directory to
 * build in. `place` must be absent, empty or an earlier report, unless `force`
 * is set; a link is followed to its directory. If `durable` is set,
 * stage_commit() waits until the files are on the disk. Returns false and sets
 * s->failure if the report cannot be written there; call stage_close() then, too.
 */
bool stage_open(struct stage *s, const char *place, bool force, bool durable);

/* Creates a directory for files of the report, before threads write to it. */
bool stage_add_directory(struct stage *s, const char *name);

/*
 * Writes one file of the report, or takes over the earlier report's if that has the same
 * bytes (batch/stage_link.h); `path` is relative. Any thread may call it. The first
 * failure is kept in s->failure, and nothing is written after it.
 */
bool stage_write(struct stage *s, const char *path, struct slice bytes);

/*
 * Writes a file that was read, as stage_write() does. `read` is the open file, which is closed; if
 * the earlier report still has that very file, nothing is read again.
 */
bool stage_take_over(struct stage *s, const char *path, struct slice bytes, int read);

/*
 * A file of the report that is written in parts. Until one file differs from the earlier report,
 * each part is compared with the earlier file instead of written.
 */
struct stage_file {
    struct stage *stage;
    const char *path;
    bool begun;
    int earlier;       /* the earlier report's file, read as far as the parts go, or -1 */
    struct stat state; /* of that file */
    size_t same;       /* bytes of it that the parts had */
};

/* Writes the next part of a `struct stage_file`, as stage_write() does; for struct flush. */
void stage_file_take(void *file, struct slice part);

/* Writes the last part. Every file that was begun needs it. */
void stage_file_end(struct stage_file *f, struct slice part);

/* Removes a file that was written. */
void stage_remove(struct stage *s, struct slice path);

/* Keeps a failure of a file, unless there was one before. Any thread may call it. */
void stage_fail(struct stage *s, const char *path, const char *why);

/* Returns true after a failure, when nothing more can be written. Any thread may call it. */
bool stage_failed(struct stage *s);

/*
 * Writes the manifest and puts the report into place, unless the earlier report is the same
 * (batch/stage_same.h). Returns false with s->failure set.
 */
bool stage_commit(struct stage *s);

/*
 * The second half of stage_commit(): puts the files that the manifest lists into
 * place. For a process that may write there, if the one that builds the report
 * may not (s->publish); such a process also removes what was built.
 */
bool stage_publish(struct stage *s);

/*
 * As stage_publish(), for a report that is the earlier one, file by file, and stays in place: drops
 * what was built and gives the time of this run to the report and to the files of its directory.
 */
void stage_renew(struct stage *s);

/*
 * Removes what was built, for a run that is about to be ended by a signal; any
 * thread may call it. Waits for a stage_commit() that has begun.
 */
void stage_abandon(struct stage *s);

/* Removes what was built and not committed, and releases the memory. */
void stage_close(struct stage *s);

#endif
