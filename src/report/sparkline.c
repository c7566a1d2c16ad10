#include "report/sparkline.h"

#include <math.h>

#include "base/percent.h"

static const double least_range = 0.01;
static const double margin = 1.5; /* of the line, above and below */

struct range {
    double low, high;
    size_t known;
};

static struct range range_of(const struct compare_level *levels, size_t count)
{
    struct range r = {1, 0, 0};

    for (size_t i = 0; i < count; i++) {
        if (!(levels[i].samples > 0))
            continue;
        r.low = fmin(r.low, levels[i].share);
        r.high = fmax(r.high, levels[i].share);
        r.known++;
    }
    return r;
}

void sparkline_write(struct buf *out, const struct compare_level *levels, size_t count,
                     double width, double height)
{
    struct range r = range_of(levels, count);
    double span = fmax(r.high - r.low, least_range), low = (r.low + r.high - span) / 2;
    bool open = false;

    for (size_t i = 0; r.known >= 2 && i < count; i++) {
        double x = count > 1 ? width * (double)i / (double)(count - 1) : 0;
        double part = (levels[i].share - low) / span;

        if (levels[i].samples > 0)
            buf_printf(out, "%c%.1f %.1f", open ? 'L' : 'M', x,
                       height - margin - (height - 2 * margin) * part);
        open = levels[i].samples > 0;
    }
}

void sparkline_describe(struct buf *out, const struct compare_level *levels, size_t count)
{
    struct range r = range_of(levels, count);

    if (r.known < 2)
        return;
    percent_write(out, r.low, PERCENT_TABLE);
    buf_add_str(out, " % to ");
    percent_write(out, r.high, PERCENT_TABLE);
    buf_printf(out, " %% in %zu labels", r.known);
}
