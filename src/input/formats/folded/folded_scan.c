#include "input/formats/folded/folded_scan.h"

#include <string.h>

#include "base/die.h"
#include "base/hash.h"

void folded_scan_lane_init(struct folded_lane *lane, const struct input_limits *limits,
                           bool differential)
{
    *lane = (struct folded_lane){.limits = limits, .differential = differential};
    folded_names_init(&lane->names);
}

void folded_scan_lane_release(struct folded_lane *lane)
{
    folded_names_release(&lane->names);
    vec_release(&lane->symbols);
}

void folded_scan_release(struct folded_scan *scan)
{
    vec_release(&scan->lines);
    vec_release(&scan->frames);
    vec_release(&scan->path);
}

/* ---- one stack and the one before ---------------------------------------------------------- */

static size_t common_prefix(struct slice a, struct slice b)
{
    enum { WORD = 8 };
    size_t len = a.len < b.len ? a.len : b.len;
    size_t i = 0;

    for (; i < len; i += WORD) {
        uint64_t differ = hash_load((const unsigned char *)a.ptr + i, WORD) ^
                          hash_load((const unsigned char *)b.ptr + i, WORD);

        if (differ) {
            i += (size_t)__builtin_ctzll(differ) / 8;
            break;
        }
    }
    return i < len ? i : len;
}

struct folded_match folded_scan_match(struct slice before, struct slice text)
{
    size_t same = common_prefix(before, text);
    enum folded_order order = FOLDED_ASCENDS;

    if (same == before.len)
        order = same < text.len && text.ptr[same] != ';' ? FOLDED_BESIDE : FOLDED_EXTENDS;
    else if (same == text.len || (unsigned char)text.ptr[same] < (unsigned char)before.ptr[same])
        order = FOLDED_DESCENDS;
    return (struct folded_match){same, order};
}

/* Cuts the path to the frames that `text` begins with. */
static void keep_common_frames(struct folded_scan *scan, struct slice text, size_t same)
{
    bool boundary = same == text.len || text.ptr[same] == ';';
    size_t depth = scan->path.count;

    while (depth > 0 && (scan->path.items[depth - 1] > same ||
                         (scan->path.items[depth - 1] == same && !boundary)))
        depth--;
    scan->path.count = depth;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* The frames next to the leaf, as many as the limit lets through. */
static struct slice limit_depth(const struct input_limits *limits, struct folded_line *line)
{
    struct slice text = line->text, rest = text;
    size_t left = limits->max_depth;
    size_t cut;

    if (text.len < left)
        return text;
    do {
        cut = slice_find_last(rest, ';');
        if (cut == rest.len)
            return text;
        rest = slice_take(rest, cut);
    } while (--left > 0);
    line->truncated = true;
    return slice_skip(text, cut + 1);
}

static bool has_long_name(const struct input_limits *limits, struct slice text)
{
    struct slice name;

    if (text.len <= limits->max_name)
        return false;
    while (slice_cut(&text, ';', &name))
        if (name.len > limits->max_name)
            return true;
    return false;
}

/* The frames of a text behind those in the path. */
static void add_frames(struct folded_scan *scan, struct slice text)
{
    size_t depth = scan->path.count;
    size_t from = depth ? scan->path.items[depth - 1] + 1 : 0;
    const char *at = text.ptr + from, *end = text.ptr + text.len;

    if (!text.len || from > text.len)
        return;
    for (;; at++) {
        uint32_t name = folded_names_next(&scan->lane->names, &at, end);
        size_t to = (size_t)(at - text.ptr);

        *vec_add(&scan->frames) = (struct folded_frame){to, name};
        *vec_add(&scan->path) = to;
        if (at == end)
            return;
    }
}

static void add_stack(struct folded_scan *scan, struct folded_line line)
{
    const struct folded_lane *lane = scan->lane;

    line.text = limit_depth(lane->limits, &line);
    line.cut_name = has_long_name(lane->limits, line.text);
    line.alone = !scan->before.ptr;
    if (!line.alone) {
        line.match = folded_scan_match(scan->before, line.text);
        keep_common_frames(scan, line.text, line.match.same);
    }
    line.depth = scan->path.count;
    line.frames = scan->frames.count;
    add_frames(scan, line.text);
    line.frame_count = scan->frames.count - line.frames;
    scan->before = line.text;
    *vec_add(&scan->lines) = line;
}

/* The next stack is compared with none. */
static void forget_before(struct folded_scan *scan)
{
    scan->before = slice_make(NULL, 0);
    vec_clear(&scan->path);
}

/* A stack that may be the first of the file, with and without what bcc puts in front of that. */
static void add_interrupted(struct folded_scan *scan, struct folded_line line)
{
    line.when = FOLDED_UNLESS_FIRST;
    add_stack(scan, line);
    forget_before(scan);
    line.when = FOLDED_IF_FIRST;
    line.text = slice_skip(line.text, 2);
    add_stack(scan, line);
    forget_before(scan);
}

static void add_line(struct folded_scan *scan, struct slice text)
{
    struct folded_line line = {.number = scan->line_count};

    text = folded_weight_trim(text);
    if (!text.len)
        return;
    line.text = text;
    line.result = folded_weight_is_comment(text) ? FOLDED_WEIGHT_MISSING
                                                 : folded_weight_cut(&line.text, &line.weight);
    if (line.result != FOLDED_WEIGHT_OK) {
        *vec_add(&scan->lines) = line;
        return;
    }
    if (!scan->lane->differential || !folded_weight_cut_base(&line.text, &line.base))
        line.base = line.weight;
    if (line.text.len && line.text.ptr[line.text.len - 1] == ';')
        line.text.len--;
    if (!scan->before.ptr && slice_starts(line.text, SLICE("^C")))
        add_interrupted(scan, line);
    else
        add_stack(scan, line);
}

void folded_scan_block(struct folded_scan *scan, struct folded_lane *lane, struct slice block)
{
    const char *at = block.ptr, *end = block.ptr + block.len;

    scan->lane = lane;
    vec_clear(&scan->lines);
    vec_clear(&scan->frames);
    vec_reserve(&scan->frames, 1); /* never NULL */
    scan->line_count = 0;
    forget_before(scan);
    while (at < end) {
        const char *lf = memchr(at, '\n', (size_t)(end - at));

        BUG_ON(!lf);
        scan->line_count++;
        add_line(scan, slice_make(at, (size_t)(lf - at)));
        at = lf + 1;
    }
}
