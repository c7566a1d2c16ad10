#include "input/formats/pictures/flame_tree.h"

#include "base/budget.h"
#include "base/utf8.h"
#include "input/build/frame.h"
#include "input/core/inflate.h"

struct symbol_list VEC_OF(uint32_t);

/* A frame of the current stack. */
struct open_frame {
    uint32_t stack;  /* with all frames above it; merged from the leaf: unused */
    uint32_t number; /* of its symbol in the file, 0 for frames that were left out */
    uint64_t self;   /* of a chart: self weight after the last child so far */
};

struct flame_tree {
    struct builder *b;
    const struct flame_words *words;
    const uint32_t *series;
    struct flame_left *left;
    struct slice rest;
    VEC(uint32_t) symbols; /* of the profile, by number in the file; the first is unused */
    VEC(uint32_t) texts;   /* of modules and files, by number in the file; the first is unused */
    VEC(uint32_t) drops, adds;
    VEC(uint64_t) weights[FLAME_SIDES];
    VEC(uint64_t) leads;           /* of a chart, by frame */
    size_t frames;                 /* read so far */
    VEC(struct symbol_list) calls; /* by caller */
    VEC(struct open_frame) path;
    struct buf name;
};

/* Takes a number of seven bits per byte. Returns false at the end or beyond 64 bits. */
static bool take(struct flame_tree *t, uint64_t *value)
{
    enum { MOST_SHIFT = 63 };

    *value = 0;
    for (unsigned shift = 0; t->rest.len && shift <= MOST_SHIFT; shift += 7) {
        unsigned char byte = (unsigned char)*t->rest.ptr;

        if (shift == MOST_SHIFT && byte > 1)
            return false;
        *value |= (uint64_t)(byte & 127) << shift;
        t->rest = slice_skip(t->rest, 1);
        if (byte < 128)
            return true;
    }
    return false;
}

/* Takes a number of things that take a byte each at least. */
static bool take_count(struct flame_tree *t, uint32_t *value)
{
    uint64_t number;

    if (!take(t, &number) || number > t->rest.len || number > UINT32_MAX)
        return false;
    *value = (uint32_t)number;
    return true;
}

/* The class of a symbol as the options ask for it, as if the input of the picture were read. */
static enum symbol_class wanted_class(struct flame_tree *t, enum symbol_class class)
{
    struct symbols *symbols = &t->b->profile->symbols;

    if (t->words->marks >> class & 1)
        symbols->written |= 1u << class;
    else
        class = frame_wanted_class(t->b->options, class);
    return class;
}

static bool read_symbols(struct flame_tree *t)
{
    size_t longest = t->b->options->limits.max_name;
    uint32_t count, len;
    uint64_t class;

    *vec_add(&t->symbols) = SYMBOL_NONE;
    if (!take_count(t, &count))
        return false;
    for (; count; count--) {
        struct slice name;

        if (!take_count(t, &len))
            return false;
        name = slice_take(t->rest, len);
        t->rest = slice_skip(t->rest, len);
        if (!take(t, &class) || class >= SYMBOL_CLASSES)
            return false;
        buf_clear(&t->name);
        utf8_add_clean(&t->name, slice_take(name, longest));
        *vec_add(&t->symbols) = symbols_add(&t->b->profile->symbols, buf_slice(&t->name),
                                            wanted_class(t, (enum symbol_class) class));
    }
    vec_reserve(&t->calls, t->symbols.count);
    memset(t->calls.items, 0, t->symbols.count * sizeof(*t->calls.items));
    t->calls.count = t->symbols.count;
    return true;
}

/* Reads the columns up to the calls. */
static bool read_columns(struct flame_tree *t)
{
    uint64_t frames = 0;
    uint32_t stacks;

    if (!take_count(t, &stacks))
        return false;
    for (uint32_t i = 0; i < stacks; i++)
        if (!take_count(t, vec_add(&t->drops)))
            return false;
    for (uint32_t i = 0; i < stacks; i++) {
        if (!take_count(t, vec_add(&t->adds)))
            return false;
        frames += t->adds.items[i];
    }
    for (int side = 0; side < (t->words->differential ? FLAME_SIDES : 1); side++)
        for (uint32_t i = 0; i <= stacks; i++)
            if (!take(t, vec_add(&t->weights[side])))
                return false;
    for (; t->words->by_time && frames; frames--)
        if (!take(t, vec_add(&t->leads)))
            return false;
    return true;
}

/* Takes the number of the next frame's symbol. */
static bool take_call(struct flame_tree *t, uint32_t caller, uint32_t *number)
{
    struct symbol_list *list = &t->calls.items[caller];
    uint64_t place, callee;

    if (!take(t, &place) || place > list->count)
        return false;
    if (!place) {
        if (!take(t, &callee) || callee >= t->symbols.count)
            return false;
        *vec_add(list) = (uint32_t)callee;
        *number = (uint32_t)callee;
        return true;
    }
    *number = list->items[place - 1];
    if (place > 1) {
        list->items[place - 1] = list->items[place - 2];
        list->items[place - 2] = *number;
    }
    return true;
}

static bool add_weight(struct flame_tree *t, int side, uint32_t stack, uint64_t weight)
{
    const struct decimal w = {.value = weight / t->words->each, .decimals = t->words->decimals};

    return !w.value || builder_add_at(t->b, t->series[side], stack, w);
}

/*
 * In a chart, adds up to `weight` of what is left of the self weight of the last frame, so that
 * weights are added in the order of time.
 */
static bool add_since(struct flame_tree *t, uint64_t weight)
{
    struct open_frame *last = t->path.count ? &t->path.items[t->path.count - 1] : NULL;

    if (!last)
        return true;
    weight = weight < last->self ? weight : last->self;
    last->self -= weight;
    return add_weight(t, FLAME_NOW, last->stack, weight);
}

/* Ends the last `count` frames. Returns false after reporting a limit. */
static bool drop_frames(struct flame_tree *t, uint32_t count)
{
    for (; count; count--) {
        if (t->words->by_time && !add_since(t, UINT64_MAX))
            return false;
        t->path.count--;
    }
    return true;
}

/* Pushes a frame. Returns false at damage, or after reporting a limit. */
static bool push_frame(struct flame_tree *t, bool *damaged)
{
    size_t depth = t->path.count;
    struct open_frame frame = {STACK_ROOT, 0, 0};

    if (t->words->by_time && !add_since(t, t->leads.items[t->frames++]))
        return false;
    if (depth)
        frame.stack = t->path.items[depth - 1].stack;
    if (!take_call(t, depth ? t->path.items[depth - 1].number : 0, &frame.number)) {
        *damaged = true;
        return false;
    }
    if (frame.number && !t->words->from_leaf &&
        !builder_child_symbol(t->b, frame.stack, t->symbols.items[frame.number], &frame.stack))
        return false;
    *vec_add(&t->path) = frame;
    return true;
}

/* Adds the stack whose frames are open, the leaf first. */
static bool find_stack(struct flame_tree *t, uint32_t *stack)
{
    if (!t->words->from_leaf || !t->path.count) {
        *stack = t->path.count ? t->path.items[t->path.count - 1].stack : STACK_ROOT;
        return true;
    }
    builder_begin(t->b);
    for (size_t i = t->path.count; i-- > 0;)
        if (t->path.items[i].number)
            builder_push_symbol(t->b, t->symbols.items[t->path.items[i].number]);
    return builder_stack(t->b, stack);
}

/* Adds the weights at `index` to the stack that is open. */
static bool add_weights(struct flame_tree *t, size_t index)
{
    bool left_out = t->path.count && !t->path.items[t->path.count - 1].number;
    uint32_t stack;

    if (t->words->by_time && t->path.count) {
        t->path.items[t->path.count - 1].self = t->weights[FLAME_NOW].items[index];
        return true;
    }
    if (!find_stack(t, &stack))
        return false;
    for (int side = 0; side < FLAME_SIDES && t->series[side] != SERIES_NONE; side++) {
        uint64_t weight = t->weights[side].items[index];

        if (!add_weight(t, side, stack, weight))
            return false;
        if (left_out && side == FLAME_NOW)
            t->left->weight += weight;
    }
    return true;
}

static bool read_stacks(struct flame_tree *t, bool *damaged)
{
    if (!add_weights(t, 0))
        return false;
    for (size_t i = 0; i < t->drops.count; i++) {
        if (t->drops.items[i] > t->path.count || !t->adds.items[i]) {
            *damaged = true;
            return false;
        }
        if (!drop_frames(t, t->drops.items[i]))
            return false;
        for (uint32_t added = t->adds.items[i]; added; added--)
            if (!push_frame(t, damaged))
                return false;
        t->b->profile->ledger.lines++;
        if (!add_weights(t, i + 1))
            return false;
    }
    return drop_frames(t, (uint32_t)t->path.count);
}

/* Reads the texts of modules and files into ids of names; the first is for none. */
static bool read_texts(struct flame_tree *t)
{
    size_t longest = t->b->options->limits.max_name;
    uint32_t count, len;

    *vec_add(&t->texts) = SYMBOL_NONE;
    if (!take_count(t, &count))
        return false;
    for (; count; count--) {
        if (!take_count(t, &len))
            return false;
        buf_clear(&t->name);
        utf8_add_clean(&t->name, slice_take(slice_take(t->rest, len), longest));
        t->rest = slice_skip(t->rest, len);
        *vec_add(&t->texts) = symbols_add_text(&t->b->profile->symbols, buf_slice(&t->name));
    }
    return true;
}

/* Takes a text for each symbol. */
static bool take_column(struct flame_tree *t, struct symbol_list *column)
{
    uint64_t text;

    *vec_add(column) = SYMBOL_NONE;
    for (size_t i = 1; i < t->symbols.count; i++) {
        if (!take(t, &text) || text >= t->texts.count)
            return false;
        *vec_add(column) = t->texts.items[text];
    }
    return true;
}

static bool set_origins(struct flame_tree *t, const uint32_t *modules, const uint32_t *files)
{
    uint64_t line;

    for (size_t i = 1; i < t->symbols.count; i++) {
        line = 0;
        if (files[i] != SYMBOL_NONE && !take(t, &line))
            return false;
        symbols_set_origin(&t->b->profile->symbols, t->symbols.items[i], modules[i], files[i],
                           line);
    }
    return true;
}

/* Reads modules and source lines, as output/svg_origin.h describes them. */
static bool read_origins(struct flame_tree *t)
{
    struct symbol_list modules = {0}, files = {0};
    bool ok;

    ok = read_texts(t) && take_column(t, &modules) && take_column(t, &files) &&
         set_origins(t, modules.items, files.items);
    vec_release(&modules);
    vec_release(&files);
    return ok;
}

static void release(struct flame_tree *t)
{
    vec_each (struct symbol_list, list, &t->calls)
        vec_release(list);
    for (int side = 0; side < FLAME_SIDES; side++)
        vec_release(&t->weights[side]);
    release_each(t, (vec, symbols, texts, drops, adds, leads, calls, path), (buf, name));
}

/*
 * Adds the stacks of the bytes to the series. Returns false after reporting damage or a limit;
 * stacks before the damage are added.
 */
static bool flame_tree_read(struct builder *b, struct slice bytes, const struct flame_words *w,
                            const uint32_t series[FLAME_SIDES], struct flame_left *left)
{
    struct flame_tree t = {.b = b, .words = w, .series = series, .left = left, .rest = bytes};
    bool damaged = !read_symbols(&t) || !read_columns(&t);
    bool ok = !damaged && read_stacks(&t, &damaged);

    if (ok && w->origins) {
        t.rest = slice_skip(bytes, w->origins < bytes.len ? bytes.len - w->origins : 0);
        damaged = !read_origins(&t);
        ok = !damaged;
    }
    release(&t);
    return ok || (damaged && budget_allows(b->diag, DIAG_AT_FILE)
                      ? diag_error(b->diag, "the profile in the picture is damaged")
                      : false);
}

bool flame_tree_read_graph(struct builder *b, struct slice words, struct slice packed,
                           struct slice title)
{
    struct profile *p = b->profile;
    struct flame_left left = {0};
    uint32_t series[FLAME_SIDES];
    struct flame_words w;
    struct buf bytes = {0};
    bool ok;

    if (!flame_words_read(&w, words, p, b->diag))
        return false;
    flame_words_add_series(&w, title, p, series);
    ok = inflate_add(&bytes, packed, b->options->limits.max_size);
    if (!ok && budget_allows(b->diag, DIAG_AT_FILE))
        diag_error(b->diag, "the profile in the picture is damaged");
    ok = ok && flame_tree_read(b, buf_slice(&bytes), &w, series, &left);
    buf_release(&bytes);
    if (ok && left.weight)
        diag_warn(b->diag,
                  "the picture had no room for all frames; their weight is that of their callers");
    flame_words_end(&w, p, series);
    return ok;
}
