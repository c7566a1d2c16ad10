#include "convert/labels.h"

struct slice labels_of(const struct series *s)
{
    const struct slice comma = SLICE(", ");
    struct slice rest = s->name;

    if (!s->event.len || !slice_starts(rest, s->event))
        return rest;
    rest = slice_skip(rest, s->event.len);
    return slice_starts(rest, comma) ? slice_skip(rest, comma.len) : SLICE("");
}
