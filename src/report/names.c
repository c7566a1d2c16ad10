#include "report/names.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "base/hash.h"

/* Endings for compression and format, which say nothing about the content of a profile. */
static const char *const packings[] = {".gz", ".zst", ".xz", ".bz2", ".lz4", ".Z", ".lzma"};
static const char *const double_endings[] = {".perf.data",       ".perf.script",  ".perf.txt",
                                             ".speedscope.json", ".firefox.json", ".otlp.json"};
static const char *const endings[] = {
    ".perf",        ".folded",         ".collapsed", ".collapse", ".txt",       ".out",
    ".stacks",      ".stack",          ".prof",      ".pprof",    ".pb",        ".json",
    ".log",         ".data",           ".script",    ".trace",    ".jfr",       ".hprof",
    ".html",        ".cpuprofile",     ".nperf",     ".dtrace",   ".csv",       ".xml",
    ".austin",      ".bpftrace",       ".callgrind", ".dhat",     ".gdb",       ".gprof",
    ".heapprofile", ".heaptrack",      ".javacore",  ".jstack",   ".massif",    ".mojo",
    ".nettrace",    ".perfetto-trace", ".phpspy",    ".pmcstat",  ".pstack",    ".pstats",
    ".sleepy",      ".speedscope",     ".stackprof", ".sysprof",  ".systemtap", ".uftrace",
    ".syscap",      ".vtune",          ".xctrace",   ".xdebug",   ".xperf",     ".otlp",
};
static const char *const devices[] = {
    "con",  "prn",  "aux",  "nul",  "com0", "com1", "com2", "com3", "com4", "com5", "com6", "com7",
    "com8", "com9", "lpt0", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool same_folded(struct slice a, struct slice b)
{
    for (size_t i = 0; a.len == b.len && i < a.len; i++) {
        if (ascii_lower(a.ptr[i]) != ascii_lower(b.ptr[i]))
            return false;
    }
    return a.len == b.len;
}

/* Room for a name, with "profile-" before it. */
enum { FOLDED_ROOM = 2 * NAMES_MAX_LENGTH };

/* Writes a name to `room` in lower case. */
static struct slice fold_name(struct slice name, char *room)
{
    for (size_t i = 0; i < name.len; i++)
        room[i] = ascii_lower(name.ptr[i]);
    return slice_make(room, name.len);
}

/* Returns `text` without the first ending of `list` that it has. */
static struct slice strip(struct slice text, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct slice ending = slice_str(list[i]);

        if (text.len > ending.len && slice_ends(text, ending) &&
            text.ptr[text.len - ending.len - 1] != '/')
            return slice_take(text, text.len - ending.len);
    }
    return text;
}

struct slice names_unpacked(struct slice path)
{
    return strip(path, packings, COUNT(packings));
}

static struct slice strip_ending(struct slice path)
{
    struct slice bare = strip(path, double_endings, COUNT(double_endings));

    return bare.len < path.len ? bare : strip(path, endings, COUNT(endings));
}

static bool is_plain(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c) || c == '_';
}

/*
 * Appends `text` with a single hyphen for each run of characters other than
 * letters, digits, '_' and inner dots. Returns false if characters beyond ASCII
 * were lost.
 */
static bool add_safe(struct buf *out, struct slice text)
{
    size_t start = out->len;
    bool whole = true;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        char last = out->len > start ? out->ptr[out->len - 1] : '-';

        if ((unsigned char)c >= 0x80)
            whole = false;
        if (is_plain(c) && !(c == '_' && out->len == start))
            buf_add_char(out, c);
        else if (c == '.' && last != '-' && last != '.')
            buf_add_char(out, '.');
        else if (last != '-' && last != '.')
            buf_add_char(out, '-');
    }
    while (out->len > start && strchr(".-", out->ptr[out->len - 1]))
        buf_cut(out, out->len - 1);
    return whole && out->len > start;
}

static void add_hash(struct buf *out, struct slice text)
{
    buf_printf(out, "%s%08x", out->len ? "-" : "", (unsigned)hash_bytes(text.ptr, text.len));
}

/* True for a name that Windows reserves for a device, with any ending. */
static bool is_device(struct slice name)
{
    struct slice base = slice_take(name, slice_find(name, '.'));

    for (size_t i = 0; i < COUNT(devices); i++) {
        if (same_folded(base, slice_str(devices[i])))
            return true;
    }
    return false;
}

/* Limits the length of a name and avoids device names. A hash, if one is needed, is of `whole`. */
static struct slice finish(struct arena *memory, struct buf *name, bool hashed, struct slice whole)
{
    enum { HASH = 9 }; /* "-0123abcd" */

    if (name->len > NAMES_MAX_LENGTH - (hashed ? HASH : 0)) {
        hashed = true;
        buf_cut(name, NAMES_MAX_LENGTH - HASH);
    }
    if (!name->len)
        buf_add_str(name, "profile");
    if (hashed)
        add_hash(name, whole);
    if (is_device(buf_slice(name)))
        return slice_str(arena_printf(memory, "profile-%s", buf_string(name)));
    return arena_copy(memory, buf_slice(name));
}

/* Which endings of the path a stem keeps. Each form distinguishes more inputs. */
enum stem_form { STEM_SHORT, STEM_ENDING, STEM_PACKING, STEM_HASHED };

/* Appends an ending as words of the name: "mysql-perf", not "mysql.perf". */
static void add_ending(struct buf *out, struct slice ending)
{
    for (size_t i = 0; i < ending.len; i++)
        buf_add_char(out, ending.ptr[i] == '.' ? '-' : ending.ptr[i]);
}

static struct slice make_stem(struct names *n, struct slice path, enum stem_form form)
{
    struct slice unpacked, bare, name;
    struct buf text = {0}, safe = {0};
    bool whole;

    while (slice_starts(path, SLICE("./")))
        path = slice_skip(path, 2);
    unpacked = names_unpacked(path);
    bare = strip_ending(unpacked);
    buf_add_slice(&text, bare);
    if (form == STEM_ENDING)
        add_ending(&text, slice_skip(unpacked, bare.len));
    else if (form == STEM_PACKING)
        add_ending(&text, slice_skip(path, bare.len));
    whole = add_safe(&safe, buf_slice(&text));
    name = finish(&n->memory, &safe, !whole || form == STEM_HASHED, path);
    buf_release(&text);
    buf_release(&safe);
    return name;
}

/* Marks stems that occur more than once, ignoring case. Returns true if there are any. */
static bool find_twins(const struct names *n, bool *twin)
{
    struct intern seen = {0};
    size_t *first = xcalloc(n->stems.count + 1, sizeof(*first));
    bool any = false;

    for (size_t i = 0; i < n->stems.count; i++) {
        char room[FOLDED_ROOM];
        uint32_t id = intern_add(&seen, fold_name(n->stems.items[i], room));

        twin[i] = first[id] != 0;
        if (twin[i])
            any = twin[first[id] - 1] = true;
        else
            first[id] = i + 1;
    }
    intern_release(&seen);
    free(first);
    return any;
}

/* The length of a stem that gets a number of up to 20 digits. */
enum { STEM_ROOM = NAMES_MAX_LENGTH - 21 };

void names_init(struct names *n, const struct slice *paths, size_t count)
{
    bool *twin = xcalloc(count + 1, sizeof(*twin));

    *n = (struct names){0};
    for (size_t i = 0; i < count; i++) {
        *vec_add(&n->paths) = arena_copy(&n->memory, paths[i]);
        *vec_add(&n->stems) = make_stem(n, n->paths.items[i], STEM_SHORT);
    }
    for (enum stem_form form = STEM_ENDING; form <= STEM_HASHED && find_twins(n, twin); form++) {
        for (size_t i = 0; i < count; i++) {
            if (twin[i])
                n->stems.items[i] = make_stem(n, n->paths.items[i], form);
        }
    }
    /* Hashes collide: only the order of the paths is left to distinguish them. */
    for (size_t i = 0; find_twins(n, twin) && i < count; i++) {
        if (twin[i])
            n->stems.items[i] = slice_str(arena_printf(
                &n->memory, "%.*s-%zu", SLICE_ARG(slice_take(n->stems.items[i], STEM_ROOM)), i));
    }
    vec_each (const struct slice, stem, &n->stems) {
        char room[FOLDED_ROOM];

        intern_add(&n->folded, fold_name(*stem, room));
    }
    free(twin);
}

void names_release(struct names *n)
{
    release_all(n, vec, paths, stems);
    intern_release(&n->folded);
    arena_release(&n->memory);
}

/*
 * True if another input, with a longer stem, could get the same name with some
 * event of its own. The input with the shorter stem gives way, so a name
 * depends on the stems of the inputs and not on their events.
 */
static bool is_contested(const struct names *n, size_t file, struct slice name)
{
    char room[FOLDED_ROOM];
    struct slice folded = fold_name(slice_take(name, FOLDED_ROOM), room); /* stems are shorter */

    for (size_t len = n->stems.items[file].len + 1; len <= folded.len; len++)
        if ((len == name.len || name.ptr[len] == '-') &&
            intern_find(&n->folded, slice_take(folded, len)) != MAP_NONE)
            return true;
    return false;
}

/* Makes the name of one event's graph. `hashed`: the plain name is taken. */
static struct slice make_event_name(const struct names *n, size_t file, struct slice event,
                                    bool hashed, struct arena *memory)
{
    struct slice stem = n->stems.items[file];
    struct slice made;
    struct buf name = {0}, whole = {0};

    buf_printf(&name, "%.*s-", SLICE_ARG(stem));
    if (!add_safe(&name, event)) {
        hashed = true;
        buf_printf(&name, "%sevent", name.len > stem.len + 1 ? "-" : "");
    }
    buf_printf(&whole, "%.*s\n%.*s", SLICE_ARG(n->paths.items[file]), SLICE_ARG(event));
    made =
        finish(memory, &name, hashed || is_contested(n, file, buf_slice(&name)), buf_slice(&whole));
    buf_release(&name);
    buf_release(&whole);
    return made;
}

void names_graphs(const struct names *n, size_t file, const struct slice *events, size_t count,
                  struct arena *memory, struct slice *out)
{
    struct intern taken = {0};
    char room[FOLDED_ROOM];

    if (count == 1) {
        out[0] = arena_copy(memory, n->stems.items[file]);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        out[i] = make_event_name(n, file, events[i], false, memory);
        if (intern_find(&taken, fold_name(out[i], room)) != MAP_NONE)
            out[i] = make_event_name(n, file, events[i], true, memory);
        intern_add(&taken, fold_name(out[i], room));
    }
    intern_release(&taken);
}
