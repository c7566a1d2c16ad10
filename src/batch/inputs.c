#include "batch/inputs.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "input/walk.h"

#define SETTINGS_NAME "flamepress.yml"

/* Names of the introduction; the first that exists is used. */
static const char *const introductions[] = {"flamepress.md", "README.md"};
enum { INTRODUCTIONS = sizeof(introductions) / sizeof(*introductions) };

static const char *join(struct inputs *in, const char *directory, struct slice name)
{
    size_t length = strlen(directory);
    bool slash = length && directory[length - 1] == '/';

    return arena_printf(&in->memory, "%s%s%.*s", directory, slash ? "" : "/", SLICE_ARG(name));
}

/* Cuts the last ending: "a.b.c" becomes "a.b", then "a". Returns false if there is no ending. */
static bool cut_ending(struct slice *path)
{
    size_t slash = slice_find_last(*path, '/');
    size_t start = slash < path->len ? slash + 1 : 0;
    size_t dot = slice_find_last(*path, '.');

    if (dot == path->len || dot <= start)
        return false;
    path->len = dot;
    return true;
}

/* Returns true if `path` ("db/mysql.md") comments on one of `paths` ("db/mysql.perf.gz"). */
static bool is_commentary(const struct paths *paths, struct slice path)
{
    struct slice stem = slice_take(path, path.len - strlen(".md"));

    for (size_t i = 0; i < paths->items.count; i++) {
        struct slice other = paths->items.items[i];

        if (!slice_equal(other, path) && !slice_ends(other, SLICE(".md")) &&
            slice_starts(other, stem) && other.len > stem.len && other.ptr[stem.len] == '.')
            return true;
    }
    return false;
}

/* Returns true for a regular file; a link out of its directory must be allowed by --follow. */
static bool is_usable(struct inputs *in, const char *path)
{
    struct slice whole = slice_str(path);
    size_t slash = slice_find_last(whole, '/');

    if (file_kind(path) != FILE_REGULAR)
        return false;
    return in->follow ||
           file_is_inside(path, slash < whole.len
                                    ? arena_strdup(&in->memory, slice_take(whole, slash + 1))
                                    : ".");
}

static const char *find_commentary(struct inputs *in, const char *path)
{
    struct slice stem = slice_str(path);

    do {
        const char *candidate = arena_printf(&in->memory, "%.*s.md", SLICE_ARG(stem));

        if (strcmp(candidate, path) != 0 && is_usable(in, candidate))
            return candidate;
    } while (cut_ending(&stem));
    return NULL;
}

static void add_input(struct inputs *in, const char *path, const char *shown, bool named)
{
    *vec_add(&in->items) = (struct input_file){path, shown, find_commentary(in, path), named};
}

static const char *find_beside(struct inputs *in, const char *directory, const char *name)
{
    const char *path = join(in, directory, slice_str(name));

    return is_usable(in, path) ? path : NULL;
}

/* Returns true if `path` is not a profile, but settings or introduction of the report. */
static bool is_of_report(struct slice path)
{
    for (size_t i = 0; i < INTRODUCTIONS; i++)
        if (slice_equal(path, slice_str(introductions[i])))
            return true;
    return slice_equal(path, SLICE(SETTINGS_NAME));
}

static bool add_directory(struct inputs *in, const char *directory, bool only,
                          const struct inputs_options *options, struct diag *diag)
{
    const struct walk_options walk = {options->out, options->follow};
    struct paths paths;
    bool ok;

    walk_paths_init(&paths);
    ok = walk_directory(directory, &walk, &paths, diag);
    for (size_t i = 0; ok && i < paths.items.count; i++) {
        struct slice path = paths.items.items[i];
        const char *full;

        if (is_of_report(path))
            continue;
        if (slice_ends(path, SLICE(".md")) && is_commentary(&paths, path))
            continue;
        full = join(in, directory, path);
        add_input(in, full, only ? arena_strdup(&in->memory, path) : full, false);
    }
    vec_each (const struct slice, path, &paths.unreadable) {
        const char *full = join(in, directory, *path);

        add_input(in, full, only ? arena_strdup(&in->memory, *path) : full, true);
    }
    walk_paths_release(&paths);
    if (!in->settings)
        in->settings = find_beside(in, directory, SETTINGS_NAME);
    for (size_t i = 0; i < INTRODUCTIONS && !in->introduction; i++)
        in->introduction = find_beside(in, directory, introductions[i]);
    return ok;
}

static int compare_inputs(const void *a, const void *b)
{
    const struct input_file *x = a, *y = b;
    int order = strcmp(x->shown, y->shown);

    return order ? order : strcmp(x->path, y->path);
}

/* A file named twice, or named together with its directory, is one input. */
static void drop_repeated(struct inputs *in)
{
    size_t kept = 0;

    for (size_t i = 0; i < in->items.count; i++) {
        struct input_file *item = &in->items.items[i];
        struct input_file *last = kept ? &in->items.items[kept - 1] : NULL;

        if (last && strcmp(last->path, item->path) == 0)
            last->named |= item->named;
        else
            in->items.items[kept++] = *item;
    }
    in->items.count = kept;
}

/* Removes the directory that all operands share from the paths that the report shows. */
static void drop_common_directory(struct inputs *in)
{
    const char *first = in->items.count ? in->items.items[0].shown : "";
    size_t common = 0;

    for (size_t i = 0; first[i]; i++)
        common = first[i] == '/' ? i + 1 : common;
    vec_each (const struct input_file, item, &in->items) {
        size_t same = 0, cut = 0;

        for (; same < common && item->shown[same] == first[same]; same++)
            cut = first[same] == '/' ? same + 1 : cut;
        common = cut;
    }
    vec_each (struct input_file, item, &in->items)
        item->shown += common;
}

bool inputs_init(struct inputs *in, const char *const *paths, size_t count,
                 const struct inputs_options *options, struct diag *diag)
{
    bool ok = true;

    *in = (struct inputs){.follow = options->follow};
    arena_init(&in->memory);
    in->first = count ? paths[0] : NULL;
    for (size_t i = 0; i < count; i++) {
        if (file_kind(paths[i]) == FILE_DIRECTORY)
            ok &= add_directory(in, paths[i], count == 1, options, diag);
        else
            add_input(in, paths[i], paths[i], true);
    }
    if (in->items.count)
        qsort(in->items.items, in->items.count, sizeof(*in->items.items), compare_inputs);
    drop_repeated(in);
    if (count > 1 || (in->items.count && in->items.items[0].named))
        drop_common_directory(in);
    return ok;
}

void inputs_exclude(struct inputs *in, const char *const *globs, size_t count)
{
    size_t kept = 0;

    vec_each (struct input_file, item, &in->items) {
        bool excluded = false;

        for (size_t i = 0; i < count && !item->named; i++)
            excluded = excluded || fnmatch(globs[i], item->shown, 0) == 0;
        if (!excluded)
            in->items.items[kept++] = *item;
    }
    in->items.count = kept;
}

void inputs_release(struct inputs *in)
{
    vec_release(&in->items);
    arena_release(&in->memory);
}
