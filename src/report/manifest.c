#include "report/manifest.h"

#include <dirent.h>
#include <stdlib.h>

#include "base/file.h"

/* The number rises when a later version's report could not be replaced by this one. */
#define FIRST_LINE "flamepress report 1\n"

/* The largest manifest that is looked at. */
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

static bool is_manifest(const char *path, struct buf *why)
{
    struct buf content;
    bool good;

    buf_init(&content);
    good = file_read(path, MAX_SIZE, &content, why);
    if (good && !slice_starts(buf_slice(&content), SLICE(FIRST_LINE))) {
        buf_add_str(why, "its " MANIFEST_NAME " is not one of this program's");
        good = false;
    }
    buf_release(&content);
    return good;
}

/* A directory without a manifest: is there anything in it? */
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

        if (slice_equal(name, SLICE(".")) || slice_equal(name, SLICE("..")))
            continue;
        place = MANIFEST_OTHER;
    }
    closedir(stream);
    if (place == MANIFEST_OTHER)
        buf_add_str(why, "it holds files, and no report of flamepress made them");
    return place;
}

enum manifest_place manifest_look(const char *directory, struct buf *why)
{
    enum manifest_place place;
    struct buf path;

    switch (file_kind(directory)) {
    case FILE_ABSENT:
        return MANIFEST_ABSENT;
    case FILE_DIRECTORY:
        break;
    default:
        buf_add_str(why, "it is not a directory");
        return MANIFEST_OTHER;
    }
    buf_init(&path);
    buf_printf(&path, "%s/" MANIFEST_NAME, directory);
    if (file_kind(path.ptr) == FILE_ABSENT)
        place = look_inside(directory, why);
    else
        place = is_manifest(path.ptr, why) ? MANIFEST_REPORT : MANIFEST_OTHER;
    buf_release(&path);
    return place;
}
