#include "batch/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/name_list.h"
#include "base/glob.h"
#include "batch/meta.h"
#include "input/core/recording.h"
#include "input/walk.h"
#include "report/manifest.h"

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

/* The files of a directory that was walked, sorted by their paths below it. */
struct listing {
    const struct paths *paths;
    size_t above; /* bytes of a whole path before the one below the directory */
};

/* Returns the index of the first of `paths` that is not before `path`. */
static size_t find_place(const struct paths *paths, struct slice path)
{
    size_t low = 0, high = paths->items.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (slice_compare(paths->items.items[middle], path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_path(const struct paths *paths, struct slice path)
{
    size_t place = find_place(paths, path);

    return place < paths->items.count && slice_equal(paths->items.items[place], path);
}

static bool is_companion_name(struct slice path)
{
    return slice_ends(path, SLICE(".md")) || slice_ends(path, SLICE(META_ENDING));
}

/*
 * Returns true if `path` ("db/mysql.md"), which has the ending `ending`, belongs to one of `paths`
 * ("db/mysql.perf.gz").
 */
static bool is_companion(const struct paths *paths, struct slice path, struct slice ending)
{
    struct slice stem = slice_take(path, path.len - ending.len);

    for (size_t i = find_place(paths, stem); i < paths->items.count; i++) {
        struct slice other = paths->items.items[i];

        if (!slice_starts(other, stem))
            break;
        if (!slice_equal(other, path) && !is_companion_name(other) &&
            (other.len == stem.len || other.ptr[stem.len] == '.'))
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

/*
 * Finds the file that has the path, or the path without its last endings, and `ending`. Asks the
 * system only about files of the listing, if there is one.
 */
static const char *find_companion(struct inputs *in, const char *path, const char *ending,
                                  const struct listing *listing)
{
    struct slice stem = slice_str(path);

    do {
        const char *candidate = arena_printf(&in->memory, "%.*s%s", SLICE_ARG(stem), ending);

        if (listing && !has_path(listing->paths, slice_str(candidate + listing->above)))
            continue;
        if (strcmp(candidate, path) != 0 && is_usable(in, candidate))
            return candidate;
    } while (cut_ending(&stem));
    return NULL;
}

const char *inputs_find_meta(struct inputs *in, const char *path)
{
    return find_companion(in, path, META_ENDING, NULL);
}

static void add_input(struct inputs *in, const char *path, const char *shown, bool named,
                      const struct listing *listing)
{
    *vec_add(&in->items) =
        (struct input_file){.path = path,
                            .shown = shown,
                            .below = listing ? path + listing->above : NULL,
                            .commentary = find_companion(in, path, ".md", listing),
                            .meta = find_companion(in, path, META_ENDING, listing),
                            .named = named,
                            .pictures = named};
}

/* Adds a file below a directory; `only` if the directory is the only operand. */
static void add_below(struct inputs *in, const char *directory, bool only, struct slice path,
                      bool named, const struct paths *paths)
{
    const char *full = join(in, directory, path);
    const struct listing listing = {paths, strlen(full) - path.len};

    add_input(in, full, only ? full + listing.above : full, named, &listing);
}

/* Pipes, and links that lead nowhere or out of the directory, are reported by the walk. */
static const char *find_beside(struct inputs *in, const char *directory, const char *name,
                               struct diag *diag)
{
    const char *path = join(in, directory, slice_str(name));

    if (file_kind(path) == FILE_DIRECTORY)
        diag_warn(diag, "'%s' is not read: it is a directory, not a file", path);
    return is_usable(in, path) ? path : NULL;
}

/* Returns true if `path` is not a profile, but settings or introduction of the report. */
static bool is_of_report(struct slice path)
{
    for (size_t i = 0; i < INTRODUCTIONS; i++)
        if (slice_equal(path, slice_str(introductions[i])))
            return true;
    return slice_equal(path, SLICE(INPUTS_SETTINGS));
}

/* The endings of the files of a report from which a graph can be read, the best first. */
#define RUNS ".runs.zst"
#define PICTURE ".svg"

/* Returns true if `path` is the best file of a report for reading a graph. */
static bool is_graph(struct inputs *in, const struct paths *paths, struct slice path)
{
    struct slice runs;

    if (slice_find(path, '/') == path.len) /* in a history, a label's directory has runs alone */
        return slice_ends(path, SLICE(RUNS));
    if (!slice_starts(path, SLICE("graphs/")))
        return false;
    if (!slice_ends(path, SLICE(PICTURE)))
        return slice_ends(path, SLICE(RUNS));
    runs = slice_str(arena_printf(&in->memory, "%.*s" RUNS,
                                  SLICE_ARG(slice_take(path, path.len - strlen(PICTURE)))));
    return !has_path(paths, runs);
}

/* Adds the graphs of a directory that is a report; `paths` are sorted. */
static void add_report(struct inputs *in, const char *directory, bool only,
                       const struct paths *paths)
{
    vec_each (const struct slice, path, &paths->items) {
        if (!is_graph(in, paths, *path))
            continue;
        add_below(in, directory, only, *path, false, paths);
        in->items.items[in->items.count - 1].pictures = true;
    }
}

bool inputs_is_report(const char *path)
{
    struct manifest_files files = {0};
    struct arena memory = {0};
    bool found = file_kind(path) == FILE_DIRECTORY && manifest_read(path, &memory, &files);

    vec_release(&files);
    arena_release(&memory);
    return found;
}

static bool add_directory(struct inputs *in, const char *directory, bool only,
                          const struct inputs_options *options, struct diag *diag)
{
    const struct walk_options walk = {options->out, MANIFEST_NAME, options->follow};
    struct paths paths = {0};
    bool ok, report = inputs_is_report(directory);

    ok = walk_directory(directory, &walk, &paths, diag);
    if (ok && report)
        add_report(in, directory, only, &paths);
    for (size_t i = 0; ok && !report && i < paths.items.count; i++) {
        struct slice path = paths.items.items[i];

        if (is_of_report(path))
            continue;
        if (slice_ends(path, SLICE(".md")) && is_companion(&paths, path, SLICE(".md")))
            continue;
        if (slice_ends(path, SLICE(META_ENDING)) && is_companion(&paths, path, SLICE(META_ENDING)))
            continue;
        add_below(in, directory, only, path, false, &paths);
    }
    vec_each (const struct slice, path, &paths.unreadable)
        add_below(in, directory, only, *path, true, &paths);
    walk_paths_release(&paths);
    if (!in->settings)
        in->settings = find_beside(in, directory, INPUTS_SETTINGS, diag);
    for (size_t i = 0; i < INTRODUCTIONS && !in->introduction; i++)
        in->introduction = find_beside(in, directory, introductions[i], diag);
    return ok;
}

static int compare_inputs(const void *a, const void *b)
{
    const struct input_file *x = a, *y = b;
    int order = strcmp(x->shown, y->shown);

    return order ? order : strcmp(x->path, y->path);
}

/* An input by the true path of its directory, so that a file has one spelling. */
struct spelling {
    const char *path;
    size_t item;
};

static int compare_spellings(const void *a, const void *b)
{
    const struct spelling *x = a, *y = b;
    int order = strcmp(x->path, y->path);

    return order ? order : x->item < y->item ? -1 : x->item > y->item;
}

/* Resolves the links of the directory only: a link and its target are two inputs. */
static const char *spell(struct inputs *in, const char *path)
{
    struct slice name = file_name_of(slice_str(path));
    size_t length = strlen(path) - name.len;
    char *directory =
        realpath(length ? arena_strdup(&in->memory, slice_make(path, length)) : ".", NULL);
    const char *spelling = directory ? join(in, directory, name) : path;

    free(directory);
    return spelling;
}

/* Drops items without a path. */
static void drop_marked(struct inputs *in)
{
    size_t kept = 0;

    vec_each (const struct input_file, item, &in->items)
        if (item->path)
            in->items.items[kept++] = *item;
    in->items.count = kept;
}

/*
 * A file that is named twice, or together with its directory, is one input, which
 * is the first by order. Different spellings are reported.
 */
static void drop_repeated(struct inputs *in, struct diag *diag)
{
    size_t count = in->items.count, others = 0;
    struct spelling *spellings = xreallocarray(NULL, count + 1, sizeof(*spellings));
    const char *first = NULL, *kept_path = NULL;

    for (size_t i = 0; i < count; i++)
        spellings[i] = (struct spelling){spell(in, in->items.items[i].path), i};
    qsort(spellings, count, sizeof(*spellings), compare_spellings);
    for (size_t i = 1, same = 0; i < count; i++) {
        struct input_file *item = &in->items.items[spellings[i].item];
        struct input_file *kept = &in->items.items[spellings[same].item];

        if (strcmp(spellings[same].path, spellings[i].path) != 0) {
            same = i;
            continue;
        }
        kept->named |= item->named;
        if (strcmp(kept->path, item->path) != 0 && !others++) {
            first = item->path;
            kept_path = kept->path;
        }
        item->path = NULL;
    }
    if (others)
        diag_warn(diag, "%zu input%s named by two paths and drawn once: '%s' is '%s'", others,
                  others == 1 ? " is" : "s are", first, kept_path);
    free(spellings);
    drop_marked(in);
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

static const char *list_places(struct inputs *in, const char *const *paths, size_t count)
{
    struct buf text = {0};
    struct name_list names = {.out = &text, .most = 3};
    const char *places;

    for (size_t i = 0; i < count; i++)
        name_list_add(&names, slice_str(file_is_standard(paths[i]) ? "standard input" : paths[i]));
    name_list_end(&names);
    places = arena_strdup(&in->memory, buf_slice(&text));
    buf_release(&text);
    return places;
}

bool inputs_init(struct inputs *in, const char *const *paths, size_t count,
                 const struct inputs_options *options, struct diag *diag)
{
    bool ok = true;

    *in = (struct inputs){.follow = options->follow};
    in->first = count ? paths[0] : NULL;
    in->places = list_places(in, paths, count);
    for (size_t i = 0; i < count; i++) {
        if (file_kind(paths[i]) == FILE_DIRECTORY && !recording_is_directory(paths[i]))
            ok &= add_directory(in, paths[i], count == 1, options, diag);
        else
            add_input(in, paths[i], paths[i], true, NULL);
    }
    if (in->items.count)
        qsort(in->items.items, in->items.count, sizeof(*in->items.items), compare_inputs);
    if (count > 1)
        drop_repeated(in, diag);
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
            excluded = excluded || glob_matches(globs[i], item->shown);
        if (!excluded)
            in->items.items[kept++] = *item;
    }
    in->items.count = kept;
}

void inputs_name_graphs(const struct inputs *in, struct names *names)
{
    size_t count = in->items.count;
    struct slice *paths = xreallocarray(NULL, count, sizeof(*paths));

    for (size_t i = 0; i < count; i++)
        paths[i] = slice_str(in->items.items[i].shown);
    names_init(names, paths, count);
    xfree(paths);
}

void inputs_release(struct inputs *in)
{
    vec_release(&in->items);
    arena_release(&in->memory);
}
