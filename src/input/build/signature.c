#include "input/build/signature.h"

/* ---- what C++ writes with brackets and signs ------------------------------------------------ */

bool signature_is_operator(struct slice s, size_t i)
{
    const struct slice word = SLICE("operator");
    struct slice rest = slice_skip(s, i);

    return slice_starts(rest, word) && (i == 0 || !signature_is_word(s.ptr[i - 1])) &&
           (rest.len == word.len || !signature_is_word(rest.ptr[word.len]));
}

size_t signature_operator(struct slice s, size_t i)
{
    static const char *const signs[] = {"()", "[]", "<=>", "<<=", ">>=", "->*", "->",
                                        "<<", ">>", "<=",  ">=",  "<",   ">"};
    const struct slice word = SLICE("operator");
    struct slice rest;

    if (s.ptr[i] != 'o' || !signature_is_operator(s, i))
        return 0;
    rest = slice_skip(s, i + word.len);
    for (size_t k = 0; k < sizeof(signs) / sizeof(signs[0]); k++)
        if (slice_starts(rest, slice_str(signs[k])))
            return word.len + strlen(signs[k]);
    return 0;
}

size_t signature_group_end(struct slice s, size_t open)
{
    size_t depth = 0;

    for (size_t i = open; i < s.len; i++) {
        if (s.ptr[i] == '(')
            depth++;
        else if (s.ptr[i] == ')' && --depth == 0)
            return i + 1;
    }
    return 0;
}

bool signature_group_is_name(struct slice s, size_t open, size_t end)
{
    struct slice group = slice_make(s.ptr + open, end - open);
    struct slice before = slice_trim_right(slice_take(s, open));

    if (open == 0 || slice_equal(group, SLICE("(anonymous namespace)")) ||
        slice_equal(group, SLICE("(anonymous)")) || slice_equal(group, SLICE("(anonymous class)")))
        return true;
    /* A receiver of Go, and in older versions a method taken as a value: "(*T).(pkg.f)-fm". */
    if (s.ptr[open - 1] == '.' &&
        ((end < s.len && s.ptr[end] == '.') || slice_equal(slice_skip(s, end), SLICE("-fm"))))
        return true;
    /* D writes template arguments so. */
    if (s.ptr[open - 1] == '!' && !slice_ends(before, SLICE("operator!")))
        return true;
    return slice_ends(before, SLICE("decltype"));
}

/* "void (*signal(int))(int)": the group contains the name. */
bool signature_group_declares(struct slice s, size_t open)
{
    return open > 0 && s.ptr[open - 1] == ' ' && open + 1 < s.len &&
           (s.ptr[open + 1] == '*' || s.ptr[open + 1] == '&');
}

/* ---- types ---------------------------------------------------------------------------------- */

/* The offset after the bracket that closes the one at `i`, whichever kind, or s.len. */
static size_t skip_brackets(struct slice s, size_t i)
{
    size_t depth = 0;

    for (; i < s.len; i++) {
        size_t sign = signature_operator(s, i);

        if (sign)
            i += sign - 1;
        else if (strchr("(<[{", s.ptr[i]))
            depth++;
        else if (strchr(")>]}", s.ptr[i]) && !(s.ptr[i] == '>' && s.ptr[i - 1] == '-') &&
                 --depth == 0)
            return i + 1;
    }
    return s.len;
}

/* Takes what is before the next ',' outside of brackets off `s`. */
static struct slice next_part(struct slice *s)
{
    struct slice part = *s;
    size_t i = 0;

    while (i < s->len && s->ptr[i] != ',')
        i = strchr("(<[{", s->ptr[i]) ? skip_brackets(*s, i) : i + 1;
    *s = slice_skip(*s, i + 1);
    return slice_trim(slice_take(part, i));
}

static bool is_one_of(struct slice word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (slice_equal(word, slice_str(words[i])))
            return true;
    return false;
}

#define IS_ONE_OF(word, words) is_one_of(word, words, sizeof(words) / sizeof((words)[0]))

/* Returns whether a word of C++ may precede or follow the name of a type. */
static bool is_qualifier(struct slice word)
{
    static const char *const words[] = {
        "const",     "volatile",     "struct",   "class",   "enum",       "union",
        "typename",  "unsigned",     "signed",   "long",    "short",      "complex",
        "restrict",  "__restrict",   "__ptr64",  "__cdecl", "__thiscall", "__fastcall",
        "__stdcall", "__vectorcall", "_Complex",
    };

    return IS_ONE_OF(word, words);
}

/* A parameter of Julia names a type of its own: "x::Int64", "::Vector{Float64}". */
static bool is_julia_parameter(struct slice type)
{
    static const char *const types[] = {
        "Any",     "Int",     "Int8",     "Int16",   "Int32",     "Int64",   "Int128",
        "UInt",    "UInt8",   "UInt16",   "UInt32",  "UInt64",    "UInt128", "Float16",
        "Float32", "Float64", "Bool",     "String",  "Char",      "Symbol",  "Function",
        "Vector",  "Matrix",  "Array",    "Dict",    "Tuple",     "NTuple",  "Nothing",
        "Missing", "Real",    "Number",   "Integer", "Type",      "Union",   "Set",
        "Complex", "Regex",   "IOBuffer", "IO",      "UnitRange", "Vararg",  "SubString",
    };
    size_t at = slice_search(type, SLICE("::")), end;

    if (at == type.len || (at && ascii_is_capital(type.ptr[0])))
        return false;
    type = slice_skip(type, at + 2);
    for (end = 0; end < type.len && signature_is_word(type.ptr[end]);)
        end++;
    return !at || (end < type.len && (type.ptr[end] == '{' || type.ptr[end] == '.')) ||
           (end == type.len && IS_ONE_OF(type, types));
}

/* Returns whether a ':' at `i` is not one of "::". */
static bool is_single_colon(struct slice s, size_t i)
{
    return s.ptr[i] == ':' && !(i > 0 && s.ptr[i - 1] == ':') &&
           !(i + 1 < s.len && s.ptr[i + 1] == ':');
}

/* Returns whether a sign outside of brackets cannot be part of a type or a path of C++. */
static bool is_foreign(struct slice s, size_t i)
{
    switch (s.ptr[i]) {
    case '.':
    case ':':
        return s.ptr[i] == '.' || is_single_colon(s, i);
    case '$': /* PHP's variables; clang's lambdas are "$_0" */
        return i + 1 < s.len && s.ptr[i + 1] != '_' && (i == 0 || !signature_is_word(s.ptr[i - 1]));
    default:
        return strchr("#\\/@=|\"`?!", s.ptr[i]) != NULL;
    }
}

/* Returns whether `s` is one type of C++, without the name of a parameter. */
static bool is_cpp_type(struct slice s)
{
    size_t names = 0, i = 0;

    if (slice_equal(s, SLICE("...")) || slice_starts(s, SLICE("auto:")))
        return true;
    if (!s.len || (s.ptr[0] >= '0' && s.ptr[0] <= '9'))
        return false;
    while (i < s.len) {
        size_t from = i;

        while (i < s.len && s.ptr[i] != ' ') {
            if (is_foreign(s, i))
                return false;
            i = strchr("(<[{", s.ptr[i]) ? skip_brackets(s, i) : i + 1;
        }
        if (signature_is_word(s.ptr[from])) {
            struct slice word = slice_make(s.ptr + from, i - from);

            while (word.len && strchr("*&", word.ptr[word.len - 1]))
                word.len--;
            /* "bool A::*" points to a member of A: A:: follows the name of the type. */
            names += !is_qualifier(word) && !slice_ends(word, SLICE("::"));
        }
        while (i < s.len && s.ptr[i] == ' ')
            i++;
    }
    return names <= 1;
}

static bool is_julia(struct slice arguments)
{
    arguments = slice_trim(arguments);
    if (!arguments.len)
        return false;
    while (arguments.len)
        if (!is_julia_parameter(next_part(&arguments)))
            return false;
    return true;
}

/* Arguments of a name that was cut at a greatest length may end anywhere. */
static bool are_cpp_types(struct slice arguments, bool whole)
{
    arguments = slice_trim(arguments);
    if (is_julia(arguments))
        return false;
    while (arguments.len) {
        struct slice type = next_part(&arguments);

        if (!is_cpp_type(type) && (whole || arguments.len))
            return false;
    }
    return true;
}

/* ---- C and C++ ------------------------------------------------------------------------------ */

/* Returns whether C++ writes `tail` after arguments. */
static bool is_cpp_tail(struct slice tail)
{
    return !tail.len ||
           slice_starts_any(tail, "::", "(", "[abi:", " const", " volatile", " &", " noexcept",
                            " restrict", " requires ", " [clone ", " [with ", " [inlined]");
}

/*
 * Words that begin a name of Swift or of C++ that is no function of its own. Swift's are whole;
 * of C++'s, which name a function with its arguments, the arguments are cut.
 */
static bool is_swift(struct slice s)
{
    return slice_starts_any(s, "static ", "specialized ", "merged ", "closure #",
                            "implicit closure ", "partial apply ", "protocol witness ", "@objc ",
                            "@nonobjc ", "dispatch thunk ", "generic specialization ",
                            "function signature specialization ", "reabstraction thunk ",
                            "default argument ", "outlined ", "lazy ", "variable initialization ",
                            "curry thunk ", "vtable thunk ", "method descriptor ", "async ") ||
           slice_has(s, SLICE(" in ")) || slice_has(s, SLICE(" -> "));
}

/* Returns the offset after the group at `open`, or 0 if it holds no arguments of C++. */
static size_t cpp_arguments(struct slice s, size_t open, bool callable)
{
    size_t end = signature_group_end(s, open);
    struct slice inside = slice_skip(s, open + 1);

    if (!callable)
        return 0;
    if (!end)
        return are_cpp_types(inside, false) ? s.len : 0;
    inside = slice_take(inside, end - open - 2);
    return are_cpp_types(inside, true) && is_cpp_tail(slice_skip(s, end)) ? end : 0;
}

/* Returns whether a function's name may end at `i`. */
static bool ends_name(struct slice s, size_t i)
{
    return i > 0 && (signature_is_word(s.ptr[i - 1]) || strchr(">]}'", s.ptr[i - 1]));
}

static bool is_cpp(struct slice s)
{
    bool callable = false; /* an operator, or arguments, end at `i` */
    size_t i = 0;

    if (is_swift(s))
        return false;
    while (i < s.len) {
        size_t sign = signature_operator(s, i), end;

        if (sign) {
            i += sign;
            callable = true;
        } else if (signature_is_operator(s, i)) {
            /* "operator!", "operator==", "operator unsigned long", "operator\"\" _s" */
            i += sizeof("operator") - 1;
            while (i < s.len && strchr("=!+-*/%^&|~,\"", s.ptr[i]))
                i++;
            callable = true;
        } else if (s.ptr[i] == '(') {
            end = signature_group_end(s, i);
            if (signature_group_declares(s, i))
                return true;
            if (end && signature_group_is_name(s, i, end)) {
                i = end;
                continue;
            }
            i = cpp_arguments(s, i, callable || ends_name(s, i));
            if (!i)
                return false;
            callable = true;
        } else if (is_foreign(s, i)) {
            return false;
        } else {
            callable = callable && s.ptr[i] == ' ';
            i = strchr("<[{", s.ptr[i]) ? skip_brackets(s, i) : i + 1;
        }
    }
    return true;
}

/* ---- Java, D and .NET ----------------------------------------------------------------------- */

/*
 * Returns whether `s` is empty, or the type of a method's result in a class file: "V", "[I". Maps
 * of JIT compilers may have ':' for ';', and a greatest length at which they cut names.
 */
static bool is_descriptor(struct slice s)
{
    size_t arrays = slice_lead(s, '[');

    s = slice_skip(s, arrays);
    if (!s.len || s.ptr[0] != 'L')
        return (!s.len && !arrays) || (s.len == 1 && strchr("VZBCSIJFD", s.ptr[0]));
    if (strchr(";:", s.ptr[s.len - 1]))
        s.len--;
    for (size_t i = 1; i < s.len; i++)
        if (!signature_is_word(s.ptr[i]) && s.ptr[i] != '/')
            return false;
    return true;
}

bool signature_is_java(struct slice s)
{
    size_t open = slice_find(s, '('), end;

    if (open == s.len || !ends_name(s, open))
        return false;
    end = signature_group_end(s, open);
    return !end || is_descriptor(slice_skip(s, end));
}

/* Returns whether `s` is the name of one type, as Java and D write it before a method. */
static bool is_result(struct slice s)
{
    static const char *const types[] = {"void",  "boolean", "bool",   "byte",  "ubyte", "char",
                                        "short", "ushort",  "int",    "uint",  "long",  "ulong",
                                        "float", "double",  "string", "size_t"};

    while (slice_ends(s, SLICE("[]")))
        s = slice_take(s, s.len - 2);
    if (!s.len || slice_find(s, ' ') < s.len)
        return false;
    return IS_ONE_OF(s, types) || (s.ptr[0] >= 'A' && s.ptr[0] <= 'Z') ||
           slice_find(s, '.') < s.len;
}

/* "void java.lang.Thread.run()", "void app.total(int)": a type and a path with dots. */
static bool is_typed(struct slice s)
{
    size_t open = slice_find(s, '('), blank = slice_find_last(slice_take(s, open), ' ');
    struct slice name = slice_skip(slice_take(s, open), blank + 1);
    size_t end = open < s.len ? signature_group_end(s, open) : 0;
    struct slice inside = slice_take(slice_skip(s, open + 1), end ? end - open - 2 : 0);

    if (!end || end < s.len || blank >= open || !ends_name(s, open) ||
        slice_find(name, '.') == name.len)
        return false;
    for (size_t i = 0; i < inside.len; i++)
        if (!signature_is_word(inside.ptr[i]) && !strchr("., []<>?&*/;!()", inside.ptr[i]))
            return false;
    return is_result(slice_take(s, blank));
}

/* "void [app] Shop.Cart::Total(int32)[Tier0]": the module of the class is in brackets. */
static bool is_intermediate(struct slice s)
{
    size_t module = slice_search(s, SLICE("] ")), open = slice_find(s, '('), end;

    if (module >= open || open == s.len || slice_find(s, '[') > module ||
        slice_search(slice_skip(s, module), SLICE("::")) >= open - module)
        return false;
    end = signature_group_end(s, open);
    return !end || end == s.len || (s.ptr[end] == '[' && s.ptr[s.len - 1] == ']');
}

/* "java/lang/Thread.run()V": the descriptor is part of the name. */
static bool has_descriptor(struct slice s)
{
    size_t open = slice_find(s, '(');
    size_t end = open < s.len ? signature_group_end(s, open) : 0;

    if (!end || end == s.len || !ends_name(s, open))
        return false;
    for (size_t i = open + 1; i + 1 < end; i++)
        if (!signature_is_word(s.ptr[i]) && !strchr("[/;:", s.ptr[i]))
            return false;
    return is_descriptor(slice_skip(s, end));
}

bool signature_is_native(struct slice s)
{
    return is_cpp(s) || is_typed(s) || is_intermediate(s) || has_descriptor(s);
}
