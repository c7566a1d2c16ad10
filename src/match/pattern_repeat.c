/*
 * Repeats of such a pattern: how often a term may stand, written for PCRE2.
 */
#include "match/pattern_parser.h"

/* Digits as a number, at most UINT32_MAX; false where there are none. */
static bool take_count(struct pattern_parser *p, uint32_t *count)
{
    uint64_t n = 0;
    size_t start = p->at;

    for (; pattern_is_digit(pattern_peek(p, 0)); p->at++)
        n = n > UINT32_MAX ? n : n * 10 + (uint64_t)(pattern_peek(p, 0) - '0');
    *count = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
    return p->at > start;
}

struct counts {
    uint32_t least, most;
};

static bool take_braces(struct pattern_parser *p, struct counts *counts)
{
    size_t start = p->at;
    bool open = false;

    p->at++;
    if (!take_count(p, &counts->least))
        return pattern_fail(p, start, "a brace that is no repeat must be escaped");
    counts->most = counts->least;
    if (pattern_take(p, ","))
        open = !take_count(p, &counts->most);
    if (!pattern_take(p, "}"))
        return pattern_fail(p, start, "a brace that is no repeat must be escaped");
    if (!open && counts->most < counts->least)
        return pattern_fail(p, start, "numbers out of order in {}");
    if (open)
        counts->most = UINT32_MAX;
    return counts->most || pattern_fail(p, start, "a repeat of no times");
}

static bool has_capture(const struct pattern_parser *p, uint32_t group)
{
    while (group && group < p->groups.count && !p->groups.items[group].capture)
        group++;
    return group && group < p->groups.count;
}

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* PCRE2 counts to 65535. */
enum { COUNT_MOST = 65535, COPIES = 16 };

static void write_counts(struct buf *out, struct counts counts, bool lazy)
{
    if (counts.most == UINT32_MAX)
        buf_printf(out, "{%u,}", counts.least);
    else
        buf_printf(out, "{%u,%u}", counts.least, counts.most);
    buf_add_str(out, lazy ? "?" : "");
}

/*
 * A term that is repeated more often: x{65535} and what remains of the counts,
 * or else x as often as is less; no number of them can come about in two ways.
 */
static void write_long_repeat(struct buf *out, struct slice term, struct counts counts, bool lazy)
{
    const struct counts full = {COUNT_MOST, COUNT_MOST};
    struct counts fewer[COPIES];
    size_t open = 0;

    while (counts.least > COUNT_MOST || (counts.most > COUNT_MOST && counts.most != UINT32_MAX)) {
        if (counts.least < COUNT_MOST) {
            fewer[open++] = (struct counts){counts.least, COUNT_MOST - 1};
            buf_add_str(out, "(?:");
            if (lazy) {
                buf_add_slice(out, term);
                write_counts(out, fewer[open - 1], true);
                buf_add_str(out, "|");
            }
        }
        buf_add_slice(out, term);
        write_counts(out, full, false);
        counts.least -= lesser(counts.least, COUNT_MOST);
        counts.most -= counts.most == UINT32_MAX ? 0 : COUNT_MOST;
    }
    buf_add_slice(out, term);
    write_counts(out, counts, lazy);
    while (open--) {
        if (!lazy) {
            buf_add_str(out, "|");
            buf_add_slice(out, term);
            write_counts(out, fewer[open], false);
        }
        buf_add_str(out, ")");
    }
}

static bool write_repeat(struct pattern_parser *p, struct counts counts, bool lazy, size_t at)
{
    struct buf *out = &p->out->text, term;
    const uint32_t most = counts.most == UINT32_MAX ? counts.least : counts.most;

    if (most > COUNT_MOST && has_capture(p, p->closed))
        return pattern_fail(p, at, "a count above 65535 for a group that captures");
    if (most > COPIES * COUNT_MOST)
        return pattern_fail(p, at, "number too big in {}");
    if (most <= COUNT_MOST) {
        write_counts(out, counts, lazy);
        return true;
    }
    buf_init(&term);
    buf_add(&term, out->ptr + p->term, out->len - p->term);
    out->len = p->term;
    write_long_repeat(out, buf_slice(&term), counts, lazy);
    buf_release(&term);
    return true;
}

bool pattern_repeat_take(struct pattern_parser *p)
{
    char c = pattern_peek(p, 0);
    struct counts counts = {c == '+', c == '?' ? 1 : UINT32_MAX};
    size_t start = p->at;

    if (c == '{') {
        if (!take_braces(p, &counts) || !write_repeat(p, counts, pattern_take(p, "?"), start))
            return false;
    } else {
        p->at++;
        buf_add_char(&p->out->text, c);
        if (pattern_take(p, "?"))
            pattern_add(p, "?");
    }
    p->groups.items[p->closed].optional |= counts.least == 0;
    p->groups.items[p->closed].repeated |= counts.most > 1;
    p->takes &= counts.least > 0;
    return true;
}
