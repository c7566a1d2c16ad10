#include "compare/align.h"

#include "base/die.h"
#include "base/vec.h"
#include "compare/keys.h"
#include "compare/names.h"
#include "profile/reshape.h"
#include "stats/design.h"

/* The names with one key and class. */
struct meeting {
    struct slice key, first; /* the first name of the new side that changes; or empty */
    size_t counts[2];        /* names of each side that change */
    bool is_function;
    bool generated; /* all names change: what both sides have may be different functions */
    bool differs;   /* a side has a name that the other one lacks */
};

struct aligning {
    struct profile *sides[2];
    const struct align_renames *renames;
    struct compare_keys keys;
    struct intern ids; /* of key and class */
    VEC(struct meeting) meetings;
};

/* Returns the name of a symbol as the settings or the comparison rename it. */
static struct slice known_name(const struct aligning *a, int side, uint32_t symbol)
{
    struct slice name = symbol_name(&a->sides[side]->symbols, symbol);

    if (side == STATS_BASE)
        vec_each (const struct align_rename, r, a->renames)
            if (slice_equal(r->from, name))
                return r->to;
    return name;
}

/* Returns the id of the key of a symbol. */
static uint32_t find_meeting(struct aligning *a, int side, uint32_t symbol)
{
    struct symbols *symbols = &a->sides[side]->symbols;
    enum symbol_class class = symbol_class(symbols, symbol);
    struct slice name = known_name(a, side, symbol);
    struct buf key = {0};
    uint32_t id;

    if (slice_equal(name, symbol_name(symbols, symbol)))
        compare_keys_add(&a->keys, symbols, symbol, &key);
    else
        buf_add_slice(&key, name);
    buf_add_char(&key, (char)('0' + class));
    id = intern_add(&a->ids, buf_slice(&key));
    buf_release(&key);
    if (id == a->meetings.count) {
        struct slice whole = intern_get(&a->ids, id);

        *vec_add(&a->meetings) = (struct meeting){
            .key = slice_take(whole, whole.len - 1),
            .is_function = compare_keys_is_function(&a->keys, symbols, symbol),
        };
    }
    return id;
}

/* Whether the other side has a symbol of the same name. */
static bool is_shared(const struct aligning *a, int side, uint32_t symbol)
{
    const struct symbols *own = &a->sides[side]->symbols;

    return symbols_find(&a->sides[!side]->symbols, symbol_name(own, symbol),
                        symbol_class(own, symbol)) != SYMBOL_NONE;
}

/* Whether a symbol gets the common name of its meeting, if there is one. */
static bool changes(const struct aligning *a, const struct meeting *m, int side, uint32_t symbol)
{
    return m->generated ? m->differs : !is_shared(a, side, symbol);
}

/* Notes whether a name is generated, and whether it is not shared. */
static void meet(struct aligning *a, int side, uint32_t symbol, uint32_t id)
{
    struct meeting *m = &a->meetings.items[id];

    m->generated |= m->is_function && compare_is_generated(known_name(a, side, symbol));
    m->differs |= !is_shared(a, side, symbol);
}

/* Counts a name that changes. */
static void count(struct aligning *a, int side, uint32_t symbol, uint32_t id)
{
    struct meeting *m = &a->meetings.items[id];

    if (!changes(a, m, side, symbol))
        return;
    if (side == STATS_NEW && !m->counts[side])
        m->first = known_name(a, side, symbol);
    m->counts[side]++;
}

/* Returns the name that all names that change get, or an empty slice if they stay. */
static struct slice common_name(const struct meeting *m)
{
    if (!m->counts[STATS_BASE] || !m->counts[STATS_NEW])
        return slice_make(NULL, 0);
    return m->counts[STATS_NEW] == 1 || m->is_function ? m->first : m->key;
}

/* Returns the new names of a side by symbol, empty if they stay; to be freed. */
static struct slice *find_names(const struct aligning *a, int side, const uint32_t *ids)
{
    const struct symbols *symbols = &a->sides[side]->symbols;
    struct slice *names = xcalloc((size_t)symbols_count(symbols) + 1, sizeof(*names));

    for (uint32_t id = 0; id < symbols_count(symbols); id++) {
        const struct meeting *m = &a->meetings.items[ids[id]];
        struct slice known = known_name(a, side, id);

        if (symbol_class(symbols, id) != SYMBOL_SEPARATOR && changes(a, m, side, id))
            names[id] = common_name(m);
        if (!names[id].len && !slice_equal(known, symbol_name(symbols, id)))
            names[id] = known;
    }
    return names;
}

void compare_align(struct profile *base, struct profile *new, const struct align_renames *renames)
{
    struct aligning a = {.sides = {[STATS_BASE] = base, [STATS_NEW] = new}, .renames = renames};
    uint32_t *ids[2], counts[2];
    struct slice *names[2];

    reshape_match_marks(base, new);
    for (int side = 0; side < 2; side++)
        compare_keys_learn(&a.keys, a.sides[side]);
    for (int side = 0; side < 2; side++) {
        counts[side] = symbols_count(&a.sides[side]->symbols);
        ids[side] = xreallocarray(NULL, (size_t)counts[side] + 1, sizeof(*ids[side]));
        for (uint32_t id = 0; id < counts[side]; id++) {
            ids[side][id] = find_meeting(&a, side, id);
            meet(&a, side, id, ids[side][id]);
        }
    }
    for (int side = 0; side < 2; side++)
        for (uint32_t id = 0; id < counts[side]; id++)
            count(&a, side, id, ids[side][id]);
    for (int side = 0; side < 2; side++)
        names[side] = find_names(&a, side, ids[side]);
    for (int side = 0; side < 2; side++) {
        reshape_rename(a.sides[side], names[side]);
        xfree(names[side]);
        xfree(ids[side]);
    }
    vec_release(&a.meetings);
    intern_release(&a.ids);
    compare_keys_release(&a.keys);
}
