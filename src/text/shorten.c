#include "text/shorten.h"

#include "base/ascii.h"

#include <string.h>

static bool is_word(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_letter(char c)
{
    return is_word(c) && !ascii_is_digit(c);
}

/* True if the word that ends at `end` is "operator". */
static bool is_operator_word(const char *name, size_t end)
{
    static const char word[] = "operator";
    size_t len = sizeof(word) - 1;

    return end >= len && memcmp(name + end - len, word, len) == 0 &&
           (end == len || !is_word(name[end - len - 1]));
}

/* True if the bracket at `i` belongs to an operator's name, of which `<=> ` is the longest. */
static bool after_operator(const char *name, size_t i)
{
    for (unsigned n = 0; n < 4 && i > 0 && strchr(" <>=-", name[i - 1]); n++)
        i--;
    return is_operator_word(name, i);
}

/* ---- arguments --------------------------------------------------------------------------- */

/* Returns the opening parenthesis that `close` closes, or `len` if there is none. */
static size_t find_open(const char *name, size_t close, size_t len)
{
    size_t depth = 0;

    for (size_t i = close + 1; i-- > 0;) {
        if (name[i] == ')')
            depth++;
        else if (name[i] == '(' && --depth == 0)
            return i;
    }
    return len;
}

/* True if `rest`, the text after a closing parenthesis, is no continuation of the name. */
static bool ends_name(struct slice rest)
{
    static const struct slice words[] = {{"const", 5}, {"volatile", 8}, {"noexcept", 8},
                                         {"&&", 2},    {"&", 1},        {"[clone", 6},
                                         {"[abi:", 5}, {"requires", 8}, {"[inlined]", 9}};

    if (rest.len == 0)
        return true;
    /* A Java descriptor: one letter, or L...;, with [ for each dimension. */
    size_t i = 0;

    while (i < rest.len && rest.ptr[i] == '[')
        i++;
    if (i + 1 == rest.len && strchr("BCDFIJSVZ", rest.ptr[i]))
        return true;
    if (i < rest.len && rest.ptr[i] == 'L' && rest.ptr[rest.len - 1] == ';')
        return true;
    rest = slice_trim_left(rest);
    for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (slice_starts(rest, words[i]))
            return true;
    }
    return false;
}

/* Returns the start of the name after a return type: after the last blank outside brackets. */
static size_t skip_return_type(const char *name, size_t len)
{
    size_t depth = 0;

    for (size_t i = len; i-- > 0;) {
        if (strchr(")>]}", name[i]) && !(i > 0 && name[i] == '>' && name[i - 1] == '-'))
            depth++;
        else if (strchr("(<[{", name[i]) && depth > 0)
            depth--;
        else if (name[i] == ' ' && depth == 0 && !after_operator(name, i))
            return i + 1;
    }
    return 0;
}

size_t shorten_arguments(char *name, size_t len)
{
    size_t close = len;

    while (close > 0 && name[close - 1] != ')')
        close--;
    if (close == 0 || !ends_name(slice_make(name + close, len - close)))
        return len;
    size_t open = find_open(name, close - 1, len);

    if (open == len || open == 0 || is_operator_word(name, open))
        return len;
    size_t end = open;

    while (end > 0 && name[end - 1] == ' ')
        end--;
    if (end == 0)
        return len;
    size_t start = open == end ? skip_return_type(name, end) : 0;

    while (start < end && (name[start] == '*' || name[start] == '&'))
        start++;
    if (start == end)
        start = 0;
    memmove(name, name + start, end - start);
    return end - start;
}

/* ---- template arguments -------------------------------------------------------------------- */

/*
 * True if the angle bracket that begins `rest`, after the first `end` bytes of `name`, is part of
 * an arrow or an operator's name.
 */
static bool is_operator(const char *name, size_t end, struct slice rest)
{
    if (end > 0 && rest.ptr[0] == '>' && (name[end - 1] == '-' || name[end - 1] == '='))
        return true;
    if (rest.len > 1 && rest.ptr[0] == '<' && rest.ptr[1] == '-')
        return true;
    return after_operator(name, end);
}

/* Returns the bracket that closes the first byte of `name`, a bracket, or `len`. */
static size_t find_close(const char *name, size_t len)
{
    size_t depth = 0;

    for (size_t i = 0; i < len; i++) {
        if ((name[i] != '<' && name[i] != '>') ||
            is_operator(name, i, slice_make(name + i, len - i)))
            continue;
        if (name[i] == '<')
            depth++;
        else if (--depth == 0)
            return i;
    }
    return len;
}

/* Turns `<Type as Trait>::method` into `Type::method`. Returns the new length. */
static size_t keep_type(char *name, size_t len)
{
    size_t close = len > 0 && name[0] == '<' ? find_close(name, len) : len;
    size_t depth = 0;

    if (close >= len || !slice_starts(slice_make(name + close + 1, len - close - 1), SLICE("::")))
        return len;
    size_t end = close;

    for (size_t i = 1; i < close; i++) {
        if (name[i] == '<')
            depth++;
        else if (name[i] == '>' && name[i - 1] != '-')
            depth -= depth > 0;
        else if (depth == 0 && close - i > 4 && memcmp(name + i, " as ", 4) == 0) {
            end = i;
            break;
        }
    }
    memmove(name, name + 1, end - 1);
    memmove(name + end - 1, name + close + 1, len - close - 1);
    return len - 2 - (close - end);
}

/* True if every angle bracket has its partner. */
static bool is_balanced(const char *name, size_t len)
{
    size_t depth = 0;

    for (size_t i = 0; i < len; i++) {
        if ((name[i] != '<' && name[i] != '>') ||
            is_operator(name, i, slice_make(name + i, len - i)))
            continue;
        if (name[i] == '>' && depth == 0)
            return false;
        depth = name[i] == '<' ? depth + 1 : depth - 1;
    }
    return depth == 0;
}

size_t shorten_templates(char *name, size_t len)
{
    size_t out = 0;

    if (!is_balanced(name, len))
        return len;
    len = keep_type(name, len);
    for (size_t i = 0; i < len; i++) {
        size_t close = len;

        /* Brackets at the start of a name are the name: <module>, Foo.<init>, main.<locals>. */
        if (name[i] == '<' && out > 0 && name[out - 1] != '.' &&
            !is_operator(name, out, slice_make(name + i, len - i)))
            close = i + find_close(name + i, len - i);
        /* Brackets before a path are a name, too: py::<lambda>:/srv/app.py. */
        if (close == len || slice_starts(slice_make(name + close, len - close), SLICE(">:/"))) {
            name[out++] = name[i];
            continue;
        }
        /* Rust's foo::<T> and foo::<T>::bar lose the colons too. */
        if (out > 2 && name[out - 1] == ':' && name[out - 2] == ':')
            out -= 2;
        i = close;
    }
    return out;
}

/* ---- namespaces ---------------------------------------------------------------------------- */

/* True for suffixes that are not a name: those of compilers, and file extensions. */
static bool is_suffix(struct slice rest)
{
    static const struct slice words[] = {
        {"isra", 4},  {"constprop", 9}, {"part", 4}, {"cold", 4}, {"lto_priv", 8}, {"llvm", 4},
        {"clone", 5}, {"so", 2},        {"dll", 3},  {"exe", 3},  {"ko", 2},       {"py", 2},
        {"js", 2},    {"mjs", 3},       {"ts", 2},   {"rb", 2},   {"php", 3},      {"pl", 2},
        {"lua", 3},   {"go", 2},        {"c", 1},    {"cc", 2},   {"cpp", 3},      {"h", 1},
        {"rs", 2},    {"java", 4},      {"jar", 3},  {"wasm", 4}, {"dylib", 5},    {"node", 4},
    };

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (slice_starts(rest, words[i]) &&
            (rest.len == words[i].len || !is_word(rest.ptr[words[i].len])))
            return true;
    }
    return false;
}

/* Returns the length of the separator at the start of `s`, or 0. */
static size_t separator(struct slice s)
{
    size_t len = 0;

    if (s.len > 2 && s.ptr[0] == ':' && s.ptr[1] == ':')
        len = 2;
    else if (s.len > 1 && strchr("./!`", s.ptr[0]))
        len = 1;
    if (len == 0)
        return 0;
    struct slice rest = slice_skip(s, len);

    /* A name must follow, not the number of a thread or a version. */
    if (!is_letter(rest.ptr[0]) && !strchr("~$({[<-+*@", rest.ptr[0]))
        return 0;
    /* Two letters at the end are no name but the rest of a cut thread name, "ForkJoinPool.co". */
    if (s.ptr[0] == '.' && rest.len == 2 && ascii_is_small(rest.ptr[0]) &&
        ascii_is_small(rest.ptr[1]))
        return 0;
    if (s.ptr[0] == '.' && is_suffix(rest))
        return 0;
    return len;
}

/* Returns the start of the path in `function:/path/of/file`; not in `C:/path`, `http://host`. */
static size_t find_file(struct slice name)
{
    size_t at = slice_search(name, SLICE(":/"));

    if (at < 2 || slice_find(slice_take(name, at), ' ') < at ||
        slice_find(slice_take(name, at), '/') < at ||
        slice_starts(slice_skip(name, at), SLICE("://")))
        return name.len;
    return at;
}

/* Allows for Java's hidden classes, whose names contain a slash and a number. */
static bool is_dotted(struct slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!is_word(s.ptr[i]) && !strchr(".$[]<>", s.ptr[i]) &&
            !slice_starts(slice_skip(s, i), SLICE("/0x")))
            return false;
    return s.len > 0;
}

/* Returns the length of a type and a blank before a dotted name (the JVM's names), or 0. */
static size_t find_type(struct slice name)
{
    size_t blank = slice_find(name, ' ');
    struct slice rest = slice_skip(name, blank + 1);

    if (!is_dotted(slice_take(name, blank)) || !is_dotted(rest))
        return 0;
    for (size_t i = 0; i < rest.len; i++)
        if (separator(slice_skip(rest, i)) > 0)
            return blank + 1;
    return 0;
}

bool shorten_scope(struct slice *name)
{
    size_t type = find_type(*name);
    size_t file = find_file(*name);
    size_t depth = 0;

    if (type > 0) {
        *name = slice_skip(*name, type);
        return true;
    }
    if (file < name->len) {
        name->len = file;
        return true;
    }
    for (size_t i = 0; i < name->len; i++) {
        char c = name->ptr[i];

        if (c == '(' || c == '{' || c == '[' || (c == '<' && !after_operator(name->ptr, i)))
            depth++;
        else if (depth > 0 &&
                 (c == ')' || c == '}' || c == ']' || (c == '>' && name->ptr[i - 1] != '-')))
            depth--;
        if (depth > 0)
            continue;
        /* Text with blanks is a sentence, not a path. */
        if (c == ' ')
            return false;
        size_t len = separator(slice_skip(*name, i));

        if (len > 0) {
            *name = slice_skip(*name, i + len);
            return true;
        }
    }
    return false;
}
