#include "input/parse/json_escape.h"

#include <string.h>

#include "base/num.h"

/* The surrogate that the four digits name; 0 for anything else. */
static uint64_t surrogate(const char *digits)
{
    uint64_t value;

    if (!num_parse_hex(slice_make(digits, 4), &value) || (value & 0xf800) != 0xd800)
        return 0;
    return value;
}

size_t json_escape_mend(char *bytes, size_t len, bool last)
{
    enum { ESCAPE = 6, PAIR = 12 };
    char *p = bytes, *limit = bytes + len;

    while ((p = memchr(p, '\\', (size_t)(limit - p)))) {
        size_t left = (size_t)(limit - p);
        uint64_t half;

        if (left < PAIR && !last)
            return (size_t)(p - bytes);
        if (left < ESCAPE)
            break;
        half = p[1] == 'u' ? surrogate(p + 2) : 0;
        if (!half) {
            p += 2;
        } else if (half < 0xdc00 && left >= PAIR && p[6] == '\\' && p[7] == 'u' &&
                   surrogate(p + 8) >= 0xdc00) {
            p += PAIR;
        } else {
            memcpy(p + 2, "fffd", 4);
            p += ESCAPE;
        }
    }
    return len;
}
