/*
 * bpftrace's maps as it prints them at its end, or when asked.
 *
 *     Attaching 2 probes...
 *
 *     @sw[
 *         __schedule+1560
 *         schedule+35
 *     ,
 *         poll+79
 *     , thr]: 4
 *     @[]: 383
 *
 * A key that is a stack begins a line of its own, leaf first; others stand
 * between the commas. Stacks in perf's mode have a tab, an address and the
 * module in brackets. What else a script prints is dropped; maps without
 * stacks, histograms and statistics are left out and told.
 *
 * The grammar is that of bpftrace's src/output.cpp as its output shows it.
 */
#include "input/formats/kernel/bpftrace_map.h"
#include "input/format.h"
#include "input/parse/native.h"

struct bpftrace {
    struct bpftrace_maps maps;
    struct buf name; /* of the map whose entry is open */
    struct buf keys;
    bool open; /* an entry is */
    struct records records;
    struct slice text; /* of the entry in hand, if it is in one piece; else empty */
};

/* "@name[" or "@name:"; the rest begins with the bracket or the colon. */
static bool parse_name(struct slice line, struct slice *name, struct slice *rest)
{
    size_t n = 1;

    if (!slice_starts(line, SLICE("@")))
        return false;
    while (n < line.len && (line.ptr[n] == '_' || (line.ptr[n] >= '0' && line.ptr[n] <= '9') ||
                            ((line.ptr[n] | 0x20) >= 'a' && (line.ptr[n] | 0x20) <= 'z')))
        n++;
    *name = slice_take(line, n);
    *rest = slice_skip(line, n);
    return slice_starts(*rest, SLICE("[")) || slice_starts(*rest, SLICE(": "));
}

/* The last "]:" that nothing, a number, or statistics follow; false where there is none. */
static bool find_close(struct slice text, struct slice *keys, struct slice *value)
{
    const struct slice mark = SLICE("]:");
    struct slice rest = text;
    size_t at = text.len;

    for (size_t next = slice_search(rest, mark); next < rest.len; next = slice_search(rest, mark)) {
        at = text.len - rest.len + next;
        rest = slice_skip(rest, next + 1);
    }
    if (at == text.len)
        return false;
    *keys = slice_take(text, at);
    *value = slice_trim(slice_skip(text, at + mark.len));
    return true;
}

/* What a value is that does not add up, or NULL. */
static const char *odd_value(struct slice value)
{
    if (!value.len)
        return "histograms";
    if (slice_starts(value, SLICE("count ")))
        return "statistics";
    return NULL;
}

/* The part of an entry that is no frame: keys, and perhaps the end. */
static bool read_keys(struct bpftrace *b, struct slice text)
{
    const struct slice comma = SLICE(", ");
    struct slice keys, value;
    struct record record;
    const char *odd;

    if (!find_close(text, &keys, &value)) {
        buf_clear(&b->keys);
        buf_add_slice(&b->keys, text);
        if (slice_ends(text, SLICE(",")))
            buf_add_char(&b->keys, ' '); /* which got lost */
        bpftrace_map_keys(&b->maps, buf_slice(&b->keys), comma, true);
        return true;
    }
    b->open = false;
    odd = odd_value(value);
    if (odd) {
        bpftrace_map_leave_out(&b->maps, buf_slice(&b->name), odd);
        return true;
    }
    bpftrace_map_keys(&b->maps, keys, comma, false);
    if (!bpftrace_map_finish(&b->maps, buf_slice(&b->name), value, &record))
        return false;
    if (b->text.len && record.series != BUILDER_LEFT_OUT)
        records_add(&b->records, b->text, record);
    return true;
}

static void drop_entry(struct text *t, struct bpftrace *b)
{
    if (!b->open)
        return;
    b->open = false;
    text_skip(t, "an entry of map %.*s has no end and is left out", SLICE_ARG(buf_slice(&b->name)));
}

static bool begin_entry(struct text *t, struct bpftrace *b, struct slice name, struct slice rest)
{
    drop_entry(t, b);
    buf_clear(&b->name);
    buf_add_slice(&b->name, name);
    bpftrace_map_begin(&b->maps);
    if (rest.ptr[0] == '[') {
        b->open = true;
        return read_keys(b, slice_skip(rest, 1));
    }
    rest = slice_trim(slice_skip(rest, 2));
    if (odd_value(rest)) {
        bpftrace_map_leave_out(&b->maps, name, odd_value(rest));
        return true;
    }
    return bpftrace_map_finish(&b->maps, name, rest, &(struct record){0});
}

/* ---- recognition --------------------------------------------------------------------------- */

static bool is_preamble(struct slice line)
{
    return (slice_starts(line, SLICE("Attaching ")) || slice_starts(line, SLICE("Attached "))) &&
           slice_search(line, SLICE(" probe")) < line.len;
}

/* Entries with a stack or an empty key; after bpftrace's first line any map will do. */
static bool bpftrace_claims(const struct head *head)
{
    struct slice rest = head->bytes, line, name, text, keys, value;
    bool preamble = false, open = false, frames = false;

    while (head_line(head, &rest, &line)) {
        preamble = preamble || is_preamble(line);
        if (parse_name(line, &name, &text)) {
            bool closed = find_close(text, &keys, &value);

            if (preamble ||
                (closed && (slice_equal(keys, SLICE("[")) || slice_ends(keys, SLICE(", ")) ||
                            slice_starts(keys, SLICE("[, ")))))
                return true;
            open = !closed && text.ptr[0] == '[';
            frames = false;
        } else if (open && line.len && (line.ptr[0] == ' ' || line.ptr[0] == '\t')) {
            frames = true;
        } else if (open && frames &&
                   (slice_starts(line, SLICE("]:")) || slice_starts(line, SLICE(",")))) {
            if (find_close(line, &keys, &value))
                return true;
        } else if (slice_trim(line).len) {
            open = false;
        }
    }
    return false;
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool bpftrace_begin(struct text *t, void *state)
{
    struct bpftrace *b = state;

    bpftrace_map_init(&b->maps, t->profile, t->options, t->diag);
    buf_init(&b->name);
    buf_init(&b->keys);
    records_init(&b->records);
    return true;
}

static bool read_line(struct text *t, struct bpftrace *b, struct slice line)
{
    struct slice name, rest;

    if (parse_name(line, &name, &rest))
        return begin_entry(t, b, name, rest);
    if (!b->open || !line.len)
        return true;
    if (line.ptr[0] == ' ' || line.ptr[0] == '\t')
        bpftrace_map_frame(&b->maps, line);
    else if (line.ptr[0] == ',' || line.ptr[0] == ']')
        return read_keys(b, line);
    else
        drop_entry(t, b);
    return true;
}

/* Where the digits behind "]: " begin that end a line; NULL where none do. */
static const char *find_value(const char *line, const char *lf)
{
    const char *p = lf;

    while (p > line && p[-1] >= '0' && p[-1] <= '9')
        p--;
    return p < lf && p - line >= 3 && memcmp(p - 3, "]: ", 3) == 0 ? p : NULL;
}

/* The end of the entry that begins at `p` and has frames: its value, or NULL. */
static const char *find_end(const char *p, const char *end, uint64_t *lines)
{
    const char *lf = memchr(p, '\n', (size_t)(end - p));

    for (*lines = 2; (p = lf + 1) < end; ++*lines) {
        const char *value;

        lf = memchr(p, '\n', (size_t)(end - p));
        if (*p == ' ' || *p == '\t')
            continue;
        if (*p != ',' && *p != ']')
            return NULL;
        value = find_value(p, lf);
        if (value)
            return value;
    }
    return NULL;
}

/* Adds the entry that begins at `p`, if its text is known; else notes it for read_keys(). */
static bool read_known(struct text *t, struct bpftrace *b, const char **p, const char *end,
                       bool *ok)
{
    uint64_t lines, weight;
    const char *value = find_end(*p, end, &lines);
    const struct record *record = NULL;
    struct slice digits;

    b->text = SLICE("");
    if (!value)
        return false;
    b->text = slice_make(*p, (size_t)(value - *p));
    digits = slice_make(value,
                        (size_t)((const char *)memchr(value, '\n', (size_t)(end - value)) - value));
    record = records_find(&b->records, b->text);
    if (!record || !num_parse_u64(digits, &weight))
        return false;
    t->line += lines;
    t->profile->ledger.lines += lines;
    *p = value + digits.len + 1;
    *ok = builder_add_at(&b->maps.builder, record->series, record->stack,
                         (struct decimal){.value = weight});
    return true;
}

static bool bpftrace_lines(struct text *t, void *state, struct slice block)
{
    struct bpftrace *b = state;
    const char *end = block.ptr + block.len;
    struct slice line;
    bool ok = true;

    while (ok && block.len) {
        const char *p = block.ptr;

        if (*p == '@') {
            b->text = SLICE("");
            if (!b->open && read_known(t, b, &p, end, &ok)) {
                block = slice_make(p, (size_t)(end - p));
                continue;
            }
        }
        slice_line(&block, &line);
        t->line++;
        t->profile->ledger.lines++;
        ok = read_line(t, b, line);
    }
    b->text = SLICE(""); /* the block goes */
    return ok;
}

static bool bpftrace_end(struct text *t, void *state)
{
    struct bpftrace *b = state;

    drop_entry(t, b);
    return bpftrace_map_end(&b->maps);
}

static void bpftrace_release(void *state)
{
    struct bpftrace *b = state;

    bpftrace_map_release(&b->maps);
    buf_release(&b->name);
    buf_release(&b->keys);
    records_release(&b->records);
}

static const struct text_reader bpftrace_reader = {
    .state_size = sizeof(struct bpftrace),
    .begin = bpftrace_begin,
    .lines = bpftrace_lines,
    .end = bpftrace_end,
    .release = bpftrace_release,
};

const struct format format_bpftrace = {
    .name = "bpftrace",
    .family = FORMAT_LINUX,
    .description = "bpftrace's maps of stacks, a graph for each map",
    .recognised = "'@NAME[', frames, '...]: N'",
    .example = "bpftrace -e 'profile:hz:99 { @[kstack, ustack, comm] = count(); }' > app.bt",
    .without_stacks = "use kstack or ustack as a key of the map",
    .claims = bpftrace_claims,
    .reader = &bpftrace_reader,
};
