#include "base/num.h"
#include "match/pattern_parser.h"

static const char blanks[] = "\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}"
                             "\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
static const char others[] = "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}"
                             "\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}"
                             "\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}"
                             "\\x{ff00}-\\x{10ffff}";

/* Where case is ignored: U+017F and U+212A are other cases of s and k. */
static const char word[] = "A-Za-z0-9_\\x{17f}\\x{212a}";
static const char no_word[] = "\\x{0}-\\x{2f}\\x{3a}-\\x{40}\\x{5b}-\\x{5e}\\x{60}\\x{7b}-\\x{17e}"
                              "\\x{180}-\\x{2129}\\x{212b}-\\x{10ffff}";

/* ---- escapes -------------------------------------------------------------------------------- */

/* `count` hexadecimal digits. */
static bool take_hex(struct pattern_parser *p, size_t count, uint32_t *value)
{
    struct slice digits = slice_take(slice_skip(p->text, p->at), count);
    uint64_t n;

    if (digits.len < count || !num_parse_hex(digits, &n) || n > 0x10ffff)
        return false;
    *value = (uint32_t)n;
    p->at += count;
    return true;
}

/* Behind "\u": four digits, two such escapes that are a surrogate pair, or digits in braces. */
static bool take_unicode(struct pattern_parser *p, uint32_t *c)
{
    struct slice rest = slice_skip(p->text, p->at);
    size_t start;
    uint32_t low;

    if (pattern_take(p, "{")) {
        size_t end = slice_find(rest, '}');

        if (end == rest.len || end < 2)
            return false;
        rest = slice_take(slice_skip(rest, 1), end - 1);
        while (rest.len > 6 && rest.ptr[0] == '0') {
            rest = slice_skip(rest, 1);
            p->at++;
        }
        return take_hex(p, rest.len, c) && pattern_take(p, "}");
    }
    if (!take_hex(p, 4, c))
        return false;
    start = p->at;
    if (*c >= 0xd800 && *c < 0xdc00) {
        if (pattern_take(p, "\\u") && take_hex(p, 4, &low) && low >= 0xdc00 && low <= 0xdfff)
            *c = 0x10000 + ((*c - 0xd800) << 10) + (low - 0xdc00);
        else
            p->at = start;
    }
    return true;
}

/* An escape that stands for one character; p->at is behind the backslash. */
bool pattern_atom_escaped(struct pattern_parser *p, bool in_class, uint32_t *c)
{
    static const char from[] = "tnvfr", to[] = "\t\n\v\f\r";
    size_t start = p->at - 1;
    char letter = pattern_peek(p, 0);
    const char *control = letter ? strchr(from, letter) : NULL;

    if (p->at == p->text.len)
        return pattern_fail(p, start, "\\ at the end of the pattern");
    p->at++;
    if (control) {
        *c = (uint32_t)to[control - from];
        return true;
    }
    if (letter == 'c' && pattern_is_letter(pattern_peek(p, 0))) {
        *c = (uint32_t)pattern_peek(p, 0) & 31;
        p->at++;
        return true;
    }
    if (letter == '0' && !pattern_is_digit(pattern_peek(p, 0))) {
        *c = 0;
        return true;
    }
    if (letter == 'x')
        return take_hex(p, 2, c) || pattern_fail(p, start, "\\x needs two hexadecimal digits");
    if (letter == 'u')
        return take_unicode(p, c) || pattern_fail(p, start, "\\u needs four digits or {digits}");
    *c = (uint32_t)(letter == 'b' ? '\b' : letter);
    if (letter && (strchr("^$\\.*+?()[]{}|/", letter) || (in_class && strchr("-b", letter))))
        return true;
    return pattern_fail(p, start, "unknown escape");
}

/* An escape that stands for a set of characters; false, taking nothing, where it is none. */
bool pattern_atom_set(struct pattern_parser *p, bool in_class)
{
    char letter = pattern_peek(p, 0);

    if (!letter || !strchr("dDwWsS", letter))
        return false;
    p->at++;
    if (letter == 's' || letter == 'S')
        buf_printf(&p->out->text, in_class ? "%s" : "[%s]", letter == 's' ? blanks : others);
    else if (p->ignore_case && (letter == 'w' || letter == 'W'))
        buf_printf(&p->out->text, in_class ? "%s" : "[%s]", letter == 'w' ? word : no_word);
    else
        buf_printf(&p->out->text, "\\%c", letter);
    return true;
}

bool pattern_atom_property(struct pattern_parser *p, bool in_class)
{
    size_t start = p->at - 1;
    bool negated = pattern_peek(p, 0) == 'P';
    struct slice rest = slice_skip(p->text, p->at + 2);
    size_t end = slice_find(rest, '}');
    struct buf set;
    bool known;

    buf_init(&set);
    known = pattern_peek(p, 1) == '{' && end < rest.len &&
            pattern_property(&set, slice_take(rest, end), negated);
    pattern_add(p, in_class ? "" : "[");
    buf_add_slice(&p->out->text, buf_slice(&set));
    if (known && p->ignore_case)
        pattern_case_add(&p->out->text, set.ptr);
    pattern_add(p, in_class ? "" : "]");
    buf_release(&set);
    p->at += end + 3;
    return known || pattern_fail(p, start, "unknown property");
}

/* ---- character classes ---------------------------------------------------------------------- */

/* One character or set of a class; a set is written, a character given back. */
static bool take_class_atom(struct pattern_parser *p, bool *is_set, uint32_t *c)
{
    *is_set = false;
    if (!pattern_take(p, "\\")) {
        p->at += utf8_decode(slice_skip(p->text, p->at), c);
        return true;
    }
    *is_set = true;
    if (pattern_peek(p, 0) == 'p' || pattern_peek(p, 0) == 'P')
        return pattern_atom_property(p, true);
    if (pattern_atom_set(p, true))
        return true;
    *is_set = false;
    return pattern_atom_escaped(p, true, c);
}

/* Names hold no lone surrogates: what a range says of them is left out. */
static void add_range(struct pattern_parser *p, uint32_t first, uint32_t last)
{
    if (pattern_is_surrogate(first))
        first = 0xe000;
    if (pattern_is_surrogate(last))
        last = 0xd7ff;
    if (first > last)
        return;
    pattern_add_character(p, first);
    if (first == last)
        return;
    pattern_add(p, "-");
    pattern_add_character(p, last);
}

bool pattern_atom_class(struct pattern_parser *p)
{
    struct buf *out = &p->out->text;
    size_t start = p->at - 1;
    bool negated = pattern_take(p, "^");
    size_t before = out->len, opened;

    pattern_add(p, negated ? "[^" : "[");
    opened = out->len;
    while (!pattern_take(p, "]")) {
        bool first_set, last_set;
        uint32_t first, last;
        size_t from = p->at;

        if (p->at == p->text.len)
            return pattern_fail(p, start, "missing ] for the character class");
        if (!take_class_atom(p, &first_set, &first))
            return false;
        if (pattern_peek(p, 0) != '-' || pattern_peek(p, 1) == ']' || p->at + 1 == p->text.len) {
            if (!first_set)
                add_range(p, first, first);
            continue;
        }
        p->at++;
        if (!take_class_atom(p, &last_set, &last))
            return false;
        if (first_set || last_set)
            return pattern_fail(p, from, "a set cannot be the end of a range");
        if (first > last)
            return pattern_fail(p, from, "range out of order in character class");
        add_range(p, first, last);
    }
    if (out->len > opened) {
        pattern_add(p, "]");
        return true;
    }
    out->ptr[out->len = before] = '\0';
    pattern_add(p, negated ? "[\\x{0}-\\x{10ffff}]" : PATTERN_NOTHING);
    return true;
}
