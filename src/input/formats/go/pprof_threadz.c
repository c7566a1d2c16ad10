/*
 * Reader of thread lists (/threadz) of pprof's older servers:
 *
 *     --- threadz 1 ---
 *     --- Thread 7f794ab90940 (name: main/14748) stack: ---
 *       PC:  0x00bc8f1c: Wait(int)
 *       0x7f7949a9811d: __libc_start_main
 *           creator: 0xa45b96 0xa460b4
 *     --- Thread 7f7948978700 (name: worker/14759) stack: ---
 *       [same as previous thread]
 *     --- Thread 7f7948770700 (name: idle/14760) stack: ---
 *       PC: 0x00bc8f1c 0x00a47f60
 *           0x7f7949a9811d
 *     --- Memory map: ---
 *       00400000-00fcb000: /usr/bin/server
 *
 * Each thread counts 1. A server without symbols writes several addresses in a
 * line, without names. The leaf comes first; as in pprof, the creators of a
 * thread are callers of its first function. "PC" is the current instruction;
 * the other addresses are return addresses, so one less is within the call.
 *
 * Source: parseThread() in github.com/google/pprof/profile/legacy_profile.go.
 */
#include "base/hash.h"
#include "base/map.h"
#include "base/num.h"
#include "input/core/cut_off.h"
#include "input/format.h"
#include "input/formats/go/pprof.h"

/* Addresses of a stack, leaf first, a range of threadz.places. */
struct chain {
    size_t first;
    uint32_t count;
    uint32_t id; /* in `threads` the index of the owner, in `known` the profile's stack */
};

/* The thread that a stack belongs to. */
struct owner {
    struct slice thread, tid;
};

struct threadz {
    struct builder builder;
    struct pprof_columns columns;
    struct pprof_addresses addresses;
    struct arena texts;
    VEC(struct owner) owners;
    VEC(struct chain) threads;
    VEC(uint32_t) places; /* of pprof_addresses_place(), of all stacks */
    struct map index;
    VEC(struct chain) known; /* distinct stacks, found by `index` */
    bool map;                /* the memory map has begun */
};

/*
 * Meanings of repeated lines. `context` is the owner of a thread, the place of
 * a frame's address, or the index in `places` of the first one of a list;
 * then `depth` is the number of its addresses.
 */
enum { THREADZ_THREAD = 1, THREADZ_FRAME, THREADZ_LIST, THREADZ_SAME };

static const struct slice thread_start = {"--- Thread ", 11};

static bool threadz_claims(const struct head *head)
{
    struct slice line = head_first(head);

    return slice_starts(line, SLICE("--- threadz ")) ||
           (slice_starts(line, thread_start) && slice_ends(slice_trim(line), SLICE("stack: ---")));
}

static bool threadz_begin(struct text *t, void *state)
{
    struct threadz *z = state;

    builder_init(&z->builder, t->profile, t->options, t->diag);
    pprof_addresses_init(&z->addresses, &z->builder);
    return true;
}

static void add_thread(struct threadz *z, uint32_t owner)
{
    *vec_add(&z->threads) = (struct chain){.first = z->places.count, .id = owner};
}

/* Appends an address to the stack of the last thread. */
static void add_place(struct threadz *z, uint32_t place)
{
    *vec_add(&z->places) = place;
    z->threads.items[z->threads.count - 1].count++;
}

/* "--- Thread 7f794ab90940 (name: main/14748) stack: ---" */
static void open_thread(struct text *t, struct threadz *z, struct slice line)
{
    const struct slice mark = SLICE("(name: ");
    struct slice name = slice_skip(line, slice_search(line, mark));
    struct owner *owner = vec_add(&z->owners);
    size_t slash;

    t->meaning.kind = THREADZ_THREAD;
    t->meaning.context = (uint32_t)(z->owners.count - 1);
    name = slice_skip(name, mark.len);
    name = slice_take(name, slice_find(name, ')'));
    slash = slice_find_last(name, '/');
    owner->thread = arena_copy(&z->texts, slice_take(name, slash));
    owner->tid = arena_copy(&z->texts, slice_skip(name, slash + 1));
    add_thread(z, t->meaning.context);
}

/* Gives the last thread the stack of the thread before it. */
static bool repeat_stack(struct text *t, struct threadz *z)
{
    size_t count = z->threads.count;
    struct chain *thread;

    if (count < 2) {
        text_skip(t, "'[same as previous thread]' without a previous thread; line skipped");
        return true;
    }
    thread = &z->threads.items[count - 1];
    thread->first = thread[-1].first;
    thread->count = thread[-1].count;
    return true;
}

/*
 * Appends the addresses of a line, to the first of which `offset` is added; the others are return
 * addresses. Returns false, and appends nothing, if the line contains anything else.
 */
static bool add_list(struct text *t, struct threadz *z, struct slice rest, uint64_t offset)
{
    size_t first = z->places.count;
    uint64_t address;

    while (pprof_addresses_next(&rest, &address)) {
        add_place(z, pprof_addresses_place(&z->addresses, address + offset));
        offset = (uint64_t)-1;
    }
    if (slice_trim(rest).len) {
        z->threads.items[z->threads.count - 1].count -= (uint32_t)(z->places.count - first);
        z->places.count = first;
        return false;
    }
    if (z->places.count <= UINT32_MAX)
        t->meaning = (struct line_meaning){.kind = THREADZ_LIST,
                                           .context = (uint32_t)first,
                                           .depth = (uint32_t)(z->places.count - first)};
    return true;
}

/*
 * "PC:  0x00bc8f1c: Wait(int)", "0x7f7949a9811d: __libc_start_main", "creator: 0xa45b96 0xa4",
 * "PC: 0xbc8f1c 0xa4"
 */
static bool read_frames(struct text *t, struct threadz *z, struct slice line)
{
    const struct slice counter = SLICE("PC:"), creator = SLICE("creator:");
    uint64_t offset = (uint64_t)-1, address;
    struct slice whole = line, first;

    if (slice_starts(line, creator)) {
        line = slice_skip(line, creator.len);
    } else if (slice_starts(line, counter)) {
        line = slice_trim_left(slice_skip(line, counter.len));
        offset = 0;
    }
    if (add_list(t, z, line, offset))
        return true;
    if (slice_cut(&line, ':', &first) && pprof_addresses_next(&first, &address) && !first.len) {
        struct pprof_name name = {.name = slice_trim(line), .kind = FRAME_NATIVE};

        if (name.name.len)
            pprof_addresses_name(&z->addresses, address + offset, name);
        t->meaning.kind = THREADZ_FRAME;
        t->meaning.context = pprof_addresses_place(&z->addresses, address + offset);
        add_place(z, t->meaning.context);
        return true;
    }
    return text_skip_line(t, "malformed frame of a thread", whole);
}

static bool threadz_line(struct text *t, void *state, struct slice line)
{
    struct threadz *z = state;
    struct slice trimmed = slice_trim(line);

    if (!trimmed.len || slice_starts(trimmed, SLICE("--- threadz ")))
        return true;
    if (pprof_maps_begins(line)) {
        z->map = true;
    } else if (z->map) {
        pprof_maps_add(&z->addresses.maps, line);
    } else if (slice_starts(trimmed, thread_start)) {
        open_thread(t, z, trimmed);
    } else if (!z->threads.count) {
        return true;
    } else if (slice_equal(trimmed, SLICE("[same as previous thread]"))) {
        t->meaning.kind = THREADZ_SAME;
        return repeat_stack(t, z);
    } else {
        return read_frames(t, z, trimmed);
    }
    return true;
}

static enum text_again threadz_again(struct text *t, void *state, const struct line_meaning *m)
{
    struct threadz *z = state;

    if (z->map || (!z->threads.count && m->kind != THREADZ_THREAD))
        return TEXT_UNFIT;
    if (m->kind == THREADZ_SAME)
        repeat_stack(t, z);
    else if (m->kind == THREADZ_FRAME)
        add_place(z, m->context);
    else if (m->kind == THREADZ_THREAD)
        add_thread(z, m->context);
    else
        for (uint32_t i = 0; i < m->depth; i++)
            add_place(z, z->places.items[m->context + i]);
    return TEXT_DONE;
}

/* ---- stacks -------------------------------------------------------------------------------- */

static const uint32_t *places_of(const struct threadz *z, const struct chain *chain)
{
    return chain->count ? z->places.items + chain->first : NULL;
}

static bool same_chain(const void *context, uint32_t id, const void *key)
{
    const struct threadz *z = context;
    const struct chain *a = &z->known.items[id], *b = key;

    return a->count == b->count && (!a->count || memcmp(places_of(z, a), places_of(z, b),
                                                        a->count * sizeof(uint32_t)) == 0);
}

static bool make_stack(struct threadz *z, const struct chain *chain, uint32_t *stack)
{
    builder_begin_leaf(&z->builder);
    for (uint32_t i = 0; i < chain->count; i++)
        pprof_addresses_push_place(&z->addresses, z->places.items[chain->first + i]);
    return builder_stack(&z->builder, stack);
}

/* Finds or makes the stack of a chain. Truncated stacks are not cached: each is counted. */
static bool get_stack(struct threadz *z, struct chain chain, uint32_t *stack)
{
    const uint64_t *truncated = &z->builder.profile->ledger.truncated, before = *truncated;
    uint64_t hash =
        hash_keyed_bytes(map_key(&z->index), places_of(z, &chain), chain.count * sizeof(uint32_t));
    uint32_t id = map_find(&z->index, hash, same_chain, z, &chain);

    if (id != MAP_NONE) {
        *stack = z->known.items[id].id;
        return true;
    }
    if (!make_stack(z, &chain, stack))
        return false;
    if (*truncated > before)
        return true;
    map_add(&z->index, hash, (uint32_t)z->known.count);
    chain.id = *stack;
    *vec_add(&z->known) = chain;
    return true;
}

static bool add_stacks(struct threadz *z)
{
    const int64_t one = 1;

    pprof_maps_sort(&z->addresses.maps);
    pprof_columns_open(&z->columns, &z->builder);
    vec_each (const struct chain, thread, &z->threads) {
        struct owner owner = z->owners.items[thread->id];
        struct origin origin = {.thread = owner.thread, .tid = owner.tid};
        bool has_owner = owner.thread.len || owner.tid.len;
        uint32_t stack;

        if (!get_stack(z, *thread, &stack) ||
            !pprof_columns_sample_at(&z->columns, &z->builder, has_owner ? &origin : NULL, &one, 1,
                                     stack))
            return false;
    }
    addresses_report(&z->addresses.binaries, z->builder.profile);
    return pprof_columns_settle(&z->columns, &z->builder);
}

static bool threadz_end(struct text *t, void *state)
{
    struct threadz *z = state;

    if (!z->map)
        cut_off(t, DIAG_AT_FILE, "no memory map at the end; the file may be truncated");
    pprof_columns_add(&z->columns, SLICE("thread"), SLICE("count"), false);
    return add_stacks(z);
}

STATE_RELEASE(threadz, (builder, builder), (pprof_columns, columns), (pprof_addresses, addresses),
              (arena, texts), (vec, owners, threads, places, known), (map, index));

const struct format format_pprof_threadz = {
    .name = "pprof-threadz",
    .family = FORMAT_GO,
    .description = "thread lists of pprof's older servers (/threadz)",
    .recognised = "a first line '--- threadz 1 ---' or '--- Thread ... stack: ---'",
    .example = "curl -o threads.txt localhost:8080/threadz",
    .without_stacks = "its threads have no frames; ask the server while they run",
    .claims = threadz_claims,
    .text = {TEXT_READER(threadz), .again = threadz_again},
};
