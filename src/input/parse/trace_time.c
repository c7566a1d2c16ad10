#include "input/parse/trace_time.h"

#include "base/ascii.h"

enum { NS_DECIMALS = 3 };

const struct unit trace_time_unit = {UNIT_SECONDS, -6, {0}};

/* "12" or "12.345", which is what nearly all of them look like. */
static bool parse_plain(struct slice text, int64_t *ns)
{
    enum { MOST_DIGITS = 18 };
    int64_t value = 0;
    size_t point = text.len, decimals;

    if (!text.len || text.len > MOST_DIGITS)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];

        if (ascii_is_digit(c))
            value = value * 10 + (c - '0');
        else if (c == '.' && point == text.len && i > 0)
            point = i;
        else
            return false;
    }
    decimals = point < text.len ? text.len - point - 1 : 0;
    if (decimals > NS_DECIMALS)
        return false;
    for (; decimals < NS_DECIMALS; decimals++)
        if (__builtin_mul_overflow(value, 10, &value))
            return false;
    *ns = value;
    return true;
}

bool trace_time_get(const struct json_value *v, int64_t *ns)
{
    struct decimal d;
    bool negative;
    uint64_t value;

    if (!v)
        return false;
    if ((v->type == JSON_NUMBER || v->type == JSON_STRING) && parse_plain(v->text, ns))
        return true;
    if (!json_decimal(v, &d, &negative))
        return false;
    if (d.decimals > NS_DECIMALS) {
        uint64_t by = num_pow10(d.decimals - NS_DECIMALS);

        value = d.value / by + (d.value % by >= by - by / 2);
    } else if (!num_mul(d.value, num_pow10(NS_DECIMALS - d.decimals), &value)) {
        return false;
    }
    if (value > INT64_MAX)
        return false;
    *ns = negative ? -(int64_t)value : (int64_t)value;
    return true;
}

struct decimal trace_time_weight(uint64_t ns)
{
    if (ns % 1000 == 0)
        return (struct decimal){.value = ns / 1000};
    return (struct decimal){.value = ns, .decimals = NS_DECIMALS};
}
