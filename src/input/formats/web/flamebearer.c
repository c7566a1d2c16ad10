/*
 * Flamebearers: the flame graphs of Pyroscope, as its API and its pages export them.
 *
 *     {"version": 1, "flamebearer": {
 *          "names": ["total", "main", "read"],
 *          "levels": [[0, 7, 0, 0], [0, 5, 2, 1,  1, 1, 1, 2]], ...},
 *      "metadata": {"format": "single", "sampleRate": 100, "units": "samples", ...}}
 *
 * A level is a row of the picture from the root on. A bar of it is four numbers: the distance from
 * the end of the bar before, the total, the self weight, and the index of the name. In a difference
 * ("format": "double") it is seven: distance, total and self weight of the base, those of the new
 * profile, and the name. The caller of a bar is the bar of the level before in which it begins.
 * Kept are self weights, in the unit that the metadata names. The root, "total", is no frame.
 * Dropped: totals, the timeline. Older files have names and levels at the top and no metadata.
 *
 * Source: pkg/og/structs/flamebearer in github.com/grafana/pyroscope.
 */
#include "base/budget.h"
#include "input/build/builder.h"
#include "input/format.h"
#include "input/parse/json.h"

enum { BASE, NEW, SIDES };

/* A drawn bar: its extent, counted over both sides, and the stack whose leaf it is. */
struct bar {
    uint64_t start, end;
    uint32_t stack;
};

struct bars VEC_OF(struct bar);

/* The numbers of a bar, as the file has them. */
struct cells {
    uint64_t distance[SIDES], total[SIDES], self[SIDES], name;
};

struct flamebearer {
    struct builder b;
    struct json_document document;
    unsigned sides;        /* 2 in a difference */
    VEC(uint32_t) entries; /* of the builder, by name */
    struct bars above, level;
    uint32_t series;
    size_t row; /* of the level that is read, the root's is 1 */
};

static bool flamebearer_claims(const struct head *h)
{
    static const char *const places[][3] = {
        {"flamebearer.names", "flamebearer.levels", "flamebearer.numTicks"},
        {"names", "levels", "numTicks"},
    };

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        bool names = head_has(h, places[i][0]), levels = head_has(h, places[i][1]);

        if (names && levels && (head_has(h, places[i][2]) || !h->whole))
            return true;
        if (!i && !h->whole && (names || levels))
            return true;
    }
    return false;
}

/* ---- names and unit ------------------------------------------------------------------------ */

static void read_names(struct flamebearer *f, const struct json_value *names)
{
    json_each(v, names)
    {
        struct frame frame = {.name = json_text(v), .kind = FRAME_ANNOTATED};

        *vec_add(&f->entries) = builder_entry(&f->b, &frame);
    }
}

/* The unit that Pyroscope calls `word`. */
static struct unit unit_of(struct slice word)
{
    static const struct {
        struct slice word, unit;
    } words[] = {
        {{"lock_nanoseconds", 16}, {"ns", 2}},
        {{"lock_samples", 12}, {"locks", 5}},
        {{"trace_samples", 13}, {"samples", 7}},
    };

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (slice_equal(word, words[i].word))
            return unit_named(words[i].unit);
    return unit_named(word);
}

static void read_metadata(struct flamebearer *f, const struct json_value *metadata)
{
    struct slice name = json_text(json_get(metadata, "name"));
    struct unit unit = unit_of(json_text(json_get(metadata, "units")));
    uint64_t rate;

    f->sides = slice_equal(json_text(json_get(metadata, "format")), SLICE("double")) ? SIDES : 1;
    if (name.len)
        profile_add_fact(f->b.profile, SLICE("profile"), name);
    if (unit_is_samples(&unit) && json_u64(json_get(metadata, "sampleRate"), &rate))
        profile_print_fact(f->b.profile, SLICE("frequency"), "%llu Hz", (unsigned long long)rate);
    f->series = f->sides == SIDES
                    ? profile_series_pair(f->b.profile, SLICE("base"), SLICE("new"), unit)
                    : builder_series(&f->b, &(struct origin){0}, unit);
}

/* ---- levels -------------------------------------------------------------------------------- */

/* Reads a number of a bar and moves `*v` to the next one. */
static bool read_cell(const struct flamebearer *f, const struct json_value *level,
                      const struct json_value **v, uint64_t *cell)
{
    if (!*v) {
        builder_skip(&f->b, DIAG_AT_FILE, "level %zu ends within a bar; skipped", f->row);
        return false;
    }
    if (!json_u64(*v, cell)) {
        builder_skip(&f->b, DIAG_AT_FILE,
                     "a number of level %zu is %s; the rest of the level is "
                     "skipped",
                     f->row, json_quoted(*v).text);
        return false;
    }
    *v = json_next(level, *v);
    return true;
}

/* Reads the numbers of the bar at `*v` and moves it to the next bar. */
static bool read_cells(const struct flamebearer *f, const struct json_value *level,
                       const struct json_value **v, struct cells *c)
{
    for (unsigned side = 0; side < f->sides; side++)
        if (!read_cell(f, level, v, &c->distance[side]) ||
            !read_cell(f, level, v, &c->total[side]) || !read_cell(f, level, v, &c->self[side]))
            return false;
    if (!read_cell(f, level, v, &c->name))
        return false;
    if (c->name < f->entries.count)
        return true;
    builder_skip(&f->b, DIAG_AT_FILE,
                 "a bar of level %zu has the name %llu, which is not in the list; the rest of the "
                 "level is skipped",
                 f->row, (unsigned long long)c->name);
    return false;
}

/* Counts and quotes a bar that has no place, with the rest of its level. */
static void skip_bar(const struct flamebearer *f, const struct cells *c, const char *within)
{
    struct frame frame = builder_frame_of(&f->b, f->entries.items[c->name]);

    builder_skip(&f->b, DIAG_AT_FILE,
                 "the bar '%.*s' of level %zu is not within %s; the rest of the level is skipped",
                 SLICE_ARG(frame.name), f->row, within);
}

/* Places a bar after the bar before, which ended at `*at`. Returns false if that is too far. */
static bool place(const struct flamebearer *f, const struct cells *c, uint64_t *at, struct bar *bar)
{
    bar->start = *at;
    for (unsigned side = 0; side < f->sides; side++)
        if (!num_add(bar->start, c->distance[side], &bar->start))
            return false;
    bar->end = bar->start;
    for (unsigned side = 0; side < f->sides; side++)
        if (!num_add(bar->end, c->total[side], &bar->end))
            return false;
    *at = bar->end;
    return true;
}

static bool add_self(struct flamebearer *f, uint32_t stack, const struct cells *c)
{
    const struct profile *p = f->b.profile;
    uint32_t series[SIDES] = {f->series, SERIES_NONE};

    if (f->sides == SIDES) {
        series[BASE] = p->series.items[f->series].base;
        series[NEW] = f->series;
    }
    for (unsigned side = 0; side < f->sides; side++)
        if (c->self[side] &&
            !builder_add_at(&f->b, series[side], stack, (struct decimal){.value = c->self[side]}))
            return false;
    return true;
}

/* Finds the caller among the bars above, from `*i` on. Returns false if there is none. */
static bool find_caller(const struct flamebearer *f, const struct bar *bar, size_t *i)
{
    while (*i < f->above.count && f->above.items[*i].end <= bar->start)
        (*i)++;
    return *i < f->above.count && f->above.items[*i].start <= bar->start;
}

/* Counts and quotes a bar without a width if that leaves out a weight. */
static void tell_empty(const struct flamebearer *f, const struct cells *c)
{
    struct frame frame = builder_frame_of(&f->b, f->entries.items[c->name]);

    if (c->self[BASE] || c->self[NEW])
        builder_skip(&f->b, DIAG_AT_FILE,
                     "the bar '%.*s' of level %zu has a self weight but no width; skipped",
                     SLICE_ARG(frame.name), f->row);
}

static bool read_level(struct flamebearer *f, const struct json_value *level, bool is_root)
{
    const struct json_value *v = json_first(level);
    size_t caller = 0;
    uint64_t at = 0;

    vec_clear(&f->level);
    while (v) {
        struct cells c = {0};
        struct bar bar = {.stack = STACK_ROOT};

        if (!read_cells(f, level, &v, &c))
            return true;
        if (!place(f, &c, &at, &bar)) {
            skip_bar(f, &c, "64 bits");
            return true;
        }
        if (bar.start == bar.end) {
            tell_empty(f, &c);
            continue;
        }
        if (!is_root && !find_caller(f, &bar, &caller)) {
            skip_bar(f, &c, "a caller");
            return true;
        }
        if (!is_root && !builder_child_entry(&f->b, f->above.items[caller].stack,
                                             f->entries.items[c.name], &bar.stack))
            return false;
        if (!add_self(f, bar.stack, &c))
            return false;
        *vec_add(&f->level) = bar;
    }
    return budget_allows(f->b.diag, DIAG_AT_FILE);
}

static bool read_levels(struct flamebearer *f, const struct json_value *levels)
{
    bool is_root = true;

    json_each(level, levels)
    {
        struct bars swap = f->above;

        f->row++;
        if (level->type != JSON_ARRAY)
            builder_skip(&f->b, DIAG_AT_FILE, "level %zu is no list: %s; skipped", f->row,
                         json_quoted(level).text);
        if (!read_level(f, level, is_root))
            return false;
        f->above = f->level;
        f->level = swap;
        is_root = false;
    }
    return true;
}

static bool flamebearer_read(struct content *content)
{
    struct flamebearer f = {0};
    const struct json_value *top, *bearer;
    bool ok = json_load(content, &f.document);

    builder_init(&f.b, content->profile, content->options, content->diag);
    if (ok) {
        top = &f.document.values.items[0];
        bearer = json_get(top, "flamebearer");
        bearer = bearer ? bearer : top;
        read_metadata(&f, json_get(top, "metadata"));
        read_names(&f, json_get(bearer, "names"));
        ok = read_levels(&f, json_get(bearer, "levels"));
    }
    release_each(&f, (vec, entries, above, level), (json, document), (builder, b));
    return ok;
}

const struct format format_flamebearer = {
    .name = "flamebearer",
    .family = FORMAT_ANY,
    .description = "Pyroscope's flamebearer; of two profiles, a differential graph",
    .recognised = "JSON with 'names', 'levels' and 'numTicks', most often within 'flamebearer'",
    .example = "curl 'http://HOST:4040/pyroscope/render?query=QUERY&from=now-1h&format=json'",
    .without_stacks = "choose a longer time, or a query that has profiles",
    .claims = flamebearer_claims,
    .read = flamebearer_read,
};
