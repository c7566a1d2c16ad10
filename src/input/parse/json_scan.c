#include "input/parse/json_scan.h"

#include <string.h>

#include "base/ascii.h"
#include "base/num.h"
#include "base/utf8.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

void json_scan_release(struct json_scan *s)
{
    buf_release(&s->open);
}

void json_scan_give(struct json_scan *s, struct slice bytes, bool last)
{
    s->begin = s->at = s->token_end = bytes.ptr;
    s->end = bytes.ptr + bytes.len;
    s->last = last;
}

/* ---- texts of tokens ------------------------------------------------------------------------- */

/* What the bytes say of a token: that it is whole, that its end is missing, that it is none. */
enum lexed { WHOLE, CUT, WRONG };

static enum lexed wrong(struct json_scan *s, const char *at, const char *why)
{
    s->wrong_at = at;
    s->why = why;
    return WRONG;
}

/* The bytes end in a token: nothing can follow it if they are the last and no container is open. */
static bool is_final(const struct json_scan *s)
{
    return s->last && !s->open.len;
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && is_blank(*p))
        p++;
    return p;
}

/* Whether a byte of a string does not stand for itself, or may not be there. */
static inline bool is_special(char c)
{
    return c == '"' || c == '\\' || (unsigned char)c < ' ';
}

/* Returns where the plain bytes of a string end. Notes in `high` the bits of those that it saw. */
static inline const char *skip_plain(const char *p, const char *end, unsigned *high)
{
#ifdef __SSE2__
    enum { WIDTH = 16 };
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
    const __m128i most_control = _mm_set1_epi8(' ' - 1);

    for (; end - p >= WIDTH; p += WIDTH) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
        __m128i is_control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, most_control), bytes);
        __m128i is_end =
            _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash));
        unsigned ends = (unsigned)_mm_movemask_epi8(_mm_or_si128(is_end, is_control));
        unsigned wide = (unsigned)_mm_movemask_epi8(bytes);

        if (ends) {
            *high |= wide & (ends - 1) & ~ends;
            return p + __builtin_ctz(ends);
        }
        *high |= wide;
    }
#endif
    for (; p < end && !is_special(*p); p++)
        *high |= *p & 0x80u;
    return p;
}

/* Takes the escape at `*p`. */
static enum lexed lex_escape(struct json_scan *s, const char **p)
{
    enum { DIGITS = 4 };
    const char *at = *p + 1;

    if (at == s->end)
        return CUT;
    if (*at == 'u') {
        for (unsigned i = 0; i < DIGITS; i++) {
            if (++at == s->end)
                return CUT;
            if (!ascii_is_hex(*at))
                return wrong(s, at - 1,
                             "lexical error: invalid (non-hex) character occurs after '\\u' "
                             "inside string.");
        }
    } else if (!*at || !strchr("\"\\/bfnrt", *at)) {
        return wrong(s, at - 1,
                     "lexical error: inside a string, '\\' occurs before a character which it "
                     "may not.");
    }
    *p = at + 1;
    return WHOLE;
}

/* Takes the string whose quote is at `start`. */
static inline enum lexed lex_string(struct json_scan *s, const char *start)
{
    unsigned high = 0;
    const char *p = skip_plain(start + 1, s->end, &high);

    s->escaped = false;
    while (p < s->end && *p != '"') {
        enum lexed escape;

        if (*p != '\\')
            return wrong(s, p - 1, "lexical error: invalid character inside string.");
        s->escaped = true;
        if ((escape = lex_escape(s, &p)) != WHOLE)
            return escape;
        p = skip_plain(p, s->end, &high);
    }
    if (p == s->end)
        return CUT;
    s->ascii = !high;
    s->text = slice_make(start + 1, (size_t)(p - start - 1));
    s->token_end = p + 1;
    return WHOLE;
}

static inline const char *skip_digits(const char *p, const char *end)
{
#ifdef __SSE2__
    enum { WIDTH = 16 };
    const __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9);

    for (; end - p >= WIDTH; p += WIDTH) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
        __m128i digits = _mm_sub_epi8(bytes, zero);
        __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(digits, nine), digits);
        unsigned others = ~(unsigned)_mm_movemask_epi8(is_digit) & 0xffffu;

        if (others)
            return p + __builtin_ctz(others);
    }
#endif
    while (p < end && ascii_is_digit(*p))
        p++;
    return p;
}

/* Takes digits that must be there. */
static inline enum lexed lex_digits(struct json_scan *s, const char **p, const char *why)
{
    const char *start = *p;

    *p = skip_digits(start, s->end);
    if (*p == s->end && !is_final(s))
        return CUT;
    return *p > start ? WHOLE : wrong(s, start == s->end ? start : start - 1, why);
}

/* Takes the number at `start`. One at the end of the bytes may go on. */
static inline enum lexed lex_number(struct json_scan *s, const char *start)
{
    const char *p = start + (*start == '-');
    enum lexed part = WHOLE;

    if (p < s->end && *p == '0') {
        p++;
        part = p == s->end && !is_final(s) ? CUT : WHOLE;
    } else {
        part = lex_digits(s, &p,
                          "lexical error: malformed number, a digit is required after the minus "
                          "sign.");
    }
    if (part == WHOLE && p < s->end && *p == '.') {
        p++;
        part = lex_digits(s, &p,
                          "lexical error: malformed number, a digit is required after the decimal "
                          "point.");
    }
    if (part == WHOLE && p < s->end && (*p == 'e' || *p == 'E')) {
        p++;
        p += p < s->end && (*p == '+' || *p == '-');
        part = lex_digits(s, &p,
                          "lexical error: malformed number, a digit is required after the "
                          "exponent.");
    }
    s->ascii = true;
    s->escaped = false;
    s->text = slice_make(start, (size_t)(p - start));
    s->token_end = p;
    return part;
}

static enum lexed lex_word(struct json_scan *s, const char *start, const char *word)
{
    const char *p = start;

    for (; *word; word++, p++) {
        if (p == s->end && !is_final(s))
            return CUT;
        if (p == s->end || *p != *word)
            return wrong(s, p == s->end ? p : p - 1, "lexical error: invalid string in json text.");
    }
    s->token_end = p;
    return WHOLE;
}

/* ---- the grammar ----------------------------------------------------------------------------- */

static enum json_token damaged(enum lexed lexed)
{
    return lexed == CUT ? JSON_SCAN_CUT : JSON_SCAN_DAMAGED;
}

/* Takes whatever token is at `p`, which stands for no value. */
static enum lexed lex_any(struct json_scan *s, const char *p)
{
    if (*p == '"')
        return lex_string(s, p);
    if (*p == '-' || ascii_is_digit(*p))
        return lex_number(s, p);
    if (*p == 't')
        return lex_word(s, p, "true");
    if (*p == 'f')
        return lex_word(s, p, "false");
    if (*p == 'n')
        return lex_word(s, p, "null");
    if (*p == '/')
        return wrong(s, p,
                     "lexical error: probable comment found in input text, comments are not "
                     "enabled.");
    if (!*p || !strchr("{}[],:", *p))
        return wrong(s, p, "lexical error: invalid char in json text.");
    s->token_end = p + 1;
    return WHOLE;
}

/*
 * A token that may not be there; it is reported if it is a token at all. After a member its
 * beginning is reported, where a comma is missing; else its end.
 */
static enum json_token unexpected(struct json_scan *s, const char *p, const char *why)
{
    enum lexed lexed = lex_any(s, p);

    if (lexed == WHOLE)
        wrong(s, s->state == JSON_SCAN_AFTER_MEMBER ? p : s->token_end - 1, why);
    return damaged(lexed);
}

/* A value has ended, or a container has: a comma that follows it is taken at once. */
static inline void after_value(struct json_scan *s)
{
    bool comma = s->token_end < s->end && *s->token_end == ',';

    s->at = s->token_end + (comma && s->open.len);
    if (!s->open.len)
        s->state = JSON_SCAN_BETWEEN_DOCUMENTS;
    else if (s->open.ptr[s->open.len - 1] == '{')
        s->state = comma ? JSON_SCAN_NEXT_KEY : JSON_SCAN_AFTER_MEMBER;
    else
        s->state = comma ? JSON_SCAN_ELEMENT : JSON_SCAN_AFTER_ELEMENT;
}

static enum json_token begin_container(struct json_scan *s, const char *p)
{
    buf_add_char(&s->open, *p);
    s->at = s->token_end = p + 1;
    s->state = *p == '{' ? JSON_SCAN_FIRST_KEY : JSON_SCAN_FIRST_ELEMENT;
    return *p == '{' ? JSON_SCAN_OBJECT : JSON_SCAN_ARRAY;
}

static enum json_token end_container(struct json_scan *s, const char *p)
{
    s->token_end = p + 1;
    buf_cut(&s->open, s->open.len - 1);
    after_value(s);
    return JSON_SCAN_END;
}

static inline enum json_token next_value(struct json_scan *s, const char *p)
{
    enum json_token token = JSON_SCAN_NUMBER;
    enum lexed lexed;

    switch (*p) {
    case '"':
        token = JSON_SCAN_STRING;
        lexed = lex_string(s, p);
        break;
    case '{':
    case '[':
        return begin_container(s, p);
    case 't':
        token = JSON_SCAN_TRUE;
        lexed = lex_word(s, p, "true");
        break;
    case 'f':
        token = JSON_SCAN_FALSE;
        lexed = lex_word(s, p, "false");
        break;
    case 'n':
        token = JSON_SCAN_NULL;
        lexed = lex_word(s, p, "null");
        break;
    default:
        if (*p != '-' && !ascii_is_digit(*p))
            return unexpected(s, p, "unallowed token at this point in JSON text");
        lexed = lex_number(s, p);
        break;
    }
    if (lexed != WHOLE)
        return damaged(lexed);
    after_value(s);
    return token;
}

static inline enum json_token next_key(struct json_scan *s, const char *p)
{
    enum lexed lexed;

    if (*p != '"')
        return unexpected(s, p, "invalid object key (must be a string)");
    if ((lexed = lex_string(s, p)) != WHOLE)
        return damaged(lexed);
    s->at = s->token_end;
    s->state = JSON_SCAN_COLON;
    if (s->at < s->end && *s->at == ':') {
        s->at++;
        s->state = JSON_SCAN_MEMBER;
    }
    return JSON_SCAN_KEY;
}

/* Whether a comma before a closing bracket is one too many and can be ignored. */
static bool is_mended(const struct json_scan *s)
{
    return s->open.len <= JSON_SCAN_MENDED;
}

/* A token in a container, where a comma, a colon or the end may be. */
static inline enum json_token next_after(struct json_scan *s, const char *p)
{
    bool in_array = s->state == JSON_SCAN_AFTER_ELEMENT;

    if (s->state == JSON_SCAN_COLON)
        return unexpected(s, p, "object key and value must be separated by a colon (':')");
    if (*p == (in_array ? ']' : '}'))
        return end_container(s, p);
    if (in_array)
        return unexpected(s, p, "after array element, I expect ',' or ']'");
    return unexpected(s, p, "after key and value, inside map, I expect ',' or '}'");
}

/* Takes the comma or colon that is due and comes after blanks. */
static const char *take_separator(struct json_scan *s, const char *p)
{
    static const struct {
        char separator;
        enum json_scan_state next;
    } due[] = {
        [JSON_SCAN_AFTER_ELEMENT] = {',', JSON_SCAN_ELEMENT},
        [JSON_SCAN_AFTER_MEMBER] = {',', JSON_SCAN_NEXT_KEY},
        [JSON_SCAN_COLON] = {':', JSON_SCAN_MEMBER},
    };

    if (s->state < sizeof(due) / sizeof(due[0]) && due[s->state].separator &&
        *p == due[s->state].separator) {
        s->state = due[s->state].next;
        p = skip_blanks(p + 1, s->end);
    }
    return p;
}

enum json_token json_scan_next(struct json_scan *s)
{
    const char *p = skip_blanks(s->at, s->end);

    if (p < s->end)
        p = take_separator(s, p);
    s->at = p;
    if (p == s->end)
        return JSON_SCAN_CUT;
    switch (s->state) {
    case JSON_SCAN_FIRST_KEY:
    case JSON_SCAN_NEXT_KEY:
        if (*p == '}' && (s->state == JSON_SCAN_FIRST_KEY || is_mended(s)))
            return end_container(s, p);
        return next_key(s, p);
    case JSON_SCAN_FIRST_ELEMENT:
    case JSON_SCAN_ELEMENT:
        if (*p == ']' && (s->state == JSON_SCAN_FIRST_ELEMENT || is_mended(s)))
            return end_container(s, p);
        break;
    case JSON_SCAN_MEMBER:
    case JSON_SCAN_AT_START:
    case JSON_SCAN_BETWEEN_DOCUMENTS:
        break;
    default:
        return next_after(s, p);
    }
    return next_value(s, p);
}

/* ---- escapes --------------------------------------------------------------------------------- */

/* The number that the four digits of an escape name. */
static uint32_t unit_of(const char *digits)
{
    uint64_t value = 0;

    num_parse_hex(slice_make(digits, 4), &value);
    return (uint32_t)value;
}

static bool is_half(uint32_t unit, uint32_t which)
{
    return (unit & 0xfc00) == which;
}

/* Appends the character of "\uXXXX" at `p`, or of two such escapes. Returns their end. */
static const char *add_unit(struct buf *out, const char *p, const char *end)
{
    enum { ESCAPE = 6, HIGH = 0xd800, LOW = 0xdc00, BEYOND = 0x10000 };
    uint32_t unit = unit_of(p + 2), low;

    p += ESCAPE;
    if (is_half(unit, HIGH) && end - p >= ESCAPE && p[0] == '\\' && p[1] == 'u' &&
        is_half(low = unit_of(p + 2), LOW)) {
        unit = BEYOND + ((unit - HIGH) << 10) + (low - LOW);
        p += ESCAPE;
    }
    utf8_encode(out, unit);
    return p;
}

void json_scan_unescape(struct buf *out, struct slice text)
{
    static const char names[] = "bfnrt", characters[] = "\b\f\n\r\t";
    const char *p = text.ptr, *end = text.ptr + text.len;

    while (p < end) {
        const char *plain = p, *name;

        while (p < end && *p != '\\')
            p++;
        buf_add(out, plain, (size_t)(p - plain));
        if (p == end)
            break;
        if (p[1] == 'u') {
            p = add_unit(out, p, end);
            continue;
        }
        name = strchr(names, p[1]);
        buf_add_char(out, name ? characters[name - names] : p[1]);
        p += 2;
    }
}
