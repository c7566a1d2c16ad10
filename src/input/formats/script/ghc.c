#include "input/formats/script/ghc.h"

#include "base/num.h"

struct unit ghc_tick_unit(uint64_t microseconds)
{
    struct unit unit = unit_named(SLICE("us"));

    while (microseconds && microseconds % 10 == 0 && unit.exponent < 0) {
        microseconds /= 10;
        unit.exponent++;
    }
    return microseconds == 1 ? unit : unit_named(SLICE("ticks"));
}

void ghc_set_source(struct frame *f, struct slice source)
{
    size_t colon = slice_find(source, ':'), digits = 0;
    struct slice rest = slice_skip(source, colon + 1);

    if (colon == source.len || slice_starts(source, SLICE("<")))
        return;
    f->file = slice_take(source, colon);
    if (rest.len && rest.ptr[0] == '(')
        rest = slice_skip(rest, 1);
    while (digits < rest.len && rest.ptr[digits] >= '0' && rest.ptr[digits] <= '9')
        digits++;
    num_parse_u64(slice_take(rest, digits), &f->line);
}
