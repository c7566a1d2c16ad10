#include "input/formats/callgrind/callgrind_plain.h"

#include "base/ascii.h"
#include "base/num.h"

#define NONE CALLGRIND_NONE

/* Bytes in front of the first blank or control character: none where they are more than seven. */
static unsigned graph_length(const char *p)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t word = hash_load((const unsigned char *)p, 8);
    uint64_t blank = (word - ones * ('!')) & ~word & ones * 0x80;

    return blank ? (unsigned)__builtin_ctzll(blank) / 8 : 0;
}

const char *callgrind_plain_costs(struct callgrind_file *f, const char *p)
{
    enum { SAFE_DIGITS = 18 };
    size_t count = 0;

    for (unsigned i = 0; i < f->positions; i++) {
        p += graph_length(p);
        if (*p++ != ' ')
            return NULL;
    }
    for (; count < f->columns.count; p++) {
        uint64_t cost;
        unsigned digits = num_take_digits(p, &cost);

        for (p += digits; digits >= 8 && digits < SAFE_DIGITS && ascii_is_digit(*p); digits++)
            cost = cost * 10 + (uint64_t)(*p++ - '0');
        if (!digits)
            return NULL;
        f->costs.items[count++] = (int64_t)cost;
        if (*p == '\n') {
            f->costs.count = count;
            return p + 1;
        }
        if (*p != ' ')
            return NULL;
    }
    return NULL;
}

/*
 * The number of "(12)", or of "(12) main" where that is what it means, at the
 * end of a line; NULL where something else is there.
 */
static const char *take_number(const struct callgrind_file *f, enum callgrind_table table,
                               const char *p, const char *end, uint32_t *number)
{
    struct slice text;
    uint64_t value = (uint64_t)(*++p - '0');
    unsigned digits = 1;

    if (value > 9 || p[1] != ')')
        digits = num_take_digits(p, &value);
    *number = (uint32_t)value;
    p += digits;
    if (!digits || *p++ != ')')
        return NULL;
    if (*p == '\n')
        return p + 1;
    value = callgrind_names_numbered(&f->names, table, *number);
    if (*p++ != ' ' || value == NONE)
        return NULL;
    text = intern_get(&f->names.texts, (uint32_t)value);
    if (text.len >= (size_t)(end - p) || p[text.len] != '\n' || memcmp(p, text.ptr, text.len) != 0)
        return NULL;
    return p + text.len + 1;
}

/* Enters the function of a number, if it was met. */
static bool take_function(struct callgrind_file *f, bool callee, uint32_t number)
{
    uint32_t id;

    if (!callgrind_names_recent(&f->names, f->thread, number, &id))
        return false;
    *(callee ? &f->callee : &f->function) = id;
    if (f->xdebug && !callee)
        call_blocks_open(&f->blocks, id);
    return true;
}

/* What "fl=(12)", "cob=(12)" and their kin name becomes the one in hand, if it is known. */
static bool take_text(struct callgrind_file *f, enum callgrind_table table, bool callee,
                      uint32_t number)
{
    uint32_t id = callgrind_names_numbered(&f->names, table, number);

    if (id == NONE)
        return false;
    if (table == CALLGRIND_OBJECTS)
        *(callee ? &f->callee_object : &f->object) = id;
    else
        *(callee ? &f->callee_file : &f->file) = id;
    return true;
}

/* Four characters as one number. */
#define WORD(a, b, c, d)                                                                           \
    ((uint64_t)(a) | (uint64_t)(b) << 8 | (uint64_t)(c) << 16 | (uint64_t)(d) << 24)

/* The table of a key and the parenthesis behind it; CALLGRIND_TABLES for what is none. */
static enum callgrind_table table_of(const char *key, bool callee)
{
    switch (hash_load((const unsigned char *)key, 4)) {
    case WORD('f', 'n', '=', '('):
        return CALLGRIND_FUNCTIONS;
    case WORD('f', 'l', '=', '('):
    case WORD('f', 'i', '=', '('):
        return CALLGRIND_FILES;
    case WORD('f', 'e', '=', '('):
        return callee ? CALLGRIND_TABLES : CALLGRIND_FILES;
    case WORD('o', 'b', '=', '('):
        return CALLGRIND_OBJECTS;
    default:
        return CALLGRIND_TABLES;
    }
}

const char *callgrind_plain_name(struct callgrind_file *f, const char *p, const char *end)
{
    bool callee = p[0] == 'c', ok;
    enum callgrind_table table = table_of(p + callee, callee);
    uint32_t number;

    if (table == CALLGRIND_TABLES)
        return NULL;
    p = take_number(f, table, p + callee + 3, end, &number);
    ok = p && (table == CALLGRIND_FUNCTIONS ? take_function(f, callee, number)
                                            : take_text(f, table, callee, number));
    return ok ? p : NULL;
}
