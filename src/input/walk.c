#include "input/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "input/core/recording.h"

struct identity {
    dev_t device;
    ino_t inode;
};

struct names VEC_OF(struct slice);

struct walk {
    const char *dir;
    bool follow;
    const char *marker;
    struct paths *out;
    struct diag *diag;
    struct arena memory;
    struct names directories; /* to visit, relative paths; "" is `dir` */
    struct names links;       /* directories that links lead to, visited after the others */
    size_t next_link;         /* the links before it are done; the rest is sorted */
    VEC(struct identity) visited;
    struct map index; /* of visited */
    struct identity left_out;
    bool leaves_out;
};

void walk_paths_release(struct paths *p)
{
    release_each(p, (arena, memory), (vec, items, unreadable));
}

static int compare_names(const void *a, const void *b)
{
    return slice_compare(*(const struct slice *)a, *(const struct slice *)b);
}

static void sort_names(struct slice *names, size_t count)
{
    if (count > 1)
        qsort(names, count, sizeof(*names), compare_names);
}

static struct slice join(struct arena *memory, struct slice directory, struct slice name)
{
    return slice_str(arena_printf(memory, "%.*s%s%.*s", SLICE_ARG(directory),
                                  directory.len ? "/" : "", SLICE_ARG(name)));
}

static bool same_identity(const void *context, uint32_t id, const void *key)
{
    const struct walk *w = context;
    const struct identity *have = &w->visited.items[id], *want = key;

    return have->device == want->device && have->inode == want->inode;
}

/*
 * Marks a directory as visited. Returns false if it was visited before or is the one to
 * leave out.
 */
static bool enter(struct walk *w, const struct stat *st)
{
    struct identity who = {st->st_dev, st->st_ino};
    uint64_t hash = map_hash_pair(&w->index, who.device, who.inode);

    if (w->leaves_out && who.device == w->left_out.device && who.inode == w->left_out.inode)
        return false;
    if (map_find(&w->index, hash, same_identity, w, &who) != MAP_NONE)
        return false;
    map_add(&w->index, hash, (uint32_t)w->visited.count);
    *vec_add(&w->visited) = who;
    return true;
}

/* True if the link at `path` may be followed; else it was reported. */
static bool may_follow(struct walk *w, struct slice path, const struct stat *target)
{
    if (w->follow || (S_ISREG(target->st_mode) &&
                      file_is_inside(join(&w->memory, slice_str(w->dir), path).ptr, w->dir)))
        return true;
    diag_warn(w->diag, "the link '%s' is not followed: it leads to %s", path.ptr,
              S_ISREG(target->st_mode)   ? "a file outside the directory (--follow reads it)"
              : S_ISDIR(target->st_mode) ? "a directory (--follow reads it)"
                                         : "a device, a pipe or a socket");
    return false;
}

static void sort_entry(struct walk *w, int fd, struct slice directory, struct slice name)
{
    struct slice path = join(&w->memory, directory, name);
    struct stat st, target;
    bool linked;

    if (fstatat(fd, name.ptr, &st, AT_SYMLINK_NOFOLLOW) != 0) {
        diag_warn(w->diag, "cannot look at '%s': %s", path.ptr, strerror(errno));
        return;
    }
    linked = S_ISLNK(st.st_mode);
    target = st;
    if (linked && fstatat(fd, name.ptr, &target, 0) != 0) {
        diag_warn(w->diag, "the link '%s' is broken: %s", path.ptr, strerror(errno));
        return;
    }
    if (linked && !may_follow(w, path, &target))
        return;
    if (S_ISREG(target.st_mode))
        *vec_add(&w->out->items) = arena_copy(&w->out->memory, slice_make(path.ptr, path.len));
    else if (S_ISDIR(target.st_mode) && linked)
        *vec_add(&w->links) = path;
    else if (S_ISDIR(target.st_mode))
        *vec_add(&w->directories) = path;
    else
        diag_warn(w->diag, "'%s' is not read: it is a pipe, a socket or a device, not a file",
                  join(&w->memory, slice_str(w->dir), path).ptr);
}

/* Sorts what one directory holds into files, directories and links to directories. */
static void read_entries(struct walk *w, DIR *handle, struct slice directory)
{
    struct names names = {0};
    struct dirent *entry;

    while ((entry = readdir(handle)))
        if (entry->d_name[0] != '.')
            *vec_add(&names) = arena_copy(&w->memory, slice_str(entry->d_name));
    sort_names(names.items, names.count);
    vec_each (struct slice, name, &names) {
        sort_entry(w, dirfd(handle), directory, *name);
    }
    vec_release(&names);
}

/* True for a directory that is an earlier output, which is reported. */
static bool is_output(const struct walk *w, int fd, struct slice directory)
{
    struct stat st;

    if (!w->marker || !directory.len || fstatat(fd, w->marker, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(st.st_mode))
        return false;
    diag_warn(w->diag, "'%s' is an earlier report and is left out; name it to read the runs in it",
              directory.ptr);
    return true;
}

/* True for a recording in a directory, which is added as one file. */
static bool add_recording(struct walk *w, int fd, struct slice directory)
{
    int data = directory.len ? recording_open_data(fd) : -1;

    if (data < 0)
        return false;
    close(data);
    *vec_add(&w->out->items) = arena_copy(&w->out->memory, directory);
    return true;
}

/* Visits one directory unless it was visited. Returns false if it cannot be read. */
static bool visit(struct walk *w, struct slice directory)
{
    struct slice path =
        directory.len ? join(&w->memory, slice_str(w->dir), directory) : slice_str(w->dir);
    DIR *handle = opendir(path.ptr);
    struct stat st;

    if (!handle || fstat(dirfd(handle), &st) != 0) {
        diag_add(w->diag, directory.len ? DIAG_WARNING : DIAG_ERROR, DIAG_AT_FILE,
                 "cannot read the directory '%s': %s", path.ptr, strerror(errno));
        if (handle)
            closedir(handle);
        if (directory.len)
            *vec_add(&w->out->unreadable) = arena_copy(&w->out->memory, directory);
        return false;
    }
    if (enter(w, &st) && !is_output(w, dirfd(handle), directory) &&
        !add_recording(w, dirfd(handle), directory))
        read_entries(w, handle, directory);
    closedir(handle);
    return true;
}

/* The next directory to visit, real ones first, then links by name. */
static bool next_directory(struct walk *w, size_t *done, struct slice *directory)
{
    if (*done < w->directories.count) {
        *directory = w->directories.items[(*done)++];
        return true;
    }
    if (w->next_link == w->links.count)
        return false;
    sort_names(w->links.items + w->next_link, w->links.count - w->next_link);
    *directory = w->links.items[w->next_link++];
    return true;
}

bool walk_directory(const char *dir, const struct walk_options *options, struct paths *out,
                    struct diag *diag)
{
    static const struct walk_options defaults = {0};
    const struct walk_options *o = options ? options : &defaults;
    struct walk w = {
        .dir = dir, .follow = o->follow, .marker = o->marker, .out = out, .diag = diag};
    struct slice directory;
    struct stat st;
    size_t done = 0;
    bool ok;

    if (o->leave_out && stat(o->leave_out, &st) == 0) {
        w.left_out = (struct identity){st.st_dev, st.st_ino};
        w.leaves_out = true;
    }
    ok = visit(&w, slice_make("", 0));
    while (ok && next_directory(&w, &done, &directory))
        visit(&w, directory);
    sort_names(out->items.items, out->items.count);
    release_each(&w, (arena, memory), (map, index), (vec, visited, directories, links));
    return ok;
}
