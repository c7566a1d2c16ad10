#include "layout/diverge.h"

const struct diverge diverge_pairs[DIVERGE_PAIRS] = {
    [DIVERGE_RED_BLUE] = {{0xffd2d2, 0xff0000}, {0xd2d2ff, 0x0000ff}},
    [DIVERGE_SAFE] = {{0xfee8cc, 0xe66100}, {0xe0dbed, 0x5d3a9b}},
};

/* Mixes two colours. templates/flame_fill.js repeats every operation, for equal results. */
static uint32_t between(uint32_t pale, uint32_t full, double share)
{
    return pale == full ? pale : (uint32_t)(pale * (1 - share) + full * share);
}

palette_color diverge_pick(enum diverge_pair pair, int64_t change, int64_t max, double support)
{
    const struct diverge_hue *hue =
        change > 0 ? &diverge_pairs[pair].more : &diverge_pairs[pair].less;
    uint64_t size = change < 0 ? -(uint64_t)change : (uint64_t)change;
    uint64_t most = max > 0 ? (uint64_t)max : 1;
    double share = (double)(size < most ? size : most) / (double)most * support;
    palette_color color = 0;

    if (!change)
        return 0xffffff;
    for (int shift = 16; shift >= 0; shift -= 8)
        color |= between(hue->pale >> shift & 255, hue->full >> shift & 255, share) << shift;
    return color;
}
