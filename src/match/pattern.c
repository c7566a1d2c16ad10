#include "match/pattern.h"

#include <stdint.h>
#include <string.h>

#include "base/num.h"
#include "base/utf8.h"
#include "match/literal.h"

enum { COUNT_MOST = 65535 }; /* PCRE2 allows no larger count in {} */

/* What precedes a quantifier. */
enum term {
    TERM_NONE,      /* nothing, or another quantifier */
    TERM_ATOM,      /* may be repeated */
    TERM_CAPTURE,   /* a capture group: may be repeated, but then no back reference may name it */
    TERM_ASSERTION, /* must not be repeated */
};

enum group_kind { GROUP_PLAIN, GROUP_CAPTURE, GROUP_AHEAD, GROUP_BEHIND };

struct group {
    enum group_kind kind;
    uint32_t capture; /* number of a GROUP_CAPTURE, from 1 */
    size_t passed;    /* parser.passed.count at its opening */
};

struct parser {
    struct pattern *out;
    struct slice text;
    size_t at;
    struct buf *why;
    bool ignore_case;
    VEC(struct group) open; /* the groups around `at`; the first is the whole pattern */
    /*
     * The captures that a reference may name at this place, because every way
     * here leads through them exactly once. The browser forgets what was
     * captured in earlier rounds of a repeat and PCRE2 does not; for these
     * captures that makes no difference.
     */
    VEC(uint32_t) passed;
    uint32_t captures;   /* capturing groups so far */
    uint32_t lookbehind; /* open lookbehinds; the browser matches inside them from right to left */
};

/*
 * If case is ignored, the browser has two more word characters: U+017F and
 * U+212A are other cases of s and k.
 */
#define WORD "A-Za-z0-9_\\x{17f}\\x{212a}"

static const struct {
    char letter;
    const char *plain, *ignoring; /* as the content of a class */
} sets[] = {
#define BLANKS                                                                                     \
    "\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}"  \
    "\\x{3000}\\x{feff}"
#define NO_BLANKS                                                                                  \
    "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}"               \
    "\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}"                 \
    "\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}"
    {'d', "\\d", "\\d"},
    {'D', "\\D", "\\D"},
    {'s', BLANKS, BLANKS},
    {'S', NO_BLANKS, NO_BLANKS},
    {'w', "\\w", WORD},
    {'W', "\\W",
     "\\x{0}-\\x{2f}\\x{3a}-\\x{40}\\x{5b}-\\x{5e}\\x{60}\\x{7b}-\\x{17e}\\x{180}-\\x{2129}"
     "\\x{212b}-\\x{10ffff}"},
};

/* General categories and binary properties. */
static const char properties[] =
    " L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc "
    "Cf Co Cn Any ASCII Alphabetic Lowercase Uppercase ";

void pattern_release(struct pattern *p)
{
    buf_release(&p->text);
    vec_release(&p->origins);
}

size_t pattern_origin(const struct pattern *p, size_t offset)
{
    size_t from = 0;

    for (size_t i = 0; i < p->origins.count && p->origins.items[i].to <= offset; i++)
        from = p->origins.items[i].from;
    return from;
}

/* ---- steps of the parser -------------------------------------------------------------------- */

static bool fail(struct parser *p, size_t at, const char *what)
{
    buf_printf(p->why, "%s at offset %zu", what, at);
    return false;
}

/* The byte `ahead` of the next one; 0 at the end, which no caller asks for. */
static char peek(const struct parser *p, size_t ahead)
{
    return p->at + ahead < p->text.len ? p->text.ptr[p->at + ahead] : '\0';
}

static bool take(struct parser *p, const char *word)
{
    if (!slice_starts(slice_skip(p->text, p->at), slice_str(word)))
        return false;
    p->at += strlen(word);
    return true;
}

/* Takes decimal digits. A number above `most` becomes `most`; false if there is no digit. */
static bool take_number(struct parser *p, uint32_t most, uint32_t *value)
{
    size_t start = p->at;
    uint64_t n = 0;

    for (; peek(p, 0) >= '0' && peek(p, 0) <= '9'; p->at++)
        n = n > most ? n : n * 10 + (uint64_t)(peek(p, 0) - '0');
    *value = n > most ? most : (uint32_t)n;
    return p->at > start;
}

static void add(struct parser *p, const char *text)
{
    buf_add_str(&p->out->text, text);
}

static void add_character(struct parser *p, uint32_t c)
{
    bool plain = c == '_' || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');

    if (c < 0x80 && !plain)
        buf_printf(&p->out->text, "\\x{%x}", c);
    else
        utf8_encode(&p->out->text, c);
}

/* ---- escapes -------------------------------------------------------------------------------- */

/* Takes `count` hexadecimal digits. */
static bool take_hex(struct parser *p, size_t count, uint32_t *value)
{
    struct slice digits = slice_take(slice_skip(p->text, p->at), count);
    uint64_t n;

    if (!count || digits.len < count || !num_parse_hex(digits, &n) || n > 0x10ffff)
        return false;
    *value = (uint32_t)n;
    p->at += count;
    return true;
}

/* Takes "XXXX" or "{X...}" after "\u". */
static bool take_unicode(struct parser *p, uint32_t *c)
{
    if (!take(p, "{"))
        return take_hex(p, 4, c);
    return take_hex(p, slice_find(slice_skip(p->text, p->at), '}'), c) && take(p, "}");
}

/* Takes an escape that is one character; p->at is after the backslash. */
static bool take_escaped(struct parser *p, bool in_class, uint32_t *c)
{
    static const char from[] = "tnvfr", to[] = "\t\n\v\f\r";
    size_t start = p->at - 1;
    char letter = peek(p, 0);
    const char *control = letter ? strchr(from, letter) : NULL;

    if (p->at == p->text.len)
        return fail(p, start, "\\ at the end of the pattern");
    p->at++;
    if (control) {
        *c = (uint32_t)to[control - from];
        return true;
    }
    if (letter == 'x')
        return take_hex(p, 2, c) || fail(p, start, "\\x needs two hexadecimal digits");
    if (letter == 'u') {
        if (!take_unicode(p, c))
            return fail(p, start, "\\u needs four digits or {digits}");
        return *c < 0xd800 || *c > 0xdfff || fail(p, start, "unsupported surrogate");
    }
    *c = (uint32_t)(letter == 'b' ? '\b' : letter);
    if (letter && (strchr("^$\\.*+?()[]{}|/", letter) || (in_class && letter == 'b')))
        return true;
    if (literal_is_plain(letter))
        return true;
    return fail(p, start, "unknown or unsupported escape");
}

/* Translates \d and the like. Returns false, taking nothing, if the escape is another one. */
static bool take_set(struct parser *p, bool in_class)
{
    char letter = peek(p, 0);

    for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
        if (sets[i].letter == letter) {
            buf_printf(&p->out->text, in_class ? "%s" : "[%s]",
                       p->ignore_case ? sets[i].ignoring : sets[i].plain);
            p->at++;
            return true;
        }
    }
    return false;
}

static bool is_property(struct slice name)
{
    struct slice rest = slice_str(properties), known;

    while (slice_word(&rest, &known))
        if (slice_equal(known, name))
            return true;
    return false;
}

/* Translates \p{...}; p->at is at the letter. */
static bool take_property(struct parser *p)
{
    size_t start = p->at - 1;
    struct slice rest = slice_skip(p->text, p->at + 2);
    size_t end = slice_find(rest, '}');

    if (p->ignore_case)
        return fail(p, start, "unsupported property: case is ignored");
    if (peek(p, 1) != '{' || end == rest.len || !is_property(slice_take(rest, end)))
        return fail(p, start, "unknown or unsupported property");
    buf_add_slice(&p->out->text, slice_take(slice_skip(p->text, start), end + 4));
    p->at += end + 3;
    return true;
}

/* ---- character classes ---------------------------------------------------------------------- */

/* Takes one element of a class. A set is translated at once, a character returned in `c`. */
static bool take_class_atom(struct parser *p, bool *is_set, uint32_t *c)
{
    *is_set = false;
    if (!take(p, "\\")) {
        p->at += utf8_decode(slice_skip(p->text, p->at), c);
        return true;
    }
    *is_set = true;
    if (peek(p, 0) == 'p' || peek(p, 0) == 'P')
        return take_property(p);
    if (take_set(p, true))
        return true;
    *is_set = false;
    return take_escaped(p, true, c);
}

/* Takes one element of a class or a range of two. */
static bool take_class_range(struct parser *p)
{
    bool first_set, last_set;
    uint32_t first, last;
    size_t start = p->at;

    if (!take_class_atom(p, &first_set, &first))
        return false;
    if (!first_set)
        add_character(p, first);
    if (peek(p, 0) != '-' || peek(p, 1) == ']' || p->at + 1 == p->text.len)
        return true;
    p->at++;
    add(p, "-");
    if (!take_class_atom(p, &last_set, &last))
        return false;
    if (first_set || last_set)
        return fail(p, start, "a set cannot be the end of a range");
    if (first > last)
        return fail(p, start, "range out of order in character class");
    add_character(p, last);
    return true;
}

static bool take_class(struct parser *p)
{
    size_t start = p->at++;

    add(p, "[");
    if (take(p, "^"))
        add(p, "^");
    if (peek(p, 0) == ']')
        return fail(p, start, "unsupported empty class");
    while (!take(p, "]")) {
        if (p->at == p->text.len)
            return fail(p, start, "missing ] for the character class");
        if (!take_class_range(p))
            return false;
    }
    add(p, "]");
    return true;
}

/* ---- groups and references ------------------------------------------------------------------ */

static struct group *innermost(struct parser *p)
{
    return &p->open.items[p->open.count - 1];
}

static bool open_group(struct parser *p)
{
    static const struct {
        const char *text;
        enum group_kind kind;
    } openings[] = {
        {"(?:", GROUP_PLAIN},   {"(?=", GROUP_AHEAD},   {"(?!", GROUP_AHEAD},
        {"(?<=", GROUP_BEHIND}, {"(?<!", GROUP_BEHIND}, {"(", GROUP_CAPTURE},
    };
    const size_t start = p->at;
    size_t i = 0;

    while (!take(p, openings[i].text))
        i++;
    if (openings[i].kind == GROUP_CAPTURE && peek(p, 0) == '?')
        return fail(p, start,
                    peek(p, 1) == '<' ? "unsupported group name" : "unknown kind of group");
    add(p, openings[i].text);
    p->captures += openings[i].kind == GROUP_CAPTURE;
    p->lookbehind += openings[i].kind == GROUP_BEHIND;
    *vec_add(&p->open) = (struct group){openings[i].kind, p->captures, p->passed.count};
    return true;
}

static bool close_group(struct parser *p, enum term *term)
{
    const struct group group = *innermost(p);

    if (p->open.count == 1)
        return fail(p, p->at, "unmatched closing parenthesis");
    p->at++;
    add(p, ")");
    p->open.count--;
    p->passed.count = group.passed;
    p->lookbehind -= group.kind == GROUP_BEHIND;
    *term = group.kind == GROUP_AHEAD || group.kind == GROUP_BEHIND ? TERM_ASSERTION : TERM_ATOM;
    if (group.kind == GROUP_CAPTURE && !p->lookbehind) {
        *term = TERM_CAPTURE;
        *vec_add(&p->passed) = group.capture;
    }
    return true;
}

static bool take_reference(struct parser *p, size_t start)
{
    uint32_t number;

    take_number(p, UINT32_MAX, &number);
    vec_each (uint32_t, capture, &p->passed) {
        if (*capture == number) {
            buf_printf(&p->out->text, "\\g{%u}", number);
            return true;
        }
    }
    return fail(p, start, "unsupported reference: its group may not have matched here");
}

/* ---- the pattern ---------------------------------------------------------------------------- */

static bool take_braces(struct parser *p)
{
    const size_t start = p->at++;
    uint32_t least, most;
    bool open = false;

    if (!take_number(p, COUNT_MOST + 1, &least))
        return fail(p, start, "a brace that is no repeat must be escaped");
    if (!take(p, ",")) {
        most = least;
    } else if (!take_number(p, COUNT_MOST + 1, &most)) {
        most = COUNT_MOST;
        open = true;
    }
    if (!take(p, "}"))
        return fail(p, start, "a brace that is no repeat must be escaped");
    if (most < least && !open)
        return fail(p, start, "numbers out of order in {}");
    if (!most || most > COUNT_MOST || least > COUNT_MOST)
        return fail(p, start, "a count in {} must be from 1 to 65535");
    buf_printf(&p->out->text, open ? "{%u,}" : "{%u,%u}", least, most);
    return true;
}

static bool take_repeat(struct parser *p, enum term *term)
{
    if (*term == TERM_NONE || *term == TERM_ASSERTION)
        return fail(p, p->at, "nothing to repeat");
    if (*term == TERM_CAPTURE)
        p->passed.count--;
    *term = TERM_NONE;
    if (peek(p, 0) != '{')
        buf_add_char(&p->out->text, p->text.ptr[p->at++]);
    else if (!take_braces(p))
        return false;
    if (take(p, "?"))
        add(p, "?");
    return true;
}

static void add_boundary(struct parser *p, bool negated)
{
#define WORD_BEFORE "(?<=[" WORD "])"
#define NONE_BEFORE "(?<![" WORD "])"
#define WORD_AFTER "(?=[" WORD "])"
#define NONE_AFTER "(?![" WORD "])"
    if (!p->ignore_case)
        add(p, negated ? "\\B" : "\\b");
    else if (negated)
        add(p, "(?:" WORD_BEFORE WORD_AFTER "|" NONE_BEFORE NONE_AFTER ")");
    else
        add(p, "(?:" WORD_BEFORE NONE_AFTER "|" NONE_BEFORE WORD_AFTER ")");
}

static bool take_escape(struct parser *p, enum term *term)
{
    size_t start = p->at++;
    char letter = peek(p, 0);
    uint32_t c;

    *term = TERM_ATOM;
    if (letter == 'b' || letter == 'B') {
        *term = TERM_ASSERTION;
        p->at++;
        add_boundary(p, letter == 'B');
        return true;
    }
    if (letter >= '1' && letter <= '9')
        return take_reference(p, start);
    if (letter == 'p' || letter == 'P')
        return take_property(p);
    if (take_set(p, false))
        return true;
    if (!take_escaped(p, false, &c))
        return false;
    add_character(p, c);
    return true;
}

static bool take_term(struct parser *p, enum term *term)
{
    const enum term before = *term;
    uint32_t c;

    *term = TERM_ATOM;
    switch (peek(p, 0)) {
    case '\\':
        return take_escape(p, term);
    case '(':
        *term = TERM_NONE;
        return open_group(p);
    case ')':
        return close_group(p, term);
    case '[':
        return take_class(p);
    case '.':
        p->at++;
        add(p, "[^\\n\\r\\x{2028}\\x{2029}]");
        return true;
    case '^':
    case '$':
        *term = TERM_ASSERTION;
        buf_add_char(&p->out->text, p->text.ptr[p->at++]);
        return true;
    case '|':
        *term = TERM_NONE;
        p->passed.count = innermost(p)->passed;
        buf_add_char(&p->out->text, p->text.ptr[p->at++]);
        return true;
    case '{':
        if (before == TERM_NONE || before == TERM_ASSERTION)
            return fail(p, p->at, "a brace that is no repeat must be escaped");
        /* fall through */
    case '*':
    case '+':
    case '?':
        *term = before;
        return take_repeat(p, term);
    case '}':
    case ']':
        return fail(p, p->at, "an unmatched bracket must be escaped");
    default:
        p->at += utf8_decode(slice_skip(p->text, p->at), &c);
        add_character(p, c);
        return true;
    }
}

bool pattern_translate(struct pattern *out, struct slice source, bool ignore_case, struct buf *why)
{
    struct parser p = {.out = out, .text = source, .why = why, .ignore_case = ignore_case};
    enum term term = TERM_NONE;
    bool ok = true;

    *vec_add(&p.open) = (struct group){0};
    while (ok && p.at < source.len) {
        *vec_add(&out->origins) = (struct pattern_origin){out->text.len, p.at};
        ok = take_term(&p, &term);
    }
    if (ok && p.open.count > 1)
        ok = fail(&p, p.at, "missing closing parenthesis");
    *vec_add(&out->origins) = (struct pattern_origin){out->text.len, source.len};
    vec_release(&p.open);
    vec_release(&p.passed);
    return ok;
}
