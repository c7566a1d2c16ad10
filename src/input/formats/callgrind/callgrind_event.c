#include "input/formats/callgrind/callgrind_event.h"

#include "base/num.h"
#include "input/formats/callgrind/callgrind_cycles.h"

#define COUNT(noun)                                                                                \
    {                                                                                              \
        UNIT_COUNT, 0,                                                                             \
        {                                                                                          \
            "" noun, sizeof(noun) - 1                                                              \
        }                                                                                          \
    }

static const struct {
    struct slice word;
    struct unit unit;
} counters[] = {
    {{"Ir", 2}, COUNT("instructions")},
    {{"Dr", 2}, COUNT("data reads")},
    {{"Dw", 2}, COUNT("data writes")},
    {{"I1mr", 4}, COUNT("L1 instruction misses")},
    {{"D1mr", 4}, COUNT("L1 data read misses")},
    {{"D1mw", 4}, COUNT("L1 data write misses")},
    {{"I2mr", 4}, COUNT("L2 instruction misses")},
    {{"D2mr", 4}, COUNT("L2 data read misses")},
    {{"D2mw", 4}, COUNT("L2 data write misses")},
    {{"ILmr", 4}, COUNT("last-level instruction misses")},
    {{"DLmr", 4}, COUNT("last-level data read misses")},
    {{"DLmw", 4}, COUNT("last-level data write misses")},
    {{"Bc", 2}, COUNT("conditional branches")},
    {{"Bcm", 3}, COUNT("mispredicted conditional branches")},
    {{"Bi", 2}, COUNT("indirect branches")},
    {{"Bim", 3}, COUNT("mispredicted indirect branches")},
    {{"Ge", 2}, COUNT("global bus events")},
    {{"sysCount", 8}, COUNT("system calls")},
    {{CALLGRIND_CYCLES, sizeof(CALLGRIND_CYCLES) - 1}, COUNT("cycles")},
};

/* A unit with a number before it, "10ns": powers of ten of time only. */
static struct unit scaled_unit(struct slice word)
{
    struct unit unit;
    int zeros = 0;

    if (!word.len || word.ptr[0] != '1')
        return unit_named(word);
    while ((size_t)zeros + 1 < word.len && word.ptr[zeros + 1] == '0' && zeros < 6)
        zeros++;
    unit = unit_named(slice_skip(word, (size_t)zeros + 1));
    if (unit.kind != UNIT_SECONDS)
        return unit_named(word);
    unit.exponent += zeros;
    return unit;
}

struct callgrind_event callgrind_event(struct slice word, bool xdebug)
{
    size_t at = slice_find(word, '(');
    struct callgrind_event e = {word, {UNIT_COUNT, 0, word}};

    for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
        if (slice_equal(word, counters[i].word))
            e.unit = counters[i].unit;
    if (xdebug && slice_equal(word, SLICE("Time")))
        e.unit = unit_named(SLICE("us"));
    if (xdebug && slice_equal(word, SLICE("Memory")))
        e.unit = unit_named(SLICE("bytes"));
    if (at == 0 || at + 2 >= word.len || word.ptr[word.len - 1] != ')')
        return e;
    e.unit = scaled_unit(slice_take(slice_skip(word, at + 1), word.len - at - 2));
    while (at > 1 && word.ptr[at - 1] == '_')
        at--;
    e.name = slice_take(word, at);
    return e;
}
