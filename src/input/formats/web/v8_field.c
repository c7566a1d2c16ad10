#include "input/formats/web/v8_field.h"

#include "base/num.h"

bool v8_field_take(struct slice *rest, struct slice *field)
{
    size_t at = 1;

    if (!rest->ptr || !slice_starts(*rest, SLICE("\"")))
        return slice_cut(rest, ',', field);
    while (at < rest->len &&
           (rest->ptr[at] != '"' || (at + 1 < rest->len && rest->ptr[at + 1] == '"'))) {
        at += rest->ptr[at] == '"' ? 2 : 1;
    }
    *field = slice_skip(slice_take(*rest, at), 1);
    *rest = slice_skip(*rest, at + 1);
    if (rest->len && rest->ptr[0] == ',')
        *rest = slice_skip(*rest, 1);
    return true;
}

bool v8_field_number(struct slice text, uint64_t *value)
{
    if (slice_starts(text, SLICE("0x")))
        return num_parse_hex(slice_skip(text, 2), value);
    return num_parse_u64(text, value);
}
