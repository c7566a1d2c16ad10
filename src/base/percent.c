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

/* Whether a share that is read again with these decimals is rounded to fewer as it was before. */
static bool rounds_same(long double share, unsigned decimals)
{
    static const unsigned fewer[] = {PERCENT_CAPTION, PERCENT_TABLE};
    long double read = (long double)round_share(share, decimals) / num_pow10(decimals) / 100;

    for (size_t i = 0; i < sizeof(fewer) / sizeof(*fewer); i++)
        if (round_share(read, fewer[i]) != round_share(share, fewer[i]))
            return false;
    return true;
}

void percent_write_exact(struct buf *out, long double share)
{
    enum { MOST = 10 };
    unsigned decimals = PERCENT_EXACT;

    while (decimals < MOST && !rounds_same(share, decimals))
        decimals++;
    percent_write(out, share, decimals);
}

void percent_write_points(struct buf *out, long double change, unsigned decimals)
{
    if (!signbit(change))
        buf_add_char(out, '+');
    percent_write(out, change, decimals);
}
