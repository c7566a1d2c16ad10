#include "cli/times.h"

#include "base/num.h"
#include "cli/kind.h"
#include "profile/period.h"

enum { NS_DECIMALS = 9 };

bool times_are_wanted(const struct options *o)
{
    return o->flamechart || o->from || o->to || kind_is_heatmap(o);
}

/* Seconds as nanoseconds, cut behind the ninth decimal. */
static uint64_t nanoseconds(const char *seconds)
{
    struct decimal d;
    uint64_t ns;

    if (!num_parse_decimal(slice_str(seconds), &d))
        BUG("the value was checked: %s", seconds);
    if (d.decimals > NS_DECIMALS)
        return d.value / num_pow10(d.decimals - NS_DECIMALS);
    return num_mul(d.value, num_pow10(NS_DECIMALS - d.decimals), &ns) ? ns : UINT64_MAX;
}

bool times_check(const struct options *o, struct diag *diag)
{
    if (!o->from || !o->to || nanoseconds(o->from) <= nanoseconds(o->to))
        return true;
    return diag_error(diag, "--from %s is behind --to %s", o->from, o->to);
}

static uint64_t behind(uint64_t start, uint64_t ns)
{
    uint64_t sum;

    return num_add(start, ns, &sum) ? sum : UINT64_MAX;
}

static bool select_period(const struct options *o, struct profile *p, struct diag *diag)
{
    struct period all = period_of(p);
    struct period period = {
        behind(all.from, o->from ? nanoseconds(o->from) : 0),
        o->to ? behind(all.from, nanoseconds(o->to)) : UINT64_MAX,
    };
    struct buf length;

    if (all.from > all.to)
        return diag_error(diag,
                          "the input has no times for its samples; --from and --to need them");
    if (period.from > all.to) {
        buf_init(&length);
        num_write_decimal(&length, (all.to - all.from) / num_pow10(NS_DECIMALS - 3), 3);
        diag_error(diag, "--from %s is behind the last sample, at %s seconds", o->from, length.ptr);
        buf_release(&length);
        return false;
    }
    period_select(p, period, o->to ? (o->from ? "--from --to" : "--to") : "--from");
    return true;
}

bool times_apply(const struct options *o, struct profile *p, struct diag *diag)
{
    if (!times_check(o, diag))
        return false;
    if (!times_are_wanted(o))
        return true;
    vec_each (struct series, s, &p->series)
        moments_sort(&s->moments);
    return (!o->from && !o->to) || select_period(o, p, diag);
}
