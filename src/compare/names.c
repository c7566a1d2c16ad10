#include "compare/names.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/die.h"

/* Words after which a number belongs to generated code, or a hash. */
static const struct {
    const char *word;
    bool hash; /* or, in Spring 6, a number */
} generated[] = {
    {"$$Lambda", false},
    {"GeneratedMethodAccessor", false},
    {"GeneratedConstructorAccessor", false},
    {"GeneratedSerializationConstructorAccessor", false},
    {"$Proxy", false},
    {"LambdaForm$MH", false},
    {"LambdaForm$DMH", false},
    {"$$EnhancerBySpringCGLIB$$", true},
    {"$$FastClassBySpringCGLIB$$", true},
    {"$$EnhancerByCGLIB$$", true},
    {"$$FastClassByCGLIB$$", true},
    {"$$SpringCGLIB$$", true},
};

/* Suffixes of clones that gcc and clang make of a function; a number follows, except ".cold". */
static const char *const clones[] = {".cold", ".isra", ".constprop", ".part", ".lto_priv", ".llvm"};

enum {
    GENERATED = sizeof(generated) / sizeof(*generated),
    CLONES = sizeof(clones) / sizeof(*clones),
    COLD = 0,
};
enum { LEAST_ADDRESS = 4 }; /* digits; "0x10" may be part of a name */

static size_t count_digits(struct slice s)
{
    size_t n = 0;

    while (n < s.len && ascii_is_digit(s.ptr[n]))
        n++;
    return n;
}

static size_t count_hex(struct slice s)
{
    size_t n = 0;

    while (n < s.len && ascii_is_hex(s.ptr[n]))
        n++;
    return n;
}

/* Returns the length of "0x" and hexadecimal digits at the start of `s`, or 0. */
static size_t address_length(struct slice s, size_t least)
{
    size_t digits = count_hex(slice_skip(s, 2));

    return slice_starts(s, SLICE("0x")) && digits >= least ? digits + 2 : 0;
}

/* Whether it is the version of a shared library's symbol, which follows "@": "GLIBC_2.2.5". */
static bool is_version(struct slice s)
{
    size_t score = slice_find(s, '_');

    return s.len > score + 1 && ascii_is_capital(s.ptr[0]) && ascii_is_digit(s.ptr[s.len - 1]);
}

/* Whether it is the hash at the end of a function of Rust, which follows "::". */
static bool is_rust_hash(struct slice s)
{
    enum { DIGITS = 16 };

    return slice_starts(s, SLICE("h")) && s.len == DIGITS + 1 &&
           count_hex(slice_skip(s, 1)) == DIGITS;
}

/*
 * Returns the name without the last suffix that is a clone's, a version, a hash or an offset within
 * the function.
 */
static struct slice without_suffix(struct slice name)
{
    size_t clone = slice_search(name, SLICE(" [clone ")), plus = slice_find_last(name, '+');
    struct slice head = slice_take(name, slice_find_last(name, '.'));
    struct slice number = slice_skip(name, head.len + 1);
    bool numbered = number.len && count_digits(number) == number.len;
    size_t at = slice_find_last(name, '@'), colon = slice_find_last(name, ':');

    if (at > 1 && is_version(slice_skip(name, at + 1)))
        return slice_take(name, at - (name.ptr[at - 1] == '@'));
    if (colon > 1 && name.ptr[colon - 1] == ':' && is_rust_hash(slice_skip(name, colon + 1)))
        return slice_take(name, colon - 1);
    if (clone && clone < name.len)
        return slice_take(name, clone);
    if (plus && plus + 1 < name.len &&
        address_length(slice_skip(name, plus + 1), 1) == name.len - plus - 1)
        return slice_take(name, plus);
    for (size_t i = 0; i < CLONES; i++) {
        struct slice suffix = slice_str(clones[i]), whole = numbered ? head : name;

        if ((numbered || i == COLD) && slice_ends(whole, suffix) && whole.len > suffix.len)
            return slice_take(whole, whole.len - suffix.len);
    }
    return name;
}

static struct slice without_suffixes(struct slice name)
{
    struct slice shorter = without_suffix(name);

    while (shorter.len < name.len) {
        name = shorter;
        shorter = without_suffix(name);
    }
    return name;
}

/* Returns the length of the number of generated code at the start of `s`: "$14", "12", ".0x7f". */
static size_t generated_number(struct slice s)
{
    size_t n = s.len && (s.ptr[0] == '$' || s.ptr[0] == '.') ? 1 : 0;
    size_t digits = count_digits(slice_skip(s, n));

    return digits && !address_length(slice_skip(s, n), 1) ? n + digits : 0;
}

/* The parts at the start of a text that generated code has: a word that stays, and what goes. */
struct generated_part {
    size_t word, number;
};

static bool is_joint(char c)
{
    return c == '/' || c == '.' || c == '+';
}

/* Returns the length of "/0x7f3a12", of "." or "+" and an address, at the start of `s`, or 0. */
static size_t joined_address(struct slice s)
{
    size_t address =
        s.len && is_joint(s.ptr[0]) ? address_length(slice_skip(s, 1), LEAST_ADDRESS) : 0;

    return address ? address + 1 : 0;
}

/* Returns the parts at the start of `s`, or none. */
static struct generated_part generated_part(struct slice s)
{
    struct generated_part part = {.number = joined_address(s)};

    for (size_t i = 0; i < GENERATED && !part.number && !part.word; i++) {
        struct slice word = slice_str(generated[i].word), rest = slice_skip(s, word.len);

        if (!slice_starts(s, word))
            continue;
        part.word = word.len;
        part.number = generated[i].hash ? count_hex(rest) : generated_number(rest);
    }
    return part;
}

/* Adds a part of the name that may have to change, or its first byte. Returns what follows. */
static struct slice add_part(struct buf *out, struct slice rest, bool anonymous)
{
    struct generated_part part = generated_part(rest);
    size_t address = address_length(rest, LEAST_ADDRESS);

    if (part.word || part.number) {
        buf_add_slice(out, slice_take(rest, part.word));
        return slice_skip(rest, part.word + part.number);
    }
    if (address) {
        buf_add_str(out, "0x");
        return slice_skip(rest, address);
    }
    if (anonymous && rest.ptr[0] == ':' && count_digits(slice_skip(rest, 1)))
        return slice_skip(rest, 1 + count_digits(slice_skip(rest, 1)));
    buf_add_char(out, rest.ptr[0]);
    return slice_skip(rest, 1);
}

/* Returns the length of the bytes at the start of `s` with which nothing begins that changes. */
static size_t plain_length(struct slice s)
{
    static const bool begins[256] = {['/'] = true, ['.'] = true, ['+'] = true, ['0'] = true,
                                     [':'] = true, ['$'] = true, ['G'] = true, ['L'] = true};
    size_t n = 0;

    while (n < s.len && !begins[(unsigned char)s.ptr[n]])
        n++;
    return n;
}

void compare_name_add(struct buf *out, struct slice name)
{
    struct slice rest = without_suffixes(name);
    bool anonymous = slice_starts(rest, SLICE("(anonymous "));

    for (;;) {
        size_t plain = plain_length(rest);

        buf_add_slice(out, slice_take(rest, plain));
        rest = slice_skip(rest, plain);
        if (!rest.len)
            break;
        rest = add_part(out, rest, anonymous);
    }
}

/*
 * Returns the generated part at the start of `s` that a run decides. An address at the end of a
 * name is an offset within the function.
 */
static struct generated_part run_part(struct slice s)
{
    struct generated_part part = generated_part(s);

    return part.word || part.number < s.len ? part : (struct generated_part){0};
}

bool compare_is_generated(struct slice name)
{
    for (size_t plain; plain = plain_length(name), plain < name.len;) {
        struct generated_part part = run_part(name = slice_skip(name, plain));

        if (part.word || part.number)
            return true;
        name = slice_skip(name, 1);
    }
    return false;
}

void compare_run_name_add(struct buf *out, struct slice name)
{
    while (name.len) {
        struct generated_part part = run_part(name);
        size_t kept = part.word || part.number ? part.word : 1;

        buf_add_slice(out, slice_take(name, kept));
        name = slice_skip(name, kept + part.number);
    }
}

void compare_thread_name_add(struct buf *out, struct slice name)
{
    static const char separators[] = "-_/:# .";
    bool separated = false;

    while (name.len) {
        size_t digits = count_digits(name);

        if (digits && separated) {
            buf_add_char(out, 'N');
            name = slice_skip(name, digits);
        } else {
            buf_add_slice(out, slice_take(name, digits ? digits : 1));
            separated = !digits && memchr(separators, name.ptr[0], sizeof(separators) - 1);
            name = slice_skip(name, digits ? digits : 1);
        }
    }
}

void compare_process_name_add(struct buf *out, struct slice name)
{
    while (name.len) {
        size_t digits = count_digits(name);

        if (digits)
            buf_add_char(out, 'N');
        else
            buf_add_char(out, name.ptr[0]);
        name = slice_skip(name, digits ? digits : 1);
    }
}

/* Removes the arguments: what is after the first '(' that does not begin a part of the name, as in
   "http.(*Server).Serve". */
static struct slice without_arguments(struct slice name)
{
    size_t open = 1;

    while (open < name.len && (name.ptr[open] != '(' || name.ptr[open - 1] == '.'))
        open++;
    return slice_take(name, open);
}

/* Returns the length of the part before the function itself: after the last '.', ':' or '/'
   outside of template arguments. */
static size_t scope_length(struct slice name)
{
    size_t scope = 0, depth = 0;

    for (size_t i = 0; i + 1 < name.len; i++) {
        if (name.ptr[i] == '<')
            depth++;
        else if (name.ptr[i] == '>' && depth)
            depth--;
        else if (!depth && (name.ptr[i] == '.' || name.ptr[i] == ':' || name.ptr[i] == '/'))
            scope = i + 1;
    }
    return scope;
}

struct slice compare_name_scope(struct slice name)
{
    name = without_arguments(name);
    return slice_take(name, scope_length(name));
}

enum { LONGEST = 200 }; /* bytes of each name that are compared */

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Levenshtein's distance of the first LONGEST bytes. */
static size_t edits(struct slice a, struct slice b)
{
    size_t row[LONGEST + 1];

    for (size_t j = 0; j <= b.len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t replaced = diagonal + (a.ptr[i - 1] != b.ptr[j - 1]);

            diagonal = row[j];
            row[j] = least_of(replaced, least_of(row[j], row[j - 1]) + 1);
        }
    }
    return row[b.len];
}

static double likeness(struct slice a, struct slice b)
{
    size_t longer;

    a = slice_take(a, LONGEST);
    b = slice_take(b, LONGEST);
    longer = a.len > b.len ? a.len : b.len;
    return longer ? 1 - (double)edits(a, b) / (double)longer : 1;
}

double compare_names_alike(struct slice a, struct slice b)
{
    struct slice own_a, own_b;

    a = without_arguments(a);
    b = without_arguments(b);
    own_a = slice_skip(a, scope_length(a));
    own_b = slice_skip(b, scope_length(b));
    return slice_equal(own_a, own_b) ? likeness(a, b) : likeness(own_a, own_b);
}
