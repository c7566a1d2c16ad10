/*
 * Reader of bcc's memleak: stacks whose allocations have not been freed.
 *
 *     [11:16:33] Top 2 stacks with outstanding allocations:
 *             80 bytes in 5 allocations from stack
 *                     main+0x6d [allocs]
 *                     __libc_start_main+0xf0 [libc-2.21.so]
 *
 * Frames are leaf first; newer versions print "0 [<000...>]" or "0x000..."
 * before a frame. There are two series, "bytes" and "allocations". Each "Top N"
 * line begins a list of all allocations outstanding at that time, so lists are
 * not added up: the last list with stacks is drawn, and a note counts the
 * lists. Single allocations (-a) are ignored. A list with fewer stacks than N
 * was truncated, which is reported.
 *
 * Source: the print statements of tools/memleak.py in github.com/iovisor/bcc.
 */
#include "input/build/sample.h"
#include "input/core/cut_off.h"
#include "input/format.h"
#include "input/parse/native.h"

/* Meanings of repeated lines. */
enum { MEMLEAK_STACK = 1, MEMLEAK_FRAME };

/* A stack of a list. */
struct memleak_stack {
    uint32_t stack;
    uint64_t bytes, allocations;
};

struct memleak {
    struct sample sample;
    VEC(struct memleak_stack) list, last;
    uint64_t bytes, allocations; /* of the current stack */
    uint64_t expected;           /* number of stacks that the list's first line states */
    uint64_t lists;              /* number of lists with stacks */
    bool in_stack;
};

/* "[11:16:33] Top 2 stacks with outstanding allocations:" */
static bool parse_title(struct slice line, uint64_t *expected)
{
    const struct slice top = SLICE("] Top ");
    size_t at = slice_search(line, top);
    struct slice rest = slice_skip(line, at + top.len), digits;

    return slice_starts(line, SLICE("[")) && at < line.len && native_take_number(&rest, &digits) &&
           num_parse_u64(digits, expected) &&
           slice_starts(rest, SLICE(" stacks with outstanding allocations"));
}

/* "80 bytes in 5 allocations from stack" */
static bool parse_stack(struct slice line, struct slice *bytes, struct slice *allocations)
{
    static const char *const words[] = {"bytes", "in", "", "allocations", "from", "stack"};
    struct slice rest = slice_trim(line), word;

    if (!native_take_number(&rest, bytes))
        return false;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (!slice_word(&rest, &word))
            return false;
        if (!*words[i])
            *allocations = word;
        else if (!slice_equal(word, slice_str(words[i])))
            return false;
    }
    return !slice_trim(rest).len;
}

/* "0 [<ffffffff8>] main+0x6d [allocs]", "0x00007f main+0x6d [allocs]" */
static struct frame parse_frame(struct slice line)
{
    struct frame f = {.kind = FRAME_NATIVE};
    struct slice text = slice_trim(line), digits, rest = text;
    size_t at;

    if (native_take_number(&rest, &digits) && slice_starts(rest, SLICE(" [<"))) {
        at = slice_search(rest, SLICE(">]"));
        f.has_address = num_parse_hex(slice_make(rest.ptr + 3, at > 3 ? at - 3 : 0), &f.address);
        text = slice_trim(slice_skip(rest, at + 2));
    } else if (rest = text, native_take_address(&rest, &f.address)) {
        f.has_address = true;
        text = slice_trim(rest);
    }
    at = slice_find_last(text, ' ');
    rest = slice_skip(text, at + 1);
    if (at < text.len && slice_starts(rest, SLICE("[")) && slice_ends(rest, SLICE("]"))) {
        f.module = slice_make(rest.ptr + 1, rest.len - 2);
        text = slice_trim(slice_take(text, at));
    }
    f.name = text;
    return f;
}

static bool finish_stack(struct memleak *m)
{
    uint32_t stack;

    if (!m->in_stack)
        return true;
    m->in_stack = false;
    if (!builder_stack(&m->sample.builder, &stack))
        return false;
    *vec_add(&m->list) = (struct memleak_stack){stack, m->bytes, m->allocations};
    return true;
}

/* Replaces the last list by the current one, if it has stacks. */
static bool finish_list(struct text *t, struct memleak *m)
{
    if (!finish_stack(m))
        return false;
    if (m->list.count < m->expected)
        cut_off(t, DIAG_AT_LINE(t->line), "the list is truncated: it has %zu of %llu stacks",
                m->list.count, (unsigned long long)m->expected);
    m->expected = 0;
    if (!m->list.count)
        return true;
    m->lists++;
    vec_clear(&m->last);
    vec_each (const struct memleak_stack, s, &m->list)
        *vec_add(&m->last) = *s;
    vec_clear(&m->list);
    return true;
}

static bool memleak_claims(const struct head *head)
{
    struct slice bytes, allocations;

    head_each (line, head)
        if (parse_stack(line, &bytes, &allocations))
            return true;
    return false;
}

/* Begins a stack. Returns false after reporting an error. */
static bool begin_stack(struct memleak *m, uint64_t bytes, uint64_t allocations)
{
    if (!finish_stack(m))
        return false;
    m->in_stack = true;
    m->bytes = bytes;
    m->allocations = allocations;
    builder_begin_leaf(&m->sample.builder);
    return true;
}

static bool read_stack(struct text *t, struct memleak *m, struct slice bytes,
                       struct slice allocations)
{
    uint64_t size, count;

    if (!num_parse_u64(bytes, &size) || !num_parse_u64(allocations, &count)) {
        text_skip(t, "malformed or too large number; stack skipped");
        return finish_stack(m);
    }
    if (count <= UINT32_MAX)
        t->meaning = (struct line_meaning){
            .kind = MEMLEAK_STACK,
            .context = (uint32_t)count,
            .weight = {.value = size},
        };
    return begin_stack(m, size, count);
}

static bool memleak_line(struct text *t, void *state, struct slice line)
{
    struct memleak *m = state;
    struct slice bytes, allocations;
    uint64_t expected;

    if (parse_title(line, &expected)) {
        if (!finish_list(t, m))
            return false;
        m->expected = expected;
    } else if (parse_stack(line, &bytes, &allocations)) {
        return read_stack(t, m, bytes, allocations);
    } else if (slice_starts(slice_trim_left(line), SLICE("addr = "))) {
        return true;
    } else if (m->in_stack && line.len && (line.ptr[0] == ' ' || line.ptr[0] == '\t')) {
        struct frame f = parse_frame(line);

        if (t->options->names == NAMES_REFERENCE)
            f = (struct frame){.name = slice_trim(line), .kind = FRAME_PLAIN};
        t->meaning = (struct line_meaning){
            .kind = MEMLEAK_FRAME,
            .entry = builder_entry(&m->sample.builder, &f),
        };
        builder_push(&m->sample.builder, t->meaning.entry);
    } else {
        return finish_stack(m);
    }
    return true;
}

static enum text_again memleak_again(struct text *t, void *state, const struct line_meaning *known)
{
    struct memleak *m = state;

    (void)t;
    if (known->kind == MEMLEAK_STACK)
        return begin_stack(m, known->weight.value, known->context) ? TEXT_DONE : TEXT_FAILED;
    if (!m->in_stack)
        return TEXT_UNFIT;
    builder_push(&m->sample.builder, known->entry);
    return TEXT_DONE;
}

static bool memleak_end(struct text *t, void *state)
{
    struct memleak *m = state;
    struct origin bytes = {.event = SLICE("bytes")}, count = {.event = SLICE("allocations")};
    uint32_t series[2];

    if (!finish_list(t, m))
        return false;
    series[0] = builder_series(&m->sample.builder, &bytes, unit_named(SLICE("bytes")));
    series[1] = builder_series(&m->sample.builder, &count, unit_named(SLICE("allocations")));
    if (m->lists > 1)
        diag_add(t->diag, DIAG_NOTE, DIAG_AT_FILE,
                 "only the last of %llu lists of outstanding allocations is drawn",
                 (unsigned long long)m->lists);
    vec_each (const struct memleak_stack, s, &m->last) {
        if (!builder_add_at(&m->sample.builder, series[0], s->stack,
                            (struct decimal){.value = s->bytes}) ||
            !builder_add_at(&m->sample.builder, series[1], s->stack,
                            (struct decimal){.value = s->allocations}))
            return false;
    }
    return true;
}

STATE_RELEASE(memleak, (sample, sample), (vec, list, last));

const struct format format_memleak = {
    .name = "memleak",
    .family = FORMAT_LINUX,
    .description = "bcc's memleak: outstanding allocations",
    .recognised = "'N bytes in M allocations from stack' above frames",
    .example = "/usr/share/bcc/tools/memleak -p PID -T 1000 60 1 > app.memleak",
    .without_stacks = "it found no outstanding allocations; trace for longer",
    .needs = " allocations ",
    .claims = memleak_claims,
    .text = {SAMPLE_STATE_READER(memleak), .again = memleak_again},
};
