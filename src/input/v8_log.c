/*
 * The log of V8's profiler (node --prof, d8 --prof), of all ages: a line per
 * event, fields between commas, in quotes until 2017 and then with \x2C for
 * commas in them.
 *
 *     v8-version,11,3,244,8
 *     shared-library,PATH,start,end[,slide]
 *     code-creation,Type,kind[,time],start,size,name[,function,mark]
 *     code-move,from,to            code-delete,start
 *     function-creation,object,code    function-move, function-delete: 2008
 *     profiler,begin,interval      profiler,end
 *     tick,pc,time,external,top,state[,frame...]
 *
 * Where code lies is followed through the log, so that an address is looked up
 * as it was when its tick came; code that V8 made goes before the library that
 * it may lie in. A tick counts one. Its leaf is the pc, or the callback where
 * V8 was in one (`external`); `top` is the top of the stack, a frame where a
 * function is there. Frames are addresses, or distances from the one before.
 * Times are microseconds; in 2008 there was the stack pointer in their place,
 * later both. State 1 is garbage collection, a frame below the leaf.
 *
 * What a program's own C++ functions are called is not in the log. Other lines
 * are not needed: sources, deoptimisations, the heap.
 *
 * Source: V8's tools/tickprocessor.js and tools/profile.js.
 */
#include "base/num.h"
#include "input/address_map.h"
#include "input/format.h"
#include "input/v8_code.h"

enum { FIELDS_MOST = 12, STATE_GC = 1, CACHED = 4096 };

/* What lies at an address, as long as `age` is that of the maps. */
struct v8_cached {
    uint64_t address, age;
    uint32_t entry;
};

struct v8_log {
    struct builder b;
    struct address_map code, libraries; /* to entries of the builder */
    uint64_t age;                       /* how often they changed, counted from 1 */
    VEC(bool) functions;                /* by entry: it is JavaScript */
    struct v8_cached cache[CACHED];     /* by hash of the address */
    struct buf text;
    bool begun, ended;
};

/* ---- fields -------------------------------------------------------------------------------- */

/* Takes the next field off `*rest`, without its quotes. */
static bool take_field(struct slice *rest, struct slice *field)
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

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? memchr(digits, c | 0x20, 16) : NULL;

    return at ? (int)(at - digits) : -1;
}

/* A field as it is meant: "\x2C" is a comma, two quotes are one. */
static struct slice unescape(struct buf *out, struct slice field)
{
    buf_clear(out);
    for (size_t i = 0; i < field.len; i++) {
        int high, low;

        if (slice_starts(slice_skip(field, i), SLICE("\\x")) && i + 3 < field.len &&
            (high = hex_digit(field.ptr[i + 2])) >= 0 && (low = hex_digit(field.ptr[i + 3])) >= 0) {
            buf_add_char(out, (char)(high << 4 | low));
            i += 3;
        } else if (slice_starts(slice_skip(field, i), SLICE("\\\\")) ||
                   slice_starts(slice_skip(field, i), SLICE("\"\""))) {
            buf_add_char(out, field.ptr[i++]);
        } else {
            buf_add_char(out, field.ptr[i]);
        }
    }
    return buf_slice(out);
}

/* "0x1f", or decimal as numbers of old logs are. */
static bool parse_number(struct slice text, uint64_t *value)
{
    if (slice_starts(text, SLICE("0x")))
        return num_parse_hex(slice_skip(text, 2), value);
    return num_parse_u64(text, value);
}

static bool is_address(struct slice text)
{
    uint64_t value;

    return slice_starts(text, SLICE("0x")) && parse_number(text, &value);
}

/* ---- code ---------------------------------------------------------------------------------- */

static bool read_library(struct v8_log *l, struct slice rest)
{
    struct slice path, start, end;
    uint64_t from, to;

    if (!take_field(&rest, &path) || !take_field(&rest, &start) || !take_field(&rest, &end) ||
        !parse_number(start, &from) || !parse_number(end, &to) || to < from)
        return false;
    address_map_add(&l->libraries, from, to - from,
                    v8_code_library(&l->b, unescape(&l->text, path)));
    return true;
}

/* Notes that an entry is a function of JavaScript. */
static void set_function(struct v8_log *l, uint32_t entry, bool function)
{
    while (l->functions.count <= entry)
        *vec_add(&l->functions) = false;
    l->functions.items[entry] |= function;
}

/* "function" and "mark" behind the name; old logs have the mark in front of the name. */
static void read_mark(struct slice rest, struct v8_code *code)
{
    struct slice object, mark;

    if (take_field(&rest, &object) && take_field(&rest, &mark))
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

    if (!take_field(&rest, &code.type))
        return false;
    for (int i = 0; i < 3 && !is_address(field); i++) /* behind kind and time */
        if (!take_field(&rest, &field))
            return false;
    if (!is_address(field) || !parse_number(field, &start) || !take_field(&rest, &field) ||
        !parse_number(field, &size) || !take_field(&rest, &name))
        return false;
    code.name = unescape(&l->text, name);
    read_mark(rest, &code);
    entry = v8_code_entry(&l->b, &code);
    set_function(l, entry,
                 slice_search(rest, SLICE("0x")) < rest.len || code.mark ||
                     slice_equal(code.type, SLICE("LazyCompile")) ||
                     slice_equal(code.type, SLICE("Function")));
    address_map_add(&l->code, start, size, entry);
    return true;
}

static bool read_two(struct slice rest, uint64_t *a, uint64_t *b)
{
    struct slice field;

    return take_field(&rest, &field) && parse_number(field, a) && take_field(&rest, &field) &&
           parse_number(field, b);
}

static bool read_move(struct v8_log *l, struct slice rest)
{
    uint64_t from, to;

    if (!read_two(rest, &from, &to))
        return false;
    address_map_move(&l->code, from, to);
    return true;
}

static bool read_delete(struct v8_log *l, struct slice rest)
{
    struct slice field;
    uint64_t start;

    if (!take_field(&rest, &field) || !parse_number(field, &start))
        return false;
    address_map_remove(&l->code, start);
    return true;
}

/* The object of a function stands for its code where the stack's top is one. */
static bool read_function(struct v8_log *l, struct slice rest)
{
    const struct address_range *code;
    uint64_t object, start;

    if (!read_two(rest, &object, &start))
        return false;
    code = address_map_find(&l->code, start);
    if (code)
        address_map_add(&l->code, object, 1, code->value);
    return true;
}

/* ---- ticks --------------------------------------------------------------------------------- */

struct tick {
    uint64_t pc, time_us, top;
    bool has_time, external;
    uint64_t state;
    struct slice frames;
};

static bool read_head(struct slice rest, struct tick *t)
{
    struct slice fields[6] = {{0}}, ahead;
    bool both;
    int i = 0;

    *t = (struct tick){0};
    while (i < 5 && take_field(&rest, &fields[i]))
        i++;
    if (i < 5 || !parse_number(fields[0], &t->pc))
        return false;
    /* pc, sp, time, external, top, state: the fifth can only be an address. */
    both = slice_starts(fields[1], SLICE("0x")) && slice_starts(fields[4], SLICE("0x"));
    ahead = rest;
    if (both && take_field(&ahead, &fields[5])) {
        memmove(&fields[1], &fields[2], 4 * sizeof(fields[0]));
        rest = ahead;
    }
    t->has_time = !slice_starts(fields[1], SLICE("0x")) && num_parse_u64(fields[1], &t->time_us);
    t->external = slice_equal(fields[2], SLICE("1"));
    t->frames = rest;
    return parse_number(fields[3], &t->top) && num_parse_u64(fields[4], &t->state);
}

static uint32_t entry_at(struct v8_log *l, uint64_t address)
{
    struct v8_cached *cached = &l->cache[(hash_mix(address, 0) >> 32) % CACHED];
    const struct address_range *range;

    if (cached->address == address && cached->age == l->age)
        return cached->entry;
    range = address_map_find(&l->code, address);
    if (!range)
        range = address_map_find(&l->libraries, address);
    *cached =
        (struct v8_cached){address, l->age, range ? range->value : v8_code_unknown(&l->b, address)};
    return cached->entry;
}

/* The next frame's address; false where the field is none. */
static bool next_address(struct slice field, uint64_t *address)
{
    bool minus = slice_starts(field, SLICE("-"));
    uint64_t value;

    if (!minus && !slice_starts(field, SLICE("+")))
        return parse_number(field, address);
    if (!parse_number(slice_skip(field, 1), &value))
        return false;
    *address += minus ? 0 - value : value;
    return true;
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

static void push_frames(struct v8_log *l, const struct tick *t)
{
    bool reference = l->b.options->names == NAMES_REFERENCE;
    uint64_t address = t->external ? t->top : t->pc;
    const struct address_range *top;
    struct slice rest = t->frames, field;

    builder_begin(&l->b);
    builder_leaf_first(&l->b);
    builder_push(&l->b, entry_at(l, address));
    if (t->state == STATE_GC && !reference)
        builder_name(&l->b, SLICE("(garbage collector)"), FRAME_PLAIN);
    top = t->external || !t->top ? NULL : address_map_find(&l->code, t->top);
    if (top && l->functions.items[top->value])
        builder_push(&l->b, top->value);
    while (rest.len) {
        if (!take_address(&rest, &address) &&
            (!take_field(&rest, &field) || !next_address(field, &address)))
            continue; /* "overflow": V8 kept no more */
        if (reference && !address_map_find(&l->code, address) &&
            !address_map_find(&l->libraries, address))
            continue; /* which the tick processor leaves out */
        builder_push(&l->b, entry_at(l, address));
    }
}

static bool read_tick(struct v8_log *l, struct slice rest, bool *fine)
{
    uint32_t series = builder_series(&l->b, &(struct origin){0}, unit_samples);
    struct tick t;

    *fine = read_head(rest, &t);
    if (!*fine)
        return true;
    if (t.has_time && t.time_us <= UINT64_MAX / 1000)
        builder_time(&l->b, series, t.time_us * 1000);
    if (slice_search(t.frames, SLICE("overflow")) < t.frames.len)
        l->b.profile->ledger.truncated++;
    push_frames(l, &t);
    return builder_add(&l->b, series, 1);
}

/* ---- lines --------------------------------------------------------------------------------- */

static void read_profiler(struct v8_log *l, struct slice rest)
{
    struct slice what, interval;
    struct buf text;

    if (!take_field(&rest, &what))
        return;
    l->begun |= slice_equal(what, SLICE("begin"));
    l->ended |= slice_equal(what, SLICE("end"));
    if (!slice_equal(what, SLICE("begin")) || !take_field(&rest, &interval) ||
        !profile_fact(l->b.profile, SLICE("v8")).len)
        return;
    buf_init(&text);
    buf_printf(&text, "%.*s us", SLICE_ARG(interval));
    profile_add_fact(l->b.profile, SLICE("sampling interval"), buf_slice(&text));
    buf_release(&text);
}

static bool read_line(struct v8_log *l, struct slice event, struct slice rest, bool *fine)
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
        return read_tick(l, rest, fine);
    if (slice_equal(event, SLICE("profiler")))
        read_profiler(l, rest);
    if (slice_equal(event, SLICE("v8-version")))
        profile_add_fact(l->b.profile, SLICE("v8"), rest);
    for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
        if (slice_equal(event, slice_str(readers[i].event))) {
            *fine = readers[i].read(l, rest);
            l->age++;
        }
    return true;
}

/* "code-creation": what stands first in a line. */
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
    t->profile->ledger.lines++;
    fine = slice_cut(&rest, ',', &event) && is_event(slice_trim(event));
    if (fine && !read_line(l, slice_trim(event), rest, &fine))
        return false;
    if (!fine) {
        t->profile->ledger.unreadable++;
        diag_warn_line(t->diag, t->line, "not a line of V8's log; line skipped");
    }
    return true;
}

static bool v8_log_begin(struct text *t, void *state)
{
    struct v8_log *l = state;

    builder_init(&l->b, t->profile, t->options, t->diag);
    buf_init(&l->text);
    l->age = 1;
    return true;
}

static bool v8_log_end(struct text *t, void *state)
{
    const struct v8_log *l = state;

    if (l->begun && !l->ended)
        diag_add(t->diag, DIAG_WARNING, DIAG_AT_FILE,
                 "the profiler was not stopped; the end of the log may be cut off");
    return true;
}

static void v8_log_release(void *state)
{
    struct v8_log *l = state;

    address_map_release(&l->code);
    address_map_release(&l->libraries);
    vec_release(&l->functions);
    buf_release(&l->text);
    builder_release(&l->b);
}

/* Two of the first lines are events with their fields; none of them is anything else. */
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
                     (k < 2 || slice_search(line, SLICE("0x")) < line.len ||
                      slice_starts(slice_trim(line), SLICE("begin,")) ||
                      slice_starts(line, SLICE("\"begin\",")));
    }
    return found >= 2;
}

static const struct text_reader v8_log_reader = {
    .state_size = sizeof(struct v8_log),
    .begin = v8_log_begin,
    .line = v8_log_line,
    .end = v8_log_end,
    .release = v8_log_release,
};

const struct format format_v8_log = {
    .name = "v8-log",
    .family = FORMAT_BROWSERS,
    .description = "log of V8's profiler (node --prof)",
    .recognised = "lines of 'v8-version,', 'shared-library,', 'code-creation,'",
    .example = "node --prof app.js, which writes isolate-0x...-v8.log",
    .without_stacks = "the profiler took no sample; run the program for longer",
    .claims = v8_log_claims,
    .reader = &v8_log_reader,
};
