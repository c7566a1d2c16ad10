#include "damage.h"

#include <string.h>

/* A range of bytes that is replaced. */
struct place {
    size_t begin, end;
};

static const char *const names[DAMAGES] = {
    "cut", "missing", "twice", "swapped", "number", "word", "sign", "byte",
};

const char *damage_name(enum damage kind)
{
    return names[kind];
}

/* Returns a number below `n`, which is not 0: xorshift, 64 bits, by Marsaglia. */
static size_t draw(uint64_t *state, size_t n)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (size_t)((*state >> 11) % n);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_sign(char c)
{
    return c >= ' ' && c <= '~' && !is_digit(c) && !is_letter(c);
}

/* Returns the run of such characters at or after a place that is drawn; empty if there is none. */
static struct place draw_run(struct slice bytes, bool (*is)(char), uint64_t *state)
{
    struct place p;

    p.begin = draw(state, bytes.len);
    while (p.begin < bytes.len && !is(bytes.ptr[p.begin]))
        p.begin++;
    while (p.begin > 0 && p.begin < bytes.len && is(bytes.ptr[p.begin - 1]))
        p.begin--;
    p.end = p.begin;
    while (p.end < bytes.len && is(bytes.ptr[p.end]))
        p.end++;
    return p;
}

/* Returns the line that begins at `begin`, with its end. */
static struct place line_at(struct slice bytes, size_t begin)
{
    const char *end = memchr(bytes.ptr + begin, '\n', bytes.len - begin);

    return (struct place){begin, end ? (size_t)(end - bytes.ptr) + 1 : bytes.len};
}

static struct place draw_line(struct slice bytes, uint64_t *state)
{
    size_t begin = draw(state, bytes.len);

    while (begin > 0 && bytes.ptr[begin - 1] != '\n')
        begin--;
    return line_at(bytes, begin);
}

static void add_range(struct slice bytes, struct place p, struct buf *out)
{
    buf_add(out, bytes.ptr + p.begin, p.end - p.begin);
}

static void write_line(struct slice bytes, enum damage kind, uint64_t *state, struct buf *out)
{
    struct place line = draw_line(bytes, state), next = line_at(bytes, line.end);
    size_t rest = line.end;

    buf_add(out, bytes.ptr, line.begin);
    if (kind == DAMAGE_SWAPPED) {
        add_range(bytes, next, out);
        rest = next.end;
    }
    if (kind != DAMAGE_MISSING)
        add_range(bytes, line, out);
    if (kind == DAMAGE_TWICE)
        add_range(bytes, line, out);
    buf_add_slice(out, slice_skip(bytes, rest));
}

static void write_run(struct slice bytes, enum damage kind, uint64_t *state, struct buf *out)
{
    static const char *const numbers[] = {
        "0", "1", "-1", "7", "x", "1.5", "", "4294967295", "99999999999999999999",
    };
    static const char *const words[] = {"", "x", "main", "[unknown]", "null"};
    bool number = kind == DAMAGE_NUMBER;
    struct place run = draw_run(bytes, number ? is_digit : is_letter, state);

    buf_add(out, bytes.ptr, run.begin);
    if (run.begin < run.end)
        buf_add_str(out, number ? numbers[draw(state, sizeof(numbers) / sizeof(*numbers))]
                                : words[draw(state, sizeof(words) / sizeof(*words))]);
    buf_add_slice(out, slice_skip(bytes, run.end));
}

static void write_sign(struct slice bytes, uint64_t *state, struct buf *out)
{
    struct place run = draw_run(bytes, is_sign, state);
    bool twice = draw(state, 2);

    buf_add(out, bytes.ptr, run.begin + (run.begin < run.end && twice));
    buf_add_slice(out, slice_skip(bytes, run.begin + (run.begin < run.end && !twice)));
}

static void write_byte(struct slice bytes, uint64_t *state, struct buf *out)
{
    size_t at = draw(state, bytes.len);
    unsigned char c = (unsigned char)bytes.ptr[at];
    const unsigned char others[] = {0,
                                    255,
                                    (unsigned char)(c + 1),
                                    (unsigned char)(c - 1),
                                    (unsigned char)(c ^ 128),
                                    (unsigned char)(c ^ (1 << draw(state, 8)))};

    buf_add(out, bytes.ptr, at);
    buf_add_char(out, (char)others[draw(state, sizeof(others))]);
    buf_add_slice(out, slice_skip(bytes, at + 1));
}

void damage_write(struct slice bytes, enum damage kind, unsigned number, struct buf *out)
{
    uint64_t state = (number * DAMAGES + kind + 1) * 0x9e3779b97f4a7c15;

    if (!bytes.len)
        return;
    draw(&state, 2);
    if (kind == DAMAGE_CUT)
        buf_add(out, bytes.ptr, draw(&state, bytes.len));
    else if (kind <= DAMAGE_SWAPPED)
        write_line(bytes, kind, &state, out);
    else if (kind <= DAMAGE_WORD)
        write_run(bytes, kind, &state, out);
    else if (kind == DAMAGE_SIGN)
        write_sign(bytes, &state, out);
    else
        write_byte(bytes, &state, out);
}
