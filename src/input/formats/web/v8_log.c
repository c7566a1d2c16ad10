/*
 * Logs of V8's profiler (node --prof, d8 --prof), of all versions: a line per
 * event, with fields between commas. Fields are in quotes until 2017; later a
 * comma in a field is \x2C.
 *
 *     v8-version,11,3,244,8
 *     shared-library,PATH,start,end[,slide]
 *     code-creation,Type,kind[,time],start,size,name[,function,mark]
 *     code-move,from,to            code-delete,start
 *     function-creation,object,code    function-move, function-delete: 2008
 *     profiler,begin,interval      profiler,end
 *     tick,pc,time,external,top,state[,frame...]
 *
 * The reader follows where code is, so an address is looked up as of its tick.
 * Code that V8 generated has priority over a library at the same address. A
 * tick counts 1. Its leaf is the pc or, if V8 was in one, the callback
 * (`external`). `top` is the top of the stack; it becomes a frame if it is in a
 * function. Frames are addresses, or distances from the previous frame. Times
 * are microseconds; in 2008 their field had the stack pointer, later there are
 * both fields. State 1 is garbage collection, a frame below the leaf.
 *
 * The log does not name the program's own C++ functions. Lines about sources,
 * deoptimisations and the heap are skipped.
 *
 * Source: V8's tools/tickprocessor.js and tools/profile.js.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/num.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "input/build/builder.h"
#include "input/core/cut_off.h"
#include "input/core/line_memo.h"
#include "input/format.h"
#include "input/formats/web/address_map.h"
#include "input/formats/web/v8_profile.h"
#include "input/parse/json.h"

/* ---- fields of a line ---------------------------------------------------------------------- */

/* Takes the next field off `*rest`, without its quotes. Returns false if there is none. */
static bool v8_field_take(struct slice *rest, struct slice *field)
{
    size_t at = 1;

    if (!rest->ptr || !slice_starts(*rest, SLICE("\"")))
        return slice_cut(rest, ',', field);
    while (at < rest->len &&
           (rest->ptr[at] != '"' || (at + 1 < rest->len && rest->ptr[at + 1] == '"'))) {
        at += rest->ptr[at] == '"' ? 2 : 1;
    }
    *field = slice_skip(slice_take(*rest, at), 1);
    *rest = slice_skip(*rest, at + 1);
    if (rest->len && rest->ptr[0] == ',')
        *rest = slice_skip(*rest, 1);
    return true;
}

/* Parses "0x1f", or a decimal number as in old logs. */
static bool v8_field_number(struct slice text, uint64_t *value)
{
    if (slice_starts(text, SLICE("0x")))
        return num_parse_hex(slice_skip(text, 2), value);
    return num_parse_u64(text, value);
}

/* ---- code ---------------------------------------------------------------------------------- */

/*
 * A piece of code as V8 describes it, and its frame.
 *
 *     LazyCompile, "*fib /opt/app/w.js:3:13"     a function: fib, in a file
 *     Script, "w.js"                             the top-level code of a file
 *     Builtin, "ArrayMap"; Stub; LoadIC; ...     "Builtin:ArrayMap", as V8
 *                                                names it for perf
 *
 * The mark says how a function was compiled: "~" interpreted, "^" or "+" by a
 * baseline compiler, "*" optimised. It decides the class of the frame if classes
 * are asked for.
 */

struct v8_code {
    struct slice type; /* "LazyCompile", "Builtin", ... */
    struct slice name;
    char mark; /* 0 if there is none */
};

static bool is_function(struct slice type)
{
    return slice_is_any(type, "LazyCompile", "Function", "JS", "Eval", "Script");
}

/*
 * Returns the entry of the name as V8's own tick processor has it: "LazyCompile: *fib w.js:3:13".
 */
static uint32_t reference_entry(struct builder *b, const struct v8_code *code)
{
    bool function = is_function(code->type);
    struct buf text = {0};
    uint32_t entry;

    buf_printf(&text, "%.*s: ", SLICE_ARG(code->type));
    if (code->mark)
        buf_add_char(&text, code->mark);
    if (function && (!code->name.len || code->name.ptr[0] == ' '))
        buf_add_str(&text, "<anonymous>");
    buf_add_slice(&text, code->name);
    entry = builder_entry(b, &(struct frame){.name = buf_slice(&text), .kind = FRAME_PLAIN});
    buf_release(&text);
    return entry;
}

/* Returns the builder's entry for a piece of code. */
static uint32_t v8_code_entry(struct builder *b, const struct v8_code *code)
{
    struct buf text = {0};
    uint32_t entry;

    if (b->options->names == NAMES_REFERENCE)
        return reference_entry(b, code);
    if (is_function(code->type))
        return v8_profile_logged(b, code->name, code->mark,
                                 slice_equal(code->type, SLICE("Script")));
    buf_printf(&text, "%.*s:%.*s", SLICE_ARG(code->type), SLICE_ARG(code->name));
    entry = builder_entry(b, &(struct frame){.name = buf_slice(&text), .kind = FRAME_PLAIN});
    buf_release(&text);
    return entry;
}

/* Returns the entry for a library, or for the program itself, without a symbol. */
static uint32_t v8_code_library(struct builder *b, struct slice path)
{
    struct frame f = {.module = path, .kind = FRAME_NATIVE};

    if (b->options->names == NAMES_REFERENCE)
        f = (struct frame){.name = path, .kind = FRAME_PLAIN};
    return builder_entry(b, &f);
}

/* Returns the entry for an address without known code. */
static uint32_t v8_code_unknown(struct builder *b, uint64_t address)
{
    struct frame f = {.address = address, .has_address = b->options->addrs, .kind = FRAME_PLAIN};

    if (b->options->names == NAMES_REFERENCE)
        f.name = SLICE("UNKNOWN");
    return builder_entry(b, &f);
}

/* ---- stacks of ticks ----------------------------------------------------------------------- */

/*
 * The stacks of ticks: the code at the pc and its callers.
 *
 * The same addresses and frame lists occur many times. What they resolve to is
 * cached until the address maps change, which must be reported by
 * v8_stacks_changed().
 */

enum { V8_STACKS_CACHED = 4096 };

/* The entry at an address; valid if `age` is that of the maps. */
struct v8_cached {
    uint64_t address, age;
    uint32_t entry;
};

struct v8_stacks {
    struct builder *b;
    struct address_map code, libraries;       /* values are entries of the builder */
    VEC(bool) functions;                      /* indexed by entry: it is a JavaScript function */
    uint64_t age;                             /* version of the maps, from 1 */
    struct v8_cached cache[V8_STACKS_CACHED]; /* indexed by hash of the address */
    struct line_memo callers;                 /* stacks, by the text of a tick's frames */
};

struct v8_tick {
    uint64_t pc, time_us, top;
    bool has_time, external;
    uint64_t state;
    struct slice frames; /* to the end of the line; TEXT_SLACK more bytes are readable */
    struct diag_place place;
};

enum { STATE_GC = 1 };

static void v8_stacks_init(struct v8_stacks *s, struct builder *b)
{
    *s = (struct v8_stacks){.b = b, .age = 1};
    line_memo_init(&s->callers);
}

static void v8_stacks_release(struct v8_stacks *s)
{
    release_all(s, address_map, code, libraries);
    vec_release(&s->functions);
    line_memo_release(&s->callers);
}

/* Invalidates all cached addresses and stacks. */
static void v8_stacks_changed(struct v8_stacks *s)
{
    s->age++;
    if (s->callers.lines.count > 1) {
        line_memo_release(&s->callers);
        line_memo_init(&s->callers);
    }
}

/* Reads the fields after "tick,". Returns false if they are malformed. */
static bool v8_stack_read(struct slice rest, struct v8_tick *t)
{
    struct slice fields[6] = {{0}}, ahead;
    bool both;
    int i = 0;

    *t = (struct v8_tick){0};
    while (i < 5 && v8_field_take(&rest, &fields[i]))
        i++;
    if (i < 5 || !v8_field_number(fields[0], &t->pc))
        return false;
    /* pc, sp, time, external, top, state: the fifth is always an address. */
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

/* Reads the next frame's address. Returns false if the field is not one. */
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

/* The leaf frames of a tick: the callback or the pc, and the frames below it. */
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

/* Returns true if V8 truncated the stack. */
static bool is_cut(const struct v8_tick *t)
{
    return slice_has(t->frames, SLICE("overflow"));
}

/* Takes the next frame's address off `*rest`. Returns false, taking nothing, if it is not plain. */
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

/* Pushes the callers of `address`, the leaf of a tick. Returns a field that is none, or "". */
static struct slice push_callers(struct v8_stacks *s, const struct v8_tick *t, uint64_t address)
{
    bool reference = s->b->options->names == NAMES_REFERENCE;
    struct slice rest = t->frames, field, strange = SLICE("");

    while (rest.len) {
        if (!take_address(&rest, &address) &&
            (!v8_field_take(&rest, &field) || !next_address(field, &address))) {
            if (!slice_equal(field, SLICE("overflow"))) /* V8 truncated the stack */
                strange = field;
            continue;
        }
        if (reference && !address_map_find(&s->code, address) &&
            !address_map_find(&s->libraries, address))
            continue; /* the tick processor leaves this frame out */
        builder_push(s->b, entry_at(s, address));
    }
    return strange;
}

/*
 * Finds or makes the stack of the callers, cached by their text until the maps
 * change. `*known` is false if it cannot be cached, because it depends on the
 * leaf or is too deep.
 */
static bool find_callers(struct v8_stacks *s, const struct v8_tick *t, uint32_t *stack, bool *known)
{
    const uint32_t room = 3; /* room for the frames added in front of the callers */
    struct slice text =
        slice_make(t->frames.ptr, t->frames.len + 1); /* including the end of the line */
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
    builder_begin_leaf(s->b);
    if (push_callers(s, t, 0).len || builder_depth(s->b) + room > s->b->options->limits.max_depth)
        return true;
    if (!builder_stack(s->b, &m.context))
        return false;
    line_memo_add(&s->callers, text, &m);
    *stack = m.context;
    *known = true;
    return true;
}

/* Adds a tick whose callers are a known stack. */
static bool add_to_callers(struct v8_stacks *s, uint32_t series, uint32_t stack,
                           const struct leaf *leaf)
{
    return (!leaf->has_top || builder_child_entry(s->b, stack, leaf->top, &stack)) &&
           (!leaf->gc || builder_child_entry(s->b, stack, gc_entry(s), &stack)) &&
           builder_child_entry(s->b, stack, leaf->entry, &stack) &&
           builder_add_at(s->b, series, stack, (struct decimal){.value = 1});
}

/* Adds a tick, which counts 1. Returns false after reporting an error. */
static bool v8_stacks_add(struct v8_stacks *s, uint32_t series, const struct v8_tick *t)
{
    enum { SHOWN = 60 };
    struct slice strange;
    uint64_t address = t->external ? t->top : t->pc;
    struct leaf leaf = leaf_of(s, t, address);
    uint32_t stack;
    bool known;

    if (!find_callers(s, t, &stack, &known))
        return false;
    if (known)
        return add_to_callers(s, series, stack, &leaf);
    builder_begin_leaf(s->b);
    builder_push(s->b, leaf.entry);
    if (leaf.gc)
        builder_push(s->b, gc_entry(s));
    if (leaf.has_top)
        builder_push(s->b, leaf.top);
    strange = push_callers(s, t, address);
    if (strange.len)
        builder_skip(s->b, t->place, "not the address of a caller: '%.*s'; frame skipped",
                     SLICE_ARG(slice_take(strange, SHOWN)));
    if (is_cut(t))
        s->b->profile->ledger.truncated++;
    return builder_add(s->b, series, 1);
}

/* ---- preprocessed logs --------------------------------------------------------------------- */

/*
 * V8's log after "node --prof-process --preprocess": ticks whose addresses were
 * looked up.
 *
 *     {"code": [{"name", "type", "kind"}, ...],
 *      "functions": [...],
 *      "ticks": [{"tm": us, "vm": state, "s": [code, offset, ...]}, ...]}
 *
 * A stack is a list of pairs, leaf first: the index of a piece of code and an
 * offset in it, or -1 and an address without known code. A tick counts 1. State
 * 1 is garbage collection, a frame below the leaf.
 *
 * Types are SHARED_LIB, CPP (a native function, as nm names it), JS, and CODE,
 * whose kind is the type of the log. Sources and inlined positions are not read.
 *
 * Source: V8's tools/profile.js.
 */

enum { TICKS_STATE_GC = 1 };

struct piece {
    struct slice type, kind, name;
    uint32_t entry; /* of the builder; NOT_MADE until it is needed */
};

#define NOT_MADE UINT32_MAX

struct v8_ticks {
    struct content *content;
    struct builder b;
    struct arena texts;
    struct intern words; /* types and kinds */
    VEC(struct piece) code;
};

static struct slice word_of(struct v8_ticks *v, struct slice word)
{
    return intern_get(&v->words, intern_add(&v->words, word));
}

static void read_code(struct v8_ticks *v, const struct json_value *code)
{
    *vec_add(&v->code) = (struct piece){
        .type = word_of(v, json_text(json_get(code, "type"))),
        .kind = word_of(v, json_text(json_get(code, "kind"))),
        .name = arena_copy(&v->texts, json_text(json_get(code, "name"))),
        .entry = NOT_MADE,
    };
}

/* Returns the log's mark for a kind of compiled function. */
static char mark_of(struct slice kind)
{
    static const struct {
        const char *kind;
        char mark;
    } kinds[] = {
        {"Unopt", '~'},    {"Opt", '*'},    {"Sparkplug", '^'},
        {"Baseline", '^'}, {"Maglev", '+'}, {NULL, 0},
    };

    return slice_row(kind, slice_equal, kinds)->mark;
}

/* Strips the type letter of nm's "T node::Start". */
static struct slice native_name(struct slice name)
{
    bool letter = name.len > 2 && name.ptr[1] == ' ' && strchr("tTwW", name.ptr[0]);

    return letter ? slice_skip(name, 2) : name;
}

static uint32_t make_entry(struct v8_ticks *v, const struct piece *p)
{
    enum frame_kind plain = v->b.options->names == NAMES_REFERENCE ? FRAME_PLAIN : FRAME_NATIVE;

    if (slice_equal(p->type, SLICE("SHARED_LIB")))
        return v8_code_library(&v->b, p->name);
    if (slice_equal(p->type, SLICE("CPP")))
        return builder_entry(&v->b, &(struct frame){.name = native_name(p->name), .kind = plain});
    if (slice_equal(p->type, SLICE("JS")))
        return v8_code_entry(&v->b, &(struct v8_code){SLICE("JS"), p->name, mark_of(p->kind)});
    return v8_code_entry(&v->b, &(struct v8_code){p->kind.len ? p->kind : p->type, p->name, 0});
}

/* Returns the entry of a code index, or of the address that follows -1. */
static uint32_t entry_of(struct v8_ticks *v, const struct json_value *code,
                         const struct json_value *offset)
{
    uint64_t index, address = 0;
    struct piece *p;

    if (!json_u64(code, &index) || index >= v->code.count) {
        json_u64(offset, &address);
        return v8_code_unknown(&v->b, address);
    }
    p = &v->code.items[index];
    if (p->entry == NOT_MADE)
        p->entry = make_entry(v, p);
    return p->entry;
}

static bool read_whole_tick(struct v8_ticks *v, const struct json_value *tick, uint64_t at)
{
    uint32_t series = builder_series(&v->b, &(struct origin){0}, unit_samples);
    const struct json_value *stack = json_get(tick, "s");
    struct json_value code;
    bool has_code = false, leaf = true;
    uint64_t time_us, state = 0;

    v->content->profile->ledger.lines++;
    if (!stack || stack->type != JSON_ARRAY) {
        builder_skip(&v->b, DIAG_AT_BYTE(at), "a tick without a stack: %s; skipped",
                     json_quoted(tick).text);
        return true;
    }
    json_u64(json_get(tick, "vm"), &state);
    if (json_u64(json_get(tick, "tm"), &time_us) && time_us <= UINT64_MAX / 1000)
        builder_time(&v->b, series, time_us * 1000);
    builder_begin_leaf(&v->b);
    json_each(number, stack)
    {
        has_code = !has_code;
        if (has_code) {
            code = *number;
            continue;
        }
        builder_push(&v->b, entry_of(v, &code, number));
        if (leaf && state == TICKS_STATE_GC && v->b.options->names == NAMES_CLEAN)
            builder_name(&v->b, SLICE("(garbage collector)"), FRAME_PLAIN);
        leaf = false;
    }
    if (has_code)
        builder_skip(&v->b, DIAG_AT_BYTE(at), "the last frame of a tick is cut: %s; frame skipped",
                     json_quoted(tick).text);
    return builder_add(&v->b, series, 1);
}

static bool wanted_one_by_one(void *context, struct slice key)
{
    (void)context;
    return slice_equal(key, SLICE("code")) || slice_equal(key, SLICE("ticks")) ||
           slice_equal(key, SLICE("functions")) || slice_equal(key, SLICE("scripts"));
}

static bool read_value(void *context, struct slice parent, const struct json_value *value,
                       uint64_t at)
{
    struct v8_ticks *v = context;

    if (slice_equal(parent, SLICE("code")))
        read_code(v, value);
    if (!slice_equal(parent, SLICE("ticks")))
        return true;
    if (!v->code.count)
        return diag_error(v->content->diag, "'ticks' precedes 'code', which it refers to");
    return read_whole_tick(v, value, at);
}

static bool v8_ticks_read(struct content *c)
{
    struct v8_ticks v = {.content = c};
    struct json_handler handler = {.context = &v, .each = wanted_one_by_one, .value = read_value};
    bool ok;

    builder_init(&v.b, c->profile, c->options, c->diag);
    ok = json_read(c, &handler);
    vec_release(&v.code);
    intern_release(&v.words);
    arena_release(&v.texts);
    builder_release(&v.b);
    return ok;
}

static bool v8_ticks_claims(const struct head *head)
{
    return slice_is_any(head_text(head, "code[].type"), "SHARED_LIB", "CPP", "CODE", "JS") &&
           head_has(head, "code[].name");
}

const struct format format_v8_ticks = {
    .name = "v8-ticks",
    .family = FORMAT_BROWSERS,
    .description = "preprocessed log of V8's profiler (JSON)",
    .recognised = "JSON with 'code' of type SHARED_LIB, CPP, CODE or JS, and 'ticks'",
    .example = "node --prof-process --preprocess isolate-*-v8.log > app.v8.json",
    .without_stacks = "the profiler took no sample; run the program for longer",
    .in_order = true,
    .claims = v8_ticks_claims,
    .read = v8_ticks_read,
};

struct v8_log {
    struct builder b;
    struct v8_stacks stacks;
    struct buf text;
    bool begun, ended;
};

/* ---- fields -------------------------------------------------------------------------------- */

/* Takes `mark` and `digits` hexadecimal digits at the start of `*s`: "\xe4", "\u65e5". */
static bool take_code(struct slice *s, struct slice mark, size_t digits, uint64_t *code)
{
    if (!slice_starts(*s, mark) || s->len < mark.len + digits ||
        !num_parse_hex(slice_make(s->ptr + mark.len, digits), code))
        return false;
    *s = slice_skip(*s, mark.len + digits);
    return true;
}

/* Takes "\u65e5", or two of them that are one character of UTF-16. */
static bool take_wide(struct slice *s, uint64_t *code)
{
    struct slice behind;
    uint64_t low;

    if (!take_code(s, SLICE("\\u"), 4, code))
        return false;
    behind = *s;
    if (*code >> 10 == 0xd800 >> 10 && take_code(&behind, SLICE("\\u"), 4, &low) &&
        low >> 10 == 0xdc00 >> 10) {
        *code = 0x10000 + ((*code & 0x3ff) << 10 | (low & 0x3ff));
        *s = behind;
    }
    return true;
}

/*
 * Resolves the escapes of a field: "\x2C" is a comma, two quotes are one. "\xe4" is a character of
 * a name, but a byte of a library's path, which is UTF-8.
 */
static struct slice unescape(struct buf *out, struct slice field, bool path)
{
    uint64_t code;

    buf_clear(out);
    while (field.len) {
        if (take_code(&field, SLICE("\\x"), 2, &code)) {
            if (path)
                buf_add_char(out, (char)code);
            else
                utf8_encode(out, (uint32_t)code);
        } else if (take_wide(&field, &code)) {
            utf8_encode(out, (uint32_t)code);
        } else {
            bool pair = slice_starts_any(field, "\\\\", "\"\"");

            buf_add_char(out, field.ptr[0]);
            field = slice_skip(field, pair ? 2 : 1);
        }
    }
    return buf_slice(out);
}

static bool is_address(struct slice text)
{
    uint64_t value;

    return slice_starts(text, SLICE("0x")) && v8_field_number(text, &value);
}

/* ---- code ---------------------------------------------------------------------------------- */

static bool read_library(struct v8_log *l, struct slice rest)
{
    struct slice path, start, end;
    uint64_t from, to;

    if (!v8_field_take(&rest, &path) || !v8_field_take(&rest, &start) ||
        !v8_field_take(&rest, &end) || !v8_field_number(start, &from) ||
        !v8_field_number(end, &to) || to < from)
        return false;
    address_map_add(&l->stacks.libraries, from, to - from,
                    v8_code_library(&l->b, unescape(&l->text, path, true)));
    return true;
}

/* Notes whether an entry is a JavaScript function. */
static void set_function(struct v8_log *l, uint32_t entry, bool function)
{
    while (l->stacks.functions.count <= entry)
        *vec_add(&l->stacks.functions) = false;
    l->stacks.functions.items[entry] |= function;
}

/* Reads "function" and "mark" after the name; in old logs the mark begins the name. */
static void read_mark(struct slice rest, struct v8_code *code)
{
    struct slice object, mark;

    if (v8_field_take(&rest, &object) && v8_field_take(&rest, &mark))
        code->mark = mark.len == 1 ? mark.ptr[0] : 0;
    else if (code->name.len && strchr("*~", code->name.ptr[0]))
        code->mark = code->name.ptr[0], code->name = slice_skip(code->name, 1);
}

static bool read_creation(struct v8_log *l, struct slice rest)
{
    struct v8_code code = {0};
    struct slice field = {0}, name;
    uint64_t start, size;
    uint32_t entry;

    if (!v8_field_take(&rest, &code.type))
        return false;
    for (int i = 0; i < 3 && !is_address(field);
         i++) /* the kind and the time precede the address */
        if (!v8_field_take(&rest, &field))
            return false;
    if (!is_address(field) || !v8_field_number(field, &start) || !v8_field_take(&rest, &field) ||
        !v8_field_number(field, &size) || !v8_field_take(&rest, &name))
        return false;
    code.name = unescape(&l->text, name, false);
    read_mark(rest, &code);
    entry = v8_code_entry(&l->b, &code);
    set_function(l, entry,
                 slice_has(rest, SLICE("0x")) || code.mark ||
                     slice_equal(code.type, SLICE("LazyCompile")) ||
                     slice_equal(code.type, SLICE("Function")));
    address_map_add(&l->stacks.code, start, size, entry);
    return true;
}

static bool read_two(struct slice rest, uint64_t *a, uint64_t *b)
{
    struct slice field;

    return v8_field_take(&rest, &field) && v8_field_number(field, a) &&
           v8_field_take(&rest, &field) && v8_field_number(field, b);
}

static bool read_move(struct v8_log *l, struct slice rest)
{
    uint64_t from, to;

    if (!read_two(rest, &from, &to))
        return false;
    address_map_move(&l->stacks.code, from, to);
    return true;
}

static bool read_delete(struct v8_log *l, struct slice rest)
{
    struct slice field;
    uint64_t start;

    if (!v8_field_take(&rest, &field) || !v8_field_number(field, &start))
        return false;
    address_map_remove(&l->stacks.code, start);
    return true;
}

/* Maps the function object to its code: the top of a stack can be a function object. */
static bool read_function(struct v8_log *l, struct slice rest)
{
    const struct address_range *code;
    uint64_t object, start;

    if (!read_two(rest, &object, &start))
        return false;
    code = address_map_find(&l->stacks.code, start);
    if (code)
        address_map_add(&l->stacks.code, object, 1, code->value);
    return true;
}

/* ---- ticks --------------------------------------------------------------------------------- */

static bool read_tick(struct v8_log *l, struct slice rest, struct diag_place place, bool *fine)
{
    uint32_t series = builder_series(&l->b, &(struct origin){0}, unit_samples);
    struct v8_tick t;

    *fine = v8_stack_read(rest, &t);
    if (!*fine)
        return true;
    t.place = place;
    if (t.has_time && t.time_us <= UINT64_MAX / 1000)
        builder_time(&l->b, series, t.time_us * 1000);
    return v8_stacks_add(&l->stacks, series, &t);
}

/* ---- lines --------------------------------------------------------------------------------- */

static void read_profiler(struct v8_log *l, struct slice rest)
{
    struct slice what, interval;

    if (!v8_field_take(&rest, &what))
        return;
    l->begun |= slice_equal(what, SLICE("begin"));
    l->ended |= slice_equal(what, SLICE("end"));
    if (!slice_equal(what, SLICE("begin")) || !v8_field_take(&rest, &interval) ||
        !profile_fact(l->b.profile, SLICE("v8")).len)
        return;
    profile_print_fact(l->b.profile, SLICE("sampling interval"), "%.*s us", SLICE_ARG(interval));
}

static bool read_line(struct v8_log *l, struct slice event, struct slice rest,
                      struct diag_place place, bool *fine)
{
    static const struct {
        const char *event;
        bool (*read)(struct v8_log *l, struct slice rest);
    } readers[] = {
        {"shared-library", read_library}, {"code-creation", read_creation},
        {"code-move", read_move},         {"code-delete", read_delete},
        {"function-move", read_move},     {"function-delete", read_delete},
        {"bytecode-move", read_move},     {"function-creation", read_function},
    };

    if (slice_equal(event, SLICE("tick")))
        return read_tick(l, rest, place, fine);
    if (slice_equal(event, SLICE("profiler")))
        read_profiler(l, rest);
    if (slice_equal(event, SLICE("v8-version")))
        profile_add_fact(l->b.profile, SLICE("v8"), rest);
    for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
        if (slice_equal(event, slice_str(readers[i].event))) {
            *fine = readers[i].read(l, rest);
            v8_stacks_changed(&l->stacks);
        }
    return true;
}

/* Returns true if a word is the name of an event of the log. */
static bool is_event(struct slice event)
{
    for (size_t i = 0; i < event.len; i++)
        if (!memchr("abcdefghijklmnopqrstuvwxyz0123456789-_", event.ptr[i], 38))
            return false;
    return event.len > 0;
}

static bool v8_log_line(struct text *t, void *state, struct slice line)
{
    struct v8_log *l = state;
    struct slice rest = line, event;
    bool fine;

    if (!slice_trim(line).len)
        return true;
    fine = slice_cut(&rest, ',', &event) && is_event(slice_trim(event));
    if (fine && !read_line(l, slice_trim(event), rest, DIAG_AT_LINE(t->line), &fine))
        return false;
    return fine || text_skip_line(t, "not a line of V8's log", line);
}

static bool v8_log_begin(struct text *t, void *state)
{
    struct v8_log *l = state;

    builder_init(&l->b, t->profile, t->options, t->diag);
    v8_stacks_init(&l->stacks, &l->b);
    return true;
}

static bool v8_log_end(struct text *t, void *state)
{
    const struct v8_log *l = state;

    if (l->begun && !l->ended)
        cut_off(t, DIAG_AT_FILE, "the log does not contain 'profiler,end'; it may be truncated");
    return true;
}

STATE_RELEASE(v8_log, (v8_stacks, stacks), (buf, text), (builder, b));

/* Claims the input if its first lines are events with their fields, at least two of them. */
static bool v8_log_claims(const struct head *head)
{
    static const char *const events[] = {"v8-version",    "v8-platform", "shared-library",
                                         "code-creation", "profiler",    "tick"};
    enum { LINES = 20 };
    struct slice rest = head->bytes, line, event;
    int found = 0;

    for (int i = 0; i < LINES && head_line(head, &rest, &line); i++) {
        if (!slice_cut(&line, ',', &event) || !is_event(event))
            return false;
        for (size_t k = 0; k < sizeof(events) / sizeof(events[0]); k++)
            found += slice_equal(event, slice_str(events[k])) &&
                     (k < 2 || slice_has(line, SLICE("0x")) ||
                      slice_starts(slice_trim(line), SLICE("begin,")) ||
                      slice_starts(line, SLICE("\"begin\",")));
    }
    return found >= 2;
}

const struct format format_v8_log = {
    .name = "v8-log",
    .family = FORMAT_BROWSERS,
    .description = "log of V8's profiler (node --prof)",
    .recognised = "lines of 'v8-version,', 'shared-library,', 'code-creation,'",
    .example = "node --prof app.js, which writes isolate-0x...-v8.log",
    .without_stacks = "the profiler took no sample; run the program for longer",
    .in_order = true,
    .claims = v8_log_claims,
    .text = {TEXT_READER(v8_log)},
};
