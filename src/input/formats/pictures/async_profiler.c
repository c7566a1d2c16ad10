/*
 * Pages of async-profiler 2.x to 4.x.
 *
 *     function f(level, left, width, type, title) { ... }       2.x; or with ", inln, c1, int"
 *     f(1,0,5,0,'java/lang/Thread.run')
 *
 *     const cpool = [                                           3.x, 4.x
 *     'all',
 *     ' java/lang/Thread.run',
 *     '1io/File.read'];
 *     n(3,584)
 *     f(635,1,1,178,12,0,0)
 *     u(1323)
 *
 * Of a string of the pool, the first character less 32 is the number of characters that it shares
 * with the start of the one before. A call is a frame: f() at a level, n() beside the last frame,
 * and u() above it; a width that is missing is that of the frame before. The key of a frame is its
 * string times 8, plus the type of the frame, from which its class is taken. Widths are exact, so
 * the stacks are. How much of a frame was inlined, interpreted or compiled by C1 is not read.
 *
 * Grammar: src/res/flame.html of github.com/async-profiler/async-profiler.
 */
#include <string.h>

#include "base/budget.h"
#include "base/ascii.h"
#include "base/num.h"
#include "input/format.h"
#include "input/formats/pictures/box_tree.h"

enum {
    ARGUMENTS = 4,          /* that are read of a call */
    TYPES = 8,              /* of frames */
    POOL_MOST = 1 << 24,    /* strings */
    POOL_BYTES = 128 << 20, /* of all strings: each may repeat the one before */
};

struct async {
    struct builder b;
    struct box_tree tree;
    struct intern names;
    VEC(uint32_t) pool;    /* name, by index */
    VEC(uint32_t) entries; /* of the builder by name and type, plus one */
    struct buf text, last;
    bool in_pool;
    bool pooled;  /* calls have keys */
    bool by_type; /* 2.x with classes: seven types instead of five */
    uint64_t level, left, width;
    uint64_t pool_bytes;
    struct slice line; /* the one that is read */
    struct slice unit;
};

static bool async_profiler_claims(const struct head *head)
{
    if (!slice_starts(slice_trim_left(head->bytes), SLICE("<!DOCTYPE html>")))
        return false;
    return slice_has_any(head->bytes, "function f(level, left, width, type, title",
                         "function f(key, level, left, width");
}

/* Takes a string in quotes off `*rest`, undoing escapes, into s->text. Returns false if cut. */
static bool take_string(struct async *s, struct slice *rest)
{
    buf_clear(&s->text);
    if (!slice_starts(*rest, SLICE("'")))
        return false;
    for (size_t i = 1; i < rest->len; i++) {
        if (rest->ptr[i] == '\'') {
            *rest = slice_skip(*rest, i + 1);
            return true;
        }
        i += rest->ptr[i] == '\\' && i + 1 < rest->len;
        buf_add_char(&s->text, rest->ptr[i]);
    }
    return false;
}

/* Counts and quotes the current line. */
static bool skip_frame(const struct async *s)
{
    builder_skip_text(&s->b, "malformed frame", s->line, "skipped");
    return true;
}

/* Adds a line of the pool. Returns false after reporting that the pool is too large. */
static bool add_string(struct async *s, struct slice line)
{
    size_t shared;

    if (!take_string(s, &line)) {
        builder_skip_text(&s->b, "malformed name", line, "shown as unknown");
        *vec_add(&s->pool) = intern_add(&s->names, SLICE(""));
        return true;
    }
    if (s->pool.count) {
        struct slice tail = slice_skip(buf_slice(&s->text), s->text.len > 0);

        shared = s->text.len ? (size_t)(unsigned char)s->text.ptr[0] - ' ' : 0;
        if (shared < s->last.len)
            buf_cut(&s->last, shared);
        buf_add_slice(&s->last, tail);
    } else {
        buf_add_slice(&s->last, buf_slice(&s->text));
    }
    s->pool_bytes += s->last.len;
    if (s->pool.count == POOL_MOST || s->pool_bytes > POOL_BYTES)
        return diag_error(s->b.diag, "the names in the page are too long in total");
    *vec_add(&s->pool) = intern_add(&s->names, buf_slice(&s->last));
    return true;
}

/* Returns the entry of a name and a type. */
static uint32_t find_entry(struct async *s, uint32_t name, unsigned type)
{
    static const enum symbol_class classes[2][TYPES] = {
        {SYMBOL_JIT, SYMBOL_INLINED, SYMBOL_KERNEL},
        {SYMBOL_INTERPRETED, SYMBOL_JIT, SYMBOL_INLINED, SYMBOL_USER, SYMBOL_USER, SYMBOL_KERNEL,
         SYMBOL_BASELINE},
    };
    struct frame f = {.name = intern_get(&s->names, name), .kind = FRAME_PLAIN, .has_class = true};
    size_t key = (size_t)name * TYPES + type;

    while (s->entries.count <= key)
        *vec_add(&s->entries) = 0;
    if (!s->entries.items[key]) {
        f.class = classes[s->by_type][type];
        s->entries.items[key] = builder_entry(&s->b, &f) + 1;
    }
    return s->entries.items[key] - 1;
}

/* Takes "12," or "12)" off `*rest`. Returns false at anything else. */
static bool take_number(struct slice *rest, uint64_t *value)
{
    size_t end = 0;

    while (end < rest->len && ascii_is_digit(rest->ptr[end]))
        end++;
    if (!num_parse_u64(slice_take(*rest, end), value) || *value > INT64_MAX / 8)
        return false;
    *rest = slice_skip(*rest, end);
    if (slice_starts(*rest, SLICE(",")))
        *rest = slice_skip(*rest, 1);
    return true;
}

/* Puts a frame at a level; `left` is the distance from the frame before. */
static bool add_box(struct async *s, uint32_t name, unsigned type, uint64_t level, uint64_t left,
                    uint64_t width)
{
    s->level = level;
    if (!num_add(s->left, left, &s->left) || s->left > INT64_MAX / 8) {
        s->left = 0;
        return skip_frame(s);
    }
    s->width = width ? width : s->width;
    *vec_add(&s->tree.boxes) = (struct box){
        .row = (int64_t)s->level,
        .left = (int64_t)s->left,
        .width = (int64_t)s->width,
        .weight = s->width,
        .entry = find_entry(s, name, type),
    };
    return budget_allows(s->b.diag, DIAG_AT_FILE);
}

/* f(key,level,left,width), u(key,width), n(key,width); numbers at the end may be missing. */
static bool read_pooled(struct async *s, char call, struct slice rest)
{
    uint64_t numbers[ARGUMENTS] = {0};
    int count = 0;

    while (count < ARGUMENTS && take_number(&rest, &numbers[count]))
        count++;
    if (!count || (call == 'f' && count < 3) || numbers[0] / TYPES >= s->pool.count)
        return skip_frame(s);
    count = (int)(numbers[0] % TYPES);
    if (call == 'f')
        return add_box(s, s->pool.items[numbers[0] / TYPES], (unsigned)count, numbers[1],
                       numbers[2], numbers[3]);
    return add_box(s, s->pool.items[numbers[0] / TYPES], (unsigned)count, s->level + (call == 'u'),
                   call == 'n' ? s->width : 0, numbers[1]);
}

/* f(level,left,width,type,'title') */
static bool read_titled(struct async *s, struct slice rest)
{
    uint64_t numbers[ARGUMENTS];

    for (int i = 0; i < ARGUMENTS; i++)
        if (!take_number(&rest, &numbers[i]))
            return skip_frame(s);
    if (!take_string(s, &rest) || numbers[3] >= TYPES)
        return skip_frame(s);
    s->left = 0;
    return add_box(s, intern_add(&s->names, buf_slice(&s->text)), (unsigned)numbers[3], numbers[0],
                   numbers[1], numbers[2]);
}

/* Whether a line is a call of f(), u() or n(). */
static bool is_call(struct slice line)
{
    return line.len > 1 && strchr("fun", line.ptr[0]) && line.ptr[1] == '(';
}

static bool read_line(struct async *s, struct slice line)
{
    const struct slice units = SLICE("const units = ");

    line = s->line = slice_trim(line);
    if (s->in_pool) {
        s->in_pool = !slice_ends(line, SLICE("];"));
        return slice_starts(line, SLICE("];")) || add_string(s, line);
    }
    if (is_call(line))
        return s->pooled ? read_pooled(s, line.ptr[0], slice_skip(line, 2))
                         : read_titled(s, slice_skip(line, 2));
    if (slice_starts(line, SLICE("const cpool = ["))) {
        s->in_pool = true;
    } else if (slice_starts(line, SLICE("function f("))) {
        s->pooled = slice_starts(line, SLICE("function f(key"));
        s->by_type = s->pooled || slice_has(line, SLICE("inln"));
    } else if (slice_starts(line, units)) {
        line = slice_skip(line, units.len);
        if (take_string(s, &line))
            s->unit = arena_copy(&s->b.profile->strings, buf_slice(&s->text));
    }
    return true;
}

static bool read_page(struct async *s, struct slice page)
{
    struct slice line;
    uint32_t series;

    while (slice_line(&page, &line))
        if (!read_line(s, line))
            return false;
    if (!s->tree.boxes.count)
        return true;
    s->tree.downwards = s->tree.exact = true;
    series = builder_series(&s->b, &(struct origin){.event = SLICE("")}, unit_named(s->unit));
    return series == BUILDER_LEFT_OUT || box_tree_add(&s->tree, series, SERIES_NONE);
}

static bool async_profiler_read(struct content *c)
{
    struct async s = {.unit = SLICE("samples")};
    struct buf page = {0};
    bool ok;

    builder_init(&s.b, c->profile, c->options, c->diag);
    s.tree.builder = &s.b;
    ok = content_load(c, &page) && read_page(&s, buf_slice(&page));
    buf_release(&page);
    release_each(&s, (intern, names), (vec, pool, entries), (buf, text, last), (box_tree, tree),
                 (builder, b));
    return ok;
}

const struct format format_async_profiler = {
    .name = "async-profiler-page",
    .family = FORMAT_PICTURES,
    .description = "pages of async-profiler 2.x to 4.x",
    .recognised = "a page with 'function f(level, left, width' or 'function f(key, level'",
    .example = "asprof -d 30 -f app.html PID",
    .claims = async_profiler_claims,
    .read = async_profiler_read,
    .picture = true,
};
