#include "input/build/names.h"

#include "base/ascii.h"
#include "input/build/demangle.h"
#include "input/build/rust.h"
#include "input/build/signature.h"
#include "input/parse/suffix.h"

static size_t span(struct slice s, size_t from, bool (*is)(char))
{
    size_t i = from;

    while (i < s.len && is(s.ptr[i]))
        i++;
    return i - from;
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

/* A method of a class, as virtual machines write it; PHP's "Cart->total" is one function. */
static bool is_qualified(struct slice s)
{
    return slice_has_any(s, "::", ".", "/");
}

/* Between two functions; with blanks around it, as Swift has it, it leads to a type. */
static bool is_arrow(struct slice s, size_t i)
{
    return i + 1 < s.len && s.ptr[i] == '-' && s.ptr[i + 1] == '>' &&
           (i == 0 || s.ptr[i - 1] != ' ') && (i + 2 == s.len || s.ptr[i + 2] != ' ');
}

/* The offset of the first arrow outside of brackets, or s.len. */
static size_t find_arrow(struct slice s)
{
    size_t depth = 0, i = 0;

    if (slice_search(s, SLICE("->")) == s.len)
        return s.len;
    while (i < s.len) {
        size_t skip = signature_operator(s, i);

        if (skip) {
            i += skip;
            continue;
        }
        if (depth == 0 && is_arrow(s, i))
            break;
        depth = nest(s, i, depth);
        if (s.ptr[i] == '(')
            depth++;
        else if (s.ptr[i] == ')' && depth > 0)
            depth--;
        i++;
    }
    return i;
}

bool names_is_chain(struct slice name)
{
    size_t arrow = find_arrow(name);
    struct slice rest = slice_skip(name, arrow + 2);

    if (arrow == name.len)
        return false;
    return find_arrow(rest) < rest.len ||
           (is_qualified(slice_take(name, arrow)) && is_qualified(rest));
}

bool names_next_inlined(struct slice *chain, struct slice *name)
{
    size_t i = find_arrow(*chain);

    if (!chain->len)
        return false;
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

/* Words before the name of a function that are no type: "vtable for A", "closure #1 in A.f". */
static bool is_description(struct slice s)
{
    return slice_has_any(s, " to ", " for ", " keyed to ", " in ");
}

/*
 * Removes the type before the name of a function. Templates have one and other functions
 * have none, so whether it is printed depends on the profiler.
 */
static void drop_return_type(struct buf *out, size_t from)
{
    struct slice s = slice_skip(buf_slice(out), from);
    size_t depth = 0, name = 0;

    for (size_t i = 0; i < s.len; i++) {
        if (signature_operator(s, i) || (depth == 0 && signature_is_operator(s, i)))
            break;
        depth = nest(s, i, depth);
        if (s.ptr[i] == '(')
            depth++;
        else if (s.ptr[i] == ')' && depth > 0)
            depth--;
        else if (s.ptr[i] == ' ' && depth == 0)
            name = i + 1;
    }
    if (!name || name == s.len || is_description(s))
        return;
    memmove(out->ptr + from, out->ptr + from + name, s.len - name + 1);
    out->len -= name;
}

/* Whose rules say whether arguments are cut. */
enum language {
    LANGUAGE_OF_NAME, /* the name shows it, or stays whole */
    LANGUAGE_JAVA,
    LANGUAGE_D,
};

static bool has_arguments(struct slice s, enum language language)
{
    if (slice_find(s, '(') == s.len)
        return false;
    if (language == LANGUAGE_JAVA)
        return signature_is_java(s);
    return language == LANGUAGE_D || signature_is_native(s);
}

/* Returns whether the scope that the arguments belong to goes on after them. */
static bool scope_goes_on(struct slice s, size_t end, enum language language)
{
    if (slice_starts(slice_skip(s, end), SLICE("::")))
        return true;
    return language == LANGUAGE_D && end + 1 < s.len && s.ptr[end] == '.' &&
           signature_is_word(s.ptr[end + 1]);
}

/* Offset of the arguments, or s.len. Appends everything before them. */
static size_t add_until_arguments(struct buf *out, struct slice s, enum language language)
{
    size_t depth = 0, i = 0;

    while (i < s.len) {
        size_t skip = signature_operator(s, i);

        if (!skip && depth == 0 && s.ptr[i] == '(') {
            size_t end = signature_group_end(s, i);

            if (signature_group_declares(s, i))
                skip = s.len - i;
            else if (end && signature_group_is_name(s, i, end))
                skip = end - i;
            else if (end && scope_goes_on(s, end, language))
                i = end;
            else
                return i;
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
    return i;
}

static void add_without_arguments(struct buf *out, struct slice s, enum language language)
{
    size_t from = out->len, arguments;

    if (!has_arguments(s, language)) {
        buf_add_slice(out, s);
        return;
    }
    arguments = add_until_arguments(out, s, language);
    if (arguments > 0 && arguments < s.len)
        drop_return_type(out, from);
}

/* Length of the class's name in "Lpkg/Class;" at the start, or 0. */
static size_t java_class_length(struct slice s)
{
    size_t i = 1;

    if (!s.len || s.ptr[0] != 'L')
        return 0;
    while (i < s.len && (signature_is_word(s.ptr[i]) || s.ptr[i] == '/'))
        i++;
    if (i == 1 || i >= s.len || s.ptr[i] != ';')
        return 0;
    s = slice_skip(s, i + 1);
    return slice_starts(s, SLICE("::")) || slice_starts(s, SLICE(".")) ? i - 1 : 0;
}

static void no_separators(struct buf *out, size_t from)
{
    for (size_t i = from; i < out->len; i++)
        if (out->ptr[i] == ';')
            out->ptr[i] = ':';
}

/* Go's linker writes a dot in the path of a package so: "gopkg.in/yaml%2ev2.(*T).f". */
static void decode_dots(struct buf *out, size_t from)
{
    const struct slice code = SLICE("%2e");
    size_t to = from;

    for (size_t i = from; i < out->len; i++) {
        bool coded = slice_starts(slice_skip(buf_slice(out), i), code);

        out->ptr[to++] = coded ? '.' : out->ptr[i];
        i += coded ? code.len - 1 : 0;
    }
    buf_cut(out, to);
}

/* What is appended to `out` without blanks at the end, and without ';'. */
static void tidy(struct buf *out, size_t from)
{
    while (out->len > from + 1 && out->ptr[out->len - 1] == ' ')
        buf_cut(out, out->len - 1);
    no_separators(out, from);
}

static bool add_java_class(struct buf *out, struct slice *name)
{
    size_t len = java_class_length(*name);

    if (!len)
        return false;
    buf_add(out, name->ptr + 1, len);
    *name = slice_skip(*name, len + 2);
    return true;
}

/* The length of "+0x7f12", "/0x7f12" or ".0x7f12" at the start, 0 if there is none. */
static size_t hidden_address(struct slice s)
{
    enum { PREFIX = 3, LEAST = 4 };
    size_t digits;

    if (s.len < PREFIX || !memchr("+/.", s.ptr[0], 3) || s.ptr[1] != '0' || s.ptr[2] != 'x')
        return 0;
    digits = span(s, PREFIX, ascii_is_hex);
    if (digits < LEAST || (s.len > PREFIX + digits && signature_is_word(s.ptr[PREFIX + digits])))
        return 0;
    return PREFIX + digits;
}

/* The length of "/1467865483" at the start, 0 if there is none. */
static size_t hidden_hash(struct slice s)
{
    size_t digits = s.len && s.ptr[0] == '/' ? span(s, 1, ascii_is_digit) : 0;

    return digits && (s.len == 1 + digits || !signature_is_word(s.ptr[1 + digits])) ? 1 + digits
                                                                                    : 0;
}

bool names_add_lambda(struct buf *out, struct slice name)
{
    const struct slice numbered = SLICE("Lambda$");
    size_t i = slice_search(name, SLICE("Lambda")), from = out->len, left = name.len;

    if (i == name.len)
        return false;
    buf_add(out, name.ptr, i);
    while (i < name.len) {
        struct slice rest = slice_skip(name, i);
        size_t len = hidden_address(rest);

        if (!len && slice_starts(rest, numbered)) {
            len = numbered.len + span(rest, numbered.len, ascii_is_digit);
            buf_add(out, rest.ptr, len);
        } else if (!len) {
            buf_add_char(out, rest.ptr[0]);
            i++;
            continue;
        }
        i += len;
        i += hidden_hash(slice_skip(name, i));
    }
    if (out->len - from == left)
        out->len = from;
    return out->len > from;
}

void names_add_java(struct buf *out, struct slice name)
{
    size_t from = out->len;
    struct buf lambda = {0};

    if (names_add_lambda(&lambda, name))
        name = buf_slice(&lambda);
    add_java_class(out, &name);
    add_without_arguments(out, name, LANGUAGE_JAVA);
    tidy(out, from);
    buf_release(&lambda);
}

static void add_native(struct buf *out, struct slice name, enum language language)
{
    struct slice rust = rust_strip_hash(name);

    if (rust.len < name.len)
        rust_add_legacy(out, rust);
    else if (add_java_class(out, &name))
        add_without_arguments(out, name, LANGUAGE_JAVA);
    else
        add_without_arguments(out, name, language);
}

void names_add_native(struct buf *out, struct slice name, bool demangle)
{
    size_t from = out->len;
    struct buf demangled = {0}, lambda = {0};
    enum language language = LANGUAGE_OF_NAME;
    bool stub;

    /* A regular expression may end like a suffix: "a+1". */
    if (slice_starts(name, SLICE("RegExp:"))) {
        buf_add_slice(out, suffix_strip_offset(name));
        tidy(out, from);
        return;
    }
    name = suffix_strip(name, &stub);
    if (names_add_lambda(&lambda, name))
        name = buf_slice(&lambda);
    if (demangle && name.len && name.ptr[0] == '_' && demangle_add(&demangled, name)) {
        if (slice_starts_any(name, "_D", "__D"))
            language = LANGUAGE_D;
        name = buf_slice(&demangled);
    }
    add_native(out, name, language);
    rust_drop_crate_hashes(out, from);
    decode_dots(out, from);
    tidy(out, from);
    if (stub)
        buf_add_str(out, "@plt");
    buf_release(&demangled);
    buf_release(&lambda);
}

static bool is_rust(struct slice name)
{
    bool stub;

    name = suffix_strip(name, &stub);
    return rust_strip_hash(name).len < name.len;
}

/* jeprof adds the address at which a function starts: "make<0000000000001159>". */
static struct slice without_start(struct slice name)
{
    enum { DIGITS = 16 };
    size_t open = name.len - (DIGITS + 2);

    if (name.len <= DIGITS + 2 || name.ptr[open] != '<' || !slice_ends(name, SLICE(">")) ||
        span(name, open + 1, ascii_is_hex) != DIGITS)
        return name;
    return slice_take(name, open);
}

bool names_add_decoded(struct buf *out, struct slice name)
{
    struct slice whole = name;
    size_t from = out->len;

    name = without_start(name);
    if (slice_starts(name, SLICE("_")) && demangle_add(out, name)) {
        buf_cut(out, from);
        names_add_native(out, name, true);
    } else if (is_rust(name)) {
        names_add_native(out, name, false);
    } else if (slice_find(name, '[') < name.len) {
        buf_add_slice(out, name);
        rust_drop_crate_hashes(out, from);
        if (out->len - from == name.len)
            buf_cut(out, from);
    } else {
        names_add_lambda(out, name);
    }
    if (out->len == from && name.len < whole.len)
        buf_add_slice(out, name);
    return out->len > from;
}

void names_add_without_addresses(struct buf *out, struct slice text)
{
    const struct slice hex = SLICE("0x"), lambda = SLICE("$$Lambda$");
    size_t digits;

    while (text.len) {
        if (slice_starts(text, hex) && (digits = span(text, hex.len, ascii_is_hex)) > 0) {
            buf_add_str(out, "0x...");
            text = slice_skip(text, hex.len + digits);
            continue;
        }
        /* Java 8 writes a decimal hash: "$$Lambda$14/1467865483". */
        if (slice_starts(text, lambda)) {
            size_t slash = lambda.len + span(text, lambda.len, ascii_is_digit);

            if (slash < text.len && text.ptr[slash] == '/' &&
                !slice_starts(slice_skip(text, slash + 1), hex) &&
                (digits = span(text, slash + 1, ascii_is_digit)) > 0) {
                buf_add(out, text.ptr, slash);
                buf_add_str(out, "/...");
                text = slice_skip(text, slash + 1 + digits);
                continue;
            }
        }
        buf_add_char(out, text.ptr[0]);
        text = slice_skip(text, 1);
    }
}

/* The script's test for Go: ".(" with ")." somewhere after it. */
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
    module = suffix_strip_offset(module);
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
        while (digits < rest.len && ascii_is_digit(rest.ptr[digits]))
            digits++;
        if (digits && slice_starts(slice_skip(rest, digits), SLICE(".map")))
            return true;
    }
}

/* Names in brackets that perf gives to a process's own memory. */
static bool is_user_area(struct slice base)
{
    return slice_starts_any(base, "[unknown]", "[vdso", "[vsyscall]", "[heap]", "[stack", "[anon",
                            "[uprobes]");
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
