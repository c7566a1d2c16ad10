#include "input/folded_stack.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "input/frame.h"

enum { WORD = 8, FIRST_SLOTS = 256 };

#define REPEAT(byte) (0x0101010101010101u * (uint64_t)(byte))

void folded_stacks_init(struct folded_stacks *f, struct profile *p,
                        const struct input_options *options)
{
    *f = (struct folded_stacks){
        .symbols = &p->symbols,
        .stacks = &p->stacks,
        .options = options,
        .limits = &options->limits,
        .mask = FIRST_SLOTS - 1,
        .ascending = true,
        .wakers = {.separator = SYMBOL_NONE, .dash = SYMBOL_NONE, .depth = SIZE_MAX},
    };
    f->slots = xcalloc(FIRST_SLOTS, sizeof(*f->slots));
    arena_init(&f->texts);
    buf_init(&f->kept);
}

void folded_stacks_release(struct folded_stacks *f)
{
    free(f->slots);
    arena_release(&f->texts);
    buf_release(&f->kept);
    vec_release(&f->names);
    vec_release(&f->path);
    vec_release(&f->ended);
    vec_release(&f->symbols_waiting);
    vec_release(&f->wakers.waker);
}

/* ---- names --------------------------------------------------------------------------------- */

/* The low `bytes` bytes of a word. */
static uint64_t low_bytes(uint64_t word, size_t bytes)
{
    return bytes < WORD ? word & (((uint64_t)1 << (8 * bytes)) - 1) : word;
}

/*
 * The end of the frame at `p`: the next ';', or `end`. Hashes it on the way,
 * eight bytes at a time; a byte of `x` is zero where the text has a ';', and
 * the lowest bit of `hit` marks the first such byte.
 */
static const char *scan_frame(const char *p, const char *end, uint64_t *hash)
{
    uint64_t h = 0;

    for (;; p += WORD) {
        uint64_t word = hash_load((const unsigned char *)p, WORD);
        uint64_t x = word ^ REPEAT(';');
        uint64_t hit = (x - REPEAT(1)) & ~x & REPEAT(0x80);
        size_t left = (size_t)(end - p);
        size_t n;

        if (left < WORD)
            hit |= (uint64_t)0x80 << (8 * left);
        if (!hit) {
            h = hash_mix(h, word);
            continue;
        }
        n = (size_t)__builtin_ctzll(hit) / 8;
        *hash = hash_mix(h ^ n, low_bytes(word, n));
        return p + n;
    }
}

static bool same_text(const struct folded_name *name, const char *text, size_t len)
{
    const unsigned char *a = (const unsigned char *)name->text;
    const unsigned char *b = (const unsigned char *)text;

    if (name->len != len)
        return false;
    for (; len > WORD; a += WORD, b += WORD, len -= WORD)
        if (hash_load(a, WORD) != hash_load(b, WORD))
            return false;
    return hash_load(a, WORD) == low_bytes(hash_load(b, WORD), len);
}

static size_t place(const struct folded_stacks *f, uint64_t hash)
{
    return (size_t)(hash >> 32) & f->mask;
}

static void put(struct folded_stacks *f, uint64_t slot)
{
    size_t at = place(f, slot);

    while (f->slots[at])
        at = (at + 1) & f->mask;
    f->slots[at] = slot;
}

static void grow_slots(struct folded_stacks *f)
{
    uint64_t *old = f->slots;
    size_t count = f->mask + 1;

    f->slots = xcalloc(2 * count, sizeof(*f->slots));
    f->mask = 2 * count - 1;
    for (size_t i = 0; i < count; i++)
        if (old[i])
            put(f, old[i]);
    free(old);
}

/* At most `limit` bytes of a name, not cut inside a character. */
static struct slice cut_name(struct slice text, size_t limit)
{
    size_t len = limit;

    while (len > 0 && limit - len < 3 && ((unsigned char)text.ptr[len] & 0xc0) == 0x80)
        len--;
    return slice_take(text, len);
}

/* Reference names leave the classes as they are in the file. */
static void note_separator(struct folded_stacks *f, struct slice text, uint32_t id)
{
    if (f->options->names == NAMES_REFERENCE)
        return;
    if (slice_equal(text, SLICE("--")))
        f->wakers.separator = id;
    else if (f->wakers.after_dash && slice_equal(text, SLICE("-")))
        f->wakers.dash = id;
}

/*
 * The symbol of a frame seen for the first time. Where its text is repaired,
 * rewritten or cut, another text may give the same symbol: distinct texts are no longer
 * distinct stacks, and nothing may be appended unseen.
 */
static uint32_t new_symbol(struct folded_stacks *f, struct slice text)
{
    struct buf rewritten;
    uint32_t id;

    buf_init(&rewritten);
    if (frame_rewrite(text, f->options, &rewritten)) {
        text = buf_slice(&rewritten);
        f->ascending = false;
    }
    if (text.len > f->limits->max_name) {
        text = cut_name(text, f->limits->max_name);
        f->ascending = false;
    }
    if (f->ascending && !utf8_valid(text))
        f->ascending = false;
    id = symbols_add_annotated(f->symbols, text);
    note_separator(f, text, id);
    buf_release(&rewritten);
    return id;
}

static uint32_t add_name(struct folded_stacks *f, struct slice text, uint64_t hash)
{
    char *copy = arena_calloc(&f->texts, text.len / WORD + 1, WORD);
    struct folded_name *name;

    if (f->names.count >= f->mask / 2)
        grow_slots(f);
    if (text.len)
        memcpy(copy, text.ptr, text.len);
    name = vec_add(&f->names);
    *name = (struct folded_name){copy, (uint32_t)text.len, new_symbol(f, text)};
    put(f, (hash & 0xffffffff00000000u) | f->names.count);
    return name->symbol;
}

static uint32_t find_symbol(struct folded_stacks *f, const char *text, size_t len, uint64_t hash)
{
    uint64_t slot;

    for (size_t at = place(f, hash); (slot = f->slots[at]); at = (at + 1) & f->mask) {
        const struct folded_name *name = &f->names.items[(uint32_t)slot - 1];

        if ((slot ^ hash) >> 32 == 0 && same_text(name, text, len))
            return name->symbol;
    }
    return add_name(f, slice_make(text, len), hash);
}

/* ---- stacks -------------------------------------------------------------------------------- */

/* Bytes at the start that two texts share; both have slack behind them. */
static size_t common_prefix(struct slice a, struct slice b)
{
    size_t len = a.len < b.len ? a.len : b.len;
    size_t i = 0;

    for (; i < len; i += WORD) {
        uint64_t differ = hash_load((const unsigned char *)a.ptr + i, WORD) ^
                          hash_load((const unsigned char *)b.ptr + i, WORD);

        if (differ) {
            i += (size_t)__builtin_ctzll(differ) / 8;
            break;
        }
    }
    return i < len ? i : len;
}

/* Frames of the text before that `text` begins with, where the first `same` bytes are equal. */
static size_t common_frames(const struct folded_stacks *f, struct slice text, size_t same)
{
    bool boundary = same == text.len || text.ptr[same] == ';';
    size_t depth = f->depth;

    while (depth > 0 && (f->path.items[depth - 1].end > same ||
                         (f->path.items[depth - 1].end == same && !boundary)))
        depth--;
    return depth;
}

/* Sees whether the texts still ascend, and keeps `ended` to the prefixes of `text`. */
static void follow_order(struct folded_stacks *f, struct slice text, size_t same)
{
    struct slice before = f->before;

    if (same == before.len) {
        if (f->depth && same < text.len && text.ptr[same] != ';') {
            struct folded_step last = f->path.items[f->depth - 1];

            *vec_add(&f->ended) = last;
        }
        return;
    }
    if (same == text.len || (unsigned char)text.ptr[same] < (unsigned char)before.ptr[same]) {
        f->ascending = false;
        return;
    }
    while (f->ended.count && f->ended.items[f->ended.count - 1].end > same)
        f->ended.count--;
}

/* The stack of the frame that ends at `end`; `parent` is not in the path below it. */
static uint32_t next_stack(struct folded_stacks *f, uint32_t parent, uint32_t symbol, size_t end)
{
    if (!f->ascending)
        return stacks_push(f->stacks, parent, symbol);
    if (f->ended.count && f->ended.items[f->ended.count - 1].end == end)
        return f->ended.items[f->ended.count - 1].stack;
    return stacks_append(f->stacks, parent, symbol);
}

/* The frames next to the leaf, as many as the limit lets through. */
static struct slice limit_depth(struct folded_stacks *f, struct slice text)
{
    size_t left = f->limits->max_depth;
    struct slice rest = text;
    size_t cut;

    if (text.len < left)
        return text;
    do {
        cut = slice_find_last(rest, ';');
        if (cut == rest.len)
            return text;
        rest = slice_take(rest, cut);
    } while (--left > 0);
    f->truncated = true;
    f->ascending = false;
    return slice_skip(text, cut + 1);
}

static bool has_long_name(const struct folded_stacks *f, struct slice text)
{
    struct slice name;

    while (slice_cut(&text, ';', &name))
        if (name.len > f->limits->max_name)
            return true;
    return false;
}

/* The same symbol of the waker's class, unless it has a class or no name. */
static uint32_t waker_of(struct folded_stacks *f, uint32_t symbol)
{
    struct folded_wakers *w = &f->wakers;

    if (symbol_class(f->symbols, symbol) != SYMBOL_USER || !symbol_name(f->symbols, symbol).len)
        return symbol;
    while (w->waker.count <= symbol)
        *vec_add(&w->waker) = SYMBOL_NONE;
    if (w->waker.items[symbol] == SYMBOL_NONE)
        w->waker.items[symbol] =
            symbols_add(f->symbols, symbol_name(f->symbols, symbol), SYMBOL_WAKER);
    return w->waker.items[symbol];
}

/*
 * The symbol of the next frame of the path, by what stands before it. A text
 * with the class written out may give the same stack, so order says no more
 * that a stack is new.
 */
static uint32_t chain_symbol(struct folded_stacks *f, uint32_t symbol)
{
    struct folded_wakers *w = &f->wakers;

    if (w->depth <= f->depth) {
        f->ascending = false;
        return waker_of(f, symbol);
    }
    if (symbol == w->separator || symbol == w->dash)
        w->depth = f->depth + 1;
    return symbol;
}

/* The path is cut to f->depth frames: perhaps in front of the separator. */
static void cut_chain(struct folded_stacks *f)
{
    if (f->wakers.depth > f->depth)
        f->wakers.depth = SIZE_MAX;
}

/* Takes the next frame, which begins at `*at`, off the text. */
static uint32_t next_symbol(struct folded_stacks *f, struct slice text, size_t *at)
{
    const char *from = text.ptr + *at;
    uint64_t hash;
    size_t len = (size_t)(scan_frame(from, text.ptr + text.len, &hash) - from);

    uint32_t symbol = find_symbol(f, from, len, hash);

    *at += len;
    if ((f->wakers.separator & f->wakers.dash) == SYMBOL_NONE)
        return symbol;
    return chain_symbol(f, symbol);
}

static void add_step(struct folded_stacks *f, size_t end, uint32_t symbol, uint32_t stack)
{
    vec_reserve(&f->path, f->depth + 1);
    f->path.items[f->depth++] = (struct folded_step){end, symbol, stack};
}

/* The first f->depth frames are those of the text before. */
static uint32_t add_now(struct folded_stacks *f, struct slice text)
{
    const struct folded_step *last = f->depth ? &f->path.items[f->depth - 1] : NULL;
    uint32_t stack = last ? last->stack : STACK_ROOT;
    size_t at = last ? last->end + 1 : 0;

    for (; text.len && at <= text.len; at++) {
        uint32_t symbol = next_symbol(f, text, &at);

        stack = next_stack(f, stack, symbol, at);
        add_step(f, at, symbol, stack);
    }
    return stack;
}

static void add_later(struct folded_stacks *f, struct slice text)
{
    size_t at = f->depth ? f->path.items[f->depth - 1].end + 1 : 0;
    size_t start = f->symbols_waiting.count;

    for (; text.len && at <= text.len; at++) {
        uint32_t symbol = next_symbol(f, text, &at);

        add_step(f, at, symbol, STACK_ROOT);
    }
    BUG_ON(f->waiting == STACK_PATHS_MOST);
    f->frames_waiting[f->waiting++] = (uint32_t)f->depth;
    vec_reserve(&f->symbols_waiting, start + f->depth + 1); /* never NULL */
    for (size_t i = 0; i < f->depth; i++)
        f->symbols_waiting.items[start + i] = f->path.items[i].symbol;
    f->symbols_waiting.count = start + f->depth;
}

bool folded_stacks_add(struct folded_stacks *f, struct slice text, uint32_t *stack)
{
    bool now;
    size_t same;

    f->truncated = false;
    text = limit_depth(f, text);
    f->cut_name = text.len > f->limits->max_name && has_long_name(f, text);
    same = common_prefix(f->before, text);
    if (f->ascending)
        follow_order(f, text, same);
    f->depth = common_frames(f, text, same);
    cut_chain(f);
    now = f->ascending;
    if (now)
        *stack = add_now(f, text);
    else
        add_later(f, text);
    f->before = text;
    return now;
}

void folded_stacks_settle(struct folded_stacks *f, uint32_t stacks[STACK_PATHS_MOST])
{
    const uint32_t *symbols = f->symbols_waiting.items;
    struct stack_path paths[STACK_PATHS_MOST];

    for (uint32_t i = 0; i < f->waiting; i++) {
        paths[i] = (struct stack_path){symbols, f->frames_waiting[i], STACK_ROOT};
        symbols += f->frames_waiting[i];
    }
    stacks_push_paths(f->stacks, paths, f->waiting);
    for (uint32_t i = 0; i < f->waiting; i++)
        stacks[i] = paths[i].stack;
    vec_clear(&f->symbols_waiting);
    f->waiting = 0;
}

void folded_stacks_keep(struct folded_stacks *f)
{
    if (f->before.ptr == f->kept.ptr)
        return;
    buf_clear(&f->kept);
    memset(buf_reserve(&f->kept, f->before.len + FOLDED_SLACK), 0, f->before.len + FOLDED_SLACK);
    buf_add_slice(&f->kept, f->before);
    f->before = buf_slice(&f->kept);
}
