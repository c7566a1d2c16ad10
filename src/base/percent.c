#include "base/percent.h"

#include <math.h>

/* Returns 100 * |share| in units of the last decimal. */
static uint64_t round_share(long double share, unsigned decimals)
{
    /* In units of the last decimal: above all rounding errors, below what samples tell apart. */
    static const long double nearly_half = 0.5L + 1e-9L;
    long double scaled = 100 * (long double)num_pow10(decimals) * fabsl(share);

    return scaled < (long double)INT64_MAX ? (uint64_t)(scaled + nearly_half) : INT64_MAX;
}

void percent_write(struct buf *out, long double share, unsigned decimals)
{
    if (signbit(share))
        buf_add_char(out, '-');
    num_write_percent(out, round_share(share, decimals), 100 * num_pow10(decimals), decimals);
}

void percent_write_points(struct buf *out, long double change, unsigned decimals)
{
    if (!signbit(change))
        buf_add_char(out, '+');
    percent_write(out, change, decimals);
}
