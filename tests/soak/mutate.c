/*
 * Damages a profile as accidents and attackers do.
 *
 *     mutate SEED LIST OUT
 *
 * LIST names the files to choose from, one on each line; files of one directory have
 * one format. The file, the mutations and their places follow from SEED alone, a
 * number. The result goes to OUT and has at most MAX_SIZE bytes. Prints what was
 * done: the compression that the result should get ("none", "gzip", "zstd", "xz",
 * "bzip2"), the file, and the mutations.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIZE = 4 << 20, MAX_MUTATIONS = 4 };

/* A file that grows and shrinks in place. */
struct content {
    unsigned char bytes[MAX_SIZE];
    size_t len;
};

struct state {
    uint64_t random;
    struct content it, other;
};

/* splitmix64, by Sebastiano Vigna. */
static uint64_t next_random(struct state *s)
{
    uint64_t z = s->random += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Returns a number below `bound`, or 0. */
static size_t below(struct state *s, size_t bound)
{
    return bound ? (size_t)(next_random(s) % bound) : 0;
}

/* Replaces `old` bytes at `at` by others, as far as there is room. */
static void replace(struct content *c, size_t at, size_t old, const void *bytes, size_t len)
{
    size_t rest = c->len - at - old;

    if (len > MAX_SIZE - at)
        len = MAX_SIZE - at;
    if (rest > MAX_SIZE - at - len)
        rest = MAX_SIZE - at - len;
    memmove(c->bytes + at + len, c->bytes + at + old, rest);
    memcpy(c->bytes + at, bytes, len);
    c->len = at + len + rest;
}

/* Three quarters of the places are anywhere, one quarter in the header. */
static size_t place(struct state *s)
{
    return below(s, s->it.len > 256 && below(s, 4) == 0 ? 256 : s->it.len);
}

/* ---- the mutations ---- */

static void flip_bits(struct state *s)
{
    for (size_t n = 1 + below(s, 8); n && s->it.len; n--)
        s->it.bytes[place(s)] ^= (unsigned char)(1u << below(s, 8));
}

static void set_bytes(struct state *s)
{
    static const unsigned char values[] = {0, 1, '\n', '\t', ' ', ';', '"', '{', 0x7f, 0x80, 0xff};

    for (size_t n = 1 + below(s, 4); n && s->it.len; n--)
        s->it.bytes[place(s)] = values[below(s, sizeof(values))];
}

static void cut_end(struct state *s)
{
    s->it.len = below(s, s->it.len);
}

static void remove_range(struct state *s)
{
    size_t at = place(s), len = below(s, s->it.len - at < 4096 ? s->it.len - at : 4096);

    replace(&s->it, at, len, "", 0);
}

static void repeat_range(struct state *s)
{
    size_t at = place(s), len = below(s, s->it.len - at < 512 ? s->it.len - at : 512);
    unsigned char copy[512];

    memcpy(copy, s->it.bytes + at, len);
    for (size_t n = (size_t)1 << below(s, 10); n; n--)
        replace(&s->it, at, 0, copy, len);
}

/* Joins the start of one file of the format and the end of another. */
static void splice(struct state *s)
{
    size_t at = place(s), from = below(s, s->other.len);

    replace(&s->it, at, s->it.len - at, s->other.bytes + from, s->other.len - from);
}

/* Inserts a range of another file of the format. */
static void insert_other(struct state *s)
{
    size_t from = below(s, s->other.len);
    size_t len = below(s, s->other.len - from < 4096 ? s->other.len - from : 4096);

    replace(&s->it, place(s), 0, s->other.bytes + from, len);
}

/* Finds the decimal number at or after a random place. Returns its length, or 0. */
static size_t find_number(struct state *s, size_t *at)
{
    size_t end;

    *at = place(s);
    while (*at < s->it.len && (s->it.bytes[*at] < '0' || s->it.bytes[*at] > '9'))
        ++*at;
    end = *at;
    while (end < s->it.len && s->it.bytes[end] >= '0' && s->it.bytes[end] <= '9')
        end++;
    return end - *at;
}

static void change_number(struct state *s)
{
    static const char *const values[] = {
        "0",
        "-1",
        "1",
        "255",
        "65536",
        "2147483647",
        "2147483648",
        "4294967295",
        "4294967296",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "99999999999999999999999999",
        "0.1",
        "1e308",
        "1e-400",
        "NaN",
        "Infinity",
        "0x7fffffffffffffff",
        "",
    };
    const char *value = values[below(s, sizeof(values) / sizeof(values[0]))];
    size_t at, len = find_number(s, &at);

    replace(&s->it, at, len, value, strlen(value));
}

static void swap_numbers(struct state *s)
{
    unsigned char one[64], two[64];
    size_t a, b, first = find_number(s, &a), second = find_number(s, &b);

    if (a + first > b || first > sizeof(one) || second > sizeof(two))
        return;
    memcpy(one, s->it.bytes + a, first);
    memcpy(two, s->it.bytes + b, second);
    replace(&s->it, b, second, one, first);
    replace(&s->it, a, first, two, second);
}

/* Finds the line around a random place; `*end` is after its line end. */
static void find_line(struct state *s, size_t *start, size_t *end)
{
    *start = *end = place(s);
    while (*start && s->it.bytes[*start - 1] != '\n')
        --*start;
    while (*end < s->it.len && s->it.bytes[*end] != '\n')
        ++*end;
    *end += *end < s->it.len;
}

static void remove_line(struct state *s)
{
    size_t start, end;

    find_line(s, &start, &end);
    replace(&s->it, start, end - start, "", 0);
}

static void repeat_line(struct state *s)
{
    unsigned char line[4096];
    size_t start, end, at, unused;

    find_line(s, &start, &end);
    if (end - start > sizeof(line))
        return;
    memcpy(line, s->it.bytes + start, end - start);
    /* Inserts the line at its own place or elsewhere. */
    at = start;
    if (below(s, 2))
        find_line(s, &at, &unused);
    for (size_t n = (size_t)1 << below(s, 8); n; n--)
        replace(&s->it, at, 0, line, end - start);
}

/* Changes bytes as if they were the length of something: little-endian, big-endian or varint. */
static void change_length(struct state *s)
{
    size_t at = place(s), size = (size_t)1 << below(s, 4);
    bool big = below(s, 2), overlong = below(s, 4) == 0;
    uint64_t value = 0, limit;
    unsigned char bytes[10];

    if (overlong) {
        memset(bytes, 0xff, sizeof(bytes));
        bytes[9] = (unsigned char)below(s, 256);
        replace(&s->it, at, s->it.len > at, bytes, 1 + below(s, sizeof(bytes)));
        return;
    }
    if (size > s->it.len - at)
        return;
    for (size_t i = 0; i < size; i++)
        value = value << 8 | s->it.bytes[at + (big ? i : size - 1 - i)];
    limit = size == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * size) - 1;
    switch (below(s, 6)) {
    case 0:
        value++;
        break;
    case 1:
        value--;
        break;
    case 2:
        value *= 2;
        break;
    case 3:
        value = limit;
        break;
    case 4:
        value = limit / 2 + 1;
        break;
    default:
        value = next_random(s);
    }
    for (size_t i = 0; i < size; i++)
        s->it.bytes[at + (big ? size - 1 - i : i)] = (unsigned char)(value >> 8 * i);
}

static const struct {
    const char *name;
    void (*mutate)(struct state *s);
} mutations[] = {
    {"flip-bits", flip_bits},       {"set-bytes", set_bytes},
    {"cut-end", cut_end},           {"remove-range", remove_range},
    {"repeat-range", repeat_range}, {"splice", splice},
    {"insert-other", insert_other}, {"change-number", change_number},
    {"swap-numbers", swap_numbers}, {"remove-line", remove_line},
    {"repeat-line", repeat_line},   {"change-length", change_length},
};

enum { MUTATIONS = sizeof(mutations) / sizeof(mutations[0]) };

/* ---- files ---- */

static void fail(const char *path)
{
    fprintf(stderr, "mutate: %s: %s\n", path, strerror(errno));
    exit(1);
}

static void read_file(const char *path, struct content *c)
{
    FILE *file = fopen(path, "rb");

    if (!file)
        fail(path);
    c->len = fread(c->bytes, 1, MAX_SIZE, file);
    fclose(file);
}

static size_t directory_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash - path) : 0;
}

/* Reads the list into `text` and cuts it into lines. Returns how many there are. */
static size_t read_list(const char *path, struct content *text, char **lines, size_t most)
{
    size_t count = 0;
    char *rest, *line;

    read_file(path, text);
    if (text->len == MAX_SIZE)
        text->len--;
    text->bytes[text->len] = '\0';
    rest = (char *)text->bytes;
    while (count < most && (line = strsep(&rest, "\n")))
        if (*line)
            lines[count++] = line;
    return count;
}

/* Returns the number of a file in the same directory as that of number `one`. */
static size_t choose_relative(struct state *s, char **lines, size_t count, size_t one)
{
    size_t length = directory_length(lines[one]), first = one, last = one;

    while (first && directory_length(lines[first - 1]) == length &&
           strncmp(lines[first - 1], lines[one], length) == 0)
        first--;
    while (last + 1 < count && directory_length(lines[last + 1]) == length &&
           strncmp(lines[last + 1], lines[one], length) == 0)
        last++;
    return first + below(s, last - first + 1);
}

int main(int argc, char **argv)
{
    static const char *const compressions[] = {"none", "none", "none", "none", "none",
                                               "gzip", "zstd", "xz",   "bzip2"};
    enum { MOST_FILES = 16384 };
    static struct content list;
    static char *lines[MOST_FILES];
    static struct state s;
    size_t count, one;
    FILE *out;

    if (argc != 4) {
        fputs("usage: mutate SEED LIST OUT\n", stderr);
        return 2;
    }
    s.random = strtoull(argv[1], NULL, 10);
    count = read_list(argv[2], &list, lines, MOST_FILES);
    if (!count) {
        fprintf(stderr, "mutate: %s: names no files\n", argv[2]);
        return 1;
    }
    one = below(&s, count);
    read_file(lines[one], &s.it);
    read_file(lines[choose_relative(&s, lines, count, one)], &s.other);
    printf("%s %s", compressions[below(&s, sizeof(compressions) / sizeof(compressions[0]))],
           lines[one]);
    for (size_t n = 1 + below(&s, MAX_MUTATIONS); n; n--) {
        size_t number = below(&s, MUTATIONS);

        printf(" %s", mutations[number].name);
        mutations[number].mutate(&s);
    }
    putchar('\n');
    out = fopen(argv[3], "wb");
    if (!out || fwrite(s.it.bytes, 1, s.it.len, out) != s.it.len || fclose(out) != 0)
        fail(argv[3]);
    return 0;
}
