#include "input/build/code_file.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "input/core/dependencies.h"

/* Where debug information is installed, and perf's own cache below the user's home. */
#define DEBUG_FOLDER "/usr/lib/debug"
#define CACHE_FOLDER "/.debug"

void code_files_release(struct code_files *m)
{
    release_each(m, (buf, path, text), (arena, texts));
}

void code_file_release(struct code_file *f)
{
    if (f->has_image)
        binary_release(&f->image);
    if (f->has_debug)
        binary_release(&f->debug);
    symtab_release(&f->symbols);
}

/* ---- files ----------------------------------------------------------------------------------- */

bool code_file_is_allowed(struct slice path)
{
    return !slice_starts_any(path, "/proc/", "/dev/", "/sys/") && slice_starts(path, SLICE("/")) &&
           !slice_has(path, SLICE("/../"));
}

/* Writes the place of a path of the input: below --symfs, if that is given. */
static const char *place(struct code_files *m, const char *folder, struct slice path,
                         const char *ending)
{
    buf_clear(&m->path);
    if (m->options->symfs)
        buf_add_str(&m->path, m->options->symfs);
    buf_printf(&m->path, "%s%.*s%s", folder, SLICE_ARG(path), ending);
    return buf_string(&m->path);
}

/* Writes "FOLDER/.build-id/12/3456...ENDING". */
static const char *place_by_id(struct code_files *m, const char *root, const char *folder,
                               struct slice id, const char *ending)
{
    buf_clear(&m->path);
    buf_printf(&m->path, "%s%s/.build-id/", root, folder);
    buf_add_hex(&m->path, slice_take(id, 1));
    buf_add_char(&m->path, '/');
    buf_add_hex(&m->path, slice_skip(id, 1));
    buf_add_str(&m->path, ending);
    return buf_string(&m->path);
}

const char *code_file_place_by_id(struct code_files *m, const char *root, struct slice id,
                                  const char *ending)
{
    return place_by_id(m, root, DEBUG_FOLDER, id, ending);
}

/* Writes the place of a file in perf's cache, which is below the user's home directory. */
static const char *place_in_cache(struct code_files *m, struct slice id, const char *ending)
{
    return place_by_id(m, dependencies_home(), CACHE_FOLDER, id, ending);
}

/* The cache is the user's; with --symfs, which is for another machine, it is not used. */
static bool has_cache(const struct code_files *m)
{
    return !m->options->symfs;
}

/* Opens a file that the input names, or that belongs to one. Returns -1 if there is none. */
static int open_named(const struct code_files *m, const char *path)
{
    return dependencies_open_named(m->options, DEPENDENCY_AS_NAMED, path);
}

static int open_cached(const struct code_files *m, const char *path)
{
    return dependencies_open_named(m->options, DEPENDENCY_IN_HOME, path);
}

void code_file_tell_another(struct code_files *m, const struct code_file *f)
{
    diag_warn(m->diag,
              "%s is not the binary that was recorded and is not used: its code is at another "
              "place in the file",
              place(m, "", f->path, ""));
}

/* Takes over `fd` if its binary has the module's build id. Reports one that has another. */
static bool take_same(struct code_files *m, struct code_file *f, const char *path, int fd,
                      struct binary *e)
{
    struct slice id;

    if (!binary_open(e, fd))
        return false;
    id = binary_build_id(e);
    if (f->build_id.len ? slice_equal(id, f->build_id) : binary_fits(e, f->code))
        return true;
    f->is_another = true;
    if (!f->build_id.len) {
        code_file_tell_another(m, f);
        binary_release(e);
        return false;
    }
    buf_clear(&m->text);
    buf_add_hex(&m->text, id);
    if (!id.len)
        buf_add_str(&m->text, "none");
    buf_add_str(&m->text, ", but recorded was ");
    buf_add_hex(&m->text, f->build_id);
    diag_warn(m->diag, "%s is not the binary that was recorded and is not used: its build id is %s",
              path, buf_string(&m->text));
    binary_release(e);
    return false;
}

int code_file_open_path(struct code_files *m, struct slice path)
{
    return open_named(m, place(m, "", path, ""));
}

const char *code_file_cached(struct code_files *m, struct slice id, const char *name)
{
    return has_cache(m) && id.len ? place_in_cache(m, id, name) : NULL;
}

bool code_file_open_cached(struct code_files *m, struct code_file *f, const char *name)
{
    const char *path = code_file_cached(m, f->build_id, name);

    f->has_image = path && take_same(m, f, path, open_cached(m, path), &f->image);
    return f->has_image;
}

bool code_file_open(struct code_files *m, struct code_file *f)
{
    const char *path;

    if (code_file_open_cached(m, f, "/elf"))
        return true;
    if (!code_file_is_allowed(f->path))
        return false;
    path = place(m, "", f->path, "");
    f->has_image = take_same(m, f, path, open_named(m, path), &f->image);
    return f->has_image;
}

/* Takes over `fd` if its file has a symbol table and belongs to the module. */
static bool take_debug(struct code_file *f, int fd)
{
    struct slice id;

    if (!binary_open(&f->debug, fd))
        return false;
    id = binary_build_id(&f->debug);
    if (binary_has_symtab(&f->debug) &&
        (f->build_id.len ? slice_equal(id, f->build_id) : !f->is_another))
        return true;
    binary_release(&f->debug);
    return false;
}

static bool open_debug(const struct code_files *m, struct code_file *f, const char *path)
{
    return take_debug(f, open_named(m, path));
}

/* By build id: where packages with debug information are installed, and in perf's cache. */
static bool open_debug_by_id(struct code_files *m, struct code_file *f, struct slice id)
{
    const char *symfs = m->options->symfs ? m->options->symfs : "";

    return id.len > 1 &&
           ((has_cache(m) && take_debug(f, open_cached(m, place_in_cache(m, id, "/debug")))) ||
            open_debug(m, f, place_by_id(m, symfs, DEBUG_FOLDER, id, ".debug")));
}

/* By the name in the binary, beside it and where debug information is installed. */
static bool open_debug_by_link(struct code_files *m, struct code_file *f)
{
    struct slice name = binary_debuglink(&f->image), path;
    char *link, *folder;

    if (!name.len || slice_find(name, '/') < name.len)
        return false;
    path = slice_take(f->path, slice_find_last(f->path, '/') + 1);
    link = arena_strdup(&m->texts, name);
    folder = arena_printf(&m->texts, "%s%.*s", DEBUG_FOLDER, SLICE_ARG(path));
    return open_debug(m, f, place(m, "", path, link)) ||
           open_debug(m, f, place(m, "", path, arena_printf(&m->texts, ".debug/%s", link))) ||
           open_debug(m, f, place(m, folder, slice_str(link), ""));
}

/* The build id that the input has, or else that of the binary here. */
static struct slice id_of(const struct code_file *f)
{
    return f->build_id.len || !f->has_image ? f->build_id : binary_build_id(&f->image);
}

static bool find_debug(struct code_files *m, struct code_file *f)
{
    struct slice id = id_of(f);
    bool allowed = code_file_is_allowed(f->path);

    if (allowed && f->has_image && open_debug_by_link(m, f))
        return true;
    if (open_debug_by_id(m, f, id))
        return true;
    return allowed && (open_debug(m, f, place(m, DEBUG_FOLDER, f->path, ".debug")) ||
                       open_debug(m, f, place(m, DEBUG_FOLDER, f->path, "")));
}

/* Asks the servers of debuginfod, if that is allowed. */
static int fetch(struct code_files *m, const struct code_file *f, bool executable)
{
    if (m->options->debuginfod)
        dependencies_add_unknown(m->options);
    return symbol_server_open(&m->server, m->options, f->path, executable, id_of(f), m->diag);
}

bool code_file_fetch(struct code_files *m, struct code_file *f)
{
    f->has_image = take_same(m, f, "what --debuginfod fetched", fetch(m, f, true), &f->image);
    return f->has_image;
}

bool code_file_fetch_debug(struct code_files *m, struct code_file *f)
{
    f->has_debug = take_debug(f, fetch(m, f, false));
    return f->has_debug;
}

bool code_file_find_debug(struct code_files *m, struct code_file *f)
{
    f->has_debug = find_debug(m, f);
    return f->has_debug;
}

void code_file_add_symbols(struct code_files *m, struct code_file *f)
{
    const struct binary *segments;
    bool embedded;

    if (!f->has_image || !binary_has_symtab(&f->image))
        f->has_debug = find_debug(m, f) || take_debug(f, fetch(m, f, false));
    embedded = !f->has_debug && f->has_image && binary_open_embedded(&f->debug, &f->image);
    /* A separate symbol table has all symbols; an embedded one lacks those of .dynsym. */
    if (f->has_image && !f->has_debug)
        binary_add_symbols(&f->image, &f->image, &f->symbols);
    f->has_debug |= embedded;
    segments = f->has_image ? &f->image : &f->debug;
    if (f->has_debug)
        binary_add_symbols(&f->debug, segments, &f->symbols);
    if (f->has_image)
        binary_add_plt(&f->image, &m->texts, &f->symbols);
    symtab_sort(&f->symbols);
}

/* ---- what is missing ------------------------------------------------------------------------- */

static int compare_unnamed(const void *left, const void *right)
{
    const struct code_file *a = *(const struct code_file *const *)left;
    const struct code_file *b = *(const struct code_file *const *)right;

    if (a->unnamed != b->unnamed)
        return a->unnamed > b->unnamed ? -1 : 1;
    return slice_compare(a->path, b->path);
}

/* Appends what the user can do to get names for the frames of a file. */
static void add_remedy(const struct code_file *f, struct buf *out)
{
    struct slice id = id_of(f);

    if (f->remedy)
        buf_printf(out, ", %s", f->remedy);
    if (!id.len)
        return;
    buf_add_str(out, ", build id ");
    buf_add_hex(out, id);
}

void code_files_report(struct code_files *m, const struct code_file **files, size_t count,
                       const char *what, struct profile *profile)
{
    enum { SHOWN = 3, MANY = 10 }; /* a tenth of the frames */
    uint64_t frames = 0, unnamed = 0;
    struct buf text = {0}, clean = {0};
    size_t lacking = 0;

    symbol_server_end(&m->server, m->diag);
    for (size_t i = 0; i < count; i++) {
        frames += files[i]->frames;
        unnamed += files[i]->unnamed;
        lacking += files[i]->unnamed != 0;
    }
    if (!unnamed)
        return;
    qsort(files, count, sizeof(*files), compare_unnamed);
    buf_printf(&text, "%llu of %llu", (unsigned long long)unnamed, (unsigned long long)frames);
    for (size_t i = 0; i < lacking && i < SHOWN; i++) {
        buf_printf(&text, "%s %.*s (%llu", i ? "," : ":", SLICE_ARG(files[i]->path),
                   (unsigned long long)files[i]->unnamed);
        add_remedy(files[i], &text);
        buf_add_char(&text, ')');
    }
    if (lacking > SHOWN)
        buf_printf(&text, ", and %zu more", lacking - SHOWN);
    utf8_add_clean(&clean, buf_slice(&text));
    buf_clear(&m->text);
    buf_printf(&m->text, "%s without a symbol", what);
    profile_add_fact(profile, buf_slice(&m->text), buf_slice(&clean));
    diag_add(m->diag, unnamed > frames / MANY ? DIAG_WARNING : DIAG_NOTE, DIAG_AT_FILE,
             "%s without a symbol: %.*s", what, SLICE_ARG(buf_slice(&clean)));
    buf_release(&text);
    buf_release(&clean);
}
