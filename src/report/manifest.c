#include "report/manifest.h"

#include <dirent.h>
#include <fts.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/file.h"

/* The number rises when this version could not replace a later version's report. */
#define FIRST_LINE "flamepress report 1\n"

/* The largest manifest that is read, in bytes. */
enum { MAX_SIZE = 64 << 20 };

static int compare_slices(const void *a, const void *b)
{
    return slice_compare(*(const struct slice *)a, *(const struct slice *)b);
}

void manifest_write(struct buf *out, const struct slice *files, size_t count)
{
    struct slice *sorted = xreallocarray(NULL, count + 1, sizeof(*sorted));

    for (size_t i = 0; i < count; i++)
        sorted[i] = files[i];
    qsort(sorted, count, sizeof(*sorted), compare_slices);
    buf_add_str(out, FIRST_LINE);
    for (size_t i = 0; i < count; i++) {
        buf_add_slice(out, sorted[i]);
        buf_add_char(out, '\n');
    }
    free(sorted);
}

static bool is_listed(const struct slice *files, size_t count, struct slice path)
{
    return slice_equal(path, SLICE(MANIFEST_NAME)) ||
           (count && bsearch(&path, files, count, sizeof(*files), compare_slices));
}

static bool is_writing(const char *name)
{
    struct slice rest = slice_str(name);

    if (!slice_starts(rest, SLICE(MANIFEST_WRITING)))
        return false;
    rest = slice_skip(rest, strlen(MANIFEST_WRITING));
    for (size_t i = 0; i < rest.len; i++)
        if (!ascii_is_hex(rest.ptr[i]))
            return false;
    return rest.len == FILE_RANDOM_DIGITS;
}

/* Returns false, with the reason, if the directory has a file that is not in `files` (sorted). */
static bool holds_only(const char *directory, const struct slice *files, size_t count,
                       struct buf *why)
{
    size_t prefix = strlen(directory) + 1;
    FTSENT *entry;
    struct buf root = {0}; /* fts takes no const string */
    bool ok = true;
    FTS *walk;

    buf_add_str(&root, directory);
    walk = fts_open((char *const[]){root.ptr, NULL}, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
    buf_release(&root);
    if (!walk)
        return file_say(why, "cannot read it");
    while (ok && (entry = fts_read(walk))) {
        if (entry->fts_level == 1 && is_writing(entry->fts_name)) {
            fts_set(walk, entry, FTS_SKIP);
            continue;
        }
        if (entry->fts_info == FTS_D || entry->fts_info == FTS_DP)
            continue;
        if (!is_listed(files, count, slice_str(entry->fts_path + prefix))) {
            buf_printf(why, "it contains '%s', which is not part of the report",
                       entry->fts_path + prefix);
            ok = false;
        }
    }
    fts_close(walk);
    return ok;
}

/* True if the path stays below the directory that it is relative to. */
static bool is_below(struct slice path)
{
    bool below = path.len > 0;

    while (path.len && below) {
        size_t end = slice_find(path, '/');
        struct slice part = slice_take(path, end);

        below = part.len && !slice_equal(part, SLICE(".."));
        path = slice_skip(path, end + (end < path.len));
    }
    return below;
}

/* Reads the manifest at `path`; `content` gets the text that `files` points into, in order. */
static bool read_files(const char *path, struct buf *content, struct manifest_files *files,
                       struct buf *why)
{
    struct slice rest, line;

    if (!file_read(path, MAX_SIZE, content, why))
        return false;
    rest = buf_slice(content);
    if (!slice_starts(rest, SLICE(FIRST_LINE))) {
        buf_add_str(why, "its " MANIFEST_NAME " was not written by this program");
        return false;
    }
    slice_line(&rest, &line);
    while (slice_line(&rest, &line)) {
        if (!is_below(line)) {
            buf_add_str(why, "its " MANIFEST_NAME " lists a path that is not below it");
            return false;
        }
        *vec_add(files) = line;
    }
    if (files->count)
        qsort(files->items, files->count, sizeof(*files->items), compare_slices);
    return true;
}

/* True if the manifest at `path` lists all files of the directory. */
static bool is_report(const char *directory, const char *path, struct buf *why)
{
    struct manifest_files files = {0};
    struct buf content = {0};
    bool good;

    good = read_files(path, &content, &files, why) &&
           holds_only(directory, files.items, files.count, why);
    vec_release(&files);
    buf_release(&content);
    return good;
}

bool manifest_read(const char *directory, struct arena *memory, struct manifest_files *files)
{
    size_t before = files->count;
    struct buf path = {0}, content = {0}, why = {0};
    bool ok;

    buf_printf(&path, "%s/" MANIFEST_NAME, directory);
    ok = read_files(buf_string(&path), &content, files, &why);
    if (!ok)
        files->count = before;
    for (size_t i = before; i < files->count; i++)
        files->items[i] = arena_copy(memory, files->items[i]);
    buf_release(&path);
    buf_release(&content);
    buf_release(&why);
    return ok;
}

/* Returns whether a directory without a manifest is empty. */
static enum manifest_place look_inside(const char *directory, struct buf *why)
{
    DIR *stream = opendir(directory);
    enum manifest_place place = MANIFEST_EMPTY;
    struct dirent *entry;

    if (!stream) {
        file_say(why, "cannot open it");
        return MANIFEST_OTHER;
    }
    while (place == MANIFEST_EMPTY && (entry = readdir(stream))) {
        struct slice name = slice_str(entry->d_name);

        if (slice_equal(name, SLICE(".")) || slice_equal(name, SLICE("..")) ||
            is_writing(entry->d_name))
            continue;
        place = MANIFEST_OTHER;
    }
    closedir(stream);
    if (place == MANIFEST_OTHER)
        buf_add_str(why, "it contains files but no flamepress report");
    return place;
}

enum manifest_place manifest_look(const char *directory, struct buf *why)
{
    enum manifest_place place;
    struct buf path = {0};

    switch (file_kind(directory)) {
    case FILE_ABSENT:
        return MANIFEST_ABSENT;
    case FILE_DIRECTORY:
        break;
    default:
        buf_add_str(why, "it is not a directory");
        return MANIFEST_OTHER;
    }
    buf_printf(&path, "%s/" MANIFEST_NAME, directory);
    if (file_kind(buf_string(&path)) == FILE_ABSENT)
        place = look_inside(directory, why);
    else
        place = is_report(directory, buf_string(&path), why) ? MANIFEST_REPORT : MANIFEST_OTHER;
    buf_release(&path);
    return place;
}
