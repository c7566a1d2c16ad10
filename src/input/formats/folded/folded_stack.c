#include "input/formats/folded/folded_stack.h"

#include "base/num.h"
#include "base/utf8.h"
#include "input/build/frame.h"

void folded_stacks_init(struct folded_stacks *f, struct profile *p,
                        const struct input_options *options)
{
    *f = (struct folded_stacks){
        .symbols = &p->symbols,
        .stacks = &p->stacks,
        .options = options,
        .limits = &options->limits,
        .ascending = true,
        .wakers = {.separator = SYMBOL_NONE, .dash = SYMBOL_NONE, .depth = SIZE_MAX},
    };
}

void folded_stacks_release(struct folded_stacks *f)
{
    buf_release(&f->kept);
    release_all(f, vec, path, ended, symbols_waiting, wakers.waker);
}

/* ---- threads --------------------------------------------------------------------------------- */

bool folded_thread(struct slice stack, struct slice *tid)
{
    const struct slice mark = SLICE("tid:");
    uint64_t number;

    *tid = slice_skip(slice_take(stack, slice_find(stack, ';')), mark.len);
    return slice_starts(stack, mark) && num_parse_u64(*tid, &number);
}

/* ---- names --------------------------------------------------------------------------------- */

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
 * The symbol of a frame seen for the first time. If its text is repaired, rewritten or
 * cut, another text may give the same symbol. Then distinct texts are no longer distinct
 * stacks, and nothing may be appended without a lookup.
 */
static uint32_t new_symbol(struct folded_stacks *f, struct slice text)
{
    struct buf rewritten = {0};
    struct frame_place place;
    struct slice tid;
    uint32_t id;

    if (!f->depth && folded_thread(text, &tid) && f->options->names == NAMES_CLEAN)
        return symbols_add(f->symbols, text, SYMBOL_OWNER);
    if (frame_rewrite(text, f->options, &rewritten, &place)) {
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
    if (place.file.len && utf8_valid(place.file))
        symbols_set_source(f->symbols, id, place.file, place.line);
    note_separator(f, text, id);
    buf_release(&rewritten);
    return id;
}

/* ---- stacks -------------------------------------------------------------------------------- */

/*
 * Number of frames of the text before that `text` begins with, if the first `same` bytes
 * are equal.
 */
static size_t common_frames(const struct folded_stacks *f, struct slice text, size_t same)
{
    bool boundary = same == text.len || text.ptr[same] == ';';
    size_t depth = f->depth;

    while (depth > 0 && (f->path.items[depth - 1].end > same ||
                         (f->path.items[depth - 1].end == same && !boundary)))
        depth--;
    return depth;
}

/* Sees whether the texts still ascend, and keeps `ended` to the prefixes of the next one. */
static void follow_order(struct folded_stacks *f, struct folded_match match)
{
    if (match.order == FOLDED_DESCENDS) {
        f->ascending = false;
    } else if (match.order == FOLDED_ASCENDS) {
        while (f->ended.count && f->ended.items[f->ended.count - 1].end > match.same)
            f->ended.count--;
    } else if (match.order == FOLDED_BESIDE && f->depth) {
        struct folded_step last = f->path.items[f->depth - 1];

        *vec_add(&f->ended) = last;
    }
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

/* The symbol with the class of wakers, unless it has another class or no name. */
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
 * The symbol of the next frame of the path, which depends on the frames before it. A text
 * with the class written out may give the same stack, so the order of texts no longer
 * shows that a stack is new.
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

/* Called after the path was cut to f->depth frames, perhaps before the separator. */
static void cut_chain(struct folded_stacks *f)
{
    if (f->wakers.depth > f->depth)
        f->wakers.depth = SIZE_MAX;
}

/* The symbol of the frame that comes next in the path, of a stack's text. */
static uint32_t next_symbol(struct folded_stacks *f, struct folded_lane *lane, struct slice text,
                            const struct folded_frame *frame)
{
    uint32_t symbol;

    while (lane->symbols.count <= frame->name)
        *vec_add(&lane->symbols) = SYMBOL_NONE;
    symbol = lane->symbols.items[frame->name];
    if (symbol == SYMBOL_NONE) {
        size_t at = f->depth ? f->path.items[f->depth - 1].end + 1 : 0;

        symbol = new_symbol(f, slice_make(text.ptr + at, frame->end - at));
        lane->symbols.items[frame->name] = symbol;
    }
    if ((f->wakers.separator & f->wakers.dash) == SYMBOL_NONE)
        return symbol;
    return chain_symbol(f, symbol);
}

static void add_step(struct folded_stacks *f, size_t end, uint32_t symbol, uint32_t stack)
{
    vec_reserve(&f->path, f->depth + 1);
    f->path.items[f->depth++] = (struct folded_step){end, symbol, stack};
}

/* The first f->depth frames are those of the text before; these are the others. */
struct frames {
    struct folded_lane *lane;
    struct slice text;
    const struct folded_frame *items, *end;
};

static uint32_t add_now(struct folded_stacks *f, const struct frames *frames)
{
    uint32_t stack = f->depth ? f->path.items[f->depth - 1].stack : STACK_ROOT;

    for (const struct folded_frame *i = frames->items; i < frames->end; i++) {
        uint32_t symbol = next_symbol(f, frames->lane, frames->text, i);

        stack = next_stack(f, stack, symbol, i->end);
        add_step(f, i->end, symbol, stack);
    }
    return stack;
}

static void add_later(struct folded_stacks *f, const struct frames *frames)
{
    size_t start = f->symbols_waiting.count;

    for (const struct folded_frame *i = frames->items; i < frames->end; i++)
        add_step(f, i->end, next_symbol(f, frames->lane, frames->text, i), STACK_ROOT);
    BUG_ON(f->waiting == STACK_PATHS_MOST);
    f->frames_waiting[f->waiting++] = (uint32_t)f->depth;
    vec_reserve(&f->symbols_waiting, start + f->depth + 1); /* never NULL */
    for (size_t i = 0; i < f->depth; i++)
        f->symbols_waiting.items[start + i] = f->path.items[i].symbol;
    f->symbols_waiting.count = start + f->depth;
}

bool folded_stacks_add(struct folded_stacks *f, const struct folded_scan *scan,
                       const struct folded_line *line, uint32_t *stack)
{
    const struct folded_frame *own = scan->frames.items + line->frames;
    struct frames frames = {scan->lane, line->text, own, own + line->frame_count};
    struct folded_match match = line->match;
    size_t depth = line->depth;
    bool now;

    if (line->alone) {
        match = folded_scan_match(f->before, line->text);
        depth = common_frames(f, line->text, match.same);
        frames.items += depth;
    }
    f->ascending &= !line->truncated;
    if (f->ascending)
        follow_order(f, match);
    f->before = line->text;
    f->depth = depth;
    cut_chain(f);
    now = f->ascending;
    if (now)
        *stack = add_now(f, &frames);
    else
        add_later(f, &frames);
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
