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
#include "input/format.h"
#include "input/formats/web/v8_code.h"
#include "input/formats/web/v8_field.h"
#include "input/formats/web/v8_stack.h"

enum { FIELDS_MOST = 12 };

struct v8_log {
    struct builder b;
    struct v8_stacks stacks;
    struct buf text;
    bool begun, ended;
};

/* ---- fields -------------------------------------------------------------------------------- */

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
                    v8_code_library(&l->b, unescape(&l->text, path)));
    return true;
}

/* Notes that an entry is a function of JavaScript. */
static void set_function(struct v8_log *l, uint32_t entry, bool function)
{
    while (l->stacks.functions.count <= entry)
        *vec_add(&l->stacks.functions) = false;
    l->stacks.functions.items[entry] |= function;
}

/* "function" and "mark" behind the name; old logs have the mark in front of the name. */
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
    for (int i = 0; i < 3 && !is_address(field); i++) /* behind kind and time */
        if (!v8_field_take(&rest, &field))
            return false;
    if (!is_address(field) || !v8_field_number(field, &start) || !v8_field_take(&rest, &field) ||
        !v8_field_number(field, &size) || !v8_field_take(&rest, &name))
        return false;
    code.name = unescape(&l->text, name);
    read_mark(rest, &code);
    entry = v8_code_entry(&l->b, &code);
    set_function(l, entry,
                 slice_search(rest, SLICE("0x")) < rest.len || code.mark ||
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

/* The object of a function stands for its code where the stack's top is one. */
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

static bool read_tick(struct v8_log *l, struct slice rest, bool *fine)
{
    uint32_t series = builder_series(&l->b, &(struct origin){0}, unit_samples);
    struct v8_tick t;

    *fine = v8_stack_read(rest, &t);
    if (!*fine)
        return true;
    if (t.has_time && t.time_us <= UINT64_MAX / 1000)
        builder_time(&l->b, series, t.time_us * 1000);
    return v8_stacks_add(&l->stacks, series, &t);
}

/* ---- lines --------------------------------------------------------------------------------- */

static void read_profiler(struct v8_log *l, struct slice rest)
{
    struct slice what, interval;
    struct buf text;

    if (!v8_field_take(&rest, &what))
        return;
    l->begun |= slice_equal(what, SLICE("begin"));
    l->ended |= slice_equal(what, SLICE("end"));
    if (!slice_equal(what, SLICE("begin")) || !v8_field_take(&rest, &interval) ||
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
            v8_stacks_changed(&l->stacks);
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
        text_skip(t, "not a line of V8's log; line skipped");
    }
    return true;
}

static bool v8_log_begin(struct text *t, void *state)
{
    struct v8_log *l = state;

    builder_init(&l->b, t->profile, t->options, t->diag);
    buf_init(&l->text);
    v8_stacks_init(&l->stacks, &l->b);
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

    v8_stacks_release(&l->stacks);
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
    .in_order = true,
    .claims = v8_log_claims,
    .reader = &v8_log_reader,
};
