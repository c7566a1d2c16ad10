#include "match/pattern.h"

#include "base/num.h"
#include "base/utf8.h"
#include "match/pattern_parser.h"

/* What stands before a quantifier. */
enum term {
    TERM_NONE,   /* nothing, or another quantifier */
    TERM_ATOM,   /* may be repeated */
    TERM_ASSERT, /* an assertion: may not */
};

/* Where case is ignored; the last two are other cases of s and k. */
#define WORD "[A-Za-z0-9_\\x{17f}\\x{212a}]"

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

static void add_reference(struct pattern_parser *p, uint32_t capture, size_t start)
{
    uint32_t parent = p->open.items[p->open.count - 1];

    p->takes = false;
    if (pattern_capture_is_nothing(p, capture)) {
        pattern_add(p, "(?:)");
        return;
    }
    buf_printf(&p->out->text, "(?:\\g{%u})", (unsigned)capture);
    *vec_add(&p->references) = (struct pattern_reference){
        capture,
        parent,
        (uint32_t)p->groups.count,
        start,
    };
}

static bool take_named_reference(struct pattern_parser *p, size_t start)
{
    struct slice name;

    if (!pattern_take(p, "k<") || !take_name(p, &name))
        return pattern_fail(p, start, "\\k needs <name>");
    for (size_t i = 0; i < p->names.count; i++) {
        if (slice_equal(p->names.items[i], name)) {
            add_reference(p, (uint32_t)i + 1, start);
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
    add_reference(p, (uint32_t)number, start);
    return true;
}

struct opening {
    const char *text;
    enum pattern_kind kind;
    bool negative;
};

static void add_group(struct pattern_parser *p, enum pattern_kind kind, bool negative,
                      bool captures)
{
    uint32_t parent = p->open.items[p->open.count - 1];

    p->takes = false;
    *vec_add(&p->open) = (uint32_t)p->groups.count;
    *vec_add(&p->groups) = (struct pattern_group){
        .kind = kind,
        .parent = parent,
        .branch = p->groups.items[parent].branches,
        .capture = captures ? ++p->captures : 0,
        .to = p->term,
        .optional = negative,
    };
}

static bool open_group(struct pattern_parser *p)
{
    static const struct opening openings[] = {
        {"(?:", PATTERN_PLAIN, false},  {"(?=", PATTERN_AHEAD, false},
        {"(?!", PATTERN_AHEAD, true},   {"(?<=", PATTERN_BEHIND, false},
        {"(?<!", PATTERN_BEHIND, true},
    };
    struct slice name;

    for (size_t i = 0; i < sizeof(openings) / sizeof(openings[0]); i++) {
        if (pattern_take(p, openings[i].text)) {
            pattern_add(p, openings[i].text);
            add_group(p, openings[i].kind, openings[i].negative, false);
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
    add_group(p, PATTERN_PLAIN, false, true);
    return true;
}

/* The end of an alternative of the innermost group. */
static struct pattern_group *end_branch(struct pattern_parser *p)
{
    struct pattern_group *group = &p->groups.items[p->open.items[p->open.count - 1]];

    group->empty |= !group->takes;
    group->takes = false;
    return group;
}

static bool close_group(struct pattern_parser *p, enum term *term)
{
    const struct pattern_group *group = end_branch(p);

    if (p->open.count == 1)
        return pattern_fail(p, p->at, "unmatched closing parenthesis");
    p->at++;
    pattern_add(p, ")");
    p->closed = p->open.items[--p->open.count];
    p->term = group->to;
    p->takes = group->kind == PATTERN_PLAIN && !group->empty;
    *term = group->kind == PATTERN_PLAIN ? TERM_ATOM : TERM_ASSERT;
    return true;
}

static bool take_repeat(struct pattern_parser *p, enum term *term)
{
    if (*term != TERM_ATOM)
        return pattern_fail(p, p->at, "nothing to repeat");
    *term = TERM_NONE;
    return pattern_repeat_take(p);
}

/* ---- the pattern ---------------------------------------------------------------------------- */

/* \b, or \B: where case is ignored, two letters more are word characters, as in \w. */
static void add_boundary(struct pattern_parser *p, bool negated)
{
    static const char *const forms[2][2] = {
        {"\\b", "\\B"},
        {"(?:(?<=" WORD ")(?!" WORD ")|(?<!" WORD ")(?=" WORD "))",
         "(?:(?<=" WORD ")(?=" WORD ")|(?<!" WORD ")(?!" WORD "))"},
    };

    pattern_add(p, forms[p->ignore_case][negated]);
}

static bool take_escape(struct pattern_parser *p, enum term *term)
{
    size_t start = p->at++;
    char letter = pattern_peek(p, 0);
    uint32_t c;

    *term = letter == 'b' || letter == 'B' ? TERM_ASSERT : TERM_ATOM;
    if (*term == TERM_ASSERT) {
        p->at++;
        p->takes = false;
        add_boundary(p, letter == 'B');
        return true;
    }
    if (letter == 'k')
        return take_named_reference(p, start);
    if (letter >= '1' && letter <= '9')
        return take_reference(p, start);
    if (letter == 'p' || letter == 'P')
        return pattern_atom_property(p, false);
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
        p->takes = false;
        buf_add_char(&p->out->text, p->text.ptr[p->at++]);
        return true;
    case '|':
        *term = TERM_NONE;
        p->takes = false;
        end_branch(p)->branches++;
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

/* Whether what comes says how often the term before it is repeated. */
static bool is_repeat(const struct pattern_parser *p)
{
    char c = pattern_peek(p, 0);

    return c == '*' || c == '+' || c == '?' || c == '{';
}

static bool take_terms(struct pattern_parser *p)
{
    enum term term = TERM_NONE;

    while (p->at < p->text.len) {
        *vec_add(&p->out->origins) = (struct pattern_origin){p->out->text.len, p->at};
        if (!is_repeat(p)) {
            p->groups.items[p->open.items[p->open.count - 1]].takes |= p->takes;
            p->takes = true;
            p->closed = 0;
            p->term = p->out->text.len;
        }
        if (!take_term(p, &term))
            return false;
    }
    return p->open.count == 1 || pattern_fail(p, p->at, "missing closing parenthesis");
}

bool pattern_translate(struct pattern *out, struct slice source, bool ignore_case, struct buf *why)
{
    struct pattern_parser p = {.out = out, .text = source, .why = why, .ignore_case = ignore_case};
    bool ok;

    *vec_add(&p.groups) = (struct pattern_group){0};
    *vec_add(&p.open) = 0;
    ok = find_groups(&p) && take_terms(&p) && pattern_capture_check(&p);
    *vec_add(&out->origins) = (struct pattern_origin){out->text.len, source.len};
    vec_release(&p.names);
    vec_release(&p.groups);
    vec_release(&p.references);
    vec_release(&p.open);
    return ok;
}
