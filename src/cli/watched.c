#include "cli/watched.h"

#include <errno.h>
#include <fts.h>
#include <stddef.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"

enum {
    GONE = IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_Q_OVERFLOW,
    NAMED = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB,
    ASKED = NAMED | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK,
    REMOVED = IN_DELETE | IN_MOVED_FROM,
    BLOCK = 64 << 10,
};

/* While a set is opened. */
struct opening {
    struct watched *w;
    struct diag *diag;
    bool follow;
    struct stat out, around; /* the report, and the directory that it is in, if they exist */
    bool out_exists, around_exists;
    const char *path;      /* of the report */
    struct slice name;     /* and its name */
    const char *unwatched; /* the first directory that cannot be watched */
    size_t failed;         /* their number */
    int error;             /* why */
};

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static struct slice directory_of(struct slice path)
{
    size_t slash = slice_find_last(path, '/');

    return slash == path.len ? SLICE(".") : slice_take(path, slash ? slash : 1);
}

/* Watches a directory, `st` being its state. */
static void add_directory(struct opening *o, const char *path, const struct stat *st,
                          struct slice stem)
{
    struct arena *memory = &o->w->memory;
    bool around = o->around_exists && is_same(st, &o->around);
    int id = inotify_add_watch(o->w->fd, path, ASKED);

    if (id < 0) {
        o->error = errno;
        if (!o->failed++)
            o->unwatched = arena_strdup(memory, slice_str(path));
        return;
    }
    *vec_add(&o->w->items) = (struct watched_directory){
        .id = id,
        .path = arena_strdup(memory, slice_str(path)),
        .leave_out = around ? arena_strdup(memory, o->name) : NULL,
        .stem = arena_copy(memory, stem),
    };
}

/* Watches a directory and those below it, but not the report and what is hidden. */
static void add_tree(struct opening *o, const char *path)
{
    struct buf root = {0}; /* fts takes no const string */
    FTSENT *entry;
    FTS *walk;

    buf_add_str(&root, path);
    walk = fts_open((char *const[]){root.ptr, NULL},
                    FTS_NOCHDIR | FTS_COMFOLLOW | (o->follow ? FTS_LOGICAL : FTS_PHYSICAL), NULL);
    buf_release(&root);
    while (walk && (entry = fts_read(walk))) {
        bool hidden = entry->fts_level > 0 && entry->fts_name[0] == '.';

        if (entry->fts_info != FTS_D)
            continue;
        if (hidden || (o->out_exists && is_same(entry->fts_statp, &o->out)))
            fts_set(walk, entry, FTS_SKIP);
        else
            add_directory(o, entry->fts_path, entry->fts_statp, SLICE(""));
    }
    if (walk)
        fts_close(walk);
}

/* Watches the directory of a file, for names that begin like the file's, up to its first dot. */
static void add_file(struct opening *o, const char *path)
{
    struct slice name = file_name_of(slice_str(path));
    const char *directory = arena_strdup(&o->w->memory, directory_of(slice_str(path)));
    size_t dot = name.len > 1 ? slice_find(slice_skip(name, 1), '.') + 1 : name.len;
    struct stat st;

    if (stat(directory, &st) == 0)
        add_directory(o, directory, &st, slice_take(name, dot));
}

static void add_path(struct opening *o, const char *path)
{
    if (!path)
        return;
    if (file_kind(path) == FILE_DIRECTORY)
        add_tree(o, path);
    else
        add_file(o, path);
}

static void look_at_output(struct opening *o, const char *out)
{
    struct slice path = slice_str(out);
    struct buf end = {0}, why = {0};

    while (path.len > 1 && path.ptr[path.len - 1] == '/')
        path.len--;
    out = arena_strdup(&o->w->memory, path);
    if (file_follow(out, &end, &why))
        out = arena_strdup(&o->w->memory, buf_slice(&end));
    buf_release(&end);
    buf_release(&why);
    o->path = out;
    o->name = file_name_of(slice_str(out));
    o->out_exists = stat(out, &o->out) == 0;
    o->around_exists =
        stat(arena_strdup(&o->w->memory, directory_of(slice_str(out))), &o->around) == 0;
}

/* Watches the directory that the report is in, for the report's removal. */
static void add_output(struct opening *o)
{
    const char *around = arena_strdup(&o->w->memory, directory_of(slice_str(o->path)));
    int id = inotify_add_watch(o->w->fd, around, REMOVED | IN_MASK_ADD | IN_ONLYDIR);

    if (id >= 0)
        *vec_add(&o->w->items) =
            (struct watched_directory){.id = id, .path = around, .report = o->path};
}

static void say_unwatched(const struct opening *o)
{
    bool nothing = !o->w->items.count;

    if (o->failed)
        diag_add(o->diag, nothing ? DIAG_ERROR : DIAG_WARNING, DIAG_AT_FILE,
                 "cannot watch '%s'%s: %s%s; changes there are not noticed", o->unwatched,
                 o->failed > 1 ? " and others" : "", strerror(o->error),
                 o->error == ENOSPC ? " (see fs.inotify.max_user_watches)" : "");
    else if (nothing)
        diag_error(o->diag, "nothing to watch: none of the directories exists");
}

void watched_open(struct watched *w, const struct options *options, struct diag *diag)
{
    const char *const beside[] = {
        options->config,          options->templates,  options->baseline,       options->codeowners,
        options->name_attributes, options->fonts.font, options->fonts.directory};
    struct opening o = {.w = w, .diag = diag, .follow = options->follow};

    *w = (struct watched){.fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
    if (w->fd < 0) {
        diag_error(diag, "cannot watch: %s", strerror(errno));
        return;
    }
    if (options_output(options))
        look_at_output(&o, options_output(options));
    vec_each (const char *, path, &options->paths) {
        w->missing += file_kind(*path) == FILE_ABSENT;
        add_path(&o, *path);
    }
    for (size_t i = 0; i < sizeof(beside) / sizeof(*beside); i++)
        add_path(&o, beside[i]);
    say_unwatched(&o);
    if (w->items.count && o.path)
        add_output(&o);
    if (!w->items.count) {
        close(w->fd);
        w->fd = -1;
    }
}

void watched_release(struct watched *w)
{
    if (w->fd >= 0)
        close(w->fd);
    vec_release(&w->items);
    arena_release(&w->memory);
}

/* True for a link, which has all of its content once it exists; a file is complete when closed. */
static bool is_complete(const char *directory, const char *name)
{
    struct buf path = {0};
    struct stat st;
    bool complete;

    buf_printf(&path, "%s/%s", directory, name);
    complete = lstat(buf_string(&path), &st) == 0 && (S_ISLNK(st.st_mode) || st.st_nlink > 1);
    buf_release(&path);
    return complete;
}

/* Returns true if a change in a directory counts. */
static bool counts(const struct watched_directory *d, const struct inotify_event *e)
{
    const char *name = e->len ? e->name : "";

    if (d->report) /* a report is replaced by another one in one step */
        return e->mask & REMOVED && file_kind(d->report) == FILE_ABSENT &&
               slice_equal(slice_str(name), file_name_of(slice_str(d->report)));
    if (!name[0])
        return e->mask & (GONE | IN_ATTRIB);
    if (name[0] == '.' || !slice_starts(slice_str(name), d->stem) ||
        (d->leave_out && strcmp(d->leave_out, name) == 0))
        return false;
    if (e->mask & IN_CREATE)
        return e->mask & IN_ISDIR || is_complete(d->path, name);
    return e->mask & NAMED;
}

bool watched_take(struct watched *w)
{
    _Alignas(struct inotify_event) char block[BLOCK];
    bool changed = false;
    ssize_t got;

    while ((got = read(w->fd, block, sizeof(block))) > 0) {
        const struct inotify_event *e;

        for (const char *at = block; at < block + got; at += sizeof(*e) + e->len) {
            e = (const void *)at;
            changed = changed || e->mask & IN_Q_OVERFLOW;
            vec_each (const struct watched_directory, d, &w->items)
                changed = changed || (d->id == e->wd && counts(d, e));
        }
    }
    return changed;
}
