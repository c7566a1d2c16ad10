#include "input/formats/kernel/dtrace_frame.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/num.h"
#include "input/build/java.h"
#include "input/build/python.h"

enum { FIRST_SLOTS = 1024 };

void dtrace_frames_init(struct dtrace_frames *f, struct builder *b)
{
    *f = (struct dtrace_frames){
        .builder = b,
        .reference = b->options->names == NAMES_REFERENCE,
        .slots = xcalloc(FIRST_SLOTS, sizeof(*f->slots)),
        .mask = FIRST_SLOTS - 1,
        .key = hash_key(),
    };
    /* Its length exceeds any line's, so it never matches. */
    *vec_add(&f->texts) = (struct dtrace_text){.text = "", .len = UINT32_MAX};
}

void dtrace_frames_release(struct dtrace_frames *f)
{
    release_each(f, (arena, copies), (vec, texts, entries));
    xfree(f->slots);
    buf_release(&f->name);
}

struct slice dtrace_frames_strip(const struct dtrace_frames *f, struct slice line)
{
    size_t i = line.len;

    if (f->reference)
        return slice_take(line, slice_find_last(line, '+'));
    while (i > 0 && ascii_is_hex(line.ptr[i - 1]))
        i--;
    if (i == line.len || i < 4 || memcmp(line.ptr + i - 3, "+0x", 3) != 0)
        return line;
    return slice_take(line, i - 3);
}

/* ---- the table ----------------------------------------------------------------------------- */

/* Loads the first `n` of eight readable bytes at `p`; the others become zero. */
static inline uint64_t load(const char *p, size_t n)
{
    uint64_t word = hash_load((const unsigned char *)p, 8);

    return n < 8 ? word & (((uint64_t)1 << 8 * n) - 1) : word;
}

/* Unlike in hash_bytes(), the multiplications do not depend on each other. */
static inline uint64_t hash_text(uint64_t key, struct slice s)
{
    uint64_t sum = 0;
    size_t i = 0;

    for (; i + 16 <= s.len; i += 16)
        sum += hash_keyed(key, load(s.ptr + i, 8) + i, load(s.ptr + i + 8, 8));
    if (i < s.len) {
        size_t left = s.len - i;

        sum += hash_keyed(key, load(s.ptr + i, left) + i,
                          left > 8 ? load(s.ptr + i + 8, left - 8) : 0);
    }
    return hash_keyed(key, sum, s.len);
}

/* Whether the bytes at `at` begin with the text. */
static inline bool same_text(const struct dtrace_text *t, const char *at)
{
    size_t i = 0;

    for (; i + 8 <= t->len; i += 8)
        if (load(t->text + i, 8) != load(at + i, 8))
            return false;
    return i == t->len || load(t->text + i, 8) == load(at + i, t->len - i);
}

static uint32_t find(const struct dtrace_frames *f, struct slice text, uint64_t hash)
{
    uint64_t slot;

    for (size_t at = hash & f->mask; (slot = f->slots[at]); at = (at + 1) & f->mask)
        if (slot >> 32 == hash >> 32) {
            const struct dtrace_text *t = &f->texts.items[(uint32_t)slot];

            if (t->len == text.len && same_text(t, text.ptr))
                return (uint32_t)slot;
        }
    return UINT32_MAX;
}

uint32_t dtrace_frames_find(const struct dtrace_frames *f, struct slice text)
{
    return find(f, text, hash_text(f->key, text));
}

static void place(struct dtrace_frames *f, size_t index)
{
    uint64_t hash = f->texts.items[index].hash;
    size_t at = hash & f->mask;

    while (f->slots[at])
        at = (at + 1) & f->mask;
    f->slots[at] = (hash & ~(uint64_t)UINT32_MAX) | (uint64_t)index;
}

/* Copies a text and pads it with zeros to a multiple of eight bytes. */
static const char *copy_text(struct dtrace_frames *f, struct slice text)
{
    char *copy = arena_alloc(&f->copies, (text.len + 8) & ~(size_t)7);

    memset(copy, 0, (text.len + 8) & ~(size_t)7);
    if (text.len)
        memcpy(copy, text.ptr, text.len);
    return copy;
}

/* Grows the table to at least two slots for each text. */
static void make_room(struct dtrace_frames *f)
{
    if (f->texts.count * 2 <= f->mask)
        return;
    f->mask = f->mask * 2 + 1;
    xfree(f->slots);
    f->slots = xcalloc(f->mask + 1, sizeof(*f->slots));
    for (size_t i = 1; i + 1 < f->texts.count; i++)
        place(f, i);
}

/* ---- expected lines ------------------------------------------------------------------------- */

/*
 * Returns the length, including LF, of the line at `at` if it is the text, with
 * or without an offset. Returns 0 for any other line.
 */
static inline size_t line_length(const struct dtrace_text *t, const char *at, const char *end)
{
    const char *p = at + t->len;

    if (t->len >= (size_t)(end - at) || !same_text(t, at))
        return 0;
    if (p[0] == '+' && p[1] == '0' && p[2] == 'x') {
        p += 3;
        while (ascii_is_digit(p[0]) || (p[0] >= 'a' && p[0] <= 'f'))
            p++;
    } else if (t->needs_offset) {
        return 0;
    }
    return p[0] == '\n' ? (size_t)(p + 1 - at) : 0;
}

static inline size_t count_blanks(const char *at)
{
    const uint64_t blanks = 0x2020202020202020u;
    size_t n = 0;

    while (load(at + n, 8) == blanks)
        n += 8;
    while (at[n] == ' ')
        n++;
    return n;
}

const char *dtrace_frames_expect(struct dtrace_frames *f, const char *at, const char *end,
                                 struct dtrace_stack *stack, size_t *indent)
{
    while (at < end) {
        struct dtrace_text *last = &f->texts.items[f->last];
        size_t blanks = count_blanks(at), len;
        uint32_t index = last->next[0];

        len = line_length(&f->texts.items[index], at + blanks, end);
        if (!len) {
            index = last->next[1];
            len = line_length(&f->texts.items[index], at + blanks, end);
            if (!len || !blanks)
                break;
            last->next[1] = last->next[0];
            last->next[0] = index;
        }
        *vec_add(stack) = f->last = index;
        *indent = blanks;
        at += blanks + len;
    }
    return at;
}

void dtrace_frames_expected(struct dtrace_frames *f, uint32_t index)
{
    struct dtrace_text *last = &f->texts.items[f->last];

    if (last->next[0] != index) {
        last->next[1] = last->next[0];
        last->next[0] = index;
    }
    f->last = index;
}

/* ---- names --------------------------------------------------------------------------------- */

static void add_entry(struct dtrace_frames *f, const struct frame *frame)
{
    *vec_add(&f->entries) = builder_entry(f->builder, frame);
}

/* "0x7fa4 LazyCompile:*f a.js": returns the length up to the name, 0 without a name. */
static size_t address_length(struct slice s)
{
    size_t n = 2;

    if (!slice_starts(s, SLICE("0x")))
        return 0;
    while (n < s.len && ascii_is_hex(s.ptr[n]))
        n++;
    return n + 1 < s.len && s.ptr[n] == ' ' ? n + 1 : 0;
}

/* "[ /usr/lib/python2.4/site.py:382 (main) ]". Returns false for any other text. */
static bool add_note(struct dtrace_frames *f, struct slice text)
{
    struct slice inside, function, place;
    struct frame frame = {.kind = FRAME_PLAIN};
    size_t open, colon;

    if (!slice_starts(text, SLICE("[ ")) || !slice_ends(text, SLICE(") ]")))
        return false;
    inside = slice_skip(slice_take(text, text.len - 3), 2);
    open = slice_find_last(inside, '(');
    place = slice_trim(slice_take(inside, open));
    function = slice_skip(inside, open + 1);
    colon = slice_find_last(place, ':');
    if (open == inside.len || !num_parse_u64(slice_skip(place, colon + 1), &frame.line))
        return false;
    frame.file = slice_take(place, colon);
    if (slice_equal(function, SLICE("?")))
        function = SLICE("<module>");
    frame.name = python_name(function, frame.file, &f->name);
    add_entry(f, &frame);
    return true;
}

/* "java/lang/Thread.run()V*", a method from jstack(); the star means compiled. */
static bool add_method(struct dtrace_frames *f, struct slice text)
{
    struct frame frame = {.name = text, .kind = FRAME_JAVA};

    if (slice_ends(text, SLICE("*")))
        frame.name.len--;
    if (!java_cut_descriptor(&frame.name))
        return false;
    add_entry(f, &frame);
    return true;
}

static void add_clean(struct dtrace_frames *f, struct slice text, bool plain)
{
    struct frame frame = {.name = text};
    size_t tick = slice_find(text, '`'), address;

    if (add_note(f, text) || (tick == text.len && add_method(f, text)))
        return;
    if (plain) {
        frame.kind = FRAME_PLAIN;
    } else if (tick < text.len) {
        frame.module = slice_take(text, tick);
        frame.name = slice_skip(text, tick + 1);
    }
    address = address_length(frame.name);
    if (address) {
        frame.name = slice_skip(frame.name, address);
        frame.kind = FRAME_PLAIN;
        frame.class = SYMBOL_JIT;
    }
    add_entry(f, &frame);
}

/* Cuts "scope::name(arguments)" at the last '(' after the first "::", as the script does. */
static struct slice without_arguments(struct slice text)
{
    size_t scope = slice_search(text, SLICE("::"));

    for (size_t i = text.len; i-- > scope + 2;)
        if (text.ptr[i] == '(' || text.ptr[i] == '<')
            return slice_take(text, i);
    return text;
}

/* Adds a frame named as by stackcollapse.pl: with its module, inlined functions with "_[i]". */
static void add_reference(struct dtrace_frames *f, struct slice text)
{
    struct slice rest = without_arguments(text), part;
    size_t first = f->entries.count;

    if (!rest.len)
        rest = SLICE("-");
    while (rest.len) {
        size_t arrow = slice_search(rest, SLICE("->"));
        struct frame frame = {.kind = FRAME_ANNOTATED};

        part = slice_take(rest, arrow);
        rest = slice_skip(rest, arrow + 2);
        if (slice_starts(part, SLICE("L")))
            part = slice_skip(part, 1);
        buf_clear(&f->name);
        buf_add_slice(&f->name, part);
        if (f->entries.count > first)
            buf_add_str(&f->name, "_[i]");
        frame.name = buf_slice(&f->name);
        add_entry(f, &frame);
    }
    for (size_t low = first, high = f->entries.count; low + 1 < high;) {
        uint32_t entry = f->entries.items[low];

        f->entries.items[low++] = f->entries.items[--high];
        f->entries.items[high] = entry;
    }
}

uint32_t dtrace_frames_add(struct dtrace_frames *f, struct slice text, bool plain)
{
    struct dtrace_text t = {.first = (uint32_t)f->entries.count};
    uint32_t index;

    text = slice_take(text, UINT32_MAX - 1);
    t.len = (uint32_t)text.len;
    t.hash = hash_text(f->key, text);
    index = find(f, text, t.hash);
    if (index != UINT32_MAX)
        return index;
    if (f->reference)
        add_reference(f, text);
    else
        add_clean(f, text, plain);
    t.text = copy_text(f, text);
    t.count = (uint32_t)f->entries.count - t.first;
    t.plain = plain;
    t.needs_offset = f->reference && slice_find(text, '+') < text.len;
    *vec_add(&f->texts) = t;
    make_room(f);
    place(f, f->texts.count - 1);
    return (uint32_t)f->texts.count - 1;
}
