#include "compare/align.h"

#include <stdlib.h>

#include "base/die.h"
#include "base/vec.h"
#include "compare/keys.h"
#include "profile/reshape.h"
#include "stats/design.h"

/* The names with one key and class. */
struct meeting {
    struct slice key, first[2]; /* the first name on each side; or empty */
    size_t counts[2];           /* of different names on each side */
    size_t shared;              /* names that both sides have */
    bool is_function;
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

static void meet(struct aligning *a, int side, uint32_t symbol, uint32_t id)
{
    const struct symbols *other = &a->sides[!side]->symbols;
    struct slice name = known_name(a, side, symbol);
    struct meeting *m = &a->meetings.items[id];

    if (!m->counts[side]++)
        m->first[side] = name;
    m->shared +=
        side == STATS_NEW &&
        symbols_find(other, name, symbol_class(&a->sides[side]->symbols, symbol)) != SYMBOL_NONE;
}

/* Returns the name that all names of a meeting get, or an empty slice if they stay. */
static struct slice common_name(const struct meeting *m)
{
    size_t base = m->counts[STATS_BASE], new = m->counts[STATS_NEW];

    if (!base || !new || (m->shared == base && m->shared == new))
        return slice_make(NULL, 0);
    return new == 1 || m->is_function ? m->first[STATS_NEW] : m->key;
}

static void rename_side(struct aligning *a, int side, const uint32_t *ids, uint32_t count)
{
    struct profile *p = a->sides[side];
    struct slice *names = xcalloc((size_t)count + 1, sizeof(*names));

    for (uint32_t id = 0; id < count; id++)
        if (symbol_class(&p->symbols, id) != SYMBOL_SEPARATOR)
            names[id] = common_name(&a->meetings.items[ids[id]]);
    reshape_rename(p, names);
    xfree(names);
}

void compare_align(struct profile *base, struct profile *new, const struct align_renames *renames)
{
    struct aligning a = {.sides = {[STATS_BASE] = base, [STATS_NEW] = new}, .renames = renames};
    uint32_t *ids[2], counts[2];

    reshape_match_marks(base, new);
    for (int side = 0; side < 2; side++)
        compare_keys_learn(&a.keys, a.sides[side]);
    for (int side = 0; side < 2; side++) {
        counts[side] = symbols_count(&a.sides[side]->symbols);
        ids[side] = xreallocarray(NULL, counts[side] + 1, sizeof(*ids[side]));
        for (uint32_t id = 0; id < counts[side]; id++) {
            ids[side][id] = find_meeting(&a, side, id);
            meet(&a, side, id, ids[side][id]);
        }
    }
    for (int side = 0; side < 2; side++)
        rename_side(&a, side, ids[side], counts[side]);
    free(ids[0]);
    free(ids[1]);
    vec_release(&a.meetings);
    intern_release(&a.ids);
    compare_keys_release(&a.keys);
}
