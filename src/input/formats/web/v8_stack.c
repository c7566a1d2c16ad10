#include "input/formats/web/v8_stack.h"

#include "base/num.h"
#include "input/formats/web/v8_code.h"
#include "input/formats/web/v8_field.h"

enum { STATE_GC = 1 };

void v8_stacks_init(struct v8_stacks *s, struct builder *b)
{
    *s = (struct v8_stacks){.b = b, .age = 1};
    line_memo_init(&s->callers);
}

void v8_stacks_release(struct v8_stacks *s)
{
    address_map_release(&s->code);
    address_map_release(&s->libraries);
    vec_release(&s->functions);
    line_memo_release(&s->callers);
}

void v8_stacks_changed(struct v8_stacks *s)
{
    s->age++;
    if (s->callers.lines.count > 1) {
        line_memo_release(&s->callers);
        line_memo_init(&s->callers);
    }
}

bool v8_stack_read(struct slice rest, struct v8_tick *t)
{
    struct slice fields[6] = {{0}}, ahead;
    bool both;
    int i = 0;

    *t = (struct v8_tick){0};
    while (i < 5 && v8_field_take(&rest, &fields[i]))
        i++;
    if (i < 5 || !v8_field_number(fields[0], &t->pc))
        return false;
    /* pc, sp, time, external, top, state: the fifth can only be an address. */
    both = slice_starts(fields[1], SLICE("0x")) && slice_starts(fields[4], SLICE("0x"));
    ahead = rest;
    if (both && v8_field_take(&ahead, &fields[5])) {
        memmove(&fields[1], &fields[2], 4 * sizeof(fields[0]));
        rest = ahead;
    }
    t->has_time = !slice_starts(fields[1], SLICE("0x")) && num_parse_u64(fields[1], &t->time_us);
    t->external = slice_equal(fields[2], SLICE("1"));
    t->frames = rest;
    return v8_field_number(fields[3], &t->top) && num_parse_u64(fields[4], &t->state);
}

static uint32_t entry_at(struct v8_stacks *s, uint64_t address)
{
    struct v8_cached *cached = &s->cache[(hash_mix(address, 0) >> 32) % V8_STACKS_CACHED];
    const struct address_range *range;

    if (cached->address == address && cached->age == s->age)
        return cached->entry;
    range = address_map_find(&s->code, address);
    if (!range)
        range = address_map_find(&s->libraries, address);
    *cached =
        (struct v8_cached){address, s->age, range ? range->value : v8_code_unknown(s->b, address)};
    return cached->entry;
}

/* The next frame's address; false where the field is none. */
static bool next_address(struct slice field, uint64_t *address)
{
    bool minus = slice_starts(field, SLICE("-"));
    uint64_t value;

    if (!minus && !slice_starts(field, SLICE("+")))
        return v8_field_number(field, address);
    if (!v8_field_number(slice_skip(field, 1), &value))
        return false;
    *address += minus ? 0 - value : value;
    return true;
}

static uint32_t gc_entry(struct v8_stacks *s)
{
    return builder_entry(
        s->b, &(struct frame){.name = SLICE("(garbage collector)"), .kind = FRAME_PLAIN});
}

/* The frames of a tick in front of those that called: the callback or the pc, and what is below. */
struct leaf {
    uint32_t entry, top;
    bool gc, has_top;
};

static struct leaf leaf_of(struct v8_stacks *s, const struct v8_tick *t, uint64_t address)
{
    const struct address_range *top =
        t->external || !t->top ? NULL : address_map_find(&s->code, t->top);
    struct leaf leaf = {.entry = entry_at(s, address)};

    leaf.gc = t->state == STATE_GC && s->b->options->names != NAMES_REFERENCE;
    leaf.has_top = top && s->functions.items[top->value];
    leaf.top = leaf.has_top ? top->value : 0;
    return leaf;
}

/* V8 kept no more of its frames. */
static bool is_cut(const struct v8_tick *t)
{
    return slice_search(t->frames, SLICE("overflow")) < t->frames.len;
}

/* Takes the next frame's address off `*rest`; false, taking nothing, where it is not plain. */
static bool take_address(struct slice *rest, uint64_t *address)
{
    enum { WORD = 8 };
    const char *p = rest->ptr;
    bool minus = *p == '-', plus = *p == '+';
    unsigned digits, more = 0;
    uint64_t value, low;

    p += minus || plus;
    if (p[0] != '0' || p[1] != 'x')
        return false;
    p += 2;
    digits = num_take_hex(p, &value);
    if (digits == WORD) {
        more = num_take_hex(p + WORD, &low);
        value = value << 4 * more | low;
    }
    p += digits + more;
    if (!digits || more == WORD || (*p != ',' && p != rest->ptr + rest->len))
        return false;
    if (minus || plus)
        *address += minus ? 0 - value : value;
    else
        *address = value;
    *rest = slice_skip(*rest, (size_t)(p - rest->ptr) + 1);
    return true;
}

/* Pushes those that called `address`, the leaf of a tick. */
static void push_callers(struct v8_stacks *s, const struct v8_tick *t, uint64_t address)
{
    bool reference = s->b->options->names == NAMES_REFERENCE;
    struct slice rest = t->frames, field;

    while (rest.len) {
        if (!take_address(&rest, &address) &&
            (!v8_field_take(&rest, &field) || !next_address(field, &address)))
            continue; /* "overflow": V8 kept no more */
        if (reference && !address_map_find(&s->code, address) &&
            !address_map_find(&s->libraries, address))
            continue; /* which the tick processor leaves out */
        builder_push(s->b, entry_at(s, address));
    }
}

/*
 * The stack of those that called, known by their text until the maps change;
 * `*known` is false where it cannot be, as it depends on the leaf, or is too deep.
 */
static bool find_callers(struct v8_stacks *s, const struct v8_tick *t, uint32_t *stack, bool *known)
{
    const uint32_t room = 3; /* for the frames in front of them */
    struct slice text = slice_make(t->frames.ptr, t->frames.len + 1); /* with the line's end */
    const struct line_known *line;
    struct line_meaning m = {.kind = 1};

    *stack = STACK_ROOT;
    *known = !t->frames.len;
    if (*known || !slice_starts(t->frames, SLICE("0x")))
        return true;
    line = line_memo_guess(&s->callers, text.ptr, text.ptr + text.len);
    if (!line)
        line = line_memo_find(&s->callers, text);
    *known = line && line->len == text.len;
    if (*known) {
        *stack = line->meaning.context;
        return true;
    }
    if (line || !line_memo_keeps(&s->callers, text) || is_cut(t))
        return true;
    builder_begin(s->b);
    builder_leaf_first(s->b);
    push_callers(s, t, 0);
    if (builder_depth(s->b) + room > s->b->options->limits.max_depth)
        return true;
    if (!builder_stack(s->b, &m.context))
        return false;
    line_memo_add(&s->callers, text, &m);
    *stack = m.context;
    *known = true;
    return true;
}

/* Adds a tick to the stack of its callers, which is not in hand. */
static bool add_to_callers(struct v8_stacks *s, uint32_t series, uint32_t stack,
                           const struct leaf *leaf)
{
    return (!leaf->has_top || builder_child_entry(s->b, stack, leaf->top, &stack)) &&
           (!leaf->gc || builder_child_entry(s->b, stack, gc_entry(s), &stack)) &&
           builder_child_entry(s->b, stack, leaf->entry, &stack) &&
           builder_add_at(s->b, series, stack, (struct decimal){.value = 1});
}

bool v8_stacks_add(struct v8_stacks *s, uint32_t series, const struct v8_tick *t)
{
    uint64_t address = t->external ? t->top : t->pc;
    struct leaf leaf = leaf_of(s, t, address);
    uint32_t stack;
    bool known;

    if (!find_callers(s, t, &stack, &known))
        return false;
    if (known)
        return add_to_callers(s, series, stack, &leaf);
    builder_begin(s->b);
    builder_leaf_first(s->b);
    builder_push(s->b, leaf.entry);
    if (leaf.gc)
        builder_push(s->b, gc_entry(s));
    if (leaf.has_top)
        builder_push(s->b, leaf.top);
    push_callers(s, t, address);
    if (is_cut(t))
        s->b->profile->ledger.truncated++;
    return builder_add(s->b, series, 1);
}
