#include "input/build/inferno.h"

enum { HASH = 16 }; /* hex digits */

/* Offset of "::h" and sixteen hex digits at the end, or s.len. */
static size_t find_hash(struct slice s)
{
    const struct slice mark = SLICE("::h");
    size_t from = s.len - HASH;

    if (s.len <= HASH + mark.len || !slice_ends(slice_take(s, from), mark))
        return s.len;
    for (size_t i = from; i < s.len; i++)
        if (!s.ptr[i] || !strchr("0123456789abcdefABCDEF", s.ptr[i]))
            return s.len;
    return from - mark.len;
}

/*
 * Appends the character of the escape at the front of `s`. Returns the escape's length, 0
 * if there is none.
 */
static size_t add_escape(struct buf *out, struct slice s)
{
    static const struct {
        struct slice code;
        char c;
    } codes[] = {
        {{"$SP$", 4}, '@'},  {{"$BP$", 4}, '*'},  {{"$RF$", 4}, '&'},   {{"$LT$", 4}, '<'},
        {{"$GT$", 4}, '>'},  {{"$LP$", 4}, '('},  {{"$RP$", 4}, ')'},   {{"$C$", 3}, ','},
        {{"$u7e$", 5}, '~'}, {{"$u20$", 5}, ' '}, {{"$u27$", 5}, '\''}, {{"$u3d$", 5}, '='},
        {{"$u5b$", 5}, '['}, {{"$u5d$", 5}, ']'}, {{"$u7b$", 5}, '{'},  {{"$u7d$", 5}, '}'},
        {{"$u3b$", 5}, ';'}, {{"$u2b$", 5}, '+'}, {{"$u22$", 5}, '"'},
    };

    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
        if (slice_starts(s, codes[i].code)) {
            buf_add_char(out, codes[i].c);
            return codes[i].code.len;
        }
    if (!slice_starts(s, SLICE("..")))
        return 0;
    buf_add_str(out, "::");
    return 2;
}

void inferno_add_name(struct buf *out, struct slice name)
{
    size_t hash = find_hash(name);

    if (hash == name.len) {
        buf_add_slice(out, name);
        return;
    }
    name = slice_take(name, hash);
    if (slice_starts(name, SLICE("_$")))
        name = slice_skip(name, 1);
    while (name.len) {
        size_t n = add_escape(out, name);

        if (!n) {
            buf_add_char(out, name.ptr[0]);
            n = 1;
        }
        name = slice_skip(name, n);
    }
}
