#include "tree/evidence.h"

#include <math.h>

#include "base/die.h"

/* templates/flame_fill.js repeats every operation, for equal results. */
double evidence_of(const struct evidence *e, uint64_t now, uint64_t base)
{
    double error, share;

    if (!evidence_is_known(e) || now == base)
        return 1;
    error = sqrt((double)now * e->now + (double)base * e->base);
    share = (fabs((double)now - (double)base) / error - EVIDENCE_NONE) /
            (EVIDENCE_FULL - EVIDENCE_NONE);
    return share < 0 ? 0 : share > 1 ? 1 : share;
}
