#include "convert/labels.h"

#include "base/num.h"

struct slice labels_of(const struct series *s)
{
    const struct slice comma = SLICE(", ");
    struct slice rest = s->name;

    if (!s->event.len || !slice_starts(rest, s->event))
        return rest;
    rest = slice_skip(rest, s->event.len);
    return slice_starts(rest, comma) ? slice_skip(rest, comma.len) : SLICE("");
}

struct labels_parts labels_split(struct slice label)
{
    size_t open = slice_find_last(label, '(');
    struct slice number = slice_skip(label, open + 1);
    uint64_t value;

    number.len -= slice_ends(number, SLICE(")"));
    if (!slice_ends(label, SLICE(")")) || !num_parse_u64(number, &value))
        return (struct labels_parts){.name = label};
    return (struct labels_parts){slice_trim(slice_take(label, open)), true, value};
}
