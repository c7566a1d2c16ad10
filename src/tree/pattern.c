#include "tree/pattern.h"

#include "base/num.h"
#include "base/utf8.h"
#include "tree/pattern_parser.h"

/* What stands before a quantifier. */
enum term {
    TERM_NONE,   /* nothing, or another quantifier */
    TERM_ATOM,   /* may be repeated */
    TERM_ASSERT, /* an assertion: may not */
};

void pattern_init(struct pattern *p)
{
    *p = (struct pattern){0};
    buf_init(&p->text);
}

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

/* ---- groups and references ------------------------------------------------------------------ */

static bool is_name_character(uint32_t c, bool first)
{
    return c == '$' || c == '_' || c >= 0x80 || pattern_is_letter((char)c) ||
           (!first && pattern_is_digit((char)c));
}

/* "name>", behind "(?<" or "\k<". */
static bool take_name(struct pattern_parser *p, struct slice *name)
{
    struct slice rest = slice_skip(p->text, p->at);

    *name = slice_take(rest, slice_find(rest, '>'));
    if (name->len == rest.len || !name->len)
        return false;
    for (size_t i = 0; i < name->len; i++)
        if (!is_name_character((unsigned char)name->ptr[i], i == 0))
            return false;
    p->at += name->len + 1;
    return true;
}

/* Finds all capturing groups beforehand: a reference may stand before its group. */
static bool find_groups(struct pattern_parser *p)
{
    bool in_class = false;

    for (; p->at < p->text.len; p->at++) {
        struct slice name = {0};
        char c = pattern_peek(p, 0);
        size_t start = p->at;

        if (c == '\\')
            p->at++;
        else if (c == '[' || c == ']')
            in_class = c == '[';
        if (c != '(' || in_class)
            continue;
        if (pattern_take(p, "(?<") && pattern_peek(p, 0) != '=' && pattern_peek(p, 0) != '!') {
            if (!take_name(p, &name))
                return pattern_fail(p, start, "invalid group name");
            for (size_t i = 0; i < p->names.count; i++)
                if (slice_equal(p->names.items[i], name))
                    return pattern_fail(p, start, "group name is there already");
            p->at--;
        } else {
            p->at = start;
            if (pattern_peek(p, 1) == '?')
                continue;
        }
        *vec_add(&p->names) = name;
    }
    p->at = 0;
    return true;
}

static bool take_named_reference(struct pattern_parser *p, size_t start)
{
    struct slice name;

    if (!pattern_take(p, "k<") || !take_name(p, &name))
        return pattern_fail(p, start, "\\k needs <name>");
    for (size_t i = 0; i < p->names.count; i++) {
        if (slice_equal(p->names.items[i], name)) {
            buf_printf(&p->out->text, "\\g{%zu}", i + 1);
            return true;
        }
    }
    return pattern_fail(p, start, "there is no group of this name");
}

static bool take_reference(struct pattern_parser *p, size_t start)
{
    size_t end = p->at;
    uint64_t number;

    while (end < p->text.len && pattern_is_digit(p->text.ptr[end]))
        end++;
    if (!num_parse_u64(slice_take(slice_skip(p->text, p->at), end - p->at), &number) ||
        number > p->names.count)
        return pattern_fail(p, start, "there is no group of this number");
    p->at = end;
    buf_printf(&p->out->text, "\\g{%u}", (unsigned)number);
    return true;
}

struct opening {
    const char *from, *to;
    enum pattern_group group;
};

static bool open_group(struct pattern_parser *p)
{
    static const struct opening openings[] = {
        {"(?:", "(?:", PATTERN_PLAIN},  {"(?=", "(?=", PATTERN_LOOK},
        {"(?!", "(?!", PATTERN_LOOK},   {"(?<=", "(?<=", PATTERN_LOOK},
        {"(?<!", "(?<!", PATTERN_LOOK},
    };
    struct slice name;

    for (size_t i = 0; i < sizeof(openings) / sizeof(openings[0]); i++) {
        if (pattern_take(p, openings[i].from)) {
            pattern_add(p, openings[i].to);
            *vec_add(&p->open) = openings[i].group;
            return true;
        }
    }
    if (!pattern_take(p, "(?<"))
        p->at++;
    else if (!take_name(p, &name))
        return pattern_fail(p, p->at, "invalid group name");
    if (pattern_peek(p, 0) == '?')
        return pattern_fail(p, p->at - 1, "unknown kind of group");
    pattern_add(p, "(");
    *vec_add(&p->open) = PATTERN_PLAIN;
    return true;
}

static bool close_group(struct pattern_parser *p, enum term *term)
{
    if (!p->open.count)
        return pattern_fail(p, p->at, "unmatched closing parenthesis");
    p->at++;
    pattern_add(p, ")");
    *term = p->open.items[--p->open.count] == PATTERN_LOOK ? TERM_ASSERT : TERM_ATOM;
    return true;
}

/* ---- repeats -------------------------------------------------------------------------------- */

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

/* PCRE2 counts to 65535, which is more than a name has characters. */
static bool take_braces(struct pattern_parser *p)
{
    enum { COUNT_MOST = 65535 };
    uint32_t least, most;
    size_t start = p->at;
    bool open = false;

    p->at++;
    if (!take_count(p, &least))
        return pattern_fail(p, start, "a brace that is no repeat must be escaped");
    most = least;
    if (pattern_take(p, ","))
        open = !take_count(p, &most);
    if (!pattern_take(p, "}"))
        return pattern_fail(p, start, "a brace that is no repeat must be escaped");
    if (!open && most < least)
        return pattern_fail(p, start, "numbers out of order in {}");
    if (least > COUNT_MOST)
        return pattern_fail(p, start, "number too big in {}");
    if (open || most > COUNT_MOST)
        buf_printf(&p->out->text, "{%u,}", least);
    else
        buf_printf(&p->out->text, "{%u,%u}", least, most);
    return true;
}

static bool take_repeat(struct pattern_parser *p, enum term *term)
{
    char c = pattern_peek(p, 0);

    if (*term != TERM_ATOM)
        return pattern_fail(p, p->at, "nothing to repeat");
    if (c == '{') {
        if (!take_braces(p))
            return false;
    } else {
        p->at++;
        buf_add_char(&p->out->text, c);
    }
    if (pattern_take(p, "?"))
        pattern_add(p, "?");
    *term = TERM_NONE;
    return true;
}

/* ---- the pattern ---------------------------------------------------------------------------- */

static bool take_escape(struct pattern_parser *p, enum term *term)
{
    size_t start = p->at++;
    char letter = pattern_peek(p, 0);
    uint32_t c;

    *term = letter == 'b' || letter == 'B' ? TERM_ASSERT : TERM_ATOM;
    if (*term == TERM_ASSERT) {
        p->at++;
        buf_printf(&p->out->text, "\\%c", letter);
        return true;
    }
    if (letter == 'k')
        return take_named_reference(p, start);
    if (letter >= '1' && letter <= '9')
        return take_reference(p, start);
    if (letter == 'p' || letter == 'P')
        return pattern_atom_property(p);
    if (pattern_atom_set(p, false))
        return true;
    if (!pattern_atom_escaped(p, false, &c))
        return false;
    if (pattern_is_surrogate(c))
        pattern_add(p, PATTERN_NOTHING);
    else
        pattern_add_character(p, c);
    return true;
}

static bool take_literal(struct pattern_parser *p, enum term *term)
{
    uint32_t c;

    p->at += utf8_decode(slice_skip(p->text, p->at), &c);
    pattern_add_character(p, c);
    *term = TERM_ATOM;
    return true;
}

static bool take_term(struct pattern_parser *p, enum term *term)
{
    switch (pattern_peek(p, 0)) {
    case '\\':
        return take_escape(p, term);
    case '(':
        *term = TERM_NONE;
        return open_group(p);
    case ')':
        return close_group(p, term);
    case '[':
        p->at++;
        *term = TERM_ATOM;
        return pattern_atom_class(p);
    case '.':
        p->at++;
        *term = TERM_ATOM;
        pattern_add(p, "[^\\n\\r\\x{2028}\\x{2029}]");
        return true;
    case '^':
    case '$':
        *term = TERM_ASSERT;
        buf_add_char(&p->out->text, p->text.ptr[p->at++]);
        return true;
    case '|':
        *term = TERM_NONE;
        buf_add_char(&p->out->text, p->text.ptr[p->at++]);
        return true;
    case '*':
    case '+':
    case '?':
        return take_repeat(p, term);
    case '{':
        if (*term == TERM_ATOM)
            return take_repeat(p, term);
        return pattern_fail(p, p->at, "a brace that is no repeat must be escaped");
    case '}':
    case ']':
        return pattern_fail(p, p->at, "an unmatched bracket must be escaped");
    default:
        return take_literal(p, term);
    }
}

bool pattern_translate(struct pattern *out, struct slice source, struct buf *why)
{
    struct pattern_parser p = {.out = out, .text = source, .why = why};
    enum term term = TERM_NONE;
    bool ok = find_groups(&p);

    while (ok && p.at < source.len) {
        *vec_add(&out->origins) = (struct pattern_origin){out->text.len, p.at};
        ok = take_term(&p, &term);
    }
    if (ok && p.open.count)
        ok = pattern_fail(&p, p.at, "missing closing parenthesis");
    *vec_add(&out->origins) = (struct pattern_origin){out->text.len, source.len};
    vec_release(&p.names);
    vec_release(&p.open);
    return ok;
}
