#include "prepare/times.h"

#include "base/num.h"
#include "profile/period.h"

static uint64_t after(uint64_t start, uint64_t ns)
{
    uint64_t sum;

    return num_add(start, ns, &sum) ? sum : UINT64_MAX;
}

static bool begins_too_late(const struct recipe *r, struct period all, struct diag *diag)
{
    struct buf from = {0}, last = {0};

    num_write_decimal(&from, r->from.ns, 9);
    num_write_decimal(&last, (all.to - all.from) / num_pow10(6), 3);
    diag_error(diag, "--from %s is after the last sample, at %s seconds", buf_string(&from),
               buf_string(&last));
    buf_release(&last);
    buf_release(&from);
    return false;
}

static bool select_period(const struct recipe *r, struct profile *p, struct diag *diag)
{
    struct period all = period_of(p);
    struct period period = {
        after(all.from, r->from.given ? r->from.ns : 0),
        r->to.given ? after(all.from, r->to.ns) : UINT64_MAX,
    };

    if (all.from > all.to)
        return diag_misuse(diag,
                           "the input has no times for its samples; --from and --to need them");
    if (period.from > all.to)
        return begins_too_late(r, all, diag);
    p->duration_ns = 0;
    period_select(p, period, r->to.given ? (r->from.given ? "--from --to" : "--to") : "--from");
    return true;
}

bool times_apply(const struct recipe *r, struct profile *p, struct diag *diag)
{
    if (!r->timed)
        return true;
    vec_each (struct series, s, &p->series)
        timed_samples_sort(&s->timed);
    return (!r->from.given && !r->to.given) || select_period(r, p, diag);
}
