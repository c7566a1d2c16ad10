#include "input/parse/suffix.h"

#include "base/ascii.h"

/* Returns `s` without "0x1f" at its end. */
static struct slice without_hex(struct slice s)
{
    size_t i = s.len;

    while (i > 0 && ascii_is_hex(s.ptr[i - 1]))
        i--;
    if (i == s.len || i < 2 || s.ptr[i - 2] != '0' || s.ptr[i - 1] != 'x')
        return s;
    return slice_take(s, i - 2);
}

static struct slice without_digits(struct slice s)
{
    while (s.len > 0 && ascii_is_digit(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

struct slice suffix_strip_offset(struct slice symbol)
{
    struct slice s = without_hex(symbol);

    return s.len < symbol.len && slice_ends(s, SLICE("+")) ? slice_take(s, s.len - 1) : symbol;
}

struct slice suffix_strip_decimal_offset(struct slice symbol)
{
    struct slice s = without_digits(symbol);

    return s.len < symbol.len && slice_ends(s, SLICE("+")) ? slice_take(s, s.len - 1) : symbol;
}

/* Also removes "+0x1f/0x80" and "+31". */
static struct slice strip_place(struct slice symbol)
{
    struct slice s = suffix_strip_offset(symbol);

    if (s.len < symbol.len)
        return s;
    s = without_hex(symbol);
    if (s.len < symbol.len && slice_ends(s, SLICE("/"))) {
        struct slice size = slice_take(s, s.len - 1);

        s = suffix_strip_offset(size);
        return s.len < size.len ? s : symbol;
    }
    return suffix_strip_decimal_offset(symbol);
}

/* "@@" and a word, or "@" and a word that reads like a version: GLIBC_2.2.5. */
static struct slice strip_version(struct slice symbol)
{
    size_t at = slice_find_last(symbol, '@');
    struct slice word = slice_skip(symbol, at + 1);
    bool capital = word.len > 0 && ascii_is_capital(word.ptr[0]);
    bool is_default = at > 0 && at < symbol.len && symbol.ptr[at - 1] == '@';

    if (!word.len || at == 0 || slice_find(word, ' ') < word.len)
        return symbol;
    if (is_default)
        return slice_take(symbol, at - 1);
    if (capital && slice_find(word, '_') < word.len && ascii_is_digit(word.ptr[word.len - 1]))
        return slice_take(symbol, at);
    return symbol;
}

/* Words after a dot that mark a copy of a function. */
static const struct {
    struct slice word;
    bool needs_number; /* without one it may be a name of its own: Go's "main.part" */
} copies[] = {
    {{".isra", 5}, false},   {{".constprop", 10}, false},  {{".part", 5}, true},
    {{".cold", 5}, false},   {{".lto_priv", 9}, true},     {{".llvm", 5}, true},
    {{".clone", 6}, true},   {{".localalias", 11}, false}, {{".__uniq", 7}, true},
    {{".cfi_jt", 7}, false},
};

/* Returns whether `word`, which begins with a dot, marks a copy or counts them: ".cold", ".7". */
static bool is_mark(struct slice word)
{
    if (word.len > 1 && !without_digits(slice_skip(word, 1)).len)
        return true;
    for (size_t i = 0; i < sizeof(copies) / sizeof(copies[0]); i++)
        if (slice_equal(word, copies[i].word))
            return true;
    return false;
}

/* Returns whether dots in `symbol` lead to marks only: "shop.Fridge" is a path with a name. */
static bool has_only_marks(struct slice symbol)
{
    struct slice rest = slice_skip(symbol, slice_find(symbol, '.'));

    while (rest.len) {
        size_t len = 1 + slice_find(slice_skip(rest, 1), '.');

        if (!is_mark(slice_take(rest, len)))
            return false;
        rest = slice_skip(rest, len);
    }
    return true;
}

static struct slice strip_copy(struct slice symbol)
{
    struct slice base = without_digits(symbol);
    bool numbered = base.len < symbol.len && slice_ends(base, SLICE("."));

    base = numbered ? slice_take(base, base.len - 1) : symbol;
    for (size_t i = 0; i < sizeof(copies) / sizeof(copies[0]); i++)
        if (slice_ends(base, copies[i].word) && base.len > copies[i].word.len &&
            (numbered || (!copies[i].needs_number && has_only_marks(base))))
            return slice_take(base, base.len - copies[i].word.len);
    return symbol;
}

/* " [clone .isra.0]" and " (.llvm.123)". */
static struct slice strip_note(struct slice symbol)
{
    static const struct {
        struct slice open;
        char close;
    } notes[] = {{{" [clone .", 9}, ']'}, {{" (.", 3}, ')'}};

    for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++) {
        struct slice open = notes[i].open;
        size_t at = slice_find_last(symbol, open.ptr[1]);

        if (at > 0 && at < symbol.len && symbol.ptr[symbol.len - 1] == notes[i].close &&
            slice_starts(slice_skip(symbol, at - 1), open))
            return slice_take(symbol, at - 1);
    }
    return symbol;
}

struct slice suffix_strip(struct slice symbol, bool *stub)
{
    const struct slice plt = SLICE("@plt");
    size_t before;

    *stub = false;
    do {
        before = symbol.len;
        symbol = strip_note(strip_copy(strip_version(strip_place(slice_trim_right(symbol)))));
        if (slice_ends(symbol, plt) && symbol.len > plt.len) {
            *stub = true;
            symbol = slice_take(symbol, symbol.len - plt.len);
        }
    } while (symbol.len < before);
    return symbol;
}
