#include "input/names.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_identifier(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '$' || (c & 0x80);
}

struct slice names_strip_offset(struct slice symbol)
{
    size_t i = symbol.len;

    while (i > 0 && is_hex(symbol.ptr[i - 1]))
        i--;
    if (i == symbol.len || i < 3 || memcmp(symbol.ptr + i - 3, "+0x", 3) != 0)
        return symbol;
    return slice_take(symbol, i - 3);
}

/* Behind "operator" at `i`: the length of the word with its sign, 0 where it is not there. */
static size_t operator_length(struct slice s, size_t i)
{
    static const char *const signs[] = {"()", "[]", "<=>", "<<=", ">>=", "->*", "->",
                                        "<<", ">>", "<=",  ">=",  "<",   ">"};
    const struct slice word = SLICE("operator");
    struct slice rest = slice_skip(s, i);

    if (!slice_starts(rest, word) || (i > 0 && is_identifier(s.ptr[i - 1])))
        return 0;
    rest = slice_skip(rest, word.len);
    for (size_t k = 0; k < sizeof(signs) / sizeof(signs[0]); k++)
        if (slice_starts(rest, slice_str(signs[k])))
            return word.len + strlen(signs[k]);
    return 0;
}

/* Keeps count of open brackets; the arrow's ">" closes none. */
static size_t nest(struct slice s, size_t i, size_t depth)
{
    char c = s.ptr[i];

    if (c == '<' || c == '{' || c == '[')
        return depth + 1;
    if (c == '>' && i > 0 && s.ptr[i - 1] == '-')
        return depth;
    if ((c == '>' || c == '}' || c == ']') && depth > 0)
        return depth - 1;
    return depth;
}

static bool is_arrow(struct slice s, size_t i)
{
    return i + 1 < s.len && s.ptr[i] == '-' && s.ptr[i + 1] == '>';
}

bool names_next_inlined(struct slice *chain, struct slice *name)
{
    size_t depth = 0, i = 0;

    if (!chain->len)
        return false;
    while (i < chain->len) {
        size_t skip = operator_length(*chain, i);

        if (skip) {
            i += skip;
            continue;
        }
        if (depth == 0 && is_arrow(*chain, i))
            break;
        depth = nest(*chain, i, depth);
        if (chain->ptr[i] == '(')
            depth++;
        else if (chain->ptr[i] == ')' && depth > 0)
            depth--;
        i++;
    }
    *name = slice_take(*chain, i);
    *chain = slice_skip(*chain, i + 2);
    return true;
}

bool names_next_inlined_reference(struct slice *chain, struct slice *name)
{
    size_t i;

    if (!chain->len)
        return false;
    i = slice_search(*chain, SLICE("->"));
    *name = slice_take(*chain, i);
    *chain = slice_skip(*chain, i + 2);
    return true;
}

/* Where the parenthesis opened at `i` is closed, behind it; 0 where it never is. */
static size_t group_end(struct slice s, size_t i)
{
    size_t open = 0;

    for (; i < s.len; i++) {
        if (s.ptr[i] == '(')
            open++;
        else if (s.ptr[i] == ')' && --open == 0)
            return i + 1;
    }
    return 0;
}

/* True where the parentheses from `i` to `end` are part of the name. */
static bool group_is_name(struct slice s, size_t i, size_t end)
{
    struct slice group = slice_make(s.ptr + i, end - i);
    struct slice before = slice_trim_right(slice_take(s, i));

    if (i == 0 || slice_equal(group, SLICE("(anonymous namespace)")) ||
        slice_equal(group, SLICE("(anonymous)")))
        return true;
    if (s.ptr[i - 1] == '.' && end < s.len && s.ptr[end] == '.')
        return true;
    return slice_ends(before, SLICE("decltype"));
}

/* "void (*signal(int))(int)": what the parenthesis at `i` opens is the function's name. */
static bool group_declares(struct slice s, size_t i)
{
    return i > 0 && s.ptr[i - 1] == ' ' && i + 1 < s.len &&
           (s.ptr[i + 1] == '*' || s.ptr[i + 1] == '&');
}

static void add_without_arguments(struct buf *out, struct slice s)
{
    size_t depth = 0, i = 0;

    while (i < s.len) {
        size_t skip = operator_length(s, i);

        if (!skip && depth == 0 && s.ptr[i] == '(') {
            size_t end = group_end(s, i);

            if (group_declares(s, i))
                skip = s.len - i;
            else if (end && group_is_name(s, i, end))
                skip = end - i;
            else if (end && slice_starts(slice_skip(s, end), SLICE("::")))
                i = end;
            else
                return;
        }
        if (skip) {
            buf_add(out, s.ptr + i, skip);
            i += skip;
            continue;
        }
        depth = nest(s, i, depth);
        buf_add_char(out, s.ptr[i]);
        i++;
    }
}

/* "Lpkg/Class;" at the start: the length of the class's name, 0 where it is none. */
static size_t java_class_length(struct slice s)
{
    size_t i = 1;

    if (!s.len || s.ptr[0] != 'L')
        return 0;
    while (i < s.len && (is_identifier(s.ptr[i]) || s.ptr[i] == '/'))
        i++;
    if (i == 1 || i >= s.len || s.ptr[i] != ';')
        return 0;
    s = slice_skip(s, i + 1);
    return slice_starts(s, SLICE("::")) || slice_starts(s, SLICE(".")) ? i - 1 : 0;
}

/* The name without "::h" and sixteen hex digits; as it is where that is not its end. */
static struct slice without_rust_hash(struct slice s)
{
    enum { HASH = 16 };
    const struct slice mark = SLICE("::h");

    if (s.len <= HASH + mark.len)
        return s;
    for (size_t i = s.len - HASH; i < s.len; i++)
        if (!is_hex(s.ptr[i]))
            return s;
    s.len -= HASH;
    return slice_ends(s, mark) ? slice_take(s, s.len - mark.len) : slice_take(s, s.len + HASH);
}

/*
 * One escape of Rust's legacy mangling at the front of `s`; its length, 0 for
 * none. Source: the table of rustc-demangle's legacy module.
 */
static size_t decode_rust(struct slice s, char *c)
{
    static const struct {
        const char *code;
        char c;
    } codes[] = {
        {"$SP$", '@'}, {"$BP$", '*'}, {"$RF$", '&'}, {"$LT$", '<'},
        {"$GT$", '>'}, {"$LP$", '('}, {"$RP$", ')'}, {"$C$", ','},
    };

    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
        if (slice_starts(s, slice_str(codes[i].code))) {
            *c = codes[i].c;
            return strlen(codes[i].code);
        }
    /* "$u7e$": the character with that number; only ASCII that prints is taken back. */
    if (s.len >= 5 && s.ptr[0] == '$' && s.ptr[1] == 'u' && is_hex(s.ptr[2]) && is_hex(s.ptr[3]) &&
        s.ptr[4] == '$') {
        static const char digits[] = "0123456789abcdef";
        const char *high = memchr(digits, s.ptr[2], 16), *low = memchr(digits, s.ptr[3], 16);
        int value = high && low ? (int)((high - digits) * 16 + (low - digits)) : 0;

        *c = (char)value;
        return value >= 0x20 && value < 0x7f ? 5 : 0;
    }
    return 0;
}

static void add_rust(struct buf *out, struct slice s)
{
    bool start = true; /* of a path element */

    while (s.len) {
        size_t n;
        char c;

        if (start && s.len >= 2 && s.ptr[0] == '_' && s.ptr[1] == '$')
            s = slice_skip(s, 1);
        start = slice_starts(s, SLICE("::"));
        n = decode_rust(s, &c);
        if (n) {
            buf_add_char(out, c);
        } else if (slice_starts(s, SLICE("..")) || start) {
            buf_add_str(out, "::");
            n = 2;
        } else {
            buf_add_char(out, s.ptr[0]);
            n = 1;
        }
        s = slice_skip(s, n);
    }
}

static void no_separators(struct buf *out, size_t from)
{
    for (size_t i = from; i < out->len; i++)
        if (out->ptr[i] == ';')
            out->ptr[i] = ':';
}

void names_add_clean(struct buf *out, struct slice name)
{
    size_t from = out->len, java = java_class_length(name);
    struct slice rust = without_rust_hash(name);

    if (java) {
        buf_add(out, name.ptr + 1, java);
        add_without_arguments(out, slice_skip(name, java + 2));
    } else if (rust.len < name.len) {
        add_rust(out, rust);
    } else if (slice_starts(name, SLICE("RegExp:"))) {
        buf_add_slice(out, name);
    } else {
        add_without_arguments(out, name);
    }
    while (out->len > from + 1 && out->ptr[out->len - 1] == ' ')
        out->ptr[--out->len] = '\0';
    no_separators(out, from);
}

/* The script's test for Go: ".(" with ")." somewhere behind it. */
static bool has_receiver(struct slice s)
{
    size_t open = slice_search(s, SLICE(".("));

    return open < s.len && slice_search(slice_skip(s, open + 2), SLICE(").")) < s.len - open - 2;
}

void names_add_reference(struct buf *out, struct slice name, bool java)
{
    size_t from = out->len, cut = name.len;

    if (!has_receiver(name)) {
        for (cut = 0; cut < name.len; cut++)
            if (name.ptr[cut] == '(' &&
                !slice_starts(slice_skip(name, cut + 1), SLICE("anonymous namespace)")))
                break;
    }
    name = slice_take(name, cut);
    if (java && name.len && name.ptr[0] == 'L' && slice_find(name, '/') < name.len)
        name = slice_skip(name, 1);
    for (size_t i = 0; i < name.len; i++)
        if (name.ptr[i] != '"' && name.ptr[i] != '\'')
            buf_add_char(out, name.ptr[i]);
    no_separators(out, from);
}

struct slice names_module_base(struct slice module)
{
    const struct slice deleted = SLICE(" (deleted)");
    size_t slash;

    if (slice_ends(module, deleted))
        module = slice_take(module, module.len - deleted.len);
    module = names_strip_offset(module);
    slash = slice_find_last(module, '/');
    return slash < module.len ? slice_skip(module, slash + 1) : module;
}

/* "/tmp/perf-123.map" somewhere in the path, as the script looks for it. */
static bool is_perf_map(struct slice module)
{
    const struct slice start = SLICE("/tmp/perf-");
    struct slice rest = module;

    for (;;) {
        size_t digits = 0;

        rest = slice_skip(rest, slice_search(rest, start));
        if (!rest.len)
            return false;
        rest = slice_skip(rest, start.len);
        while (digits < rest.len && is_digit(rest.ptr[digits]))
            digits++;
        if (digits && slice_starts(slice_skip(rest, digits), SLICE(".map")))
            return true;
    }
}

/* Names in brackets that perf gives to a process's own memory. */
static bool is_user_area(struct slice base)
{
    static const char *const areas[] = {"[unknown]", "[vdso", "[vsyscall]", "[heap]",
                                        "[stack",    "[anon", "[uprobes]"};

    for (size_t i = 0; i < sizeof(areas) / sizeof(areas[0]); i++)
        if (slice_starts(base, slice_str(areas[i])))
            return true;
    return false;
}

enum symbol_class names_module_class(struct slice module)
{
    static const char *const modules[] = {".ko", ".ko.gz", ".ko.xz", ".ko.zst"};
    struct slice base = names_module_base(module);

    if (slice_equal(module, SLICE("inlined")))
        return SYMBOL_INLINED;
    if (is_perf_map(module))
        return SYMBOL_JIT;
    if (slice_starts(base, SLICE("jitted-")) && slice_ends(base, SLICE(".so")))
        return SYMBOL_JIT;
    if (slice_starts(module, SLICE("[")))
        return is_user_area(module) ? SYMBOL_USER : SYMBOL_KERNEL;
    if (slice_starts(base, SLICE("vmlinux")) || slice_starts(base, SLICE("bpf_prog_")))
        return SYMBOL_KERNEL;
    for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
        if (slice_ends(base, slice_str(modules[i])))
            return SYMBOL_KERNEL;
    return SYMBOL_USER;
}

enum symbol_class names_module_class_reference(struct slice module)
{
    const struct slice unknown = SLICE("unknown");

    if ((slice_starts(module, SLICE("[")) || slice_ends(module, SLICE("vmlinux"))) &&
        slice_search(module, unknown) == module.len)
        return SYMBOL_KERNEL;
    return is_perf_map(module) ? SYMBOL_JIT : SYMBOL_USER;
}
